/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "budget/admission.h"
#include "budget/book/payers.h"
#include "budget/hours.h"
#include "budget/settlement.h"
#include "rate/job_quote.h"
#include "slurm/budget_link.h"
#include "slurm/log.h"
#include "slurm/spec_partition.h"
#include "walk/job_links.h"

/* slurmctld asks for the priority in the thread that called the submission
 * plugin. The value of the thread-specific key is the number itself, not a
 * pointer. */
void eqt_admission_announce(struct eqt_budgets *budgets, uint64_t tasks)
{
	(void) pthread_setspecific(budgets->announced,
				   (void *) (uintptr_t) tasks);
}

/* The number of tasks that this thread announced. Returns 0 if it announced
 * none or the number was used already. */
static uint64_t announced_tasks(const struct eqt_budgets *budgets)
{
	return (uintptr_t) pthread_getspecific(budgets->announced);
}

/* The number of tasks of a record that wait. The record of a new array does not
 * have this number yet, so the announced number is used. */
static uint64_t job_waiting_tasks(const struct eqt_budgets *budgets,
				  const job_record_t *job)
{
	uint64_t tasks = announced_tasks(budgets);

	if (job->array_recs)
		return job->array_recs->task_cnt ? job->array_recs->task_cnt
						 : 1;
	if (job->array_task_id != NO_VAL || job->het_job_id || tasks < 2 ||
	    !job->batch_flag || eqt_waiting_get(&budgets->waiting, job->job_id))
		return 1;
	(void) pthread_setspecific(budgets->announced, NULL);
	return tasks;
}

/* ---- Holding and releasing ---------------------------------------------------- */

/* Does a partition of the job have OverTimeLimit=UNLIMITED, so that the job may
 * run beyond its time limit for ever? */
static bool job_runs_without_end(const job_record_t *job)
{
	list_itr_t *iterator;
	part_record_t *part;
	bool endless = eqt_spec_partition_over_minutes(job->part_ptr) ==
		       INFINITE;

	if (!job->part_ptr_list)
		return endless;
	iterator = list_iterator_create(job->part_ptr_list);
	while ((part = list_next(iterator)))
		endless |= eqt_spec_partition_over_minutes(part) == INFINITE;
	list_iterator_destroy(iterator);
	return endless;
}

static void job_describe(const struct eqt_budgets *budgets, job_record_t *job,
			 const struct eqt_book_lack *lack,
			 const struct eqt_waiting_job *waiting)
{
	const uint64_t need_u = waiting->need_u;
	const struct eqt_budget *budget =
		eqt_book_budget(budgets->book, lack->budget);
	const bool of_some = budget && budget->terms.pool != EQT_BUDGET_ALL;
	char need[64] = "a time limit", when[48] = "";
	char text[EQT_BUDGET_NAME + 160], left[EQT_HOURS_TEXT];

	if (need_u != UINT64_MAX)
		(void) eqt_hours_need(need_u, need);
	else if (job_runs_without_end(job))
		(void) snprintf(need, sizeof(need),
				"a partition without " EQT_BUDGET_ENDLESS);
	if (lack->next) {
		time_t at = (time_t) lack->next;
		struct tm tm;

		if (localtime_r(&at, &tm))
			(void) strftime(when, sizeof(when), ", next %Y-%m-%d",
					&tm);
	}
	if (budgets->unread.text[0])
		(void) snprintf(text, sizeof(text),
				EQT_BUDGETS_MARK
				"of %s cannot be read: see slurmctld's log",
				budget ? budget->terms.account : "?");
	else if (budgets->halted)
		(void) snprintf(text, sizeof(text),
				EQT_BUDGETS_MARK "%" PRIu64
						 " cannot be written now: "
						 "see slurmctld's log",
				lack->budget);
	else
		(void) snprintf(
			text, sizeof(text),
			EQT_BUDGETS_MARK "%" PRIu64 " of %s%s%s has %s left, "
					 "job needs %s%s",
			lack->budget, budget ? budget->terms.account : "?",
			of_some ? " for " : "",
			of_some ? eqt_budget_pool_word(budget->terms.pool) : "",
			eqt_hours_short(lack->left_u, left), need, when);
	eqt_budgets_describe(job, text, waiting->explicit_priority);
}

/* May the job have a shorter time limit than it asks for? */
static bool job_may_be_short(const job_record_t *job,
			     const struct eqt_job_need *need)
{
	return job->time_min && job->time_min != NO_VAL && need->rate_u &&
	       need->over != INFINITE;
}

/* The lowest price for which a held job may start. */
static uint64_t job_least_u(const job_record_t *job,
			    const struct eqt_job_need *need)
{
	const uint64_t minutes = (uint64_t) job->time_min + need->over;
	uint64_t least_u;

	if (!job_may_be_short(job, need) ||
	    __builtin_mul_overflow(need->rate_u, minutes * 60, &least_u))
		return need->need_u;
	return least_u;
}

/* Hold a job. If an operator has set its priority, that priority returns when
 * the job is released. */
static void job_hold(struct eqt_budgets *budgets, job_record_t *job,
		     const struct eqt_book_lack *lack,
		     const struct eqt_job_need *need)
{
	struct eqt_waiting_job waiting = {
		.id = job->job_id,
		.state = EQT_WAITING_HELD,
		.need_u = job_least_u(job, need),
		.budget = lack->budget,
		.explicit_priority =
			eqt_budgets_explicit_priority(budgets, job),
		/* Slurm clears the description, and so the mark, when it
		   releases a job. */
		.unmarked = true,
	};
	uint32_t *choices = eqt_job_priorities(job);

	if (job->direct_set_prio && job->priority)
		waiting.explicit_priority = job->priority;
	job->direct_set_prio = 0;
	job->priority = 0;
	if (choices)
		memset(choices, 0,
		       xsize(choices) / sizeof(*choices) * sizeof(*choices));
	job->state_reason = WAIT_HELD;
	job_describe(budgets, job, lack, &waiting);
	if (eqt_waiting_set(&budgets->waiting, &waiting) < 0)
		eqt_log_error("budgets: out of memory: job %u stays held",
			      job->job_id);
	eqt_budgets_wake(budgets);
}

/* Record whether the record of a held job has its mark. A job without the mark
 * is tried again each second. */
static void job_set_marked(struct eqt_budgets *budgets, const job_record_t *job,
			   bool marked)
{
	struct eqt_waiting_job *known =
		eqt_waiting_get(&budgets->waiting, job->job_id);

	if (known)
		known->unmarked = !marked;
}

bool eqt_admission_holds(const struct eqt_budgets *budgets,
			 const job_record_t *job)
{
	const struct eqt_waiting_job *known =
		eqt_waiting_get(&budgets->waiting, job->job_id);
	bool marked = job->state_desc &&
		      strncmp(job->state_desc, EQT_BUDGETS_MARK,
			      sizeof(EQT_BUDGETS_MARK) - 1) == 0;

	if (!IS_JOB_PENDING(job) || job->priority || !job->details ||
	    eqt_budgets_held_by_others(job))
		return false;
	if (marked)
		return true;
	return known && (known->unmarked || known->state == EQT_WAITING_ENDED);
}

/* Release a job. The thread asks for a round of the scheduler afterwards. */
static void job_let_go(struct eqt_budgets *budgets,
		       const struct eqt_config *config, job_record_t *job,
		       uint32_t explicit_priority)
{
	if (explicit_priority) {
		job->direct_set_prio = 1;
		job->priority = explicit_priority;
	}
	job->state_reason = WAIT_NO_REASON;
	xfree(job->state_desc);
	job->priority =
		budgets->priority_of(budgets->priority_arg, config, job);
	last_job_update = time(NULL);
}

/* ---- Committing ------------------------------------------------------------- */

static void job_forget(struct eqt_budgets *budgets, const job_record_t *job)
{
	eqt_budgets_give_back(budgets, job->job_id, "it needs no budget");
	eqt_waiting_forget(&budgets->waiting, job->job_id);
}

/* Remember the request, so that a later update of the job with the same request
 * changes nothing. */
static void job_committed(struct eqt_budgets *budgets, const job_record_t *job,
			  const struct eqt_book_wish *wish, uint64_t hash)
{
	struct eqt_waiting_job waiting = {
		.id = job->job_id,
		.state = EQT_WAITING_COMMITTED,
		.request = hash,
		.need_u = wish->need_u,
	};

	if (eqt_waiting_set(&budgets->waiting, &waiting) < 0)
		eqt_log_error("budgets: out of memory");
}

/* Would a new commitment take the same amounts from the same budgets? */
static bool job_would_commit_same(const struct eqt_budgets *budgets,
				  const struct eqt_book_wish *wish)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, wish->job);
	struct eqt_book_wish again = *wish;
	struct eqt_entry entry = { 0 };

	again.instead_of = wish->job;
	if (!known || known->tasks != wish->tasks ||
	    eqt_book_plan_commit(budgets->book, &again, &entry, NULL) !=
		    EQT_BOOK_FITS ||
	    entry.parts != known->parts)
		return false;
	for (uint64_t i = 0; i < entry.parts; i++) {
		if (entry.part[i].budget != known->part[i].budget ||
		    entry.part[i].taken_u != known->part[i].taken_u ||
		    entry.part[i].period != known->part[i].period)
			return false;
	}
	return true;
}

/*
 * Replace the commitment of a job by one for all its tasks. The job may start
 * if the answer is EQT_BOOK_FREE or EQT_BOOK_FITS. Otherwise it has no
 * commitment any more.
 */
static enum eqt_book_answer job_commit(struct eqt_budgets *budgets,
				       const job_record_t *job,
				       const struct eqt_book_wish *wish,
				       struct eqt_book_lack *lack)
{
	const struct eqt_waiting_job *known =
		eqt_waiting_get(&budgets->waiting, job->job_id);
	uint64_t hash = eqt_payers_hash(wish);
	struct eqt_entry entry = { 0 };
	enum eqt_book_answer answer;

	if (known && known->state == EQT_WAITING_COMMITTED &&
	    known->request == hash)
		return EQT_BOOK_FITS;
	if (job_would_commit_same(budgets, wish)) {
		job_committed(budgets, job, wish, hash);
		return EQT_BOOK_FITS;
	}
	eqt_budgets_give_back(budgets, job->job_id, "its request changed");
	answer = eqt_book_plan_commit(budgets->book, wish, &entry, lack);
	if (answer == EQT_BOOK_FREE) {
		job_forget(budgets, job);
		return answer;
	}
	if (budgets->halted && answer == EQT_BOOK_FITS) {
		if (lack)
			lack->budget = entry.part[0].budget;
		return EQT_BOOK_LACKS;
	}
	if (answer != EQT_BOOK_FITS)
		return answer;
	if (eqt_budgets_do(budgets, &entry) < 0)
		return EQT_BOOK_LACKS;
	job_committed(budgets, job, wish, hash);
	return answer;
}

/* Commit as job_commit() does. A job with --time-min that does not fit gets the
 * whole minutes that its budget has left. This may take several tries, because
 * a level above may have less left than the first level that has too little. */
static enum eqt_book_answer job_commit_time(struct eqt_budgets *budgets,
					    job_record_t *job,
					    const struct eqt_job_need *need,
					    struct eqt_book_wish *wish,
					    struct eqt_book_lack *lack)
{
	enum eqt_book_answer answer = job_commit(budgets, job, wish, lack);
	const bool may_cut = wish->tasks == 1 && job_may_be_short(job, need);
	uint64_t minutes = job->time_limit;

	while (may_cut &&
	       (answer == EQT_BOOK_LACKS || answer == EQT_BOOK_NEVER)) {
		const uint64_t paid = lack->left_u / need->rate_u / 60;

		if (paid >= minutes + need->over ||
		    paid < (uint64_t) job->time_min + need->over)
			return answer;
		minutes = paid - need->over;
		wish->need_u = need->rate_u * paid * 60;
		answer = job_commit(budgets, job, wish, lack);
	}
	if (answer != EQT_BOOK_FITS || minutes == job->time_limit)
		return answer;
	job->time_limit = (uint32_t) minutes;
	last_job_update = time(NULL);
	eqt_log_info("budgets: job %u gets a time limit of %u minutes, which "
		     "its budget has left (--time-min)",
		     job->job_id, job->time_limit);
	return answer;
}

/* An attempt to commit a job. */
struct attempt {
	struct eqt_book_path path;
	/* The wish of one task, which says what the task needs. */
	struct eqt_book_wish one;
	/* What is missing, if the job does not fit. */
	struct eqt_book_lack lack;
	uint64_t tasks;
};

/* Commit all tasks of a waiting job. A job without a price, whose need is NULL,
 * is charged nothing, so it draws on no budget. */
static enum eqt_book_answer attempt_make(struct attempt *attempt,
					 struct eqt_budgets *budgets,
					 job_record_t *job,
					 const struct eqt_job_need *need)
{
	struct eqt_book_wish all;

	*attempt = (struct attempt){ .tasks = 1 };
	eqt_budgets_adopt(budgets, job);
	if (!need) {
		job_forget(budgets, job);
		return EQT_BOOK_FREE;
	}
	eqt_payers_wish(&attempt->one, &attempt->path, job);
	attempt->one.pool = need->gpus ? EQT_BUDGET_GPUS : EQT_BUDGET_CORES;
	attempt->one.need_u = need->need_u;
	attempt->tasks = job_waiting_tasks(budgets, job);
	all = eqt_payers_all_tasks(&attempt->one, attempt->tasks);
	return job_commit_time(budgets, job, need, &all, &attempt->lack);
}

static uint32_t waiting_set(struct eqt_budgets *budgets, job_record_t *job,
			    const struct eqt_job_need *need, uint32_t priority)
{
	const struct eqt_waiting_job *known;
	enum eqt_book_answer answer;
	struct attempt attempt;
	uint32_t own;

	pthread_mutex_lock(&budgets->lock);
	/* After a requeue the job gets the priority again that an operator had
	   set. */
	known = eqt_waiting_get(&budgets->waiting, job->job_id);
	own = known && known->state == EQT_WAITING_ENDED
		      ? known->explicit_priority
		      : 0;
	answer = attempt_make(&attempt, budgets, job, need);
	if (answer == EQT_BOOK_LACKS || answer == EQT_BOOK_NEVER) {
		job_hold(budgets, job, &attempt.lack, need);
		priority = 0;
	} else if (own) {
		job->direct_set_prio = 1;
		priority = own;
	}
	pthread_mutex_unlock(&budgets->lock);
	return priority;
}

/* Let the thread try a job again later. The job's last run is not settled yet, and
 * slurmctld asks for the job's priority only once. */
static void job_awaits_settlement(struct eqt_budgets *budgets,
				  job_record_t *job)
{
	pthread_mutex_lock(&budgets->lock);
	eqt_settlement_remember(budgets, job->job_id, job);
	pthread_mutex_unlock(&budgets->lock);
}

/* The thread tries the job again, because slurmctld asks for no priority while
 * that of the job is 0. */
void eqt_admission_changed(struct eqt_budgets *budgets, uint32_t job_id)
{
	struct eqt_waiting_job *known;

	pthread_mutex_lock(&budgets->lock);
	known = eqt_waiting_get(&budgets->waiting, job_id);
	if (known && known->state == EQT_WAITING_HELD) {
		known->unmarked = true;
		eqt_budgets_wake(budgets);
	}
	pthread_mutex_unlock(&budgets->lock);
}

void eqt_admission_held(struct eqt_budgets *budgets, job_record_t *job,
			bool by_user)
{
	pthread_mutex_lock(&budgets->lock);
	if (eqt_admission_holds(budgets, job)) {
		eqt_waiting_forget(&budgets->waiting, job->job_id);
		xfree(job->state_desc);
		/* slurmctld sets these members only if the priority was not 0
		   before. */
		job->direct_set_prio = 1;
		job->state_reason = by_user ? WAIT_HELD_USER : WAIT_HELD;
		last_job_update = time(NULL);
	}
	pthread_mutex_unlock(&budgets->lock);
}

uint32_t eqt_admission_set(struct eqt_budgets *budgets,
			   const struct eqt_config *config, job_record_t *job,
			   const struct eqt_job_need *need, uint32_t priority)
{
	struct eqt_job_need own;

	if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) {
		eqt_settlement_adjust(budgets, config, job);
		return priority;
	}
	if (!IS_JOB_PENDING(job) || !job->details || !job->assoc_ptr ||
	    !priority)
		return priority;
	if (eqt_settlement_waits(budgets, job)) {
		job_awaits_settlement(budgets, job);
		return 0;
	}
	if (!need && eqt_job_quote_need(&own, config, job) == 0)
		need = &own;
	return waiting_set(budgets, job, need, priority);
}

/* ---- Held jobs that are tried again -------------------------------------------- */

/* Split off as many tasks of a held array as fit, and release them. */
static bool array_retry(struct eqt_budgets *budgets,
			const struct eqt_config *config, job_record_t *array,
			const struct eqt_book_wish *one, unsigned int *patience)
{
	const uint32_t own = eqt_budgets_explicit_priority(budgets, array);
	bool any = false;

	while (array && *patience > 0 && !budgets->halted &&
	       eqt_split_is_possible(array)) {
		struct eqt_book_wish wish = *one;
		job_record_t *task = array, *rest;

		if (eqt_book_plan_commit(budgets->book, &wish, NULL, NULL) !=
		    EQT_BOOK_FITS)
			break;
		rest = eqt_split_take(array);
		if (!rest)
			break;
		(*patience)--;
		wish.job = task->job_id;
		if (job_commit(budgets, task, &wish, NULL) != EQT_BOOK_FITS)
			break;
		job_let_go(budgets, config, task, own);
		any = true;
		array = rest;
	}
	return any;
}

bool eqt_admission_retry(struct eqt_budgets *budgets,
			 const struct eqt_config *config, job_record_t *job,
			 unsigned int *patience)
{
	enum eqt_book_answer answer;
	struct eqt_job_need need;
	struct attempt attempt;
	uint32_t own;
	bool any = true;
	bool priced;

	if (eqt_settlement_waits(budgets, job)) {
		job_awaits_settlement(budgets, job);
		return false;
	}
	(*patience)--;
	priced = job->assoc_ptr && eqt_job_quote_need(&need, config, job) == 0;
	pthread_mutex_lock(&budgets->lock);
	if (!job->assoc_ptr) {
		/* The association may be added again, and nobody reports
		   that. */
		job_set_marked(budgets, job, false);
		pthread_mutex_unlock(&budgets->lock);
		return false;
	}
	own = eqt_budgets_explicit_priority(budgets, job);
	answer = attempt_make(&attempt, budgets, job, priced ? &need : NULL);
	if (answer == EQT_BOOK_FITS || answer == EQT_BOOK_FREE) {
		job_let_go(budgets, config, job, own);
	} else {
		any = attempt.tasks > 1 &&
		      array_retry(budgets, config, job, &attempt.one, patience);
		if (!any) {
			job_hold(budgets, job, &attempt.lack, &need);
			job_set_marked(budgets, job, true);
		}
	}
	pthread_mutex_unlock(&budgets->lock);
	return any;
}
