/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_places: in which lines of an equitree.conf its sections and keys are. */
#ifndef EQT_CHECK_PLACES_H
#define EQT_CHECK_PLACES_H

#include <stddef.h>

/* A section ("" of the top), its name, a key ("": where the section begins). */
struct eqt_place {
	char section[16];
	char name[64];
	char key[32];
	unsigned int line;
};

/* Owned; {0} is empty. */
struct eqt_places {
	struct eqt_place *spots;
	size_t count;
};

/*
 * Look through a file that eqt_conf_read() has taken. Of any other, and when
 * memory is short, lines may be missing, nothing worse.
 */
void eqt_places_read(struct eqt_places *out, const char *path);
void eqt_places_free(struct eqt_places *places);

/*
 * The line of a key (NULL: of the section itself) in the section of that name,
 * the nth (from 0) of those; the section's line when it has no such key, 0 when
 * there is no such section. A section of NULL is the top.
 */
unsigned int eqt_places_find(const struct eqt_places *places,
			     const char *section, const char *name,
			     unsigned int nth, const char *key);

#endif
