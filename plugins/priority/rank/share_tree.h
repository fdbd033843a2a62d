/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_tree: the associations as a share tree, ranked on a copy. Only the pass thread
 * uses it.
 */
#ifndef EQT_SHARE_TREE_H
#define EQT_SHARE_TREE_H

#include "configuration.h"
#include "rank/job_copies.h"
#include "tree/tree.h"
#include "usage/amounts/usage.h"
#include "walk/walk.h"

struct eqt_share_tree_id; /* share_tree.c only */

/* Empty if everything but walk and usage is 0; eqt_share_tree_clear() frees the rest. */
struct eqt_share_tree {
	struct eqt_walk *walk;
	struct eqt_usage *usage;

	/* The copy, in the order of assoc_mgr's list. */
	struct eqt_tree *tree;
	struct eqt_share_tree_id *ids; /* sorted by id */
	uint32_t count;
	uint32_t root; /* position of the root */
	bool norms; /* the tree has S as Slurm stores it */
	uint32_t orphans; /* associations that have no parent */
	struct eqt_assoc_state state; /* of the associations copied */
	uint32_t serial; /* of the configuration for which the ranks in
			    assoc_mgr's records were made; 0: none */
};

/*
 * Copy the associations, count running jobs (allocated_now, rank_by), rank users, write
 * back Level FS, Fair Share factor, effective and normalised usage, and give waiting
 * jobs their places (order = jobs). If nothing but the decay of all usage has changed since
 * the last time, the ranks stay (not with stock_ties). Returns the number of ranked users, or
 * -1 on failure (logged), or if members change all the time: the next pass ranks then.
 *
 * Takes assoc_mgr's assoc lock for reading to copy, and once more if members or shares have
 * changed. Ranks without a lock. Takes the lock for writing to write back, in slices: between
 * two of them others see ranks of this pass and of the previous one.
 */
int eqt_share_tree_update(struct eqt_share_tree *tree,
			  const struct eqt_config *config,
			  struct eqt_job_copies *jobs);

/* Free the copy (at fini, when the thread is gone). */
void eqt_share_tree_clear(struct eqt_share_tree *tree);

#endif
