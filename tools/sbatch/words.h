/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: the request of a command line as words for sbatch itself: options that may change
 * its price, ":" between components, the script and its arguments. */
#ifndef EQT_SBATCH_WORDS_H
#define EQT_SBATCH_WORDS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* Owned; {0} is empty. */
struct eqt_sbatch_words {
	char **word;
	size_t count;
	bool script; /* the last words are a script and its arguments */
	bool failed; /* a word found no memory */
};

/* Append a copy of a word. */
void eqt_sbatch_words_add(struct eqt_sbatch_words *words, const char *word);

/* Append the option that has the key in its table, with its argument; NULL: it has
 * none. */
void eqt_sbatch_words_option(struct eqt_sbatch_words *words,
			     const struct argp_option *table, int key,
			     const char *arg);

/* Free what *words owns; it is empty then. */
void eqt_sbatch_words_free(struct eqt_sbatch_words *words);

#endif
