/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: the rules by which a simulation orders and charges jobs. */
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
	double usage_factor; /* 1 if unknown */
};

/* PriorityWeightTRES: points for all of a partition's TRES or, with raw_tres, for
 * each unit. Memory in MiB; gpus counts all models. A plain value. */
struct eqt_simulation_tres {
	bool any; /* false: no weight at all */
	double cpus, mem_mib, nodes, gpus;
	struct {
		char name[EQT_NAME_SIZE]; /* "gpu:p100" */
		double weight;
	} model[EQT_MODELS_MAX];
	int model_count;
};

/* The settings of slurm.conf and equitree.conf that matter here. */
struct eqt_simulation_policy {
	const struct eqt_conf *conf; /* borrowed: prices and rules */
	struct eqt_conf_priority priority; /* of conf, or stock's */
	struct eqt_factor_weights weights;
	struct eqt_simulation_tres tres;
	uint32_t half_life_s; /* 0: no decay */
	uint32_t max_age_s;
	uint32_t period_s; /* between passes, at least 1 */
	uint32_t backfill_s; /* between backfills; 0: there is none */
	uint32_t backfill_depth; /* jobs that one backfill tries */
	uint32_t backfill_reserve; /* jobs per partition that reserve nodes;
				      0 counts as 1 */
	uint32_t backfill_window_s; /* how far ahead jobs reserve nodes */
	bool favor_small;
	bool relative_to_time;
	bool raw_partition; /* NO_NORMAL_PART, and so on */
	bool raw_qos, raw_assoc, raw_tres;
	struct eqt_stock stock; /* only ties and decay are used here */
};

#endif
