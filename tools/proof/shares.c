/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the sums of the record with those of sshare, from users upwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/alloc.h"
#include "cli/print.h"
#include "proof/proof_impl.h"
#include "slurm/text/tres_list.h"

#define MINUTE_S 60
#define CAUSES 3 /* number of runs that are named for one difference */

/* The sums, and the units to which sshare cuts each of them. */
static const struct {
	const char *name;
	double cut;
} sums[EQT_PROOF_SUMS] = {
	[EQT_PROOF_RAW] = { "RawUsage", 1 },
	/* in whole minutes */
	[EQT_PROOF_BILLING] = { "usage of billing", MINUTE_S + 1 },
};

/* A row of sshare. The row of a user includes the user's associations for partitions. */
struct proof_row {
	struct eqt_proof_range sum[EQT_PROOF_SUMS];
	double value[EQT_PROOF_SUMS];
	bool differs; /* this row differs, or a row below it */
};

/* Name the runs whose usage is as large as the difference. */
static void difference_causes(struct eqt_proof *proof,
			      const struct eqt_proof_pair *pair, int sum,
			      double difference, char *text, size_t size)
{
	struct eqt_proof_job **job = (void *) proof->jobs.list;
	size_t i, found = 0;

	for (i = 0; i < proof->jobs.count && found < CAUSES; i++) {
		if (job[i]->pair != pair ||
		    fabs(fabs(difference) - job[i]->counted[sum]) >
			    sums[sum].cut + 0.01 * fabs(difference) ||
		    strlen(text) >= size - 32)
			continue;
		eqt_print_append(text, size, "%s%s",
				 found++ ? " or " : ": as much as job ",
				 job[i]->name);
	}
}

/* Compare one sum of a row. Returns true if it differs. pair is NULL for an account. */
static bool proof_row_compare(struct eqt_proof *proof,
			      const struct proof_row *row, int sum,
			      const char *name,
			      const struct eqt_proof_pair *pair)
{
	const double unit = sum == EQT_PROOF_RAW ? proof->unit : 1;
	const double least = row->sum[sum].least * unit;
	const double most = row->sum[sum].most * unit;
	const double value = row->value[sum], cut = sums[sum].cut;
	char text[1024];
	double by;

	if (value + cut + EQT_PROOF_ROUNDING * value >= least &&
	    value <= most + 1 + EQT_PROOF_ROUNDING * most)
		return false;
	by = value < least ? value - least : value - most;
	(void) snprintf(text, sizeof(text),
			"%s: %s %.0f, by the record %.0f to %.0f", name,
			sums[sum].name, value, least, most);
	if (pair)
		difference_causes(proof, pair, sum, by / unit, text,
				  sizeof(text));
	eqt_proof_report(proof, "%s", text);
	return true;
}

/* Compare all sums of a row. Billing is compared if limits are enforced and sshare was
 * asked for billing. */
static void proof_row_check(struct eqt_proof *proof, struct proof_row *row,
			    const struct eqt_sshare_assoc *assoc,
			    const struct eqt_proof_pair *pair)
{
	char name[2 * EQT_CHARGE_NAME + 32];

	if (assoc->user)
		(void) snprintf(name, sizeof(name), "account %s user %s",
				assoc->account, assoc->user);
	else
		(void) snprintf(name, sizeof(name), "account %s",
				assoc->account);
	row->differs = proof_row_compare(proof, row, EQT_PROOF_RAW, name, pair);
	if (proof->limits && assoc->tres[0])
		row->differs |= proof_row_compare(proof, row, EQT_PROOF_BILLING,
						  name, pair);
}

/* Add the usage of an association according to sshare. */
static void proof_row_values(struct proof_row *row,
			     const struct eqt_sshare_assoc *assoc)
{
	row->value[EQT_PROOF_RAW] += (double) assoc->usage;
	row->value[EQT_PROOF_BILLING] +=
		MINUTE_S *
		(double) eqt_tres_list_amount(assoc->tres, "billing");
}

/* The row of a user. An association for a partition counts together with the user's other
 * associations. */
static void proof_row_user(struct eqt_proof *proof, struct proof_row *row,
			   const struct eqt_sshare *shares, uint32_t i)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_proof_pair *pair =
		eqt_proof_pair(proof, assoc->account, assoc->user);

	if (pair->seen)
		return;
	pair->seen = true;
	proof->associations++;
	for (uint32_t k = i; k < shares->count; k++) {
		const struct eqt_sshare_assoc *other = &shares->assocs[k];

		if (other->user && strcmp(other->user, assoc->user) == 0 &&
		    strcmp(other->account, assoc->account) == 0)
			proof_row_values(row, other);
	}
	memcpy(row->sum, pair->sum, sizeof(row->sum));
	proof_row_check(proof, row, assoc, pair);
}

/* Add a row to the row of the account above it. */
static void proof_row_add(struct proof_row *above, const struct proof_row *row)
{
	for (int i = 0; i < EQT_PROOF_SUMS; i++) {
		above->sum[i].least += row->sum[i].least;
		above->sum[i].most += row->sum[i].most;
	}
	above->differs |= row->differs;
}

/* Add the usage of removed users to their account. Returns false if an account was
 * removed as well. Its usage is then in an account above, and only the root can be
 * compared. */
static bool proof_rows_gone(struct eqt_proof *proof, struct proof_row *rows,
			    const struct eqt_sshare *shares)
{
	struct eqt_proof_pair **pair = (void *) proof->pairs.list;
	bool known = true;

	for (size_t i = 0; i < proof->pairs.count; i++) {
		const size_t length = strcspn(pair[i]->name, " ");
		struct proof_row gone = { .differs = false };
		uint32_t at;

		if (pair[i]->seen)
			continue;
		at = eqt_sshare_find(shares, pair[i]->name, length, 0);
		while (at != EQT_TREE_NONE && shares->assocs[at].user)
			at = eqt_sshare_find(shares, pair[i]->name, length,
					     at + 1);
		known &= at != EQT_TREE_NONE;
		memcpy(gone.sum, pair[i]->sum, sizeof(gone.sum));
		proof_row_add(&rows[at == EQT_TREE_NONE ? 0 : at], &gone);
	}
	return known;
}

/* The row of an account comes before the rows below it. An account is compared only if
 * nothing below it differs. */
void eqt_proof_shares(struct eqt_proof *proof, const struct eqt_sshare *shares)
{
	struct proof_row *rows = eqt_alloc(shares->count, sizeof(*rows));
	bool known;

	for (uint32_t i = 0; i < shares->count; i++) {
		if (shares->assocs[i].user)
			proof_row_user(proof, &rows[i], shares, i);
	}
	known = proof_rows_gone(proof, rows, shares);
	for (uint32_t i = shares->count; i-- > 0;) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

		if (!assoc->user && !rows[i].differs && (known || i == 0)) {
			proof_row_values(&rows[i], assoc);
			proof_row_check(proof, &rows[i], assoc, NULL);
		}
		if (assoc->parent != EQT_TREE_NONE)
			proof_row_add(&rows[assoc->parent], &rows[i]);
	}
	free(rows);
}
