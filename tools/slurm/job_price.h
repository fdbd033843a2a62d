/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_price: the price of a job of the accounting database, by what it was
 * allocated and by the bundles and factors that the plugins charge by. */
#ifndef EQT_SLURM_JOB_PRICE_H
#define EQT_SLURM_JOB_PRICE_H

#include "conf/conf.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/sacct.h"

/* The data for all prices; borrowed. A plain value. */
struct eqt_job_pricer {
	const struct eqt_conf *conf;
	const struct eqt_scontrol_nodes *nodes; /* NULL: not known */
	uint64_t threads; /* CPUs per core; 0: by the nodes of the job's
			     partition, else 1 */
};

/* What one job was allocated, and its price; price borrows from the pricer. */
struct eqt_job_price {
	struct eqt_bundle_table prices; /* in its partition and QOS */
	struct eqt_demand demand;
	uint64_t gpus; /* of all models, with a bundle or not */
	struct eqt_price price; /* the highest of several that are possible */
	bool uncertain; /* there are several */
};

/*
 * 1 with *out filled; 0 with err saying why the job has no price (no bundle, no
 * record of what it held), and what it held in *out; -1 with err filled (without
 * file and line): its TRES cannot be read.
 */
int eqt_job_price_make(struct eqt_job_price *out,
		       const struct eqt_job_pricer *pricer,
		       const struct eqt_sacct_job *job, struct eqt_error *err);

/* The price that the priority plugin charges for some resources. *uncertain: it
 * would have been cheaper with another GPU model or on other nodes. 0, or -1 with
 * err filled as eqt_price(). */
int eqt_job_price_charge(struct eqt_price *high, bool *uncertain,
			 struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand,
			 struct eqt_error *err);

#endif
