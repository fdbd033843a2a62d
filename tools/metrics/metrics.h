/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: a cluster's shares, pools, overhead and passes as samples. */
#ifndef EQT_METRICS_METRICS_H
#define EQT_METRICS_METRICS_H

#include "price/rules.h"
#include "metrics/openmetrics.h"
#include "capacity/unit_sum.h"
#include "metrics/pass_log.h"
#include "slurm/sshare.h"

/* At most so many accounts, and so many users: those with the most usage. */
struct eqt_metrics_limits {
	uint64_t accounts;
	uint64_t users;
};

/* The tree's accounts and users, and how many were left out. 0, or -1 with err
 * filled: memory. */
int eqt_metrics_shares(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_metrics_limits *limits,
		       struct eqt_error *err);

/* Each pool's accounts and usage. */
void eqt_metrics_pools(struct eqt_openmetrics *out,
		       const struct eqt_sshare *shares,
		       const struct eqt_pools *pools);

/* Each unit's true overhead, and how many nodes have how much. 0, or -1:
 * memory. */
int eqt_metrics_overhead(struct eqt_openmetrics *out,
			 const struct eqt_capacity_cluster *cluster,
			 const struct eqt_capacity_units *units);

/* The last pass, or that none is known. */
void eqt_metrics_pass(struct eqt_openmetrics *out,
		      const struct eqt_metrics_pass *line);

#endif
