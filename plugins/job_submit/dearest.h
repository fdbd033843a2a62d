/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dearest: what a request costs at most in partitions in which it is not priced one
 * by one, since it has spent the steps that judging it may take.
 */
#ifndef EQT_DEAREST_H
#define EQT_DEAREST_H

#include "decision.h"
#include "partition_quote.h"

/* The partitions that are left. */
struct eqt_dearest {
	const struct eqt_partition_quote *first; /* of all, and counted */
	size_t from; /* number of the first one that is left ... */
	bool whole; /* ... of them as jobs of whole nodes, or ... */
	bool then_whole; /* ... as they are, and then all with whole nodes */
};

/*
 * Widen the quote of *out, if it has one, by the dearest price that the request
 * has in any of them: the largest nodes of the cluster, whole, and as many as it
 * could be given, by the dearest bundle and the highest factor. Caps, grants and
 * budgets are compared with that. SLURM_SUCCESS, or the error with which Slurm is to
 * refuse it and out->refusal says why. Locks as for eqt_decide().
 */
int eqt_dearest_note(struct eqt_decision *out,
		     const struct eqt_dearest *dearest);

#endif
