/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print: sentences on stdout, wrapped for a terminal. */
#ifndef EQT_CLI_PRINT_H
#define EQT_CLI_PRINT_H

#include "base/error.h"

/* Print a text on stdout, wrapped at 80 columns between words; escape sequences
 * have no width. The text is modified. */
void eqt_print_wrapped(char *text);

/* Print a text and a line end. On a terminal it is wrapped; elsewhere it stays one line,
 * for programs that read it. The text is modified. */
void eqt_print_line(char *text);

/* "equitree NAME: why" on stderr. Returns EXIT_FAILURE. */
int eqt_print_failure(const char *name, const struct eqt_error *err);

/* The exit status of a command by its result: rc or, for -1, EXIT_FAILURE after a message
 * by eqt_print_failure(). */
int eqt_print_status(const char *name, int rc, const struct eqt_error *err);

#endif
