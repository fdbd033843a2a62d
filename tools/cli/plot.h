/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot: a file that gnuplot draws. */
#ifndef EQT_CLI_PLOT_H
#define EQT_CLI_PLOT_H

#include <stdio.h>

#include "base/error.h"

/* Check that a file name ends in .svg or .png. 0, or -1 with err filled. */
int eqt_plot_check_name(const char *path, struct eqt_error *err);

/* Start gnuplot for a file of that size; commands are written to the stream.
 * NULL with err filled: another suffix, no gnuplot. */
FILE *eqt_plot_open(const char *path, int width, int height,
		    struct eqt_error *err);

/* Write a gnuplot string in which no character is special. */
void eqt_plot_quoted(FILE *to, const char *text);

/* Finish the file. 0, or -1 with err filled: gnuplot failed. */
int eqt_plot_close(FILE *to, const char *path, struct eqt_error *err);

#endif
