/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen_lines: the set of journal lines that were read, so that a line that
 * occurs twice is charged once. The set keeps a 64-bit hash of each line. The
 * chance that any two of a million different lines have the same hash is about
 * 1 in 37 million.
 */
#ifndef EQT_SEEN_LINES_H
#define EQT_SEEN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of lines. A struct of zeros is empty, and eqt_seen_lines_clear() frees
 * its memory. */
struct eqt_seen_lines {
	/* A table with open addressing; 0 marks a free place. */
	uint64_t *keys;
	size_t count;
	size_t space; /* A power of two, or 0. */
};

/* Add a line. Returns true if it is new. If memory is short, every line counts
 * as new. */
bool eqt_seen_lines_add(struct eqt_seen_lines *set, const char *line,
			size_t length);

/* Free the members of *set, and make it empty. */
void eqt_seen_lines_clear(struct eqt_seen_lines *set);

#endif
