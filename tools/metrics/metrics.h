/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: a cluster's shares, pools, overhead and passes as samples. */
#ifndef EQT_METRICS_METRICS_H
#define EQT_METRICS_METRICS_H

#include <stdbool.h>

#include "base/error.h"
#include "capacity/capacity.h"
#include "job/rules.h"
#include "metrics/openmetrics.h"
#include "slurm/sshare.h"

/* The last pass that the priority plugin wrote to slurmctld's log, at debug. A plain
 * value; there: a pass was found. */
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

/* The largest number of accounts and users; those with the most usage are
 * shown. */
struct eqt_metrics_limits {
	uint64_t accounts;
	uint64_t users;
};

/* Add samples of accounts and users, and how many were left out. 0, or -1 with
 * err filled: out of memory. */
int eqt_metrics_shares(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_metrics_limits *limits,
		       struct eqt_error *err);

/* Add each pool's accounts and usage. */
void eqt_metrics_pools(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_pools *pools);

/* Add each unit's true overhead, and a histogram of nodes. 0, or -1: out of
 * memory. */
int eqt_metrics_overhead(struct eqt_openmetrics *out,
			 const struct eqt_capacity_cluster *cluster,
			 const struct eqt_capacity_units *units);

/* Add the last pass, or that none was found. */
void eqt_metrics_pass(struct eqt_openmetrics *out,
		      const struct eqt_metrics_pass *line);

#endif
