/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "../common/log.h"
#include "billing.h"
#include "charge.h"
#include "charged_until.h"
#include "charging.h"
#include "classic.h"
#include "eqt_decay.h"
#include "guard.h"
#include "journal.h"
#include "ledger.h"
#include "priorities.h"
#include "reset.h"
#include "resized.h"
#include "set_back.h"
#include "state_file.h"
#include "suspended.h"
#include "trace.h"
#include "usage.h"

static struct {
	/* Both times are written under slurmctld's job write lock. */
	time_t last_ran;
	time_t last_reset;
	time_t next_reset; /* 0: not worked out yet */
	uint32_t serial; /* of the settings that it was worked out by */
	uint32_t half_life_s; /* of the last pass */
} books;

/* One walk over the jobs while usage is charged. */
struct charging {
	const struct eqt_settings *settings;
	struct eqt_span span;
	struct eqt_charging_tally *tally;
	bool lazily; /* each job's priority right after its charge */
};

static void journal(const struct eqt_settings *settings,
		    const struct eqt_charge *charge, bool goes_on)
{
	if (settings->stock.recovery)
		return;
	if (goes_on)
		eqt_journal_part(charge);
	else
		eqt_journal_end(charge);
}

/* Jobs that ended without slurmctld telling us: it calls priority_p_job_end
 * only where limits are enforced. */
static void charge_ended(struct charging *charging, job_record_t *job)
{
	struct eqt_charge charge;

	if (!eqt_charge_end(charging->settings, job, &charging->span, &charge))
		return;
	journal(charging->settings, &charge, false);
	charging->tally->charged++;
	eqt_billing_note(job, NO_VAL64);
}

/* Is or was there something to charge it for? */
static bool was_charged(const job_record_t *job)
{
	return job->start_time && job->assoc_ptr && !IS_JOB_PENDING(job) &&
	       !IS_JOB_POWER_UP_NODE(job);
}

/* Of a pending job, start_time is one that the scheduler foresees. */
static bool is_charged(const struct eqt_settings *settings,
		       const job_record_t *job)
{
	if (IS_JOB_PENDING(job) && settings->stock.phantom &&
	    settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING)
		return job->start_time && job->assoc_ptr &&
		       !IS_JOB_POWER_UP_NODE(job);
	return was_charged(job);
}

static int charge_one(void *item, void *arg)
{
	job_record_t *job = item;
	struct charging *charging = arg;
	struct eqt_charge part;

	if (!eqt_guard_ok(job))
		return 0;
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) {
		if (was_charged(job) && job->end_time > books.last_ran &&
		    !charging->settings->stock.tail)
			charge_ended(charging, job);
		return 0;
	}
	if (is_charged(charging->settings, job)) {
		eqt_charge_running(charging->settings, job, &charging->span,
				   &part);
		if (part.job_id)
			journal(charging->settings, &part, true);
		charging->tally->charged++;
	}
	if (charging->lazily)
		charging->tally->updated += eqt_priorities_set(
			charging->settings, job, charging->span.now);
	return 0;
}

static time_t next_reset(const struct eqt_settings *settings, time_t now)
{
	return settings->stock.reset
		       ? eqt_reset_next_stock(settings->reset_period,
					      books.last_reset, now)
		       : eqt_reset_next(settings->reset_period,
					books.last_reset);
}

/* PriorityUsageResetPeriod; assoc_mgr's locks are held for writing. */
static void reset_when_due(const struct eqt_settings *settings, time_t now)
{
	if (books.serial != settings->serial) {
		books.serial = settings->serial;
		books.next_reset = 0;
		/* Once for each time that slurm.conf is read with it. */
		if (settings->reset_period == PRIORITY_RESET_NOW) {
			books.last_reset = now;
			eqt_usage_reset();
		}
	}
	if (!books.next_reset)
		books.next_reset = next_reset(settings, now);
	if (!books.next_reset || now < books.next_reset)
		return;
	eqt_usage_reset();
	eqt_log_info("usage reset (PriorityUsageResetPeriod)");
	books.last_reset = settings->stock.reset ? books.next_reset : now;
	books.next_reset = next_reset(settings, now);
}

static void decay(const struct eqt_settings *settings, time_t now)
{
	double seconds = difftime(now, books.last_ran);
	uint32_t half_life_s = settings->half_life_s;

	long double factor =
		settings->stock.decay
			? eqt_decay_stock_factor(half_life_s, seconds)
			: eqt_decay_factor(half_life_s, seconds);

	eqt_trace("usage of %g s before is worth %.15Lg", seconds, factor);
	eqt_usage_decay(factor);
}

/* Without Fair Tree stock's first pass charges nothing. */
static bool charges_now(const struct charging *charging, time_t now)
{
	return now > books.last_ran && (books.last_ran || !charging->lazily);
}

/* The clock was set back to span->now. */
static void go_back(struct eqt_span *span)
{
	eqt_set_back(books.last_ran, span->now);
	books.last_ran = span->last_ran = span->now;
	if (books.last_reset > span->now)
		books.last_reset = span->now;
}

/*
 * Decay all usage from the last pass to now and charge what has run since.
 * One hold of slurmctld's job lock and, inside it, of assoc_mgr's locks: a job
 * that ends is charged before or after it, never in between.
 */
void eqt_charging_pass(const struct eqt_settings *settings, time_t now,
		       struct eqt_charging_tally *tally)
{
	slurmctld_lock_t job_lock = {
		.job = WRITE_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	struct charging charging = {
		.settings = settings,
		.tally = tally,
		.lazily = eqt_classic_is_lazy(settings),
		.span = {
			.last_ran = books.last_ran,
			.now = now,
			.ref = now,
			.half_life_s = settings->half_life_s,
		},
	};

	lock_slurmctld(job_lock);
	site_factor_g_update();
	assoc_mgr_lock(&assoc_lock);
	reset_when_due(settings, now);
	if (charging.lazily)
		eqt_classic_accounts(settings);
	if (now < books.last_ran && !settings->stock.clock)
		go_back(&charging.span);
	if (charges_now(&charging, now)) {
		if (books.last_ran)
			decay(settings, now);
		if (job_list)
			list_for_each(job_list, charge_one, &charging);
		eqt_charged_until_prune(now);
	}
	books.last_ran = now;
	books.half_life_s = settings->half_life_s;
	if (!settings->stock.recovery)
		eqt_ledger_keep_charged_until();
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

static int restart_one(void *item, void *arg)
{
	if (eqt_guard_ok(item))
		eqt_charge_restart(arg, item, books.last_ran);
	return 0;
}

/* slurmctld has set the run-seconds of running jobs anew: take off what has
 * passed of them. */
void eqt_charging_limits(const struct eqt_settings *settings)
{
	slurmctld_lock_t job_lock = { .job = READ_LOCK };
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;

	if (!settings->limits)
		return;
	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	eqt_resized_clear();
	if (job_list)
		list_for_each(job_list, restart_one, (void *) settings);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

void eqt_charging_begin(const struct eqt_settings *settings)
{
	struct eqt_ledger_state state;

	eqt_state_init();
	books.half_life_s = settings->half_life_s;
	if (!settings->fairshare)
		return;
	state = eqt_ledger_recover(settings);
	books.last_ran = state.last_ran;
	books.last_reset = state.last_reset ? state.last_reset : time(NULL);
}

time_t eqt_charging_last_ran(void)
{
	return books.last_ran;
}

void eqt_charging_save(const struct eqt_settings *settings)
{
	if (settings->fairshare)
		eqt_ledger_save(settings, books.last_ran, books.last_reset);
}

void eqt_charging_end(void)
{
	eqt_ledger_close();
	eqt_charged_until_clear();
	eqt_resized_clear();
	eqt_suspended_clear();
	eqt_billing_clear();
}

void eqt_charging_job_end(job_record_t *job)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	const struct eqt_settings *settings = eqt_settings_get();
	struct eqt_span span = {
		.last_ran = books.last_ran,
		.now = time(NULL),
		.ref = books.last_ran,
		.half_life_s = settings->stock.reconfigure
				       ? books.half_life_s
				       : settings->half_life_s,
	};
	struct eqt_charge charge;
	bool billed;

	/* Before the first pass there is no moment to count from but now. */
	if (!span.ref)
		span.ref = span.now;
	if (settings->fairshare && eqt_guard_ok(job)) {
		assoc_mgr_lock(&locks);
		if (eqt_charge_end(settings, job, &span, &charge))
			journal(settings, &charge, IS_JOB_RESIZING(job));
		billed = eqt_billing_end(settings, job);
		assoc_mgr_unlock(&locks);
		if (billed)
			eqt_billing_tell(job);
	}
	eqt_settings_put(settings);
}
