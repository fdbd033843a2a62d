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
#include "charge.h"
#include "charged_until.h"
#include "classic.h"
#include "eqt_decay.h"
#include "guard.h"
#include "journal.h"
#include "ledger.h"
#include "pass.h"
#include "priorities.h"
#include "queue.h"
#include "ranks.h"
#include "reset.h"
#include "set_back.h"
#include "settings.h"
#include "size.h"
#include "slices.h"
#include "standings.h"
#include "state_file.h"
#include "suspended.h"
#include "usage.h"

static struct {
	pthread_mutex_t lock; /* covers the flags, with the condition */
	pthread_cond_t wake;
	pthread_t thread;
	bool running;
	bool stop;
	bool now; /* run a pass without waiting */
	bool limits; /* run-seconds have been set anew */

	/* Both times are written under slurmctld's job write lock. */
	time_t last_ran;
	time_t last_reset;
	uint32_t reset_by; /* settings whose PRIORITY_RESET_NOW is done */

} pass = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What one pass did, for its line in the log. */
struct tally {
	unsigned int charged;
	unsigned int billed;
	unsigned int ranked;
	unsigned int updated;
};

/* One walk over the jobs while usage is charged. */
struct charging {
	const struct eqt_settings *settings;
	struct eqt_span span;
	struct tally *tally;
};

/* Jobs that ended without slurmctld telling us: it calls priority_p_job_end
 * only where limits are enforced. */
static void charge_ended(struct charging *charging, job_record_t *job)
{
	struct eqt_charge charge;

	if (!eqt_charge_end(charging->settings, job, &charging->span, &charge))
		return;
	eqt_journal_write(&charge);
	charging->tally->charged++;
	eqt_billing_note(job, NO_VAL64);
}

static int charge_one(void *item, void *arg)
{
	job_record_t *job = item;
	struct charging *charging = arg;

	if (!eqt_guard_ok(job) || !job->start_time || !job->assoc_ptr ||
	    IS_JOB_PENDING(job) || IS_JOB_POWER_UP_NODE(job))
		return 0;
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) {
		if (job->end_time > pass.last_ran)
			charge_ended(charging, job);
		return 0;
	}
	eqt_charge_running(charging->settings, job, &charging->span);
	charging->tally->charged++;
	return 0;
}

/* PriorityUsageResetPeriod; assoc_mgr's locks are held for writing. */
static void reset_when_due(const struct eqt_settings *settings, time_t now)
{
	time_t next;

	if (settings->reset_period == PRIORITY_RESET_NOW &&
	    pass.reset_by != settings->serial) {
		/* Once for each time that slurm.conf is read with it. */
		pass.reset_by = settings->serial;
		pass.last_reset = now;
		eqt_usage_reset();
	}
	next = eqt_reset_next(settings->reset_period, pass.last_reset);
	if (!next || now < next)
		return;
	eqt_usage_reset();
	eqt_log_info("usage reset (PriorityUsageResetPeriod)");
	pass.last_reset = now;
}

/*
 * Decay all usage from the last pass to now and charge what has run since.
 * One hold of slurmctld's job lock and, inside it, of assoc_mgr's locks: a job
 * that ends is charged before or after it, never in between.
 */
static void charge_all(const struct eqt_settings *settings, time_t now,
		       struct tally *tally)
{
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	struct charging charging = { .settings = settings, .tally = tally };

	lock_slurmctld(job_lock);
	site_factor_g_update();
	assoc_mgr_lock(&assoc_lock);
	reset_when_due(settings, now);
	if (now < pass.last_ran) {
		eqt_set_back(pass.last_ran, now);
		pass.last_ran = now;
		if (pass.last_reset > now)
			pass.last_reset = now;
	}
	if (now > pass.last_ran) {
		if (pass.last_ran)
			eqt_usage_decay(
				eqt_decay_factor(settings->half_life_s,
						 difftime(now, pass.last_ran)));
		charging.span = (struct eqt_span){
			.last_ran = pass.last_ran,
			.now = now,
			.ref = now,
		};
		if (job_list)
			list_for_each(job_list, charge_one, &charging);
		pass.last_ran = now;
		eqt_charged_until_prune(now);
	}
	eqt_ledger_keep_charged_until();
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

static int restart_one(void *item, void *arg)
{
	if (eqt_guard_ok(item))
		eqt_charge_restart(arg, item, pass.last_ran);
	return 0;
}

/* slurmctld has set the run-seconds of running jobs anew: take off what has
 * passed of them. */
static void restart_limits(const struct eqt_settings *settings)
{
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;

	if (!settings->limits)
		return;
	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	if (job_list)
		list_for_each(job_list, restart_one, (void *) settings);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

/* Rank, compare the jobs, and write their priorities. */
static void rank_all(const struct eqt_settings *settings, time_t now,
		     struct tally *tally)
{
	struct eqt_queued *jobs;
	size_t count;
	int ranked = 0;

	eqt_size_update(settings);
	eqt_slices_collect(settings);
	jobs = eqt_queue_fill(settings, now, &count);
	if (settings->fairshare)
		ranked = eqt_classic_is_on(settings)
				 ? eqt_classic_update(settings)
				 : eqt_ranks_update(settings, jobs, count);
	tally->ranked = ranked < 0 ? 0 : (unsigned int) ranked;
	if (settings->conf->priority.access_weight)
		eqt_queue_access(jobs, count);
	eqt_standings_set(jobs, count);
	tally->updated = eqt_priorities_update(settings, now);
}

/* charge: a whole pass; otherwise ranks and priorities alone. */
static void run_pass(const struct eqt_settings *settings, bool charge)
{
	struct tally tally = { 0 };
	struct timespec start = eqt_elapsed_start();
	time_t now = time(NULL);
	long took_ms;

	if (settings->fairshare && charge) {
		charge_all(settings, now, &tally);
		tally.billed = eqt_billing_update(settings, pass.last_ran);
	}
	rank_all(settings, now, &tally);
	if (settings->fairshare && charge)
		eqt_ledger_save(pass.last_ran, pass.last_reset);
	if (!charge)
		return;
	took_ms = eqt_elapsed_ns(&start) / 1000000L;
	eqt_log_debug("pass: %u jobs charged, %u with another billing, %u "
		      "users ranked, %u priorities in %ld ms",
		      tally.charged, tally.billed, tally.ranked, tally.updated,
		      took_ms);
	if (took_ms / 1000 > (long) settings->period_s)
		eqt_log_info("a pass took %ld ms, longer than its period of "
			     "%u s",
			     took_ms, settings->period_s);
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
	while (!pass.stop && pthread_cond_timedwait(
				     &pass.wake, &pass.lock,
				     pass.now ? &soonest : &until) != ETIMEDOUT)
		;
	whole = pass.now || !is_before(&until, due);
	pass.now = false;
	pthread_mutex_unlock(&pass.lock);
	return whole;
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
	struct timespec due;
	bool whole = true;

	(void) prctl(PR_SET_NAME, "eqt_pass", 0L, 0L, 0L);
	while (!stopping()) {
		const struct eqt_settings *settings = eqt_settings_get();
		uint64_t rank_every_ms = settings->conf->priority.rank_every_ms;

		if (take_limits_flag())
			restart_limits(settings);
		run_pass(settings, whole);
		if (whole)
			due = in_ms((uint64_t) settings->period_s * 1000);
		eqt_settings_put(settings);
		whole = wait_turn(&due, rank_every_ms);
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
	eqt_state_init();
	if (settings->fairshare) {
		struct eqt_ledger_state state = eqt_ledger_recover(settings);

		pass.last_ran = state.last_ran;
		pass.last_reset = state.last_reset ? state.last_reset
						   : time(NULL);
	}
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
	if (settings->fairshare)
		eqt_ledger_save(pass.last_ran, pass.last_reset);
	eqt_settings_put(settings);
	eqt_ledger_close();
	eqt_ranks_clear();
	eqt_charged_until_clear();
	eqt_suspended_clear();
	eqt_slices_clear();
	eqt_queue_clear();
	eqt_standings_clear();
	eqt_billing_clear();
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

void eqt_pass_job_end(job_record_t *job)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	const struct eqt_settings *settings = eqt_settings_get();
	struct eqt_span span = {
		.last_ran = pass.last_ran,
		.now = time(NULL),
		.ref = pass.last_ran,
	};
	struct eqt_charge charge;
	bool billed;

	/* Before the first pass there is no moment to count from but now. */
	if (!span.ref)
		span.ref = span.now;
	if (settings->fairshare && eqt_guard_ok(job)) {
		assoc_mgr_lock(&locks);
		if (eqt_charge_end(settings, job, &span, &charge))
			eqt_journal_write(&charge);
		billed = eqt_billing_end(settings, job);
		assoc_mgr_unlock(&locks);
		if (billed)
			eqt_billing_tell(job);
	}
	eqt_settings_put(settings);
}
