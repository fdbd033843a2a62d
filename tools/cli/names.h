/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names: a table of things, found by their names. */
#ifndef EQT_CLI_NAMES_H
#define EQT_CLI_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The first member of each thing is its name (const char *). The table owns things and
 * names. Owned; {0} is empty. */
struct eqt_names {
	void **slot; /* NULL: free; at most half are used */
	void **list; /* in the order in which they were added */
	size_t slots, count;
};

/* A thing that is a number. */
struct eqt_numbered_name {
	const char *name;
	uint32_t number;
};

/* The thing of a name. If there is none, a zeroed one of that size is added; *new, unless
 * NULL, says whether it was. Pointers to things stay valid when the table grows. */
void *eqt_names_get(struct eqt_names *names, const char *name, size_t size,
		    int *new);

/* The thing of a name, or NULL. */
void *eqt_names_find(const struct eqt_names *names, const char *name);

/* A copy of a text that lives as long as the table, whose things are such texts alone. */
const char *eqt_names_text(struct eqt_names *names, const char *text);

/* Free the table with all things and names; it is empty then. What else the things own is
 * the caller's to free. */
void eqt_names_free(struct eqt_names *names);

#endif
