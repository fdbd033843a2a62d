/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sbatch/words.h"

/* The list takes the text, NULL as well. */
static void sbatch_words_take(struct eqt_sbatch_words *words, char *text)
{
	char **more =
		text ? realloc(words->word, (words->count + 1) * sizeof(*more))
		     : NULL;

	words->failed |= !more;
	if (!more) {
		free(text);
		return;
	}
	words->word = more;
	more[words->count++] = text;
}

void eqt_sbatch_words_add(struct eqt_sbatch_words *words, const char *word)
{
	sbatch_words_take(words, strdup(word));
}

/* The long name, whichever form the user has written: each option has one. */
void eqt_sbatch_words_option(struct eqt_sbatch_words *words,
			     const struct argp_option *table, int key,
			     const char *arg)
{
	const size_t room = arg ? strlen(arg) : 0;
	size_t size;
	char *text;

	while (!table->name || table->key != key)
		table++;
	size = strlen(table->name) + room + sizeof("--=");
	text = malloc(size);
	if (text)
		(void) snprintf(text, size, "--%s%s%s", table->name,
				arg ? "=" : "", arg ? arg : "");
	sbatch_words_take(words, text);
}

void eqt_sbatch_words_free(struct eqt_sbatch_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
	free(words->word);
	*words = (struct eqt_sbatch_words){ .count = 0 };
}
