/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "../common/elapsed.h"
#include "../common/log.h"
#include "billing.h"
#include "charging.h"
#include "classic.h"
#include "pass.h"
#include "priorities.h"
#include "ranks.h"
#include "settings.h"

static struct {
	pthread_mutex_t lock; /* covers the flags, with the condition */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool now; /* run a pass without waiting */
	bool limits; /* run-seconds have been set anew */

	time_t due; /* stock_clock: when the last pass was to run */
} pass = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What one pass did, for its line in the log. */
struct tally {
	struct eqt_charging_tally jobs;
	unsigned int billed;
	unsigned int ranked;
};

/* How many users have a rank now. */
static unsigned int rank(const struct eqt_settings *settings)
{
	int ranked;

	if (eqt_classic_is_lazy(settings))
		return 0;
	ranked = eqt_classic_is_on(settings) ? eqt_classic_update(settings)
					     : eqt_ranks_update(settings);
	return ranked < 0 ? 0 : (unsigned int) ranked;
}

static void run_pass(const struct eqt_settings *settings)
{
	struct tally tally = { 0 };
	struct timespec start = eqt_elapsed_start();
	time_t now = time(NULL);
	long took_ms;

	if (settings->fairshare) {
		eqt_charging_pass(settings, now, &tally.jobs);
		tally.billed =
			eqt_billing_update(settings, eqt_charging_last_ran());
		tally.ranked = rank(settings);
	}
	if (!settings->fairshare || !eqt_classic_is_lazy(settings))
		tally.jobs.updated = eqt_priorities_update(settings, now);
	eqt_charging_save(settings);
	took_ms = eqt_elapsed_ns(&start) / 1000000L;
	eqt_log_debug("pass: %u jobs charged, %u with another billing, %u "
		      "users ranked, %u priorities in %ld ms",
		      tally.jobs.charged, tally.billed, tally.ranked,
		      tally.jobs.updated, took_ms);
	if (took_ms / 1000 > (long) settings->period_s)
		eqt_log_info("a pass took %ld ms, longer than its period of "
			     "%u s",
			     took_ms, settings->period_s);
}

static struct timespec in_seconds(time_t seconds)
{
	struct timespec moment;

	clock_gettime(CLOCK_MONOTONIC, &moment);
	moment.tv_sec += seconds;
	return moment;
}

/* Sleep for a period, or until somebody asks for a pass or the end; a second
 * at least, so that no storm of requests becomes one of passes. */
static void wait_period(uint32_t period_s)
{
	struct timespec until = in_seconds((time_t) period_s);
	struct timespec soonest = in_seconds(1);

	pthread_mutex_lock(&pass.lock);
	while (!pass.stop && pthread_cond_timedwait(
				     &pass.wake, &pass.lock,
				     pass.now ? &soonest : &until) != ETIMEDOUT)
		;
	pass.now = false;
	pthread_mutex_unlock(&pass.lock);
}

/* stock_clock: passes are due on the wall clock, a period after each other,
 * however it is set meanwhile. */
static void wait_due(uint32_t period_s)
{
	struct timespec soonest = in_seconds(1);
	struct timespec due = { 0 };

	pass.due += (time_t) period_s;
	due.tv_sec = pass.due;
	pthread_mutex_lock(&pass.lock);
	while (!pass.stop && !pass.now &&
	       pthread_cond_clockwait(&pass.wake, &pass.lock, CLOCK_REALTIME,
				      &due) != ETIMEDOUT)
		;
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

static void *pass_thread(void *unused)
{
	(void) prctl(PR_SET_NAME, "eqt_pass", 0L, 0L, 0L);
	pass.due = time(NULL);
	while (!stopping()) {
		const struct eqt_settings *settings = eqt_settings_get();
		uint32_t period_s = settings->period_s;
		bool by_wall_clock = settings->stock.clock;

		if (take_limits_flag())
			eqt_charging_limits(settings);
		run_pass(settings);
		eqt_settings_put(settings);
		if (by_wall_clock) {
			wait_due(period_s);
		} else {
			wait_period(period_s);
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

int eqt_pass_start(void)
{
	const struct eqt_settings *settings = eqt_settings_get();

	init_wake();
	eqt_charging_begin(settings);
	eqt_settings_put(settings);
	pass.stop = pass.now = false;
	pass.limits = true;
	if (pthread_create(&pass.thread, NULL, pass_thread, NULL)) {
		eqt_log_error("cannot start the pass thread: %s",
			      strerror(errno));
		return -1;
	}
	pass.running = true;
	return 0;
}

void eqt_pass_stop(void)
{
	const struct eqt_settings *settings;

	if (!pass.running)
		return;
	pthread_mutex_lock(&pass.lock);
	pass.stop = true;
	pthread_cond_signal(&pass.wake);
	pthread_mutex_unlock(&pass.lock);
	pthread_join(pass.thread, NULL);
	pass.running = false;
	settings = eqt_settings_get();
	eqt_charging_save(settings);
	eqt_settings_put(settings);
	eqt_charging_end();
	eqt_ranks_clear();
	eqt_priorities_clear();
	pthread_cond_destroy(&pass.wake);
}

void eqt_pass_wake(bool limits)
{
	pthread_mutex_lock(&pass.lock);
	pass.now = true;
	pass.limits |= limits;
	if (pass.running)
		pthread_cond_signal(&pass.wake);
	pthread_mutex_unlock(&pass.lock);
}

void eqt_pass_reconfigured(bool limits)
{
	const struct eqt_settings *settings = eqt_settings_get();

	if (!settings->stock.reconfigure)
		eqt_pass_wake(limits);
	else if (limits && settings->fairshare)
		eqt_charging_limits(settings);
	eqt_settings_put(settings);
}
