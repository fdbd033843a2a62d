/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate: the price of a request, computed by the functions that the submission plugin
 * calls. */
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

/* What sacctmgr knows about the caller. Owns its memory; in {0} nothing is known. */
struct eqt_bill_owner {
	struct eqt_user_assocs assocs;
	struct eqt_columns qos;
};

/* Ask sacctmgr. The members stay empty if sacctmgr fails. */
void eqt_estimate_owner_ask(struct eqt_bill_owner *out);

/* Free what *owner owns. *owner is empty afterwards. */
void eqt_estimate_owner_free(struct eqt_bill_owner *owner);

/* What is known about the cluster. */
struct eqt_estimate_site {
	const struct eqt_conf *conf;
	struct eqt_scontrol_records partitions; /* empty: not known */
	struct eqt_scontrol_nodes nodes; /* empty: not known */
	/* nodes and reservations are those of the present moment */
	bool asked_now;
	struct eqt_scontrol_records reservations; /* empty: none is known */
	struct eqt_cluster_allocation cluster;
	struct eqt_bill_owner owner; /* {0}: not known */
	/* UsageFactor of the job in millionths; 0: use that of the job's QOS, or 1 */
	uint64_t usage_factor_u;
};

/* A price, and the data that it borrows. Must not be copied. */
struct eqt_estimate {
	/* over all partitions and QOS that the request names */
	struct eqt_quote bill;
	struct eqt_bundle_table prices;
	char partition[256]; /* the first partition; "": not known */
	char qos[256]; /* the first QOS; "": none */
	/* account of the pool; "": the request keeps its own */
	char account[EQT_ACCOUNT_SIZE];
};

/*
 * Price a request by the rules of its partitions and QOS. Returns 0, or -1 with err
 * filled if there is no such partition, if the plugin would refuse the request, or if the
 * request has no price.
 */
int eqt_estimate_make(struct eqt_estimate *out,
		      const struct eqt_estimate_site *site,
		      const struct eqt_sbatch_component *component,
		      struct eqt_error *err);

/* A price as a new JSON object. */
json_object *eqt_estimate_json(const struct eqt_conf *conf,
			       const struct eqt_estimate *quote);

#define EQT_REFUSAL_START 32

/*
 * Ask "sbatch --test-only", which submits nothing. "partition" replaces the partition of
 * the request; NULL keeps it. Returns 0 if sbatch would accept the request, or if this
 * host has no sbatch. "start" is then the time at which Slurm would start the job given
 * the present jobs, as sbatch prints it, or "". Returns -1 with err filled with the text
 * of sbatch if sbatch would refuse the request.
 */
int eqt_estimate_refusal_ask(char start[EQT_REFUSAL_START],
			     const struct eqt_sbatch_words *words,
			     const char *partition, struct eqt_error *err);

#endif
