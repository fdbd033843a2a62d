/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The colours are those of Slurm's and util-linux' tools: bold, red, green and magenta.
 * They are legible on light and dark terminals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"

static enum { AUTO, ALWAYS, NEVER } wanted;

int eqt_colour_choose(const char *when)
{
	if (strcmp(when, "always") == 0)
		wanted = ALWAYS;
	else if (strcmp(when, "never") == 0)
		wanted = NEVER;
	else if (strcmp(when, "auto") == 0)
		wanted = AUTO;
	else
		return -1;
	return 0;
}

bool eqt_colour_wanted(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	if (wanted != AUTO)
		return wanted == ALWAYS;
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

	return eqt_colour_wanted() ? codes[colour] : "";
}

enum eqt_colour eqt_colour_level(long double level_fs)
{
	if (isnan(level_fs))
		return EQT_COLOUR_NONE;
	/* A Level FS that is printed as 1.0000 counts as 1. */
	return level_fs > 0.99995L ? EQT_COLOUR_GOOD : EQT_COLOUR_BAD;
}
