/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic: the classic fair-share formula that Slurm used before Fair Tree
 * (PriorityFlags=NO_FAIR_TREE and DEPTH_OBLIVIOUS), for sites that still use it.
 *
 * The formulas come from Slurm's public pages on the classic fair-share algorithm and
 * on the multifactor plugin. The order of operations gives the same bits as stock
 * Slurm. All types are plain values, and nothing is allocated.
 */
#ifndef EQT_CLASSIC_H
#define EQT_CLASSIC_H

#include <stdint.h>

/*
 * Return the effective usage of a node. It lies between the node's own normalised
 * usage, which is its usage divided by the root's, and the effective usage of its
 * parent. The node's part of the shares of its level decides how close it is to that of
 * the parent. If the level has no shares, it is the parent's.
 */
long double eqt_classic_usage(long double usage_norm, long double parent_efctv,
			      uint32_t shares, uint32_t level_shares);

/* The input of the depth-oblivious rule. A plain value. */
struct eqt_oblivious {
	long double usage_norm;
	double shares_norm;
	long double parent_efctv;
	double parent_shares_norm;
	/* The sum of usage_norm over the level, including the node but not nodes with
	 * Fairshare=parent. */
	long double siblings_norm;
};

/*
 * Return an effective usage that does not depend on the depth of the tree. It is the
 * ratio of the node to its level, damped if it would outweigh the ratio of the parent.
 * If one of the numbers is 0, it is usage_norm.
 */
long double eqt_classic_oblivious(const struct eqt_oblivious *node);

/* Return the factor 2^(-(usage / shares) / dampening), or 0 without shares. A dampening
 * of 0 counts as 1. */
double eqt_classic_factor(long double efctv, long double shares_norm,
			  uint16_t dampening);

#endif
