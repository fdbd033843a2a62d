/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: a cluster's shares, pools, overhead and passes as samples. */
#ifndef EQT_METRICS_METRICS_H
#define EQT_METRICS_METRICS_H

#include "job/rules.h"
#include "metrics/openmetrics.h"
#include "capacity/unit_sum.h"
#include "metrics/pass_log.h"
#include "slurm/sshare.h"

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
