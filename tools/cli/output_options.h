/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_options: the options of all subcommands: --json, --no-headings, --color and
 * --cluster; --csv of those that print a table. */
#ifndef EQT_CLI_OUTPUT_OPTIONS_H
#define EQT_CLI_OUTPUT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

/* A plain value; {0}: none of them was given. */
struct eqt_output_options {
	bool csv;
	bool json;
	bool no_headings;
	bool coloured; /* --color was given; colour.h stores its value */
};

/* Was --csv given? Then a command prints its table and no other text. */
bool eqt_output_csv(void);

/*
 * The children of a subcommand's argp, which then has the common options
 * (options.h does that). Its parser says where they go, for ARGP_KEY_INIT:
 *
 *	state->child_inputs[0] = &options->common;
 */
extern const struct argp_child eqt_output_children[];

/* The same with --csv, for subcommands that print one table. */
extern const struct argp_child eqt_output_table_children[];

/* The same for a parser with further children. */
extern const struct argp eqt_output_argp;
#define EQT_OUTPUT_CHILD                           \
	{                                          \
		&eqt_output_argp, 0, "Output:", 90 \
	}

#endif
