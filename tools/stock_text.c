/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stock_text.h"

#define CHUNK ((size_t) 1 << 16)

/* Append the rest of the stream to *out, whose text then is longer. */
static int read_all(struct eqt_stock_text *out, FILE *stream,
		    struct eqt_error *err)
{
	size_t room = 0, got;
	char *larger;

	do {
		if (room < out->length + CHUNK + 1) {
			room = room ? room * 2 : CHUNK * 2;
			larger = realloc(out->text, room);
			if (!larger)
				return eqt_error_set(err, "out of memory");
			out->text = larger;
		}
		got = fread(out->text + out->length, 1, CHUNK, stream);
		out->length += got;
		if (out->length > EQT_STOCK_TEXT_MAX)
			return eqt_error_set(err, "%s: longer than %zu MiB",
					     out->name,
					     EQT_STOCK_TEXT_MAX >> 20);
	} while (got == CHUNK);
	out->text[out->length] = '\0';
	if (ferror(stream))
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	return 0;
}

static int read_file(struct eqt_stock_text *out, const char *path,
		     struct eqt_error *err)
{
	FILE *stream;
	int rc;

	if (strcmp(path, "-") == 0) {
		out->name = "stdin";
		return read_all(out, stdin, err);
	}
	out->name = path;
	stream = fopen(path, "r");
	if (!stream)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	rc = read_all(out, stream, err);
	(void) fclose(stream);
	return rc;
}

static int read_command(struct eqt_stock_text *out, const char *command,
			struct eqt_error *err)
{
	FILE *stream = popen(command, "r");
	int rc;

	out->name = command;
	if (!stream)
		return eqt_error_set(err, "%s: %s", command, strerror(errno));
	rc = read_all(out, stream, err);
	if (pclose(stream) != 0 && rc == 0)
		return eqt_error_set(err,
				     "\"%s\" failed; what it printed can "
				     "also be read from a file",
				     command);
	return rc;
}

static int check(const struct eqt_stock_text *text, struct eqt_error *err)
{
	size_t i, lines = 1;

	if (text->length == 0)
		return eqt_error_set(err, "%s: empty", text->name);
	for (i = 0; i < text->length; i++) {
		if (text->text[i] == '\0')
			return eqt_error_set(err, "%s: line %zu: a NUL byte",
					     text->name, lines);
		if (text->text[i] == '\n')
			lines++;
	}
	if (text->text[text->length - 1] != '\n')
		return eqt_error_set(
			err, "%s: line %zu: cut off: the line has no end",
			text->name, lines);
	return 0;
}

int eqt_stock_text_read(struct eqt_stock_text *out, const char *path,
			const char *command, struct eqt_error *err)
{
	int rc;

	*out = (struct eqt_stock_text){ .name = "" };
	rc = path ? read_file(out, path, err) : read_command(out, command, err);
	if (rc == 0)
		rc = check(out, err);
	if (rc < 0)
		eqt_stock_text_free(out);
	return rc;
}

void eqt_stock_text_free(struct eqt_stock_text *text)
{
	free(text->text);
	*text = (struct eqt_stock_text){ .name = "" };
}
