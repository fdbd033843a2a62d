/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bill_quote: the price of a request, from the calls that the submission
 * plugin makes. */
#ifndef EQT_BILL_ESTIMATE_H
#define EQT_BILL_ESTIMATE_H

#include "bill/options.h"
#include "price/quote.h"
#include "conf/conf.h"
#include "slurm/nodes.h"

/* What is known of a cluster. */
struct eqt_estimate_site {
	const struct eqt_conf *conf;
	struct eqt_scontrol_records partitions; /* none: not known */
	struct eqt_scontrol_nodes nodes; /* none: not known */
	uint64_t usage_factor_u; /* of the QOS, in millionths */
};

/* A price, and what it borrows from. Not to be copied. */
struct eqt_estimate {
	struct eqt_quote bill; /* of all partitions that are named */
	struct eqt_bundle_table prices;
	char partition[256]; /* the first; "": not known */
	char gres[2048]; /* of its nodes */
};

/*
 * Price a request by the rules of its partitions and QOS. 0, or -1 with err
 * filled: a partition that is not there, a request that the plugin would
 * refuse, one that has no price.
 */
int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *ask,
		      struct eqt_error *err);

#endif
