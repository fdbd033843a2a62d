/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost: the charge per second of a run. If equitree wrote the billing TRES of accounting,
 * the charge is that billing. Otherwise it is the price of the allocation by the bundles
 * and factors of the present equitree.conf.
 */
#ifndef EQT_SLURM_COST_H
#define EQT_SLURM_COST_H

#include "conf/conf.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/sacct.h"

/* Where a charge comes from. */
enum eqt_cost_source {
	EQT_COST_PRICES, /* priced by the present configuration */
	EQT_COST_BILLING, /* the billing of accounting */
	EQT_COST_RECORD, /* the record of charges */
	EQT_COST_SOURCES
};

/* The time since which equitree has written the billing of accounting, and the scale of
 * that billing. */
struct eqt_billed_span {
	int64_t since_s;
	uint64_t scale;
};

/* The input for all charges of runs. A plain value; pointers are borrowed. */
struct eqt_job_pricer {
	const struct eqt_conf *conf;
	/* NULL: the nodes are not known */
	const struct eqt_scontrol_nodes *nodes;
	/* CPUs per core; 0: as on the nodes of the job, or 1 if they are not
		 * known */
	uint64_t threads;
	struct eqt_billed_span billed[EQT_BILLED_MAX]; /* in ascending order */
	size_t billed_count; /* 0: equitree wrote no billing */
};

/* The allocation of one run, and its charge per second. Borrows from the pricer. */
struct eqt_cost {
	enum eqt_cost_source source;
	/* prices in the partition and the QOS of the run */
	struct eqt_bundle_table prices;
	struct eqt_demand demand;
	uint64_t gpus; /* GPUs of all models, with or without a bundle */
	/* The highest price if several are possible. If the present prices do not explain
	 * a billing, price.equivalents is the charge including its factors, and
	 * price.explained is false. */
	struct eqt_price price;
	bool explained;
	bool uncertain; /* several prices are possible */
	/* The charge divided by the charge at present prices; 1 if the present prices
	 * explain it. */
	double ratio;
};

/* Does the price of a job depend on its nodes? It does if the nodes tell the threads of a
 * core, the bundle of a model that has several, or the type of GPUs that accounting counts
 * under no type. */
bool eqt_pricer_by_nodes(const struct eqt_job_pricer *pricer);

/*
 * Find out since when equitree has written the billing of accounting. billing_since in
 * equitree.conf tells the times. Without that key, equitree wrote all of it on a live
 * cluster whose priority plugin is equitree, and none otherwise. Returns 0, or -1 with
 * err filled if a time is invalid.
 */
int eqt_pricer_billed(struct eqt_job_pricer *pricer, bool live,
		      struct eqt_error *err);

/*
 * Price a run, whose end must be known. Returns 1 with *out filled. Returns 0 if the run
 * has no charge because it has no bundle or its allocation was not recorded; *out then
 * has the allocation, and err the reason. Returns -1 with err filled, without file and
 * line, if the TRES cannot be read.
 */
int eqt_cost_make(struct eqt_cost *out, const struct eqt_job_pricer *pricer,
		  const struct eqt_sacct_job *job, struct eqt_error *err);

/* The number, from 1, of the pricer's span in which the run ended; 0 if there is none. */
size_t eqt_cost_span(const struct eqt_job_pricer *pricer,
		     const struct eqt_sacct_job *job);

/* The price that the priority plugin charges for a demand. *uncertain tells whether the
 * price would be lower with another GPU model or on other nodes. Returns 0, or -1 with
 * err filled like eqt_price(). */
int eqt_cost_demand(struct eqt_price *high, bool *uncertain,
		    struct eqt_bundle_table *prices,
		    const struct eqt_demand *demand, struct eqt_error *err);

/* "record", "billing" or "prices", as static text. */
const char *eqt_cost_source_name(enum eqt_cost_source source);

#endif
