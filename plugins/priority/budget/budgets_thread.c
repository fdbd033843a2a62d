/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/array.h"
#include "budget/account_limits.h"
#include "budget/admission.h"
#include "budget/book/payers.h"
#include "budget/request_execution.h"
#include "budget/settlement.h"
#include "budget/budgets_thread.h"
#include "budget/warning.h"
#include "budget/writer.h"
#include "slurm/log.h"
#include "slurm/thread.h"
#include "walk/walk.h"
#include "slurm/elapsed.h"
#include "slurm/moment.h"

/* The most jobs that are visited in one hold of slurmctld's locks. */
#define AT_ONCE 256

/* The most tasks and jobs that one round releases. */
#define PATIENCE 2000

/* All commitments are compared with the jobs after this number of seconds if no
 * job is held or changes. Otherwise they are compared more often, so that
 * comparisons take one part in CHECK_SHARE of a processor's time. */
#define CHECK_EVERY_S 60
#define CHECK_SHARE 100

/* ---- Commitments compared with the records of jobs ------------------------------- */

/*
 * The tasks of an array's record that wait, and those that run and may have no
 * separate commitment. Slurm leaves the count of waiting tasks in a record that
 * was cancelled.
 */
static uint64_t array_outstanding(const job_record_t *job)
{
	uint64_t tasks = IS_JOB_FINISHED(job) ? 0 : job->array_recs->task_cnt;

	return tasks + job->array_recs->tot_run_tasks;
}

/* Return the shares of tasks that were cancelled while they waited. */
static void array_shrink(struct eqt_budgets *budgets, const job_record_t *job,
			 const struct eqt_book_job *known)
{
	uint64_t tasks = array_outstanding(job);
	struct eqt_book_charge charge = { .job = job->job_id,
					  .until = known->until,
					  .now = (uint64_t) time(NULL) };
	struct eqt_entry entry;

	/* The record itself may run as the last task. */
	if (tasks == 0 && (IS_JOB_PENDING(job) || IS_JOB_FINISHED(job)))
		tasks = 1;
	if (known->tasks <= tasks)
		return;
	charge.tasks = known->tasks - tasks;
	if (eqt_book_plan_settle(budgets->book, &charge, &entry) < 0)
		return;
	(void) snprintf(entry.why, sizeof(entry.why), "tasks are gone");
	(void) eqt_budgets_do(budgets, &entry);
	budgets->tried = false;
}

/* Return the commitment of a waiting job that is held, because such a job
 * cannot start. */
static void pending_check(struct eqt_budgets *budgets, const job_record_t *job)
{
	if (job->priority)
		return;
	eqt_budgets_give_back(budgets, job->job_id, "it is held");
	if (!eqt_admission_holds(budgets, job))
		eqt_waiting_forget(&budgets->waiting, job->job_id);
}

/* Does the budget that holds a job still belong to one of its accounts or to
 * its user? */
static bool held_has_payer(const struct eqt_budget *budget,
			   const job_record_t *job)
{
	struct eqt_book_path path;

	eqt_payers_fill(&path, job->assoc_ptr);
	for (size_t i = 0; i < path.levels; i++) {
		if (strcmp(path.level[i].account, budget->terms.account) == 0 &&
		    strcmp(path.level[i].user, budget->terms.user) == 0)
			return true;
	}
	return false;
}

/* Try held jobs again whose account was moved below other accounts, because
 * they may fit now. */
static void held_check(struct eqt_budgets *budgets, const job_record_t *job,
		       struct eqt_waiting_job *waiting)
{
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, waiting->budget);

	if (waiting->state != EQT_WAITING_HELD || !budget ||
	    held_has_payer(budget, job))
		return;
	waiting->budget = 0;
	budgets->tried = false;
}

/* Without limits the pass thread searches for ends, and charges them within
 * this number of seconds. */
#define LOOK_MOST_S 60

/* Will a search of the pass thread charge the end of this job, which has
 * run? */
static bool finished_is_found_later(const struct eqt_config *config,
				    const job_record_t *job)
{
	return config->fairshare && !config->limits && !config->stock.tail &&
	       job->end_time_exp != (time_t) NO_VAL &&
	       time(NULL) - job->end_time < LOOK_MOST_S;
}

/* Return the commitment of a job whose end was not reported, because it never
 * ran or limits are not enforced. */
static void finished_check(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job)
{
	bool ran = job->start_time && job->end_time > job->start_time &&
		   job->nodes && job->assoc_ptr;

	if (ran && finished_is_found_later(config, job))
		return;
	if (!job->array_recs || !array_outstanding(job))
		eqt_budgets_give_back(budgets, job->job_id,
				      "it ended before it ran");
	budgets->tried = false;
}

/* Does the job wait, may it start, and does it belong to no array? That is true
 * for most jobs, whose commitments need no check. */
static bool job_is_as_committed(const job_record_t *job)
{
	return job && IS_JOB_PENDING(job) && job->priority &&
	       !job->array_recs && !job->array_job_id;
}

/* Has a job just started, or are its nodes up now? */
static bool running_wants_measure(const job_record_t *job,
				  const struct eqt_waiting_job *waiting)
{
	return !waiting || !waiting->measured ||
	       (waiting->booting && !IS_JOB_POWER_UP_NODE(job));
}

/* Will the end of the job's run settle the commitment? */
static bool run_settles_it(const struct eqt_budgets *budgets, uint32_t job_id,
			   const job_record_t *job)
{
	const struct eqt_run *run =
		eqt_runs_get(budgets->charges->runs.table, job_id);

	if (!run)
		return false;
	/* The first pass after a start finds out whether the run has ended. */
	if (run->recalled && !run->start)
		return true;
	/* Without limits nobody has reported yet that a waiting job was
	   requeued. */
	return run->holds ||
	       (!run->is_over && run->start &&
		(!job || IS_JOB_FINISHED(job) || IS_JOB_PENDING(job)));
}

/*
 * Compare the commitment of a job with its record, and correct the commitment.
 * That is needed for jobs whose end was not reported, that were cancelled or
 * held while they waited, or that have just started. job is NULL if slurmctld
 * has no record. slurmctld's job lock is held for writing.
 */
static void commitment_check(struct eqt_budgets *budgets,
			     const struct eqt_config *config, uint32_t job_id,
			     job_record_t *job, void *arg)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const struct eqt_book_job *known;
	struct eqt_waiting_job *waiting;
	bool measure = false;

	(void) arg;
	if (job_is_as_committed(job))
		return;
	assoc_mgr_lock(&locks);
	pthread_mutex_lock(&budgets->lock);
	if (job)
		eqt_budgets_adopt(budgets, job);
	known = eqt_book_job(budgets->book, job_id);
	waiting = eqt_waiting_get(&budgets->waiting, job_id);
	if (known && known->tasks) {
		if (run_settles_it(budgets, job_id, job)) {
			/* Nothing needs to be corrected now. */
		} else if (!job) {
			eqt_budgets_give_back(budgets, job_id,
					      "slurmctld does not know it");
			eqt_waiting_forget(&budgets->waiting, job_id);
		} else if (IS_JOB_FINISHED(job)) {
			if (job->array_recs && known->tasks > 1)
				array_shrink(budgets, job, known);
			finished_check(budgets, config, job);
		} else if (job->array_recs && known->tasks > 1) {
			array_shrink(budgets, job, known);
		} else if (IS_JOB_PENDING(job)) {
			pending_check(budgets, job);
		} else
			measure = running_wants_measure(job, waiting);
	} else if (job && waiting)
		held_check(budgets, job, waiting);
	pthread_mutex_unlock(&budgets->lock);
	if (measure)
		eqt_settlement_adjust(budgets, config, job);
	assoc_mgr_unlock(&locks);
}

/* ---- Jobs ------------------------------------------------------------------- */

static const slurmctld_lock_t job_locks = EQT_WALK_JOB_LOCKS;

/* The ids of jobs to visit. */
struct job_ids {
	uint32_t *id;
	size_t count;
};

/* Add an id. If memory is short, the id is left out, and the next sweep or
 * comparison finds the job. */
static void job_ids_add(struct job_ids *ids, uint32_t id)
{
	if (EQT_ARRAY_ROOM(ids->id, ids->count) == 0)
		ids->id[ids->count++] = id;
}

/* A visit of a job. job is NULL if slurmctld has no job with this id. */
typedef void job_visit(struct eqt_budgets *budgets,
		       const struct eqt_config *config, uint32_t id,
		       job_record_t *job, void *arg);

/* Visit jobs, and release slurmctld's locks after a limited time each. */
static void job_ids_visit(struct eqt_budgets *budgets,
			  const struct eqt_config *config,
			  const struct job_ids *ids, job_visit *visit,
			  void *arg)
{
	for (size_t i = 0; i < ids->count;) {
		struct timespec start = eqt_elapsed_start();

		lock_slurmctld(job_locks);
		/* At least one job is visited in each hold of the locks,
		   however slow the machine is. The record may have been removed
		   since the id was recorded, and then visit() gets NULL. */
		do {
			job_record_t *job = find_job_record(ids->id[i]);

			if (!job || eqt_guard_ok(budgets->guard, job))
				visit(budgets, config, ids->id[i], job, arg);
			i++;
		} while (i < ids->count && i % AT_ONCE &&
			 eqt_elapsed_ns(&start) < EQT_WALK_HOLD_NS);
		unlock_slurmctld(job_locks);
	}
}

/* Record the jobs of the iterator until slurmctld's lock must be released.
 * Returns whether jobs are left. */
static bool sweep_note_some(struct job_ids *ids, list_itr_t *jobs)
{
	struct timespec start = eqt_elapsed_start();
	unsigned int seen = 0;
	const job_record_t *job;

	while ((job = list_next(jobs))) {
		if (IS_JOB_PENDING(job) || IS_JOB_RUNNING(job) ||
		    IS_JOB_SUSPENDED(job))
			job_ids_add(ids, job->job_id);
		if (++seen % EQT_WALK_CLOCK_EVERY == 0 &&
		    eqt_elapsed_ns(&start) > EQT_WALK_HOLD_NS)
			return true;
	}
	return false;
}

/* The tries that are left in a round, and whether the round has released a
 * job. */
struct retry {
	unsigned int patience;
	bool any;
};

/* Release a held job if it fits. Let any other job commit, or hold it. */
static void job_try(struct eqt_budgets *budgets,
		    const struct eqt_config *config, job_record_t *job,
		    bool held, struct retry *retry)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };

	assoc_mgr_lock(&locks);
	if (held)
		retry->any |= eqt_admission_retry(budgets, config, job,
						  &retry->patience);
	else
		job->priority = eqt_admission_set(budgets, config, job, NULL,
						  job->priority);
	assoc_mgr_unlock(&locks);
}

static void sweep_visit(struct eqt_budgets *budgets,
			const struct eqt_config *config, uint32_t id,
			job_record_t *job, void *arg)
{
	struct retry once = { .patience = 1 };
	bool held;

	(void) id;
	(void) arg;
	if (!job)
		return;
	held = eqt_admission_holds(budgets, job);
	if (held || job->priority || !IS_JOB_PENDING(job))
		job_try(budgets, config, job, held, &once);
}

/* Forget for which requests jobs have committed, so that all jobs commit again
 * to the present budgets. */
static void thread_forget_requests(struct eqt_budgets *budgets)
{
	pthread_mutex_lock(&budgets->lock);
	for (size_t i = 0; i < budgets->waiting.count; i++)
		budgets->waiting.job[i].request = 0;
	budgets->sweep = false;
	budgets->tried = false;
	pthread_mutex_unlock(&budgets->lock);
}

static void thread_sweep(struct eqt_budgets *budgets,
			 const struct eqt_config *config)
{
	const slurmctld_lock_t read_locks = { .job = READ_LOCK };
	struct job_ids ids = { .id = NULL };
	list_itr_t *jobs = list_iterator_create(job_list);
	bool more;

	thread_forget_requests(budgets);
	/* If slurmctld removes a job while the lock is released, its list moves
	   the iterator to the next job. */
	do {
		lock_slurmctld(read_locks);
		more = sweep_note_some(&ids, jobs);
		unlock_slurmctld(read_locks);
	} while (more);
	list_iterator_destroy(jobs);
	job_ids_visit(budgets, config, &ids, sweep_visit, NULL);
	free(ids.id);
}

/* Compare all commitments and all held jobs with slurmctld's jobs. */
static void thread_check(struct eqt_budgets *budgets,
			 const struct eqt_config *config)
{
	const struct eqt_book_job *job;
	struct job_ids ids = { .id = NULL };
	size_t at = 0;

	pthread_mutex_lock(&budgets->lock);
	while ((job = eqt_book_job_next(budgets->book, &at))) {
		if (job->tasks)
			job_ids_add(&ids, (uint32_t) job->id);
	}
	for (size_t i = 0; i < budgets->waiting.count; i++) {
		if (budgets->waiting.job[i].state == EQT_WAITING_HELD)
			job_ids_add(&ids, budgets->waiting.job[i].id);
	}
	pthread_mutex_unlock(&budgets->lock);
	job_ids_visit(budgets, config, &ids, commitment_check, NULL);
	free(ids.id);
}

static void retry_visit(struct eqt_budgets *budgets,
			const struct eqt_config *config, uint32_t id,
			job_record_t *job, void *arg)
{
	struct retry *retry = arg;
	const struct eqt_waiting_job *known;
	bool held, runs_again;

	/* The job may still be requeued. */
	if (job && IS_JOB_FINISHED(job))
		return;
	pthread_mutex_lock(&budgets->lock);
	known = eqt_waiting_get(&budgets->waiting, id);
	held = job && eqt_admission_holds(budgets, job);
	/* Without limits nobody reports that a job is requeued, and its
	   priority stays. */
	runs_again = job && job->priority && known &&
		     known->state == EQT_WAITING_ENDED;
	if (!held && known && known->state != EQT_WAITING_COMMITTED)
		eqt_waiting_forget(&budgets->waiting, id);
	pthread_mutex_unlock(&budgets->lock);
	if (retry->patience && (held || runs_again))
		job_try(budgets, config, job, held, retry);
}

/* Might a held job fit? The test is cheap, because most of many jobs do not
 * fit. */
static bool waiting_may_fit(const struct eqt_budgets *budgets,
			    const struct eqt_waiting_job *waiting)
{
	const struct eqt_budget *budget;

	if (waiting->unmarked || waiting->state == EQT_WAITING_ENDED)
		return true;
	if (waiting->state != EQT_WAITING_HELD || budgets->tried)
		return false;
	budget = eqt_book_budget(budgets->book, waiting->budget);
	return !budget || eqt_book_owner_left(budgets->book, waiting->budget) >=
				  waiting->need_u;
}

static void thread_retry(struct eqt_budgets *budgets,
			 const struct eqt_config *config)
{
	struct retry retry = { .patience = PATIENCE };
	struct job_ids ids = { .id = NULL };

	pthread_mutex_lock(&budgets->lock);
	for (size_t i = 0; i < budgets->waiting.count; i++) {
		if (waiting_may_fit(budgets, &budgets->waiting.job[i]))
			job_ids_add(&ids, budgets->waiting.job[i].id);
	}
	budgets->tried = true;
	pthread_mutex_unlock(&budgets->lock);
	job_ids_visit(budgets, config, &ids, retry_visit, &retry);
	free(ids.id);
	if (!retry.patience) {
		pthread_mutex_lock(&budgets->lock);
		budgets->tried = false;
		pthread_mutex_unlock(&budgets->lock);
	}
	/* Without this call the released jobs would wait for the next
	   submission, the next end of a job or slurmctld's next interval. */
	if (retry.any)
		queue_job_scheduler();
}

/* ---- Users ------------------------------------------------------------------ */

/* Read which users may see budgets of others. If memory is short, what was read before stays. */
static void thread_read_coordinators(struct eqt_budgets *budgets)
{
	struct eqt_coordinators next = { .of = NULL }, before;
	bool due;
	int rc = 0;

	pthread_mutex_lock(&budgets->lock);
	due = eqt_coordinators_is_due(&budgets->coordinators,
				      eqt_book_count(budgets->book),
				      budgets->asked);
	if (due) {
		rc = eqt_coordinators_name(&next, budgets->book);
		budgets->asked = false;
	}
	pthread_mutex_unlock(&budgets->lock);
	if (!due)
		return;
	if (rc == 0 && eqt_coordinators_read(&next) == 0) {
		pthread_mutex_lock(&budgets->lock);
		before = budgets->coordinators;
		budgets->coordinators = next;
		pthread_mutex_unlock(&budgets->lock);
		next = before;
	}
	eqt_coordinators_free(&next);
}

/* ---- Time ------------------------------------------------------------------- */

/* Refill each budget whose refill date has come. *next is the next date at which
 * a budget starts, ends or is refilled. From that date on, waiting jobs may
 * commit to other budgets, so all waiting jobs are tried again. */
static void thread_refill(struct eqt_budgets *budgets, uint64_t *next)
{
	uint64_t now = (uint64_t) time(NULL);
	struct eqt_entry entry;

	pthread_mutex_lock(&budgets->lock);
	if (*next && now >= *next)
		budgets->sweep = true;
	while (eqt_book_plan_refill(budgets->book, now, &entry)) {
		const struct eqt_budget *budget =
			eqt_book_budget(budgets->book, entry.budget);

		/* After a slurmctld was down, a budget is refilled once for
		   each date that has passed. */
		entry.next =
			eqt_budget_next_refill(&budget->terms, budget->next);
		if (eqt_budgets_do(budgets, &entry) < 0)
			break;
		budgets->sweep = true;
	}
	*next = eqt_book_next_change(budgets->book, now);
	pthread_mutex_unlock(&budgets->lock);
}

/* Wait for work, at most a second. Returns whether the thread is to end. */
static bool thread_wait(struct eqt_budgets *budgets)
{
	const struct timespec until =
		budgets->due.tv_sec ? budgets->due : eqt_moment_in_ms(1000);
	bool stop;

	pthread_mutex_lock(&budgets->lock);
	/* The loop waits again after a spurious wakeup. A wakeup that came
	   while the thread was working counts. */
	while (!budgets->stop && !budgets->woken &&
	       pthread_cond_timedwait(&budgets->wake, &budgets->lock, &until) !=
		       ETIMEDOUT)
		;
	budgets->woken = false;
	stop = budgets->stop;
	pthread_mutex_unlock(&budgets->lock);
	return stop;
}

/* The last comparison of commitments with jobs. */
struct check {
	time_t when;
	/* The processor time of the comparison, in milliseconds. */
	uint64_t took_ms;
};

/* Has a job changed since the last comparison, or in the same second? slurmctld
 * does not report that a waiting job was cancelled, but it records the time of
 * each change. The time is read without slurmctld's lock: a change that is
 * missed now is found a second later. */
static bool thread_jobs_changed(const struct check *last)
{
	return __atomic_load_n(&last_job_update, __ATOMIC_RELAXED) >=
	       last->when;
}

/* Is a comparison of commitments with the jobs due? Normally there is one each
 * minute. While a job is held, or after a job has changed, there is one each
 * second, or fewer if they would take more than a hundredth of a processor.
 * Ends, refills and grants do not wait for the comparison, which finds jobs
 * that were cancelled while they waited. */
static bool thread_check_is_due(struct eqt_budgets *budgets,
				const struct check *last)
{
	const time_t now = time(NULL);
	time_t every = CHECK_EVERY_S;

	pthread_mutex_lock(&budgets->lock);
	if (budgets->waiting.held || thread_jobs_changed(last))
		every = 1 + (time_t) (last->took_ms * CHECK_SHARE / 1000);
	pthread_mutex_unlock(&budgets->lock);
	if (every > CHECK_EVERY_S)
		every = CHECK_EVERY_S;
	return now >= last->when + every || now < last->when;
}

static void thread_check_timed(struct eqt_budgets *budgets,
			       const struct eqt_config *config,
			       struct check *last)
{
	const uint64_t began = eqt_moment_thread_ms();

	last->when = time(NULL);
	thread_check(budgets, config);
	last->took_ms = eqt_moment_thread_ms() - began;
}

/* Log a failure once, however long it lasts, and log its end. */
static void thread_report(const struct eqt_budgets *budgets,
			  const struct eqt_error *err, bool *failed, int rc)
{
	if (rc < 0 && !*failed && budgets->store.file.taken)
		eqt_log_error("budgets: %s; jobs that draw on a budget wait",
			      err->text);
	else if (rc < 0 && !*failed)
		eqt_log_error("budgets: %s; trying again each second",
			      err->text);
	else if (rc == 0 && *failed)
		eqt_log_info("budgets: %s is written again", EQT_BUDGET_STORE);
	*failed = rc < 0;
}

static void *thread_run(void *arg)
{
	struct eqt_budgets *budgets = arg;
	/* The start has logged that it did not use the file of budgets. */
	const bool unread = budgets->unread.text[0];
	bool failed = unread, stop = false;
	struct eqt_error err;
	uint64_t next = 0;
	struct check checked = { .when = 0 };

	(void) prctl(PR_SET_NAME, "eqt_budget", 0L, 0L, 0L);
	while (!stop) {
		const struct eqt_config *config =
			eqt_config_get(budgets->config);

		thread_refill(budgets, &next);
		if (budgets->ours || budgets->halted)
			eqt_request_execution_serve(budgets);
		eqt_account_limits_follow(budgets, config);
		thread_read_coordinators(budgets);
		if (budgets->sweep) {
			thread_sweep(budgets, config);
			eqt_request_execution_swept(budgets);
		}
		if (thread_check_is_due(budgets, &checked))
			thread_check_timed(budgets, config, &checked);
		thread_retry(budgets, config);
		eqt_warning_log(budgets, config->conf);
		thread_report(budgets, &err, &failed,
			      eqt_writer_write(budgets, false, &err));
		eqt_config_put(config);
		stop = thread_wait(budgets);
	}
	if (eqt_writer_write(budgets, true, &err) < 0 && !unread)
		eqt_log_error("budgets: %s", err.text);
	return NULL;
}

int eqt_budgets_thread_begin(struct eqt_budgets *budgets)
{
	int error;

	if (budgets->running)
		return 0;
	budgets->stop = false;
	error = eqt_thread_start(&budgets->thread, thread_run, budgets);
	if (error) {
		eqt_log_error("cannot start the budget thread: %s",
			      strerror(error));
		return -1;
	}
	budgets->running = true;
	return 0;
}

/* Start the thread if there is a book. With from_limits there is a book from
 * the start, because limits of accounts may become budgets. budgets->lock is
 * held. */
static int thread_begin_if_active(struct eqt_budgets *budgets)
{
	const struct eqt_config *config = eqt_config_get(budgets->config);
	struct eqt_error err;

	if (config->conf->budget.from_limits &&
	    eqt_budgets_begin(budgets, &err) < 0)
		eqt_log_error("budgets: %s", err.text);
	eqt_config_put(config);
	return eqt_budgets_active(budgets) ? eqt_budgets_thread_begin(budgets)
					   : 0;
}

int eqt_budgets_thread_start(struct eqt_budgets *budgets)
{
	int rc;

	pthread_mutex_lock(&budgets->lock);
	rc = thread_begin_if_active(budgets);
	pthread_mutex_unlock(&budgets->lock);
	return rc;
}

void eqt_budgets_thread_reconfigured(struct eqt_budgets *budgets)
{
	pthread_mutex_lock(&budgets->lock);
	if (!budgets->book)
		(void) thread_begin_if_active(budgets);
	if (eqt_budgets_active(budgets)) {
		budgets->sweep = true;
		eqt_budgets_wake(budgets);
	}
	pthread_mutex_unlock(&budgets->lock);
}

void eqt_budgets_thread_stop(struct eqt_budgets *budgets)
{
	bool running;

	pthread_mutex_lock(&budgets->lock);
	running = budgets->running;
	budgets->stop = true;
	pthread_cond_signal(&budgets->wake);
	pthread_mutex_unlock(&budgets->lock);
	if (running)
		pthread_join(budgets->thread, NULL);
	budgets->running = false;
}
