/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass thread. It sleeps on a condition between passes. Requests set a flag
 * under pass->lock and wake the thread. While the thread waits for the next
 * pass, it also searches for job ends that slurmctld does not report, and for
 * ended jobs that still hold nodes.
 *
 * Lock order: hooks take pass->lock while they hold locks of slurmctld or
 * assoc_mgr. So no lock of slurmctld or assoc_mgr is taken while pass->lock is
 * held.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "slurm/log.h"
#include "slurm/thread.h"
#include "slurm/moment.h"
#include "prio/job_order.h"
#include "pass.h"
#include "handover.h"
#include "pass_run.h"
#include "walk/job_links.h"

/* The time between two checks whether the wall clock was set, in
 * milliseconds. */
#define CLOCK_LOOK_MS 5000

/* Plan the next search for job ends that slurmctld does not report. The wait is
 * at least 200 times the CPU time of the last search, so that the searches use
 * at most 0.5 % of a CPU. */
static void pass_plan_look(struct eqt_pass *pass,
			   const struct eqt_config *config, uint64_t took_ms)
{
	uint64_t wait_ms = eqt_unreported_every(config) * UINT64_C(1000);

	pass->looks = wait_ms > 0;
	pass->look = eqt_moment_in_ms(wait_ms < 200 * took_ms ? 200 * took_ms
							      : wait_ms);
}

/* The work between two passes. */
enum pass_due {
	/* Correct limits at once, without a pass (stock_compat). */
	PASS_LIMITS,
	PASS_ENDS, /* Search for job ends that slurmctld does not report. */
	PASS_COMPLETING, /* Check ended jobs that still hold nodes. */
	/* Become the owner of the files soon after the start. Otherwise a
	   slurmctld that this one replaced could go on writing until our next
	   pass. */
	PASS_OWNER
};

/* Search for job ends that slurmctld does not report. Returns true if one was
 * found. */
static bool pass_look(struct eqt_state *state, const struct eqt_config *config)
{
	uint64_t start_ms = eqt_moment_thread_ms();
	bool ended = eqt_unreported_every(config) &&
		     eqt_pass_charge_look(&state->pass_charge, config);

	pass_plan_look(&state->pass, config, eqt_moment_thread_ms() - start_ms);
	return ended;
}

/* Do some work between two passes. The caller holds pass->lock, which is
 * released during the work. */
static void pass_serve(struct eqt_state *state, enum pass_due due)
{
	struct eqt_pass *pass = &state->pass;
	const struct eqt_config *config;
	bool completing = false;

	/* These flags are cleared before the work, because a job that ends or a
	   reconfigure sets them again meanwhile. */
	if (due == PASS_COMPLETING)
		pass->completing = false;
	else if (due == PASS_LIMITS)
		pass->limits = false;
	pthread_mutex_unlock(&pass->lock);
	config = eqt_config_get(&state->config);
	if (due == PASS_LIMITS)
		eqt_pass_charge_limits(&state->pass_charge, config);
	else if (due == PASS_ENDS)
		/* A job that the search found may still hold nodes. If none was
		   found, there is nothing new to check. */
		completing = pass_look(state, config);
	else if (due == PASS_COMPLETING)
		completing =
			eqt_pass_charge_completing(&state->pass_charge, config);
	else
		(void) eqt_state_file_own(&state->folder, NULL);
	eqt_config_put(config);
	pthread_mutex_lock(&pass->lock);
	pass->completing |= completing;
}

static void pass_serve_limits(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;

	while (pass->limits && !pass->now && !pass->stop)
		pass_serve(state, PASS_LIMITS);
}

/*
 * Sleep until a time. Meanwhile search for unreported ends, check ended jobs
 * that hold nodes, and check whether the clock was set, whenever these are due.
 * The caller holds pass->lock, which is released while sleeping. Returns false
 * if a request woke the thread.
 */
static bool pass_sleep(struct eqt_state *state, const struct timespec *until)
{
	struct eqt_pass *pass = &state->pass;

	while (true) {
		struct timespec next = *until;
		struct timespec held = eqt_moment_in_ms(EQT_COMPLETING_LOOK_MS);
		bool ends = pass->looks &&
			    eqt_moment_is_before(&pass->look, &next);
		struct timespec check = eqt_moment_in_ms(CLOCK_LOOK_MS);
		bool completing, checks;

		if (ends)
			next = pass->look;
		completing = pass->completing &&
			     eqt_moment_is_before(&held, &next);
		if (completing)
			next = held;
		checks = eqt_moment_is_before(&check, &next);
		if (checks)
			next = check;
		if (pthread_cond_timedwait(&pass->wake, &pass->lock, &next) !=
		    ETIMEDOUT)
			return false;
		/* A pass follows the clock before anything else is charged. */
		if (!pass->now && eqt_clock_step(&state->clock)) {
			pass->now = true;
			return false;
		}
		if (checks)
			pass_serve(state, PASS_OWNER);
		else if (completing)
			pass_serve(state, PASS_COMPLETING);
		else if (ends)
			pass_serve(state, PASS_ENDS);
		else
			return true;
		/* A request may have come during the work, when no thread
		   waited for its signal. */
		if (pass->stop || pass->now || pass->limits)
			return false;
	}
}

/*
 * Sleep until the next pass is due, or until a pass or the end of the thread is
 * requested. Passes are at least a second apart, so that many requests do not
 * cause many passes. Returns true for a whole pass, or false for a ranking
 * only. Rankings are due every rank_every_ms milliseconds; 0 means never.
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
	/* The pass may have found an ended job that still holds nodes. */
	pass->completing = true;
	pass_serve_limits(state);
	while (!pass->stop && !pass_sleep(state, pass->now ? &soonest : &until))
		pass_serve_limits(state);
	whole = pass->now || !eqt_moment_is_before(&until, due);
	pass->now = false;
	pthread_mutex_unlock(&pass->lock);
	return whole;
}

/* Wait for a pass under stock_compat. Whole passes are due by the wall clock,
 * one period after the other, even if the clock is set in between. */
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

/*
 * Wait until the jobs point to the current associations, at most a minute.
 *
 * If the successor of a slurmctld fails at a reconfigure, the old process
 * continues. It reads all associations again, and a thread then corrects the
 * pointers in the jobs that it kept. Until then we must not follow these
 * pointers.
 */
static void pass_wait_for_links(struct eqt_pass *pass)
{
	const struct timespec moment = { .tv_nsec = 50000000L };

	for (int i = 0; i < 1200 && !pass->stop && !eqt_job_links_fit(); i++)
		nanosleep(&moment, NULL);
}

/* The milliseconds until the next ranking, given the time that the last one
 * took. Returns 0 if no ranking is due before the next pass. */
static uint64_t pass_plan_rank(struct eqt_pass *pass,
			       const struct eqt_conf_priority *conf,
			       uint64_t took_ms)
{
	const uint64_t every_ms = eqt_job_order_every_ms(conf, took_ms);

	/* This is logged once only, because the next ranking may be a little
	   faster. */
	if (every_ms > conf->rank_every_ms && !pass->rarer)
		eqt_log_info("rankings take %lu ms: with rank_cpu they come "
			     "every %lu ms, not every %lu",
			     (unsigned long) took_ms, (unsigned long) every_ms,
			     (unsigned long) conf->rank_every_ms);
	pass->rarer |= every_ms > conf->rank_every_ms;
	return every_ms;
}

static void *pass_thread(void *arg)
{
	struct eqt_state *state = arg;
	struct eqt_pass *pass = &state->pass;
	const struct eqt_config *last;
	struct timespec due;
	bool whole = true;
	/* The milliseconds of the last ranking between two passes. */
	uint64_t rank_ms = 0;

	(void) prctl(PR_SET_NAME, "eqt_pass", 0L, 0L, 0L);
	if (pass->again)
		pass_wait_for_links(pass);
	pass->due = time(NULL);
	while (!pass->stop) {
		const struct eqt_config *config =
			eqt_config_get(&state->config);
		uint64_t start_ms, rank_every_ms;
		uint32_t period_s = config->period_s;
		bool by_wall_clock = config->stock.clock;

		if (atomic_exchange(&pass->limits, false))
			eqt_pass_charge_limits(&state->pass_charge, config);
		start_ms = eqt_moment_thread_ms();
		eqt_pass_run(state, config, whole);
		/* Whole passes do not count, because they take longer than a
		   ranking. */
		if (!whole)
			rank_ms = eqt_moment_thread_ms() - start_ms;
		rank_every_ms =
			pass_plan_rank(pass, &config->priority, rank_ms);
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
	/* Search for job ends once more, because slurmctld may stay down so
	   long that it forgets ended jobs. */
	last = eqt_config_get(&state->config);
	(void) pass_look(state, last);
	eqt_pass_run_last(state, last);
	eqt_config_put(last);
	return NULL;
}

int eqt_pass_init(struct eqt_state *state, struct eqt_error *err)
{
	struct eqt_pass *pass = &state->pass;
	const struct eqt_config *config = eqt_config_get(&state->config);
	int rc = eqt_pass_charge_begin(&state->pass_charge, config, err);

	eqt_config_put(config);
	if (rc < 0)
		return -1;
	eqt_moment_cond_init(&pass->wake);
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
	/* Without the journal's thread, charges would reach the disk only with
	   a snapshot. */
	if (eqt_journal_start(&state->journal) < 0 ||
	    eqt_charge_days_start(&state->days) < 0)
		return -1;
	error = eqt_thread_start(&pass->thread, pass_thread, state);
	if (error) {
		eqt_log_error("cannot start the pass thread: %s",
			      strerror(error));
		return -1;
	}
	pass->running = true;
	return 0;
}

/* End the pass thread and save the usage. */
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
	eqt_pass_charge_end(&state->pass_charge, config);
	eqt_pass_charge_save(&state->pass_charge, config);
	eqt_handover_prepare(state, config);
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

/* Request a pass now, or a correction of limits. */
static void pass_request(struct eqt_pass *pass, bool now, bool limits)
{
	pthread_mutex_lock(&pass->lock);
	pass->now |= now;
	if (limits)
		pass->limits = true;
	if (pass->running)
		pthread_cond_signal(&pass->wake);
	pthread_mutex_unlock(&pass->lock);
}

void eqt_pass_job_ended(struct eqt_state *state)
{
	struct eqt_pass *pass = &state->pass;

	pthread_mutex_lock(&pass->lock);
	if (!pass->completing && pass->running)
		pthread_cond_signal(&pass->wake);
	pass->completing = true;
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
