/* SPDX-License-Identifier: GPL-2.0-or-later */
/* year_price: what a second of a job cost, in each unit of a report, and the site's names
 * for these units. */
#ifndef EQT_USAGE_YEAR_PRICE_H
#define EQT_USAGE_YEAR_PRICE_H

#include "slurm/cost.h"

enum eqt_year_unit {
	/* core-equivalents, including factors of partition and QOS */
	EQT_YEAR_CORE,
	EQT_YEAR_GPU, /* GPU-equivalents, where each model has the weight 1 */
	EQT_YEAR_RGU, /* GPU-equivalents with the weights of the bundles */
	EQT_YEAR_ENERGY, /* watts; kWh for a period */
	EQT_YEAR_CO2E, /* grams of CO2e per second; kg for a period */
	EQT_YEAR_CORES, /* allocated cores of all jobs */
	EQT_YEAR_GPUS, /* allocated GPUs */
	EQT_YEAR_CORE_MONEY, /* money for an hour of the core-equivalents */
	/* money for an hour of the weighted GPU-equivalents */
	EQT_YEAR_GPU_MONEY,
	EQT_YEAR_UNITS
};

/* CPUs per core if all nodes agree, or 0. On most clusters they agree, and no job needs a
 * search for its nodes. */
uint64_t eqt_year_price_threads(const struct eqt_scontrol_nodes *nodes);

/* A rate in each unit. "uncertain" tells that it is the highest of several possible
 * rates. */
struct eqt_year_rate {
	double of[EQT_YEAR_UNITS];
	bool uncertain;
	enum eqt_cost_source source;
};

/*
 * Compute the rates of a job. Returns 1 with *out filled. Returns 0 with the reason in
 * err if the job has no price because it has no bundle or its allocation was not
 * recorded. Returns -1 with err filled, without file and line, if its TRES cannot be
 * read.
 */
int eqt_year_price_make(struct eqt_year_rate *out,
			const struct eqt_job_pricer *pricer,
			const struct eqt_sacct_job *job, struct eqt_error *err);

/* Does some model have a weight other than 1? */
bool eqt_year_price_has_weights(const struct eqt_bundle_table *prices);

/* The core-years and GPU-years that the nodes provide in a year: cores of nodes without
 * GPUs, and GPUs, plain and weighted. */
void eqt_year_price_capacity(double out[EQT_YEAR_UNITS],
			     const struct eqt_job_pricer *pricer);

/* The names of units. A plain value. */
struct eqt_year_unit_names {
	/* Names such as "core-years", "kWh" and "kgCO2e", by unit. */
	char years[EQT_YEAR_CO2E + 1][EQT_UNIT_SIZE + 8];
	char currency[EQT_UNIT_SIZE]; /* "": no money, or several currencies */
};

/*
 * Find the names of the units. The name of the GPU pool is used for weighted GPU-years,
 * or for plain GPU-years if no bundle has a weight ("weights" is false).
 */
void eqt_year_price_unit_names(struct eqt_year_unit_names *out,
			       const struct eqt_bundle_table *prices,
			       bool weights);

#endif
