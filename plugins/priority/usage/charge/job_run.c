/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills the table of runs from slurmctld's records: when a job is charged, its run gets
 * the same seconds. */
#include "rate/job_qos.h"
#include "usage/amounts/charge_qos.h"
#include "usage/charge/job_run.h"
#include "usage/charge/suspend.h"

bool eqt_job_run_is_settled(const struct eqt_job_runs *runs)
{
	return runs->sink->active && runs->sink->active(runs->sink->arg);
}

/* Whom the run is charged to. */
static void run_note_owners(struct eqt_run *run, const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = eqt_job_qos(job);
	const slurmdb_qos_rec_t *partition = eqt_charge_qos_of_partition(job);

	run->assoc_id = job->assoc_ptr->id;
	run->qos_id = qos ? qos->id : 0;
	run->part_qos_id = partition ? partition->id : 0;
	run->factor = eqt_charge_qos_factor(job);
}

void eqt_job_run_begin(const struct eqt_job_runs *runs,
		       const struct eqt_config *config, job_record_t *job,
		       time_t until, double price, struct eqt_run *run)
{
	struct eqt_stretch_part before = {
		.from = job->start_time,
		.to = until,
		.price = price,
		.factor = eqt_charge_qos_factor(job),
	};
	/* A look has just closed the run at another size, up to here. */
	const time_t settled = run->until;

	*run = (struct eqt_run){
		.job_id = job->job_id,
		.look = runs->table->look,
		.start = job->start_time,
		.resized = job->resize_time,
		.seen = job->start_time,
	};
	run_note_owners(run, job);
	if (before.from < job->resize_time)
		before.from = job->resize_time;
	if (before.from < settled)
		before.from = settled;
	run->owed_from = before.from;
	if (!config->charge_suspended)
		before.idle_s = eqt_suspend_until(job, until, until);
	if (before.idle_s > until - before.from)
		before.idle_s = until - before.from;
	if (until > before.from)
		eqt_stretch_add(run, &before);
	run->until = until;
}

/* Is it the present run of the job? */
static bool run_is_present(const struct eqt_run *run, const job_record_t *job)
{
	return run && run->start == job->start_time && !run->is_over;
}

/* The run of a job that is charged now; NULL: it never ran, as a job that slurmctld tries
 * against limits, or memory is short. */
static struct eqt_run *run_of(const struct eqt_job_runs *runs,
			      const struct eqt_config *config,
			      job_record_t *job, time_t until, double price)
{
	struct eqt_run *run = eqt_runs_get(runs->table, job->job_id);

	if (run_is_present(run, job))
		return run;
	if (!job->node_bitmap)
		return NULL;
	run = eqt_runs_add(runs->table, job->job_id);
	if (!run)
		return NULL;
	/* slurmctld has not reported the end of the last run. */
	if (run->start && (!run->is_over || run->holds))
		eqt_stretch_close(runs->sink, config, run,
				  &(struct eqt_stretch_end){
					  .kind = EQT_STRETCH_END,
					  .run = run,
				  });
	eqt_job_run_begin(runs, config, job, until, price, run);
	return run;
}

void eqt_job_run_add(const struct eqt_job_runs *runs, job_record_t *job,
		     const struct eqt_post *post,
		     const struct eqt_stretch_part *part)
{
	struct eqt_run *run = eqt_job_run_is_settled(runs)
				      ? run_of(runs, post->config, job,
					       part->from, part->price)
				      : eqt_runs_get(runs->table, job->job_id);

	if (!run || !run_is_present(run, job))
		return;
	eqt_stretch_add(run, part);
	run->look = runs->table->look;
	run->rate = post->rate;
	run_note_owners(run, job);
}
