/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling: find the known word that is nearest to a misspelled one, for messages with
 * "did you mean". The distance of two words is the number of characters that must be
 * inserted, left out, replaced or swapped with their neighbour. Upper and lower case
 * are equal. Nothing is allocated.
 */
#ifndef EQT_SPELLING_H
#define EQT_SPELLING_H

#include <stddef.h>

/* A plain value, initialised with { .word = WORD, .length = LENGTH }. The words are
 * borrowed. */
struct eqt_spelling {
	/* The misspelled word; a NUL at its end is not needed. */
	const char *word;
	size_t length;
	/* The nearest word so far; NULL if no word was near. */
	const char *nearest;
	size_t distance; /* the distance between word and nearest */
};

/*
 * Compare the misspelled word with one more known word. The known word becomes the
 * nearest if it is nearer than the previous nearest, and if at most two characters and
 * at most one character in three differ. Words of more than 32 characters are never
 * near.
 */
void eqt_spelling_try(struct eqt_spelling *spelling, const char *known);

#endif
