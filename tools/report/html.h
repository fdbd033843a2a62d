/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html: text within a page, and names of files. Users choose the names of accounts, users
 * and jobs, so no other file writes such names to a page.
 */
#ifndef EQT_REPORT_HTML_H
#define EQT_REPORT_HTML_H

#include <stdio.h>

/*
 * Print like printf(), with HTML as the format. Each %s is escaped, so that a browser shows
 * it as text, even within a quoted attribute. & < > " ' become references. Control
 * characters, marks that change the direction of text, and bytes that are not UTF-8 become
 * U+FFFD. The conversions are %s, %d, %zu, %%, and %f and %g with a precision.
 */
void eqt_html_print(FILE *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Turn a name into the name of a file. Letters, digits, "_" and "-" are kept. "." and "@"
 * are kept except in the first place. Every other byte becomes %XX. A name that would be
 * too long ends in a hash of the whole name. Two names never share a file. Returns buf.
 */
#define EQT_HTML_FILE 216
char *eqt_html_file(char buf[EQT_HTML_FILE], const char *name);

/* Write the name of eqt_html_file() as part of a relative link. */
void eqt_html_link(FILE *to, const char *name);

#endif
