/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "budget/writer.h"
#include "slurm/log.h"
#include "slurm/moment.h"

/* How long settled jobs are remembered, in seconds: a kill makes slurmctld
 * forget ends that it has not saved yet, and a finished job can be requeued. */
#define SETTLED_KEPT_S 3600

/* A file with more bytes than this is replaced by a new one. */
#define FILE_MOST (64 << 20)

/* Let the next write begin a new file from memory, which has everything. If
 * another slurmctld has taken the file, nothing more is committed, because that
 * slurmctld may promise the same hours to other jobs. */
static void writer_fail(struct eqt_budgets *budgets)
{
	pthread_mutex_lock(&budgets->lock);
	budgets->lines_lost = true;
	budgets->due = (struct timespec){ 0 };
	budgets->halted |= budgets->store.file.taken;
	pthread_mutex_unlock(&budgets->lock);
}

static void writer_synced(struct eqt_budgets *budgets)
{
	*budgets->on_disk = budgets->store.seq;
	budgets->due = (struct timespec){ 0 };
}

/* Write a new file from the book. */
static int writer_begin_file(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_bodies text = { .data = NULL };
	uint64_t now = (uint64_t) time(NULL);
	struct eqt_entry entry;
	size_t at = 0;
	int rc = 0;

	pthread_mutex_lock(&budgets->lock);
	/* Forget old settled jobs, which the new file does not have either.
	   Otherwise memory would grow with each job. */
	eqt_book_forget(budgets->book, now - SETTLED_KEPT_S);
	/* The file is written after the lock is released. */
	while (rc == 0 && eqt_book_state(budgets->book, &at, &entry))
		rc = eqt_bodies_add(&text, &entry);
	if (rc == 0) {
		budgets->lines.length = 0;
		budgets->lines_lost = budgets->forced = false;
		budgets->store.seq = eqt_book_seq(budgets->book);
	}
	pthread_mutex_unlock(&budgets->lock);
	eqt_journal_flush(budgets->charges->runs.sink->record->journal);
	if (rc < 0)
		rc = eqt_error_set(err, "out of memory");
	else
		rc = eqt_store_begin(&budgets->store, &text, err);
	if (rc == 0)
		writer_synced(budgets);
	eqt_bodies_free(&text);
	return rc;
}

/* Take the waiting lines out, so that they can be written without the lock.
 * They are taken only when they are due, unless one of them must not wait, or
 * `now` is set. */
static struct eqt_bodies writer_take_lines(struct eqt_budgets *budgets,
					   bool now)
{
	const struct timespec moment = eqt_moment_in_ms(0);
	struct eqt_bodies lines = { .data = NULL };

	pthread_mutex_lock(&budgets->lock);
	if (budgets->lines.length && !budgets->due.tv_sec)
		budgets->due = eqt_moment_in_ms(EQT_WRITER_SYNC_MS);
	if (now || budgets->forced ||
	    !eqt_moment_is_before(&moment, &budgets->due)) {
		lines = budgets->lines;
		budgets->lines = (struct eqt_bodies){ .data = NULL };
		budgets->forced = false;
	}
	pthread_mutex_unlock(&budgets->lock);
	return lines;
}

/* Write and sync lines. The journal's lines of the same charges are synced
 * first, so that after a kill or a power failure usage has each charge that
 * budgets have. */
static int writer_put(struct eqt_budgets *budgets,
		      const struct eqt_bodies *lines, struct eqt_error *err)
{
	/* A slurmctld that was replaced by another one must notice this before
	   it commits. */
	if (!lines->length)
		return eqt_append_file_check(&budgets->store.file, err);
	eqt_journal_flush(budgets->charges->runs.sink->record->journal);
	if (eqt_store_put(&budgets->store, lines, err) < 0 ||
	    eqt_store_sync(&budgets->store, err) < 0)
		return -1;
	writer_synced(budgets);
	return 0;
}

/* Use a book that another slurmctld has continued. The book may lack our last
 * entries, which are those of jobs, so all jobs are tried again, as after a
 * start. */
static void writer_use_book(struct eqt_budgets *budgets, struct eqt_book *newer)
{
	eqt_log_error("budgets: another slurmctld has written %s after this "
		      "one had read it; it is read again",
		      EQT_BUDGET_STORE);
	pthread_mutex_lock(&budgets->lock);
	eqt_book_free(budgets->book);
	budgets->book = newer;
	budgets->lines.length = 0;
	budgets->lines_lost = false;
	eqt_waiting_free(&budgets->waiting);
	budgets->sweep = true;
	budgets->halted = false;
	pthread_mutex_unlock(&budgets->lock);
}

static void writer_forget_accounts(struct eqt_budgets *budgets)
{
	eqt_book_free(budgets->accounts);
	budgets->accounts = NULL;
}

/* Save the names of all accounts that have budgets, including those of the
 * grants in entry. A start that finds the file of budgets damaged reads these
 * names. */
static int writer_accounts(struct eqt_budgets *budgets,
			   const struct eqt_entry *entry, size_t count,
			   struct eqt_error *err)
{
	const bool all = !budgets->accounts;
	uint64_t before;
	int rc = 0;

	if (all && !(budgets->accounts = eqt_book_new()))
		return eqt_error_set(err, "out of memory");
	before = eqt_book_count(budgets->accounts);
	if (all) {
		pthread_mutex_lock(&budgets->lock);
		for (uint64_t id = 1; id <= eqt_book_count(budgets->book); id++)
			rc |= eqt_store_account_add(
				budgets->accounts,
				eqt_book_budget(budgets->book, id)
					->terms.account,
				err);
		pthread_mutex_unlock(&budgets->lock);
	}
	for (size_t i = 0; i < count; i++) {
		if (entry[i].kind == EQT_ENTRY_GRANT)
			rc |= eqt_store_account_add(
				budgets->accounts, entry[i].state.terms.account,
				err);
	}
	if (rc == 0 && eqt_book_count(budgets->accounts) > before)
		rc = eqt_store_accounts_write(&budgets->store,
					      budgets->accounts, err);
	if (rc < 0)
		writer_forget_accounts(budgets);
	return rc;
}

/* Make the file ours. The folder is taken first, so that the previous owner
 * cannot take the file back. */
static int writer_take(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_book *newer;

	if (eqt_state_file_own(budgets->store.file.folder, err) < 0)
		return -1;
	eqt_store_close(&budgets->store);
	if (eqt_store_take(&budgets->store, &newer, err) < 0)
		return -1;
	if (newer)
		writer_use_book(budgets, newer);
	writer_forget_accounts(budgets);
	if (writer_accounts(budgets, NULL, 0, err) < 0)
		return -1;
	budgets->ours = true;
	writer_synced(budgets);
	return 0;
}

int eqt_writer_write(struct eqt_budgets *budgets, bool now,
		     struct eqt_error *err)
{
	const struct timespec moment = eqt_moment_in_ms(0);
	struct eqt_bodies lines;
	int rc;

	if (budgets->unread.text[0])
		return eqt_error_set(
			err, "budgets cannot be read or changed: %.400s",
			budgets->unread.text);
	if (budgets->store.file.taken)
		budgets->ours = false;
	if (!budgets->ours && !now &&
	    eqt_moment_is_before(&moment, &budgets->take))
		return 0;
	if (!budgets->ours && writer_take(budgets, err) < 0)
		return -1;
	if (budgets->lines_lost || budgets->store.file.size > FILE_MOST) {
		rc = writer_begin_file(budgets, err);
	} else {
		lines = writer_take_lines(budgets, now);
		rc = writer_put(budgets, &lines, err);
		eqt_bodies_free(&lines);
	}
	if (rc < 0)
		writer_fail(budgets);
	return rc;
}

int eqt_writer_write_entries(struct eqt_budgets *budgets,
			     const struct eqt_entry *entry, size_t count,
			     struct eqt_error *err)
{
	struct eqt_bodies text = { .data = NULL };
	int rc = 0;

	if (eqt_writer_write(budgets, true, err) < 0 ||
	    writer_accounts(budgets, entry, count, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = eqt_bodies_add(&text, &entry[i]);
	if (rc < 0) {
		eqt_bodies_free(&text);
		return eqt_error_set(err, "out of memory");
	}
	rc = writer_put(budgets, &text, err);
	eqt_bodies_free(&text);
	if (rc < 0)
		writer_fail(budgets);
	return rc;
}
