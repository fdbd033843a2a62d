/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: what the jobs of a replay are put in order by, and are
 * charged by. */
#ifndef EQT_SIMULATION_POLICY_H
#define EQT_SIMULATION_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "conf/conf.h"
#include "prio/params.h"
#include "prio/factors.h"

/* A QOS as sacctmgr has it. */
struct eqt_simulation_qos {
	const char *name; /* borrowed */
	uint32_t priority;
	double usage_factor; /* 1 where nothing is known */
};

/* PriorityWeightTRES: points for all of a partition or, raw, for each one;
 * memory by MiB, gpus of any model. A plain value. */
struct eqt_simulation_tres {
	bool any; /* false: no weight at all */
	double cpus, mem_mib, nodes, gpus;
	struct {
		char name[EQT_NAME_SIZE]; /* "gpu:p100" */
		double weight;
	} model[EQT_MODELS_MAX];
	int model_count;
};

/* What jobs are put in order by; what slurm.conf and equitree.conf say. */
struct eqt_simulation_policy {
	const struct eqt_conf *conf; /* borrowed: prices and rules */
	struct eqt_conf_priority priority; /* that of conf, or of stock */
	struct eqt_factor_weights weights;
	struct eqt_simulation_tres tres;
	uint32_t half_life_s; /* 0: no decay */
	uint32_t max_age_s;
	uint32_t period_s; /* between passes, at least 1 */
	uint32_t backfill_s; /* between backfills; 0: there is none */
	uint32_t backfill_depth; /* jobs that one looks at */
	uint32_t backfill_reserve; /* jobs of a partition for which one holds
				      nodes; 0 is 1 */
	bool favor_small;
	bool relative_to_time;
	bool raw_partition; /* NO_NORMAL_PART, and so on */
	bool raw_qos, raw_assoc, raw_tres;
	struct eqt_stock stock; /* ties and decay count here */
};

#endif
