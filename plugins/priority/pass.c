/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "slurm/moment.h"
#include "factors/priority_update.h"
#include "pass.h"
#include "rank/array_tasks.h"
#include "rank/classic.h"
#include "walk/job_links.h"

/* What one pass did, for its line in the log. */
struct pass_tally {
	unsigned int charged;
	unsigned int billed;
	unsigned int ranked;
	unsigned int updated; /* priorities */
	long charge_ms;
	long rank_ms; /* with the priorities */
	long save_ms;
};

/* A pass, as the rooms below call it back. */
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

static bool pass_wants_look(const job_record_t *job, void *arg)
{
	const struct pass_call *call = arg;

	return eqt_pass_charge_look_wants(&call->state->pass_charge,
					  call->config, job);
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

/* Decay usage, charge the collected jobs, and correct their billing. */
static void pass_charge(struct pass_call *call, time_t now)
{
	struct eqt_state *state = call->state;
	const struct eqt_config *config = call->config;

	call->tally->charged =
		eqt_pass_charge_pass(&state->pass_charge, config, now);
	call->tally->billed = eqt_billing_tres_update(
		&state->billing, config, state->pass_charge.last_ran);
}

/* Set the factors of all associations by one of the two kinds of fair share.
 * Returns how many users were ranked, -1 when that failed (logged). */
static int pass_rank_users(struct eqt_state *state,
			   const struct eqt_config *config)
{
	if (!config->fairshare)
		return 0;
	return eqt_config_is_classic(config)
		       ? eqt_rank_classic_update(config, &state->copies)
		       : eqt_share_tree_update(&state->tree, config,
					       &state->copies);
}

/* Rank, compare the jobs, and write their priorities. */
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
		eqt_job_order_access(copies->jobs, copies->count);
	eqt_job_factors_set(&state->job_factors, copies->jobs, copies->count);
	call->tally->updated = eqt_priority_update_all(
		&state->priority, state->walk, config, now);
	if (config->priority.tasks_ahead && eqt_config_place_jobs(config))
		eqt_array_tasks_take(&state->guard, config, copies->jobs,
				     copies->count);
}

/* Milliseconds since a moment, which becomes the present one. */
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

/* whole: charge, rank and save; otherwise ranks and priorities alone. */
static void pass_run(struct eqt_state *state, const struct eqt_config *config,
		     bool whole)
{
	struct pass_tally tally = { 0 };
	struct pass_call call = { state, config, &tally };
	struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_RANKED] = pass_wants_rank },
		.arg = &call,
	};
	struct timespec start = eqt_elapsed_start();
	/* Before the jobs are collected: one that starts later has nothing to
	 * be charged for by now. */
	time_t now = time(NULL);

	whole = whole && config->fairshare;
	if (whole)
		wanted.wants[EQT_WALK_CHARGED] = pass_wants_charge;
	eqt_walk_collect(state->walk, &wanted);
	if (whole) {
		pass_charge(&call, now);
		tally.charge_ms = pass_lap_ms(&start);
	}
	pass_rank(&call, now);
	tally.rank_ms = pass_lap_ms(&start);
	if (!whole)
		return;
	eqt_usage_unit_settle(&state->unit);
	eqt_pass_charge_save(&state->pass_charge, config);
	tally.save_ms = pass_lap_ms(&start);
	pass_log(&state->pass, &tally, config->period_s);
}

/* Take what has passed off run seconds that slurmctld has rebuilt. */
static void pass_take_off_limits(struct eqt_state *state,
				 const struct eqt_config *config)
{
	struct pass_call call = { .state = state, .config = config };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = pass_wants_charge },
		.arg = &call,
	};

	eqt_pass_charge_limits(&state->pass_charge, config, &wanted);
}

/* Plan the next look for ends that slurmctld does not report; so that looks take no
 * more than a two-hundredth of a processor. */
static void pass_plan_look(struct eqt_pass *pass,
			   const struct eqt_config *config, uint64_t took_ms)
{
	uint64_t wait_ms = eqt_pass_charge_look_every(config) * UINT64_C(1000);

	pass->looks = wait_ms > 0;
	pass->look = eqt_moment_in_ms(wait_ms < 200 * took_ms ? 200 * took_ms
							      : wait_ms);
}

/* Look for ends that slurmctld does not report. */
static void pass_look(struct eqt_state *state)
{
	const struct eqt_config *config = eqt_config_get(&state->config);
	struct pass_call call = { .state = state, .config = config };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = pass_wants_look },
		.arg = &call,
	};
	uint64_t start_ms = eqt_moment_thread_ms();

	if (eqt_pass_charge_look_every(config)) {
		eqt_pass_charge_look(&state->pass_charge, config, &wanted);
		(void) eqt_billing_tres_update(&state->billing, config,
					       state->pass_charge.last_ran);
	}
	pass_plan_look(&state->pass, config, eqt_moment_thread_ms() - start_ms);
	eqt_config_put(config);
}

/* stock_reconfigure: limits are corrected at once, without a pass. pass->lock is
 * held, and released meanwhile. */
static void pass_serve_limits(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;

	while (pass->limits && !pass->now && !pass->stop) {
		const struct eqt_config *config;

		pass->limits = false;
		pthread_mutex_unlock(&pass->lock);
		config = eqt_config_get(&state->config);
		pass_take_off_limits(state, config);
		eqt_config_put(config);
		pthread_mutex_lock(&pass->lock);
	}
}

/*
 * Sleep until a moment, and look for ends meanwhile. pass->lock is held, and
 * released meanwhile. False when woken.
 */
static bool pass_sleep(struct eqt_state *state, const struct timespec *until)
{
	struct eqt_pass *pass = &state->pass;

	while (pass->looks && eqt_moment_is_before(&pass->look, until)) {
		struct timespec look = pass->look;

		if (pthread_cond_timedwait(&pass->wake, &pass->lock, &look) !=
		    ETIMEDOUT)
			return false;
		pthread_mutex_unlock(&pass->lock);
		pass_look(state);
		pthread_mutex_lock(&pass->lock);
		/* What was asked for meanwhile woke nobody. */
		if (pass->stop || pass->now || pass->limits)
			return false;
	}
	return pthread_cond_timedwait(&pass->wake, &pass->lock, until) ==
	       ETIMEDOUT;
}

/*
 * Sleep until the next pass is due, or one or the end is requested; a second at
 * least, so that a storm of requests does not become a storm of passes. True for
 * a whole pass, false when only rank_every_ms (0: never) is over.
 */
static bool pass_wait(struct eqt_state *state, const struct timespec *due,
		      uint64_t rank_every_ms)
{
	struct eqt_pass *pass = &state->pass;
	struct timespec until = *due, soonest = eqt_moment_in_ms(1000);
	bool whole;

	if (rank_every_ms) {
		struct timespec rank = eqt_moment_in_ms(rank_every_ms);

		if (eqt_moment_is_before(&rank, &until))
			until = rank;
		if (eqt_moment_is_before(&rank, &soonest))
			soonest = rank;
	}
	pthread_mutex_lock(&pass->lock);
	pass_serve_limits(state);
	while (!pass->stop && !pass_sleep(state, pass->now ? &soonest : &until))
		pass_serve_limits(state);
	whole = pass->now || !eqt_moment_is_before(&until, due);
	pass->now = false;
	pthread_mutex_unlock(&pass->lock);
	return whole;
}

/* stock_clock: whole passes are due on the wall clock, a period after each
 * other, however it is set meanwhile. */
static void pass_wait_wall_clock(struct eqt_state *state, uint32_t period_s)
{
	struct eqt_pass *pass = &state->pass;
	struct timespec soonest = eqt_moment_in_ms(1000), due = { 0 };

	pass->due += (time_t) period_s;
	due.tv_sec = pass->due;
	pthread_mutex_lock(&pass->lock);
	pass_serve_limits(state);
	while (!pass->stop && !pass->now &&
	       pthread_cond_clockwait(&pass->wake, &pass->lock, CLOCK_REALTIME,
				      &due) != ETIMEDOUT)
		pass_serve_limits(state);
	if (pass->now)
		pass->due -= (time_t) period_s;
	while (!pass->stop && pass->now &&
	       pthread_cond_timedwait(&pass->wake, &pass->lock, &soonest) !=
		       ETIMEDOUT)
		;
	pass->now = false;
	pthread_mutex_unlock(&pass->lock);
}

static bool pass_is_stopping(struct eqt_pass *pass)
{
	bool stop;

	pthread_mutex_lock(&pass->lock);
	stop = pass->stop;
	pthread_mutex_unlock(&pass->lock);
	return stop;
}

static bool pass_take_limits_flag(struct eqt_pass *pass)
{
	bool limits;

	pthread_mutex_lock(&pass->lock);
	limits = pass->limits;
	pass->limits = false;
	pthread_mutex_unlock(&pass->lock);
	return limits;
}

/*
 * A slurmctld whose successor failed at a reconfigure goes on: it reads all
 * associations again, and a thread of it then corrects the pointers in the jobs
 * that it kept. Nothing may follow them before.
 */
static void pass_wait_for_links(struct eqt_pass *pass)
{
	const struct timespec moment = { .tv_nsec = 50000000L };

	for (int i = 0;
	     i < 1200 && !pass_is_stopping(pass) && !eqt_job_links_fit(); i++)
		nanosleep(&moment, NULL);
}

static void *pass_thread(void *arg)
{
	struct eqt_state *state = arg;
	struct eqt_pass *pass = &state->pass;
	struct timespec due;
	bool whole = true;

	(void) prctl(PR_SET_NAME, "eqt_pass", 0L, 0L, 0L);
	if (pass->again)
		pass_wait_for_links(pass);
	pass->due = time(NULL);
	while (!pass_is_stopping(pass)) {
		const struct eqt_config *config =
			eqt_config_get(&state->config);
		uint64_t rank_every_ms = config->priority.rank_every_ms;
		uint32_t period_s = config->period_s;
		bool by_wall_clock = config->stock.clock;

		if (pass_take_limits_flag(pass))
			pass_take_off_limits(state, config);
		pass_run(state, config, whole);
		if (whole) {
			due = eqt_moment_in_ms((uint64_t) period_s * 1000);
			pass_plan_look(&state->pass, config, 0);
		}
		eqt_config_put(config);
		if (by_wall_clock) {
			pass_wait_wall_clock(state, period_s);
			whole = true;
		} else {
			whole = pass_wait(state, &due, rank_every_ms);
			pass->due = time(NULL);
		}
	}
	/* slurmctld may end for long, and then forgets what has ended. */
	pass_look(state);
	return NULL;
}

static void pass_init_wake(struct eqt_pass *pass)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	/* Setting the wall clock must not stop the passes. */
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&pass->wake, &attr);
	pthread_condattr_destroy(&attr);
}

int eqt_pass_init(struct eqt_state *state, struct eqt_error *err)
{
	struct eqt_pass *pass = &state->pass;
	const struct eqt_config *config = eqt_config_get(&state->config);
	int rc = eqt_pass_charge_begin(&state->pass_charge, config, err);

	eqt_config_put(config);
	if (rc < 0)
		return -1;
	pass_init_wake(pass);
	pass->stop = pass->now = false;
	pass->limits = true;
	eqt_run_secs_rebuild_notify(&state->rebuild);
	return 0;
}

int eqt_pass_start(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;
	int error;

	if (pass->running)
		return 0;
	/* Without it lines wait for the next snapshot. */
	if (eqt_journal_start(&state->journal) < 0)
		return -1;
	error = pthread_create(&pass->thread, NULL, pass_thread, state);
	if (error) {
		eqt_log_error("cannot start the pass thread: %s",
			      strerror(error));
		return -1;
	}
	pass->running = true;
	return 0;
}

/* End the thread and save usage. */
static void pass_stop_thread(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;
	const struct eqt_config *config;

	pthread_mutex_lock(&pass->lock);
	pass->stop = true;
	pthread_cond_signal(&pass->wake);
	pthread_mutex_unlock(&pass->lock);
	pthread_join(pass->thread, NULL);
	pass->running = false;
	config = eqt_config_get(&state->config);
	eqt_pass_charge_save(&state->pass_charge, config);
	eqt_config_put(config);
}

void eqt_pass_stop(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;

	if (pass->running)
		pass_stop_thread(state);
	pass->again = true;
	pthread_cond_destroy(&pass->wake);
}

/* Ask the thread for a pass now, or for corrected limits. */
static void pass_request(struct eqt_pass *pass, bool now, bool limits)
{
	pthread_mutex_lock(&pass->lock);
	pass->now |= now;
	pass->limits |= limits;
	if (pass->running)
		pthread_cond_signal(&pass->wake);
	pthread_mutex_unlock(&pass->lock);
}

void eqt_pass_wake(struct eqt_state *state)
{
	pass_request(&state->pass, true, false);
}

void eqt_pass_reconfigured(struct eqt_state *state, bool limits)
{
	const struct eqt_config *config = eqt_config_get(&state->config);

	if (limits)
		eqt_run_secs_rebuild_notify(&state->rebuild);
	if (!config->stock.reconfigure)
		pass_request(&state->pass, true, limits);
	else if (limits && config->fairshare)
		pass_request(&state->pass, false, true);
	eqt_config_put(config);
}
