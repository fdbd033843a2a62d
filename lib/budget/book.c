/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arrays of a book, and hash tables that find budgets and jobs in them: slurmctld's
 * locks are held during a search. A table has a power of two slots, of which at most
 * half are used; if a slot is taken, the next one is tried.
 */
#include <stdlib.h>
#include <string.h>

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
	free(book->request);
	free(book);
}

/* Budgets are never removed: a closed one keeps its id. */
uint64_t eqt_book_count(const struct eqt_book *book)
{
	return book->budgets;
}

uint64_t eqt_book_seq(const struct eqt_book *book)
{
	return book->seq;
}

/* Ids are places: the first budget has 1. */
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

bool eqt_book_has_request(const struct eqt_book *book, uint64_t request)
{
	/* From the newest one: a command repeats its request soon. */
	for (uint64_t i = book->requests; request && i-- > 0;) {
		if (book->request[i] == request)
			return true;
	}
	return false;
}

/* Make room for one more member; the size doubles. */
static void *book_room(void *array, uint64_t count, uint64_t *space,
		       size_t size)
{
	uint64_t wanted = *space ? *space * 2 : 16;
	void *grown;

	if (count < *space)
		return array;
	grown = realloc(array, wanted * size);
	if (grown)
		*space = wanted;
	return grown;
}

/* An entry without a request, such as a refill, has the id 0. */
int book_request_add(struct eqt_book *book, uint64_t request)
{
	uint64_t *grown;

	if (!request)
		return 0;
	grown = book_room(book->request, book->requests, &book->request_space,
			  sizeof(*grown));
	if (!grown)
		return -1;
	book->request = grown;
	book->request[book->requests++] = request;
	return 0;
}

/* ---- Owners: accounts and users that have budgets ----------------------------- */

/* With their NULs, so that "a" "bc" and "ab" "c" differ. */
static uint64_t owner_hash(const char *account, const char *user)
{
	const uint64_t hash =
		eqt_hash_bytes(EQT_HASH_START, account, strlen(account) + 1);

	return eqt_hash_bytes(hash, user, strlen(user) + 1);
}

/* The slot of an owner, or the free slot for it. */
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

/* Double the table when half of it is used, so that searches stay short. */
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

/* The table is created with the first budget. */
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

/* The budget that ends first is spent first; without an end, the older one. */
static bool budget_is_before(const struct eqt_budget *a,
			     const struct eqt_budget *b)
{
	uint64_t a_end = a->terms.end ? a->terms.end : UINT64_MAX;
	uint64_t b_end = b->terms.end ? b->terms.end : UINT64_MAX;

	return a_end < b_end || (a_end == b_end && a->id < b->id);
}

/* Note that a user of an account has a budget: a bit, which other accounts share. */
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

/* Insert a new budget into its owner's list, in the order of ends. The table has
 * the first budget of the list. */
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

/* The table grows before the array has the budget, so that a failure changes
 * nothing. */
int book_budget_add(struct eqt_book *book, const struct eqt_budget *budget)
{
	struct book_budget *grown = book_room(book->budget, book->budgets,
					      &book->budget_space,
					      sizeof(*grown));

	if (!grown)
		return -1;
	book->budget = grown;
	if (owner_grow(book) < 0)
		return -1;
	grown = &book->budget[book->budgets++];
	*grown = (struct book_budget){ .is = *budget };
	owner_chain(book, grown);
	return 0;
}

/* ---- Jobs ------------------------------------------------------------------ */

/* The slot of a job, or the free slot for it. The factor is 2^64 divided by the
 * golden ratio: it spreads consecutive ids. */
static uint64_t *job_slot(const struct eqt_book *book, uint64_t *table,
			  uint64_t space, uint64_t id)
{
	uint64_t at = (id * UINT64_C(11400714819323198485)) >> 20 & (space - 1);

	while (table[at] && book->job[table[at] - 1].id != id)
		at = (at + 1) & (space - 1);
	return &table[at];
}

/* Job 0 does not exist. */
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
	struct eqt_book_job *job = book_job_find(book, id), *grown;

	if (job)
		return job;
	grown = book_room(book->job, book->jobs, &book->job_space,
			  sizeof(*grown));
	if (!grown)
		return NULL;
	book->job = grown;
	if (book->jobs * 2 >= book->place_space && jobs_rehash(book) < 0)
		return NULL;
	job = &book->job[book->jobs];
	*job = (struct eqt_book_job){ .id = id };
	*job_slot(book, book->place, book->place_space, id) = ++book->jobs;
	return job;
}

/* The kept jobs move down in the array, so the table is built again. */
void eqt_book_forget(struct eqt_book *book, uint64_t before)
{
	uint64_t kept = 0;

	for (uint64_t i = 0; i < book->jobs; i++) {
		const struct eqt_book_job *job = &book->job[i];

		/* Without tasks it has no parts. */
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
