/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass_log: the last pass that the priority plugin wrote to slurmctld's log, at
 * debug. */
#ifndef EQT_METRICS_PASS_LOG_H
#define EQT_METRICS_PASS_LOG_H

#include <stdbool.h>

#include "base/error.h"

/* A plain value; there: a pass was found. */
struct eqt_metrics_pass {
	bool there;
	bool journal_fails; /* and was not written again since */
	unsigned int jobs, billed, users, priorities;
	long charge_ms, rank_ms, save_ms;
};

/* Find the last pass within the last MiB of the log at path. 0, or -1 with err
 * filled: the file cannot be read. */
int eqt_metrics_log_read(struct eqt_metrics_pass *out, const char *path,
			 struct eqt_error *err);

#endif
