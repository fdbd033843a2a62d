/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot: a file that gnuplot draws. */
#ifndef EQT_CLI_PLOT_H
#define EQT_CLI_PLOT_H

#include <stdio.h>

#include "base/error.h"

/* Store the name of a file in a member of options (const char *). 0, or -1 with err
 * filled: it ends in neither .svg nor .png. */
int eqt_plot_put(void *to, const char *path, struct eqt_error *err);
#define EQT_PLOT_AT(type, member) \
	EQT_PUT_AT(type, member, const char *, eqt_plot_put)

/* Panels of a drawing, each of that size. */
struct eqt_plot_panels {
	int rows, columns;
	int width, height;
};

/* Start gnuplot for a file with these panels; commands are written to the stream. NULL
 * with err filled: another suffix, no gnuplot. */
FILE *eqt_plot_open(const char *path, const struct eqt_plot_panels *panels,
		    struct eqt_error *err);

/* Draw boxes over days or months from here on. The x axis names them in this format of
 * strftime(3). */
void eqt_plot_dates(FILE *to, const char *format);

/* Write a gnuplot string in which no character is special. */
void eqt_plot_quoted(FILE *to, const char *text);

/* Finish the file. 0, or -1 with err filled: gnuplot failed. */
int eqt_plot_close(FILE *to, const char *path, struct eqt_error *err);

#endif
