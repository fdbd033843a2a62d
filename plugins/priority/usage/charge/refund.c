/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "slurm/log.h"
#include "usage/charge/refund.h"

/* Does slurmctld requeue the job because another one preempts it? No state says so:
 * the state "preempted" is over when slurmctld reports the end. The time of the
 * preemption is that of the end then; one from a suspension is older. */
static bool refund_is_preempted(const job_record_t *job)
{
	return (job->job_state & JOB_REQUEUE) && job->preempt_time &&
	       job->preempt_time >= job->end_time - 1;
}

/* A batch job that its node does not know, or that could not be launched, is requeued
 * without the state "requeued"; accounting has a failed node. */
static bool refund_is_missing(const job_record_t *job)
{
	return (job->job_state & JOB_COMPLETING) &&
	       !(job->job_state & (JOB_REQUEUE | JOB_REQUEUE_FED));
}

const char *eqt_refund_reason(uint32_t refund, const job_record_t *job)
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

/* The factor of the line, if the price was the same all the time: seconds of suspension
 * were charged at no price. */
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

/* The same from what the run was charged, at all its prices, and has not settled: not where
 * some of that is from before the refund begins, which was taken back already. */
static double refund_factor_of_run(const struct eqt_run *run,
				   const struct eqt_journal_record *refund,
				   double plain)
{
	double whole, exact;

	if (!run || run->is_over || run->owed_from < (time_t) refund->from)
		return plain;
	whole = (double) eqt_stretch_rate_u(run->price, run->factor) *
		(double) (refund->to - refund->from);
	if (whole <= 0)
		return plain;
	exact = -refund->factor * (double) run->owed_u / whole;
	/* Amounts of runs are whole millionths. */
	return fabs(exact - plain) > 1e-6 * fabs(plain) ? exact : plain;
}

/* Usage may have been reset by hand meanwhile: the ancestors must not lose what the
 * association does not have. */
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

/* From when on the charge is taken back. */
static time_t refund_from(const struct eqt_job_charge *charge,
			  const struct eqt_run *run, const job_record_t *job,
			  time_t since)
{
	const time_t refunded = run ? run->marks.refunded : 0;
	time_t from = eqt_job_run_start_of(&charge->runs, run, job);

	if (job->start_time < job->resize_time)
		from += job->resize_time - job->start_time;
	if (from < since)
		from = since;
	return from < refunded ? refunded : from;
}

bool eqt_refund_of_end(const struct eqt_config *config,
		       const struct eqt_job_charge *charge,
		       const job_record_t *job,
		       const struct eqt_charge_span *span, time_t since,
		       const struct eqt_job_end *end,
		       struct eqt_journal_record *refund)
{
	const char *reason = eqt_refund_reason(config->priority.refund, job);

	if (!reason || IS_JOB_RESIZING(job))
		return false;
	*refund = end->record;
	refund->from = refund_from(charge, end->run, job, since);
	if (refund->from >= refund->to)
		return true;
	refund->factor = refund_factor_of_run(
		end->run, refund, refund_factor(config, job, span, refund));
	refund_limit(config, job->assoc_ptr, span, refund);
	eqt_log_info("job %u: not charged to fair share (%s)", job->job_id,
		     reason);
	return true;
}
