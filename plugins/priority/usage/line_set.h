/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line_set: which lines of the journal were read already, so that one that stands
 * there twice is charged once. It keeps 64 bits of each line: two lines out of a
 * million differ in these with a chance of one in 30 millions.
 */
#ifndef EQT_LINE_SET_H
#define EQT_LINE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is empty; eqt_line_set_clear() frees what it holds. */
struct eqt_line_set {
	uint64_t *keys; /* an open table; 0: free */
	size_t count;
	size_t space; /* a power of two, or 0 */
};

/* Add a line: whether it was not there yet. Short of memory every line is new. */
bool eqt_line_set_add(struct eqt_line_set *set, const char *line,
		      size_t length);

void eqt_line_set_clear(struct eqt_line_set *set);

#endif
