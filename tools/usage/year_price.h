/* SPDX-License-Identifier: GPL-2.0-or-later */
/* year_price: what a second of a job cost, in each unit of a report, and what a site calls
 * these units. */
#ifndef EQT_USAGE_YEAR_PRICE_H
#define EQT_USAGE_YEAR_PRICE_H

#include "slurm/cost.h"

enum eqt_year_unit {
	EQT_YEAR_CORE, /* core-equivalents, with the queues' factors */
	EQT_YEAR_GPU, /* GPU-equivalents, with a weight of 1 for each model */
	EQT_YEAR_RGU, /* GPU-equivalents, with the bundles' weights */
	EQT_YEAR_ENERGY, /* watts, and in a period kWh */
	EQT_YEAR_CO2E, /* grams of CO2e a second, and kg */
	EQT_YEAR_CORES, /* allocated cores, of all jobs */
	EQT_YEAR_GPUS, /* allocated GPUs */
	EQT_YEAR_CORE_MONEY, /* an hour's, of core-equivalents */
	EQT_YEAR_GPU_MONEY, /* and of GPU-equivalents, with weights */
	EQT_YEAR_UNITS
};

/* CPUs per core if all nodes agree, else 0. On most clusters no job needs to
 * search for its nodes. */
uint64_t eqt_year_price_threads(const struct eqt_scontrol_nodes *nodes);

/* A rate by unit. uncertain: the highest of several that are possible. */
struct eqt_year_rate {
	double of[EQT_YEAR_UNITS];
	bool uncertain;
	enum eqt_cost_source source;
};

/*
 * 1 with *out filled; 0 with err saying why the job has no price (no bundle, no
 * record of what it held); -1 with err filled (without file and line): its TRES
 * cannot be read.
 */
int eqt_year_price_make(struct eqt_year_rate *out,
			const struct eqt_job_pricer *pricer,
			const struct eqt_sacct_job *job, struct eqt_error *err);

/* Has some model a weight other than 1? */
bool eqt_year_price_has_weights(const struct eqt_bundle_table *prices);

/* Core-years and GPU-years that the nodes provide in a year: cores of nodes
 * without GPUs, and GPUs, plain and weighted. */
void eqt_year_price_capacity(double out[EQT_YEAR_UNITS],
			     const struct eqt_job_pricer *pricer);

/* A plain value. */
struct eqt_year_unit_names {
	/* "core-years", ..., "kWh", "kgCO2e" */
	char years[EQT_YEAR_CO2E + 1][EQT_UNIT_SIZE + 8];
	char currency[EQT_UNIT_SIZE]; /* "": no money, or several of them */
};

/*
 * Take the names of the pools: that of the cores' pool, and that of the GPUs' for
 * weighted GPU-years, or for plain ones if no bundle has a weight (weights).
 */
void eqt_year_price_unit_names(struct eqt_year_unit_names *out,
			       const struct eqt_bundle_table *prices,
			       bool weights);

#endif
