/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a book, for the files of this room alone. */
#ifndef EQT_BOOK_IMPL_H
#define EQT_BOOK_IMPL_H

#include "budget/book.h"

#define BOOK_MARKS 16
#define BOOK_REQUESTS EQT_ENTRY_PARTS /* requests at the beginning of a file */

/* A budget, and the next one of its owner in the order of their ends. */
struct book_budget {
	struct eqt_budget is;
	uint64_t sibling; /* id; 0: last */
	uint64_t peer; /* index + 1 of its first peer; 0: none */
};

struct book_peer {
	struct eqt_budget_peer is;
	uint64_t next; /* index + 1 of its next peer; 0: none */
};

struct eqt_book {
	struct book_budget *budget; /* [id - 1] */
	uint64_t budgets;

	uint64_t
		*owner; /* hash table: id of an owner's first budget; 0: free */
	uint64_t owner_space; /* a power of two; at most half is used */
	uint64_t owners;
	uint64_t with_users[BOOK_MARKS]; /* bits: the hash of an account whose
					    user has a budget */

	struct eqt_book_job *job;
	uint64_t jobs; /* members of job, free ones (id 0) included */
	uint64_t *place; /* hash table: index + 1 into job; 0: free */
	uint64_t place_space;

	struct book_peer *peer;
	uint64_t peers;

	uint64_t *request; /* all that were carried out, in order */
	uint64_t requests;

	uint64_t seq;
	bool begun; /* an entry was applied */
};

/* A sum of amounts, which saturates. */
static inline uint64_t book_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Refuse an entry: -1 with err filled. */
int book_refuse(struct eqt_error *err, const struct eqt_entry *entry,
		const char *why);

/* Apply the entries of transfers between clusters (book_transfers.c), as
 * eqt_book_apply(). */
typedef int book_entry_apply(struct eqt_book *book,
			     const struct eqt_entry *entry,
			     struct eqt_error *err);
book_entry_apply book_apply_peer, book_apply_send, book_apply_receive,
	book_apply_arrived;

/* The first budget of an owner, which eqt_budget_terms names; NULL: none. The
 * next one is book_sibling(). */
struct book_budget *book_owner_first(const struct eqt_book *book,
				     const char *account, const char *user);
struct book_budget *book_sibling(const struct eqt_book *book,
				 const struct book_budget *budget);

/* The budget with an id, for a change, or NULL. */
struct book_budget *book_find(const struct eqt_book *book, uint64_t id);

/* The job with an id, for a change, or NULL. */
struct eqt_book_job *book_job_find(const struct eqt_book *book, uint64_t id);

/* The same, added if there is none. NULL: out of memory. May move all jobs. */
struct eqt_book_job *book_job_get(struct eqt_book *book, uint64_t id);

/* Add a budget, whose sibling is set here, or a request. 0, or -1: out of memory. */
int book_budget_add(struct eqt_book *book, const struct eqt_budget *budget);
int book_request_add(struct eqt_book *book, uint64_t request);

/* Do two budgets have the same owner? */
bool book_same_owner(const struct book_budget *a, const struct book_budget *b);

/* Is the part at an index the first one of its level? */
bool book_part_begins_level(const struct eqt_book *book,
			    const struct eqt_entry_part *part, uint64_t at);

#endif
