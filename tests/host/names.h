/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names: a map from names to things, fast with very many names. */
#ifndef EQT_HOST_NAMES_H
#define EQT_HOST_NAMES_H

/* A set of names; all 0 is an empty one. */
struct names {
	void *root;
};

/* Map a name to a thing. The name is copied, the thing is borrowed. A name that
 * is there already gets the new thing. */
void names_set(struct names *names, const char *name, void *thing);

/* The thing of the name; NULL if it is unknown. */
void *names_get(const struct names *names, const char *name);

void names_free(struct names *names);

#endif
