/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conf/conf_impl.h"

/* Keys, values and titles; and what quotes let them have besides. */
#define WORD_CHARACTERS EQT_CONF_NAME_CHARACTERS ":,[]"
#define QUOTED_CHARACTERS WORD_CHARACTERS "*"
/* What may stand between them, quotes and comments apart. */
#define OTHER_CHARACTERS " \t\r\n={}"

static void exchange(char *text, size_t length, char old, char new)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] == old)
			text[i] = new;
	}
}

void eqt_conf_commas(char *text)
{
	exchange(text, strlen(text), EQT_CONF_COMMA, ',');
}

void eqt_conf_refuse_v(struct eqt_conf_place *place, const char *format,
		       va_list args)
{
	char text[EQT_ERROR_SIZE], line[16] = "";

	if (place->error.text[0] != '\0')
		return;
	if (vsnprintf(text, sizeof(text), format, args) < 0)
		text[0] = '\0';
	eqt_conf_commas(text);
	if (place->line > 0)
		snprintf(line, sizeof(line), ":%d", place->line);
	eqt_error_set(&place->error, "%s%s: %s", place->path, line, text);
}

int eqt_conf_refuse(struct eqt_conf_place *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	eqt_conf_refuse_v(place, format, args);
	va_end(args);
	return -1;
}

static int character_refuse(struct eqt_conf_place *place, char c)
{
	if (c >= 0x20 && c < 0x7f)
		return eqt_conf_refuse(place, "unexpected character '%c'", c);
	return eqt_conf_refuse(place, "unexpected byte 0x%02x",
			       (unsigned char) c);
}

/* Length of the quoted word at text, 0 with the error set when it is none. */
static size_t quoted_check(struct eqt_conf_place *place, const char *text)
{
	const char ends[] = { text[0], '\r', '\n', '\0' };
	size_t end = 1 + strcspn(text + 1, ends);
	size_t word = 1 + strspn(text + 1, QUOTED_CHARACTERS);

	if (text[end] == text[0] && word == end)
		return end + 1;
	if (text[end] == text[0])
		character_refuse(place, text[word]);
	else
		eqt_conf_refuse(place, "the quote is not closed on its line");
	return 0;
}

/*
 * Length of what begins at text: a comment (then blanked), a quoted word, a
 * word, or one other character; 0 with the error set when it is none of them.
 */
static size_t piece_check(struct eqt_conf_place *place, char *text)
{
	size_t length;

	if (*text == '#') {
		length = strcspn(text, "\n");
		memset(text, ' ', length);
		return length;
	}
	if (*text == '"' || *text == '\'')
		return quoted_check(place, text);
	if (strchr(OTHER_CHARACTERS, *text))
		return 1;
	length = strspn(text, WORD_CHARACTERS);
	if (length == 0)
		character_refuse(place, *text);
	exchange(text, length, ',', EQT_CONF_COMMA);
	return length;
}

int eqt_conf_text_check(struct eqt_conf_place *place, char *text)
{
	int opened = 0;
	size_t length;

	for (place->line = 1; *text != '\0'; text += length) {
		length = piece_check(place, text);
		if (length == 0)
			return -1;
		/* A section in a section is an unknown key: no depth. */
		if (*text == '{')
			opened = place->line;
		else if (*text == '}')
			opened = 0;
		else if (*text == '\n')
			place->line++;
	}
	place->line = opened;
	return opened ? eqt_conf_refuse(place, "the section is never closed")
		      : 0;
}

/* Fill text, of EQT_CONF_FILE_MAX + 1 bytes, with the file. */
int eqt_conf_text_load(struct eqt_conf_place *place, char *text)
{
	FILE *stream = fopen(place->path, "r");
	size_t length;
	int reason;

	if (!stream)
		return eqt_conf_refuse(place, "%s", strerror(errno));
	length = fread(text, 1, EQT_CONF_FILE_MAX + 1, stream);
	reason = ferror(stream) ? errno : 0;
	fclose(stream);
	if (reason)
		return eqt_conf_refuse(place, "%s", strerror(reason));
	if (length > EQT_CONF_FILE_MAX)
		return eqt_conf_refuse(place, "larger than 1 MiB");
	if (memchr(text, '\0', length))
		return eqt_conf_refuse(place, "not a text file");
	text[length] = '\0';
	return 0;
}
