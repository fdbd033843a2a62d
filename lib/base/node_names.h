/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_names: the names in a list of nodes in Slurm's form, such as "n[1-4],big". Brackets
 * may follow each other, as in "r[1-2]n[1-3]".
 *
 * A text of forty bytes may stand for a million names. The reader therefore has a budget of
 * steps. Each name takes a step, and each piece without a name takes one, too.
 */
#ifndef EQT_NODE_NAMES_H
#define EQT_NODE_NAMES_H

#include <stdint.h>

/* How the reading of a list has ended. */
enum eqt_node_names_end {
	/* The list has no name or is not valid, for example because a bracket does not
	 * end. */
	EQT_NODE_NAMES_NONE,
	EQT_NODE_NAMES_READ,
	EQT_NODE_NAMES_UNKNOWN, /* One of the names belongs to no node. */
	EQT_NODE_NAMES_TOO_MANY /* The budget of steps is used up. */
};

#define EQT_NODE_NAMES_SIZE 256 /* a name and its NUL */

/* The state of reading. The caller fills in budget and take. */
struct eqt_node_names {
	int64_t *budget; /* the number of steps that are left */
	/* Take the name in the member name. The reading ends if the result is not
	 * EQT_NODE_NAMES_READ. */
	enum eqt_node_names_end (*take)(struct eqt_node_names *names);
	/* The last name. A name that is too long, or that has a number of too
	 * many digits, belongs to no node; then this is its beginning. */
	char name[EQT_NODE_NAMES_SIZE];
};

/* Read a list, and call take() for each of its names in order. */
enum eqt_node_names_end eqt_node_names_read(struct eqt_node_names *names,
					    const char *list);

#endif
