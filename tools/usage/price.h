/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_price: what a job of the accounting database takes a second, by the
 * bundles and factors that the plugins charge by. */
#ifndef EQT_USAGE_PRICE_H
#define EQT_USAGE_PRICE_H

#include "conf/conf.h"
#include "slurm/nodes.h"
#include "slurm/sacct.h"

enum eqt_year_unit {
	EQT_YEAR_CORE, /* core-equivalents, with the factors of queues */
	EQT_YEAR_GPU, /* GPU-equivalents, each model counting as one */
	EQT_YEAR_RGU, /* GPU-equivalents by the bundles' weights */
	EQT_YEAR_CORES, /* cores as allocated, of all jobs */
	EQT_YEAR_GPUS, /* GPUs as allocated */
	EQT_YEAR_UNITS
};

/* What prices need to know; all borrowed. A plain value. */
struct eqt_year_pricer {
	const struct eqt_conf *conf;
	const struct eqt_scontrol_nodes *nodes; /* NULL: not known */
	uint64_t threads; /* CPUs of a core; 0: by the nodes of the job's
				 partition, or 1 */
};

/* CPUs of a core if all nodes have the same number; 0 if they differ. So no job
 * need look for its nodes on most clusters. */
uint64_t eqt_year_threads(const struct eqt_scontrol_nodes *nodes);

/* A rate by unit; uncertain: of the models that it could be, the dearest. */
struct eqt_year_rate {
	double of[EQT_YEAR_UNITS];
	bool uncertain;
};

/*
 * 1 with *out filled; 0 with err saying why a job of that kind has no price
 * (no bundle for what it holds, nothing told of what it held); -1 with err
 * filled (file and line to be put before it): its TRES cannot be read.
 */
int eqt_year_price(struct eqt_year_rate *out,
		   const struct eqt_year_pricer *pricer,
		   const struct eqt_sacct_job *job, struct eqt_error *err);

/* Core-years and GPU-years that the nodes can give in a year: cores of nodes
 * without GPUs, and GPUs, plain and by weight. */
void eqt_year_capacity(double out[EQT_YEAR_UNITS],
		       const struct eqt_year_pricer *pricer);

#endif
