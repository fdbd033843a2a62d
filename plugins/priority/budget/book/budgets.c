/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "budget/book/budgets.h"
#include "slurm/log.h"
#include "slurm/moment.h"

int eqt_budgets_init(struct eqt_budgets *budgets, struct eqt_error *err)
{
	const int failed = pthread_key_create(&budgets->announced, NULL);

	if (failed)
		return eqt_error_set(err, "budgets: %s", strerror(failed));
	eqt_moment_cond_init(&budgets->wake);
	return 0;
}

/* List the first accounts of a book as a text. */
static const char *accounts_text(char text[256], const struct eqt_book *book)
{
	const uint64_t count = eqt_book_count(book);
	size_t length = 0;
	uint64_t id;

	for (id = 1; id <= count && length < 160; id++)
		length += (size_t) snprintf(
			text + length, 256 - length, "%s%.64s",
			id > 1 ? ", " : "",
			eqt_book_budget(book, id)->terms.account);
	if (id <= count)
		(void) snprintf(text + length, 256 - length, " and %llu others",
				(unsigned long long) (count - id + 1));
	return text;
}

/*
 * Start without a usable file of budgets, and hold the jobs of all accounts
 * that had budgets. The file of accounts has their names, and so does the
 * readable part of the file of budgets. If the file of accounts is damaged, any
 * account may have had a budget. All jobs are held then, because all accounts
 * are below root.
 */
static int budgets_hold(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_book *read = budgets->book, *held;
	struct eqt_error why = { "" };
	char text[256];
	int rc = 0;

	budgets->unread = *err;
	held = eqt_store_accounts_read(&budgets->store, &why);
	for (uint64_t id = 1; held && read && id <= eqt_book_count(read); id++)
		rc |= eqt_store_account_add(
			held, eqt_book_budget(read, id)->terms.account, err);
	if (!held) {
		held = eqt_book_new();
		rc = held ? eqt_store_account_add(held, "root", err)
			  : eqt_error_set(err, "out of memory");
	}
	eqt_book_free(read);
	budgets->book = held;
	if (rc < 0)
		return -1;
	budgets->halted = true;
	budgets->charges->runs.sink->record->unsettled = EQT_CHARGE_UNREAD;
	eqt_log_error("%s; going on without it, as when_damaged = hold says. "
		      "Jobs of %s%s%s%s are held, and nothing is charged to "
		      "budgets. " EQT_BUDGET_REPAIR "; then restart slurmctld",
		      budgets->unread.text,
		      why.text[0] ? "all accounts" : "the accounts ",
		      why.text[0] ? " (" : accounts_text(text, held), why.text,
		      why.text[0] ? ")" : "");
	return 0;
}

/* May the start continue without the file? */
static bool budgets_may_hold(const struct eqt_budgets *budgets)
{
	const struct eqt_config *config = eqt_config_get(budgets->config);
	const bool may = config->conf->budget.when_damaged == EQT_DAMAGED_HOLD;

	eqt_config_put(config);
	return may;
}

int eqt_budgets_load(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_store_found found = { .known = *budgets->on_disk };

	if (budgets->book)
		return 0;
	budgets->unread.text[0] = '\0';
	budgets->charges->runs.sink->record->unsettled = NULL;
	if (eqt_store_load(&budgets->store, &budgets->book, &found, err) < 0) {
		if (!budgets_may_hold(budgets) ||
		    budgets_hold(budgets, err) < 0) {
			/* A part of the file is not a book. */
			eqt_book_free(budgets->book);
			budgets->book = NULL;
			return -1;
		}
		budgets->sweep = true;
		atomic_store(&budgets->active, true);
		return 0;
	}
	*budgets->on_disk = budgets->store.seq;
	if (found.why.text[0])
		eqt_log_error("%s; going on with what is there, as %s says",
			      found.why.text, EQT_BUDGET_ACCEPT);
	else if (found.cut)
		eqt_log_error("%s: its end was cut before it was synced, by a "
			      "kill or a power failure, and is dropped",
			      EQT_BUDGET_STORE);
	if (!budgets->book)
		return 0;
	budgets->take = eqt_moment_in_ms(EQT_STATE_OWNER_MS);
	budgets->sweep = true;
	atomic_store(&budgets->active, true);
	eqt_log_info("%llu budgets read",
		     (unsigned long long) eqt_book_count(budgets->book));
	return 0;
}

int eqt_budgets_begin(struct eqt_budgets *budgets, struct eqt_error *err)
{
	const struct eqt_entry base = { .kind = EQT_ENTRY_BASE };

	if (budgets->book)
		return 0;
	if (eqt_state_file_exists(budgets->store.file.folder, EQT_BUDGET_STORE))
		return eqt_error_set(err, EQT_BUDGET_STORE
				     " is that of another slurmctld");
	budgets->book = eqt_book_new();
	if (!budgets->book || eqt_book_apply(budgets->book, &base, err) < 0) {
		eqt_book_free(budgets->book);
		budgets->book = NULL;
		return eqt_error_set(err, "out of memory");
	}
	budgets->lines_lost = budgets->ours = true;
	atomic_store(&budgets->active, true);
	return 0;
}

int eqt_budgets_do(struct eqt_budgets *budgets, const struct eqt_entry *entry)
{
	struct eqt_error err;

	if (budgets->unread.text[0])
		return -1;
	if (eqt_book_apply(budgets->book, entry, &err) < 0) {
		eqt_log_error("budgets: %s", err.text);
		return -1;
	}
	if (eqt_bodies_add(&budgets->lines, entry) < 0)
		budgets->lines_lost = true;
	/* Entries of these three kinds may wait for others, because a start
	   compares commitments and settlements with slurmctld's records. */
	budgets->forced |= entry->kind != EQT_ENTRY_COMMIT &&
			   entry->kind != EQT_ENTRY_SPLIT &&
			   entry->kind != EQT_ENTRY_SETTLE;
	return 0;
}

void eqt_budgets_wake(struct eqt_budgets *budgets)
{
	budgets->woken = true;
	pthread_cond_signal(&budgets->wake);
}

void eqt_budgets_give_back(struct eqt_budgets *budgets, uint32_t job_id,
			   const char *why)
{
	const struct eqt_book_job *job = eqt_book_job(budgets->book, job_id);
	struct eqt_book_charge charge = {
		.job = job_id,
		.now = (uint64_t) time(NULL),
	};
	struct eqt_entry entry;

	if (!job || !job->tasks)
		return;
	charge.tasks = job->tasks;
	charge.until = job->until;
	if (eqt_book_plan_settle(budgets->book, &charge, &entry) < 0)
		return;
	(void) snprintf(entry.why, sizeof(entry.why), "%s", why);
	(void) eqt_budgets_do(budgets, &entry);
	budgets->tried = false;
}

/* Did a task get its share before? It did if it was requeued, is held, or
 * returned its share because its need changed. A second share would be that of
 * another task, which would then run without one. A task whose end slurmctld
 * forgot after a kill waits in its array again, and the array has its share. */
static bool task_had_share(const struct eqt_budgets *budgets,
			   const job_record_t *task)
{
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, task->job_id);

	return known && (known->tasks || task->restart_cnt ||
			 eqt_waiting_get(&budgets->waiting, task->job_id) ||
			 IS_JOB_FINISHED(task) || IS_JOB_COMPLETING(task) ||
			 (IS_JOB_PENDING(task) && !task->priority));
}

static void task_adopt(struct eqt_budgets *budgets, const job_record_t *job)
{
	struct eqt_entry entry;

	if (!job->array_job_id || job->array_job_id == job->job_id ||
	    task_had_share(budgets, job) ||
	    eqt_book_plan_split(budgets->book, job->array_job_id, job->job_id,
				&entry) < 0)
		return;
	entry.when = (uint64_t) time(NULL);
	(void) eqt_budgets_do(budgets, &entry);
}

/* The number of task numbers that an array can have. */
static uint32_t array_tasks_most(struct eqt_budgets *budgets)
{
	const struct eqt_config *config = eqt_config_get(budgets->config);
	uint32_t most = config ? config->max_array_size : 0;

	eqt_config_put(config);
	return most;
}

/* Has a task ended without a search of jobs that saw it running? Without limits
 * nobody reports the end. */
static bool task_ended_unseen(const job_record_t *task)
{
	return IS_JOB_FINISHED(task) && task->start_time &&
	       task->end_time > task->start_time && task->nodes;
}

/*
 * Give the tasks of an array their shares. slurmctld does not report when a
 * task becomes a separate job, so the array's record keeps its share until now.
 * Tasks are looked up by their number, as slurmctld does, until all shares are
 * distributed.
 */
static void array_hand_out(struct eqt_budgets *budgets,
			   const job_record_t *array)
{
	const uint64_t own = IS_JOB_PENDING(array) &&
					     array->array_recs->task_cnt
				     ? array->array_recs->task_cnt
				     : 1;
	const struct eqt_book_job *known =
		eqt_book_job(budgets->book, array->job_id);
	uint32_t most = 0;

	if (known && known->tasks > own)
		most = array_tasks_most(budgets);
	for (uint32_t i = 0; i < most && known && known->tasks > own; i++) {
		const job_record_t *task = find_job_array_rec(array->job_id, i);

		if (!task || task == array || task->array_task_id != i ||
		    !(IS_JOB_PENDING(task) || IS_JOB_RUNNING(task) ||
		      IS_JOB_SUSPENDED(task) || task_ended_unseen(task)))
			continue;
		task_adopt(budgets, task);
		known = eqt_book_job(budgets->book, array->job_id);
	}
}

void eqt_budgets_adopt(struct eqt_budgets *budgets, const job_record_t *job)
{
	if (job->array_recs && job->array_job_id == job->job_id)
		array_hand_out(budgets, job);
	else
		task_adopt(budgets, job);
}

#define PRIORITY_MARK ", then priority "

void eqt_budgets_describe(job_record_t *job, const char *text,
			  uint32_t explicit_priority)
{
	char all[EQT_BUDGET_NAME + 192];

	(void) snprintf(all, sizeof(all), "%s", text);
	if (explicit_priority)
		(void) snprintf(all, sizeof(all), "%s" PRIORITY_MARK "%" PRIu32,
				text, explicit_priority);
	if (job->state_desc && strcmp(job->state_desc, all) == 0)
		return;
	xfree(job->state_desc);
	job->state_desc = xstrdup(all);
	last_job_update = time(NULL);
}

/* The priority in the description of a held job, or 0 if it has none. */
static uint32_t described_priority(const job_record_t *job)
{
	const size_t length = sizeof(PRIORITY_MARK) - 1;
	const char *last = job->state_desc ? strrchr(job->state_desc, ',')
					   : NULL;
	unsigned long number;
	char *end;

	if (!last || strncmp(last, PRIORITY_MARK, length) != 0)
		return 0;
	number = strtoul(last + length, &end, 10);
	return *end == '\0' && number < NO_VAL ? (uint32_t) number : 0;
}

uint32_t eqt_budgets_explicit_priority(const struct eqt_budgets *budgets,
				       const job_record_t *job)
{
	const struct eqt_waiting_job *known =
		eqt_waiting_get(&budgets->waiting, job->job_id);

	return known ? known->explicit_priority : described_priority(job);
}

bool eqt_budgets_held_by_others(const job_record_t *job)
{
	if (job->priority)
		return false;
	return job->direct_set_prio || job->state_reason == WAIT_HELD_USER ||
	       job->state_reason == WAIT_MAX_REQUEUE ||
	       job->state_reason == WAIT_RESV_DELETED ||
	       job->state_reason == FAIL_BAD_CONSTRAINTS;
}

void eqt_budgets_clear(struct eqt_budgets *budgets)
{
	atomic_store(&budgets->active, false);
	eqt_store_close(&budgets->store);
	eqt_book_free(budgets->book);
	budgets->book = NULL;
	eqt_book_free(budgets->accounts);
	budgets->accounts = NULL;
	eqt_bodies_free(&budgets->lines);
	eqt_waiting_free(&budgets->waiting);
	eqt_ancestry_free(&budgets->ancestry);
	eqt_coordinators_free(&budgets->coordinators);
	free(budgets->warned);
	budgets->warned = NULL;
	budgets->warned_count = 0;
	budgets->lines_lost = budgets->sweep = false;
	budgets->forced = budgets->halted = budgets->ours = false;
	budgets->due = (struct timespec){ 0 };
	pthread_cond_destroy(&budgets->wake);
	(void) pthread_key_delete(budgets->announced);
}
