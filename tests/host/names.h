/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names: what a name stands for, found quickly among very many. */
#ifndef EQT_HOST_NAMES_H
#define EQT_HOST_NAMES_H

/* A set of names; all 0 is an empty one. */
struct names {
	void *root;
};

/* Let name stand for thing. The name is copied, the thing borrowed; a name that
 * is there already stands for the new thing from now on. */
void names_set(struct names *names, const char *name, void *thing);

/* What the name stands for; NULL when it is unknown. */
void *names_get(const struct names *names, const char *name);

void names_free(struct names *names);

#endif
