/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision: the result of judging one request. */
#ifndef EQT_DECISION_H
#define EQT_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "price/grant.h"
#include "quote/quote.h"
#include "records/qos.h"
#ifdef EQT_HAVE_INTERNAL
#include "records/job_limit.h"
#endif

/* The result of judging one request. The struct must not be copied, because its
 * quote points into it. */
struct eqt_decision {
	uint32_t job; /* The job that is changed, or 0 for a submission. */
	bool priced;
	/* The request gets whole nodes, because it needs many nodes. The caller
	   judges it again as a request for whole nodes and uses no other
	   member. */
	bool whole;
	/* Valid if `priced` is set: the price over all partitions of the
	   request. */
	struct eqt_quote quote;
	/* The new account; an empty string if the request keeps its own
	   account. */
	char account[EQT_ACCOUNT_SIZE];
	/* The job moves to the QOS in `qos`, which is not its own QOS. */
	bool moved;
	struct eqt_qos qos;
	bool draws; /* The job draws on a grant. */
	/* The largest need of the grant in any partition, in billing-minutes
	   for the whole time limit; 0 if it is not known. */
	uint64_t needed_minutes;
	/* needed_minutes if the job had -N set to numbered_nodes. */
	uint64_t numbered_minutes;
	/* The partition of needed_minutes, borrowed from slurmctld; NULL if the
	   request names only one. */
	const char *needed_in;
	/* The most that a budget may be charged for one task, in
	   micro-equivalent-seconds. */
	uint64_t budget_need_u;
	/* budget_need_u if the job ran for --time-min only. */
	uint64_t budget_least_u;
	/* budget_need_u if the job had -N set to numbered_nodes. */
	uint64_t budget_numbered_u;
	/* The name of a partition of the request that has
	   OverTimeLimit=UNLIMITED, borrowed from slurmctld; NULL if there is
	   none. */
	const char *budget_endless;
	bool budget_gpus;
	bool budgeted; /* The job draws on a budget. */
#ifdef EQT_HAVE_INTERNAL
	/* Slurm's limits on one job in this QOS, without the limits of a
	   partition's QOS. */
	bool limit_known;
	struct eqt_job_limit limit;
#endif
	/* The fewest nodes on which the request fits, if it gives no number of
	   nodes and more nodes cost more; otherwise 0. */
	uint64_t numbered_nodes;
	/* A note for the user; may be an empty string. */
	struct eqt_error note;
	struct eqt_error refusal; /* The reason, if the request is refused. */
	bool default_known; /* The default account was looked up. */
	/* An empty string if the user has none. */
	char default_account[EQT_ACCOUNT_SIZE];
	/* The steps that the decision took; see eqt_reading_work(). */
	uint32_t work;
	struct eqt_bundle_table prices; /* The prices of the first partition. */
};

#ifdef EQT_HAVE_INTERNAL
struct eqt_owner;

/* Add a text to the note for the user. */
void eqt_decision_note(struct eqt_decision *out, const char *text);

/* Move the job to another QOS, and add the reason to the note. Returns
 * SLURM_SUCCESS, or an error with the refusal filled if the owner may not use
 * that QOS. The function takes locks of assoc_mgr for a short time. */
int eqt_decision_move(struct eqt_decision *out, const struct eqt_owner *owner,
		      const char *why, const char *qos);
#endif

/* Forget the limits of the previous QOS. */
static inline void eqt_decision_forget_limit(struct eqt_decision *decision)
{
#ifdef EQT_HAVE_INTERNAL
	decision->limit_known = false;
#else
	(void) decision;
#endif
}

/* Add to a refusal that the request would fit with -N. */
void eqt_decision_name_number(struct eqt_error *refusal, uint64_t nodes);

/* Widen the price by the quote of one more partition. The first quote becomes
 * the price. */
static inline void eqt_decision_add(struct eqt_decision *decision,
				    const struct eqt_quote *quote)
{
	if (decision->priced) {
		eqt_quote_widen(&decision->quote, quote);
		return;
	}
	decision->prices = *quote->prices;
	decision->quote = *quote;
	decision->quote.prices = &decision->prices;
	decision->priced = true;
	decision->note.text[0] = '\0';
}

#endif
