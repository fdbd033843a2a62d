/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pass_log: what the priority plugin said last of its passes in slurmctld's
 * log, at debug. */
#ifndef EQT_METRICS_PASS_LOG_H
#define EQT_METRICS_PASS_LOG_H

#include <stdbool.h>

#include "base/error.h"

/* A plain value; there: the log has such a line. */
struct eqt_metrics_pass {
	bool there;
	unsigned int jobs, billed, users, priorities;
	long charge_ms, rank_ms, save_ms;
};

/* The last one within the last MiB of the log at path. 0, or -1 with err
 * filled: a file that cannot be read. */
int eqt_metrics_log_read(struct eqt_metrics_pass *out, const char *path,
			 struct eqt_error *err);

#endif
