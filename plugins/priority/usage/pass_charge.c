/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "slurm/log.h"
#include "usage/billing_tres.h"
#include "usage/job_charge.h"
#include "usage/charged_until.h"
#include "usage/pass_charge.h"
#include "prio/decay.h"
#include "guard.h"
#include "usage/journal.h"
#include "usage/ledger.h"
#include "usage/recovery.h"
#include "usage/lost_end.h"
#include "usage/run_secs_rebuild.h"
#include "usage/reset.h"
#include "usage/resize.h"
#include "usage/clock_step.h"
#include "walk/job_walk.h"
#include "usage/state_file.h"
#include "usage/suspend.h"
#include "trace.h"
#include "usage/usage.h"

/* Written by the pass thread under assoc_mgr's assoc write lock. */
static struct {
	time_t last_ran;
	/* While a pass charges: usage is as of then, but some jobs are not
	 * charged up to then yet. 0: no pass charges. */
	time_t passing;
	time_t last_reset;
	time_t next_reset; /* 0: not worked out yet */
	uint32_t serial; /* of the settings that it was worked out by */
	uint32_t half_life_s; /* of the last pass */
} books;

/* One walk over the jobs while usage is charged. */
struct charging {
	const struct eqt_config *config;
	struct eqt_text_slice span;
	struct eqt_pass_charge_tally *tally;
};

static void journal(const struct eqt_config *config,
		    const struct eqt_journal_record *charge, bool goes_on)
{
	if (config->stock.recovery)
		return;
	if (goes_on)
		eqt_journal_part(charge);
	else
		eqt_journal_end(charge);
}

/*
 * A job has ended after passes charged it. That of the last one may not be on the
 * disk, and the newest snapshot may be found damaged: a kill would lose what they
 * charged the job for. So the journal has it too.
 */
static void journal_passed(const struct eqt_config *config,
			   const job_record_t *job,
			   const struct eqt_journal_record *end)
{
	struct eqt_journal_record passed = *end;

	if (config->stock.recovery)
		return;
	passed.to = end->from;
	passed.from = job->start_time;
	if (passed.from < job->resize_time)
		passed.from = job->resize_time;
	if (passed.from < passed.to)
		eqt_journal_passed(&passed);
}

/* Jobs that ended without slurmctld telling us: it calls priority_p_job_end
 * only where limits are enforced. */
static void charge_ended(struct charging *charging, job_record_t *job)
{
	struct eqt_text_slice span = charging->span;
	struct eqt_journal_record charge;

	span.holds_nothing = eqt_lost_end_is(job);
	if (span.holds_nothing)
		job->end_time_exp = job->end_time;
	if (!eqt_job_charge_end(charging->config, job, &span, &charge))
		return;
	journal_passed(charging->config, job, &charge);
	journal(charging->config, &charge, false);
	charging->tally->charged++;
	/* Its billing was put right when slurmctld told of the end. */
	if (!span.holds_nothing)
		eqt_billing_tres_note(job, NO_VAL64);
}

/* Is or was there something to charge it for? */
static bool was_charged(const job_record_t *job)
{
	/* The state first: a pass asks for all jobs, and has it at hand. */
	return !IS_JOB_PENDING(job) && !IS_JOB_POWER_UP_NODE(job) &&
	       job->start_time && job->assoc_ptr;
}

/* Of a pending job, start_time is one that the scheduler foresees. */
static bool is_charged(const struct eqt_config *config, const job_record_t *job)
{
	if (IS_JOB_PENDING(job) && config->stock.phantom &&
	    config->flags & PRIORITY_FLAGS_CALCULATE_RUNNING)
		return job->start_time && job->assoc_ptr &&
		       !IS_JOB_POWER_UP_NODE(job);
	return was_charged(job);
}

/* Ended since the last pass without a priority_p_job_end() call; or with one, of
 * which a kill left nothing. */
static bool has_ended(const struct eqt_config *config, const job_record_t *job)
{
	if (was_charged(job) && eqt_lost_end_is(job))
		return true;
	return was_charged(job) && job->end_time > books.last_ran &&
	       job->end_time_exp != (time_t) NO_VAL && !config->stock.tail;
}

bool eqt_pass_charge_wants(const struct eqt_config *config,
			   const job_record_t *job)
{
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return has_ended(config, job);
	/* Without an association, too: in some modes limits hold something. */
	return IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) ||
	       is_charged(config, job);
}

static void charge_one(job_record_t *job, void *arg)
{
	struct charging *charging = arg;
	struct eqt_journal_record part;

	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) {
		if (has_ended(charging->config, job))
			charge_ended(charging, job);
		return;
	}
	if (is_charged(charging->config, job)) {
		eqt_job_charge_running(charging->config, job, &charging->span,
				       &part);
		if (part.job_id) {
			journal(charging->config, &part, true);
			eqt_charged_until_set(job->job_id, charging->span.now);
		}
		charging->tally->charged++;
	}
}

static time_t next_reset(const struct eqt_config *config, time_t now)
{
	return config->stock.reset
		       ? eqt_reset_next_stock(config->reset_period,
					      books.last_reset, now)
		       : eqt_reset_next(config->reset_period, books.last_reset);
}

/* PriorityUsageResetPeriod; assoc_mgr's locks are held for writing. */
static void reset_when_due(const struct eqt_config *config, time_t now)
{
	if (books.serial != config->serial) {
		books.serial = config->serial;
		books.next_reset = 0;
		/* Once for each time that slurm.conf is read with it. */
		if (config->reset_period == PRIORITY_RESET_NOW) {
			books.last_reset = now;
			eqt_usage_reset();
		}
	}
	if (!books.next_reset)
		books.next_reset = next_reset(config, now);
	if (!books.next_reset || now < books.next_reset)
		return;
	eqt_usage_reset();
	eqt_log_info("usage reset (PriorityUsageResetPeriod)");
	books.last_reset = config->stock.reset ? books.next_reset : now;
	books.next_reset = next_reset(config, now);
}

static void decay(const struct eqt_config *config, time_t now)
{
	double seconds = difftime(now, books.last_ran);
	uint32_t half_life_s = config->half_life_s;

	long double factor =
		config->stock.decay
			? eqt_decay_stock_factor(half_life_s, seconds)
			: eqt_decay_factor(half_life_s, seconds);

	eqt_trace("usage of %g s before is worth %.15Lg", seconds, factor);
	eqt_usage_decay(factor);
}

/* The clock was set back to span->now. */
static void go_back(struct eqt_text_slice *span)
{
	eqt_clock_step(books.last_ran, span->now);
	books.last_ran = span->last_ran = span->now;
	if (books.last_reset > span->now)
		books.last_reset = span->now;
}

/* What comes before the charges. Nearly always quick; but a clock that was set
 * back and a reset of all usage concern every job and association. */
static void prepare(struct charging *charging)
{
	const struct eqt_config *config = charging->config;
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	time_t now = charging->span.now;

	lock_slurmctld(job_lock);
	site_factor_g_update();
	assoc_mgr_lock(&assoc_lock);
	reset_when_due(config, now);
	if (now < books.last_ran && !config->stock.clock)
		go_back(&charging->span);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

/* From here on usage is as of now, and jobs are charged one by one. slurmctld's
 * jobs need no lock for that: a job that ends meanwhile waits for assoc_mgr's
 * alone. */
static void open_books(const struct charging *charging)
{
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;

	assoc_mgr_lock(&assoc_lock);
	if (books.last_ran)
		decay(charging->config, charging->span.now);
	books.passing = charging->span.now;
	eqt_journal_passing();
	assoc_mgr_unlock(&assoc_lock);
}

static void close_books(const struct charging *charging, bool charged)
{
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	slurmctld_lock_t job_lock = { .job = WRITE_LOCK };

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	books.passing = 0;
	eqt_lost_end_over();
	books.last_ran = charging->span.now;
	books.half_life_s = charging->config->half_life_s;
	if (charged)
		eqt_charged_until_prune(charging->span.now);
	if (!charging->config->stock.recovery)
		eqt_ledger_keep_charged_until(books.last_ran);
	eqt_run_secs_rebuild_keep_marks();
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

void eqt_pass_charge_pass(const struct eqt_config *config, time_t now,
			  struct eqt_pass_charge_tally *tally)
{
	struct charging charging = {
		.config = config,
		.tally = tally,
		.span = {
			.last_ran = books.last_ran,
			.now = now,
			.ref = now,
			.half_life_s = config->half_life_s,
		},
	};
	bool charges;

	prepare(&charging);
	charges = now > books.last_ran;
	if (charges) {
		open_books(&charging);
		eqt_job_walk_visit(EQT_JOB_WALK_CHARGED,
				   (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
				   charge_one, &charging);
	}
	close_books(&charging, charges);
}

void eqt_pass_charge_limits(const struct eqt_config *config)
{
	if (config->limits)
		eqt_run_secs_rebuild_take_off(config, books.last_ran);
}

int eqt_pass_charge_begin(const struct eqt_config *config,
			  struct eqt_error *err)
{
	struct eqt_recovery recovery;

	eqt_state_file_init();
	books.half_life_s = config->half_life_s;
	if (!config->fairshare)
		return 0;
	if (eqt_recovery_run(config, &recovery, err) < 0)
		return -1;
	books.last_ran = recovery.last_ran;
	books.last_reset = recovery.last_reset ? recovery.last_reset
					       : time(NULL);
	if (!config->limits)
		eqt_log_info(
			"AccountingStorageEnforce has no limits, so "
			"slurmctld reports no ends of jobs: of one that is "
			"requeued or resized between two passes, or purged "
			"(MinJobAge) before the next one, only what a pass "
			"has seen is charged");
	if (recovery.journal_is_whole)
		eqt_lost_end_begin(recovery.last_ran);
	return 0;
}

time_t eqt_pass_charge_last_ran(void)
{
	return books.last_ran;
}

void eqt_pass_charge_save(const struct eqt_config *config)
{
	if (config->fairshare)
		eqt_ledger_save(config, books.last_ran, books.last_reset);
}

void eqt_pass_charge_end(void)
{
	eqt_ledger_close();
	eqt_lost_end_over();
	eqt_charged_until_clear();
	eqt_resize_clear();
	eqt_suspend_clear();
	eqt_billing_tres_clear();
}

/* From where and as of when a job that ends is charged; assoc_mgr's assoc lock
 * is held. A pass that is at work has charged it already, or not yet. */
static struct eqt_text_slice span_of_end(const struct eqt_config *config,
					 const job_record_t *job)
{
	struct eqt_text_slice span = {
		.last_ran = books.last_ran,
		.now = time(NULL),
		.ref = books.last_ran,
		.half_life_s = config->stock.reconfigure ? books.half_life_s
							 : config->half_life_s,
	};

	if (books.passing) {
		span.ref = books.passing;
		if (eqt_job_walk_charged(job->job_id))
			span.last_ran = books.passing;
	}
	/* Before the first pass there is no moment to count from but now. */
	if (!span.ref)
		span.ref = span.now;
	return span;
}

void eqt_pass_charge_job_end(job_record_t *job)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	const struct eqt_config *config = eqt_config_get();
	struct eqt_journal_record charge;
	struct eqt_text_slice span;
	bool billed;

	if (config->fairshare && eqt_guard_ok(job)) {
		assoc_mgr_lock(&locks);
		eqt_lost_end_told(job->job_id);
		span = span_of_end(config, job);
		if (eqt_job_charge_end(config, job, &span, &charge)) {
			journal_passed(config, job, &charge);
			journal(config, &charge, IS_JOB_RESIZING(job));
		}
		billed = eqt_billing_tres_end(config, job);
		assoc_mgr_unlock(&locks);
		if (billed)
			eqt_billing_tres_report(job);
	}
	eqt_config_put(config);
}
