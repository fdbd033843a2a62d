/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "../common/log.h"
#include "billing.h"
#include "charge.h"
#include "charged_until.h"
#include "eqt_decay.h"
#include "request.h"
#include "suspended.h"
#include "usage.h"

/* One charge, worked out once and then booked on each owner. */
struct booking {
	const struct eqt_settings *settings;
	long double decayed_s; /* seconds as of ref, times UsageFactor */
	long double plain_s; /* seconds, times UsageFactor */
	double rate; /* equivalents */
	uint64_t billing; /* units of the billing TRES */
	uint64_t run_s; /* seconds to take off run-seconds limits */
	const uint64_t *counts; /* allocated TRES; NULL: none */
};

/* The numbers that associations and QOS both have. */
struct account {
	double *wall;
	long double *raw;
	long double *tres;
	uint64_t *run_secs;
};

static struct account usage_account(slurmdb_assoc_usage_t *usage)
{
	return (struct account){
		.wall = &usage->grp_used_wall,
		.raw = &usage->usage_raw,
		.tres = usage->usage_tres_raw,
		.run_secs = usage->grp_used_tres_run_secs,
	};
}

static struct account qos_account(slurmdb_qos_rec_t *qos)
{
	return (struct account){
		.wall = &qos->usage->grp_used_wall,
		.raw = &qos->usage->usage_raw,
		.tres = qos->usage->usage_tres_raw,
		.run_secs = qos->usage->grp_used_tres_run_secs,
	};
}

/* Never below 0: a limit of another time may have been trimmed meanwhile. */
static void take_off(uint64_t *run_secs, uint64_t amount)
{
	*run_secs = *run_secs > amount ? *run_secs - amount : 0;
}

static void book_tres(const struct account *account,
		      const struct booking *booking, long double seconds)
{
	for (uint32_t i = 0; i < booking->settings->tres_count; i++) {
		uint64_t count = booking->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		take_off(&account->run_secs[i], booking->run_s * count);
		if (i == TRES_ARRAY_BILLING)
			count = booking->billing;
		account->tres[i] += seconds * (long double) count;
	}
}

static void book(const struct account *account, const struct booking *booking,
		 bool decays)
{
	long double seconds = decays ? booking->decayed_s : booking->plain_s;

	/* Scaled up over very many half-lives this may leave a double. */
	*account->wall += (double) fminl(seconds, DBL_MAX);
	*account->raw += seconds * (long double) booking->rate;
	if (booking->settings->limits && booking->counts)
		book_tres(account, booking, seconds);
}

static void book_qos(slurmdb_qos_rec_t *qos, const struct booking *booking)
{
	struct account account;

	if (!qos || !qos->usage)
		return;
	account = qos_account(qos);
	book(&account, booking, !(qos->flags & QOS_FLAG_NO_DECAY));
}

slurmdb_qos_rec_t *eqt_charge_part_qos(const job_record_t *job)
{
	if (!job->part_ptr || job->part_ptr->qos_ptr == job->qos_ptr)
		return NULL;
	return job->part_ptr->qos_ptr;
}

static void book_all(slurmdb_assoc_rec_t *assoc, slurmdb_qos_rec_t *qos,
		     slurmdb_qos_rec_t *partition,
		     const struct booking *booking)
{
	book_qos(qos, booking);
	book_qos(partition, booking);
	for (; assoc; assoc = assoc->usage->parent_assoc_ptr) {
		struct account account = usage_account(assoc->usage);

		book(&account, booking, true);
	}
}

double eqt_charge_usage_factor(const job_record_t *job)
{
	if (job->qos_ptr && job->qos_ptr->usage_factor >= 0)
		return job->qos_ptr->usage_factor;
	return 1.0;
}

static time_t limit_ends(const job_record_t *job)
{
	return job->start_time + (time_t) job->time_limit * 60;
}

uint64_t eqt_charge_run_s_left(const job_record_t *job, time_t last_ran)
{
	time_t from = job->start_time > last_ran ? job->start_time : last_ran;

	if (from >= limit_ends(job))
		return 0;
	return (uint64_t) (eqt_charge_usage_factor(job) *
			   (double) (limit_ends(job) - from));
}

/*
 * Run-seconds that this stretch frees. A job's limits hold its whole time
 * limit from the start, so nothing is freed beyond it, and at the end all that
 * is left of it.
 */
static uint64_t freed_run_s(const job_record_t *job, time_t from, time_t to)
{
	if (from >= limit_ends(job))
		return 0;
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_RESIZING(job))
		return (uint64_t) (limit_ends(job) - from);
	if (to > job->end_time_exp)
		to = job->end_time_exp;
	return to > from ? (uint64_t) (to - from) : 0;
}

/* The rate of what the job holds now; 0 when it holds nothing. */
static struct eqt_rate job_rate(const struct eqt_settings *settings,
				job_record_t *job, time_t from)
{
	struct eqt_rate rate = { 0 };

	if (!job->tres_alloc_cnt)
		return rate;
	if (eqt_rate_of_job(&rate, settings, job, job->tres_alloc_cnt) < 0) {
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
	time_t from = job->start_time > last_ran ? job->start_time : last_ran;

	return until > from ? until : from;
}

static void set_seconds(struct booking *booking, time_t from, time_t to,
			time_t ref, double factor)
{
	uint32_t half_life_s = booking->settings->half_life_s;

	booking->decayed_s =
		factor * eqt_decay_seconds(half_life_s, from, to, ref);
	booking->plain_s = to > from ? factor * (long double) (to - from) : 0;
}

/*
 * Book [from where the job was charged last, to]; returns that beginning. Time
 * that is not charged because the job was suspended is taken off there.
 */
static time_t charge_job(const struct eqt_settings *settings, job_record_t *job,
			 const struct eqt_span *span, time_t to,
			 struct booking *booking)
{
	double factor = eqt_charge_usage_factor(job);
	time_t from = charge_from(job, span->last_ran);
	time_t limits_from = job->start_time > span->last_ran ? job->start_time
							      : span->last_ran;
	struct eqt_rate rate = job_rate(settings, job, from);

	if (!settings->conf->charge_suspended)
		from += eqt_suspended_within(job, span->now, from, to);
	*booking = (struct booking){
		.settings = settings,
		.rate = rate.equivalents,
		.billing = rate.billing,
		.run_s = (uint64_t) (factor * (double) freed_run_s(
						      job, limits_from, to)),
		.counts = job->tres_alloc_cnt,
	};
	set_seconds(booking, from, to, span->ref, factor);
	book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
		 booking);
	eqt_log_debug2("job %u: %.15g equivalents for %lld s", job->job_id,
		       booking->rate,
		       to > from ? (long long) (to - from) : 0LL);
	return from;
}

void eqt_charge_running(const struct eqt_settings *settings, job_record_t *job,
			const struct eqt_span *span)
{
	struct booking booking;

	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return;
	(void) charge_job(settings, job, span, span->now, &booking);
	eqt_billing_note(job, booking.billing);
}

static void fill_charge(struct eqt_charge *charge, const job_record_t *job,
			const struct booking *booking, time_t from, time_t to)
{
	const slurmdb_qos_rec_t *partition = eqt_charge_part_qos(job);
	uint32_t n = 0;

	*charge = (struct eqt_charge){
		.job_id = job->job_id,
		.assoc_id = job->assoc_ptr->id,
		.qos_id = job->qos_ptr ? job->qos_ptr->id : 0,
		.part_qos_id = partition ? partition->id : 0,
		.from = from,
		.to = to,
		.rate = booking->rate,
		.factor = eqt_charge_usage_factor(job),
	};
	for (uint32_t i = 0;
	     booking->counts && i < booking->settings->tres_count &&
	     n < EQT_CHARGE_TRES_MAX;
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

int eqt_charge_end(const struct eqt_settings *settings, job_record_t *job,
		   const struct eqt_span *span, struct eqt_charge *charge)
{
	struct booking booking;
	time_t to = span->now, from;

	/* Charged to its end before. */
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return 0;
	/* It never ran: its limits alone are given back. */
	if (!job->start_time) {
		booking = (struct booking){
			.settings = settings,
			.counts = job->tres_alloc_cnt,
			.run_s = (uint64_t) (eqt_charge_usage_factor(job) *
					     (double) job->time_limit * 60),
		};
		book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
			 &booking);
		return 0;
	}
	/* A job that goes on has no end yet, only one that was foreseen. */
	if (job->end_time && to > job->end_time && !IS_JOB_RESIZING(job))
		to = job->end_time;
	from = charge_job(settings, job, span, to, &booking);
	job->end_time_exp = (time_t) NO_VAL;
	if (!IS_JOB_RESIZING(job)) {
		eqt_suspended_forget(job->job_id);
		eqt_charged_until_forget(job->job_id);
	}
	if (to <= from)
		return 0;
	if (IS_JOB_RESIZING(job))
		eqt_charged_until_add(job->job_id, to);
	fill_charge(charge, job, &booking, from, to);
	return 1;
}

/* TRES counts of a journal entry in slurmctld's order. */
static void counts_of_charge(uint64_t *counts, uint32_t size,
			     const struct eqt_charge *charge)
{
	for (uint32_t i = 0; i < size; i++) {
		counts[i] = 0;
		for (uint32_t j = 0; j < charge->tres_count; j++)
			if (charge->tres[j].id == assoc_mgr_tres_array[i]->id)
				counts[i] = charge->tres[j].count;
	}
}

static void book_own_leaf(slurmdb_assoc_rec_t *assoc,
			  const struct booking *booking)
{
	slurmdb_assoc_usage_t *leaf = assoc ? eqt_usage_own_leaf(assoc) : NULL;
	struct account account;

	if (!leaf)
		return;
	account = usage_account(leaf);
	book(&account, booking, true);
}

void eqt_charge_replay(const struct eqt_settings *settings,
		       const struct eqt_charge *charge,
		       slurmdb_assoc_rec_t *assoc, time_t ref)
{
	uint64_t *counts = xcalloc(settings->tres_count, sizeof(*counts));
	struct booking booking = {
		.settings = settings,
		.rate = charge->rate,
		.counts = counts,
	};

	counts_of_charge(counts, settings->tres_count, charge);
	booking.billing = counts[TRES_ARRAY_BILLING];
	set_seconds(&booking, charge->from, charge->to, ref, charge->factor);
	book_own_leaf(assoc, &booking);
	book_all(assoc, eqt_usage_qos(charge->qos_id),
		 eqt_usage_qos(charge->part_qos_id), &booking);
	xfree(counts);
}

void eqt_charge_restart(const struct eqt_settings *settings, job_record_t *job,
			time_t last_ran)
{
	struct booking booking = {
		.settings = settings,
		.counts = job->tres_alloc_cnt,
	};
	uint64_t limit_s = (uint64_t) job->time_limit * 60, passed_s;

	if (job->end_time_exp == (time_t) NO_VAL ||
	    (!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)) ||
	    job->start_time > last_ran || !job->tres_alloc_cnt)
		return;
	passed_s = (uint64_t) (last_ran - job->start_time);
	if (passed_s > limit_s)
		passed_s = limit_s;
	booking.run_s =
		(uint64_t) (eqt_charge_usage_factor(job) * (double) passed_s);
	book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
		 &booking);
}
