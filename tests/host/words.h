/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words: one line of a history, cut at blanks; "key=value" among them. */
#ifndef EQT_HOST_WORDS_H
#define EQT_HOST_WORDS_H

#include <stdint.h>

#define WORDS_MAX 32

struct words {
	char *word[WORDS_MAX]; /* word[0] names the event */
	int count;
};

/* Cut line in place; a "#" at the beginning of a word starts a comment. */
void words_cut(struct words *words, char *line);

/* Word number i; the program fails when there is none. what names it. */
const char *words_at(const struct words *words, int i, const char *what);

/* The value of key, or otherwise; borrowed from the line. */
const char *words_text(const struct words *words, const char *key,
		       const char *otherwise);

/* The same as a number; what is no number ends the program. */
int64_t words_int(const struct words *words, const char *key,
		  int64_t otherwise);
long double words_real(const struct words *words, const char *key,
		       long double otherwise);

/* Word number i as a whole number. */
int64_t words_int_at(const struct words *words, int i, const char *what);

#endif
