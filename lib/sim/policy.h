/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: the rules by which a simulation orders and charges jobs. */
#ifndef EQT_SIMULATION_POLICY_H
#define EQT_SIMULATION_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "conf/conf.h"
#include "prio/params.h"
#include "prio/factors.h"

/* A QOS with the settings of sacctmgr. */
struct eqt_simulation_qos {
	const char *name; /* name of the QOS, borrowed */
	uint32_t priority;
	double usage_factor; /* UsageFactor of the QOS; 1 if it is not known */
};

/* PriorityWeightTRES: the points for all TRES of a partition or, with raw_tres, for
 * each unit. Memory is in MiB, and gpus counts all models. A plain value. */
struct eqt_simulation_tres {
	bool any; /* whether any TRES has a weight */
	double cpus, mem_mib, nodes, gpus;
	struct {
		/* Name of the model, such as "gpu:p100". */
		char name[EQT_NAME_SIZE];
		double weight;
	} model[EQT_MODELS_MAX];
	int model_count;
};

/* The settings of slurm.conf and equitree.conf that a simulation needs. */
struct eqt_simulation_policy {
	/* Prices and rules, borrowed from the caller. */
	const struct eqt_conf *conf;
	/* The settings of conf, or values that mean stock Slurm. */
	struct eqt_conf_priority priority;
	struct eqt_factor_weights weights;
	struct eqt_simulation_tres tres;
	/* Half-life of usage in seconds; 0 if usage does not decay. */
	uint32_t half_life_s;
	uint32_t max_age_s;
	uint32_t period_s; /* seconds between passes, at least 1 */
	/* Seconds between backfills; 0 if there is no backfill. */
	uint32_t backfill_s;
	uint32_t backfill_depth; /* number of jobs that one backfill tries */
	/* Number of jobs in each partition that reserve nodes; 0 counts as 1. */
	uint32_t backfill_reserve;
	/* How many seconds ahead jobs reserve nodes. */
	uint32_t backfill_window_s;
	bool favor_small;
	bool relative_to_time;
	/* Whether NO_NORMAL_PART is set; the next three are the other flags
	 * NO_NORMAL_*. */
	bool raw_partition;
	bool raw_qos, raw_assoc, raw_tres;
	struct eqt_stock stock; /* only ties and decay are used here */
};

#endif
