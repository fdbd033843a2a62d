/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classic fair share that Slurm used before Fair Tree (PriorityFlags=
 * NO_FAIR_TREE): NormShares and EffectvUsage from the top of the tree down,
 * FairShare from EffectvUsage.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tree/classic.h"
#include "tree/verify.h"

/* The recomputed values of one association. */
struct classic {
	long double norm; /* NormShares */
	long double used; /* NormUsage */
	long double effective,
		error; /* EffectvUsage, and how far off it may be */
	long double level_used; /* NormUsage of its children */
	uint64_t level_shares; /* shares of its children */
};

/* One second as a part of all usage: sshare cuts off less than that from each
 * RawUsage. */
static long double unit_of(const struct eqt_sshare *shares)
{
	uint64_t all = shares->assocs[0].usage;

	return all ? 1.0L / (long double) all : 1;
}

/*
 * First NormUsage, and the sums over siblings that classic_fill() divides by.
 */
static void classic_begin(struct classic *nodes,
			  const struct eqt_sshare *shares)
{
	long double unit = unit_of(shares);

	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		uint32_t above = eqt_sshare_above(shares, i);

		nodes[i].used = fminl(1, (long double) assoc->usage * unit);
		if (i == 0 || assoc->parent_shares)
			continue;
		nodes[above].level_shares += assoc->shares;
		nodes[above].level_used += nodes[i].used;
	}
}

/* EffectvUsage of a node that is not directly below the root. */
static void classic_effective(struct classic *node, const struct classic *above,
			      uint32_t shares, long double unit, bool oblivious)
{
	const struct eqt_oblivious asked = {
		.usage_norm = node->used,
		.shares_norm = (double) node->norm,
		.parent_efctv = above->effective,
		.parent_shares_norm = (double) above->norm,
		.siblings_norm = above->level_used,
	};

	if (!oblivious) {
		node->effective =
			eqt_classic_usage(node->used, above->effective, shares,
					  (uint32_t) above->level_shares);
		node->error = unit + above->error;
		return;
	}
	node->effective = eqt_classic_oblivious(&asked);
	node->error = unit;
	if (node->used > 0 && above->effective > 0 && above->level_used > 0)
		node->error += node->effective *
			       (unit / node->used + unit / above->level_used +
				20 * above->error / above->effective);
}

/* From the root down: parents come before their children. */
static void classic_fill(struct classic *nodes, const struct eqt_sshare *shares,
			 bool oblivious)
{
	long double unit = unit_of(shares);

	nodes[0].norm = nodes[0].effective = 1;
	for (uint32_t i = 1; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		uint32_t at = eqt_sshare_above(shares, i);
		const struct classic *above = &nodes[at];

		nodes[i].norm = above->norm;
		nodes[i].error = unit;
		if (!assoc->parent_shares)
			nodes[i].norm =
				above->level_shares
					? above->norm * assoc->shares /
						  (long double)
							  above->level_shares
					: 0;
		if (at == 0)
			nodes[i].effective = nodes[i].used;
		else if (assoc->parent_shares)
			nodes[i].effective = above->effective,
			nodes[i].error = above->error;
		else
			classic_effective(&nodes[i], above, assoc->shares, unit,
					  oblivious);
	}
}

/* The factors that fit a printed EffectvUsage. */
static bool factor_fits(double printed, double effective, long double norm,
			uint16_t dampening)
{
	double most = eqt_classic_factor(fmax(0, effective - EQT_VERIFY_DIGIT),
					 norm, dampening);
	double least = eqt_classic_factor(effective + EQT_VERIFY_DIGIT, norm,
					  dampening);

	return printed >= least - EQT_VERIFY_DIGIT &&
	       printed <= most + EQT_VERIFY_DIGIT;
}

/* FairShareDampeningFactor d, by F = 2^(-U / S / d) of the row whose F is nearest
 * to 0.4: there the rounding of F changes d least. */
static uint16_t dampening_find(const struct classic *nodes,
			       const struct eqt_sshare *shares)
{
	double best = 1, found = 1;

	for (uint32_t i = 1; i < shares->count; i++) {
		double factor = eqt_verify_cell(shares, i, "FairShare");
		double used = eqt_verify_cell(shares, i, "EffectvUsage");

		if (!(factor > 0) || !(used > 0) || !(nodes[i].norm > 0) ||
		    fabs(factor - 0.4) >= best)
			continue;
		best = fabs(factor - 0.4);
		found = round(used / (double) nodes[i].norm / -log2(factor));
	}
	return found >= 1 && found <= UINT16_MAX ? (uint16_t) found : 1;
}

/* Add what differs in a row. */
static int classic_row(struct eqt_verify *verify,
		       const struct eqt_sshare *shares, uint32_t i,
		       const struct classic *node, uint16_t dampening,
		       struct eqt_error *err)
{
	double norm = eqt_verify_cell(shares, i, "NormShares");
	double used = eqt_verify_cell(shares, i, "EffectvUsage");
	double factor = eqt_verify_cell(shares, i, "FairShare");
	bool fits = fabsl(used - node->effective) <=
		    node->error + EQT_VERIFY_DIGIT;
	char text[64];
	int rc = 0;

	if (!(fabsl(norm - node->norm) <= EQT_VERIFY_DIGIT)) {
		(void) snprintf(text, sizeof(text), "%.6Lf", node->norm);
		rc = eqt_verify_add_assoc(verify, shares, i, "NormShares", text,
					  err);
	}
	if (rc == 0 && !fits) {
		(void) snprintf(text, sizeof(text), "%.6Lf", node->effective);
		rc = eqt_verify_add_assoc(verify, shares, i, "EffectvUsage",
					  text, err);
	}
	/* Some releases print no factor for accounts. */
	if (rc == 0 && (shares->assocs[i].user || !isnan(factor)) &&
	    !factor_fits(factor, used, node->norm, dampening)) {
		(void) snprintf(text, sizeof(text), "%.6f",
				eqt_classic_factor(used, node->norm,
						   dampening));
		rc = eqt_verify_add_assoc(verify, shares, i, "FairShare", text,
					  err);
	}
	return rc;
}

/* All rows by one of the two rules. */
static int classic_rows(struct eqt_verify *verify,
			const struct eqt_sshare *shares, bool oblivious,
			struct eqt_error *err)
{
	struct classic *nodes = calloc(shares->count, sizeof(*nodes));
	uint16_t dampening;
	int rc = 0;

	if (!nodes)
		return eqt_error_set(err, "out of memory");
	classic_begin(nodes, shares);
	classic_fill(nodes, shares, oblivious);
	dampening = dampening_find(nodes, shares);
	for (uint32_t i = 1; i < shares->count && rc == 0; i++)
		rc = classic_row(verify, shares, i, &nodes[i], dampening, err);
	free(nodes);
	verify->rules = oblivious ? EQT_VERIFY_OBLIVIOUS : EQT_VERIFY_CLASSIC;
	return rc;
}

/* sshare does not print whether DEPTH_OBLIVIOUS is set: try both rules, and
 * keep the one with fewer differences. */
int eqt_verify_classic(struct eqt_verify *verify,
		       const struct eqt_sshare *shares, struct eqt_error *err)
{
	struct eqt_verify other = *verify;

	if (classic_rows(verify, shares, false, err) < 0)
		return -1;
	if (verify->count == 0)
		return 0;
	if (classic_rows(&other, shares, true, err) < 0) {
		eqt_verify_free(&other);
		return -1;
	}
	if (other.count < verify->count) {
		eqt_verify_free(verify);
		*verify = other;
	} else {
		eqt_verify_free(&other);
	}
	return 0;
}
