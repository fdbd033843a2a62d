/* SPDX-License-Identifier: GPL-2.0-or-later */
/* colour: colours of text on stdout. */
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

/* Set when stdout gets colours: "always", "never" or "auto" (the default). Returns 0, or
 * -1 for any other text. */
int eqt_colour_choose(const char *when);

/* Does stdout get colours? With "auto", only if stdout is a terminal, NO_COLOR is not set
 * and TERM is not dumb. */
bool eqt_colour_wanted(void);

/* The escape sequence of a colour, or "" if stdout gets no colours. The text is static.
 * */
const char *eqt_colour(enum eqt_colour colour);

/* The colour of a Level FS: GOOD from 1 upwards, BAD below 1, NONE if there is no Level
 * FS. */
enum eqt_colour eqt_colour_level(long double level_fs);

#endif
