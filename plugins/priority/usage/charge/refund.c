/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/log.h"
#include "usage/charge/refund.h"
#include "usage/charge/suspend.h"

/* Does slurmctld requeue the job because another one preempts it? No state says so:
 * the state "preempted" is over when slurmctld reports the end. The time of the
 * preemption is that of the end then; one from a suspension is older. */
static bool refund_is_preempted(const job_record_t *job)
{
	return (job->job_state & JOB_REQUEUE) && job->preempt_time &&
	       job->preempt_time >= job->end_time - 1;
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
		return (refund & EQT_REFUND_PREEMPTED) &&
				       refund_is_preempted(job)
			       ? "preempted"
			       : NULL;
	default:
		return NULL;
	}
}

/* The factor of the line: seconds of suspension were charged at no price. */
static double refund_factor(const struct eqt_config *config,
			    const job_record_t *job,
			    const struct eqt_text_slice *span,
			    const struct eqt_journal_record *refund)
{
	const double all = (double) (refund->to - refund->from);
	double free = 0;

	if (!config->charge_suspended)
		free = (double) eqt_suspend_total(job, span->now);
	return free < all ? -refund->factor * (all - free) / all : 0;
}

/* Usage may have been reset by hand meanwhile: the ancestors must not lose what the
 * association does not have. */
static void refund_limit(const struct eqt_config *config,
			 const slurmdb_assoc_rec_t *assoc,
			 const struct eqt_text_slice *span,
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
static time_t refund_from(const struct eqt_job_marks *marks,
			  const job_record_t *job, time_t since)
{
	const time_t *refunded =
		eqt_job_table_get(&marks->refunded, job->job_id);
	time_t from = job->start_time;

	if (from < job->resize_time)
		from = job->resize_time;
	if (from < since)
		from = since;
	return refunded && from < *refunded ? *refunded : from;
}

bool eqt_refund_of_end(const struct eqt_config *config,
		       const struct eqt_job_marks *marks,
		       const job_record_t *job,
		       const struct eqt_text_slice *span, time_t since,
		       const struct eqt_journal_record *end,
		       struct eqt_journal_record *refund)
{
	const char *reason = eqt_refund_reason(config->priority.refund, job);

	if (!reason || IS_JOB_RESIZING(job))
		return false;
	*refund = *end;
	refund->from = refund_from(marks, job, since);
	if (refund->from >= refund->to)
		return true;
	refund->factor = refund_factor(config, job, span, refund);
	refund_limit(config, job->assoc_ptr, span, refund);
	eqt_log_info("job %u: not charged to fair share (%s)", job->job_id,
		     reason);
	return true;
}
