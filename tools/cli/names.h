/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names: things by their names. */
#ifndef EQT_CLI_NAMES_H
#define EQT_CLI_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* The first member of each thing is its name (const char *), which the table owns
 * like the thing. Owned; {0} is empty. */
struct eqt_names {
	void **slot; /* NULL: free; at most half are used */
	void **list; /* in the order of coming */
	size_t slots, count;
};

/* A thing that is a number. */
struct eqt_numbered_name {
	const char *name;
	uint32_t number;
};

/* The thing of a name, made of that size (of zeros) if there is none; *new, unless
 * NULL, says which. */
void *eqt_names_get(struct eqt_names *names, const char *name, size_t size,
		    int *new);

/* The thing of a name, or NULL. */
void *eqt_names_find(const struct eqt_names *names, const char *name);

/* A copy of a text that lives as long as the table, in which each thing is a text. */
const char *eqt_names_text(struct eqt_names *names, const char *text);

/* Free the table with all things; it is empty then. */
void eqt_names_free(struct eqt_names *names);

#endif
