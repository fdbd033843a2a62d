/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "budget/settlement.h"
#include "rate/job_rate.h"
#include "slurm/log.h"
#include "usage/amounts/charge_qos.h"
#include "usage/charge/refund.h"
#include "usage/charge/suspend.h"

uint64_t eqt_settlement_rate_u(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job)
{
	struct eqt_rate rate;
	double micro, whole;

	if (!job->tres_alloc_cnt || eqt_job_rate(&rate, budgets->rates, config,
						 job, job->tres_alloc_cnt) < 0)
		return 0;
	micro = rate.equivalents * eqt_charge_qos_factor(job) *
		(double) EQT_MICRO;
	/* A rounding error of a double must not add a millionth. */
	whole = rint(micro);
	if (fabs(micro - whole) > 1e-3)
		whole = ceil(micro);
	return whole >= 1.0 && whole < 1e18 ? (uint64_t) whole : 0;
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

/* The charge of a run between two times, without its suspended seconds unless
 * equitree.conf charges them. */
static uint64_t charge_between(const struct eqt_config *config,
			       const job_record_t *job, time_t from, time_t to,
			       uint64_t rate)
{
	uint64_t seconds, suspended = 0, charge;

	if (to <= from || !job->start_time)
		return 0;
	seconds = (uint64_t) (to - from);
	if (!config->charge_suspended && job->suspend_time >= from)
		suspended = (uint64_t) eqt_suspend_until(job, time(NULL), to);
	seconds -= suspended < seconds ? suspended : seconds;
	return __builtin_mul_overflow(seconds, rate, &charge) ? UINT64_MAX
							      : charge;
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

bool eqt_settlement_task(struct eqt_budgets *budgets,
			 const struct eqt_config *config,
			 const job_record_t *job, uint64_t rate, bool goes_on)
{
	time_t now = time(NULL), to = now;
	time_t from = eqt_settlement_from(budgets, job);
	const char *excuse = goes_on ? NULL
				     : settlement_excuse(budgets, config, job);
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	struct eqt_book_charge charge = { .job = job->job_id,
					  .tasks = goes_on ? 0 : 1,
					  .now = (uint64_t) now };
	struct eqt_entry entry;

	if (!known || !known->tasks)
		return false;
	/* slurmctld may report an end late. */
	if (job->end_time && to > job->end_time && !goes_on)
		to = job->end_time;
	if (!excuse)
		charge.charge_u = charge_between(config, job, from, to, rate);
	charge.until = (uint64_t) (to > from ? to : from);
	/* A resized job keeps the rest of its commitment until its new size is known. */
	for (uint64_t i = 0; goes_on && i < known->parts; i++)
		charge.keep_u += known->part[i].taken_u;
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

void eqt_settlement_job_end(struct eqt_budgets *budgets,
			    const struct eqt_config *config, job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool goes_on = IS_JOB_RESIZING(job);
	uint64_t rate;

	/* slurmctld also calls this for jobs that never ran, to try limits. */
	if (!job->start_time || !job->node_bitmap ||
	    job->end_time_exp == (time_t) NO_VAL)
		return;
	assoc_mgr_lock(&locks);
	rate = eqt_settlement_rate_u(budgets, config, job);
	assoc_mgr_unlock(&locks);
	pthread_mutex_lock(&budgets->lock);
	eqt_budgets_adopt(budgets, job);
	if (eqt_settlement_task(budgets, config, job, rate, goes_on)) {
		if (!goes_on)
			ended_remember(budgets, job);
		budgets->tried = false;
		eqt_budgets_wake(budgets);
	}
	pthread_mutex_unlock(&budgets->lock);
}
