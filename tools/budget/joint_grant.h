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
	/* "a,b"; NULL: the chosen cluster, or that of slurm.conf */
	const char *clusters;
	/* balance only the grants of this account; NULL: all grants */
	const char *account;
	const char *why; /* a text for the journals; NULL: none */
	const struct eqt_bundle_table
		*prices; /* names of units; NULL: units have no names */
	bool dry_run; /* only print what would be done */
};

/* Grant a budget on these clusters. The first cluster has all of it until the grant is
 * balanced. Returns 0, or -1 with err filled. After an error the next balance repeats the
 * missing steps. */
int eqt_joint_grant_make(const struct eqt_budget_terms *terms,
			 const struct eqt_joint_grant_how *how,
			 struct eqt_error *err);

/* Complete grants and transfers, and move hours to where they are needed. This covers all
 * clusters of "how" and all clusters that share grants with them. Each step is printed,
 * and a cluster that does not answer is reported. Returns 0, or -1 with err filled if
 * some steps were not taken. */
int eqt_joint_grant_balance(const struct eqt_joint_grant_how *how,
			    struct eqt_error *err);

/* The budgets of several clusters. Budgets with the same owner, pool, end and state are
 * added up, and the sum has no number. frozen_u is the hours in transit between parts,
 * which the amount includes. Returns 0, or -1 with err filled. */
int eqt_joint_grant_rows(struct eqt_balances *rows, const char *clusters,
			 struct eqt_error *err);

#endif
