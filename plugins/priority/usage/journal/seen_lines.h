/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen_lines: the lines of the journal that were read, so that a line that is there twice is
 * charged once. It keeps a 64-bit hash of each line: the chance that any two of a million
 * different lines have the same hash is about 1 in 37 million.
 */
#ifndef EQT_SEEN_LINES_H
#define EQT_SEEN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is empty; eqt_seen_lines_clear() frees its memory. */
struct eqt_seen_lines {
	uint64_t *keys; /* an open table; 0: free */
	size_t count;
	size_t space; /* a power of two, or 0 */
};

/* Add a line; returns true if it is new. If memory is short, every line counts as new. */
bool eqt_seen_lines_add(struct eqt_seen_lines *set, const char *line,
			size_t length);

/* Free what *set owns; it is empty then. */
void eqt_seen_lines_clear(struct eqt_seen_lines *set);

#endif
