/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coordinators: which users may see budgets of others: Slurm's operators, and
 * coordinators of an account that has a budget. Slurm keeps these rights in a list of
 * all users. A request comes under slurmctld's locks, where a walk over that list would
 * be too long, so the budget thread keeps this extract of it.
 */
#ifndef EQT_BUDGET_COORDINATORS_H
#define EQT_BUDGET_COORDINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "budget/book.h"

/* One right of a user. */
struct eqt_coordinator {
	uint32_t uid;
	/* place of the account in names, from 1 on; 0: an operator */
	uint32_t account;
};

/* Start with {0}. */
struct eqt_coordinators {
	struct eqt_coordinator *of; /* by user and account */
	size_t count;
	char **name; /* accounts of budgets, in order */
	size_t names;
	uint64_t budgets; /* the book had so many */
	/* time of the reading, by a clock that nobody sets; 0: never read */
	time_t when;
	uint64_t took_ms; /* to read it */
};

/*
 * Must the list be read again? It must after a minute, when there is a new budget, and,
 * if somebody has asked for budgets, after a second or after a hundred times the time
 * that reading it takes.
 */
bool eqt_coordinators_is_due(const struct eqt_coordinators *known,
			     uint64_t budgets, bool asked);

/* Copy the names of accounts that have a budget into an empty struct. The book must not
 * change meanwhile. Returns 0, or -1 if memory is short. */
int eqt_coordinators_name(struct eqt_coordinators *next,
			  const struct eqt_book *book);

/* Read the rights of all users with regard to these accounts. Takes assoc_mgr's lock of
 * users for reading; no other lock may be held. Returns 0, or -1 if memory is short. */
int eqt_coordinators_read(struct eqt_coordinators *next);

/* Is the user one of Slurm's operators? */
bool eqt_coordinators_operates(const struct eqt_coordinators *known,
			       uint32_t uid);

/* Does the user coordinate the account? */
bool eqt_coordinators_has(const struct eqt_coordinators *known, uint32_t uid,
			  const char *account);

/* Free the members of *known, and make it empty. */
void eqt_coordinators_free(struct eqt_coordinators *known);

#endif
