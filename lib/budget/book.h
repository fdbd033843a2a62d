/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * book: all budgets, and the jobs that have committed a part of them. A commitment
 * reserves an amount for a job until the charge of the job is known.
 *
 * A book is changed by eqt_book_apply() only, so that a file of entries gives the same
 * book again. The functions of book_plan.h fill such entries. The following is always
 * true:
 *	spent + committed + frozen <= amount            of each budget, and
 *	committed = the sum of the commitments of jobs  to each budget.
 * A job draws on each level that has a budget: its user in its account, its account,
 * and the accounts above. If a level has several budgets, the one that ends first comes
 * first.
 */
#ifndef EQT_BOOK_H
#define EQT_BOOK_H

#include "budget/entry.h"

struct eqt_book; /* The type is opaque and not thread-safe. */

/* A job that has a commitment or has been settled. Borrowed. */
struct eqt_book_job {
	uint64_t id;
	uint64_t tasks; /* tasks with a commitment; 0 if all are settled */
	/* time up to which the job is charged; 0: not yet charged */
	uint64_t until;
	uint64_t run; /* start of the job's run that was charged (entry.h) */
	uint64_t settled_u; /* the settled part of the cost of this run */
	uint64_t parts;
	/* The amount committed to each budget, in taken_u. */
	struct eqt_entry_part part[EQT_ENTRY_PARTS];
};

/* The accounts and users that pay for a job, from its user upwards. Borrowed. */
#define EQT_BOOK_LEVELS 24
struct eqt_book_path {
	struct {
		const char *account;
		const char *user; /* the user, or "" for the account itself */
	} level[EQT_BOOK_LEVELS];
	size_t levels;
};

/* Create an empty book, or NULL if there is no memory. Free a book, or NULL. */
struct eqt_book *eqt_book_new(void);
void eqt_book_free(struct eqt_book *book);

/* Apply an entry to a book. Return 0, or -1 with err filled and the book unchanged. */
int eqt_book_apply(struct eqt_book *book, const struct eqt_entry *entry,
		   struct eqt_error *err);

/* Return the number of budgets, or the budget with an id (from 1 on) or NULL. */
uint64_t eqt_book_count(const struct eqt_book *book);
const struct eqt_budget *eqt_book_budget(const struct eqt_book *book,
					 uint64_t id);

/* Return a copy of a budget without the commitment of a job (0: of no job). The budget
 * must exist. */
struct eqt_budget eqt_book_budget_without(const struct eqt_book *book,
					  uint64_t id, uint64_t job);

/* Do two budgets belong to one account and user? False if one of the ids does not
 * exist. */
bool eqt_book_same_owner(const struct eqt_book *book, uint64_t a, uint64_t b);

/* Return this cluster's part of a joint grant, or NULL if it has no part. */
const struct eqt_budget *eqt_book_transfers_joint(const struct eqt_book *book,
						  uint64_t joint);

/* The transfers of a budget to and from its n-th other cluster, from 0 on; NULL after
 * the last. Valid until the next apply. */
const struct eqt_budget_peer *eqt_book_transfers_peer(
	const struct eqt_book *book, uint64_t budget, size_t n);

/*
 * Has the change of an entry been made before? Return 1 if it has: this cluster already
 * has its part of the joint grant, or took the same step of a transfer with the same
 * number and amount. Return 0 if it has not. Return -1 with err filled if the step is
 * refused.
 */
int eqt_book_transfers_done(const struct eqt_book *book,
			    const struct eqt_entry *entry,
			    struct eqt_error *err);

/* Return the open budget that follows the limit of an account, or NULL. */
const struct eqt_budget *eqt_book_limit(const struct eqt_book *book,
					const char *account);

/* Can users of an account have budgets of their own? False means certainly not. */
bool eqt_book_may_have_users(const struct eqt_book *book, const char *account);

/* Return the number of the last entry, or whether a request was carried out. */
uint64_t eqt_book_seq(const struct eqt_book *book);
bool eqt_book_has_request(const struct eqt_book *book, uint64_t request);

/* Return the job with this id or NULL, valid until the next eqt_book_apply(). */
const struct eqt_book_job *eqt_book_job(const struct eqt_book *book,
					uint64_t id);

/* Return the jobs one by one, in no particular order. *at must be 0 for the first call.
 * Return NULL after the last job. */
const struct eqt_book_job *eqt_book_job_next(const struct eqt_book *book,
					     size_t *at);

/* Remove jobs that were settled before a time. They are kept until then, because after
 * a kill slurmctld may report the end of a job again. */
void eqt_book_forget(struct eqt_book *book, uint64_t before);

/* Return the time of the next start, end or refill, or 0 if there is none. */
uint64_t eqt_book_next_change(const struct eqt_book *book, uint64_t after);

/* Freeze an amount until its entry is on disk. An amount of 0 ends the freeze. Return
 * 0, or -1 if the amount is not left. */
int eqt_book_freeze(struct eqt_book *book, uint64_t budget, uint64_t amount_u);

/* Return the amount that is left in all budgets of the owner of a budget. */
uint64_t eqt_book_owner_left(const struct eqt_book *book, uint64_t budget);

/* Check all sums of a book. Return 0, or -1 with err filled. */
int eqt_book_audit(const struct eqt_book *book, struct eqt_error *err);

/* Return the entries with which a file of this book begins. *at must be 0 for the first
 * call. Return false after the last entry. */
bool eqt_book_state(const struct eqt_book *book, size_t *at,
		    struct eqt_entry *entry);

#endif
