/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision: the result for one request. */
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

/* Not to be copied: the quote points into it. */
struct eqt_decision {
	uint32_t job; /* the job that is changed; 0: a submission */
	bool priced;
	bool whole; /* it must get whole nodes, because it needs so many: judge
		       it again as a request for them, and use nothing else here */
	struct eqt_quote quote; /* if priced: of all its partitions */
	char account[EQT_ACCOUNT_SIZE]; /* the new one; "": its own stays */
	bool moved; /* to the QOS below, which is not its own */
	struct eqt_qos qos;
	bool draws; /* on a grant */
	/* The most that it needs of the grant in one of the partitions, in
	   billing-minutes for its time limit; 0: not known. */
	uint64_t needed_minutes;
	uint64_t numbered_minutes; /* the same with -N of numbered_nodes */
	const char *needed_in; /* that partition, borrowed from slurmctld;
				  NULL: it names only one */
	/* The most that one task may be charged, for budgets. */
	uint64_t budget_need_u;
	uint64_t budget_least_u; /* the same for --time-min */
	uint64_t budget_numbered_u; /* the same with -N of numbered_nodes */
	/* Its partition with OverTimeLimit=UNLIMITED, borrowed from slurmctld; or NULL */
	const char *budget_endless;
	bool budget_gpus;
	bool budgeted; /* it draws on a budget */
#ifdef EQT_HAVE_INTERNAL
	/* Slurm's limits on one job in this QOS, without those of a partition's
	   QOS. */
	bool limit_known;
	struct eqt_job_limit limit;
#endif
	uint64_t numbered_nodes; /* the fewest nodes that it fits on, if more
				    cost more and it names no number; else 0 */
	struct eqt_error note; /* for the user; "": nothing */
	struct eqt_error refusal; /* if refused: why */
	bool default_known; /* the default account was looked up */
	char default_account[EQT_ACCOUNT_SIZE]; /* "": the user has none */
	uint32_t work; /* of the decision, as eqt_reading_work() */
	struct eqt_bundle_table prices; /* of the first partition */
};

#ifdef EQT_HAVE_INTERNAL
struct eqt_owner;

/* Add a text to the note for the user. */
void eqt_decision_note(struct eqt_decision *out, const char *text);

/* Move the job to another QOS, and note why. Returns SLURM_SUCCESS, or an error with a refusal
 * if its owner may not use the QOS. Takes locks of assoc_mgr for a moment. */
int eqt_decision_move(struct eqt_decision *out, const struct eqt_owner *owner,
		      const char *why, const char *qos);
#endif

/* Forget the limits of the QOS, which is another one now. */
static inline void eqt_decision_forget_limit(struct eqt_decision *decision)
{
#ifdef EQT_HAVE_INTERNAL
	decision->limit_known = false;
#else
	(void) decision;
#endif
}

/* Add to a refusal that -N would make the request fit. */
void eqt_decision_name_number(struct eqt_error *refusal, uint64_t nodes);

/* Widen the price by the quote in one more partition, or begin with it if there is no price
 * yet. */
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
