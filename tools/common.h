/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * common: what all subcommands have alike: --json and --no-headings, how they
 * fail, and when they use colours.
 */
#ifndef EQT_COMMON_H
#define EQT_COMMON_H

#include <argp.h>
#include <stdbool.h>

#include "eqt_error.h"

/* The common options, a plain value; {0} is none of them. */
struct eqt_common {
	bool json;
	bool no_headings;
};

/*
 * The children of a subcommand's argp, which then has the common options. Its
 * parser says where they go, for ARGP_KEY_INIT:
 *
 *	state->child_inputs[0] = &options->common;
 */
extern const struct argp_child eqt_common_children[];

/* The same for who has other children, too. */
extern const struct argp eqt_common_argp;
#define EQT_COMMON_CHILD                           \
	{                                          \
		&eqt_common_argp, 0, "Output:", 90 \
	}

/* "equitree NAME: why" on stderr. Returns EXIT_FAILURE. */
int eqt_failed(const char *name, const struct eqt_error *err);

enum eqt_colour {
	EQT_COLOUR_NONE, /* back to normal */
	EQT_COLOUR_BOLD,
	EQT_COLOUR_BAD,
	EQT_COLOUR_DOUBTFUL,
	EQT_COLOUR_GOOD,
	EQT_COLOURS
};

/* Is stdout a terminal that wants colours? Not so when NO_COLOR is set to
 * anything, or for TERM=dumb. */
bool eqt_colours_wanted(void);

/* What to print on stdout before a text of that colour; "" where none are
 * wanted. Static text. */
const char *eqt_colour(enum eqt_colour colour);

#endif
