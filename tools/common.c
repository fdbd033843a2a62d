/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

enum { KEY_JSON = 1 << 16, KEY_NO_HEADINGS };

static const struct argp_option options_table[] = {
	{ "json", KEY_JSON, NULL, 0, "print JSON", 0 },
	{ "no-headings", KEY_NO_HEADINGS, NULL, 0, "no line of names", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct eqt_common *common = state->input;

	(void) arg;
	if (key == KEY_JSON)
		common->json = true;
	else if (key == KEY_NO_HEADINGS)
		common->no_headings = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

const struct argp eqt_common_argp = { options_table, parse, NULL, NULL,
				      NULL,	     NULL,  NULL };

const struct argp_child eqt_common_children[] = {
	EQT_COMMON_CHILD,
	{ NULL, 0, NULL, 0 },
};

int eqt_failed(const char *name, const struct eqt_error *err)
{
	(void) fflush(stdout);
	fprintf(stderr, "equitree %s: %s\n", name, err->text);
	return EXIT_FAILURE;
}

bool eqt_colours_wanted(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && (!none || none[0] == '\0') && term &&
	       strcmp(term, "dumb") != 0;
}

const char *eqt_colour(enum eqt_colour colour)
{
	static const char *const codes[EQT_COLOURS] = {
		[EQT_COLOUR_NONE] = "\033[0m",
		[EQT_COLOUR_BOLD] = "\033[1m",
		[EQT_COLOUR_BAD] = "\033[1;31m",
		[EQT_COLOUR_DOUBTFUL] = "\033[1;35m",
		[EQT_COLOUR_GOOD] = "\033[1;32m",
	};

	return eqt_colours_wanted() ? codes[colour] : "";
}
