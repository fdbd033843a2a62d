/* SPDX-License-Identifier: GPL-2.0-or-later */
/* component: one component of a job, as options of sbatch ask for it. */
#ifndef EQT_BILL_COMPONENT_H
#define EQT_BILL_COMPONENT_H

#include "price/job_spec.h"

/* Texts that the options own. */
enum {
	EQT_SBATCH_LIST_JOB, /* --gpus */
	EQT_SBATCH_LIST_GRES, /* --gres */
	EQT_SBATCH_LIST_NODE, /* --gpus-per-node */
	EQT_SBATCH_LIST_NODE_ALL, /* --gres and --gpus-per-node */
	EQT_SBATCH_LIST_SOCKET,
	EQT_SBATCH_LIST_TASK,
	EQT_SBATCH_LIST_CPUS,
	EQT_SBATCH_LISTS
};

/* Most jobs have one. */
struct eqt_sbatch_component {
	const char *partition, *qos; /* -p, -q; NULL: not given */
	struct eqt_job_spec
		ask; /* strings belong to argv, the script, or lists */
	char *lists[EQT_SBATCH_LISTS]; /* owned */
};

#endif
