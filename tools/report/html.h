/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html: text within a page, and names of files. Names of accounts, users and
 * jobs come from many hands: no other file writes them to a page.
 */
#ifndef EQT_REPORT_HTML_H
#define EQT_REPORT_HTML_H

#include <stdio.h>

/*
 * Write a text so that it is only text, also within a quoted attribute: & < > " '
 * as references; U+FFFD for control characters, for marks that change the
 * direction of text, and for bytes that are not UTF-8.
 */
void eqt_html_text(FILE *to, const char *text);

/*
 * printf() of which the format is HTML and each %s is a text as above. It has
 * %s, %d, %zu, %f and %g (with a precision), and %%.
 */
void eqt_html_print(FILE *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A name as the name of a file: letters, digits, "_" and "-" are kept, and "." and
 * "@" behind the first place; %XX stands for every other byte. A name that
 * would be too long ends in a hash of all of it. Two names never share a
 * file. Returns buf.
 */
#define EQT_HTML_FILE 216
char *eqt_html_file(char buf[EQT_HTML_FILE], const char *name);

/* Write the same as a part of a relative link. */
void eqt_html_link(FILE *to, const char *name);

#endif
