/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "budget/book/payers.h"
#include "budget/commitment.h"
#include "budget/settlement.h"
#include "rate/job_qos.h"
#include "rate/job_rate.h"
#include "slurm/log.h"
#include "slurm/spec_partition.h"
#include "usage/runs/job_run.h"

/* In place of a time limit without end, before it is cut: a hundred years. */
#define UNLIMITED_MINUTES (100U * 365 * 24 * 60)

/* The seconds that slurmctld lets a job run beyond its time limit. Where there is no end of
 * that, the job started before its account had a budget: none. */
static time_t job_over_seconds(const job_record_t *job)
{
	const uint32_t over = eqt_spec_partition_over_minutes(job->part_ptr);

	return over == INFINITE ? 0 : (time_t) over * 60;
}

/* The seconds from the time up to which a running job is charged to the last that it may
 * run. One whose limit was set to less than it has run ends soon, and owes what it ran. */
static uint64_t job_seconds_to_limit(const struct eqt_budgets *budgets,
				     const struct eqt_config *config,
				     const job_record_t *job)
{
	time_t from = eqt_settlement_from(budgets, job), now = time(NULL);
	time_t limit = job->start_time + (time_t) job->time_limit * 60 +
		       job_over_seconds(job);

	if (config->charge_suspended)
		limit += eqt_job_run_suspended(job, now, now);
	if (limit < now)
		limit = now;
	return limit > from ? (uint64_t) (limit - from) : 0;
}

/* Cut the time limit to what the commitment pays for, in whole minutes. committed is in
 * micro-equivalent-seconds, rate in micro-equivalents: the quotient is in seconds. */
static void job_cut_limit(struct eqt_budgets *budgets,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t committed, uint64_t rate)
{
	const bool unlimited = job->time_limit == INFINITE ||
			       job->time_limit == NO_VAL;
	uint64_t wanted, minutes;

	/* slurmctld ends such a job after a year: its end follows from a limit. */
	if (unlimited) {
		job->time_limit = UNLIMITED_MINUTES;
		job->end_time =
			job->start_time + (time_t) UNLIMITED_MINUTES * 60;
	}
	wanted = job_seconds_to_limit(budgets, config, job);
	/* Minutes to cut are rounded up. */
	minutes = wanted > committed / rate
			  ? (wanted - committed / rate + 59) / 60
			  : 0;
	if (minutes >= job->time_limit)
		minutes = job->time_limit ? job->time_limit - 1 : 0;
	if (!minutes && !unlimited)
		return;
	job->time_limit -= (uint32_t) minutes;
	job->end_time -= (time_t) minutes * 60;
	last_job_update = time(NULL);
	eqt_log_info("budgets: job %u has its time limit cut to %u minutes%s: "
		     "its budget has no more left",
		     job->job_id, job->time_limit,
		     unlimited ? ", and had none" : "");
}

/* What fair share charges a running job up to now, which budgets have not settled. */
static uint64_t running_cost_u(const struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job,
			       const struct eqt_rate *rate)
{
	const struct eqt_job_charge *charges = budgets->charges;
	const struct eqt_run none = { 0 };
	const struct eqt_run *run =
		eqt_runs_find(charges->runs.table, job->job_id);
	const time_t now = time(NULL);
	const time_t idle =
		run && run->marks.suspended ? run->marks.suspended - 1 : 0;
	struct eqt_stretch_part part = {
		.to = eqt_clock_now(charges->runs.clock),
		.price = rate->equivalents,
		.factor = eqt_settlement_factor(config, job),
		.week = 1,
	};

	if (!config->charge_suspended)
		part.idle_s = eqt_job_run_suspended(job, now, now) - idle;
	if (!run || eqt_run_start(run) != job->start_time)
		run = &none;
	part.from = run == &none ? eqt_job_run_start(&charges->runs, job)
				 : run->until;
	return run->settled_u + eqt_stretch_owed_u(run, &part);
}

/*
 * A running job without a commitment draws on budgets only if its whole price fits, or if
 * they have settled its run, whose end slurmctld forgot in a kill. It pays from their grant
 * on; one that has started after that has lost its commitment in a kill.
 */
static bool running_takes_part(const struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       const job_record_t *job,
			       const struct eqt_rate *rate,
			       struct eqt_book_wish *wish)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	enum eqt_book_answer answer;

	if (known && (known->tasks || (time_t) known->run == job->start_time))
		return true;
	if ((time_t) eqt_book_last_grant(budgets->book, wish) >
	    job->start_time) {
		wish->run = (uint64_t) job->start_time;
		wish->settled_u = running_cost_u(budgets, config, job, rate);
		wish->need_u -= wish->need_u > wish->settled_u ? wish->settled_u
							       : wish->need_u;
	}
	answer = eqt_book_plan_commit(budgets->book, wish, NULL, NULL);
	if (answer == EQT_BOOK_LACKS || answer == EQT_BOOK_NEVER)
		eqt_log_info(
			"budgets: job %u runs already and does not fit: it "
			"draws on no budget",
			job->job_id);
	return answer == EQT_BOOK_FITS;
}

/* Bring the commitment to wish->need_u, both ways. The lock of the budgets is held, and
 * slurmctld's jobs for writing, because a time limit may be cut. */
static void running_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   struct eqt_book_wish *wish, uint64_t rate)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	uint64_t wanted = wish->need_u;
	uint64_t committed = known ? eqt_settlement_committed_u(budgets, known)
				   : 0;
	struct eqt_entry entry;

	/* This record is the rest of an array; its tasks have records of their own. */
	if (known && known->tasks > 1)
		return;
	/* The job got more nodes or time than it committed for, or less than its array's share. */
	if (wanted > committed) {
		wish->need_u = wanted - committed;
		(void) eqt_settlement_commit(budgets, wish);
		known = eqt_book_job(budgets->book, job->job_id);
		committed = known ? eqt_settlement_committed_u(budgets, known)
				  : 0;
		if (rate && wanted > committed)
			job_cut_limit(budgets, config, job, committed, rate);
	} else if (wanted < committed) {
		const struct eqt_book_charge charge = {
			.job = job->job_id,
			.keep_u = wanted,
			.until = known->until,
			.now = wish->now,
		};

		if (eqt_book_plan_settle(budgets->book, &charge, &entry) == 0)
			(void) eqt_budgets_do(budgets, &entry);
		/* Others may fit into what came back. */
		budgets->tried = false;
		eqt_budgets_wake(budgets);
	}
}

void eqt_commitment_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job)
{
	struct eqt_book_path path;
	struct eqt_book_wish wish = { .path = &path,
				      .qos = job->qos_ptr ? job->qos_ptr->name
							  : NULL,
				      .job = job->job_id,
				      .tasks = 1,
				      .now = (uint64_t) time(NULL) };
	struct eqt_rate measure = { 0 };
	uint64_t rate = eqt_settlement_rate_u(budgets, config, job);

	if (!job->assoc_ptr || !job->tres_alloc_cnt || !job->start_time ||
	    budgets->unread.text[0])
		return;
	if (eqt_job_rate(&measure, budgets->rates, config, job,
			 job->tres_alloc_cnt) == 0)
		wish.pool = measure.gpu_pool ? EQT_BUDGET_GPUS
					     : EQT_BUDGET_CORES;
	eqt_payers_fill(&path, job->assoc_ptr);
	pthread_mutex_lock(&budgets->lock);
	eqt_budgets_adopt(budgets, job);
	/* Without a limit, or beyond 64 bits, no budget is enough. */
	if (job->time_limit == INFINITE || job->time_limit == NO_VAL ||
	    __builtin_mul_overflow(rate,
				   job_seconds_to_limit(budgets, config, job),
				   &wish.need_u))
		wish.need_u = UINT64_MAX;
	if (running_takes_part(budgets, config, job, &measure, &wish)) {
		const struct eqt_waiting_job measured = {
			.id = job->job_id,
			.state = EQT_WAITING_COMMITTED,
			.measured = true,
			.booting = IS_JOB_POWER_UP_NODE(job) ? job->start_time
							     : 0,
		};

		running_adjust(budgets, config, job, &wish, rate);
		(void) eqt_waiting_set(&budgets->waiting, &measured);
	}
	pthread_mutex_unlock(&budgets->lock);
}
