/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost: what a second of a run cost. The billing TRES of accounting says it, if it
 * is equitree's; otherwise it is the price of what the run was allocated, by the bundles
 * and factors of the present equitree.conf.
 */
#ifndef EQT_SLURM_COST_H
#define EQT_SLURM_COST_H

#include "conf/conf.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/sacct.h"

/* Where a charge is from. */
enum eqt_cost_source {
	EQT_COST_PRICES, /* priced by the present configuration */
	EQT_COST_BILLING, /* the billing of accounting */
	EQT_COST_RECORD, /* the record of charges */
	EQT_COST_SOURCES
};

/* From a moment on equitree wrote the billing of accounting, at a scale. */
struct eqt_billed_span {
	int64_t since_s;
	uint64_t scale;
};

/* The data for all charges; borrowed. A plain value. */
struct eqt_job_pricer {
	const struct eqt_conf *conf;
	const struct eqt_scontrol_nodes *nodes; /* NULL: not known */
	uint64_t
		threads; /* CPUs per core; 0: by the nodes of the job, else 1 */
	struct eqt_billed_span billed[EQT_BILLED_MAX]; /* ascending */
	size_t billed_count; /* 0: no billing is equitree's */
};

/* What one run was allocated, and what a second of it cost; borrows from the pricer. */
struct eqt_cost {
	enum eqt_cost_source source;
	struct eqt_bundle_table prices; /* in its partition and QOS */
	struct eqt_demand demand;
	uint64_t gpus; /* of all models, with a bundle or not */
	/* The highest of several that are possible. Of a billing that the present
	 * prices do not explain, price.equivalents is the charge, factors included,
	 * and explained is false. */
	struct eqt_price price;
	bool explained;
	bool uncertain; /* there are several */
	/* The charge over that of the present prices; 1 if it is explained. */
	double ratio;
};

/*
 * Find out whose the billing of accounting is: from the times of billing_since in
 * equitree.conf; without that key, on a live cluster whose priority plugin is equitree,
 * at all times; otherwise at none. 0, or -1 with err filled: a time that there is not.
 */
int eqt_pricer_billed(struct eqt_job_pricer *pricer, bool live,
		      struct eqt_error *err);

/*
 * 1 with *out filled; 0 with err saying why the run has no charge (no bundle, no
 * record of what it held), and what it held in *out; -1 with err filled (without
 * file and line): its TRES cannot be read. Reads the end of the run.
 */
int eqt_cost_make(struct eqt_cost *out, const struct eqt_job_pricer *pricer,
		  const struct eqt_sacct_job *job, struct eqt_error *err);

/* Which of the pricer's spans a run falls into by its end, from 1; 0: none. */
size_t eqt_cost_span(const struct eqt_job_pricer *pricer,
		     const struct eqt_sacct_job *job);

/* The price that the priority plugin charges for some resources. *uncertain: it
 * would have been cheaper with another GPU model or on other nodes. 0, or -1 with
 * err filled as eqt_price(). */
int eqt_cost_demand(struct eqt_price *high, bool *uncertain,
		    struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* "record", "billing" or "prices"; static text. */
const char *eqt_cost_source_name(enum eqt_cost_source source);

#endif
