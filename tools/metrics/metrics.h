/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: samples about a cluster's shares, pools, overhead and passes. */
#ifndef EQT_METRICS_METRICS_H
#define EQT_METRICS_METRICS_H

#include "capacity/capacity.h"
#include "metrics/openmetrics.h"
#include "slurm/sshare.h"

/* The largest numbers of accounts and users. Those with the most usage get samples. */
struct eqt_metrics_limits {
	uint64_t accounts;
	uint64_t users;
};

/* Add samples of accounts and users, and how many were left out. */
void eqt_metrics_shares(struct eqt_openmetrics *out,
			const struct eqt_sshare *shares,
			const struct eqt_metrics_limits *limits);

/* Add each pool's accounts and usage. */
void eqt_metrics_pools(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_pools *pools);

/* Add each unit's true overhead, and a histogram of nodes. */
void eqt_metrics_overhead(struct eqt_openmetrics *out,
			  const struct eqt_capacity_cluster *cluster,
			  const struct eqt_capacity_units *units);

/* Add the last pass within the last MiB of slurmctld's log, or a sample that says that
 * there is none. Returns 0, or -1 with err filled if the file cannot be read. */
int eqt_metrics_log(struct eqt_openmetrics *out, const char *path,
		    struct eqt_error *err);

#endif
