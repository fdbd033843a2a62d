/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fill the table of runs from slurmctld's records. When a job is charged, the
 * same seconds are added to its run. */
#include <math.h>

#include "base/fraction.h"
#include "walk/job_links.h"
#include "usage/runs/job_run.h"

/* Costs of runs are whole millionths of an equivalent-second, so that budgets
 * add up exactly. */

uint64_t eqt_stretch_rate_u(double price, double factor)
{
	const double micro = price * factor * (double) EQT_MICRO;
	double whole = rint(micro);

	/* Remove the rounding error of a whole number. Any other number is
	   rounded up, so that a budget never gives more than it has. */
	if (fabs(micro - whole) > 1e-3)
		whole = ceil(micro);
	return whole >= 1.0 && whole < 1e18 ? (uint64_t) whole : 0;
}

uint64_t eqt_stretch_owed_u(const struct eqt_run *run,
			    const struct eqt_run_charge *part)
{
	const time_t again = run->recalled && run->until > part->from
				     ? run->until - part->from
				     : 0;
	const time_t idle = part->idle_s > again ? part->idle_s - again : 0;
	const time_t seconds = part->to - part->from - again - idle;
	uint64_t cost;

	if (seconds <= 0)
		return run->owed_u;
	if (__builtin_mul_overflow(
		    (uint64_t) seconds,
		    eqt_stretch_rate_u(part->price, part->factor * part->week),
		    &cost) ||
	    __builtin_add_overflow(run->owed_u, cost, &cost))
		return UINT64_MAX;
	return cost;
}

/* Record what a job of a reservation is charged, because the reservation is not
 * charged for that. The time of a job after the end of the reservation is left
 * out. */
static void stretch_note_paid(const struct eqt_stretch_sink *sink,
			      const struct eqt_run *run,
			      const struct eqt_run_charge *part)
{
	struct eqt_run *reservation =
		eqt_runs_get(sink->runs, EQT_CHARGE_RESERVED | run->reserved);
	time_t to = part->to;

	if (!reservation)
		return;
	if (reservation->ends && to > reservation->ends)
		to = reservation->ends;
	to -= part->from + part->idle_s;
	if (to > 0)
		reservation->jobs_paid += part->price * (double) to;
}

void eqt_stretch_add(const struct eqt_stretch_sink *sink, struct eqt_run *run,
		     const struct eqt_run_charge *part)
{
	if (run->reserved)
		stretch_note_paid(sink, run, part);
	run->price = part->price;
	run->owed_u = eqt_stretch_owed_u(run, part);
	if (run->until < part->to)
		run->until = part->to;
	eqt_run_record_add(sink->record, run, part);
}

/* The cost of the open stretch. */
static uint64_t run_open_cost_u(const struct eqt_run *run)
{
	const struct eqt_run_open *open = &run->open;
	const struct eqt_run none = { 0 };
	const struct eqt_run_charge part = {
		.from = open->from,
		.to = open->to,
		.idle_s = open->idle_s,
		.price = open->unit ? open->rate / (double) open->unit : 0,
		.factor = open->factor,
		.week = 1,
	};

	return eqt_stretch_owed_u(&none, &part);
}

/* Record that budgets have settled the run. An excuse applies to its present
 * size only. */
static void run_settle(struct eqt_run *run, bool is_excused)
{
	run->settled_u += run->unread_u + (is_excused ? 0 : run->owed_u);
	run->unread_u = 0;
}

void eqt_stretch_close(const struct eqt_stretch_sink *sink,
		       const struct eqt_config *config, struct eqt_run *run,
		       const struct eqt_stretch_end *end)
{
	static const enum eqt_charge_kind kinds[] = {
		[EQT_STRETCH_RESIZE] = EQT_CHARGE_RESIZE,
		[EQT_STRETCH_END] = EQT_CHARGE_END,
		[EQT_STRETCH_HELD] = EQT_CHARGE_HELD,
		[EQT_STRETCH_LOST] = EQT_CHARGE_LOST,
	};

	struct eqt_run_settled settled = { .entry = 0 };
	struct eqt_stretch_end with = *end;
	bool is_unread;

	/* Without the group, a kill could leave a charge without its
	   settlement. */
	eqt_journal_group(sink->record->journal, true);
	with.settled = &settled;
	/* settle is NULL until eqt_state_init() has set it. */
	if (sink->settle)
		sink->settle(sink->arg, config, &with);
	is_unread = !settled.entry && settled.excuse;
	/* An excused amount was never owed, even if a kill loses the entry. */
	if (settled.entry)
		run_settle(run, settled.excuse);
	else if (is_unread && end->kind == EQT_STRETCH_RESIZE)
		run->unread_u += run->owed_u;
	/* The stretch of held nodes comes after that of the end. */
	if (settled.entry && end->kind != EQT_STRETCH_HELD)
		run->in_parts = run->settled_u != run_open_cost_u(run);
	/* If budgets cannot be read now, they settle the amount later. */
	if (!is_unread || end->kind == EQT_STRETCH_RESIZE) {
		run->owed_u = 0;
		run->owed_from = run->until;
	}
	if (run->guessed)
		run->guessed = run->until;
	eqt_run_record_close(sink->record, run, end->job, kinds[end->kind],
			     &settled);
	eqt_journal_group(sink->record->journal, false);
}

/* Settle what a forgotten run owes. Nothing is to be done if the run owes
 * nothing and its open stretch is empty. */
void eqt_stretch_lose(const struct eqt_stretch_sink *sink,
		      const struct eqt_config *config, struct eqt_run *run,
		      job_record_t *job)
{
	/* If the run ended before a restart, the entry of budgets may be
	   lost. */
	const bool was_settled = run->is_over && !run->start && run->settled_u;

	if (run->owed_u || run->unread_u || was_settled ||
	    run->open.to > run->open.from)
		eqt_stretch_close(sink, config, run,
				  &(struct eqt_stretch_end){
					  .kind = EQT_STRETCH_LOST,
					  .run = run,
					  .job = job,
				  });
}

/* Add the seconds of a line to what the run owes, or to what budgets have
 * settled. A line that ends a run or its size was settled. */
static void seen_add_owed(struct eqt_run *run,
			  const struct eqt_charge_record *line)
{
	const bool is_unread = eqt_charge_record_is_unread(line);
	const bool is_settled = line->entry ||
				line->kind == EQT_CHARGE_RESIZE ||
				(line->kind == EQT_CHARGE_END && !is_unread);
	const struct eqt_run_charge part = {
		.from = (time_t) line->from,
		.to = (time_t) line->to,
		.idle_s = (time_t) line->idle_s,
		.price = line->rate / (double) (line->unit ? line->unit : 1),
		.factor = line->factor,
		/* The rate of the line already includes the factor of the time
		   of the week. */
		.week = 1,
	};

	/* The run already has the seconds of this line. */
	if (part.to < run->until)
		return;
	run->owed_u = eqt_stretch_owed_u(run, &part);
	if (line->entry)
		run_settle(run, line->reason[0]);
	else if (is_unread && line->kind == EQT_CHARGE_RESIZE)
		run->unread_u += run->owed_u;
	if (is_settled) {
		run->owed_u = 0;
		run->owed_from = part.to;
	}
	run->until = part.to;
}

void eqt_stretch_seen(struct eqt_runs *runs,
		      const struct eqt_charge_record *line)
{
	struct eqt_run *run = eqt_runs_get(runs, line->job_id);
	struct eqt_run_open *open;

	if (line->kind == EQT_CHARGE_REFUND || !line->job_id ||
	    (run && line->number < run->line))
		return;
	/* The file of open stretches does not have this run. If slurmctld has
	   forgotten the end of the job, the job continues to run, and without
	   an entry it would be charged from its start. */
	if (!run || run->open.start != line->start) {
		run = eqt_runs_add(runs, line->job_id);
		if (!run)
			return;
		*run = (struct eqt_run){
			.marks = run->marks,
			.job_id = line->job_id,
			.assoc_id = line->assoc_id,
			.qos_id = line->qos_id,
			.part_qos_id = line->part_qos_id,
			.is_over = true,
			.recalled = true,
			.until = (time_t) line->from,
			.owed_from = (time_t) line->from,
			.open.start = (time_t) line->start,
			.open.unit = line->unit,
			.open.decided = line->decided,
			.open.pool = line->pool,
		};
		/* The start was recorded after a step back of the clock, but
		   before we noticed the step. */
		if (line->start > line->from) {
			run->shift = (time_t) (line->from - line->start);
			runs->shifted = true;
		}
	}
	open = &run->open;
	seen_add_owed(run, line);
	if (line->to <= open->from)
		return;
	open->from = (time_t) line->to;
	if (open->to < open->from)
		open->to = open->from;
	if (open->idle_s > open->to - open->from)
		open->idle_s = open->to - open->from;
}

void eqt_stretch_cut(struct eqt_run *run, time_t to)
{
	struct eqt_run_open *open = &run->open;
	const uint64_t before = run_open_cost_u(run);
	uint64_t less;

	if (open->to <= to || open->to <= open->from)
		return;
	if (run->until == open->to)
		run->until = to > open->from ? to : open->from;
	open->to = to > open->from ? to : open->from;
	if (open->idle_s > open->to - open->from)
		open->idle_s = open->to - open->from;
	less = before - run_open_cost_u(run);
	run->owed_u -= less < run->owed_u ? less : run->owed_u;
}

bool eqt_job_run_is_settled(const struct eqt_job_runs *runs)
{
	return runs->sink->active && runs->sink->active(runs->sink->arg);
}

time_t eqt_job_run_start_of(const struct eqt_job_runs *runs,
			    const struct eqt_run *run, const job_record_t *job)
{
	if (run && job->start_time && eqt_run_start(run) == job->start_time)
		return job->start_time + run->shift;
	return eqt_clock_moment(runs->clock, job->start_time);
}

time_t eqt_job_run_start(const struct eqt_job_runs *runs,
			 const job_record_t *job)
{
	return eqt_job_run_start_of(
		runs,
		runs->table->shifted ? eqt_runs_find(runs->table, job->job_id)
				     : NULL,
		job);
}

/* The time from `from` to `to`, but not below 0. */
static time_t time_since(time_t from, time_t to)
{
	return to > from ? to - from : 0;
}

static time_t time_least(time_t a, time_t b)
{
	return a < b ? a : b;
}

bool eqt_job_run_ends_suspended(const job_record_t *job)
{
	return IS_JOB_FINISHED(job) && job->suspend_time &&
	       job->end_time == job->suspend_time;
}

time_t eqt_job_run_suspended(const job_record_t *job, time_t now, time_t to)
{
	time_t sum = job->tot_sus_time;

	if (IS_JOB_SUSPENDED(job))
		sum += time_since(job->suspend_time, to);
	else if (eqt_job_run_ends_suspended(job))
		sum = time_since(time_since(job->suspend_time, now), sum);
	return sum;
}

time_t eqt_job_run_suspended_in(time_t *mark, const job_record_t *job,
				time_t now, time_t from, time_t to)
{
	const time_t known = *mark ? *mark - 1 : 0;
	const bool waits = IS_JOB_SUSPENDED(job) ||
			   eqt_job_run_ends_suspended(job);
	time_t sum = eqt_job_run_suspended(job, now, to), within;

	if (!job->suspend_time || sum == 0)
		return 0;
	within = time_since(known, sum);
	/* If the job was resumed during a pass, leave out the part of its
	   suspension after the time up to which the pass charges. */
	if (!waits)
		sum -= time_least(time_since(to, job->suspend_time), within);
	within = time_since(known, sum);
	if (!waits)
		within =
			time_least(within, time_since(from, job->suspend_time));
	else if (IS_JOB_SUSPENDED(job) && !*mark)
		within = time_since(job->suspend_time, to);
	*mark = sum + 1;
	/* If the charge goes on after `to`, the remainder of an earlier
	   suspension belongs to the next part. */
	if (to < now)
		*mark -= time_since(time_since(from, to), within);
	return time_least(within, time_since(from, to));
}

/* Make the entry that of a new run with this start, by the clock of charges.
 * The marks and the open stretch of the previous run stay. */
static void run_renew(const struct eqt_job_runs *runs, struct eqt_run *run,
		      const job_record_t *job, time_t start)
{
	*run = (struct eqt_run){
		.marks = run->marks,
		.open = run->open,
		.job_id = job->job_id,
		.look = __atomic_load_n(&runs->table->look, __ATOMIC_RELAXED),
		.start = job->start_time,
		.resized = job->resize_time,
		.shift = start - job->start_time,
		.seen = start,
	};
}

void eqt_job_run_place(const struct eqt_job_runs *runs, const job_record_t *job,
		       time_t start, time_t now)
{
	struct eqt_run *run = eqt_runs_add(runs->table, job->job_id);

	if (!run)
		return;
	if (run->start != job->start_time)
		run_renew(runs, run, job, start);
	eqt_run_record_note(runs->sink->record, run, job);
	run->shift = start - job->start_time;
	run->until = run->owed_from = run->seen = now;
	runs->table->shifted = true;
}

/* Record the association, the QOS and the reservation to which the run is
 * charged. */
static void run_note_owners(struct eqt_run *run, const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = eqt_job_links_qos(job);
	const slurmdb_qos_rec_t *partition = eqt_job_links_partition_qos(job);

	run->assoc_id = job->assoc_ptr->id;
	run->qos_id = qos ? qos->id : 0;
	run->part_qos_id = partition ? partition->id : 0;
	run->factor = eqt_job_links_usage_factor(job);
	run->reserved = job->resv_id;
}

/* Add what earlier slurmctlds charged, with the factors of the times of the
 * week. */
static void run_add_before(const struct eqt_job_runs *runs,
			   const struct eqt_config *config, struct eqt_run *run,
			   const struct eqt_run_charge *before)
{
	const struct eqt_week *week = &config->conf->week;
	struct eqt_run_charge part = *before;
	struct eqt_week_piece piece =
		eqt_week_first(week, part.from + part.idle_s, part.to);

	for (bool more = before->from < before->to; more;) {
		part.to = piece.to;
		part.week = eqt_week_factor(piece.factor_u);
		eqt_stretch_add(runs->sink, run, &part);
		part.from = part.to;
		part.idle_s = 0;
		more = eqt_week_next(week, &piece, before->to);
	}
}

void eqt_job_run_begin(const struct eqt_job_runs *runs,
		       const struct eqt_config *config, job_record_t *job,
		       const struct eqt_run_charge *next, struct eqt_run *run)
{
	const time_t start = eqt_job_run_start_of(runs, run, job);
	const time_t until = next->from;
	struct eqt_run_charge before = *next;
	/* Either a search has just closed the run at another size, or an
	   earlier slurmctld charged it. In both cases it is charged up to this
	   time. */
	const time_t settled = run->until;
	const bool is_known = run->recalled &&
			      run->open.start == job->start_time;
	const time_t owed_from = run->owed_from;
	uint64_t owed_u, settled_u, unread_u;

	before.from = start;
	before.to = until;
	before.factor = eqt_job_links_usage_factor(job);
	/* Neither the end of the last run nor the release of its nodes was
	   reported. */
	if (run->start && (!run->is_over || run->holds))
		eqt_stretch_close(runs->sink, config, run,
				  &(struct eqt_stretch_end){
					  .kind = EQT_STRETCH_END,
					  .run = run,
				  });
	if (run->open.start != job->start_time)
		eqt_stretch_lose(runs->sink, config, run, job);
	owed_u = is_known ? run->owed_u : 0;
	settled_u = run->open.start == job->start_time ? run->settled_u : 0;
	unread_u = run->open.start == job->start_time ? run->unread_u : 0;
	run_renew(runs, run, job, start);
	run->owed_u = owed_u;
	run->settled_u = settled_u;
	run->unread_u = unread_u;
	run->until = is_known ? settled : 0;
	run_note_owners(run, job);
	eqt_run_record_note(runs->sink->record, run, job);
	if (before.from < job->resize_time)
		before.from = job->resize_time;
	/* A refunded charge is not owed. */
	if (before.from < run->marks.refunded)
		before.from = run->marks.refunded;
	if (is_known || before.from < settled)
		before.from = settled;
	run->owed_from = is_known ? owed_from : before.from;
	if (!config->charge_suspended)
		before.idle_s = eqt_job_run_suspended(job, until, until);
	if (before.idle_s > until - before.from)
		before.idle_s = until - before.from;
	if (is_known || !runs->table->whole) {
		run_add_before(runs, config, run, &before);
		run->recalled = is_known || start < until;
	}
	if (run->until < until)
		run->until = until;
	if (run->recalled && !is_known)
		run->guessed = before.from;
}

/* Is this the present run of the job? */
static bool run_is_present(const struct eqt_run *run, const job_record_t *job)
{
	return run && run->start == job->start_time && !run->is_over;
}

struct eqt_run *eqt_job_run_add(const struct eqt_job_runs *runs,
				struct eqt_run *run, job_record_t *job,
				const struct eqt_post *post,
				const struct eqt_run_charge *part)
{
	if (!run_is_present(run, job)) {
		/* slurmctld only tests such a job against limits. The test of a
		   heterogeneous job looks finished, but has no names of
		   nodes. */
		if (!job->node_bitmap && !(IS_JOB_FINISHED(job) && job->nodes))
			return run;
		run = eqt_runs_add(runs->table, job->job_id);
		if (!run)
			return NULL;
		eqt_job_run_begin(runs, post->config, job, part, run);
	}
	eqt_stretch_add(runs->sink, run, part);
	run->look = __atomic_load_n(&runs->table->look, __ATOMIC_RELAXED);
	run->rate = post->rate;
	run_note_owners(run, job);
	return run;
}

void eqt_job_run_hold(const struct eqt_job_runs *runs, const job_record_t *job,
		      time_t until)
{
	struct eqt_run *run = eqt_runs_add(runs->table, job->job_id);

	/* A run that is not over must end first. */
	if (!run || run->holds || (run->start && !run->is_over))
		return;
	run->start = job->start_time;
	run->shift = eqt_job_run_start(runs, job) - job->start_time;
	run->is_over = run->holds = true;
	if (run->until < until)
		run->until = until;
	run->owed_from = run->until;
	run_note_owners(run, job);
	eqt_run_record_note(runs->sink->record, run, job);
}
