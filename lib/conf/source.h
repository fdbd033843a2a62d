/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the text of equitree.conf, cut into tokens, and the first error found
 * in it. Private to lib/conf.
 *
 * A token is one of = { } or a word. Words consist of letters, digits and
 * _ . - : , [ ]; in quotes, which close on their line, of * and / as well. There
 * are no escapes, variables or includes. # begins a comment up to the line's end.
 */
#ifndef EQT_SOURCE_H
#define EQT_SOURCE_H

#include <stdbool.h>

#include "base/error.h"

/* The letters, digits, _ . and - that names consist of. */
#define EQT_SOURCE_NAME_CHARACTERS   \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

/* What eqt_source_next() returns besides the characters = { } themselves. */
enum eqt_token {
	EQT_TOKEN_BAD = -1, /* refused: the error says why */
	EQT_TOKEN_END = 0,
	EQT_TOKEN_WORD = 1
};

/* A plain value, made as { .path = PATH }; path and text are borrowed. */
struct eqt_source {
	const char *path;
	int line; /* of the token read last; 0: the file as a whole */
	struct eqt_error error; /* the first that was refused */

	char *word; /* of EQT_TOKEN_WORD; stays valid as long as the text */
	char *at; /* the rest */
	char held; /* the character that a word's NUL at *at has replaced */
	int at_line; /* where the rest begins; the first line is 1 */
	bool unread; /* eqt_source_next() reads the last token again, ... */
	int token, token_line; /* which is this, in this line */
};

/*
 * Read the file into a text that the caller frees. Returns the text, or NULL with the
 * error set: the system's reason, more than 1 MiB, a NUL in the file, out of memory.
 */
char *eqt_source_load(struct eqt_source *source);

/* Begin at the first token of a text, which is cut in place. */
void eqt_source_begin(struct eqt_source *source, char *text);

/* Take comments and empty lines out of a text, which may be cut in tokens afterwards. */
void eqt_source_strip(char *text);

/* Read the next token into line and, if it is one, word. */
int eqt_source_next(struct eqt_source *source);

/* Let eqt_source_next() return the last token again. Until then source->line is the
 * line of the token before it. */
void eqt_source_unread(struct eqt_source *source, int token, int line);

/* Set the error "PATH:LINE: ..." (without :LINE where line is 0) unless there is
 * one already. Returns -1, always. */
int eqt_source_refuse(struct eqt_source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
