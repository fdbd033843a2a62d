/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names: a table of entries, found by name. */
#ifndef EQT_CLI_NAMES_H
#define EQT_CLI_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The first member of each entry is its name (const char *). The table owns entries and
 * names; {0} is empty. */
struct eqt_names {
	/* the hash table; NULL: a free slot; at most half are used */
	void **slot;
	void **list; /* all entries in the order in which they were added */
	size_t slots, count;
};

/* An entry that holds a number. */
struct eqt_numbered_name {
	const char *name;
	uint32_t number;
};

/* The entry of a name. If there is none, add a zeroed entry of the given size. *new,
 * unless new is NULL, tells whether an entry was added. Pointers to entries stay valid
 * when the table grows. */
void *eqt_names_get(struct eqt_names *names, const char *name, size_t size,
		    int *new);

/* The entry of a name, or NULL if there is none. */
void *eqt_names_find(const struct eqt_names *names, const char *name);

/* A copy of a text that lives as long as the table. Such a table holds nothing but texts.
 * */
const char *eqt_names_text(struct eqt_names *names, const char *text);

/* Sort the list by name. */
void eqt_names_sort(struct eqt_names *names);

/* Free the table with all entries and names. It is empty afterwards. Memory that the
 * entries own is for the caller to free. */
void eqt_names_free(struct eqt_names *names);

#endif
