/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_queue: lines of the journal that wait in memory for the disk.
 *
 * Lines are kept in chunks, so that adding one is a copy and now and then an
 * allocation of one size. There is a bound: a disk that hangs for hours must not
 * fill slurmctld's memory. The reader works on memory that later lines never
 * move; only the calls need the caller's lock.
 */
#ifndef EQT_LINE_QUEUE_H
#define EQT_LINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eqt_line_chunk;

/* {0} is empty; eqt_line_queue_clear() frees what it holds. */
struct eqt_line_queue {
	struct eqt_line_chunk *first;
	struct eqt_line_chunk *last;
	struct eqt_line_chunk *spare; /* one that is free, or NULL */
	size_t chunk_count; /* in the list */
	uint64_t put; /* bytes that were ever added */
	uint64_t taken; /* bytes that were ever taken off */
};

/* The next piece: text, or (length 0) a rotation, or nothing at all. */
struct eqt_line_piece {
	const char *text; /* valid until it is taken off */
	size_t length;
	bool rotate;
};

/* Allocate the first chunk ahead. Short of memory, the first put does it. */
void eqt_line_queue_prepare(struct eqt_line_queue *queue);

/* Add a line with its newline; or a rotation, which comes after all lines so
 * far. 0, or -1 and nothing added: the bound is reached, or memory is short. */
int eqt_line_queue_put(struct eqt_line_queue *queue, const char *line,
		       size_t length);
int eqt_line_queue_put_rotation(struct eqt_line_queue *queue);

struct eqt_line_piece eqt_line_queue_next(const struct eqt_line_queue *queue);

/* Take bytes of the next piece off, or the rotation that comes next. */
void eqt_line_queue_take(struct eqt_line_queue *queue, size_t length);
void eqt_line_queue_take_rotation(struct eqt_line_queue *queue);

void eqt_line_queue_clear(struct eqt_line_queue *queue);

#endif
