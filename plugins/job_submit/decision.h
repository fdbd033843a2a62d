/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision: what was decided of one request. */
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

/* Not to be copied: the bill points into it. */
struct eqt_decision {
	uint32_t job; /* whose change it is; 0: a submission */
	bool priced;
	bool whole; /* it gets whole nodes for their number: judge it as one that
		       asks for them, and nothing else here counts */
	struct eqt_quote quote; /* when priced; of all partitions named */
	char account[EQT_ACCOUNT_SIZE]; /* that it is to have; "": its own */
	bool moved; /* to the QOS below, which is not its own */
	struct eqt_qos qos;
	/* Does it draw on a grant, and how much of it at most, in one of the
	   partitions? In billing-minutes for its time limit; 0: not known. */
	bool draws;
	uint64_t needed_minutes;
	uint64_t numbered_minutes; /* the same with -N of numbered_nodes */
	const char *needed_in; /* which of several that is, borrowed from
				  slurmctld; NULL: there is but one */
	/* what one task may be charged at most, for budgets; and whether it
	   draws on any */
	uint64_t budget_need_u;
	uint64_t budget_least_u; /* the same for --time-min */
	uint64_t budget_numbered_u; /* the same with -N of numbered_nodes */
	const char *budget_endless; /* the partition without an end of jobs,
				       borrowed from slurmctld; or NULL */
	bool budget_gpus;
	bool budgeted;
#ifdef EQT_HAVE_INTERNAL
	/* Slurm's limits on one job in this QOS, without those of a partition's QOS,
	   once they were read */
	bool limit_known;
	struct eqt_job_limit limit;
#endif
	uint64_t numbered_nodes; /* as few nodes as it fits on, where more cost
				    more and it names no number; else 0 */
	struct eqt_error note; /* what the user should know; "": nothing */
	struct eqt_error refusal; /* when refused: why */
	/* the account that a job has which names none, once it was looked for;
	   "": the user has none */
	bool default_known;
	char default_account[EQT_ACCOUNT_SIZE];
	uint32_t work; /* that deciding took, as eqt_reading_work() */
	struct eqt_bundle_table prices; /* of the first partition */
};

#ifdef EQT_HAVE_INTERNAL
struct eqt_owner;

/* Add a text to the note for the user. */
void eqt_decision_note(struct eqt_decision *out, const char *text);

/* Move the job to another QOS; why is for the note. SLURM_SUCCESS; or its owner may
 * not use it, and the refusal says so. Takes locks of assoc_mgr for a moment. */
int eqt_decision_move(struct eqt_decision *out, const struct eqt_owner *owner,
		      const char *why, const char *qos);
#endif

/* The QOS is another one now, and so may be the limits. */
static inline void eqt_decision_forget_limit(struct eqt_decision *decision)
{
#ifdef EQT_HAVE_INTERNAL
	decision->limit_known = false;
#else
	(void) decision;
#endif
}

/* Append to a refusal that -N would make the request fit. */
void eqt_decision_name_number(struct eqt_error *refusal, uint64_t nodes);

/* Widen its price by the quote in one more partition. Where those before have no
 * price, that is the first one. */
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
