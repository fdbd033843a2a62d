/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic: the classic fair-share formula that Slurm used before Fair Tree
 * (PriorityFlags=NO_FAIR_TREE and DEPTH_OBLIVIOUS), for sites that still use it.
 *
 * The formulas come from Slurm's public pages on the classic fair-share algorithm
 * and on the multifactor plugin. The order of operations gives the same bits as
 * stock Slurm. Plain numbers; nothing allocates.
 */
#ifndef EQT_CLASSIC_H
#define EQT_CLASSIC_H

#include <stdint.h>

/*
 * Effective usage of a node: its own normalised usage (usage over the root's)
 * drawn towards its parent's effective one by its part of the level's shares.
 * A level without shares has its parent's.
 */
long double eqt_classic_usage(long double usage_norm, long double parent_efctv,
			      uint32_t shares, uint32_t level_shares);

/* Input of the depth-oblivious rule; a plain value. */
struct eqt_oblivious {
	long double usage_norm;
	double shares_norm;
	long double parent_efctv;
	double parent_shares_norm;
	long double siblings_norm; /* sum of usage_norm over the level, with
				      the node, without parent_shares nodes */
};

/*
 * Effective usage that does not depend on the depth of the tree: the node's ratio
 * to its level, damped where it would outweigh the parent's ratio. usage_norm
 * itself if one of the numbers is 0.
 */
long double eqt_classic_oblivious(const struct eqt_oblivious *node);

/* The factor 2^(-(usage / shares) / dampening); 0 without shares. A dampening
 * of 0 counts as 1. */
double eqt_classic_factor(long double efctv, long double shares_norm,
			  uint16_t dampening);

#endif
