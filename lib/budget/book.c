/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arrays of a book, and hash tables for finding budgets and jobs in them, because
 * slurmctld holds its locks during a search. The size of a table is a power of two, and
 * at most half of its slots are used. If a slot is taken, the next one is tried.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "budget/book.h"
#include "base/hash.h"
#include "budget/book_impl.h"

struct eqt_book *eqt_book_new(void)
{
	return calloc(1, sizeof(struct eqt_book));
}

void eqt_book_free(struct eqt_book *book)
{
	if (!book)
		return;
	free(book->budget);
	free(book->owner);
	free(book->job);
	free(book->place);
	free(book->peer);
	free(book->request);
	free(book);
}

/* Budgets are never removed: a closed budget keeps its id. */
uint64_t eqt_book_count(const struct eqt_book *book)
{
	return book->budgets;
}

uint64_t eqt_book_seq(const struct eqt_book *book)
{
	return book->seq;
}

/* The id of a budget is its index + 1. */
struct book_budget *book_find(const struct eqt_book *book, uint64_t id)
{
	return id >= 1 && id <= book->budgets ? &book->budget[id - 1] : NULL;
}

const struct eqt_budget *eqt_book_budget(const struct eqt_book *book,
					 uint64_t id)
{
	const struct book_budget *budget = book_find(book, id);

	return budget ? &budget->is : NULL;
}

struct eqt_budget eqt_book_budget_without(const struct eqt_book *book,
					  uint64_t id, uint64_t job)
{
	const struct eqt_book_job *known = job ? eqt_book_job(book, job) : NULL;
	struct eqt_budget budget = *eqt_book_budget(book, id);

	for (uint64_t i = 0; known && i < known->parts; i++) {
		if (known->part[i].budget == id)
			budget.committed_u -= known->part[i].taken_u;
	}
	return budget;
}

int book_refuse(struct eqt_error *err, const struct eqt_entry *entry,
		const char *why)
{
	return eqt_error_set(err, "entry %" PRIu64 " (%s): %s", entry->seq,
			     eqt_entry_word(entry->kind), why);
}

bool eqt_book_has_request(const struct eqt_book *book, uint64_t request)
{
	/* The search begins with the newest request, because a command repeats its
	 * request soon. */
	for (uint64_t i = book->requests; request && i-- > 0;) {
		if (book->request[i] == request)
			return true;
	}
	return false;
}

/* An entry without a request, such as a refill, has the id 0. */
int book_request_add(struct eqt_book *book, uint64_t request)
{
	if (!request)
		return 0;
	if (EQT_ARRAY_ROOM(book->request, book->requests) < 0)
		return -1;
	book->request[book->requests++] = request;
	return 0;
}

/* ---- Owners: accounts and users that have budgets ----------------------------- */

/* The NULs are included in the hash, so that "a" "bc" and "ab" "c" differ. */
static uint64_t owner_hash(const char *account, const char *user)
{
	const uint64_t hash =
		eqt_hash_bytes(EQT_HASH_START, account, strlen(account) + 1);

	return eqt_hash_bytes(hash, user, strlen(user) + 1);
}

/* Return the slot of an owner, or the free slot where the owner would be stored. */
static uint64_t *owner_slot(const struct eqt_book *book, uint64_t *table,
			    uint64_t space, const char *account,
			    const char *user)
{
	uint64_t at = owner_hash(account, user) & (space - 1);

	for (;; at = (at + 1) & (space - 1)) {
		const struct eqt_budget_terms *terms;

		if (!table[at])
			return &table[at];
		terms = &book_find(book, table[at])->is.terms;
		if (strcmp(terms->account, account) == 0 &&
		    strcmp(terms->user, user) == 0)
			return &table[at];
	}
}

/* Double the table when half of its slots are used, so that searches remain short. */
static int owner_grow(struct eqt_book *book)
{
	uint64_t space = book->owner_space ? book->owner_space * 2 : 32;
	uint64_t *table;

	if (book->owners * 2 < book->owner_space)
		return 0;
	table = calloc(space, sizeof(*table));
	if (!table)
		return -1;
	for (uint64_t i = 0; i < book->owner_space; i++) {
		const struct eqt_budget_terms *terms;

		if (!book->owner[i])
			continue;
		terms = &book_find(book, book->owner[i])->is.terms;
		*owner_slot(book, table, space, terms->account, terms->user) =
			book->owner[i];
	}
	free(book->owner);
	book->owner = table;
	book->owner_space = space;
	return 0;
}

/* The table does not exist before the first budget. */
struct book_budget *book_owner_first(const struct eqt_book *book,
				     const char *account, const char *user)
{
	if (!book->owner_space)
		return NULL;
	return book_find(book, *owner_slot(book, book->owner, book->owner_space,
					   account, user));
}

struct book_budget *book_sibling(const struct eqt_book *book,
				 const struct book_budget *budget)
{
	return book_find(book, budget->sibling);
}

/* A job draws on one level for each owner, whatever budgets the owner has. */
bool book_same_owner(const struct book_budget *a, const struct book_budget *b)
{
	return strcmp(a->is.terms.account, b->is.terms.account) == 0 &&
	       strcmp(a->is.terms.user, b->is.terms.user) == 0;
}

bool eqt_book_same_owner(const struct eqt_book *book, uint64_t a, uint64_t b)
{
	const struct book_budget *one = book_find(book, a);
	const struct book_budget *other = book_find(book, b);

	return one && other && book_same_owner(one, other);
}

const struct eqt_budget *eqt_book_limit(const struct eqt_book *book,
					const char *account)
{
	const struct book_budget *budget = book_owner_first(book, account, "");
	const struct eqt_budget *found = NULL;

	/* The last one is the newest, because budgets without an end are in the order
	 * of their ids. */
	for (; budget; budget = book_sibling(book, budget)) {
		if (!budget->is.closed &&
		    budget->is.terms.every == EQT_BUDGET_LIMIT)
			found = &budget->is;
	}
	return found;
}

/* Does budget a come before budget b? The budget that ends first is spent first. Of
 * budgets without an end, the older one comes first. */
static bool budget_is_before(const struct eqt_budget *a,
			     const struct eqt_budget *b)
{
	uint64_t a_end = a->terms.end ? a->terms.end : UINT64_MAX;
	uint64_t b_end = b->terms.end ? b->terms.end : UINT64_MAX;

	return a_end < b_end || (a_end == b_end && a->id < b->id);
}

/* Note that a user of an account has a budget, by setting a bit that other accounts may
 * share. */
static void users_mark(struct eqt_book *book, const char *account)
{
	const uint64_t hash = owner_hash(account, "");

	book->with_users[hash / 64 % BOOK_MARKS] |= UINT64_C(1) << hash % 64;
}

bool eqt_book_may_have_users(const struct eqt_book *book, const char *account)
{
	const uint64_t hash = owner_hash(account, "");

	return book->with_users[hash / 64 % BOOK_MARKS] >> hash % 64 & 1;
}

/* Insert a new budget into its owner's list, in the order of ends. The table has the
 * first budget of the list. */
static void owner_chain(struct eqt_book *book, struct book_budget *added)
{
	const struct eqt_budget_terms *terms = &added->is.terms;
	uint64_t *link = owner_slot(book, book->owner, book->owner_space,
				    terms->account, terms->user);

	if (!*link)
		book->owners++;
	while (*link &&
	       budget_is_before(&book_find(book, *link)->is, &added->is))
		link = &book_find(book, *link)->sibling;
	added->sibling = *link;
	*link = added->is.id;
	if (terms->user[0])
		users_mark(book, terms->account);
}

/* The table grows before the budget is added to the array, so that a failure changes
 * nothing. */
int book_budget_add(struct eqt_book *book, const struct eqt_budget *budget)
{
	struct book_budget *added;

	if (EQT_ARRAY_ROOM(book->budget, book->budgets) < 0 ||
	    owner_grow(book) < 0)
		return -1;
	added = &book->budget[book->budgets++];
	*added = (struct book_budget){ .is = *budget };
	owner_chain(book, added);
	return 0;
}

/* ---- Jobs ------------------------------------------------------------------ */

/* Return the slot of a job, or the free slot where the job would be stored. The factor
 * is 2^64 divided by the golden ratio, which distributes consecutive ids. */
static uint64_t *job_slot(const struct eqt_book *book, uint64_t *table,
			  uint64_t space, uint64_t id)
{
	uint64_t at = (id * UINT64_C(11400714819323198485)) >> 20 & (space - 1);

	while (table[at] && book->job[table[at] - 1].id != id)
		at = (at + 1) & (space - 1);
	return &table[at];
}

/* There is no job 0. */
struct eqt_book_job *book_job_find(const struct eqt_book *book, uint64_t id)
{
	uint64_t at;

	if (!book->place_space || !id)
		return NULL;
	at = *job_slot(book, book->place, book->place_space, id);
	return at ? &book->job[at - 1] : NULL;
}

const struct eqt_book_job *eqt_book_job(const struct eqt_book *book,
					uint64_t id)
{
	return book_job_find(book, id);
}

const struct eqt_book_job *eqt_book_job_next(const struct eqt_book *book,
					     size_t *at)
{
	return *at < book->jobs ? &book->job[(*at)++] : NULL;
}

/* Build the table again with twice as many slots. */
static int jobs_rehash(struct eqt_book *book)
{
	uint64_t space = book->place_space ? book->place_space * 2 : 64;
	uint64_t *table = calloc(space, sizeof(*table));

	if (!table)
		return -1;
	for (uint64_t i = 0; i < book->jobs; i++)
		*job_slot(book, table, space, book->job[i].id) = i + 1;
	free(book->place);
	book->place = table;
	book->place_space = space;
	return 0;
}

struct eqt_book_job *book_job_get(struct eqt_book *book, uint64_t id)
{
	struct eqt_book_job *job = book_job_find(book, id);

	if (job)
		return job;
	if (EQT_ARRAY_ROOM(book->job, book->jobs) < 0 ||
	    (book->jobs * 2 >= book->place_space && jobs_rehash(book) < 0))
		return NULL;
	job = &book->job[book->jobs];
	*job = (struct eqt_book_job){ .id = id };
	*job_slot(book, book->place, book->place_space, id) = ++book->jobs;
	return job;
}

/* The remaining jobs move down in the array, so the table is built again. */
void eqt_book_forget(struct eqt_book *book, uint64_t before)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < book->jobs; i++) {
		const struct eqt_book_job *job = &book->job[i];

		/* A job without tasks has no parts. */
		if (job->tasks || job->until >= before)
			book->job[kept++] = *job;
	}
	book->jobs = kept;
	if (!book->place_space)
		return;
	memset(book->place, 0, book->place_space * sizeof(*book->place));
	for (uint64_t i = 0; i < kept; i++)
		*job_slot(book, book->place, book->place_space,
			  book->job[i].id) = i + 1;
}

/* A second call replaces the frozen amount, because only one entry is written at a
 * time. */
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

/* Add up the commitments of jobs to each budget. The index is id - 1. */
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
			return eqt_error_set(
				err,
				"budget %" PRIu64
				" has more spent and committed than granted",
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

static void state_base(const struct eqt_book *book, struct eqt_entry *entry)
{
	uint64_t first = book->requests > BOOK_REQUESTS
				 ? book->requests - BOOK_REQUESTS
				 : 0;

	entry->kind = EQT_ENTRY_BASE;
	entry->budget = book->budgets;
	entry->job = book->jobs;
	for (uint64_t i = first; i < book->requests; i++)
		entry->part[entry->parts++].budget = book->request[i];
}

/* The entries are the base, each budget, each peer and each job. The caller keeps *at
 * between calls. */
bool eqt_book_state(const struct eqt_book *book, size_t *at,
		    struct eqt_entry *entry)
{
	uint64_t step = (*at)++;
	const struct eqt_book_job *job;

	memset(entry, 0, sizeof(*entry));
	entry->seq = book->seq;
	if (step == 0) {
		state_base(book, entry);
		return true;
	}
	if (step <= book->budgets) {
		entry->kind = EQT_ENTRY_BUDGET;
		entry->state = book->budget[step - 1].is;
		return true;
	}
	step -= book->budgets + 1;
	if (step < book->peers) {
		entry->kind = EQT_ENTRY_PEER;
		entry->peer = book->peer[step].is;
		return true;
	}
	step -= book->peers;
	if (step >= book->jobs)
		return false;
	job = &book->job[step];
	entry->kind = EQT_ENTRY_JOB;
	entry->job = job->id;
	entry->tasks = job->tasks;
	entry->until = job->until;
	entry->run = job->run;
	entry->settled_u = job->settled_u;
	entry->parts = job->parts;
	memcpy(entry->part, job->part, sizeof(entry->part));
	return true;
}

uint64_t eqt_book_owner_left(const struct eqt_book *book, uint64_t budget)
{
	const struct book_budget *one = book_find(book, budget);
	uint64_t left = 0;

	if (!one)
		return 0;
	for (one = book_owner_first(book, one->is.terms.account,
				    one->is.terms.user);
	     one; one = book_sibling(book, one)) {
		if (!one->is.closed)
			left = book_sum(left, eqt_budget_left(&one->is));
	}
	return left;
}

/* Keep the earliest time that is later than `after`. */
static void time_note(uint64_t *first, uint64_t at, uint64_t after)
{
	if (at > after && (!*first || at < *first))
		*first = at;
}

/* Until the next entry, whether a waiting job fits can change only at one of these
 * times. */
uint64_t eqt_book_next_change(const struct eqt_book *book, uint64_t after)
{
	uint64_t first = 0;

	for (uint64_t id = 1; id <= book->budgets; id++) {
		const struct eqt_budget *budget = &book_find(book, id)->is;

		if (budget->closed)
			continue;
		time_note(&first, budget->terms.start, after);
		time_note(&first, budget->terms.end, after);
		time_note(&first, budget->next, after);
	}
	return first;
}
