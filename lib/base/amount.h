/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amount: counts, memory, times and array expressions as users write them in options of
 * Slurm.
 *
 * The texts come from users, so that they may have any bytes and any length. The time
 * of each call is proportional to the length of the text. A call that fails writes
 * nothing.
 */
#ifndef EQT_AMOUNT_H
#define EQT_AMOUNT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* The value of a time without an end, such as --time=UNLIMITED or a partition's
 * MaxTime=INFINITE. */
#define EQT_AMOUNT_UNLIMITED UINT64_MAX

/*
 * Read a count from length bytes, which need not end with a NUL. A count is digits and
 * at most one of Slurm's suffixes, in upper or lower case. The suffixes k, m, g, t, p
 * and kib, mib and so on are powers of 1024; kb, mb and so on are powers of 1000.
 * Return 0, or -1 if the text is not a count or the count does not fit 64 bits.
 */
int eqt_amount_count(uint64_t *out, const char *text, size_t length);

/*
 * Read an amount of memory as in --mem: digits and a suffix K, M, G or T, which are
 * powers of 1024 and may be followed by a B. Without a suffix the amount is in MiB.
 * Kilobytes are rounded up to MiB. Return 0, or -1 if the text is not such an amount or
 * does not fit 64 bits.
 */
int eqt_amount_memory(uint64_t *mib, const char *text);

/*
 * Read a time as in --time: M, M:S, H:M:S, D-H, D-H:M, D-H:M:S, UNLIMITED or INFINITE.
 * Seconds are rounded up to a minute. As in Slurm, 0 means no limit. Return 0, or -1 if
 * the text is not such a time or does not fit 64 bits.
 */
int eqt_amount_minutes(uint64_t *minutes, const char *text);

/* The number of tasks of a job array. */
struct eqt_amount_tasks {
	uint64_t count; /* the number of tasks; 0 if there is no array */
	bool at_most; /* whether count is an upper bound */
};

/*
 * Count the tasks of an array expression such as "0-9,12,20-30:5%4". An index that is
 * named twice counts once. `size` is MaxArraySize, and all indices must be below it; 0
 * means that it is not known, and then Slurm's own limit of 4000001 is used. Return 0,
 * or -1 with *out unchanged if the expression is empty or malformed, has an index
 * beyond the limit or more ranges than Slurm reads, or if there is no memory.
 *
 * The work is bounded by the length of the text. Ranges with different steps are
 * compared index by index for up to 2^18 indices. With more indices, the count is an
 * upper bound. Memory is allocated only if ranges are out of order or overlap.
 */
int eqt_amount_array_tasks(struct eqt_amount_tasks *out, const char *array,
			   uint64_t size);

#endif
