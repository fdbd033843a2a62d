/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amount: amounts in the words of Slurm's options and requests.
 *
 * The texts come from users: any bytes, any length. All calls take time in
 * proportion to the text, and write nothing when they fail.
 */
#ifndef EQT_AMOUNT_H
#define EQT_AMOUNT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* No end: --time=UNLIMITED, a partition's MaxTime=INFINITE. */
#define EQT_AMOUNT_UNLIMITED UINT64_MAX

/*
 * Read a count from length bytes (no NUL needed): digits and at most one of
 * Slurm's suffixes, in either case. k, m, g, t, p and kib, mib, ... are powers
 * of 1024; kb, mb, ... are powers of 1000. Returns 0, or -1 when the text is no
 * such count or does not fit 64 bits.
 */
int eqt_amount_count(uint64_t *out, const char *text, size_t length);

/*
 * Memory as in --mem: digits, and K, M, G or T (powers of 1024; a B may
 * follow; MiB without a suffix). Kilobytes round up. 0, or -1.
 */
int eqt_amount_memory(uint64_t *mib, const char *text);

/*
 * Time as in --time: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S, UNLIMITED, INFINITE.
 * Seconds round up to a minute; 0 means no limit, as it does in Slurm. 0, or
 * -1.
 */
int eqt_amount_minutes(uint64_t *minutes, const char *text);

/* The tasks of an array. */
struct eqt_amount_tasks {
	uint64_t count; /* 0: none */
	bool at_most; /* count is an upper bound */
};

/*
 * Count the tasks of an array expression ("0-9,12,20-30:5%4"); an index that is
 * named twice counts once. Indices are below size (MaxArraySize; 0: not known,
 * Slurm's own ceiling of 4000001). Returns 0, or -1 with *out untouched: empty,
 * malformed, an index beyond size, more ranges than Slurm reads, out of memory.
 *
 * The work is bounded by the length of the text: ranges whose steps differ are
 * compared index by index up to 2^18 indices; beyond that the count is an upper
 * bound. Allocates only when ranges are out of order or overlap.
 */
int eqt_amount_array_tasks(struct eqt_amount_tasks *out, const char *array,
			   uint64_t size);

#endif
