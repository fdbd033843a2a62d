/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parsed by an argp child, so that the options appear under a heading of their
 * own in each --help.
 */
#include <stdlib.h>

#include "cli/remote.h"
#include "cli/colour.h"
#include "cli/output_options.h"

enum { KEY_CSV = 1 << 16, KEY_JSON, KEY_NO_HEADINGS, KEY_COLOUR };
#define KEY_CLUSTER 'M'

/* Like colours, the choice is one for the whole process. */
static bool csv_chosen;

bool eqt_output_csv(void)
{
	return csv_chosen;
}

/* --csv is first, so that commands without a table begin behind it. */
static const struct argp_option options_table[] = {
	{ "csv", KEY_CSV, NULL, 0, "print the table as CSV", 0 },
	{ "json", KEY_JSON, NULL, 0, "print JSON", 0 },
	{ "no-headings", KEY_NO_HEADINGS, NULL, 0, "print no headings", 0 },
	{ "color", KEY_COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
	  "colours: always (the default of WHEN), never, or auto: on "
	  "a terminal",
	  0 },
	{ "cluster", KEY_CLUSTER, "NAME", 0,
	  "ask about this cluster of slurmdbd instead of one's own", 0 },
	{ "clusters", KEY_CLUSTER, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL,
	  0 },
	{ 0 }
};

static error_t output_option_parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_output_options *common = state->input;

	if (key == KEY_CSV) {
		common->csv = true;
		csv_chosen = true;
	} else if (key == KEY_JSON) {
		common->json = true;
	} else if (key == KEY_NO_HEADINGS) {
		common->no_headings = true;
	} else if (key == KEY_COLOUR) {
		common->coloured = true;
		if (eqt_colour_choose(arg ? arg : "always") < 0)
			argp_error(state,
				   "--color: \"%s\": expected auto, always or "
				   "never",
				   arg);
	} else if (key == KEY_CLUSTER) {
		if (eqt_remote_choose(arg) < 0)
			argp_error(state,
				   "--cluster: \"%s\": expected the name of "
				   "one cluster",
				   arg);
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp eqt_output_argp = {
	options_table + 1, output_option_parse, NULL, NULL, NULL, NULL, NULL
};

static const struct argp table_argp = {
	options_table, output_option_parse, NULL, NULL, NULL, NULL, NULL
};

const struct argp_child eqt_output_table_children[] = {
	{ &table_argp, 0, "Output:", 90 },
	{ NULL, 0, NULL, 0 },
};

const struct argp_child eqt_output_children[] = {
	EQT_OUTPUT_CHILD,
	{ NULL, 0, NULL, 0 },
};
