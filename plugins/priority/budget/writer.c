/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "budget/writer.h"

/* How long settled jobs are remembered: a kill makes slurmctld forget ends that it
 * has not saved yet, and a finished job can be requeued. */
#define SETTLED_KEPT_S 3600

/* A larger file is replaced by a new one. */
#define FILE_MOST (64 << 20)

/* Write a new file from the book. */
static int writer_begin_file(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_bodies text = { .data = NULL };
	uint64_t now = (uint64_t) time(NULL);
	struct eqt_entry entry;
	size_t at = 0;
	int rc = 0;

	pthread_mutex_lock(&budgets->lock);
	while (rc == 0 &&
	       eqt_book_state(budgets->book, now - SETTLED_KEPT_S, &at, &entry))
		/* Only memory is touched under the lock; the file is written
		 * after it. */
		rc = eqt_bodies_add(&text, &entry);
	if (rc == 0) {
		budgets->lines.length = 0;
		budgets->lines_lost = false;
		budgets->store.seq = eqt_book_seq(budgets->book);
	}
	pthread_mutex_unlock(&budgets->lock);
	if (rc < 0)
		rc = eqt_error_set(err, "out of memory");
	else
		rc = eqt_store_begin(&budgets->store, &text, err);
	if (rc < 0) {
		pthread_mutex_lock(&budgets->lock);
		budgets->lines_lost = true;
		pthread_mutex_unlock(&budgets->lock);
	}
	eqt_bodies_free(&text);
	return rc;
}

/* Take the waiting lines, so that the disk is written without the lock. */
static struct eqt_bodies writer_take_lines(struct eqt_budgets *budgets)
{
	struct eqt_bodies lines;

	pthread_mutex_lock(&budgets->lock);
	lines = budgets->lines;
	budgets->lines = (struct eqt_bodies){ .data = NULL };
	pthread_mutex_unlock(&budgets->lock);
	return lines;
}

static bool writer_lost_lines(struct eqt_budgets *budgets)
{
	bool lost;

	pthread_mutex_lock(&budgets->lock);
	lost = budgets->lines_lost;
	pthread_mutex_unlock(&budgets->lock);
	return lost;
}

int eqt_writer_write(struct eqt_budgets *budgets, struct eqt_error *err)
{
	struct eqt_bodies lines;
	int rc = 0;

	if (writer_lost_lines(budgets) || budgets->store.size > FILE_MOST)
		return writer_begin_file(budgets, err);
	lines = writer_take_lines(budgets);
	if (lines.length)
		rc = eqt_store_append(&budgets->store, &lines, err);
	eqt_bodies_free(&lines);
	if (rc < 0) {
		/* Memory has it all: the next file begins with it. */
		pthread_mutex_lock(&budgets->lock);
		budgets->lines_lost = true;
		pthread_mutex_unlock(&budgets->lock);
	}
	return rc;
}
