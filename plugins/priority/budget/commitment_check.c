/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "budget/admission.h"
#include "budget/commitment_check.h"
#include "budget/commitment.h"
#include "budget/book/payers.h"
#include "budget/settlement.h"

/*
 * Tasks of an array's record that wait, or run and may have no commitment of their own.
 * Slurm leaves the count of waiting tasks in a record that was cancelled.
 */
static uint64_t array_outstanding(const job_record_t *job)
{
	uint64_t tasks = IS_JOB_FINISHED(job) ? 0 : job->array_recs->task_cnt;

	return tasks + job->array_recs->tot_run_tasks;
}

/* Tasks that were cancelled while they waited give their share back. */
static void array_shrink(struct eqt_budgets *budgets, const job_record_t *job,
			 const struct eqt_book_job *known)
{
	uint64_t tasks = array_outstanding(job);
	struct eqt_book_charge charge = { .job = job->job_id,
					  .until = known->until,
					  .now = (uint64_t) time(NULL) };
	struct eqt_entry entry;

	/* The record itself may run as the last task. */
	if (tasks == 0 && (IS_JOB_PENDING(job) || IS_JOB_FINISHED(job)))
		tasks = 1;
	if (known->tasks <= tasks)
		return;
	charge.tasks = known->tasks - tasks;
	if (eqt_book_plan_settle(budgets->book, &charge, &entry) < 0)
		return;
	(void) snprintf(entry.why, sizeof(entry.why), "tasks are gone");
	(void) eqt_budgets_do(budgets, &entry);
	budgets->tried = false;
}

/* A waiting job that somebody holds cannot start, so it commits nothing. */
static void pending_check(struct eqt_budgets *budgets, const job_record_t *job)
{
	if (job->priority)
		return;
	eqt_budgets_give_back(budgets, job->job_id, "it is held");
	if (!eqt_admission_holds(budgets, job))
		eqt_waiting_forget(&budgets->waiting, job->job_id);
}

/* Is the budget that holds a job still one of its accounts' or its user's? */
static bool held_has_payer(const struct eqt_budget *budget,
			   const job_record_t *job)
{
	struct eqt_book_path path;

	eqt_payers_fill(&path, job->assoc_ptr);
	for (size_t i = 0; i < path.levels; i++) {
		if (strcmp(path.level[i].account, budget->terms.account) == 0 &&
		    strcmp(path.level[i].user, budget->terms.user) == 0)
			return true;
	}
	return false;
}

/* An account that is moved has other accounts above it: its held jobs may fit. */
static void held_check(struct eqt_budgets *budgets, const job_record_t *job,
		       struct eqt_waiting_job *waiting)
{
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, waiting->budget);

	if (waiting->state != EQT_WAITING_HELD || !budget ||
	    held_has_payer(budget, job))
		return;
	waiting->budget = 0;
	budgets->tried = false;
}

/* Without limits a look charges an end within seconds. */
#define LOOK_MOST_S 60

/* Will a look charge the end of this job, which has run? */
static bool finished_is_found_later(const struct eqt_config *config,
				    const job_record_t *job)
{
	return config->fairshare && !config->limits && !config->stock.tail &&
	       job->end_time_exp != (time_t) NO_VAL &&
	       time(NULL) - job->end_time < LOOK_MOST_S;
}

/* Its end was not reported: it never ran, or limits are not enforced. */
static void finished_check(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job)
{
	bool ran = job->start_time && job->end_time > job->start_time &&
		   job->nodes && job->assoc_ptr;
	struct eqt_run run = { .until = 0 };
	const struct eqt_stretch_end end = {
		.kind = EQT_STRETCH_END,
		.run = &run,
		.job = job,
	};

	if (ran && finished_is_found_later(config, job))
		return;
	if (ran && !eqt_runs_get(budgets->charges->runs.table, job->job_id) &&
	    eqt_settlement_from(budgets, job) < job->end_time) {
		eqt_job_charge_recall(budgets->charges, config, job, &run);
		eqt_settlement_locked(budgets, config, &end, false);
	}
	if (!job->array_recs || !array_outstanding(job))
		eqt_budgets_give_back(budgets, job->job_id,
				      "it ended before it ran");
	budgets->tried = false;
}

/* Most jobs: it waits, may start, and has no part in an array. Nothing below would
 * change it or its commitment. */
static bool job_is_as_committed(const job_record_t *job)
{
	return job && IS_JOB_PENDING(job) && job->priority &&
	       !job->array_recs && !job->array_job_id;
}

/* A job has just started, or its nodes are up now. */
static bool running_wants_measure(const job_record_t *job,
				  const struct eqt_waiting_job *waiting)
{
	return !waiting || !waiting->measured ||
	       (waiting->booting && !IS_JOB_POWER_UP_NODE(job));
}

/* Will the end of the job's run settle the commitment? */
static bool run_settles_it(const struct eqt_budgets *budgets, uint32_t job_id,
			   const job_record_t *job)
{
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job_id);

	if (!run)
		return false;
	/* The first pass after a start finds out what has become of it. */
	if (run->recalled && !run->start)
		return true;
	/* Without limits nobody has reported yet that a waiting job was requeued. */
	return run->holds ||
	       (!run->is_over && run->start &&
		(!job || IS_JOB_FINISHED(job) || IS_JOB_PENDING(job)));
}

void eqt_commitment_check(struct eqt_budgets *budgets,
			  const struct eqt_config *config, uint32_t job_id,
			  job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const struct eqt_book_job *known;
	struct eqt_waiting_job *waiting;
	bool measure = false;

	if (job_is_as_committed(job))
		return;
	assoc_mgr_lock(&locks);
	pthread_mutex_lock(&budgets->lock);
	if (job)
		eqt_budgets_adopt(budgets, job);
	known = eqt_book_job(budgets->book, job_id);
	waiting = eqt_waiting_get(&budgets->waiting, job_id);
	if (known && known->tasks) {
		if (run_settles_it(budgets, job_id, job)) {
			/* Its end will. */
		} else if (!job) {
			eqt_budgets_give_back(budgets, job_id,
					      "slurmctld does not know it");
			eqt_waiting_forget(&budgets->waiting, job_id);
		} else if (IS_JOB_FINISHED(job)) {
			if (job->array_recs && known->tasks > 1)
				array_shrink(budgets, job, known);
			finished_check(budgets, config, job);
		} else if (job->array_recs && known->tasks > 1) {
			array_shrink(budgets, job, known);
		} else if (IS_JOB_PENDING(job)) {
			pending_check(budgets, job);
		} else
			measure = running_wants_measure(job, waiting);
	} else if (job && waiting)
		held_check(budgets, job, waiting);
	pthread_mutex_unlock(&budgets->lock);
	if (measure)
		eqt_commitment_adjust(budgets, config, job);
	assoc_mgr_unlock(&locks);
}
