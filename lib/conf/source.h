/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the text of equitree.conf, which is cut into tokens, and the first error in
 * it. Only lib/conf uses it.
 *
 * A token is one of = { } or a word. A word consists of letters, digits and _ . - : , [
 * ]. In quotes, which must be closed on the same line, a word may also have * and /.
 * There are no escapes, variables or includes. A # begins a comment, which ends with
 * the line.
 */
#ifndef EQT_SOURCE_H
#define EQT_SOURCE_H

#include <stdbool.h>

#include "base/error.h"

/* The characters that names may have. */
#define EQT_SOURCE_NAME_CHARACTERS   \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

/* The results of eqt_source_next(), besides the characters = { } themselves. */
enum eqt_token {
	EQT_TOKEN_BAD = -1, /* an error, which is in the member error */
	EQT_TOKEN_END = 0,
	EQT_TOKEN_WORD = 1
};

/* The state of reading a text. A plain value, initialised with { .path = PATH }. The
 * path and the text are borrowed. */
struct eqt_source {
	const char *path;
	/* The line of the last token; 0 for an error of the whole file. */
	int line;
	struct eqt_error error; /* the first error in the text */

	/* The text of a word, which is valid as long as the whole text. */
	char *word;
	char *at; /* the part of the text that is not yet read */
	/* The character at *at, which was replaced by the NUL at the end of a word. */
	char held;
	int at_line; /* the line of *at, where the first line is 1 */
	/* Whether eqt_source_next() returns the last token again. */
	bool unread;
	int token, token_line; /* the token to return again, and its line */
};

/*
 * Read the file into a text that the caller frees. Return NULL with the error set if
 * the system cannot read the file, if it is larger than 1 MiB or contains a NUL, or if
 * there is no memory.
 */
char *eqt_source_load(struct eqt_source *source);

/* Begin with the first token of a text, which is modified by reading. */
void eqt_source_begin(struct eqt_source *source, char *text);

/* Remove comments and empty lines from a text, which may be cut into tokens
 * afterwards. */
void eqt_source_strip(char *text);

/* Return the next token. Its line is in source->line and, if it is a word, its text in
 * source->word. */
int eqt_source_next(struct eqt_source *source);

/* Let eqt_source_next() return the last token again. Until that call, source->line is
 * the given line, which should be that of the token before. */
void eqt_source_unread(struct eqt_source *source, int token, int line);

/* Set the error to "PATH:LINE: ...", or to "PATH: ..." if the line is 0. An error that
 * is already set remains. The function always returns -1. */
int eqt_source_refuse(struct eqt_source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
