/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_check: compares a submission with the budgets of its account, and passes on the
 * requests of operators that come as submissions. Needs Slurm's internal headers, and
 * priority/equitree in the same slurmctld; without them nothing here does anything.
 */
#ifndef EQT_BUDGET_CHECK_H
#define EQT_BUDGET_CHECK_H

#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL

/* Note what one task needs at that price, if that is the most so far. The price is that of
 * `several` partitions from `number` on, of which the one with the longest OverTimeLimit
 * counts. */
void eqt_budget_check_note(struct eqt_decision *out,
			   const struct eqt_quote *quote,
			   const struct eqt_reading *reading, size_t number,
			   size_t several);

/*
 * Compare the largest need that was noted with the budgets. Returns SLURM_SUCCESS, with a
 * note for the user if the job has to wait; or the error with which Slurm is to refuse the
 * request. If out->moved is set, out->qos is another QOS, and the caller prices the request
 * again. Locks as for eqt_decide().
 */
int eqt_budget_check_judge(struct eqt_decision *out,
			   const struct eqt_partition_quote *part_quote);

/* The submission is about to become a job: report its number of tasks to the budgets, and
 * remove a priority that an operator gave, with which no budget would see the job. */
void eqt_budget_check_announce(job_desc_msg_t *desc,
			       const struct eqt_decision *decision);

/* In a federation, keep a job that draws on a budget on this cluster, because the others do
 * not know the budget. A request that names only other clusters is not changed. */
void eqt_budget_check_stay(job_desc_msg_t *desc,
			   const struct eqt_decision *decision);

/* A job is about to be changed: if a budget holds it, it is tried again. */
void eqt_budget_check_changed(uint32_t job);

/* A job is about to be held, by an operator or by its user: budgets leave it alone until it is
 * released. */
void eqt_budget_check_held(uint32_t job, bool by_user);

/* Is the submission a request of equitree budget? Then *answer is its answer, which the caller
 * frees; NULL: out of memory. */
bool eqt_budget_check_request(const job_desc_msg_t *desc, uint32_t uid,
			      char **answer);

#else

static inline void eqt_budget_check_note(struct eqt_decision *out,
					 const struct eqt_quote *quote,
					 const struct eqt_reading *reading,
					 size_t number, size_t several)
{
	(void) out;
	(void) quote;
	(void) reading;
	(void) number;
	(void) several;
}

static inline int eqt_budget_check_judge(
	struct eqt_decision *out, const struct eqt_partition_quote *part_quote)
{
	(void) out;
	(void) part_quote;
	return SLURM_SUCCESS;
}

static inline void eqt_budget_check_announce(
	job_desc_msg_t *desc, const struct eqt_decision *decision)
{
	(void) desc;
	(void) decision;
}

static inline void eqt_budget_check_changed(uint32_t job)
{
	(void) job;
}

static inline bool eqt_budget_check_request(const job_desc_msg_t *desc,
					    uint32_t uid, char **answer)
{
	(void) desc;
	(void) uid;
	(void) answer;
	return false;
}

#endif
#endif
