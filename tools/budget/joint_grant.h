/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * joint_grant: grants on several clusters (docs/design/0097). Each cluster has a part, on which
 * its slurmctld decides alone. Hours move between parts by transfers, whose steps can be
 * repeated; each run takes the steps that an earlier one has not.
 */
#ifndef EQT_BUDGET_JOINT_GRANT_H
#define EQT_BUDGET_JOINT_GRANT_H

#include <stdbool.h>

#include "balance/balances.h"
#include "price/bundle_table.h"

struct eqt_joint_grant_how {
	const char *clusters; /* "a,b"; NULL: the chosen one, or one's own */
	const char *account; /* whose grants are balanced; NULL: all */
	const char *why; /* for the journals; NULL: nothing */
	const struct eqt_bundle_table
		*prices; /* names of units; NULL: units have no names */
	bool dry_run; /* only print what would be done */
};

/* Grant a budget on these clusters. The first one has all of it until it is balanced. 0,
 * or -1 with err filled; the next balance repeats missing steps. */
int eqt_joint_grant_make(const struct eqt_budget_terms *terms,
			 const struct eqt_joint_grant_how *how,
			 struct eqt_error *err);

/* Complete grants and transfers, and move hours where they are wanted, on all clusters of
 * how and all that share grants with these. Each step is printed; a cluster that does not
 * answer is reported. 0, or -1 with err filled: some steps were not taken. */
int eqt_joint_grant_balance(const struct eqt_joint_grant_how *how,
			    struct eqt_error *err);

/* The budgets of several clusters. Those with the same owner, pool, end and state are
 * added up, and have no number. frozen_u is the hours in transit between parts, which the
 * amount contains. 0, or -1 with err filled. */
int eqt_joint_grant_rows(struct eqt_balances *rows, const char *clusters,
			 struct eqt_error *err);

#endif
