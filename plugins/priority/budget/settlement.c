/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "budget/settlement.h"
#include "rate/job_rate.h"
#include "slurm/log.h"
#include "usage/amounts/charge_qos.h"
#include "usage/charge/refund.h"

uint64_t eqt_settlement_rate_u(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job)
{
	struct eqt_rate rate;

	if (!job->tres_alloc_cnt || eqt_job_rate(&rate, budgets->rates, config,
						 job, job->tres_alloc_cnt) < 0)
		return 0;
	return eqt_stretch_rate_u(rate.equivalents, eqt_charge_qos_factor(job));
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
	return eqt_refund_reason(config->conf->budget.refund, job);
}

/* What budgets have not charged yet. slurmctld may have been killed after they settled an
 * end that it then forgot: its job runs again, and they charge what came after. */
static uint64_t stretch_owed_u(const struct eqt_run *run,
			       const struct eqt_book_job *known)
{
	const uint64_t until = (uint64_t) run->until;
	const uint64_t rate = eqt_stretch_rate_u(run->price, run->factor);
	uint64_t after;

	if (known->until <= (uint64_t) run->owed_from)
		return run->owed_u;
	if (known->until >= until)
		return 0;
	if (__builtin_mul_overflow(until - known->until, rate, &after) ||
	    after > run->owed_u)
		return run->owed_u;
	return after;
}

/* Settle a stretch; false: the job draws on no budget. budgets->lock is held. */
static bool stretch_settle(struct eqt_budgets *budgets,
			   const struct eqt_config *config,
			   const struct eqt_stretch_end *end, bool goes_on)
{
	const struct eqt_run *run = end->run;
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, run->job_id);
	const char *excuse =
		end->job && end->kind != EQT_STRETCH_RESIZE
			? settlement_excuse(budgets, config, end->job)
			: NULL;
	struct eqt_book_charge charge = { .job = run->job_id,
					  .tasks = goes_on ? 0 : 1,
					  .until = (uint64_t) run->until,
					  .now = (uint64_t) time(NULL) };
	struct eqt_entry entry;

	if (!known || !known->tasks)
		return false;
	if (!excuse)
		charge.charge_u = stretch_owed_u(run, known);
	if (charge.until < known->until)
		charge.until = known->until;
	/* A resized job keeps the rest of its commitment until its new size is known, and
	 * an ended one until its nodes are free. */
	if (goes_on)
		charge.keep_u = eqt_settlement_committed_u(budgets, known);
	charge.keep_u -= charge.keep_u > charge.charge_u ? charge.charge_u
							 : charge.keep_u;
	if (eqt_book_plan_settle(budgets->book, &charge, &entry) < 0)
		return false;
	if (excuse)
		(void) snprintf(entry.why, sizeof(entry.why), "%s", excuse);
	return eqt_budgets_do(budgets, &entry) == 0;
}

/* Remember a job that has ended, in case somebody requeues it. */
static void ended_remember(struct eqt_budgets *budgets, job_record_t *job)
{
	struct eqt_waiting_job ended = { .id = job->job_id,
					 .state = EQT_WAITING_ENDED };

	/* A requeued job must not start before its price is committed again. An operator's
	 * own priority comes back then; an operator's hold stays. */
	if (job->batch_flag && job->priority) {
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
	if (end->kind == EQT_STRETCH_END && end->job)
		ended_remember(budgets, end->job);
	budgets->tried = false;
	eqt_budgets_wake(budgets);
}

bool eqt_settlement_active(void *arg)
{
	return eqt_budgets_active(arg);
}

void eqt_settlement_stretch(void *arg, const struct eqt_config *config,
			    const struct eqt_stretch_end *end)
{
	struct eqt_budgets *budgets = arg;
	const bool goes_on = end->kind == EQT_STRETCH_RESIZE || end->holds;

	if (!eqt_budgets_active(budgets))
		return;
	pthread_mutex_lock(&budgets->lock);
	eqt_settlement_locked(budgets, config, end, goes_on);
	pthread_mutex_unlock(&budgets->lock);
}
