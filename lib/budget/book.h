/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * book: all budgets, and the jobs that have committed a part of them.
 *
 * eqt_book_apply() is the only way to change a book, so that a file of entries
 * gives the same book again. The eqt_book_plan_ functions change nothing: they
 * fill the entry that says what is to be done. Always
 *	spent + committed + frozen <= amount     of each budget, and
 *	committed = the sum of the jobs' parts   of each budget.
 * A job draws on each level that has a budget: its user in its account, its account,
 * those above. Of several, the one that ends first comes first.
 */
#ifndef EQT_BOOK_H
#define EQT_BOOK_H

#include "budget/entry.h"

struct eqt_book; /* opaque; not thread-safe */

/* A job with a commitment, or one that was settled. Borrowed. */
struct eqt_book_job {
	uint64_t id;
	uint64_t tasks; /* 0: settled */
	uint64_t until; /* charged up to here; 0: not charged yet */
	uint64_t run; /* the run of that charge (entry.h) */
	uint64_t settled_u; /* the part of its cost that is settled */
	uint64_t parts;
	struct eqt_entry_part part[EQT_ENTRY_PARTS]; /* taken_u: committed */
};

/* The accounts and users that pay for a job, from its user upwards. The texts are
 * borrowed. */
#define EQT_BOOK_LEVELS 24
struct eqt_book_path {
	struct {
		const char *account;
		const char *user; /* "": the account */
	} level[EQT_BOOK_LEVELS];
	size_t levels;
};

/* What a job wants. */
struct eqt_book_wish {
	const struct eqt_book_path *path;
	enum eqt_budget_pool pool; /* cores or GPUs */
	const char *qos; /* NULL: none */
	uint64_t job;
	uint64_t instead_of; /* a job whose commitment this one replaces; 0:
				none */
	uint64_t tasks;
	uint64_t need_u; /* of all tasks */
	uint64_t run; /* 0; or the start of a run that goes on */
	uint64_t settled_u; /* the cost of that run before its grant */
	uint64_t now;
};

enum eqt_book_answer {
	EQT_BOOK_FREE, /* no level has a budget for it */
	EQT_BOOK_FITS,
	EQT_BOOK_LACKS, /* a level has too little left; lack->budget is one of
			   its budgets */
	EQT_BOOK_NEVER /* the level could not hold it either if nothing else
			  were committed */
};

/* Why a job does not fit. */
struct eqt_book_lack {
	/* The one of the level that ends last, of those in force. If none is: of those
	 * that begin later, then of those that have ended, then of those closed. */
	uint64_t budget;
	uint64_t in_force; /* budgets of the level that jobs can draw on now */
	/* Of these together. What the job itself has committed is left for it. */
	uint64_t amount_u, spent_u, committed_u, left_u;
	uint64_t fillable_u; /* once all jobs, refills and starts are over */
	uint64_t next; /* the next refill or start of the level; 0: none */
};

/* Memory is short: NULL. */
struct eqt_book *eqt_book_new(void);
void eqt_book_free(struct eqt_book *book);

/* Apply an entry. 0; or -1 with err filled and the book unchanged. */
int eqt_book_apply(struct eqt_book *book, const struct eqt_entry *entry,
		   struct eqt_error *err);

/* The number of budgets; their ids are 1 to that number. NULL: there is none of
 * that id. */
uint64_t eqt_book_count(const struct eqt_book *book);
const struct eqt_budget *eqt_book_budget(const struct eqt_book *book,
					 uint64_t id);

/* A copy of a budget without what a job (0: none) has committed of it. The budget exists. */
struct eqt_budget eqt_book_budget_without(const struct eqt_book *book,
					  uint64_t id, uint64_t job);

/* Do two budgets belong to one account and user? False if one of the ids does not
 * exist. */
bool eqt_book_same_owner(const struct eqt_book *book, uint64_t a, uint64_t b);

/* The part that this cluster has of a joint grant; NULL: none. */
const struct eqt_budget *eqt_book_transfers_joint(const struct eqt_book *book,
						  uint64_t joint);

/* The transfers of a budget to and from its n-th other cluster, from 0 on; NULL after
 * the last. Valid until the next apply. */
const struct eqt_budget_peer *eqt_book_transfers_peer(
	const struct eqt_book *book, uint64_t budget, size_t n);

/*
 * Was the change of an entry made before? 1: a joint grant has its part, or a step of a
 * transfer between clusters was taken with the same number and amount. 0: no. -1 with
 * err filled: the step is refused.
 */
int eqt_book_transfers_done(const struct eqt_book *book,
			    const struct eqt_entry *entry,
			    struct eqt_error *err);

/* The open budget of an account that follows its limit; NULL: there is none, or no more. */
const struct eqt_budget *eqt_book_limit(const struct eqt_book *book,
					const char *account);

/* Can users of the account have budgets of their own? False is certain. */
bool eqt_book_may_have_users(const struct eqt_book *book, const char *account);

/* The last entry's number, and whether a request was carried out. */
uint64_t eqt_book_seq(const struct eqt_book *book);
bool eqt_book_has_request(const struct eqt_book *book, uint64_t request);

/* The job of an id; NULL. Good until the next apply. */
const struct eqt_book_job *eqt_book_job(const struct eqt_book *book,
					uint64_t id);

/* Jobs one by one, in no order; *at begins with 0. NULL after the last. */
const struct eqt_book_job *eqt_book_job_next(const struct eqt_book *book,
					     size_t *at);

/* Drop jobs that were settled before a time. They are kept until then, because after a
 * kill slurmctld may not know that a job has ended, and reports its end again. */
void eqt_book_forget(struct eqt_book *book, uint64_t before);

/* Check whether a wish fits. EQT_BOOK_FITS fills the entry of the commitment (entry may
 * be NULL); EQT_BOOK_LACKS and EQT_BOOK_NEVER fill *lack (may be NULL). */
enum eqt_book_answer eqt_book_plan_commit(const struct eqt_book *book,
					  const struct eqt_book_wish *wish,
					  struct eqt_entry *entry,
					  struct eqt_book_lack *lack);

/* The time of the latest grant to those who pay for a wish; 0: none. */
uint64_t eqt_book_plan_last_grant(const struct eqt_book *book,
				  const struct eqt_book_wish *wish);

struct eqt_book_charge {
	uint64_t job;
	uint64_t tasks;
	uint64_t charge_u;
	uint64_t keep_u;
	uint64_t until;
	uint64_t run; /* whose cost is settled up to settled_u; 0: none */
	uint64_t settled_u;
	uint64_t pool; /* of the run, for what exceeds its commitment */
	/* The path, pool and QOS that pay instead of the commitment. NULL: the
	 * commitment pays. */
	const struct eqt_book_wish *payers;
	uint64_t now;
};

/*
 * The entry that ends `tasks` tasks of a job (0: it goes on, and keep_u of its
 * commitment stays at most on each level) with a charge up to `until`. A charge
 * beyond the commitment is taken from what is left at each level; the rest of the level
 * that lacks most is the entry's overrun. -1: there is no such job.
 */
int eqt_book_plan_settle(const struct eqt_book *book,
			 const struct eqt_book_charge *charge,
			 struct eqt_entry *entry);

/* The entry that makes a task of an array a job. -1: no task is left. */
int eqt_book_plan_split(const struct eqt_book *book, uint64_t array,
			uint64_t job, struct eqt_entry *entry);

/* Fill the entry of a refill that is due. The caller, who knows the calendar, sets its
 * next. False: none is due. */
bool eqt_book_plan_refill(const struct eqt_book *book, uint64_t now,
			  struct eqt_entry *entry);

/* The next start, end or refill; 0: none. */
uint64_t eqt_book_next_change(const struct eqt_book *book, uint64_t after);

/* Freeze an amount until its entry is on disk (0: unfreeze). -1: that much is not left. */
int eqt_book_freeze(struct eqt_book *book, uint64_t budget, uint64_t amount_u);

/* The amount that the level of a part spends in an entry. Each level pays the whole
 * charge from the budgets of its owner. */
uint64_t eqt_book_plan_level_spent(const struct eqt_book *book,
				   const struct eqt_entry *entry,
				   uint64_t part);

/* The amount that is left in all budgets of the owner of a budget. */
uint64_t eqt_book_owner_left(const struct eqt_book *book, uint64_t budget);

/* Check that all sums of the book hold. 0, or -1 with err filled. */
int eqt_book_audit(const struct eqt_book *book, struct eqt_error *err);

/* The entries that a file begins with; *at begins with 0. False after the last. */
bool eqt_book_state(const struct eqt_book *book, size_t *at,
		    struct eqt_entry *entry);

#endif
