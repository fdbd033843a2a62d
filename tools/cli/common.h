/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * common: what all subcommands have alike: --json, --no-headings and --color,
 * and how they fail.
 */
#ifndef EQT_COMMON_H
#define EQT_COMMON_H

#include <argp.h>
#include <stdbool.h>

#include "base/error.h"

/* The common options, a plain value; {0} is none of them. */
struct eqt_common {
	bool json;
	bool no_headings;
	bool coloured; /* --color was given; colour.h has what it said */
};

/*
 * The children of a subcommand's argp, which then has the common options
 * (options.h does that). Its parser says where they go, for ARGP_KEY_INIT:
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

#endif
