/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distance of two words is the optimal string alignment, which is the
 * Damerau-Levenshtein distance without edits between swapped characters. The algorithm
 * needs only the last three rows of its table.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/spelling.h"
#include "base/whole.h"

/* The most characters of a word; longer words are never near. */
#define SPELLING_MAX 32
#define DISTANCE_MAX 2

static bool letters_equal(char a, char b)
{
	return tolower((unsigned char) a) == tolower((unsigned char) b);
}

/* Compute row i of the table from the two rows before it, last and before. row[j]
 * becomes the distance between the first i characters of a and the first j characters
 * of b. */
static void distance_row(size_t *row, const size_t *last, const size_t *before,
			 const char *a, size_t i, const char *b, size_t length)
{
	row[0] = i;
	for (size_t j = 1; j <= length; j++) {
		bool equal = letters_equal(a[i - 1], b[j - 1]);

		row[j] = eqt_whole_min(last[j - 1] + !equal,
				       1 + eqt_whole_min(last[j], row[j - 1]));
		if (i > 1 && j > 1 && letters_equal(a[i - 1], b[j - 2]) &&
		    letters_equal(a[i - 2], b[j - 1]))
			row[j] = eqt_whole_min(row[j], 1 + before[j - 2]);
	}
}

/* Return the distance of two words of at most SPELLING_MAX characters. */
static size_t words_distance(const char *a, size_t a_length, const char *b,
			     size_t b_length)
{
	size_t rows[3][SPELLING_MAX + 1] = { 0 };

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++)
		distance_row(rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3],
			     a, i, b, b_length);
	return rows[a_length % 3][b_length];
}

void eqt_spelling_try(struct eqt_spelling *spelling, const char *known)
{
	size_t length = strlen(known), distance;

	if (length > SPELLING_MAX || spelling->length > SPELLING_MAX)
		return;
	distance =
		words_distance(spelling->word, spelling->length, known, length);
	if (distance > DISTANCE_MAX || 3 * distance > length ||
	    (spelling->nearest && distance >= spelling->distance))
		return;
	spelling->nearest = known;
	spelling->distance = distance;
}
