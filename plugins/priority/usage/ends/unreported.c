/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "slurm/log.h"
#include "usage/ends/unreported.h"
#include "walk/job_links.h"
#include "walk/walk.h"

/* The seconds between two searches for ends that slurmctld does not report. */
#define LOOK_EVERY_S 5

static time_t run_later(time_t a, time_t b)
{
	return a > b ? a : b;
}

/* The period must be shorter than MinJobAge, after which slurmctld drops the
 * records of ended jobs. It is half of MinJobAge, so that a late search does
 * not miss an end. */
uint32_t eqt_unreported_every(const struct eqt_config *config)
{
	uint32_t age_s = config->min_job_age_s;

	if (!config->fairshare || config->limits || config->stock.tail)
		return 0;
	if (age_s == 0 || age_s > 2 * LOOK_EVERY_S)
		return LOOK_EVERY_S;
	return age_s < 4 ? 1 : age_s / 2;
}

void eqt_unreported_begin(struct eqt_job_charge *jobs)
{
	(void) __atomic_add_fetch(&jobs->runs.table->look, 1, __ATOMIC_RELAXED);
}

/* Is this still the same run of the job, at any size? */
static bool run_goes_on(const struct eqt_run *run, const job_record_t *job)
{
	return job->start_time == run->start &&
	       (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job));
}

static bool run_is_resized(const struct eqt_run *run, const job_record_t *job)
{
	return job->start_time == run->start &&
	       job->resize_time != run->resized;
}

/* Record that the job is running now. */
static void run_note_seen(struct eqt_job_charge *jobs, struct eqt_run *run,
			  const job_record_t *job, time_t now)
{
	run->look = jobs->runs.table->look;
	run->seen = now;
	run->is_suspended = IS_JOB_SUSPENDED(job);
	run->suspended_s = eqt_job_run_suspended(job, now, now);
}

bool eqt_unreported_wants(struct eqt_job_charge *jobs, const job_record_t *job,
			  time_t now)
{
	struct eqt_run *run = eqt_runs_get(jobs->runs.table, job->job_id);

	if (!run || !run_goes_on(run, job) || run_is_resized(run, job))
		return true;
	run_note_seen(jobs, run, job, now);
	return false;
}

bool eqt_unreported_is_resized(const struct eqt_job_charge *jobs,
			       const job_record_t *job)
{
	const struct eqt_run *run = eqt_runs_get(jobs->runs.table, job->job_id);

	return run && run_goes_on(run, job) && run_is_resized(run, job);
}

/*
 * The end of a run of a job that was requeued. slurmctld records the time of
 * the requeue in time_last_active, which stays until the next start, and the
 * time at which the nodes became free in submit_time. An epilog of less than a
 * second costs nothing (completing.h), but the two times may then differ by one
 * second.
 */
static time_t run_requeue_end(const struct eqt_job_charge *jobs,
			      const struct eqt_run *run,
			      const job_record_t *job,
			      const struct eqt_config *config, time_t now)
{
	const struct eqt_clock *clock = jobs->runs.clock;
	const time_t began = run->start + run->shift;
	const time_t start = eqt_clock_moment(clock, job->start_time);
	time_t freed =
		job->details
			? eqt_clock_moment(clock, job->details->submit_time)
			: now;
	time_t ended = eqt_clock_moment(clock, job->time_last_active);

	if (!IS_JOB_PENDING(job))
		return start > began && freed > start ? start : freed;
	if (ended <= began || ended > freed)
		return freed;
	return config->charge_completing && freed - ended > 1 ? freed : ended;
}

/* The end of a run whose record was removed or belongs to another run. */
static time_t run_end(const struct eqt_job_charge *jobs,
		      const struct eqt_run *run, const job_record_t *job,
		      const struct eqt_config *config, time_t now)
{
	const struct eqt_clock *clock = jobs->runs.clock;
	time_t end;

	if (!job) {
		/* slurmctld keeps the record of an ended job for MinJobAge. */
		end = now - (time_t) config->min_job_age_s;
	} else if (job->start_time == run->start) {
		/* The job was requeued and its nodes are not free yet, or it
		   was resized. */
		end = eqt_clock_moment(clock, run_is_resized(run, job)
						      ? job->resize_time
						      : job->end_time);
	} else {
		end = run_requeue_end(jobs, run, job, config, now);
	}
	if (end > now)
		end = now;
	return run_later(end, run->seen);
}

/* The seconds of suspension between the last charge and the end of the run. */
static time_t run_suspended(const struct eqt_config *config,
			    const struct eqt_run *run, time_t to)
{
	const time_t mark = run->marks.suspended;
	time_t seconds = run->suspended_s - (mark ? mark - 1 : 0);

	if (config->charge_suspended)
		return 0;
	if (run->is_suspended && to > run->seen)
		seconds += to - run->seen;
	return run_later(seconds, 0);
}

/* Write the charges of passes to the journal. The factor of *end is that of the
 * run. */
static void run_journal_passed(const struct eqt_job_charge *jobs,
			       const struct eqt_config *config,
			       const struct eqt_run *run,
			       const struct eqt_journal_record *end)
{
	struct eqt_journal_record passed = *end;

	passed.from = run_later(run->start, run->resized) + run->shift;
	passed.to = run->until;
	if (passed.from < passed.to)
		eqt_journal_passed(jobs->journal, &passed, &config->conf->week);
}

/* Add the seconds that the run was not charged for yet to its stretch. */
static void run_add(const struct eqt_job_charge *jobs, struct eqt_run *run,
		    const struct eqt_journal_record *end, double week)
{
	const struct eqt_run_charge part = {
		.from = run->until,
		.to = (time_t) end->to,
		.idle_s = (time_t) end->from - run->until,
		.price = run->price,
		.factor = run->factor,
		.week = week,
	};

	eqt_stretch_add(jobs->runs.sink, run, &part);
}

/* Charge a part of the run that has one factor of the time of the week. assoc
 * is NULL if the association was removed. The function sets the factor of
 * *part. */
static void run_charge_part(const struct eqt_job_charge *jobs,
			    const struct eqt_config *config,
			    struct eqt_run *run, slurmdb_assoc_rec_t *assoc,
			    struct eqt_journal_record *part, double week,
			    const struct eqt_charge_span *span, bool goes_on)
{
	part->factor = run->factor * week;
	if (assoc) {
		eqt_job_charge_replay(config, part, assoc, span->ref);
		if (goes_on)
			eqt_journal_part(jobs->journal, part);
		else
			eqt_journal_end(jobs->journal, part, false);
		eqt_log_debug2("job %u: %.15g equivalents for %lld s, which "
			       "slurmctld did not report",
			       run->job_id, run->rate,
			       (long long) (part->to - part->from));
	}
	run_add(jobs, run, part, week);
}

/* Charge the run to its end or, after a resize, charge its old size up to the
 * resize. job is NULL if the record was removed. */
static void run_close(struct eqt_job_charge *jobs,
		      const struct eqt_config *config, struct eqt_run *run,
		      const job_record_t *job,
		      const struct eqt_charge_span *span)
{
	const bool resized = job && run_is_resized(run, job);
	/* A requeued job may still hold nodes. */
	const bool holds = !resized && run->marks.completes;
	const struct eqt_week *week = &config->conf->week;
	slurmdb_assoc_rec_t *assoc = eqt_job_links_assoc(run->assoc_id);
	struct eqt_week_piece piece;
	time_t to = run_later(run_end(jobs, run, job, config, span->now),
			      run->until);
	struct eqt_journal_record end = {
		.job_id = run->job_id,
		.assoc_id = run->assoc_id,
		.qos_id = run->qos_id,
		.part_qos_id = run->part_qos_id,
		.from = run->until + run_suspended(config, run, to),
		.to = to,
		.rate = run->rate,
		.factor = run->factor,
	};

	if (end.from > end.to)
		end.from = end.to;
	eqt_journal_group(jobs->journal, true);
	if (assoc)
		run_journal_passed(jobs, config, run, &end);
	piece = eqt_week_first(week, (time_t) end.from, to);
	do {
		end.from = piece.from;
		end.to = piece.to;
		run_charge_part(jobs, config, run, assoc, &end,
				eqt_week_factor(piece.factor_u), span,
				resized || piece.to < to);
	} while (eqt_week_next(week, &piece, to));
	run->marks.charged_until = resized ? to : 0;
	run->marks.suspended = resized && !config->charge_suspended &&
					       run->suspended_s
				       ? run->suspended_s + 1
				       : 0;
	eqt_stretch_close(jobs->runs.sink, config, run,
			  &(struct eqt_stretch_end){
				  .kind = resized ? EQT_STRETCH_RESIZE
						  : EQT_STRETCH_END,
				  .holds = holds,
				  .run = run,
			  });
	eqt_journal_group(jobs->journal, false);
	run->until = to;
	run->is_over = true;
	run->holds = holds;
	if (!holds)
		run->start = 0;
}

bool eqt_unreported_is_open(const struct eqt_job_charge *jobs,
			    const struct eqt_config *config,
			    const job_record_t *job)
{
	const struct eqt_run *run =
		config->limits ? NULL
			       : eqt_runs_get(jobs->runs.table, job->job_id);

	/* A run that an earlier slurmctld charged has not begun yet, but is not
	   over. */
	return run && eqt_run_start(run) == job->start_time &&
	       (!run->is_over || (run->recalled && !run->start));
}

void eqt_unreported_visit(struct eqt_job_charge *jobs,
			  const struct eqt_config *config, job_record_t *job,
			  const struct eqt_charge_span *span)
{
	struct eqt_run *run;
	bool is_new;

	if (!job->assoc_ptr || !job->start_time)
		return;
	run = eqt_runs_add(jobs->runs.table, job->job_id);
	if (!run)
		return;
	is_new = !run->start || run->is_over;
	if (!is_new && (!run_goes_on(run, job) || run_is_resized(run, job))) {
		run_close(jobs, config, run, job, span);
		is_new = true;
	}
	if (is_new)
		eqt_job_charge_begin(jobs, config, job, span, run);
	run_note_seen(jobs, run, job, span->now);
}

void eqt_unreported_end(struct eqt_job_charge *jobs,
			const struct eqt_config *config,
			const job_record_t *job,
			const struct eqt_charge_span *span)
{
	struct eqt_run *run = eqt_runs_get(jobs->runs.table, job->job_id);

	if (!run)
		return;
	if (!run->is_over &&
	    (job->start_time != run->start || run_is_resized(run, job)))
		run_close(jobs, config, run, job, span);
}

/* Has the job ended with this run, so that a visit charges it or has charged
 * it? */
static bool run_has_plain_end(const struct eqt_run *run,
			      const job_record_t *job)
{
	return job->start_time == run->start && !IS_JOB_PENDING(job) &&
	       (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job));
}

/* Charge a run that the search has not found. Returns whether the run stays in
 * the table. */
static bool run_sweep(struct eqt_job_charge *jobs,
		      const struct eqt_config *config, struct eqt_run *run,
		      const struct eqt_charge_span *span)
{
	job_record_t *job = find_job_record(run->job_id);

	if (job && !eqt_guard_ok(jobs->guard, job))
		return true;
	/* The search missed the job, for lack of memory or time. */
	if (job && run_goes_on(run, job))
		return true;
	/* If the end is not charged yet, the next search finds it. */
	if (job && run_has_plain_end(run, job))
		return job->end_time_exp != (time_t) NO_VAL;
	run_close(jobs, config, run, job, span);
	return run->holds;
}

/* Forget a run: the amount that it owes is settled, and its open stretch gets a
 * line. Returns whether its entry stays, because its job completes. */
static bool run_forget(struct eqt_job_charge *jobs,
		       const struct eqt_config *config, struct eqt_run *run)
{
	eqt_stretch_lose(jobs->runs.sink, config, run,
			 find_job_record(run->job_id));
	if (run->marks.completes)
		return true;
	eqt_runs_forget(jobs->runs.table, run->job_id);
	return false;
}

/* Could the job run again after a kill? slurmctld may not have saved its end
 * yet, and the journal does not have all lines of the run. */
static bool run_may_go_on(const struct eqt_run *run, time_t now)
{
	return run->is_over && run->start && run->in_parts &&
	       now - run->until < EQT_JOURNAL_KEPT_S;
}

/* Does the run stay in the table? Runs that hold nodes and runs of reservations
 * end elsewhere. A run that is not over and was not found is forgotten if
 * slurmctld reports ends; otherwise its end is charged first. */
static bool run_stays(struct eqt_job_charge *jobs,
		      const struct eqt_config *config, struct eqt_run *run,
		      const struct eqt_charge_span *span)
{
	if (run->look == jobs->runs.table->look || run->holds ||
	    run->job_id >= EQT_CHARGE_RESERVED)
		return true;
	if (eqt_unreported_every(config)
		    ? !run->is_over && run_sweep(jobs, config, run, span)
		    : run_may_go_on(run, span->now))
		return true;
	return run_forget(jobs, config, run);
}

/* The position of a sweep over the table of runs. */
struct watch_sweep {
	struct eqt_job_charge *jobs;
	const struct eqt_config *config;
	const struct eqt_charge_span *span;
	size_t place;
};

static bool watch_sweep_run(void *arg)
{
	struct watch_sweep *sweep = arg;
	const struct eqt_runs *runs = sweep->jobs->runs.table;

	if (sweep->place >= runs->count)
		return false;
	if (run_stays(sweep->jobs, sweep->config,
		      eqt_runs_at(runs, sweep->place), sweep->span))
		sweep->place++;
	return true;
}

void eqt_unreported_sweep(struct eqt_job_charge *jobs,
			  const struct eqt_config *config,
			  const struct eqt_charge_span *span)
{
	eqt_walk_steps((assoc_mgr_lock_t) EQT_CHARGE_ASSOC_LOCKS,
		       EQT_WALK_CLOCK_EVERY, watch_sweep_run,
		       &(struct watch_sweep){ jobs, config, span, 0 });
}
