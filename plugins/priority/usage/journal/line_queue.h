/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_queue: lines that wait in memory for the disk, as text or in binary
 * form.
 *
 * The lines are kept in chunks, so that adding a line is a copy and, rarely, an
 * allocation of fixed size. No line lies in two chunks. The length of the queue
 * is limited, because a disk that hangs for hours must not fill slurmctld's
 * memory. The text of a piece never moves, so it can be read without the
 * caller's lock; all calls need that lock.
 */
#ifndef EQT_LINE_QUEUE_H
#define EQT_LINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eqt_line_chunk;

/* A queue of lines. A struct of zeros is empty, and eqt_line_queue_clear()
 * frees its memory. */
struct eqt_line_queue {
	struct eqt_line_chunk *first;
	struct eqt_line_chunk *last;
	struct eqt_line_chunk *spare; /* A free chunk, or NULL. */
	size_t chunk_count; /* The number of chunks in the list. */
	uint64_t put; /* The bytes that were added since the start. */
	uint64_t taken; /* The bytes that were taken off since the start. */
};

/* The next piece of the queue: text, or a rotation if length is 0 and `rotate`
 * is set. If neither is there, the queue is empty. */
struct eqt_line_piece {
	const char *text; /* Valid until the piece is taken off the queue. */
	size_t length;
	bool rotate;
};

/* Allocate the first chunk in advance. If memory is short, the first line tries
 * again. */
void eqt_line_queue_prepare(struct eqt_line_queue *queue);

/* Add a line with its newline, or a rotation after all lines so far. Returns 0,
 * or -1 with nothing added if the queue is full or memory is short. */
int eqt_line_queue_put(struct eqt_line_queue *queue, const char *line,
		       size_t length);
int eqt_line_queue_put_rotation(struct eqt_line_queue *queue);

/* Add room for a line, which the caller fills before releasing its lock.
 * Returns NULL if the queue is full or memory is short. */
char *eqt_line_queue_add(struct eqt_line_queue *queue, size_t length);

/* The piece to write next. It stays in the queue, so that a failed write can be
 * tried again. */
struct eqt_line_piece eqt_line_queue_next(const struct eqt_line_queue *queue);

/* Remove bytes of the next piece, or the next rotation. */
void eqt_line_queue_take(struct eqt_line_queue *queue, size_t length);
void eqt_line_queue_take_rotation(struct eqt_line_queue *queue);

/* Drop all waiting lines, and free the memory. */
void eqt_line_queue_clear(struct eqt_line_queue *queue);

#endif
