/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate: the price of a request, from the calls that the submission plugin
 * makes. */
#ifndef EQT_BILL_ESTIMATE_H
#define EQT_BILL_ESTIMATE_H

#include <stdint.h>
#include "sbatch/rules.h"
#include "price/grant.h"
#include "quote/quote.h"
#include "conf/conf.h"
#include "slurm/conf/cluster.h"
#include "slurm/scontrol/nodes.h"
#include "slurm/text/columns.h"
#include "slurm/user_assocs.h"
#include "cli/json.h"
#include "base/error.h"
#include "sbatch/options.h"

/* Owned; {0} knows nothing. */
struct eqt_bill_owner {
	struct eqt_user_assocs assocs;
	struct eqt_columns qos;
};

/* Ask sacctmgr; its members stay empty if it does not answer. */
void eqt_estimate_owner_ask(struct eqt_bill_owner *out);

/* Free what *owner owns. *owner is empty afterwards. */
void eqt_estimate_owner_free(struct eqt_bill_owner *owner);

/* The cluster, as far as known. */
struct eqt_estimate_site {
	const struct eqt_conf *conf;
	struct eqt_scontrol_records partitions; /* empty: not known */
	struct eqt_scontrol_nodes nodes; /* empty: not known */
	bool asked_now; /* nodes and reservations are those of this moment */
	struct eqt_scontrol_records reservations; /* empty: none is known */
	struct eqt_cluster_allocation cluster;
	struct eqt_bill_owner owner; /* {0}: not known */
	uint64_t usage_factor_u; /* of the QOS, in millionths; 0: the owner's
				    QOS have theirs, or 1 */
};

/* A price and the data that it borrows. Must not be copied. */
struct eqt_estimate {
	struct eqt_quote bill; /* over all named partitions and QOS */
	struct eqt_bundle_table prices;
	char partition[256]; /* the first; "": not known */
	char qos[256]; /* the first; "": none */
	char gres[2048]; /* of its nodes */
	char account[EQT_ACCOUNT_SIZE]; /* of a pool; "": its own stays */
};

/*
 * Price a request by the rules of its partitions and QOS. Returns 0, or -1 with err
 * filled. Possible errors: no such partition, a request that the plugin would refuse, a
 * request without a price.
 */
int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *ask,
		      struct eqt_error *err);

/* A price as a new JSON object. */
json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote);

#define EQT_REFUSAL_START 32

/*
 * Ask sbatch by --test-only, which submits nothing. partition: the one to ask for, instead
 * of that of the request; NULL: that. 0: sbatch would accept it, or there is no sbatch;
 * start has when Slurm would start it by the jobs of now, as sbatch prints times, or "".
 * -1 with err filled with the words of sbatch.
 */
int eqt_estimate_refusal_ask(char start[EQT_REFUSAL_START],
			     const struct eqt_sbatch_words *words,
			     const char *partition, struct eqt_error *err);

#endif
