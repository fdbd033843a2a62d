/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget_check: compares a submission with the budgets of its account, and
 * passes on operators' requests, which come as submissions. Needs Slurm's
 * internal headers and priority/equitree in the same slurmctld. Without these,
 * each function does nothing.
 */
#ifndef EQT_BUDGET_CHECK_H
#define EQT_BUDGET_CHECK_H

#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL

/* Record the need of one task at the price of the quote, if that is the largest
 * need so far. The price applies to `several` partitions from number `number`
 * on. The partition with the longest OverTimeLimit among them counts. */
void eqt_budget_check_note(struct eqt_decision *out,
			   const struct eqt_quote *quote,
			   const struct eqt_reading *reading, size_t number,
			   size_t several);

/*
 * Compare the largest recorded need with the budgets. Returns SLURM_SUCCESS,
 * with a note for the user if the job has to wait, or the error with which
 * Slurm refuses the request. If out->moved is set, out->qos is another QOS, and
 * the caller prices the request again. The caller holds slurmctld's part and
 * node locks for reading, and no lock of assoc_mgr.
 */
int eqt_budget_check_judge(struct eqt_decision *out,
			   const struct eqt_partition_quote *part_quote);

/* Report the number of tasks to the budgets, because the submission is about to
 * become a job. Also remove a priority that an operator gave: with that
 * priority no budget would see the job. */
void eqt_budget_check_announce(job_desc_msg_t *desc,
			       const struct eqt_decision *decision);

/* In a federation, make sure that a job which draws on a budget stays on this
 * cluster, because the other clusters do not know the budget. A request that
 * names only other clusters is not changed. */
void eqt_budget_check_stay(job_desc_msg_t *desc,
			   const struct eqt_decision *decision);

/* Report that a job is about to be changed. If a budget holds the job, the
 * budget considers the job again. */
void eqt_budget_check_changed(uint32_t job);

/* Report that an operator or the job's user is about to hold the job. Budgets
 * leave the job alone until it is released. */
void eqt_budget_check_held(uint32_t job, bool by_user);

/* Returns whether the submission is a request of the command "equitree budget".
 * If so, *answer is the answer, which the caller frees, or NULL if memory is
 * short. */
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
