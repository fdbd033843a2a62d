/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The charges of a pass.
 *
 * pass_charge_open() sets `passing` and decays all usage to the time of the
 * pass, in slices; a job that ends meanwhile first decays the usage that it
 * changes. Then jobs are charged one by one, in short lock holds, and
 * pass_charge_close() sets last_ran. For a job that ends in between,
 * job_end_span() asks the walk whether the pass has already charged it.
 */
#include <time.h>

#include "slurm/log.h"
#include "prio/decay.h"
#include "trace.h"
#include "usage/job_end.h"
#include "usage/pass_charge.h"
#include "usage/charge/reserved.h"
#include "usage/snapshot/usage_recovery.h"
#include "walk/job_links.h"
#include "walk/walk.h"

/* The state of one walk over the jobs while usage is charged. */
struct charging {
	struct eqt_pass_charge *charge;
	const struct eqt_config *config;
	struct eqt_charge_span span;
	unsigned int charged;
	bool ended; /* A search has visited a job that has ended. */
};

/* Does a pass charge this job, which has not ended? The start_time of a pending
 * job is the one that the scheduler expects. With CALCULATE_RUNNING, Slurm's
 * own plugin charges from that time. */
static bool pass_charges_job(const struct eqt_config *config,
			     const job_record_t *job)
{
	if (IS_JOB_PENDING(job) && config->stock.phantom &&
	    config->flags & PRIORITY_FLAGS_CALCULATE_RUNNING)
		return job->start_time && job->assoc_ptr &&
		       !IS_JOB_POWER_UP_NODE(job);
	return eqt_job_end_has_run(job);
}

/* Must a pass visit this job to charge it? */
static bool pass_wants(const struct eqt_pass_charge *charge,
		       const struct eqt_config *config, const job_record_t *job)
{
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return eqt_job_end_is_new(charge, config, job);
	/* Jobs without an association are visited too, because limits may hold
	   run-seconds for such jobs. */
	return IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) ||
	       pass_charges_job(config, job);
}

bool eqt_pass_charge_wants(const struct eqt_pass_charge *charge,
			   const struct eqt_config *config,
			   const job_record_t *job)
{
	return pass_wants(charge, config, job) ||
	       eqt_job_end_is_unwatched(charge, config, job);
}

/* Was the wall clock ahead when the job started, before the step could be
 * noticed? A start shortly after the time of the pass is normal, because the
 * pass may have waited for locks. */
static bool pass_start_is_ahead(const struct charging *charging,
				const job_record_t *job,
				const struct eqt_run *run)
{
	const struct eqt_pass_charge *charge = charging->charge;
	time_t start;

	if (charging->config->stock.clock || !eqt_job_end_has_run(job))
		return false;
	start = eqt_job_run_start_of(&charge->jobs->runs, run, job);
	return start > charging->span.now + 1 &&
	       start > eqt_clock_now(charge->clock) + 1;
}

static void pass_charge_running(struct charging *charging, job_record_t *job)
{
	struct eqt_job_charge *jobs = charging->charge->jobs;
	const struct eqt_config *config = charging->config;
	const time_t now = charging->span.now;
	bool watched = eqt_unreported_every(config) && eqt_job_end_has_run(job);
	struct eqt_journal_record part;
	struct eqt_run *run;

	if (watched)
		eqt_unreported_visit(jobs, config, job, &charging->span);
	run = eqt_runs_find(jobs->runs.table, job->job_id);
	if (pass_start_is_ahead(charging, job, run)) {
		eqt_job_run_place(&jobs->runs, job, now, now);
		run = eqt_runs_find(jobs->runs.table, job->job_id);
	}
	eqt_job_charge_running(jobs, config, job, run, &charging->span, &part);
	charging->charged++;
	if (!run || !run->marks.charged_until)
		return;
	if (part.job_id) {
		run->marks.charged_until = 0;
		eqt_journal_part(jobs->journal, &part);
	} else if (run->marks.charged_until > now) {
		/* The snapshot of this pass does not contain the mark, so the
		   journal gets it. */
		eqt_journal_until(jobs->journal, job->job_id,
				  run->marks.charged_until);
	}
}

static void pass_charge_visit(job_record_t *job, void *arg)
{
	struct charging *charging = arg;

	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) {
		charging->charged += eqt_job_end_find(charging->charge,
						      charging->config, job,
						      &charging->span);
		return;
	}
	if (pass_charges_job(charging->config, job))
		pass_charge_running(charging, job);
}

static time_t pass_next_reset(const struct eqt_pass_charge *charge,
			      const struct eqt_config *config, time_t now)
{
	return config->stock.reset
		       ? eqt_usage_next_reset_stock(config->reset_period,
						    charge->last_reset, now)
		       : eqt_usage_next_reset(config->reset_period,
					      charge->last_reset);
}

/* Configure the journal and the record of charges. */
static void pass_configure_journal(struct eqt_pass_charge *charge,
				   const struct eqt_config *config)
{
	charge->ledger->journal->on = !config->stock.recovery;
	eqt_charge_days_configure(charge->ledger->days, config);
}

/* Reset the usage if PriorityUsageResetPeriod says so. assoc_mgr's locks are
 * held for writing. */
static void pass_reset_when_due(struct eqt_pass_charge *charge,
				const struct eqt_config *config, time_t now)
{
	if (charge->serial != config->serial) {
		pass_configure_journal(charge, config);
		charge->serial = config->serial;
		charge->next_reset = 0;
		/* PriorityUsageResetPeriod=NOW resets the usage once each time
		   that slurm.conf is read. */
		if (config->reset_period == PRIORITY_RESET_NOW) {
			charge->last_reset = now;
			charge->reset_from = charge->last_ran;
			eqt_usage_reset(charge->usage);
			eqt_run_record_reset(charge->ledger->record,
					     charge->last_ran);
		}
	}
	if (!charge->next_reset)
		charge->next_reset = pass_next_reset(charge, config, now);
	if (!charge->next_reset || now < charge->next_reset)
		return;
	eqt_usage_reset(charge->usage);
	eqt_run_record_reset(charge->ledger->record, charge->last_ran);
	eqt_log_info("usage reset (PriorityUsageResetPeriod)");
	charge->reset_from = charge->last_ran;
	charge->last_reset = config->stock.reset ? charge->next_reset : now;
	charge->next_reset = pass_next_reset(charge, config, now);
}

/* Decay all usage by one factor, however long ago the last pass was. */
static void pass_decay(struct eqt_pass_charge *charge,
		       const struct eqt_config *config, time_t now)
{
	double seconds = difftime(now, charge->last_ran);
	uint32_t half_life_s = config->half_life_s;
	long double factor =
		config->stock.decay
			? eqt_decay_stock_factor(half_life_s, seconds)
			: eqt_decay_factor(half_life_s, seconds);

	eqt_trace_decay(config, seconds, factor);
	if (config->stock.decay)
		eqt_usage_decay(charge->usage, factor);
	else
		eqt_usage_decay_begin(charge->usage, factor);
}

/* Move the times of charges after the wall clock was set. All jobs are charged
 * up to last_ran. slurmctld's job lock and assoc_mgr's assoc lock are held for
 * writing. */
static void pass_clock_shift(struct eqt_pass_charge *charge, time_t step)
{
	eqt_job_charge_shift(charge->jobs, charge->last_ran, step);
	eqt_completing_shift(charge->completing, step);
	charge->last_ran += step;
	charge->reset_from += step;
	/* The date of the last reset stays the same when the wall clock is set,
	   unless the date would then be in the future. */
	if (charge->last_reset > charge->last_ran)
		charge->last_reset += step;
}

/* Record whether the wall clock was set. From one slurmctld to the next, the
 * wall clock is the only clock. If it is now behind the last pass, charges
 * continue from here. */
static void pass_clock_check(struct eqt_pass_charge *charge,
			     struct eqt_charge_span *span, bool follows)
{
	if (charge->clock->follows != follows)
		eqt_clock_start(charge->clock, follows);
	(void) eqt_clock_check(charge->clock);
	if (span->now >= charge->last_ran || follows)
		return;
	pass_clock_shift(charge, span->now - charge->last_ran);
	span->last_ran = charge->last_ran;
}

/* Prepare the charges. This is nearly always fast. Only after the clock was set
 * back, and for a reset of usage, are all jobs or associations visited in one
 * lock hold. */
static void pass_prepare(struct charging *charging)
{
	struct eqt_pass_charge *charge = charging->charge;
	const struct eqt_config *config = charging->config;
	slurmctld_lock_t job_lock = EQT_WALK_JOB_LOCKS;
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	time_t now = charging->span.now;

	lock_slurmctld(job_lock);
	site_factor_g_update();
	assoc_mgr_lock(&assoc_lock);
	pass_reset_when_due(charge, config, now);
	pass_clock_check(charge, &charging->span, config->stock.clock);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

/* Decay usage to the time of the pass. From here on jobs are charged one by
 * one. slurmctld's job lock is not needed, because a job that ends waits for
 * assoc_mgr's lock. */
static void pass_charge_open(const struct charging *charging)
{
	struct eqt_pass_charge *charge = charging->charge;
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;

	eqt_usage_decay_prepare(charge->usage);
	assoc_mgr_lock(&assoc_lock);
	if (charge->last_ran)
		pass_decay(charge, charging->config, charging->span.now);
	charge->passing = charging->span.now;
	eqt_journal_passing(charge->ledger->journal);
	while (eqt_usage_decay_some(charge->usage)) {
		assoc_mgr_unlock(&assoc_lock);
		assoc_mgr_lock(&assoc_lock);
	}
	eqt_usage_unit_convert(charge->unit, charging->config);
	assoc_mgr_unlock(&assoc_lock);
}

/* Write the offset of the clock to the journal, because a start needs the
 * offset to read the times of later lines. */
static void pass_journal_clock(const struct eqt_pass_charge *charge,
			       const struct eqt_config *config)
{
	if (!config->stock.clock)
		eqt_journal_clock(charge->ledger->journal, charge->ledger->boot,
				  charge->clock->offset_ns);
}

/* End the charges of a pass. Every job is charged up to the time of the pass,
 * so from here on the end of a job is charged from that time. */
static void pass_charge_close(const struct charging *charging)
{
	struct eqt_pass_charge *charge = charging->charge;
	assoc_mgr_lock_t assoc_lock = EQT_CHARGE_ASSOC_LOCKS;
	slurmctld_lock_t job_lock = { .job = WRITE_LOCK };

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&assoc_lock);
	charge->passing = 0;
	charge->recovered = 0;
	charge->last_ran = charging->span.now;
	charge->half_life_s = charging->config->half_life_s;
	eqt_run_secs_rebuild_keep_marks(charge->jobs->rebuild);
	if (charge->clock->step) {
		/* A new file does not have the previous offset yet. */
		pass_journal_clock(charge, charging->config);
		pass_clock_shift(charge, charge->clock->step);
		eqt_clock_follow(charge->clock);
	}
	pass_journal_clock(charge, charging->config);
	assoc_mgr_unlock(&assoc_lock);
	unlock_slurmctld(job_lock);
}

/* The time to which usage refers. Before the first pass that is the current
 * time. */
static time_t pass_ref(const struct eqt_pass_charge *charge)
{
	return charge->last_ran ? charge->last_ran
				: eqt_clock_now(charge->clock);
}

bool eqt_pass_charge_completing(struct eqt_pass_charge *charge,
				const struct eqt_config *config)
{
	return eqt_completing_look(charge->completing, config, pass_ref(charge),
				   false);
}

void eqt_pass_charge_end(struct eqt_pass_charge *charge,
			 const struct eqt_config *config)
{
	eqt_completing_close(charge->completing, config, pass_ref(charge));
}

unsigned int eqt_pass_charge_pass(struct eqt_pass_charge *charge,
				  const struct eqt_config *config, time_t now,
				  unsigned int *billed)
{
	struct charging charging = {
		.charge = charge,
		.config = config,
		.span = {
			.last_ran = charge->last_ran,
			.now = now,
			.ref = now,
			.half_life_s = config->half_life_s,
		},
	};

	pass_prepare(&charging);
	/* The first pass after a start always charges, because it also finds
	   lost ends. */
	if (now > charge->last_ran || charge->recovered) {
		(void) eqt_completing_look(charge->completing, config,
					   pass_ref(charge), true);
		pass_charge_open(&charging);
		eqt_unreported_begin(charge->jobs);
		eqt_walk_visit(charge->walk, EQT_WALK_CHARGED,
			       (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
			       pass_charge_visit, &charging);
		eqt_unreported_sweep(charge->jobs, config, &charging.span);
		eqt_reserved_charge(&(struct eqt_reserved){
			charge->jobs, config, charging.span });
	}
	pass_charge_close(&charging);
	*billed = eqt_billing_tres_update(charge->jobs->billing, config,
					  charge->last_ran);
	return charging.charged;
}

/* Select jobs that have run-seconds left, which an ended and charged job has
 * not. */
static bool pass_wants_limits(const job_record_t *job, void *arg)
{
	const struct charging *charging = arg;

	return pass_wants(charging->charge, charging->config, job);
}

void eqt_pass_charge_limits(struct eqt_pass_charge *charge,
			    const struct eqt_config *config)
{
	struct charging charging = { .charge = charge, .config = config };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = pass_wants_limits },
		.arg = &charging,
	};

	if (config->limits)
		eqt_run_secs_rebuild_take_off(charge->jobs->rebuild, config,
					      &wanted, charge->last_ran);
}

int eqt_pass_charge_begin(struct eqt_pass_charge *charge,
			  const struct eqt_config *config,
			  struct eqt_error *err)
{
	struct eqt_recovery recovery;

	eqt_state_file_init(charge->ledger->folder);
	charge->half_life_s = config->half_life_s;
	charge->recovered = 0;
	if (!config->fairshare)
		return 0;
	pass_configure_journal(charge, config);
	charge->ledger->boot = eqt_clock_boot();
	if (eqt_usage_recovery_run(charge->ledger, config, &recovery, err) < 0)
		return -1;
	charge->last_ran = recovery.last_ran;
	charge->last_reset = recovery.last_reset ? recovery.last_reset
						 : time(NULL);
	/* Without resets, last_reset is only the time of the very first
	   start. */
	charge->reset_from = config->reset_period == PRIORITY_RESET_NONE
				     ? 0
				     : charge->last_reset;
	if (!config->limits)
		eqt_log_info("AccountingStorageEnforce has no limits, so "
			     "slurmctld reports no ends of jobs: looking for "
			     "them every %u s",
			     eqt_unreported_every(config));
	if (recovery.journal_is_whole)
		charge->recovered = recovery.last_ran;
	return 0;
}

void eqt_pass_charge_save(struct eqt_pass_charge *charge,
			  const struct eqt_config *config)
{
	if (config->fairshare)
		eqt_ledger_save(charge->ledger, config, charge->last_ran,
				charge->last_reset);
}

/* The time span from the last pass to now. */
static struct eqt_charge_span span_since_pass(
	const struct eqt_pass_charge *charge, const struct eqt_config *config,
	time_t now)
{
	return (struct eqt_charge_span){
		.last_ran = charge->last_ran,
		.now = now,
		.ref = charge->last_ran,
		.half_life_s = config->stock.reconfigure ? charge->half_life_s
							 : config->half_life_s,
	};
}

/* Decay the usage that a charge of the job changes, unless the pass has done
 * so: the usage of its association, and that of the association of its run.
 * assoc_mgr's assoc lock is held for writing. */
static void job_end_decay(struct eqt_pass_charge *charge,
			  const job_record_t *job)
{
	const struct eqt_run *run =
		charge->usage->slices.on
			? eqt_runs_find(charge->jobs->runs.table, job->job_id)
			: NULL;

	eqt_usage_decay_owner(charge->usage, job->assoc_ptr);
	if (run)
		eqt_usage_decay_owner(charge->usage,
				      eqt_job_links_assoc(run->assoc_id));
}

/* The time span for the charge of a job that ends. While a pass is charging,
 * the span depends on whether the pass has charged the job already. assoc_mgr's
 * assoc lock is held for writing. */
static struct eqt_charge_span job_end_span(struct eqt_pass_charge *charge,
					   const struct eqt_config *config,
					   const job_record_t *job)
{
	struct eqt_charge_span span =
		span_since_pass(charge, config, eqt_clock_check(charge->clock));

	span.reported = true;
	job_end_decay(charge, job);
	if (charge->passing) {
		span.ref = charge->passing;
		if (eqt_walk_visited(charge->walk, job->job_id))
			span.last_ran = charge->passing;
	}
	/* Before the first pass, usage refers to the current time. */
	if (!span.ref)
		span.ref = span.now;
	return span;
}

/* Must a search between passes visit this job? */
static bool pass_wants_look(const job_record_t *job, void *arg)
{
	const struct charging *charging = arg;
	const struct eqt_pass_charge *charge = charging->charge;

	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return eqt_job_end_is_new(charge, charging->config, job) ||
		       eqt_job_end_is_unwatched(charge, charging->config, job);
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	       eqt_job_end_has_run(job) &&
	       eqt_unreported_wants(charge->jobs, job,
				    eqt_clock_now(charge->clock));
}

static void pass_look_visit(job_record_t *job, void *arg)
{
	struct charging *charging = arg;
	struct eqt_pass_charge *charge = charging->charge;

	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) {
		charging->ended = true;
		(void) eqt_job_end_find(charge, charging->config, job,
					&charging->span);
	} else if (eqt_job_end_has_run(job)) {
		eqt_unreported_visit(charge->jobs, charging->config, job,
				     &charging->span);
	}
}

bool eqt_pass_charge_look(struct eqt_pass_charge *charge,
			  const struct eqt_config *config)
{
	struct charging charging = { .charge = charge, .config = config };
	const struct eqt_walk_wanted wanted = {
		.wants = { [EQT_WALK_CHARGED] = pass_wants_look },
		.arg = &charging,
	};

	/* Before the first pass nothing is charged. */
	if (!charge->last_ran)
		return false;
	eqt_unreported_begin(charge->jobs);
	eqt_walk_collect(charge->walk, &wanted);
	charging.span =
		span_since_pass(charge, config, eqt_clock_now(charge->clock));
	eqt_walk_visit(charge->walk, EQT_WALK_CHARGED,
		       (assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
		       pass_look_visit, &charging);
	eqt_unreported_sweep(charge->jobs, config, &charging.span);
	(void) eqt_billing_tres_update(charge->jobs->billing, config,
				       charge->last_ran);
	return charging.ended;
}

void eqt_pass_charge_job_changed(struct eqt_pass_charge *charge,
				 const struct eqt_config *config,
				 job_record_t *job)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	struct eqt_charge_span span;

	if (!eqt_unreported_is_resized(charge->jobs, job))
		return;
	assoc_mgr_lock(&locks);
	span = job_end_span(charge, config, job);
	eqt_unreported_visit(charge->jobs, config, job, &span);
	eqt_usage_decay_charged(charge->usage);
	assoc_mgr_unlock(&locks);
}

/* Record that slurmctld reports the end of this job before the first pass. If
 * the job is charged already, its line may be lost, which the first pass finds
 * out. */
static void pass_note_reported(const struct eqt_pass_charge *charge,
			       const job_record_t *job)
{
	struct eqt_run *run =
		job->end_time_exp == (time_t) NO_VAL
			? NULL
			: eqt_runs_add(charge->jobs->runs.table, job->job_id);

	if (run)
		run->marks.ended = true;
}

bool eqt_pass_charge_job_end(struct eqt_pass_charge *charge,
			     const struct eqt_config *config, job_record_t *job)
{
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	struct eqt_job_end end;
	struct eqt_charge_span span;
	bool billed, holds;

	if (!config->fairshare || !eqt_guard_ok(charge->jobs->guard, job))
		return false;
	assoc_mgr_lock(&locks);
	if (charge->recovered)
		pass_note_reported(charge, job);
	span = job_end_span(charge, config, job);
	eqt_job_end_charge(charge, config, job, &span, &end);
	holds = charge->completing->count > 0;
	billed = eqt_billing_tres_end(charge->jobs->billing, config, job,
				      end.billing);
	eqt_usage_decay_charged(charge->usage);
	assoc_mgr_unlock(&locks);
	if (billed)
		eqt_billing_tres_report(job);
	return holds;
}
