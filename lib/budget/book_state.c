/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "budget/book_impl.h"

/* A second call replaces the first one: only one entry is being written. */
int eqt_book_freeze(struct eqt_book *book, uint64_t budget, uint64_t amount_u)
{
	struct book_budget *found = book_find(book, budget);

	if (!found)
		return -1;
	found->is.frozen_u = 0;
	if (eqt_budget_left(&found->is) < amount_u)
		return -1;
	found->is.frozen_u = amount_u;
	return 0;
}

/* Sum up the commitments of jobs in each budget, by id - 1. */
static int audit_jobs(const struct eqt_book *book, uint64_t *sum,
		      struct eqt_error *err)
{
	for (uint64_t i = 0; i < book->jobs; i++) {
		const struct eqt_book_job *job = &book->job[i];

		if (!job->tasks && job->parts)
			return eqt_error_set(err,
					     "job %" PRIu64
					     " is settled and has a commitment",
					     job->id);
		for (uint64_t j = 0; j < job->parts; j++) {
			if (!book_find(book, job->part[j].budget))
				return eqt_error_set(err,
						     "job %" PRIu64
						     " draws on budget %" PRIu64
						     ", which does not exist",
						     job->id,
						     job->part[j].budget);
			sum[job->part[j].budget - 1] += job->part[j].taken_u;
		}
	}
	return 0;
}

static int audit_budgets(const struct eqt_book *book, const uint64_t *sum,
			 struct eqt_error *err)
{
	for (uint64_t i = 0; i < book->budgets; i++) {
		const struct eqt_budget *budget = &book->budget[i].is;
		uint64_t used = budget->spent_u + budget->committed_u +
				budget->frozen_u;

		if (used > budget->amount_u)
			return eqt_error_set(err,
					     "budget %" PRIu64
					     " has more spent and committed "
					     "than granted",
					     budget->id);
		if (sum[i] != budget->committed_u)
			return eqt_error_set(err,
					     "budget %" PRIu64
					     ": the commitments of its jobs "
					     "have another sum",
					     budget->id);
	}
	return 0;
}

/* Compute all sums again from the jobs, and compare them with the budgets. */
int eqt_book_audit(const struct eqt_book *book, struct eqt_error *err)
{
	uint64_t *sum = calloc(book->budgets + 1, sizeof(*sum));
	int rc;

	if (!sum)
		return eqt_error_set(err, "out of memory");
	rc = audit_jobs(book, sum, err);
	if (rc == 0)
		rc = audit_budgets(book, sum, err);
	free(sum);
	return rc;
}

/* Settled jobs are kept for a while: after a kill slurmctld may not know that they
 * have ended, and would report the end again. */
static uint64_t state_jobs(const struct eqt_book *book, uint64_t since)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < book->jobs; i++)
		count += book->job[i].tasks || book->job[i].until >= since;
	return count;
}

static void state_base(const struct eqt_book *book, uint64_t since,
		       struct eqt_entry *entry)
{
	uint64_t first = book->requests > BOOK_REQUESTS
				 ? book->requests - BOOK_REQUESTS
				 : 0;

	entry->kind = EQT_ENTRY_BASE;
	entry->budget = book->budgets;
	entry->job = state_jobs(book, since);
	for (uint64_t i = first; i < book->requests; i++)
		entry->part[entry->parts++].budget = book->request[i];
}

/* The steps are the base, each budget, and each job. The caller keeps *at between
 * calls. */
bool eqt_book_state(const struct eqt_book *book, uint64_t since, size_t *at,
		    struct eqt_entry *entry)
{
	uint64_t step = (*at)++;

	memset(entry, 0, sizeof(*entry));
	entry->seq = book->seq;
	if (step == 0) {
		state_base(book, since, entry);
		return true;
	}
	if (step <= book->budgets) {
		entry->kind = EQT_ENTRY_BUDGET;
		entry->state = book->budget[step - 1].is;
		return true;
	}
	for (step -= book->budgets + 1; step < book->jobs; step++, (*at)++) {
		const struct eqt_book_job *job = &book->job[step];

		if (!job->tasks && job->until < since)
			continue;
		entry->kind = EQT_ENTRY_JOB;
		entry->job = job->id;
		entry->tasks = job->tasks;
		entry->until = job->until;
		entry->parts = job->parts;
		memcpy(entry->part, job->part, sizeof(entry->part));
		return true;
	}
	return false;
}
