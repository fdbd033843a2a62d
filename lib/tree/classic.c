/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formulas are those of slurm.schedmd.com/classic_fair_share.html and, for
 * DEPTH_OBLIVIOUS, of slurm.conf(5).
 */
#include <math.h>

#include "tree/classic.h"

/* Slurm's constant for how strongly the ratio of a parent that is far from its share
 * outweighs the ratio of a child. */
#define OBLIVIOUS_WEIGHT 5.0L

long double eqt_classic_usage(long double usage_norm, long double parent_efctv,
			      uint32_t shares, uint32_t level_shares)
{
	if (!level_shares)
		return parent_efctv;
	return usage_norm + (parent_efctv - usage_norm) *
				    (shares / (long double) level_shares);
}

long double eqt_classic_oblivious(const struct eqt_oblivious *node)
{
	long double parent_ratio, level_ratio, own_ratio, damping = 1;

	if (!(node->shares_norm > 0) || !(node->parent_shares_norm > 0) ||
	    !(node->parent_efctv > 0) || !(node->usage_norm > 0))
		return node->usage_norm;
	parent_ratio = node->parent_efctv / node->parent_shares_norm;
	level_ratio = node->siblings_norm / node->parent_shares_norm;
	own_ratio = (node->usage_norm / node->shares_norm) / level_ratio;
	/* Damp only if one of parent and child is above its share and the other is
	 * below. */
	if (logl(parent_ratio) * logl(own_ratio) < 0)
		damping = 1 /
			  (1 + powl(OBLIVIOUS_WEIGHT * logl(parent_ratio), 2));
	return parent_ratio *
	       (long double) pow((double) own_ratio, (double) damping) *
	       node->shares_norm;
}

double eqt_classic_factor(long double efctv, long double shares_norm,
			  uint16_t dampening)
{
	if (!(shares_norm > 0))
		return 0;
	return pow(2.0, (double) -(efctv / shares_norm /
				   (dampening ? dampening : 1)));
}
