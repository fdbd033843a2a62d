/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_check: a submission and the budgets of its account, and the requests of
 * operators that come as submissions. Needs Slurm's internal headers, and
 * priority/equitree in the same slurmctld; without them nothing here does anything.
 */
#ifndef EQT_BUDGET_CHECK_H
#define EQT_BUDGET_CHECK_H

#include "conf/conf.h"
#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL

/* Take note of what one task needs at that price in the partition of that number, or in any
 * of several. */
void eqt_budget_check_note(struct eqt_decision *out,
			   const struct eqt_quote *quote,
			   const struct eqt_reading *reading, size_t number,
			   size_t several);

/*
 * Judge the most that was noted. SLURM_SUCCESS, with a note for the user where it has
 * to wait; or the error with which Slurm is to refuse the request. Where out->moved
 * is set, out->qos is another one, and the request is to be priced again. Locks as
 * for eqt_decide().
 */
int eqt_budget_check_judge(struct eqt_decision *out,
			   const struct eqt_partition_quote *part_quote);

/* The submission is about to become a job: say how many tasks it has, and take a
 * priority off that an operator gave, which would pass budgets by. */
void eqt_budget_check_announce(job_desc_msg_t *desc,
			       const struct eqt_decision *decision);

/* In a federation, a job that draws on a budget runs on this cluster, because the others
 * know nothing of the budget; not where the request names other clusters alone. */
void eqt_budget_check_stay(job_desc_msg_t *desc,
			   const struct eqt_decision *decision);

/* A change of a job is taken or refused: budgets may have to look at it again. */
void eqt_budget_check_changed(uint32_t job);

/* A job is about to be held, by an operator or by a user: a release ends that hold, and
 * no budget. */
void eqt_budget_check_held(uint32_t job, bool by_user);

/* Is the submission a request to equitree budget? Then *answer is its answer, for
 * free(); NULL: out of memory. */
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
