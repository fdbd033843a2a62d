/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass: collect jobs, decay and charge usage, rank users, write priorities,
 * and save. Each step takes and releases its own locks and holds them for a
 * limited time. No lock is held from one step to the next.
 */
#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "factors/priority.h"
#include "pass_run.h"
#include "rank/tasks_ahead.h"
#include "rank/classic.h"

/* The counts and times of one pass, for its line in the log. */
struct pass_tally {
	unsigned int charged;
	unsigned int billed;
	unsigned int ranked;
	unsigned int updated; /* The number of priorities that changed. */
	long charge_ms;
	long rank_ms; /* The time for ranking and for setting priorities. */
	long save_ms;
};

/* The argument of the callbacks that lower rooms call. */
struct pass_call {
	struct eqt_state *state;
	const struct eqt_config *config;
	struct pass_tally *tally;
};

static bool pass_wants_charge(const job_record_t *job, void *arg)
{
	const struct pass_call *call = arg;

	return eqt_pass_charge_wants(&call->state->pass_charge, call->config,
				     job);
}

static bool pass_wants_rank(const job_record_t *job, void *arg)
{
	const struct pass_call *call = arg;

	return IS_JOB_RUNNING(job) || IS_JOB_PENDING(job) ||
	       eqt_priority_update_wants(call->config, job);
}

static double pass_priority_rest(const job_record_t *job, time_t now, void *arg)
{
	const struct pass_call *call = arg;

	return eqt_priority_rest(&call->state->priority, call->config, job,
				 now);
}

/* Set the factors of all associations, by Fair Tree or by the classic formula.
 * Returns the number of ranked users, or -1 after logging an error. */
static int pass_rank_users(struct eqt_state *state,
			   const struct eqt_config *config)
{
	if (!config->fairshare)
		return 0;
	return eqt_config_is_classic(config)
		       ? eqt_rank_classic_update(config)
		       : eqt_share_tree_update(&state->tree, config,
					       &state->copies);
}

/* Rank the users, compare the jobs, and write the priorities of the jobs. */
static void pass_rank(struct pass_call *call, time_t now)
{
	struct eqt_state *state = call->state;
	struct eqt_job_copies *copies = &state->copies;
	const struct eqt_config *config = call->config;
	const struct eqt_job_copying copying = {
		.config = config,
		.now = now,
		.locks = EQT_PRIORITY_LOCKS,
		.rest = pass_priority_rest,
		.arg = call,
	};
	int ranked;

	eqt_job_size_update(&state->size, config);
	eqt_job_copies_fill(copies, &copying);
	ranked = pass_rank_users(state, config);
	call->tally->ranked = ranked < 0 ? 0 : (unsigned int) ranked;
	if (config->priority.access_weight)
		eqt_job_order_access(&copies->order);
	eqt_job_factors_set(&state->job_factors, copies);
	call->tally->updated = eqt_priority_update_all(
		&state->priority, state->walk, config, now);
	if (config->priority.tasks_ahead && eqt_config_place_jobs(config))
		eqt_tasks_ahead_take(&state->guard, config, copies->jobs,
				     copies->count);
}

/* The milliseconds since *since, which then becomes the current time. */
static long pass_lap_ms(struct timespec *since)
{
	long ms = eqt_elapsed_ns(since) / 1000000L;

	*since = eqt_elapsed_start();
	return ms;
}

static void pass_log(struct eqt_pass *pass, const struct pass_tally *tally,
		     uint32_t period_s)
{
	long all_ms = tally->charge_ms + tally->rank_ms + tally->save_ms;
	bool slow = all_ms / 1000 > (long) period_s;

	eqt_log_debug("pass: %u jobs charged, %u with another billing, in %ld "
		      "ms; %u users ranked, %u priorities in %ld ms; saved in "
		      "%ld ms",
		      tally->charged, tally->billed, tally->charge_ms,
		      tally->ranked, tally->updated, tally->rank_ms,
		      tally->save_ms);
	if (slow && !pass->slow)
		eqt_log_info("a pass took %ld ms, longer than its period of "
			     "%u s",
			     all_ms, period_s);
	if (!slow && pass->slow)
		eqt_log_info("passes are shorter than their period again");
	pass->slow = slow;
}

void eqt_pass_run(struct eqt_state *state, const struct eqt_config *config,
		  bool whole)
{
	struct pass_tally tally = { 0 };
	struct pass_call call = { state, config, &tally };
	struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_RANKED] = pass_wants_rank },
		.arg = &call,
	};
	struct timespec start = eqt_elapsed_start();
	/* Read the clocks before jobs are collected: a job that starts later
	   has no time to be charged yet. */
	time_t now = time(NULL), charged_to = eqt_clock_now(&state->clock);

	whole = whole && config->fairshare;
	if (whole)
		wanted.wants[EQT_WALK_CHARGED] = pass_wants_charge;
	eqt_walk_collect(state->walk, &wanted);
	if (whole) {
		tally.charged = eqt_pass_charge_pass(
			&state->pass_charge, config, charged_to, &tally.billed);
		tally.charge_ms = pass_lap_ms(&start);
	}
	pass_rank(&call, now);
	tally.rank_ms = pass_lap_ms(&start);
	if (!config->fairshare)
		eqt_clock_start(&state->clock, config->stock.clock);
	if (!whole)
		return;
	eqt_usage_unit_settle(&state->unit);
	eqt_pass_charge_save(&state->pass_charge, config);
	tally.save_ms = pass_lap_ms(&start);
	pass_log(&state->pass, &tally, config->period_s);
}

void eqt_pass_run_last(struct eqt_state *state, const struct eqt_config *config)
{
	struct pass_tally tally = { 0 };
	struct pass_call call = { state, config, &tally };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = pass_wants_charge },
		.arg = &call,
	};
	const time_t charged_to = eqt_clock_now(&state->clock);
	const bool was_set = eqt_clock_step(&state->clock) != 0;

	/* With stock_recovery or stock_decay only a regular pass charges, as in
	   Slurm's own plugin. */
	if (!config->fairshare ||
	    ((config->stock.recovery || config->stock.decay) && !was_set))
		return;
	eqt_walk_collect(state->walk, &wanted);
	if (!was_set && !eqt_walk_count(state->walk, EQT_WALK_CHARGED))
		return;
	(void) eqt_pass_charge_pass(&state->pass_charge, config, charged_to,
				    &tally.billed);
	eqt_usage_unit_settle(&state->unit);
}
