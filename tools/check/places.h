/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places: the line numbers of sections and keys in an equitree.conf. */
#ifndef EQT_CHECK_PLACES_H
#define EQT_CHECK_PLACES_H

#include <stddef.h>

/*
 * A section ("": the top level), its name, and a key ("": its first line).
 */
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

/* Scan a file that eqt_conf_read() has accepted. For any other file, or when
 * memory runs out, lines may be missing. */
void eqt_places_read(struct eqt_places *out, const char *path);

/* Free what *places owns; it is empty then. */
void eqt_places_free(struct eqt_places *places);

/*
 * The line of a key (NULL: of the section itself) in the nth (from 0) section
 * of that name; the section's line if it lacks the key; 0 if there is no such
 * section. section NULL is the top level of the file.
 */
unsigned int eqt_places_find(const struct eqt_places *places,
			     const char *section, const char *name,
			     unsigned int nth, const char *key);

#endif
