/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * book_plan: the entries that commit, settle, split and refill. The functions do not
 * change a book: they fill the entry that eqt_book_apply() takes.
 */
#ifndef EQT_BOOK_PLAN_H
#define EQT_BOOK_PLAN_H

#include "budget/book.h"

/* The amount that a job wants to commit. */
struct eqt_book_wish {
	const struct eqt_book_path *path;
	enum eqt_budget_pool pool; /* the pool of the job, cores or GPUs */
	const char *qos; /* the QOS of the job; NULL if it has none */
	uint64_t job;
	uint64_t
		instead_of; /* job of a replaced commitment; 0 if there is none */
	uint64_t tasks;
	uint64_t need_u; /* the amount for all tasks together */
	uint64_t run; /* start of a run that goes on; 0 for a job that waits */
	uint64_t settled_u; /* cost of the run before its commitment */
	uint64_t now;
};

enum eqt_book_answer {
	EQT_BOOK_FREE, /* no level has a budget for this job */
	EQT_BOOK_FITS,
	EQT_BOOK_LACKS, /* a level has too little left for the job */
	/* a level has too little left even if nothing were committed */
	EQT_BOOK_NEVER
};

/* The reason why a job does not fit into the budgets of a level. */
struct eqt_book_lack {
	/* The budget of the level that ends last, among those in force. If none
	 * is in force: among those that begin later, then among those that have
	 * ended, then among those that are closed. */
	uint64_t budget;
	uint64_t in_force; /* budgets of the level that jobs can draw on now */
	/* The sums over the budgets in force. What the job itself has committed
	 * counts as left. */
	uint64_t amount_u, spent_u, committed_u, left_u;
	/* what one job could get after all jobs, refills and starts */
	uint64_t fillable_u;
	uint64_t next; /* the next refill or start of the level; 0: none */
};

/* Check whether the amount that a job wants is left. For EQT_BOOK_FITS, *entry becomes
 * the entry of the commitment. For EQT_BOOK_LACKS and EQT_BOOK_NEVER, *lack is filled.
 * entry and lack may be NULL. */
enum eqt_book_answer eqt_book_plan_commit(const struct eqt_book *book,
					  const struct eqt_book_wish *wish,
					  struct eqt_entry *entry,
					  struct eqt_book_lack *lack);

/* Return the time of the latest grant to an owner who would pay for the job, or 0 if
 * there is none. */
uint64_t eqt_book_plan_last_grant(const struct eqt_book *book,
				  const struct eqt_book_wish *wish);

struct eqt_book_charge {
	uint64_t job;
	uint64_t tasks;
	uint64_t charge_u;
	uint64_t keep_u;
	uint64_t until;
	/* the run whose part settled_u is settled; 0 if there is none */
	uint64_t run;
	uint64_t settled_u;
	uint64_t pool; /* pool that pays what exceeds the commitment */
	/* Who pays instead of the commitment, or NULL if the commitment pays. */
	const struct eqt_book_wish *payers;
	uint64_t now;
};

/* Fill the entry that charges a job up to `until` and ends `tasks` of its tasks. If
 * tasks is 0, the job goes on, and at most keep_u of its commitment remains at each
 * level. A charge beyond the commitment is taken from what each level has left. If a
 * level has too little, the rest of the level that lacks most is the overrun of the
 * entry. Return 0, or -1 if there is no such job. */
int eqt_book_plan_settle(const struct eqt_book *book,
			 const struct eqt_book_charge *charge,
			 struct eqt_entry *entry);

/* Fill the entry that makes an array task a job. Return -1 if no task is left. */
int eqt_book_plan_split(const struct eqt_book *book, uint64_t array,
			uint64_t job, struct eqt_entry *entry);

/* Fill the entry of a refill that is due. The caller knows the calendar and sets the
 * next refill. Return false if no refill is due. */
bool eqt_book_plan_refill(const struct eqt_book *book, uint64_t now,
			  struct eqt_entry *entry);

/* Return the amount that the level of a part spends in an entry. Each level pays the
 * whole charge from the budgets of its owner. */
uint64_t eqt_book_plan_level_spent(const struct eqt_book *book,
				   const struct eqt_entry *entry,
				   uint64_t part);

#endif
