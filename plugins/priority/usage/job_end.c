/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "walk/job_links.h"
#include "slurm/log.h"
#include "usage/job_end.h"

/*
 * Refunds: a job that ended through no fault of its user need not be charged
 * (refund in equitree.conf). Passes have already charged the job, so its end
 * takes these charges back with a charge of the whole run that has a negative
 * factor.
 */

/* Does slurmctld requeue the job because another job preempts it? The state
 * "preempted" is gone when slurmctld reports the end, so times are compared: a
 * preemption that ended the job has the time of the end, and a preemption that
 * only suspended it is older. */
static bool refund_is_preempted(const job_record_t *job)
{
	return (job->job_state & JOB_REQUEUE) && job->preempt_time &&
	       job->preempt_time >= job->end_time - 1;
}

/* Is the job requeued because its node does not know it or could not launch it?
 * slurmctld then does not set the state "requeued", and accounting gets a node
 * failure. */
static bool refund_is_missing(const job_record_t *job)
{
	return (job->job_state & JOB_COMPLETING) &&
	       !(job->job_state & (JOB_REQUEUE | JOB_REQUEUE_FED));
}

const char *eqt_job_end_refund_reason(uint32_t refund, const job_record_t *job)
{
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_NODE_FAIL:
		return refund & EQT_REFUND_NODE_FAIL ? "node failure" : NULL;
	case JOB_BOOT_FAIL:
		return refund & EQT_REFUND_BOOT_FAIL ? "boot failure" : NULL;
	case JOB_PREEMPTED:
		return refund & EQT_REFUND_PREEMPTED ? "preempted" : NULL;
	case JOB_PENDING:
		if (refund_is_missing(job))
			return refund & EQT_REFUND_NODE_FAIL ? "node failure"
							     : NULL;
		return (refund & EQT_REFUND_PREEMPTED) &&
				       refund_is_preempted(job)
			       ? "preempted"
			       : NULL;
	default:
		return NULL;
	}
}

/* The factor of the refund for a run whose price never changed, without the
 * factor of the time of the week. Suspended seconds that were not charged lower
 * it. */
static double refund_factor(const struct eqt_config *config,
			    const job_record_t *job,
			    const struct eqt_charge_span *span,
			    const struct eqt_journal_record *refund)
{
	const double all = (double) (refund->to - refund->from);
	double free = 0;

	if (!config->charge_suspended)
		free = (double) eqt_job_run_suspended(job, span->now,
						      span->now);
	return free < all ? -refund->factor * (all - free) / all : 0;
}

/* The factor of the refund, computed from the amount that the run owes, which
 * reflects all its prices. Returns `plain` if a part of that amount is older
 * than the refund. */
static double refund_factor_of_run(const struct eqt_config *config,
				   const struct eqt_run *run,
				   const struct eqt_journal_record *refund,
				   double plain)
{
	double whole, exact;

	if (!run || run->is_over || run->owed_from < (time_t) refund->from)
		return plain;
	whole = (double) eqt_stretch_rate_u(run->price, run->factor) *
		(double) (refund->to - refund->from) *
		eqt_week_mean(&config->conf->week, (time_t) refund->from,
			      (time_t) refund->to);
	if (whole <= 0)
		return plain;
	exact = -refund->factor * (double) run->owed_u / whole;
	/* Amounts of runs are whole millionths, so smaller differences mean
	   nothing. */
	return fabs(exact - plain) > 1e-6 * fabs(plain) ? exact : plain;
}

/* Lower a refund to the usage of the association. That usage may have been
 * reset meanwhile, and the ancestors must not lose more than the association
 * has. */
static void refund_limit(const struct eqt_config *config,
			 const slurmdb_assoc_rec_t *assoc,
			 const struct eqt_charge_span *span,
			 struct eqt_journal_record *refund)
{
	struct eqt_post_seconds last = { .from = 0 };
	struct eqt_post post = {
		.config = config,
		.last = &last,
		.rate = refund->rate,
	};
	const long double there = assoc->usage->usage_raw;

	eqt_post_amounts(&post, refund->from, refund->to, span, refund->factor);
	if (-post.decayed.raw > there)
		refund->factor *= (double) (there / -post.decayed.raw);
}

/* The time at which the job got its present size. */
static time_t end_size_start(const struct eqt_job_charge *charge,
			     const struct eqt_run *run, const job_record_t *job)
{
	const time_t start = eqt_job_run_start_of(&charge->runs, run, job);

	return job->start_time < job->resize_time
		       ? start + job->resize_time - job->start_time
		       : start;
}

/* The time at which the refund begins. A run knows since when it owes its
 * amount, which is right even if the clock was set. Without a run, the refund
 * begins when the job got its present size. */
static time_t refund_from(const struct eqt_job_charge *charge,
			  const struct eqt_run *run, const job_record_t *job,
			  time_t since)
{
	const time_t from = run && !run->is_over
				    ? run->owed_from
				    : end_size_start(charge, run, job);

	return from < since ? since : from;
}

/* Make the journal line that refunds a job. end->record is the job's last
 * charge. The refund begins at the start of the job, its last resize, an
 * earlier refund, or the last reset of usage, whichever is latest. The factor
 * of the refund excludes the factor of the time of the week. Returns false if
 * the job is not refunded. */
static bool refund_of_end(const struct eqt_config *config,
			  const struct eqt_job_charge *charge,
			  const job_record_t *job,
			  const struct eqt_charge_span *span, time_t since,
			  const struct eqt_job_end *end,
			  struct eqt_journal_record *refund)
{
	const char *reason =
		eqt_job_end_refund_reason(config->priority.refund, job);

	if (!reason || IS_JOB_RESIZING(job))
		return false;
	memcpy(refund, &end->record, eqt_journal_record_size(&end->record));
	refund->from = refund_from(charge, end->run, job, since);
	refund->factor = eqt_job_links_usage_factor(job);
	if (refund->from >= refund->to)
		return true;
	refund->factor =
		refund_factor_of_run(config, end->run, refund,
				     refund_factor(config, job, span, refund));
	eqt_log_info("job %u: not charged to fair share (%s)", job->job_id,
		     reason);
	return true;
}

/* Will slurmctld's record keep this end? It will not if the job may run again:
 * a failed job may be requeued because of its exit code. */
static bool end_is_for_good(const job_record_t *job)
{
	if (job->job_state & (JOB_REQUEUE | JOB_REQUEUE_FED | JOB_REQUEUE_HOLD |
			      JOB_SPECIAL_EXIT | JOB_RESIZING))
		return false;
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_COMPLETE:
	case JOB_CANCELLED:
	case JOB_TIMEOUT:
	case JOB_DEADLINE:
		return true;
	default:
		return false;
	}
}

static void end_journal(const struct eqt_pass_charge *charge,
			const job_record_t *job,
			struct eqt_journal_record *record)
{
	if (IS_JOB_RESIZING(job))
		eqt_journal_part(charge->ledger->journal, record);
	else
		eqt_journal_end(charge->ledger->journal, record,
				end_is_for_good(job));
}

/*
 * Write to the journal the charges that passes made for a job that has ended. A
 * kill could lose them otherwise, because the last pass may not have saved its
 * snapshot, or the snapshot may be damaged.
 */
static void end_journal_passed(const struct eqt_pass_charge *charge,
			       const struct eqt_config *config,
			       const job_record_t *job,
			       const struct eqt_job_end *end)
{
	struct eqt_journal_record passed;
	const time_t from = end_size_start(charge->jobs, end->run, job);

	if (from >= end->from)
		return;
	memcpy(&passed, &end->record, eqt_journal_record_size(&end->record));
	passed.to = end->from;
	passed.from = from;
	passed.factor = eqt_job_links_usage_factor(job);
	eqt_journal_passed(charge->ledger->journal, &passed,
			   &config->conf->week);
}

/*
 * Has slurmctld saved the job as ended and charged, while a kill lost the line
 * of the journal? This is possible because another thread writes the line
 * without slurmctld's locks. So the first pass after a start charges a job that
 * ended after the snapshot, if neither the journal nor slurmctld has reported
 * that end. end_time_exp is NO_VAL in that case, because no hook has charged
 * the job since it was saved.
 *
 * Two kinds of ends are not lost, because they were recorded before the clock
 * was set back: ends in the future, and ends in the record of charges.
 */
static bool end_is_lost(const struct eqt_pass_charge *charge,
			const job_record_t *job)
{
	const time_t end = eqt_clock_moment(charge->clock, job->end_time);
	const struct eqt_run *run;

	if (!charge->recovered || end <= charge->recovered ||
	    end > eqt_clock_now(charge->clock) ||
	    job->end_time_exp != (time_t) NO_VAL ||
	    (!IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job)))
		return false;
	run = eqt_runs_find(charge->jobs->runs.table, job->job_id);
	return !run || (!run->marks.ended && run->marks.charged_until < end &&
			run->marks.recorded != job->start_time);
}

/* Charge the job from now on for the nodes that it holds after its end. For
 * Slurm, a job that ends while suspended ends when the suspension began, but it
 * was charged until now. is_free says that the job was refunded, so these nodes
 * are not charged. */
static void end_watch_completing(struct eqt_pass_charge *charge,
				 const struct eqt_config *config,
				 job_record_t *job, time_t now, bool is_free)
{
	time_t until = eqt_clock_moment(charge->clock, job->end_time);

	if (IS_JOB_RESIZING(job))
		return;
	if (until > now ||
	    (job->suspend_time && job->end_time == job->suspend_time))
		until = now;
	eqt_completing_add(charge->completing, config, job, until, now,
			   is_free);
}

/* Do the same for a job whose end an earlier slurmctld charged. The job is also
 * free if it had released all nodes, but slurmctld was killed before it saved
 * their release. Then marks.freed is not older than the end; an older one
 * belongs to a previous run. */
static void end_watch_charged(struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      job_record_t *job, time_t now)
{
	const struct eqt_run *run =
		eqt_runs_find(charge->jobs->runs.table, job->job_id);
	const bool is_free =
		eqt_job_end_refund_reason(config->priority.refund, job) ||
		(run && run->marks.freed && run->marks.freed >= job->end_time);
	time_t until = eqt_clock_moment(charge->clock, job->end_time);

	if (IS_JOB_RESIZING(job) || !eqt_completing_holds(job))
		return;
	if (until < charge->last_ran)
		until = charge->last_ran;
	if (run && until < run->marks.charged_until)
		until = run->marks.charged_until;
	if (until > now)
		until = now;
	eqt_completing_add(charge->completing, config, job, until, now,
			   is_free);
	if (!is_free && eqt_completing_has(charge->completing, job->job_id))
		eqt_job_run_hold(&charge->jobs->runs, job, until);
}

bool eqt_job_end_has_run(const job_record_t *job)
{
	/* The state is checked first, because a pass calls this for all jobs
	   and has just read it. A job that was cancelled while it waited has a
	   start time, but no allocation. */
	return !IS_JOB_PENDING(job) && !IS_JOB_POWER_UP_NODE(job) &&
	       job->start_time && (job->tres_alloc_cnt || job->nodes) &&
	       job->assoc_ptr;
}

bool eqt_job_end_is_new(const struct eqt_pass_charge *charge,
			const struct eqt_config *config,
			const job_record_t *job)
{
	if (eqt_job_end_has_run(job) && end_is_lost(charge, job))
		return true;
	/* A pass may have charged the job up to the second of its end. */
	return eqt_job_end_has_run(job) &&
	       job->end_time_exp != (time_t) NO_VAL && !config->stock.tail &&
	       (eqt_clock_moment(charge->clock, job->end_time) >
			charge->last_ran ||
		eqt_unreported_is_open(charge->jobs, config, job));
}

bool eqt_job_end_is_unwatched(const struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      const job_record_t *job)
{
	return IS_JOB_COMPLETING(job) && config->charge_completing &&
	       job->assoc_ptr &&
	       !eqt_completing_has(charge->completing, job->job_id) &&
	       eqt_completing_holds(job);
}

/* Write the line for a refund to the record of charges. */
static void end_record_refund(const struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      const job_record_t *job,
			      const struct eqt_run *run,
			      const struct eqt_journal_record *refund,
			      double week)
{
	const struct eqt_run_charge line = {
		.from = (time_t) refund->from,
		.to = (time_t) refund->to,
		.rate = refund->rate * week,
		.factor = refund->factor / week,
		.billing = run->open.billing,
		.scale = run->open.scale,
		.unit = run->open.unit,
	};

	eqt_run_record_write(
		charge->jobs->runs.sink->record, run, &line, EQT_CHARGE_REFUND,
		eqt_job_end_refund_reason(config->priority.refund, job));
}

/* Refund a part that has one factor of the week, which is not 0. The refund
 * does not exceed the usage of the association. */
static void end_refund_part(struct eqt_pass_charge *charge,
			    const struct eqt_config *config,
			    const job_record_t *job,
			    const struct eqt_charge_span *span,
			    const struct eqt_job_end *end,
			    struct eqt_journal_record *refund, double week)
{
	refund->factor *= week;
	refund_limit(config, job->assoc_ptr, span, refund);
	eqt_job_charge_replay(config, refund, job->assoc_ptr, span->ref);
	end_journal(charge, job, refund);
	if (end->run)
		end_record_refund(charge, config, job, end->run, refund, week);
}

/* Refund a job that ended through no fault of its user, with the factors of the
 * week of its charge. Returns false if the job is not refunded. */
static bool end_refund(struct eqt_pass_charge *charge,
		       const struct eqt_config *config, const job_record_t *job,
		       const struct eqt_charge_span *span,
		       const struct eqt_job_end *end)
{
	const struct eqt_week *week = &config->conf->week;
	struct eqt_journal_record refund, line;
	struct eqt_week_piece piece;

	if (!refund_of_end(config, charge->jobs, job, span, charge->reset_from,
			   end, &refund))
		return false;
	if (refund.from >= refund.to)
		return true;
	piece = eqt_week_first(week, (time_t) refund.from, (time_t) refund.to);
	do {
		line = refund;
		line.from = piece.from;
		line.to = piece.to;
		/* Hours that are free were not charged, so nothing is refunded
		   for them. */
		if (piece.factor_u > 0)
			end_refund_part(charge, config, job, span, end, &line,
					eqt_week_factor(piece.factor_u));
	} while (eqt_week_next(week, &piece, (time_t) refund.to));
	return true;
}

/* End the stretch of this charge. Also end the run, unless the job
 * continues. */
static void end_close_run(const struct eqt_pass_charge *charge,
			  const struct eqt_config *config, job_record_t *job,
			  struct eqt_run *run, bool is_free)
{
	struct eqt_stretch_end end = {
		.kind = IS_JOB_RESIZING(job) ? EQT_STRETCH_RESIZE
					     : EQT_STRETCH_END,
		.run = run,
		.job = job,
	};

	if (!run || run->is_over)
		return;
	if (end.kind == EQT_STRETCH_END) {
		run->is_over = true;
		run->holds = end.holds = !is_free && run->marks.completes;
	} else {
		/* This resize was reported, so a later search does not charge
		   it again. */
		run->resized = job->resize_time;
	}
	eqt_stretch_close(charge->jobs->runs.sink, config, run, &end);
	/* The run is not needed any more. Without limits a search removes it,
	   and after a start the first pass does. */
	if (run->is_over && !run->marks.completes && config->limits &&
	    !charge->recovered && !eqt_job_run_is_settled(&charge->jobs->runs))
		eqt_runs_forget(charge->jobs->runs.table, job->job_id);
}

void eqt_job_end_charge(struct eqt_pass_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			const struct eqt_charge_span *span,
			struct eqt_job_end *end)
{
	bool is_free;

	end->run = eqt_runs_find(charge->jobs->runs.table, job->job_id);
	eqt_journal_group(charge->ledger->journal, true);
	if (eqt_job_charge_end(charge->jobs, config, job, span, end)) {
		end_journal_passed(charge, config, job, end);
		end_journal(charge, job, &end->record);
		is_free = end_refund(charge, config, job, span, end);
		end_watch_completing(charge, config, job, span->now, is_free);
		end_close_run(charge, config, job, end->run, is_free);
	} else if (job->assoc_ptr) {
		end_watch_charged(charge, config, job, span->now);
	}
	eqt_journal_group(charge->ledger->journal, false);
}

/* Charge a job that ended without a priority_p_job_end() call. slurmctld calls
 * that hook only if it enforces limits. */
static bool end_charge_found(struct eqt_pass_charge *charge,
			     const struct eqt_config *config, job_record_t *job,
			     const struct eqt_charge_span *at)
{
	struct eqt_charge_span span = *at;
	struct eqt_job_end end;

	span.holds_nothing = end_is_lost(charge, job);
	if (span.holds_nothing)
		job->end_time_exp = job->end_time;
	else
		eqt_unreported_end(charge->jobs, config, job, &span);
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return false;
	eqt_job_end_charge(charge, config, job, &span, &end);
	/* If a kill lost the charge of an end, the billing was already
	   corrected at that end. */
	if (!span.holds_nothing)
		eqt_billing_tres_note(charge->jobs->billing, job, NO_VAL64);
	return true;
}

unsigned int eqt_job_end_find(struct eqt_pass_charge *charge,
			      const struct eqt_config *config,
			      job_record_t *job,
			      const struct eqt_charge_span *span)
{
	if (eqt_job_end_is_new(charge, config, job))
		return end_charge_found(charge, config, job, span);
	if (eqt_job_end_is_unwatched(charge, config, job))
		end_watch_charged(charge, config, job, span->now);
	return 0;
}
