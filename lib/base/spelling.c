/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distance of two words by optimal string alignment (Damerau-Levenshtein without
 * edits between swapped characters). Three rows of the table are enough.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/spelling.h"
#include "base/whole.h"

#define SPELLING_MAX 32 /* characters of a word that is compared */
#define DISTANCE_MAX 2

static bool letters_equal(char a, char b)
{
	return tolower((unsigned char) a) == tolower((unsigned char) b);
}

/* Row i of the table of distances, from the two rows above it (optimal string
 * alignment); row[j] is the distance of a's first i from b's first j. */
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

/* Neither has more than SPELLING_MAX characters. */
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
