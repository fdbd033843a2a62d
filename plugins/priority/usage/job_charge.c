/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/log.h"
#include "usage/billing_tres.h"
#include "usage/post.h"
#include "usage/job_charge.h"
#include "usage/charged_until.h"
#include "rate/job_rate.h"
#include "usage/run_secs_rebuild.h"
#include "usage/run_secs.h"
#include "usage/resize.h"
#include "usage/suspend.h"
#include "trace.h"
#include "usage/usage.h"

slurmdb_qos_rec_t *eqt_job_charge_part_qos(const job_record_t *job)
{
	if (!job->part_ptr || job->part_ptr->qos_ptr == job->qos_ptr)
		return NULL;
	return job->part_ptr->qos_ptr;
}

double eqt_job_charge_usage_factor(const job_record_t *job)
{
	if (job->qos_ptr && job->qos_ptr->usage_factor >= 0)
		return job->qos_ptr->usage_factor;
	return 1.0;
}

/* The rate of what the job holds now; 0 when it holds nothing. */
static struct eqt_rate job_rate(const struct eqt_config *config,
				job_record_t *job, time_t from)
{
	struct eqt_rate rate = { 0 };

	if (!job->tres_alloc_cnt)
		return rate;
	if (config->stock.billing ||
	    eqt_job_rate(&rate, config, job, job->tres_alloc_cnt) < 0) {
		/* Not priced is not free: Slurm's own billing then. */
		rate.equivalents = calc_job_billable_tres(job, from, true);
		rate.billing = job->tres_alloc_cnt[TRES_ARRAY_BILLING];
	}
	return rate;
}

/* From where on usage is still to be charged. */
static time_t charge_from(const job_record_t *job, time_t last_ran)
{
	time_t until = eqt_charged_until(job->job_id);

	/* Of this run of the job, that is, not of one before. */
	if (until > job->start_time)
		return until;
	return job->start_time > last_ran ? job->start_time : last_ran;
}

/*
 * Run-seconds that a stretch up to a moment frees. Those of before the last
 * pass are freed, but for what a resize has changed. Where all are counted
 * anew, a job that ends gives back all of them, and what has passed of the
 * others is taken off later, at once.
 */
static uint64_t freed_run_s(const struct eqt_config *config,
			    const job_record_t *job, time_t last_ran, time_t to)
{
	time_t start = job->start_time;
	bool anew = eqt_resize_take(job->job_id);

	if (eqt_run_secs_rebuild_pending_for(job))
		return eqt_run_secs_freed(config, job, start, start);
	return eqt_run_secs_freed(
		config, job, anew || start > last_ran ? start : last_ran, to);
}

/*
 * Book [from where the job was charged last, to]; returns that beginning. Time
 * that is not charged because the job was suspended is taken off there.
 */
static time_t charge_job(const struct eqt_config *config, job_record_t *job,
			 const struct eqt_text_slice *span, time_t to,
			 struct eqt_post *booking)
{
	double factor = eqt_job_charge_usage_factor(job);
	time_t from = charge_from(job, span->last_ran);
	struct eqt_rate rate = job_rate(config, job, from);

	if (!config->charge_suspended)
		from += eqt_suspend_within(job, span->now, from, to);
	*booking = (struct eqt_post){
		.config = config,
		.job = job,
		.rate = rate.equivalents,
		.billing = rate.billing,
		.run_s = span->holds_nothing
				 ? 0
				 : (double) freed_run_s(config, job,
							span->last_ran, to),
		.counts = job->tres_alloc_cnt,
	};
	eqt_post_amounts(booking, from, to, span, factor);
	eqt_trace_charge(job, booking->rate, booking->plain.wall_s,
			 config->tres_count);
	eqt_post_all(job->assoc_ptr, job->qos_ptr, eqt_job_charge_part_qos(job),
		     booking);
	eqt_log_debug2("job %u: %.15g equivalents for %lld s", job->job_id,
		       booking->rate,
		       to > from ? (long long) (to - from) : 0LL);
	return from;
}

static void fill_charge(struct eqt_journal_record *charge,
			const job_record_t *job, const struct eqt_post *booking,
			time_t from, time_t to)
{
	const slurmdb_qos_rec_t *partition = eqt_job_charge_part_qos(job);
	uint32_t n = 0;

	*charge = (struct eqt_journal_record){
		.job_id = job->job_id,
		.assoc_id = job->assoc_ptr->id,
		.qos_id = job->qos_ptr ? job->qos_ptr->id : 0,
		.part_qos_id = partition ? partition->id : 0,
		.from = from,
		.to = to,
		.rate = booking->rate,
		.factor = eqt_job_charge_usage_factor(job),
	};
	for (uint32_t i = 0;
	     booking->counts && i < booking->config->tres_count &&
	     n < EQT_JOURNAL_RECORD_TRES_MAX;
	     i++) {
		uint64_t count = booking->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		charge->tres[n].id = assoc_mgr_tres_array[i]->id;
		charge->tres[n++].count =
			i == TRES_ARRAY_BILLING ? booking->billing : count;
	}
	charge->tres_count = n;
}

void eqt_job_charge_running(const struct eqt_config *config, job_record_t *job,
			    const struct eqt_text_slice *span,
			    struct eqt_journal_record *part)
{
	struct eqt_post booking;
	time_t from;

	*part = (struct eqt_journal_record){ 0 };
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return;
	from = charge_job(config, job, span, span->now, &booking);
	if (from <= span->now && eqt_charged_until(job->job_id))
		fill_charge(part, job, &booking, from, span->now);
	if (!config->stock.billing)
		eqt_billing_tres_note(job, booking.billing);
}

int eqt_job_charge_end(const struct eqt_config *config, job_record_t *job,
		       const struct eqt_text_slice *span,
		       struct eqt_journal_record *charge)
{
	struct eqt_post booking;
	time_t to = span->now, from;
	bool goes_on = IS_JOB_RESIZING(job) && !config->stock.resize;

	/* Charged to its end before. */
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return 0;
	/* It never ran: its limits alone are given back. */
	if (!job->start_time && !config->stock.phantom) {
		booking = (struct eqt_post){
			.config = config,
			.job = job,
			.counts = job->tres_alloc_cnt,
			.run_s = (double) eqt_run_secs_whole(job),
		};
		eqt_post_all(job->assoc_ptr, job->qos_ptr,
			     eqt_job_charge_part_qos(job), &booking);
		return 0;
	}
	/* A job that goes on has no end yet, only one that was foreseen. */
	if (job->end_time && to > job->end_time && !goes_on)
		to = job->end_time;
	from = charge_job(config, job, span, to, &booking);
	job->end_time_exp = (time_t) NO_VAL;
	if (!IS_JOB_RESIZING(job)) {
		eqt_suspend_forget(job->job_id);
		eqt_charged_until_forget(job->job_id);
	}
	if (goes_on)
		eqt_resize_add(job->job_id);
	if (to < from)
		to = from;
	if (goes_on)
		eqt_charged_until_set(job->job_id, to);
	fill_charge(charge, job, &booking, from, to);
	return 1;
}

/* TRES counts of a journal entry in slurmctld's order. */
static void counts_of_charge(uint64_t *counts, uint32_t size,
			     const struct eqt_journal_record *charge)
{
	for (uint32_t i = 0; i < size; i++) {
		counts[i] = 0;
		for (uint32_t j = 0; j < charge->tres_count; j++)
			if (charge->tres[j].id == assoc_mgr_tres_array[i]->id)
				counts[i] = charge->tres[j].count;
	}
}

void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *charge,
			   slurmdb_assoc_rec_t *assoc, time_t ref)
{
	uint64_t *counts = xcalloc(config->tres_count, sizeof(*counts));
	struct eqt_post booking = {
		.config = config,
		.rate = charge->rate,
		.counts = counts,
	};
	struct eqt_text_slice span = {
		.ref = ref,
		.half_life_s = config->half_life_s,
	};

	counts_of_charge(counts, config->tres_count, charge);
	booking.billing = counts[TRES_ARRAY_BILLING];
	eqt_post_amounts(&booking, charge->from, charge->to, &span,
			 charge->factor);
	eqt_post_own(assoc, &booking);
	eqt_post_all(assoc, eqt_usage_qos(charge->qos_id),
		     eqt_usage_qos(charge->part_qos_id), &booking);
	xfree(counts);
}

void eqt_job_charge_restart(const struct eqt_config *config, job_record_t *job,
			    time_t last_ran)
{
	struct eqt_post booking = {
		.config = config,
		.job = job,
		.counts = job->tres_alloc_cnt,
	};
	bool as_stock = config->stock.limits;

	if (job->end_time_exp == (time_t) NO_VAL ||
	    (!IS_JOB_RUNNING(job) && (!IS_JOB_SUSPENDED(job) || as_stock)) ||
	    job->start_time > last_ran || !job->tres_alloc_cnt)
		return;
	/* slurmctld has not added those of a job without an association; one
	 * whose nodes boot starts when they are up, with all of its limit. */
	if (!as_stock && (!job->assoc_ptr || IS_JOB_POWER_UP_NODE(job)))
		return;
	booking.run_s = as_stock ? eqt_job_charge_usage_factor(job) *
					   difftime(last_ran, job->start_time)
				 : (double) eqt_run_secs_passed(job, last_ran);
	eqt_post_all(job->assoc_ptr, job->qos_ptr, eqt_job_charge_part_qos(job),
		     &booking);
}
