/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The charge of one job. Each second is charged once: charge_from() returns the
 * time up to which the job is charged, and every charge moves that time
 * forward. It is the pass's last_ran or a mark of the job (runs.h).
 */
#include <stdlib.h>

#include "slurm/log.h"
#include "walk/job_links.h"
#include "rate/job_rate.h"
#include "trace.h"
#include "usage/charge/job_charge.h"
#include "usage/limits/run_secs.h"

/* Compute the rate of the job's allocation, which is 0 without an allocation,
 * and set it in the job's record. *priced says whether the rate is the job's
 * price or Slurm's own billing. */
static struct eqt_rate charge_rate(const struct eqt_job_charge *charge,
				   const struct eqt_config *config,
				   job_record_t *job, time_t from, bool *priced)
{
	struct eqt_rate rate = { 0 };

	*priced = false;
	if (!job->tres_alloc_cnt)
		return rate;
	eqt_billing_tres_forget(charge->billing, config, job);
	*priced = !config->stock.billing &&
		  eqt_job_rate(&rate, charge->rates, config, job,
			       job->tres_alloc_cnt) == 0;
	if (*priced) {
		eqt_billing_tres_set_rate(job, rate.equivalents);
	} else {
		/* A job without a price is not free: Slurm's own billing is
		   used. */
		rate.equivalents = calc_job_billable_tres(job, from, true);
		rate.billing = job->tres_alloc_cnt[TRES_ARRAY_BILLING];
		if (eqt_usage_unit_is_older(charge->unit, config,
					    job->start_time))
			rate.billing = (uint64_t) rate.equivalents;
	}
	return rate;
}

/* The time up to which the job is already charged. */
static time_t charge_from(const struct eqt_job_charge *charge,
			  const struct eqt_run *run, const job_record_t *job,
			  time_t last_ran)
{
	const time_t start = eqt_job_run_start_of(&charge->runs, run, job);
	const time_t until = run ? run->marks.charged_until : 0;

	/* A mark that is older than the start belongs to a previous run. */
	if (until > start)
		return until;
	return start > last_ran ? start : last_ran;
}

void eqt_job_charge_set_rate(const struct eqt_job_charge *charge,
			     const struct eqt_config *config, job_record_t *job)
{
	bool priced;

	(void) charge_rate(charge, config, job, job->start_time, &priced);
}

/* The price of the job for budgets. Budgets count in equivalents, even if usage
 * counts in Slurm's own billing. */
static double charge_price(const struct eqt_job_charge *charge,
			   const struct eqt_config *config,
			   const job_record_t *job, const struct eqt_rate *rate,
			   bool priced)
{
	struct eqt_rate price;

	if (priced || !job->tres_alloc_cnt ||
	    !eqt_job_run_is_settled(&charge->runs) ||
	    eqt_job_rate(&price, charge->rates, config, job,
			 job->tres_alloc_cnt) < 0)
		return rate->equivalents;
	return price.equivalents;
}

void eqt_job_charge_recorded(const struct eqt_job_charge *charge,
			     const struct eqt_post *post,
			     const struct eqt_rate *rate,
			     struct eqt_run_charge *part)
{
	part->rate = post->rate;
	part->billing = post->billing;
	part->scale = eqt_usage_unit_get(charge->unit).scale;
	part->unit = part->scale ? 1 : post->config->conf->weights_scale;
	part->rates = rate;
}

void eqt_job_charge_begin(struct eqt_job_charge *charge,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span,
			  struct eqt_run *run)
{
	bool priced;
	const struct eqt_rate rate =
		charge_rate(charge, config, job, job->start_time, &priced);
	struct eqt_post post = {
		.config = config,
		.rate = rate.equivalents,
		.billing = rate.billing,
	};
	struct eqt_run_charge next = {
		.from = charge_from(charge, run, job, span->last_ran),
		.price = charge_price(charge, config, job, &rate, priced),
	};

	eqt_usage_unit_apply(charge->unit, &post);
	eqt_job_charge_recorded(charge, &post, &rate, &next);
	eqt_job_run_begin(&charge->runs, config, job, &next, run);
	run->rate = post.rate;
	run->price = next.price;
}

/*
 * The run-seconds that charging up to `to` releases. The time before the last
 * pass was already released, unless the job was resized since. While a rebuild
 * is pending, a job that ends releases all of its run-seconds. For the other
 * jobs, the passed part is subtracted later, for all jobs together.
 */
static uint64_t charge_released_run_secs(struct eqt_job_charge *charge,
					 const struct eqt_config *config,
					 const job_record_t *job,
					 struct eqt_run *run, time_t last_ran,
					 time_t to)
{
	const time_t start = job->start_time;
	const time_t shift =
		eqt_job_run_start_of(&charge->runs, run, job) - start;
	const bool resized = run && run->marks.recounted;

	if (run)
		run->marks.recounted = false;
	if (eqt_run_secs_rebuild_pending_for(charge->rebuild, job))
		return eqt_run_secs_freed(config, job, start, start);
	/* slurmctld counts run-seconds from the start time in its record. */
	last_ran -= shift;
	return eqt_run_secs_freed(
		config, job, resized || start > last_ran ? start : last_ran,
		to - shift);
}

/*
 * Charge a job from the time up to which it is charged, until `to`. Returns the
 * first of these times, moved forward by suspended time that is not charged.
 * The caller sets config and week of *post, and the function fills the other
 * members. *known is the job's entry in the table of runs, or NULL.
 */
static time_t charge_part(struct eqt_job_charge *charge, job_record_t *job,
			  struct eqt_run **known,
			  const struct eqt_charge_span *span, time_t to,
			  struct eqt_post *post)
{
	struct eqt_run *run = *known;
	time_t suspended = run ? run->marks.suspended : 0;
	const struct eqt_config *config = post->config;
	const double factor = eqt_job_links_usage_factor(job);
	const double week = post->week;
	time_t from = charge_from(charge, run, job, span->last_ran);
	bool priced;
	struct eqt_rate rate = charge_rate(charge, config, job, from, &priced);
	struct eqt_run_charge part = {
		.from = from,
		.to = to,
		.price = charge_price(charge, config, job, &rate, priced),
		.factor = factor,
		.week = week,
	};

	if (!config->charge_suspended)
		part.idle_s = eqt_job_run_suspended_in(&suspended, job,
						       span->now, from, to);
	from += part.idle_s;
	*post = (struct eqt_post){
		.config = config,
		.last = &charge->last,
		.job = job,
		.rate = rate.equivalents,
		.week = week,
		.factor = factor * week,
		.billing = rate.billing,
		.priced = priced,
		.run_s = span->holds_nothing
				 ? 0
				 : (double) charge_released_run_secs(
					   charge, config, job, run,
					   span->last_ran, to),
		.counts = job->tres_alloc_cnt,
	};
	eqt_usage_unit_apply(charge->unit, post);
	eqt_job_charge_recorded(charge, post, &rate, &part);
	eqt_post_amounts(post, from, to, span, post->factor);
	*known = run = eqt_job_run_add(&charge->runs, run, job, post, &part);
	if (run)
		run->marks.suspended = suspended;
	eqt_trace_charge(config, job, post->rate, post->plain.wall_s);
	eqt_post_all(job->assoc_ptr, eqt_job_links_qos(job),
		     eqt_job_links_partition_qos(job), post);
	eqt_log_debug2("job %u: %.15g equivalents for %lld s", job->job_id,
		       post->rate, to > from ? (long long) (to - from) : 0LL);
	return from;
}

static void journal_record_fill(struct eqt_journal_record *record,
				const job_record_t *job,
				const struct eqt_post *post, time_t from,
				time_t to)
{
	const slurmdb_qos_rec_t *qos = eqt_job_links_qos(job);
	const slurmdb_qos_rec_t *partition = eqt_job_links_partition_qos(job);
	uint32_t n = 0;

	/* Fields are set one by one, because a struct literal would clear the
	   kilobyte of tres. */
	record->sequence = 0;
	record->job_id = job->job_id;
	record->assoc_id = job->assoc_ptr->id;
	record->qos_id = qos ? qos->id : 0;
	record->part_qos_id = partition ? partition->id : 0;
	record->from = from;
	record->to = to;
	record->rate = post->rate;
	record->factor = post->factor;
	for (uint32_t i = 0; post->counts && i < post->config->tres_count &&
			     n < EQT_JOURNAL_RECORD_TRES_MAX;
	     i++) {
		uint64_t count = post->counts[i];

		if (!count || count == NO_CONSUME_VAL64 ||
		    i == TRES_ARRAY_ENERGY)
			continue;
		record->tres[n].id = assoc_mgr_tres_array[i]->id;
		record->tres[n++].count =
			i == TRES_ARRAY_BILLING ? post->billing : count;
	}
	record->tres_count = n;
}

/* The first part of [from, to] that has one factor of the time of the week. */
static struct eqt_week_piece charge_week(struct eqt_job_charge *charge,
					 const struct eqt_config *config,
					 time_t from, time_t to)
{
	struct eqt_week_piece *last = &charge->week;

	if (config->conf->week.count == 0)
		return (struct eqt_week_piece){ from, to, EQT_MICRO };
	if (charge->week_serial != config->serial || from < last->from ||
	    from >= last->to) {
		*last = eqt_week_at(&config->conf->week, from);
		charge->week_serial = config->serial;
	}
	return (struct eqt_week_piece){ from, to < last->to ? to : last->to,
					last->factor_u };
}

/* Charge as charge_part() does, but in parts wherever the factor of the time of
 * the week changes. *post becomes the charge of the last part. If `first` is
 * not NULL, *first becomes the begin of the first part, and the function writes
 * journal lines for all parts but the last, whose line the caller writes. */
static time_t charge_post(struct eqt_job_charge *charge, job_record_t *job,
			  struct eqt_run **known,
			  const struct eqt_charge_span *whole, time_t to,
			  struct eqt_post *post, time_t *first)
{
	const struct eqt_config *config = post->config;
	struct eqt_charge_span span = *whole;
	struct eqt_journal_record line;
	struct eqt_week_piece piece = charge_week(
		charge, config, charge_from(charge, *known, job, span.last_ran),
		to);
	time_t begin;

	for (bool is_first = true;; is_first = false) {
		post->week = eqt_week_factor(piece.factor_u);
		begin = charge_part(charge, job, known, &span, piece.to, post);
		if (first && is_first)
			*first = begin;
		if (piece.to >= to)
			return begin;
		if (*known && (*known)->marks.charged_until)
			(*known)->marks.charged_until = piece.to;
		journal_record_fill(&line, job, post, begin, piece.to);
		if (first && begin <= piece.to)
			eqt_journal_part(charge->journal, &line);
		span.last_ran = piece.to;
		piece = charge_week(charge, config, piece.to, to);
	}
}

void eqt_job_charge_running(struct eqt_job_charge *charge,
			    const struct eqt_config *config, job_record_t *job,
			    struct eqt_run *run,
			    const struct eqt_charge_span *span,
			    struct eqt_journal_record *part)
{
	struct eqt_post post = { .config = config };
	const bool is_marked = run && run->marks.charged_until;
	time_t from, first;

	part->job_id = 0;
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return;
	from = charge_post(charge, job, &run, span, span->now, &post,
			   is_marked ? &first : NULL);
	if (from <= span->now && is_marked)
		journal_record_fill(part, job, &post, from, span->now);
	if (!config->stock.billing ||
	    eqt_usage_unit_is_older(charge->unit, config, job->start_time))
		eqt_billing_tres_note(charge->billing, job, post.billing);
}

/* The end of a job for its charge. A job that continues has only an expected
 * end. If a job is cancelled while it is suspended, Slurm sets its end to the
 * begin of the suspension, although it kept its memory until now and passes
 * have charged for that. */
static time_t charge_end(const struct eqt_job_charge *charge,
			 const struct eqt_config *config,
			 const job_record_t *job,
			 const struct eqt_charge_span *span, bool goes_on)
{
	const time_t end = eqt_clock_moment(charge->runs.clock, job->end_time);

	if (!job->end_time || goes_on || span->now <= end)
		return span->now;
	if (span->reported && config->charge_suspended &&
	    config->charge_completing && eqt_job_run_ends_suspended(job))
		return span->now;
	return end;
}

int eqt_job_charge_end(struct eqt_job_charge *charge,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_charge_span *span,
		       struct eqt_job_end *end)
{
	struct eqt_post post = { .config = config };
	bool goes_on = IS_JOB_RESIZING(job) && !config->stock.resize;
	time_t to = charge_end(charge, config, job, span, goes_on), from;

	end->billing = NO_VAL64;
	/* The job is already charged up to its end. */
	if (job->end_time_exp == (time_t) NO_VAL || !job->assoc_ptr)
		return 0;
	/* The job never ran, so only the run-seconds of its limits are
	   released. */
	if (!job->start_time && !config->stock.phantom) {
		post = (struct eqt_post){
			.config = config,
			.job = job,
			.counts = job->tres_alloc_cnt,
			.run_s = (double) eqt_run_secs_whole(job),
		};
		eqt_post_all(job->assoc_ptr, job->qos_ptr,
			     eqt_job_links_partition_qos(job), &post);
		return 0;
	}
	from = charge_post(charge, job, &end->run, span, to, &post, &end->from);
	job->end_time_exp = (time_t) NO_VAL;
	if (to < from)
		to = from;
	if (end->run && !IS_JOB_RESIZING(job)) {
		end->run->marks.suspended = 0;
		end->run->marks.charged_until = 0;
	} else if (end->run && goes_on) {
		end->run->marks.recounted = true;
		end->run->marks.charged_until = to;
	}
	journal_record_fill(&end->record, job, &post, from, to);
	if (post.priced)
		end->billing = post.billing;
	return 1;
}

/* Slurm's own billing cannot be computed for a part of a job, so it is divided
 * in proportion to the number of nodes. */
static struct eqt_rate charge_rate_by_weights(job_record_t *job,
					      bitstr_t *nodes)
{
	const double all = job->node_bitmap ? bit_set_count(job->node_bitmap)
					    : 0;
	const double part = all > 0 ? bit_set_count(nodes) / all : 1;

	return (struct eqt_rate){
		.equivalents = part * calc_job_billable_tres(
					      job, job->start_time, true),
		.billing = (uint64_t) (part * (double) job->tres_alloc_cnt
						      [TRES_ARRAY_BILLING]),
	};
}

int eqt_job_charge_held(struct eqt_job_charge *charge,
			const struct eqt_config *config, job_record_t *job,
			bitstr_t *nodes, time_t from,
			struct eqt_journal_record *record)
{
	struct eqt_post post = { .config = config,
				 .factor = eqt_job_links_usage_factor(job) };
	struct eqt_rate rate = { 0 };
	uint64_t *counts;

	counts = calloc(config->tres_count, sizeof(*counts));
	if (!counts)
		return -1;
	if (eqt_job_rate_held(&rate, charge->rates, config, job, nodes,
			      counts) < 0)
		rate = charge_rate_by_weights(job, nodes);
	post.rate = rate.equivalents;
	post.billing = rate.billing;
	post.counts = counts;
	eqt_usage_unit_apply(charge->unit, &post);
	journal_record_fill(record, job, &post, from, from);
	free(counts);
	return 0;
}

/* Convert the TRES counts of a journal line to the order of slurmctld's arrays.
 * TRES that no longer exist are dropped. */
static void counts_of_charge(uint64_t *counts, uint32_t size,
			     const struct eqt_journal_record *record)
{
	for (uint32_t i = 0; i < size; i++) {
		counts[i] = 0;
		for (uint32_t j = 0; j < record->tres_count; j++)
			if (record->tres[j].id == assoc_mgr_tres_array[i]->id)
				counts[i] = record->tres[j].count;
	}
}

void eqt_job_charge_replay(const struct eqt_config *config,
			   const struct eqt_journal_record *record,
			   slurmdb_assoc_rec_t *assoc, time_t ref)
{
	uint64_t *counts = xcalloc(config->tres_count, sizeof(*counts));
	struct eqt_post_seconds last = { .from = 0 };
	struct eqt_post post = {
		.config = config,
		.last = &last,
		.rate = record->rate,
		.counts = counts,
	};
	struct eqt_charge_span span = {
		.ref = ref,
		.half_life_s = config->half_life_s,
	};

	counts_of_charge(counts, config->tres_count, record);
	post.billing = counts[TRES_ARRAY_BILLING];
	eqt_post_amounts(&post, record->from, record->to, &span,
			 record->factor);
	eqt_post_own(assoc, &post);
	eqt_post_all(assoc, eqt_job_links_qos_of_id(record->qos_id),
		     eqt_job_links_qos_of_id(record->part_qos_id), &post);
	xfree(counts);
}

/* The state of one walk over the jobs after the wall clock was set. */
struct shift_walk {
	struct eqt_job_charge *charge;
	time_t now;
};

/* Record the start of a running job that has no run yet, because the record of
 * the job has the time that the clock showed before it was set. */
static int shift_note_job(void *item, void *arg)
{
	const struct shift_walk *walk = arg;
	const struct eqt_job_runs *runs = &walk->charge->runs;
	const job_record_t *job = item;

	if (eqt_guard_ok(walk->charge->guard, job) && job->start_time &&
	    (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) &&
	    eqt_clock_moment(runs->clock, job->start_time) == job->start_time &&
	    !eqt_runs_get(runs->table, job->job_id))
		eqt_job_run_place(runs, job, job->start_time, walk->now);
	return 0;
}

void eqt_job_charge_shift(struct eqt_job_charge *charge, time_t now,
			  time_t step)
{
	struct shift_walk walk = { charge, now };

	eqt_log_info("the wall clock was set %s by %lld s; running jobs are "
		     "charged for the seconds that they run",
		     step < 0 ? "back" : "forward",
		     (long long) (step < 0 ? -step : step));
	if (job_list)
		list_for_each(job_list, shift_note_job, &walk);
	eqt_runs_shift(charge->runs.table, step, true);
}
