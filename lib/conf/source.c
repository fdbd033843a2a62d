/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text is cut in place: a NUL replaces the character after each word. That
 * character may be a token itself, so it is stored until the next call. Words then need
 * no copies, however many are in use.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/source.h"

#define SOURCE_MAX ((size_t) 1 << 20)
#define WORD_CHARACTERS EQT_SOURCE_NAME_CHARACTERS ":,[]"
/* A pattern has a "*" and a path a "/", so they need quotes. */
#define QUOTED_CHARACTERS WORD_CHARACTERS "*/"

/* Only the first error is stored, because later errors are often its consequences. */
int eqt_source_refuse(struct eqt_source *source, const char *format, ...)
{
	char text[EQT_ERROR_SIZE], line[16] = "";
	va_list args;

	if (source->error.text[0] != '\0')
		return -1;
	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) < 0)
		text[0] = '\0';
	va_end(args);
	if (source->line > 0)
		(void) snprintf(line, sizeof(line), ":%d", source->line);
	return eqt_error_set(&source->error, "%s%s: %s", source->path, line,
			     text);
}

/* Read the file into a text of SOURCE_MAX + 1 bytes. Return 0, or -1 with the error
 * set. */
static int source_read(struct eqt_source *source, char *text)
{
	FILE *stream = fopen(source->path, "r");
	size_t length;
	int reason;

	if (!stream)
		return eqt_source_refuse(source, "%s", strerror(errno));
	length = fread(text, 1, SOURCE_MAX + 1, stream);
	reason = ferror(stream) ? errno : 0;
	(void) fclose(stream);
	if (reason)
		return eqt_source_refuse(source, "%s", strerror(reason));
	if (length > SOURCE_MAX)
		return eqt_source_refuse(source, "larger than 1 MiB");
	if (memchr(text, '\0', length))
		return eqt_source_refuse(source, "not a text file");
	text[length] = '\0';
	return 0;
}

char *eqt_source_load(struct eqt_source *source)
{
	char *text = malloc(SOURCE_MAX + 1);

	if (!text) {
		(void) eqt_source_refuse(source, "out of memory");
		return NULL;
	}
	if (source_read(source, text) < 0) {
		free(text);
		return NULL;
	}
	return text;
}

void eqt_source_begin(struct eqt_source *source, char *text)
{
	source->at = text;
	source->held = text[0];
	source->at_line = 1;
}

/* Return the length of a line without its comment and without the blanks before
 * that. */
static size_t line_length(const char *line)
{
	size_t length = 0, at;
	char quote = '\0';

	for (at = 0; line[at] != '\0' && line[at] != '\n'; at++) {
		if (quote == '\0' && line[at] == '#')
			break;
		if (quote != '\0')
			quote = line[at] == quote ? '\0' : quote;
		else if (line[at] == '"' || line[at] == '\'')
			quote = line[at];
		if (!strchr(" \t\r", line[at]))
			length = at + 1;
	}
	return length;
}

void eqt_source_strip(char *text)
{
	char *to = text;

	while (*text != '\0') {
		const size_t length = line_length(text);

		memmove(to, text, length);
		text += strcspn(text, "\n");
		text += *text == '\n';
		if (length == 0)
			continue;
		to += length;
		/* The last line may have had no newline, and the text no room for
		 * one. */
		if (to < text)
			*to++ = '\n';
	}
	*to = '\0';
}

/* Report an unexpected character. A byte that is not printable ASCII is reported by its
 * number. */
static int character_refuse(struct eqt_source *source, char c)
{
	if (c >= 0x20 && c < 0x7f)
		return eqt_source_refuse(source, "unexpected character '%c'",
					 c);
	return eqt_source_refuse(source, "unexpected byte 0x%02x",
				 (unsigned char) c);
}

/* Advance by `length` bytes. The character after them is read next. */
static void source_skip(struct eqt_source *source, size_t length)
{
	source->at += length;
	source->held = *source->at;
}

/* Skip blanks, ends of lines and comments, which separate tokens. */
static void blanks_skip(struct eqt_source *source)
{
	while (source->held != '\0' && strchr(" \t\r\n#", source->held)) {
		if (source->held == '\n')
			source->at_line++;
		/* The search begins after *at, because a stored '#' has a NUL in its
		 * place. */
		source_skip(source, source->held == '#'
					    ? 1 + strcspn(source->at + 1, "\n")
					    : 1);
	}
}

/* End a word of `length` bytes with a NUL, and store the character that the NUL
 * replaces. */
static int word_end(struct eqt_source *source, char *word, size_t length)
{
	source->word = word;
	source->at = word + length;
	source->held = *source->at;
	*source->at = '\0';
	return EQT_TOKEN_WORD;
}

/* Read a word in quotes. The opening quote is at *at, or is stored because the NUL of
 * the previous word has replaced it. */
static int quoted_read(struct eqt_source *source)
{
	const char quote = source->held;
	const char ends[] = { quote, '\r', '\n', '\0' };
	char *word = source->at + 1;
	size_t length = strcspn(word, ends);
	size_t good = strspn(word, QUOTED_CHARACTERS);

	if (word[length] != quote)
		return eqt_source_refuse(source, "missing closing quote");
	if (good < length)
		return character_refuse(source, word[good]);
	(void) word_end(source, word, length);
	source_skip(source, 1);
	return EQT_TOKEN_WORD;
}

void eqt_source_unread(struct eqt_source *source, int token, int line)
{
	source->unread = true;
	source->token = token;
	source->token_line = source->line;
	source->line = line;
}

int eqt_source_next(struct eqt_source *source)
{
	size_t length;
	char c;

	if (source->unread) {
		source->unread = false;
		source->line = source->token_line;
		return source->token;
	}
	blanks_skip(source);
	c = source->held;
	source->line = source->at_line;
	if (c == '\0')
		return EQT_TOKEN_END;
	if (c == '"' || c == '\'')
		return quoted_read(source);
	if (strchr("={}", c)) {
		source_skip(source, 1);
		return c;
	}
	/* At least one character separates two words, so that the first character of
	 * this word is still in the text. */
	length = strspn(source->at, WORD_CHARACTERS);
	if (length == 0)
		return character_refuse(source, c);
	return word_end(source, source->at, length);
}
