/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot: drawings made by gnuplot. */
#ifndef EQT_CLI_PLOT_H
#define EQT_CLI_PLOT_H

#include <stdio.h>

#include "base/error.h"

/* Store a file name in a member of the options (const char *). Returns 0, or -1 with err
 * filled if the name ends neither in .svg nor in .png. */
int eqt_plot_put(void *to, const char *path, struct eqt_error *err);
#define EQT_PLOT_AT(type, member) \
	EQT_PUT_AT(type, member, const char *, eqt_plot_put)

/* The panels of a drawing: their number, and the size of each. */
struct eqt_plot_panels {
	int rows, columns;
	int width, height;
};

/* Start gnuplot for a file with these panels. The caller writes gnuplot's commands to the
 * stream. Returns NULL with err filled if the suffix is unknown or gnuplot cannot be
 * started. */
FILE *eqt_plot_open(const char *path, const struct eqt_plot_panels *panels,
		    struct eqt_error *err);

/* Draw boxes over days or months in the following panels. The x axis shows dates in this
 * format of strftime(3). */
void eqt_plot_dates(FILE *to, const char *format);

/* Write a quoted gnuplot string in which no character is special. */
void eqt_plot_quoted(FILE *to, const char *text);

/* Finish the file. Returns 0, or -1 with err filled if gnuplot failed. */
int eqt_plot_close(FILE *to, const char *path, struct eqt_error *err);

#endif
