/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The internal structs of a book, for the files of lib/budget only. */
#ifndef EQT_BOOK_IMPL_H
#define EQT_BOOK_IMPL_H

#include "budget/book.h"

#define BOOK_MARKS 16
/* The number of requests at the beginning of a file. */
#define BOOK_REQUESTS EQT_ENTRY_PARTS

/* A budget, and a link to the next budget of its owner in the order of their ends. */
struct book_budget {
	struct eqt_budget is;
	uint64_t sibling; /* id of the next budget; 0 for the last one */
	uint64_t peer; /* index + 1 of its first peer; 0 if it has none */
};

struct book_peer {
	struct eqt_budget_peer is;
	/* Index + 1 of the next peer of the budget; 0 for the last one. */
	uint64_t next;
};

struct eqt_book {
	/* Array of all budgets; the index is the id - 1. */
	struct book_budget *budget;
	uint64_t budgets;

	/* Hash table with the id of the first budget of each owner. 0 is a free
	 * slot. */
	uint64_t *owner;
	/* A power of two, of which at most half is used. */
	uint64_t owner_space;
	uint64_t owners;
	/* Bit set of the hashes of accounts whose users have budgets. */
	uint64_t with_users[BOOK_MARKS];

	struct eqt_book_job *job;
	uint64_t jobs; /* the number of members of the array job */
	/* Hash table with index + 1 into job; 0 is a free slot. */
	uint64_t *place;
	uint64_t place_space;

	struct book_peer *peer;
	uint64_t peers;

	/* All requests that were carried out, in their order. */
	uint64_t *request;
	uint64_t requests;

	uint64_t seq;
	bool begun; /* whether any entry was applied */
};

/* Return a sum of amounts. It is UINT64_MAX on overflow. */
static inline uint64_t book_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Write the error about an entry. Returns -1. */
int book_refuse(struct eqt_error *err, const struct eqt_entry *entry,
		const char *why);

/* Apply the entries of transfers between clusters (book_transfers.c), as
 * eqt_book_apply(). */
typedef int book_entry_apply(struct eqt_book *book,
			     const struct eqt_entry *entry,
			     struct eqt_error *err);
book_entry_apply book_apply_peer, book_apply_send, book_apply_receive,
	book_apply_arrived;

/* Return the first budget of an owner, or NULL if there is none. An owner is an account
 * and a user as in struct eqt_budget_terms. book_sibling() returns the owner's next
 * budget. */
struct book_budget *book_owner_first(const struct eqt_book *book,
				     const char *account, const char *user);
struct book_budget *book_sibling(const struct eqt_book *book,
				 const struct book_budget *budget);

/* Return the budget with an id for a change, or NULL. */
struct book_budget *book_find(const struct eqt_book *book, uint64_t id);

/* Return the job with an id for a change, or NULL. */
struct eqt_book_job *book_job_find(const struct eqt_book *book, uint64_t id);

/* Return the job with an id. If there is no such job, add it. Return NULL if there is
 * no memory. The call may move all jobs in memory. */
struct eqt_book_job *book_job_get(struct eqt_book *book, uint64_t id);

/* Add a budget, which also links it to its siblings, or a request. Return 0, or -1 if
 * there is no memory. */
int book_budget_add(struct eqt_book *book, const struct eqt_budget *budget);
int book_request_add(struct eqt_book *book, uint64_t request);

/* Do two budgets have the same owner? */
bool book_same_owner(const struct book_budget *a, const struct book_budget *b);

/* Is the part at an index the first part of its level? */
bool book_part_begins_level(const struct eqt_book *book,
			    const struct eqt_entry_part *part, uint64_t at);

#endif
