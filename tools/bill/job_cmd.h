/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_cmd: equitree bill for existing jobs, with --job or --user. */
#ifndef EQT_BILL_JOB_CMD_H
#define EQT_BILL_JOB_CMD_H

#include <stdbool.h>

/* Does the command line ask for jobs rather than for a request? */
bool eqt_job_cmd_is_meant(int argc, char **argv);

/* Run the whole subcommand for jobs. Returns its exit status. */
int eqt_job_cmd_run(int argc, char **argv);

#endif
