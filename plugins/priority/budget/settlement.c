/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "budget/book/payers.h"
#include "budget/settlement.h"
#include "rate/job_qos.h"
#include "rate/job_rate.h"
#include "slurm/log.h"
#include "usage/job_end.h"

uint64_t eqt_settlement_rate_u(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job)
{
	struct eqt_rate rate;

	if (!job->tres_alloc_cnt || eqt_job_rate(&rate, budgets->rates, config,
						 job, job->tres_alloc_cnt) < 0)
		return 0;
	return eqt_stretch_rate_u(rate.equivalents, eqt_job_qos_factor(job));
}

uint64_t eqt_settlement_committed_u(const struct eqt_budgets *budgets,
				    const struct eqt_book_job *job)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < job->parts; i++) {
		const struct eqt_budget *owner =
			eqt_book_budget(budgets->book, job->part[i].budget);
		uint64_t sum = 0;

		for (uint64_t j = 0; j < job->parts; j++) {
			const struct eqt_budget *other = eqt_book_budget(
				budgets->book, job->part[j].budget);

			if (strcmp(owner->terms.account,
				   other->terms.account) == 0 &&
			    strcmp(owner->terms.user, other->terms.user) == 0)
				sum += job->part[j].taken_u;
		}
		if (sum > most)
			most = sum;
	}
	return most;
}

time_t eqt_settlement_from(const struct eqt_budgets *budgets,
			   const job_record_t *job)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job->job_id);

	/* By the clock of the record. */
	if (run && run->start == job->start_time && !run->recalled)
		return run->owed_from - run->shift;
	/* An earlier time is from a previous run of the job. */
	if (known && (time_t) known->until > job->start_time)
		return (time_t) known->until;
	return job->start_time;
}

/* Why the end of a run is not charged, or NULL. */
static const char *settlement_excuse(const struct eqt_budgets *budgets,
				     const struct eqt_config *config,
				     const job_record_t *job)
{
	const struct eqt_waiting_job *known =
		eqt_waiting_get(&budgets->waiting, job->job_id);

	/* slurmctld sets the start again when all nodes are up. */
	if (known && known->booting && known->booting == job->start_time)
		return "its nodes were not up yet";
	return eqt_job_end_refund_reason(config->conf->budget.refund, job);
}

/* What budgets have not charged yet. slurmctld may have been killed after they settled an
 * end that it then forgot: its job runs again, and they charge what came after. */
static uint64_t stretch_owed_u(const struct eqt_run *run,
			       const struct eqt_book_job *known)
{
	const uint64_t until = (uint64_t) run->until;
	const uint64_t rate = eqt_stretch_rate_u(run->price, run->factor);
	uint64_t after;

	if (!run->recalled || known->until <= (uint64_t) run->recalled)
		return run->owed_u;
	if (known->until >= until)
		return 0;
	if (__builtin_mul_overflow(until - known->until, rate, &after) ||
	    after > run->owed_u)
		return run->owed_u;
	return after;
}

bool eqt_settlement_commit(struct eqt_budgets *budgets,
			   struct eqt_book_wish *wish)
{
	struct eqt_book_lack lack = { 0 };
	struct eqt_entry entry = { 0 };
	enum eqt_book_answer answer =
		eqt_book_plan_commit(budgets->book, wish, &entry, &lack);

	if (answer == EQT_BOOK_LACKS || answer == EQT_BOOK_NEVER) {
		if (lack.left_u == 0)
			return false;
		wish->need_u = lack.left_u;
		answer =
			eqt_book_plan_commit(budgets->book, wish, &entry, NULL);
	}
	if (answer != EQT_BOOK_FITS)
		return false;
	entry.tasks = 1;
	return eqt_budgets_do(budgets, &entry) == 0;
}

/* Commit for what a run owes: it has used up its commitment, or budgets have settled it and
 * slurmctld, which was killed, forgot that. assoc_mgr's associations and QOS are locked. */
static bool stretch_commit_again(struct eqt_budgets *budgets,
				 const struct eqt_run *run, uint64_t owed_u)
{
	slurmdb_assoc_rec_t wanted = { .id = run->assoc_id }, *assoc = NULL;
	const slurmdb_qos_rec_t *qos = eqt_job_qos_of_id(run->qos_id);
	struct eqt_book_path path;
	struct eqt_book_wish wish = {
		.path = &path,
		.pool = run->open.pool == 'g' ? EQT_BUDGET_GPUS
					      : EQT_BUDGET_CORES,
		.qos = qos ? qos->name : NULL,
		.job = run->job_id,
		.tasks = 1,
		.need_u = owed_u,
		.now = (uint64_t) time(NULL),
	};

	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &assoc, true);
	if (!assoc)
		return false;
	eqt_payers_fill(&path, assoc);
	return eqt_settlement_commit(budgets, &wish);
}

/* The job that a stretch is settled with, and how many of its tasks are over; NULL: it draws
 * on no budget. A job that has used up its commitment goes on with what is left. */
static const struct eqt_book_job *stretch_payer(
	struct eqt_budgets *budgets, const struct eqt_stretch_end *end,
	uint64_t *tasks)
{
	const struct eqt_run *run = end->run;
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, run->job_id);
	uint64_t owed_u;

	if (!known || known->parts)
		return known;
	owed_u = stretch_owed_u(run, known);
	if (known->tasks) {
		if (owed_u)
			(void) stretch_commit_again(budgets, run, owed_u);
		return eqt_book_job(budgets->book, run->job_id);
	}
	*tasks = 1;
	if (!owed_u || !run->recalled ||
	    (end->kind != EQT_STRETCH_LOST &&
	     (time_t) known->until <= run->start) ||
	    !stretch_commit_again(budgets, run, owed_u))
		return NULL;
	return eqt_book_job(budgets->book, run->job_id);
}

/* Settle a stretch; false: the job draws on no budget. budgets->lock is held. */
static bool stretch_settle(struct eqt_budgets *budgets,
			   const struct eqt_config *config,
			   const struct eqt_stretch_end *end, bool goes_on)
{
	const struct eqt_run *run = end->run;
	uint64_t tasks = goes_on ? 0 : 1;
	const struct eqt_book_job *known = stretch_payer(budgets, end, &tasks);
	const bool may_excuse = end->kind == EQT_STRETCH_END ||
				end->kind == EQT_STRETCH_HELD;
	const char *excuse =
		end->job && may_excuse
			? settlement_excuse(budgets, config, end->job)
			: NULL;
	struct eqt_book_charge charge = { .job = run->job_id,
					  .tasks = tasks,
					  .until = (uint64_t) run->until,
					  .now = (uint64_t) time(NULL) };
	struct eqt_entry entry;

	if (!known)
		return false;
	if (!excuse)
		charge.charge_u = stretch_owed_u(run, known);
	if (charge.until < known->until)
		charge.until = known->until;
	/* A resized job keeps the rest of its commitment until its new size is known, and
	 * an ended one until its nodes are free; one that waits again keeps all of it. */
	if (!tasks)
		charge.keep_u = eqt_settlement_committed_u(budgets, known);
	if (end->kind != EQT_STRETCH_LOST)
		charge.keep_u -= charge.keep_u > charge.charge_u
					 ? charge.charge_u
					 : charge.keep_u;
	if (eqt_book_plan_settle(budgets->book, &charge, &entry) < 0)
		return false;
	if (excuse)
		(void) snprintf(entry.why, sizeof(entry.why), "%s", excuse);
	if (eqt_budgets_do(budgets, &entry) < 0)
		return false;
	if (end->settled)
		*end->settled = (struct eqt_run_settled){
			.paid_u = charge.charge_u,
			.entry = eqt_book_seq(budgets->book),
			.excuse = excuse,
		};
	return true;
}

/* Remember a job that has ended, in case somebody requeues it. job is NULL if its record is
 * not that of the run any more: it may be that of a waiting job, which the thread commits. */
static void ended_remember(struct eqt_budgets *budgets, uint32_t job_id,
			   job_record_t *job)
{
	struct eqt_waiting_job ended = { .id = job_id,
					 .state = EQT_WAITING_ENDED };

	/* A requeued job must not start before its price is committed again. An operator's
	 * own priority comes back then; an operator's hold stays. */
	if (job && job->batch_flag && job->priority) {
		if (job->direct_set_prio)
			ended.explicit_priority = job->priority;
		job->direct_set_prio = 0;
		job->priority = 0;
	}
	(void) eqt_waiting_set(&budgets->waiting, &ended);
}

bool eqt_settlement_waits(const struct eqt_budgets *budgets, uint32_t job_id)
{
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job_id);

	return run && run->holds;
}

void eqt_settlement_locked(struct eqt_budgets *budgets,
			   const struct eqt_config *config,
			   const struct eqt_stretch_end *end, bool goes_on)
{
	if (end->job)
		eqt_budgets_adopt(budgets, end->job);
	if (!stretch_settle(budgets, config, end, goes_on))
		return;
	if (end->kind == EQT_STRETCH_END)
		ended_remember(budgets, end->run->job_id, end->job);
	budgets->tried = false;
	eqt_budgets_wake(budgets);
}

time_t eqt_settlement_until(void *arg, uint32_t job_id)
{
	struct eqt_budgets *budgets = arg;
	const struct eqt_book_job *known;
	time_t until = 0;

	if (!eqt_budgets_active(budgets))
		return 0;
	pthread_mutex_lock(&budgets->lock);
	known = eqt_book_job(budgets->book, job_id);
	if (known)
		until = (time_t) known->until;
	pthread_mutex_unlock(&budgets->lock);
	return until;
}

bool eqt_settlement_active(void *arg)
{
	return eqt_budgets_active(arg);
}

void eqt_settlement_stretch(void *arg, const struct eqt_config *config,
			    const struct eqt_stretch_end *end)
{
	struct eqt_budgets *budgets = arg;
	const bool waits = end->kind == EQT_STRETCH_LOST && end->job &&
			   !IS_JOB_FINISHED(end->job);
	const bool goes_on = end->kind == EQT_STRETCH_RESIZE || end->holds ||
			     waits;

	if (!eqt_budgets_active(budgets))
		return;
	pthread_mutex_lock(&budgets->lock);
	eqt_settlement_locked(budgets, config, end, goes_on);
	pthread_mutex_unlock(&budgets->lock);
}
