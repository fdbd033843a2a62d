/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_cmd: equitree bill of existing jobs: --job, --user. */
#ifndef EQT_BILL_JOB_CMD_H
#define EQT_BILL_JOB_CMD_H

#include <stdbool.h>

/* Does the command line name jobs instead of a request? */
bool eqt_job_cmd_is_meant(int argc, char **argv);

/* The whole subcommand for these; returns its exit status. */
int eqt_job_cmd_run(int argc, char **argv);

#endif
