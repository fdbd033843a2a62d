/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture: a file that gnuplot draws. */
#ifndef EQT_CLI_PLOT_H
#define EQT_CLI_PLOT_H

#include <stdio.h>

#include "base/error.h"

/* 0 for the name of a file that can be drawn, .svg or .png; -1 with err filled. */
int eqt_plot_check_name(const char *path, struct eqt_error *err);

/*
 * Start gnuplot for a picture of that size. What is written to the stream are
 * its commands. NULL with err filled: another ending, no gnuplot.
 */
FILE *eqt_plot_open(const char *path, int width, int height,
		    struct eqt_error *err);

/* A string of gnuplot in which nothing has a meaning. */
void eqt_plot_quoted(FILE *to, const char *text);

/* Finish it. 0, or -1 with err filled: it could not be drawn or written. */
int eqt_plot_close(FILE *to, const char *path, struct eqt_error *err);

#endif
