/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only blanks are replaced by line ends, so a line without blanks stays long.
 * Escape sequences and the second and later bytes of a character have no
 * width.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"

/* The width of a line on a terminal. */
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

void eqt_print_line(char *text)
{
	if (isatty(STDOUT_FILENO))
		eqt_print_wrapped(text);
	else
		fputs(text, stdout);
	putchar('\n');
}
