/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/print.h"

/* ---- Failure ------------------------------------------------------------------------
 * How a subcommand reports that it failed. stdout is flushed first, so that the message
 * comes last even if stdout and stderr are the same file. */

int eqt_print_failure(const char *name, const struct eqt_error *err)
{
	(void) fflush(stdout);
	fprintf(stderr, "equitree %s: %s\n", name, err->text);
	return EXIT_FAILURE;
}

int eqt_print_status(const char *name, int rc, const struct eqt_error *err)
{
	return rc < 0 ? eqt_print_failure(name, err) : rc;
}

/* ---- Print --------------------------------------------------------------------------
 * Wrapping replaces blanks by line ends, so a line without blanks stays long. Escape
 * sequences have no width. A character of UTF-8 counts once. */

/* columns of a wrapped line */
#define WIDTH 80

void eqt_print_wrapped(char *text)
{
	char *blank = NULL, *at;
	int width = 0;

	for (at = text; *at != '\0'; at++) {
		if (*at == '\033')
			at += strcspn(at, "m");
		else
			width += (*at & 0xC0) !=
				 0x80; /* count a UTF-8 character once */
		if (*at == '\n')
			width = 0;
		if (width >= WIDTH && blank) {
			*blank = '\n';
			at = blank;
			width = 0;
			blank = NULL;
		} else if (*at == ' ') {
			blank = at;
		}
	}
	fputs(text, stdout);
}

void eqt_print_line(const char *format, ...)
{
	char *text = NULL;
	size_t length;
	FILE *to = eqt_alloc_stream(&text, &length);
	va_list args;

	va_start(args, format);
	(void) vfprintf(to, format, args);
	va_end(args);
	eqt_alloc_stream_close(to);
	if (isatty(STDOUT_FILENO))
		eqt_print_wrapped(text);
	else
		fputs(text, stdout);
	putchar('\n');
	free(text);
}

void eqt_print_append(char *buf, size_t size, const char *format, ...)
{
	const size_t used = strlen(buf);
	va_list args;

	va_start(args, format);
	(void) vsnprintf(buf + used, size - used, format, args);
	va_end(args);
}
