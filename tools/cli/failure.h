/* SPDX-License-Identifier: GPL-2.0-or-later */
/* failure: how a subcommand reports that it failed. */
#ifndef EQT_CLI_FAILURE_H
#define EQT_CLI_FAILURE_H

#include "base/error.h"

/* "equitree NAME: why" on stderr. Returns EXIT_FAILURE. */
int eqt_failure_print(const char *name, const struct eqt_error *err);

/* The exit status of a command: rc, or if it is -1 what eqt_failure_print() returns. */
int eqt_failure_status(const char *name, int rc, const struct eqt_error *err);

#endif
