/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print: sentences on stdout, wrapped for a terminal. */
#ifndef EQT_CLI_PRINT_H
#define EQT_CLI_PRINT_H

#include <stddef.h>

#include "base/error.h"

/* Print a text on stdout, wrapped between words at 80 columns. Escape sequences have no
 * width. The text is modified. */
void eqt_print_wrapped(char *text);

/* Print a text like printf(), and a line end. On a terminal the text is wrapped. Elsewhere
 * it stays one line, for programs that read it. */
void eqt_print_line(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Append to the text in a buffer of this size. The result is cut at the end of the
 * buffer. */
void eqt_print_append(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Print "equitree NAME: why" on stderr. Returns EXIT_FAILURE. */
int eqt_print_failure(const char *name, const struct eqt_error *err);

/* The exit status for the result rc of a command. rc is returned unless it is -1; then
 * eqt_print_failure() prints err, and EXIT_FAILURE is returned. */
int eqt_print_status(const char *name, int rc, const struct eqt_error *err);

#endif
