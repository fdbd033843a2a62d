/* SPDX-License-Identifier: GPL-2.0-or-later */
/* colour: whether stdout gets colours, and which. */
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

/* "always", "never" or "auto" (the default). 0, or -1 for any other text. */
int eqt_colour_choose(const char *when);

/* Does stdout get colours? With "auto" only on a terminal, unless NO_COLOR is
 * set or TERM is dumb. */
bool eqt_colour_wanted(void);

/* The escape sequence of a colour; "" without colours. Static text. */
const char *eqt_colour(enum eqt_colour colour);

/* The colour of a Level FS: GOOD from 1 on, BAD below, NONE without one. */
enum eqt_colour eqt_colour_level(long double level_fs);

#endif
