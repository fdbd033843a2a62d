/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>

#include "../../common/log.h"
#include "../jobs/billing.h"
#include "charge.h"
#include "charged_until.h"
#include "eqt_decay.h"
#include "../jobs/request.h"
#include "recount.h"
#include "reserve.h"
#include "resized.h"
#include "suspended.h"
#include "../trace.h"
#include "usage.h"

/* What a charge adds, with UsageFactor: decayed to ref, or plain (NoDecay). */
struct amount {
	double wall_s;
	long double raw; /* equivalent-seconds */
	long double tres_s; /* times the count of each TRES */
};

/* One charge, worked out once and then booked on each owner. */
struct booking {
	const struct eqt_settings *settings;
	struct amount decayed;
	struct amount plain;
	double rate; /* equivalents */
	uint64_t billing; /* units of the billing TRES */
	double run_s; /* seconds to take off run-seconds limits; whole
			     ones but for stock_limits */
	const job_record_t *job; /* NULL: one of the past, with run_s 0 */
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

/* Whole seconds times a count exactly, others as a double has them. */
static uint64_t units_of(double run_s, uint64_t count)
{
	uint64_t whole_s = (uint64_t) run_s;

	return (double) whole_s == run_s ? whole_s * count
					 : (uint64_t) ((double) count * run_s);
}

static void book_tres(const struct account *account,
		      const struct booking *booking, long double seconds)
{
	const struct eqt_settings *settings = booking->settings;

	for (uint32_t i = 0; i < settings->tres_count; i++) {
		uint64_t count = booking->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		take_off(&account->run_secs[i],
			 units_of(booking->run_s, count));
		if (i == TRES_ARRAY_BILLING)
			count = booking->billing;
		account->tres[i] += seconds * (long double) count;
	}
}

static void book(const struct account *account, const struct booking *booking,
		 bool decays)
{
	const struct amount *amount = decays ? &booking->decayed
					     : &booking->plain;

	*account->wall += amount->wall_s;
	*account->raw += amount->raw;
	if (booking->settings->limits && booking->counts)
		book_tres(account, booking, amount->tres_s);
}

/* Take the stretch off one array of run-seconds; NULL: there is none. */
static void take_off_all(uint64_t *run_secs, const struct booking *booking)
{
	for (uint32_t i = 0; run_secs && i < booking->settings->tres_count;
	     i++) {
		uint64_t count = booking->counts[i];

		if (count != NO_CONSUME_VAL64 && i != TRES_ARRAY_ENERGY)
			take_off(&run_secs[i], units_of(booking->run_s, count));
	}
}

/* What a QOS counts for the job's account and for its user. */
static void book_qos_shares(slurmdb_qos_rec_t *qos,
			    const struct booking *booking)
{
	struct eqt_run_secs secs;

	if (!booking->settings->limits || !booking->counts || !booking->job ||
	    !booking->job->assoc_ptr)
		return;
	secs = eqt_run_secs_of(qos, booking->job);
	take_off_all(secs.account, booking);
	take_off_all(secs.user, booking);
}

static void book_qos(slurmdb_qos_rec_t *qos, const struct booking *booking)
{
	struct account account;

	if (!qos || !qos->usage)
		return;
	account = qos_account(qos);
	book(&account, booking, !(qos->flags & QOS_FLAG_NO_DECAY));
	book_qos_shares(qos, booking);
	eqt_trace_qos(qos, (double) booking->decayed.raw,
		      booking->decayed.wall_s, booking->settings->tres_count);
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
		eqt_trace_assoc(assoc, (double) booking->decayed.raw,
				booking->decayed.wall_s,
				booking->settings->tres_count);
	}
}

double eqt_charge_usage_factor(const job_record_t *job)
{
	if (job->qos_ptr && job->qos_ptr->usage_factor >= 0)
		return job->qos_ptr->usage_factor;
	return 1.0;
}

/* The rate of what the job holds now; 0 when it holds nothing. */
static struct eqt_rate job_rate(const struct eqt_settings *settings,
				job_record_t *job, time_t from)
{
	struct eqt_rate rate = { 0 };

	if (!job->tres_alloc_cnt)
		return rate;
	if (settings->stock.billing ||
	    eqt_rate_of_job(&rate, settings, job, job->tres_alloc_cnt) < 0) {
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

static struct amount exact_amount(long double seconds, double rate)
{
	return (struct amount){
		/* Scaled up over very many half-lives: still a double. */
		.wall_s = (double) fminl(seconds, DBL_MAX),
		.raw = seconds * (long double) rate,
		.tres_s = seconds,
	};
}

/* The order of stock's products, which fixes the last bit. */
static struct amount stock_amount(double seconds, double rate, double factor)
{
	return (struct amount){
		.wall_s = seconds * factor,
		.raw = (long double) (seconds * rate * factor),
		.tres_s = (long double) (seconds * factor),
	};
}

/* Decayed seconds of a stretch. Most jobs of a pass run all of its time.
 * assoc_mgr's assoc lock is held for writing. */
static long double decayed_seconds(const struct eqt_span *span, time_t from,
				   time_t to)
{
	static struct {
		struct eqt_span span;
		time_t from, to;
		long double seconds;
	} last;

	if (from != last.from || to != last.to || span->ref != last.span.ref ||
	    span->half_life_s != last.span.half_life_s) {
		last.span = *span;
		last.from = from;
		last.to = to;
		last.seconds = eqt_decay_seconds(span->half_life_s, from, to,
						 span->ref);
	}
	return last.seconds;
}

/* What [from, to] adds at the booking's rate. */
static void set_amounts(struct booking *booking, time_t from, time_t to,
			const struct eqt_span *span, double factor)
{
	uint32_t half_life_s = span->half_life_s;
	double seconds = to > from ? difftime(to, from) : 0;

	if (booking->settings->stock.decay) {
		booking->decayed = stock_amount(
			eqt_decay_stock_seconds(half_life_s, seconds),
			booking->rate, factor);
		booking->plain = stock_amount(seconds, booking->rate, factor);
		return;
	}
	booking->decayed = exact_amount(
		factor * decayed_seconds(span, from, to), booking->rate);
	booking->plain =
		exact_amount(factor * (long double) seconds, booking->rate);
}

/*
 * Run-seconds that a stretch up to a moment frees. Those of before the last
 * pass are freed, but for what a resize has changed. Where all are counted
 * anew, a job that ends gives back all of them, and what has passed of the
 * others is taken off later, at once.
 */
static uint64_t freed_run_s(const struct eqt_settings *settings,
			    const job_record_t *job, time_t last_ran, time_t to)
{
	time_t start = job->start_time;
	bool anew = eqt_resized_take(job->job_id);

	if (eqt_recount_holds_all(job))
		return eqt_reserve_freed(settings, job, start, start);
	return eqt_reserve_freed(
		settings, job, anew || start > last_ran ? start : last_ran, to);
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
	struct eqt_rate rate = job_rate(settings, job, from);

	if (!settings->charge_suspended)
		from += eqt_suspended_within(job, span->now, from, to);
	*booking = (struct booking){
		.settings = settings,
		.job = job,
		.rate = rate.equivalents,
		.billing = rate.billing,
		.run_s =
			(double) freed_run_s(settings, job, span->last_ran, to),
		.counts = job->tres_alloc_cnt,
	};
	set_amounts(booking, from, to, span, factor);
	eqt_trace_charge(job, booking->rate, booking->plain.wall_s,
			 settings->tres_count);
	book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
		 booking);
	eqt_log_debug2("job %u: %.15g equivalents for %lld s", job->job_id,
		       booking->rate,
		       to > from ? (long long) (to - from) : 0LL);
	return from;
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

void eqt_charge_running(const struct eqt_settings *settings, job_record_t *job,
			const struct eqt_span *span, struct eqt_charge *part)
{
	struct booking booking;
	time_t from;

	*part = (struct eqt_charge){ 0 };
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return;
	from = charge_job(settings, job, span, span->now, &booking);
	if (from <= span->now && eqt_charged_until(job->job_id))
		fill_charge(part, job, &booking, from, span->now);
	if (!settings->stock.billing)
		eqt_billing_note(job, booking.billing);
}

int eqt_charge_end(const struct eqt_settings *settings, job_record_t *job,
		   const struct eqt_span *span, struct eqt_charge *charge)
{
	struct booking booking;
	time_t to = span->now, from;
	bool goes_on = IS_JOB_RESIZING(job) && !settings->stock.resize;

	/* Charged to its end before. */
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return 0;
	/* It never ran: its limits alone are given back. */
	if (!job->start_time && !settings->stock.phantom) {
		booking = (struct booking){
			.settings = settings,
			.job = job,
			.counts = job->tres_alloc_cnt,
			.run_s = (double) eqt_reserve_whole(job),
		};
		book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
			 &booking);
		return 0;
	}
	/* A job that goes on has no end yet, only one that was foreseen. */
	if (job->end_time && to > job->end_time && !goes_on)
		to = job->end_time;
	from = charge_job(settings, job, span, to, &booking);
	job->end_time_exp = (time_t) NO_VAL;
	if (!IS_JOB_RESIZING(job)) {
		eqt_suspended_forget(job->job_id);
		eqt_charged_until_forget(job->job_id);
	}
	if (goes_on)
		eqt_resized_add(job->job_id);
	if (to < from)
		to = from;
	if (goes_on)
		eqt_charged_until_set(job->job_id, to);
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
	struct eqt_span span = {
		.ref = ref,
		.half_life_s = settings->half_life_s,
	};

	counts_of_charge(counts, settings->tres_count, charge);
	booking.billing = counts[TRES_ARRAY_BILLING];
	set_amounts(&booking, charge->from, charge->to, &span, charge->factor);
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
		.job = job,
		.counts = job->tres_alloc_cnt,
	};
	bool as_stock = settings->stock.limits;

	if (job->end_time_exp == (time_t) NO_VAL ||
	    (!IS_JOB_RUNNING(job) && (!IS_JOB_SUSPENDED(job) || as_stock)) ||
	    job->start_time > last_ran || !job->tres_alloc_cnt)
		return;
	/* slurmctld has not added those of a job without an association; one
	 * whose nodes boot starts when they are up, with all of its limit. */
	if (!as_stock && (!job->assoc_ptr || IS_JOB_POWER_UP_NODE(job)))
		return;
	booking.run_s = as_stock ? eqt_charge_usage_factor(job) *
					   difftime(last_ran, job->start_time)
				 : (double) eqt_reserve_passed(job, last_ran);
	book_all(job->assoc_ptr, job->qos_ptr, eqt_charge_part_qos(job),
		 &booking);
}
