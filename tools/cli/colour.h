/* SPDX-License-Identifier: GPL-2.0-or-later */
/* colour: when stdout gets colours, and which. */
#ifndef EQT_CLI_COLOUR_H
#define EQT_CLI_COLOUR_H

#include <stdbool.h>

enum eqt_colour {
	EQT_COLOUR_NONE, /* back to normal */
	EQT_COLOUR_BOLD,
	EQT_COLOUR_BAD,
	EQT_COLOUR_DOUBTFUL,
	EQT_COLOUR_GOOD,
	EQT_COLOURS
};

/* "always", "never" or "auto", which it is without a call. 0, or -1: it is
 * none of these. */
int eqt_colour_choose(const char *when);

/* Are there colours? With "auto" where stdout is a terminal, unless NO_COLOR
 * is set to anything, or for TERM=dumb. */
bool eqt_colour_wanted(void);

/* What to print on stdout before a text of that colour; "" where there are
 * none. Static text. */
const char *eqt_colour(enum eqt_colour colour);

/* Of a Level FS: GOOD from 1 on, BAD below, NONE where there is none. */
enum eqt_colour eqt_colour_level(long double level_fs);

#endif
