/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: one line of a history, split at blanks, with "key=value" words. */
#ifndef EQT_HOST_WORDS_H
#define EQT_HOST_WORDS_H

#include <stdint.h>

#define WORDS_MAX 32

struct words {
	char *word[WORDS_MAX]; /* word[0] names the event */
	int count;
};

/* Split the line in place; a "#" at the start of a word begins a comment. */
void words_cut(struct words *words, char *line);

/* Word number i. Ends the program if there is none; what is its name for the
 * error. */
const char *words_at(const struct words *words, int i, const char *what);

/* The value of key, or the default "otherwise"; borrowed from the line. */
const char *words_text(const struct words *words, const char *key,
		       const char *otherwise);

/* The same as a number. Ends the program if it is not one. */
int64_t words_int(const struct words *words, const char *key,
		  int64_t otherwise);
long double words_real(const struct words *words, const char *key,
		       long double otherwise);

/* Word number i as a whole number. */
int64_t words_int_at(const struct words *words, int i, const char *what);

/* Drop the first word. */
void words_shift(struct words *words);

#endif
