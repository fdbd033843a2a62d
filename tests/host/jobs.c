/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "queue/arrays.h"
#include "queue/budget.h"
#include "fail.h"
#include "jobs.h"
#include "limits.h"
#include "locks.h"
#include "queue/scheduler.h"

/* How long a requeued job waits until its credential is forgotten. */
#define REQUEUE_WAIT_S 121
#define YEAR_S (365 * 24 * 60 * 60)

static uint32_t base_state(const job_record_t *job)
{
	return job->job_state & JOB_STATE_BASE;
}

static void expect(const job_record_t *job, uint32_t state, const char *what)
{
	if (base_state(job) != state)
		fail("job %u is not %s", job->job_id, what);
}

void jobs_submit(const struct words *words)
{
	int64_t priority = words_int(words, "prio", -1);
	int64_t tasks = words_int(words, "array", 0);
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_new(words);
	scheduler_note(words);
	if (tasks)
		budget_announce((uint64_t) tasks);
	if (priority < 0) {
		jobs_set_priority(job);
	} else {
		job->direct_set_prio = 1;
		job->priority = (uint32_t) priority;
	}
	if (tasks)
		arrays_make(job, (uint32_t) tasks);
	unlock_slurmctld(LOCKS_JOBS);
}

/* A job that has run has nodes. No history says which: no bit is set. */
static void set_nodes(job_record_t *job)
{
	if (!job->node_bitmap)
		job->node_bitmap = bit_alloc(1);
	xfree(job->nodes);
	job->nodes = xstrdup("host");
}

static void set_end(job_record_t *job)
{
	job->end_time = job->start_time +
			(job->time_limit == INFINITE ? YEAR_S
						     : job->time_limit * 60);
	job->end_time_exp = job->end_time;
}

void jobs_start(const struct words *words)
{
	const char *partition = words_text(words, "partition", NULL);
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_PENDING, "pending");
	arrays_take_task(job);
	if (partition)
		job->part_ptr = find_part_record((char *) partition);
	if (!job->part_ptr)
		fail("there is no such partition");
	job->start_time = job->time_last_active = time(NULL);
	if (job->time_limit == NO_VAL)
		job->time_limit = job->part_ptr->max_time;
	set_end(job);
	set_nodes(job);
	job->job_state = JOB_RUNNING;
	xfree(job->tres_alloc_cnt);
	jobs_set_alloc(job, words);
	limits_job_begin(job);
	arrays_count_run(job, 1);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_suspend(const struct words *words)
{
	job_record_t *job;
	time_t now = time(NULL);

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_RUNNING, "running");
	job->job_state = JOB_SUSPENDED;
	job->priority = 0;
	job->pre_sus_time +=
		now - (job->suspend_time ? job->suspend_time : job->start_time);
	job->time_last_active = job->suspend_time = now;
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_resume(const struct words *words)
{
	job_record_t *job;
	time_t now = time(NULL);

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_SUSPENDED, "suspended");
	jobs_set_priority(job);
	job->job_state = JOB_RUNNING;
	job->tot_sus_time += now - job->suspend_time;
	if (job->time_limit != INFINITE)
		job->end_time_exp = job->end_time =
			now + job->time_limit * 60 - job->pre_sus_time;
	job->time_last_active = job->suspend_time = now;
	unlock_slurmctld(LOCKS_JOBS);
}

/* Seconds by a clock that no history sets. A job notes them at its end, where Slurm notes
 * when it tried to start it. */
static time_t steady_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* The job releases its resources while its state says that it is completing. */
static void deallocate(job_record_t *job, uint32_t state)
{
	job->job_state = state | JOB_COMPLETING;
	job->end_time = time(NULL);
	job->last_sched_eval = steady_now();
	limits_job_fini(job);
	arrays_count_run(job, -1);
	job->job_state &= ~(uint32_t) JOB_COMPLETING;
}

void jobs_end(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	if (base_state(job) == JOB_PENDING) {
		job->job_state = JOB_CANCELLED;
		job->start_time = job->end_time = time(NULL);
	} else if (base_state(job) <= JOB_SUSPENDED) {
		deallocate(job, JOB_COMPLETE);
	} else {
		fail("job %u has ended already", job->job_id);
	}
	unlock_slurmctld(LOCKS_JOBS);
}

/*
 * The record of a requeued job becomes that of a new one, as far as in Slurm, when its
 * nodes are free.
 */
static void begin_again(job_record_t *job, time_t epilog_s)
{
	time_t now = job->end_time;

	job->job_state = JOB_PENDING;
	job->restart_cnt++;
	job->start_time = 0;
	job->end_time_exp = job->end_time = 0;
	xfree(job->tres_alloc_str);
	xfree(job->tres_alloc_cnt);
	xfree(job->nodes);
	FREE_NULL_BITMAP(job->node_bitmap);
	job->total_cpus = 0;
	job->node_cnt = 0;
	job->pre_sus_time = job->suspend_time = job->tot_sus_time = 0;
	if (job->details->begin_time <= now)
		job->details->begin_time = now + REQUEUE_WAIT_S;
	job->time_last_active = now;
	job->details->submit_time = now + epilog_s;
	job->details->accrue_time = job->details->begin_time;
}

static void stop(const struct words *words, uint32_t state)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	if (base_state(job) != JOB_SUSPENDED)
		expect(job, JOB_RUNNING, "running");
	deallocate(job, state);
	if (base_state(job) == JOB_PENDING)
		begin_again(job, words_int(words, "epilog", 0));
	unlock_slurmctld(LOCKS_JOBS);
}

/* A node of the job fails. */
void jobs_fail(const struct words *words)
{
	stop(words, JOB_NODE_FAIL);
}

void jobs_requeue(const struct words *words)
{
	stop(words, JOB_PENDING | JOB_REQUEUE);
}

/* The node of the job does not know it: slurmctld requeues it as after a failed node. */
void jobs_miss(const struct words *words)
{
	stop(words, JOB_PENDING);
}

void jobs_resize(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_RUNNING, "running");
	job->job_state |= JOB_RESIZING;
	job->resize_time = time(NULL);
	limits_job_fini(job);
	jobs_set_alloc(job, words);
	limits_job_begin(job);
	job->job_state &= ~(uint32_t) JOB_RESIZING;
	job->end_time_exp = job->end_time;
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_hold(const struct words *words)
{
	job_record_t *job;
	uint32_t *priorities;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	priorities = eqt_job_priorities(job);
	expect(job, JOB_PENDING, "pending");
	budget_job_held(job->job_id, false);
	job->state_reason = WAIT_HELD;
	/* slurmctld changes no more of a job that has no priority already. */
	if (!job->priority) {
		unlock_slurmctld(LOCKS_JOBS);
		return;
	}
	xfree(job->state_desc);
	job->direct_set_prio = 1;
	job->priority = 0;
	if (job->part_ptr_list && priorities)
		memset(priorities, 0,
		       (size_t) list_count(job->part_ptr_list) *
			       sizeof(*priorities));
	job->details->accrue_time = 0;
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_release(const struct words *words)
{
	job_record_t *job;
	time_t now = time(NULL);

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_PENDING, "pending");
	budget_job_changed(job->job_id);
	job->direct_set_prio = 0;
	if (job->details->begin_time < now)
		job->details->begin_time = now;
	if (!job->details->accrue_time)
		job->details->accrue_time = job->details->begin_time;
	jobs_set_priority(job);
	job->state_reason = WAIT_NO_REASON;
	xfree(job->state_desc);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_nice(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	job->details->nice = (uint32_t) (NICE_OFFSET +
					 words_int_at(words, 2, "the nice"));
	if (job->priority)
		jobs_set_priority(job);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_priority(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	job->direct_set_prio = 1;
	job->priority = (uint32_t) words_int_at(words, 2, "the priority");
	if (job->priority)
		jobs_set_priority(job);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_site(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	job->site_factor = (uint32_t) (NICE_OFFSET +
				       words_int_at(words, 2, "the factor"));
	if (job->priority)
		jobs_set_priority(job);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_time(const struct words *words)
{
	job_record_t *job;
	uint32_t limit;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	limit = (uint32_t) words_int_at(words, 2, "the minutes");
	budget_job_changed(job->job_id);
	if (base_state(job) == JOB_RUNNING) {
		limits_job_alter(job, limit);
		job->time_limit = limit;
		job->end_time_exp = job->end_time =
			job->start_time + limit * 60 + job->tot_sus_time;
	}
	job->time_limit = limit;
	if (job->priority)
		jobs_set_priority(job);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_purge(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	if (!IS_JOB_FINISHED(job))
		fail("job %u has not ended", job->job_id);
	jobs_delete(job);
	unlock_slurmctld(LOCKS_JOBS);
}

/*
 * The scheduler's check whether the parts of a heterogeneous job fit into the
 * limits together: a pending job starts and ends, and then its record is
 * restored.
 */
void jobs_trial(const struct words *words)
{
	job_record_t *job, before;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	expect(job, JOB_PENDING, "pending");
	/* A pending job has the start that the scheduler expects, or none. */
	if (words_int(words, "start", 0))
		job->start_time = time(NULL) + words_int(words, "start", 0);
	before = *job;
	job->tres_alloc_cnt = xcalloc(g_tres_count, sizeof(uint64_t));
	memcpy(job->tres_alloc_cnt, job->tres_req_cnt,
	       g_tres_count * sizeof(uint64_t));
	limits_job_begin(job);
	job->end_time_exp = time(NULL);
	job->end_time = job->start_time;
	job->job_state = JOB_COMPLETE | JOB_COMPLETING;
	limits_job_fini(job);
	job->end_time_exp = before.end_time_exp;
	job->end_time = before.end_time;
	job->job_state = before.job_state;
	if (job->tres_alloc_str)
		fail("a trial has left a text of what is allocated");
	xfree(job->tres_alloc_cnt);
	job->tres_alloc_cnt = before.tres_alloc_cnt;
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_unsaved(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	if (base_state(job) != JOB_NODE_FAIL)
		expect(job, JOB_COMPLETE, "ended");
	job->job_state = JOB_RUNNING;
	set_end(job);
	arrays_count_run(job, 1);
	unlock_slurmctld(LOCKS_JOBS);
}

/* A running job as slurmctld has saved it. */
static struct {
	job_record_t job;
	time_t submitted, begins;
	uint64_t counts[64];
} saved;

void jobs_saved(const struct words *words)
{
	const job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	saved.job = *job;
	saved.submitted = job->details->submit_time;
	saved.begins = job->details->begin_time;
	memcpy(saved.counts, job->tres_alloc_cnt,
	       g_tres_count * sizeof(saved.counts[0]));
	unlock_slurmctld(LOCKS_JOBS);
}

/* What has become of it since then is lost with a kill that follows. */
void jobs_forgotten(const struct words *words)
{
	job_record_t *job;

	lock_slurmctld(LOCKS_JOBS);
	job = jobs_named(words);
	if (base_state(job) != JOB_RUNNING && base_state(job) != JOB_SUSPENDED)
		arrays_count_run(job, 1);
	job->job_state = saved.job.job_state;
	job->start_time = saved.job.start_time;
	job->end_time = saved.job.end_time;
	job->end_time_exp = saved.job.end_time_exp;
	job->resize_time = saved.job.resize_time;
	job->suspend_time = saved.job.suspend_time;
	job->pre_sus_time = saved.job.pre_sus_time;
	job->tot_sus_time = saved.job.tot_sus_time;
	job->time_last_active = saved.job.time_last_active;
	job->restart_cnt = saved.job.restart_cnt;
	job->priority = saved.job.priority;
	job->details->submit_time = saved.submitted;
	job->details->begin_time = saved.begins;
	xfree(job->tres_alloc_cnt);
	job->tres_alloc_cnt = xcalloc(g_tres_count, sizeof(uint64_t));
	memcpy(job->tres_alloc_cnt, saved.counts,
	       g_tres_count * sizeof(saved.counts[0]));
	set_nodes(job);
	saved.job.job_id = 0;
	unlock_slurmctld(LOCKS_JOBS);
}

/* slurmctld saves an end within seconds, or as long as a slow disk takes. */
#define UNSAVED_MOST_S 40

/* The scheduler starts no job of priority 0, nor before its time. */
static bool may_start(const job_record_t *job)
{
	return base_state(job) == JOB_PENDING && job->priority &&
	       job->details->begin_time <= time(NULL);
}

bool jobs_fit(const char *event, const struct words *words)
{
	static const struct {
		const char *event;
		uint32_t states; /* bits */
	} fits[] = {
		{ "end", 1 << JOB_PENDING | 1 << JOB_RUNNING |
				 1 << JOB_SUSPENDED },
		{ "fail", 1 << JOB_RUNNING | 1 << JOB_SUSPENDED },
		{ "hold", 1 << JOB_PENDING },
		{ "miss", 1 << JOB_RUNNING | 1 << JOB_SUSPENDED },
		{ "purge", 1 << JOB_COMPLETE | 1 << JOB_CANCELLED |
				   1 << JOB_NODE_FAIL },
		{ "release", 1 << JOB_PENDING },
		{ "requeue", 1 << JOB_RUNNING | 1 << JOB_SUSPENDED },
		{ "resize", 1 << JOB_RUNNING },
		{ "resume", 1 << JOB_SUSPENDED },
		{ "saved", 1 << JOB_RUNNING | 1 << JOB_SUSPENDED },
		{ "suspend", 1 << JOB_RUNNING },
		{ "time", 1 << JOB_PENDING | 1 << JOB_RUNNING },
		{ "unsaved", 1 << JOB_COMPLETE | 1 << JOB_NODE_FAIL },
	};
	const job_record_t *job = find_job_record(
		(uint32_t) words_int_at(words, 1, "the job"));

	if (!job || !strcmp(event, "start"))
		return job && may_start(job);
	if (!strcmp(event, "forgotten"))
		return job->job_id == saved.job.job_id;
	if (!strcmp(event, "unsaved") &&
	    steady_now() - job->last_sched_eval > UNSAVED_MOST_S)
		return false;
	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++)
		if (!strcmp(fits[i].event, event))
			return fits[i].states >> base_state(job) & 1;
	return true;
}

void jobs_recompute(const struct words *words)
{
	list_itr_t *iterator;
	job_record_t *job;

	(void) words;
	lock_slurmctld(LOCKS_JOBS);
	/* Not list_for_each(): its lock would be taken before assoc_mgr's. */
	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator)))
		if (IS_JOB_PENDING(job) && job->priority &&
		    !job->direct_set_prio)
			jobs_set_priority(job);
	list_iterator_destroy(iterator);
	unlock_slurmctld(LOCKS_JOBS);
}

static int forget_assoc(void *item, void *arg)
{
	job_record_t *job = item;

	if (job->assoc_ptr != arg)
		return 0;
	job->assoc_ptr = NULL;
	job->assoc_id = 0;
	if (IS_JOB_PENDING(job)) {
		job->details->accrue_time = 0;
		job->details->begin_time = 0;
	}
	return 0;
}

void jobs_assoc_removed(const slurmdb_assoc_rec_t *assoc)
{
	lock_slurmctld(LOCKS_JOBS);
	list_for_each(job_list, forget_assoc, (void *) assoc);
	unlock_slurmctld(LOCKS_JOBS);
}

void jobs_count_limits(void)
{
	list_itr_t *iterator;
	job_record_t *job;

	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator)))
		if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
			limits_job_begin(job);
	list_iterator_destroy(iterator);
}

static int forget(void *item, void *arg)
{
	job_record_t *job = item;

	(void) arg;
	eqt_job_priorities_free(job);
	eqt_factors_free(job->prio_factors);
	job->prio_factors = xmalloc(sizeof(*job->prio_factors));
	/* An end that slurmctld knows after a start is in its files. */
	job->last_sched_eval = 0;
	return 0;
}

void jobs_forget(void)
{
	lock_slurmctld(LOCKS_JOBS);
	list_for_each(job_list, forget, NULL);
	unlock_slurmctld(LOCKS_JOBS);
}
