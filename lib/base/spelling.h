/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling: find the known word that is nearest to a misspelled one, for "did
 * you mean". The distance is the number of characters that are inserted, left
 * out, replaced or swapped with their neighbour; case does not count. Nothing
 * allocates.
 */
#ifndef EQT_SPELLING_H
#define EQT_SPELLING_H

#include <stddef.h>

/* A plain value, made as { .word = WORD, .length = LENGTH }; borrows its words. */
struct eqt_spelling {
	const char *word; /* the unknown word; need not end with a NUL */
	size_t length;
	const char *nearest; /* among the words tried; NULL: none is near */
	size_t distance; /* of nearest */
};

/*
 * Compare with one more known word. It becomes nearest if it is nearer than the
 * previous nearest and near at all: at most one character in three differs, and
 * at most two. Words of more than 32 characters are never near.
 */
void eqt_spelling_try(struct eqt_spelling *spelling, const char *known);

#endif
