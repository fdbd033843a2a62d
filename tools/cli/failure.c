/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stdout is flushed first, so that a message follows the output that precedes
 * it also when both go to one file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/failure.h"

int eqt_failure_print(const char *name, const struct eqt_error *err)
{
	(void) fflush(stdout);
	fprintf(stderr, "equitree %s: %s\n", name, err->text);
	return EXIT_FAILURE;
}

int eqt_failure_status(const char *name, int rc, const struct eqt_error *err)
{
	return rc < 0 ? eqt_failure_print(name, err) : rc;
}
