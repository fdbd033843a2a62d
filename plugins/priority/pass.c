/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "slurm/elapsed.h"
#include "slurm/log.h"
#include "rank/array_tasks.h"
#include "usage/billing_tres.h"
#include "usage/pass_charge.h"
#include "usage/run_secs_rebuild.h"
#include "usage/usage.h"
#include "walk/assoc_walk.h"
#include "rank/classic.h"
#include "walk/job_links.h"
#include "usage/journal.h"
#include "pass.h"
#include "factors/priority_update.h"
#include "rank/job_copies.h"
#include "rank/share_tree.h"
#include "configuration.h"
#include "factors/job_size.h"
#include "walk/job_walk.h"
#include "rank/job_factors.h"

static struct {
	pthread_mutex_t lock; /* covers the flags, with the condition */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool now; /* run a pass without waiting */
	bool limits; /* run-seconds have been set anew */
	bool again; /* not the first start in this process */

	bool slow; /* the last pass was; the pass thread's own */
	time_t due; /* stock_clock: when the last pass was to run */
} pass = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What one pass did, for its line in the log. */
struct tally {
	struct eqt_pass_charge_tally jobs;
	unsigned int billed;
	unsigned int ranked;
	unsigned int updated;
	long charge_ms;
	long rank_ms; /* with the priorities */
	long save_ms;
};

/* Set the factors of all associations by one of the two kinds of fair share.
 * Returns how many users were ranked, -1 when that failed (logged). */
static int fair_share_update(const struct eqt_config *config,
			     struct eqt_ordered_job *jobs, size_t count)
{
	return eqt_rank_classic_is_on(config)
		       ? eqt_rank_classic_update(config, jobs, count)
		       : eqt_share_tree_update(config, jobs, count);
}

/* Rank, compare the jobs, and write their priorities. */
static void rank_all(const struct eqt_config *config, time_t now,
		     struct tally *tally)
{
	struct eqt_ordered_job *jobs;
	size_t count;
	int ranked = 0;

	eqt_job_size_update(config);
	jobs = eqt_job_copies_fill(config, now, &count);
	if (config->fairshare)
		ranked = fair_share_update(config, jobs, count);
	tally->ranked = ranked < 0 ? 0 : (unsigned int) ranked;
	if (config->priority.access_weight)
		eqt_job_order_access(jobs, count);
	eqt_job_factors_set(jobs, count);
	tally->updated = eqt_priority_update_update(config, now);
	if (config->priority.tasks_ahead && eqt_config_place_jobs(config))
		eqt_array_tasks_take(config, jobs, count);
}

/* Milliseconds since that moment, which becomes this one. */
static long lap_ms(struct timespec *since)
{
	long ms = eqt_elapsed_ns(since) / 1000000L;

	*since = eqt_elapsed_start();
	return ms;
}

static void tell(const struct tally *tally, uint32_t period_s)
{
	long all_ms = tally->charge_ms + tally->rank_ms + tally->save_ms;
	bool slow = all_ms / 1000 > (long) period_s;

	eqt_log_debug("pass: %u jobs charged, %u with another billing, in %ld "
		      "ms; %u users ranked, %u priorities in %ld ms; saved in "
		      "%ld ms",
		      tally->jobs.charged, tally->billed, tally->charge_ms,
		      tally->ranked, tally->updated, tally->rank_ms,
		      tally->save_ms);
	if (slow && !pass.slow)
		eqt_log_info("a pass took %ld ms, longer than its period of "
			     "%u s",
			     all_ms, period_s);
	if (!slow && pass.slow)
		eqt_log_info("passes are shorter than their period again");
	pass.slow = slow;
}

/* charge: a whole pass; otherwise ranks and priorities alone. */
static void run_pass(const struct eqt_config *config, bool charge)
{
	struct tally tally = { 0 };
	struct timespec start = eqt_elapsed_start();
	/* Before the jobs are seen: one that starts later has nothing to be
	 * charged for by now. */
	time_t now = time(NULL);

	charge = charge && config->fairshare;
	eqt_job_walk_collect(config, charge);
	if (charge) {
		eqt_pass_charge_pass(config, now, &tally.jobs);
		tally.billed = eqt_billing_tres_update(
			config, eqt_pass_charge_last_ran());
		tally.charge_ms = lap_ms(&start);
	}
	rank_all(config, now, &tally);
	tally.rank_ms = lap_ms(&start);
	if (!charge)
		return;
	eqt_pass_charge_save(config);
	tally.save_ms = lap_ms(&start);
	tell(&tally, config->period_s);
}

static struct timespec in_ms(uint64_t ms)
{
	struct timespec moment;

	clock_gettime(CLOCK_MONOTONIC, &moment);
	moment.tv_sec += (time_t) (ms / 1000);
	moment.tv_nsec += (long) (ms % 1000) * 1000000L;
	if (moment.tv_nsec >= 1000000000L) {
		moment.tv_nsec -= 1000000000L;
		moment.tv_sec++;
	}
	return moment;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* stock_reconfigure: limits are put right at once, without a pass. pass.lock is
 * held, and let go meanwhile. */
static void serve_limits(void)
{
	while (pass.limits && !pass.now && !pass.stop) {
		const struct eqt_config *config;

		pass.limits = false;
		pthread_mutex_unlock(&pass.lock);
		config = eqt_config_get();
		eqt_pass_charge_limits(config);
		eqt_config_put(config);
		pthread_mutex_lock(&pass.lock);
	}
}

/*
 * Sleep until the next pass is due, or somebody asks for one or the end; a
 * second at least, so that no storm of requests becomes one of passes. True
 * for a whole pass, false when only rank_every_ms (0: never) is over.
 */
static bool wait_turn(const struct timespec *due, uint64_t rank_every_ms)
{
	struct timespec until = *due, soonest = in_ms(1000);
	bool whole;

	if (rank_every_ms) {
		struct timespec rank = in_ms(rank_every_ms);

		if (is_before(&rank, &until))
			until = rank;
		if (is_before(&rank, &soonest))
			soonest = rank;
	}
	pthread_mutex_lock(&pass.lock);
	serve_limits();
	while (!pass.stop && pthread_cond_timedwait(
				     &pass.wake, &pass.lock,
				     pass.now ? &soonest : &until) != ETIMEDOUT)
		serve_limits();
	whole = pass.now || !is_before(&until, due);
	pass.now = false;
	pthread_mutex_unlock(&pass.lock);
	return whole;
}

/* stock_clock: whole passes are due on the wall clock, a period after each
 * other, however it is set meanwhile. */
static void wait_wall_clock(uint32_t period_s)
{
	struct timespec soonest = in_ms(1000), due = { 0 };

	pass.due += (time_t) period_s;
	due.tv_sec = pass.due;
	pthread_mutex_lock(&pass.lock);
	serve_limits();
	while (!pass.stop && !pass.now &&
	       pthread_cond_clockwait(&pass.wake, &pass.lock, CLOCK_REALTIME,
				      &due) != ETIMEDOUT)
		serve_limits();
	if (pass.now)
		pass.due -= (time_t) period_s;
	while (!pass.stop && pass.now &&
	       pthread_cond_timedwait(&pass.wake, &pass.lock, &soonest) !=
		       ETIMEDOUT)
		;
	pass.now = false;
	pthread_mutex_unlock(&pass.lock);
}

static bool stopping(void)
{
	bool stop;

	pthread_mutex_lock(&pass.lock);
	stop = pass.stop;
	pthread_mutex_unlock(&pass.lock);
	return stop;
}

static bool take_limits_flag(void)
{
	bool limits;

	pthread_mutex_lock(&pass.lock);
	limits = pass.limits;
	pass.limits = false;
	pthread_mutex_unlock(&pass.lock);
	return limits;
}

/*
 * A slurmctld that goes on after a reconfigure which its new process refused
 * reads all associations anew, and a thread of it then mends the pointers of
 * the jobs that it kept. Nothing may follow them before.
 */
static void wait_for_links(void)
{
	const struct timespec moment = { .tv_nsec = 50000000L };

	for (int i = 0; i < 1200 && !stopping() && !eqt_job_links_fit(); i++)
		nanosleep(&moment, NULL);
}

static void *pass_thread(void *unused)
{
	struct timespec due;
	bool whole = true;

	(void) prctl(PR_SET_NAME, "eqt_pass", 0L, 0L, 0L);
	if (pass.again)
		wait_for_links();
	pass.due = time(NULL);
	while (!stopping()) {
		const struct eqt_config *config = eqt_config_get();
		uint64_t rank_every_ms = config->priority.rank_every_ms;
		uint32_t period_s = config->period_s;
		bool by_wall_clock = config->stock.clock;

		if (take_limits_flag())
			eqt_pass_charge_limits(config);
		run_pass(config, whole);
		if (whole)
			due = in_ms((uint64_t) period_s * 1000);
		eqt_config_put(config);
		if (by_wall_clock) {
			wait_wall_clock(period_s);
			whole = true;
		} else {
			whole = wait_turn(&due, rank_every_ms);
			pass.due = time(NULL);
		}
	}
	return unused;
}

static void init_wake(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	/* A wall clock that is set must not stop the passes. */
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&pass.wake, &attr);
	pthread_condattr_destroy(&attr);
}

int eqt_pass_init(struct eqt_error *err)
{
	const struct eqt_config *config = eqt_config_get();
	int rc = eqt_pass_charge_begin(config, err);

	eqt_config_put(config);
	if (rc < 0)
		return -1;
	init_wake();
	pass.stop = pass.now = false;
	pass.limits = true;
	eqt_run_secs_rebuild_notify();
	return 0;
}

int eqt_pass_start(void)
{
	int error;

	/* Without it lines wait for the next snapshot. */
	if (eqt_journal_start() < 0)
		return -1;
	error = pthread_create(&pass.thread, NULL, pass_thread, NULL);
	if (error) {
		eqt_log_error("cannot start the pass thread: %s",
			      strerror(error));
		return -1;
	}
	pass.running = true;
	return 0;
}

/* End the thread and save what it has done. */
static void stop_thread(void)
{
	const struct eqt_config *config;

	pthread_mutex_lock(&pass.lock);
	pass.stop = true;
	pthread_cond_signal(&pass.wake);
	pthread_mutex_unlock(&pass.lock);
	pthread_join(pass.thread, NULL);
	pass.running = false;
	config = eqt_config_get();
	eqt_pass_charge_save(config);
	eqt_config_put(config);
}

void eqt_pass_stop(void)
{
	if (pass.running)
		stop_thread();
	pass.again = true;
	eqt_pass_charge_end();
	eqt_usage_clear();
	eqt_share_tree_clear();
	eqt_assoc_walk_clear();
	eqt_job_walk_clear();
	eqt_job_copies_clear();
	eqt_job_factors_clear();
	pthread_cond_destroy(&pass.wake);
}

/* The thread is to do this. */
static void spec(bool now, bool limits)
{
	pthread_mutex_lock(&pass.lock);
	pass.now |= now;
	pass.limits |= limits;
	if (pass.running)
		pthread_cond_signal(&pass.wake);
	pthread_mutex_unlock(&pass.lock);
}

void eqt_pass_wake(void)
{
	spec(true, false);
}

void eqt_pass_reconfigured(bool limits)
{
	const struct eqt_config *config = eqt_config_get();

	if (limits)
		eqt_run_secs_rebuild_notify();
	if (!config->stock.reconfigure)
		spec(true, limits);
	else if (limits && config->fairshare)
		spec(false, true);
	eqt_config_put(config);
}
