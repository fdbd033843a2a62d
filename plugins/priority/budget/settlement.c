/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <time.h>

#include "budget/book/payers.h"
#include "budget/settlement.h"
#include "walk/job_links.h"
#include "rate/job_rate.h"
#include "slurm/log.h"
#include "slurm/spec_partition.h"
#include "usage/job_end.h"

/* The amount that a job has committed: the largest sum of its parts in the
 * budgets of one owner. */
static uint64_t committed_u(const struct eqt_budgets *budgets,
			    const struct eqt_book_job *job)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < job->parts; i++) {
		uint64_t sum = 0;

		for (uint64_t j = 0; j < job->parts; j++) {
			if (eqt_book_same_owner(budgets->book,
						job->part[i].budget,
						job->part[j].budget))
				sum += job->part[j].taken_u;
		}
		if (sum > most)
			most = sum;
	}
	return most;
}

/* The time up to which a run of a job is already charged. budgets->lock is
 * held. */
static time_t settlement_from(const struct eqt_budgets *budgets,
			      const job_record_t *job)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job->job_id);
	time_t from = job->start_time;

	/* The times in a job's record are those of the wall clock. */
	if (run && run->start == job->start_time && !run->recalled)
		from = run->owed_from - run->shift;
	if (known && (time_t) known->run == job->start_time &&
	    (time_t) known->until > from)
		from = (time_t) known->until;
	return from;
}

/* The reason why the end of a run is not charged, or NULL. */
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

/* The cost of a run: the amount that budgets have settled, plus the amount that
 * it owes unless that is excused. */
static uint64_t stretch_cost_u(const struct eqt_run *run, bool excused)
{
	uint64_t cost;

	return __builtin_add_overflow(run->settled_u + run->unread_u,
				      excused ? 0 : run->owed_u, &cost)
		       ? UINT64_MAX
		       : cost;
}

/* The part of the cost of a run that the book has. A kill may have lost the line of the
 * record, the entry of the book, or slurmctld's memory of an end, so only the
 * difference is charged. A book that is at a later run has all entries of this run. A
 * book of an older version of equitree has no runs. */
static uint64_t stretch_settled_u(const struct eqt_run *run,
				  const struct eqt_book_job *known)
{
	const uint64_t start = (uint64_t) eqt_run_start(run);

	if (known->run > start || (!known->run && known->until > start))
		return run->settled_u;
	return known->run == start ? known->settled_u : 0;
}

/* The part of the cost of a run that budgets have not charged yet. If the cost before a
 * restart is not known, budgets charge the time after their last charge at the present
 * price. */
static uint64_t stretch_owed_u(const struct eqt_run *run,
			       const struct eqt_book_job *known, bool excused)
{
	const uint64_t cost = stretch_cost_u(run, excused);
	const uint64_t settled = stretch_settled_u(run, known);
	const uint64_t until = (uint64_t) run->until;
	uint64_t after;

	if (!run->guessed)
		return cost > settled ? cost - settled : 0;
	if (excused || known->until >= until)
		return 0;
	if (known->until <= (uint64_t) run->guessed ||
	    __builtin_mul_overflow(until - known->until,
				   eqt_stretch_rate_u(run->price, run->factor),
				   &after) ||
	    after > run->owed_u)
		return run->owed_u;
	return after;
}

static enum eqt_budget_pool stretch_pool(const struct eqt_run *run)
{
	return run->open.pool == 'g' ? EQT_BUDGET_GPUS : EQT_BUDGET_CORES;
}

/* Find the user and the accounts of a run, which pay for what exceeds its
 * commitment. assoc_mgr's assoc and QOS locks are held. Returns false if the
 * association was removed. */
static bool stretch_payers(const struct eqt_run *run,
			   struct eqt_book_path *path,
			   struct eqt_book_wish *payers)
{
	const slurmdb_assoc_rec_t *assoc = eqt_job_links_assoc(run->assoc_id);
	const slurmdb_qos_rec_t *qos = eqt_job_links_qos_of_id(run->qos_id);

	*payers = (struct eqt_book_wish){
		.path = path,
		.pool = stretch_pool(run),
		.qos = qos ? qos->name : NULL,
	};
	if (assoc)
		eqt_payers_fill(path, assoc);
	return assoc != NULL;
}

/* The job in the book to which a stretch is charged. Returns NULL if the job
 * draws on no budget or is settled. A run whose end slurmctld forgot, or whose
 * commitment was returned before its end was found, is charged as long as it
 * owes something. */
static const struct eqt_book_job *stretch_payer(
	const struct eqt_budgets *budgets, const struct eqt_stretch_end *end,
	bool goes_on)
{
	const struct eqt_run *run = end->run;
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, run->job_id);

	if (known && !known->tasks && !goes_on &&
	    !stretch_owed_u(run, known, false))
		return NULL;
	return known;
}

/* Does another job have this number now, because slurmctld was killed before it
 * saved its jobs? */
static bool stretch_lost_number(const struct eqt_stretch_end *end)
{
	return end->kind == EQT_STRETCH_LOST && end->job &&
	       end->job->assoc_ptr &&
	       end->job->assoc_ptr->id != end->run->assoc_id;
}

/* Commit the wish of one task or, if that does not fit, the amount that is
 * left. budgets->lock is held. */
static bool commitment_raise(struct eqt_budgets *budgets,
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

/* Add a reservation to the book at its first settlement, because it commits
 * nothing before it begins. */
static void stretch_commit_reserved(struct eqt_budgets *budgets,
				    const struct eqt_run *run)
{
	struct eqt_book_path path;
	struct eqt_book_wish wish;

	if (eqt_book_job(budgets->book, run->job_id) || !run->owed_u ||
	    !stretch_payers(run, &path, &wish))
		return;
	wish.job = run->job_id;
	wish.tasks = 1;
	wish.need_u = run->owed_u;
	wish.now = (uint64_t) time(NULL);
	(void) commitment_raise(budgets, &wish);
}

/* Settle a stretch. Returns false if the job draws on no budget. budgets->lock
 * is held. */
static bool stretch_settle(struct eqt_budgets *budgets,
			   const struct eqt_config *config,
			   const struct eqt_stretch_end *end, bool goes_on)
{
	const struct eqt_run *run = end->run;
	const struct eqt_book_job *known = stretch_payer(budgets, end, goes_on);
	const bool may_excuse = end->kind == EQT_STRETCH_END ||
				end->kind == EQT_STRETCH_HELD;
	const char *excuse =
		end->job && may_excuse
			? settlement_excuse(budgets, config, end->job)
			: NULL;
	struct eqt_book_path path;
	struct eqt_book_wish payers;
	struct eqt_book_charge charge = { .job = run->job_id,
					  .until = (uint64_t) run->until,
					  .run = (uint64_t) eqt_run_start(run),
					  .pool = stretch_pool(run),
					  .now = (uint64_t) time(NULL) };
	const bool is_others = stretch_lost_number(end);
	struct eqt_entry entry;

	if (!known)
		return false;
	charge.charge_u = stretch_owed_u(run, known, excuse != NULL);
	/* A lost run with nothing to settle keeps its commitment. */
	if (end->kind == EQT_STRETCH_LOST && (goes_on || is_others) &&
	    !charge.charge_u)
		return false;
	charge.settled_u = stretch_settled_u(run, known) + charge.charge_u;
	if (known->run > charge.run)
		charge.run = 0;
	charge.tasks = goes_on || is_others || !known->tasks ? 0 : 1;
	if (charge.until < known->until)
		charge.until = known->until;
	/* A resized job keeps the rest of its commitment until its new size is
	   known, and an ended job until its nodes are free. A job that waits
	   again keeps all of it. */
	if (!charge.tasks)
		charge.keep_u = committed_u(budgets, known);
	if (end->kind != EQT_STRETCH_LOST)
		charge.keep_u -= charge.keep_u > charge.charge_u
					 ? charge.charge_u
					 : charge.keep_u;
	if ((!known->parts || is_others) && stretch_payers(run, &path, &payers))
		charge.payers = &payers;
	else if (is_others)
		return false;
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

/* If an operator has set the priority, it returns when the price is committed;
 * a hold stays. The record of a waiting job is marked, because slurmctld saves
 * the record and may be killed before the run is settled. */
void eqt_settlement_remember(struct eqt_budgets *budgets, uint32_t job_id,
			     job_record_t *job)
{
	struct eqt_waiting_job ended = { .id = job_id,
					 .state = EQT_WAITING_ENDED };

	if (job)
		ended.explicit_priority =
			eqt_budgets_explicit_priority(budgets, job);
	if (job && job->batch_flag && !eqt_budgets_held_by_others(job)) {
		if (job->direct_set_prio)
			ended.explicit_priority = job->priority;
		job->direct_set_prio = 0;
		job->priority = 0;
		if (IS_JOB_PENDING(job)) {
			job->state_reason = WAIT_HELD;
			eqt_budgets_describe(job,
					     EQT_BUDGETS_MARK
					     "settles the last run first",
					     ended.explicit_priority);
		}
	}
	if (eqt_waiting_set(&budgets->waiting, &ended) < 0)
		eqt_log_error("budgets: out of memory: job %u stays held",
			      job_id);
}

bool eqt_settlement_waits(const struct eqt_budgets *budgets,
			  const job_record_t *job)
{
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job->job_id);

	return IS_JOB_COMPLETING(job) || (run && run->holds);
}

/* Settle a stretch. goes_on says that the rest stays committed. budgets->lock
 * is held. */
static void settlement_locked(struct eqt_budgets *budgets,
			      const struct eqt_config *config,
			      const struct eqt_stretch_end *end, bool goes_on)
{
	if (end->job)
		eqt_budgets_adopt(budgets, end->job);
	if (end->run->job_id >= EQT_CHARGE_RESERVED)
		stretch_commit_reserved(budgets, end->run);
	if (!stretch_settle(budgets, config, end, goes_on))
		return;
	if (end->kind == EQT_STRETCH_END)
		eqt_settlement_remember(budgets, end->run->job_id, end->job);
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
	const bool waits = end->kind == EQT_STRETCH_LOST && end->job &&
			   !IS_JOB_FINISHED(end->job);
	const bool goes_on = end->kind == EQT_STRETCH_RESIZE || end->holds ||
			     waits;

	if (!eqt_budgets_active(budgets))
		return;
	pthread_mutex_lock(&budgets->lock);
	if (!budgets->unread.text[0]) {
		settlement_locked(budgets, config, end, goes_on);
	} else {
		/* The next start that has the file settles this stretch, unless
		   it is excused. A requeued job must not start before that. */
		if (!end->job || !settlement_excuse(budgets, config, end->job))
			end->settled->excuse = EQT_CHARGE_UNREAD;
		if (end->kind == EQT_STRETCH_END)
			eqt_settlement_remember(budgets, end->run->job_id,
						end->job);
		eqt_budgets_wake(budgets);
	}
	pthread_mutex_unlock(&budgets->lock);
}

/* ---- The commitment of a running job ------------------------------------------- */

/* The largest factor by which usage counts a job's price: the QOS's UsageFactor
 * at the most expensive time of the week. */
static double commitment_factor(const struct eqt_config *config,
				const job_record_t *job)
{
	const struct eqt_week *week = &config->conf->week;

	return week->count ? eqt_job_links_usage_factor(job) *
				     eqt_week_factor(week->most_u)
			   : eqt_job_links_usage_factor(job);
}

/* A hundred years stand for an unlimited time limit before it is cut. */
#define UNLIMITED_MINUTES (100U * 365 * 24 * 60)

/* The seconds that slurmctld lets a job run beyond its time limit.
 * OverTimeLimit=UNLIMITED counts as 0, because such a job started before its
 * account had a budget. */
static time_t job_over_seconds(const job_record_t *job)
{
	const uint32_t over = eqt_spec_partition_over_minutes(job->part_ptr);

	return over == INFINITE ? 0 : (time_t) over * 60;
}

/* The seconds from the time up to which a running job is charged to its latest
 * end. If its limit was set to less than it has run, it ends now. */
static uint64_t job_seconds_to_limit(const struct eqt_budgets *budgets,
				     const struct eqt_config *config,
				     const job_record_t *job)
{
	time_t from = settlement_from(budgets, job), now = time(NULL);
	time_t limit = job->start_time + (time_t) job->time_limit * 60 +
		       job_over_seconds(job);

	if (config->charge_suspended)
		limit += eqt_job_run_suspended(job, now, now);
	if (limit < now)
		limit = now;
	return limit > from ? (uint64_t) (limit - from) : 0;
}

/* Cut the time limit to what the commitment pays for, in whole minutes.
 * committed is in micro-equivalent-seconds and rate in micro-equivalents, so
 * the quotient is in seconds. */
static void job_cut_limit(struct eqt_budgets *budgets,
			  const struct eqt_config *config, job_record_t *job,
			  uint64_t committed, uint64_t rate)
{
	const bool unlimited = job->time_limit == INFINITE ||
			       job->time_limit == NO_VAL;
	uint64_t wanted, minutes;

	/* Without a limit, slurmctld has set the end to a year after the
	   start. */
	if (unlimited) {
		job->time_limit = UNLIMITED_MINUTES;
		job->end_time =
			job->start_time + (time_t) UNLIMITED_MINUTES * 60;
	}
	wanted = job_seconds_to_limit(budgets, config, job);
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

/* What fair share has charged a running job up to now. Budgets have settled
 * none of it. */
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
	struct eqt_run_charge part = {
		.to = eqt_clock_now(charges->runs.clock),
		.price = rate->equivalents,
		.factor = commitment_factor(config, job),
		.week = 1,
	};

	if (!config->charge_suspended)
		part.idle_s = eqt_job_run_suspended(job, now, now) - idle;
	if (!run || eqt_run_start(run) != job->start_time)
		run = &none;
	part.from = run == &none ? eqt_job_run_start(&charges->runs, job)
				 : run->until;
	return run->settled_u + run->unread_u + eqt_stretch_owed_u(run, &part);
}

/*
 * Does a running job draw on budgets? Without a commitment, it does if its
 * whole price fits, or if its run was settled and a kill made slurmctld forget
 * the end. A job that started before the last grant pays from that grant on. A
 * job that started later lost its commitment in a kill.
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
	if ((time_t) eqt_book_plan_last_grant(budgets->book, wish) >
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

/* Raise or lower the commitment to wish->need_u. budgets->lock is held, and
 * slurmctld's job lock is held for writing, because a time limit may be cut. */
static void running_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   struct eqt_book_wish *wish, uint64_t rate)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, job->job_id);
	uint64_t wanted = wish->need_u;
	uint64_t committed = known ? committed_u(budgets, known) : 0;
	struct eqt_entry entry;

	/* This record is the remaining array, whose tasks have separate
	   records. */
	if (known && known->tasks > 1)
		return;
	/* The job got more nodes or time than it committed for, or its share of
	   its array's commitment is too small. */
	if (wanted > committed) {
		wish->need_u = wanted - committed;
		(void) commitment_raise(budgets, wish);
		known = eqt_book_job(budgets->book, job->job_id);
		committed = known ? committed_u(budgets, known) : 0;
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
		/* Other jobs may fit into the returned amount. */
		budgets->tried = false;
		eqt_budgets_wake(budgets);
	}
}

void eqt_settlement_adjust(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job)
{
	struct eqt_book_path path;
	struct eqt_book_wish wish;
	struct eqt_rate measure = { 0 };
	uint64_t rate = 0;

	if (!job->assoc_ptr || !job->tres_alloc_cnt || !job->start_time ||
	    budgets->unread.text[0])
		return;
	eqt_payers_wish(&wish, &path, job);
	if (eqt_job_rate(&measure, budgets->rates, config, job,
			 job->tres_alloc_cnt) == 0) {
		rate = eqt_stretch_rate_u(measure.equivalents,
					  commitment_factor(config, job));
		wish.pool = measure.gpu_pool ? EQT_BUDGET_GPUS
					     : EQT_BUDGET_CORES;
	}
	pthread_mutex_lock(&budgets->lock);
	eqt_budgets_adopt(budgets, job);
	/* No budget is enough for a job without a limit, or for an amount
	   beyond 64 bits. */
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
