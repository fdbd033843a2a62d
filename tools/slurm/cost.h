/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost: the charge of a second of a run. It is the billing TRES of accounting, if equitree
 * wrote that; otherwise it is the price of the allocation by the bundles and factors of the
 * present equitree.conf.
 */
#ifndef EQT_SLURM_COST_H
#define EQT_SLURM_COST_H

#include "conf/conf.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/sacct.h"

/* The source of a charge. */
enum eqt_cost_source {
	EQT_COST_PRICES, /* priced by the present configuration */
	EQT_COST_BILLING, /* the billing of accounting */
	EQT_COST_RECORD, /* the record of charges */
	EQT_COST_SOURCES
};

/* A time from which on equitree has written the billing of accounting, and its scale. */
struct eqt_billed_span {
	int64_t since_s;
	uint64_t scale;
};

/* What all charges are computed from; pointers are borrowed. A plain value. */
struct eqt_job_pricer {
	const struct eqt_conf *conf;
	const struct eqt_scontrol_nodes *nodes; /* NULL: not known */
	uint64_t
		threads; /* CPUs per core; 0: by the nodes of the job, else 1 */
	struct eqt_billed_span billed[EQT_BILLED_MAX]; /* ascending */
	size_t billed_count; /* 0: no billing is equitree's */
};

/* The allocation of one run, and the charge of a second of it; borrows from the pricer. */
struct eqt_cost {
	enum eqt_cost_source source;
	struct eqt_bundle_table prices; /* in its partition and QOS */
	struct eqt_demand demand;
	uint64_t gpus; /* of all models, with a bundle or not */
	/* The highest of several possible prices. If the present prices do not explain a
	 * billing, price.equivalents is the charge with its factors, and explained is
	 * false. */
	struct eqt_price price;
	bool explained;
	bool uncertain; /* several prices are possible */
	/* The charge over that of the present prices; 1 if it is explained. */
	double ratio;
};

/*
 * Find out when the billing of accounting was equitree's: from the times of billing_since
 * in equitree.conf on; without that key, at all times on a live cluster whose priority
 * plugin is equitree; otherwise never. 0, or -1 with err filled: an invalid time.
 */
int eqt_pricer_billed(struct eqt_job_pricer *pricer, bool live,
		      struct eqt_error *err);

/*
 * Price a run, whose end must be known. 1 with *out filled; 0 with its allocation in *out
 * and the reason in err: it has no charge (no bundle, no record of the allocation); -1 with
 * err filled (without file and line): its TRES cannot be read.
 */
int eqt_cost_make(struct eqt_cost *out, const struct eqt_job_pricer *pricer,
		  const struct eqt_sacct_job *job, struct eqt_error *err);

/* The number of the pricer's span in which the run ended, from 1; 0: none. */
size_t eqt_cost_span(const struct eqt_job_pricer *pricer,
		     const struct eqt_sacct_job *job);

/* The price that the priority plugin charges for a demand. *uncertain: it would be lower
 * with another GPU model or on other nodes. 0, or -1 with err filled as eqt_price(). */
int eqt_cost_demand(struct eqt_price *high, bool *uncertain,
		    struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* "record", "billing" or "prices"; static text. */
const char *eqt_cost_source_name(enum eqt_cost_source source);

#endif
