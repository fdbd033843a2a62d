/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share_tree: the associations as a share tree, which is ranked on a copy. Only
 * the pass thread uses it.
 */
#ifndef EQT_SHARE_TREE_H
#define EQT_SHARE_TREE_H

#include "configuration.h"
#include "rank/job_copies.h"
#include "tree/tree.h"
#include "usage/amounts/usage.h"
#include "walk/job_table.h"
#include "walk/walk.h"

/* The share tree. It is empty if all members except walk and usage are 0.
 * eqt_share_tree_clear() frees it. */
struct eqt_share_tree {
	struct eqt_walk *walk;
	struct eqt_usage *usage;

	/* The copy, in the order of assoc_mgr's list. */
	struct eqt_tree *tree;
	/* Positions in this order, by the id of the association. */
	struct eqt_job_table positions;
	uint32_t count;
	uint32_t root; /* The position of the root. */
	bool norms; /* The tree has the normalised shares that Slurm stores. */
	uint32_t orphans; /* The number of associations without a parent. */
	/* The versions of the list that was copied. */
	struct eqt_assoc_state state;
	/* The serial number of the configuration by which the ranks in
	   assoc_mgr's records were made, or 0 if there are none. */
	uint32_t serial;
};

/*
 * Rank all users and write the results into assoc_mgr's records.
 *
 * The function copies the associations, counts running jobs (allocated_now,
 * rank_by), ranks the users, and writes back Level FS, the fair-share factor,
 * and effective and normalised usage. It gives waiting jobs their places (order
 * = jobs). If only the decay of all usage has changed since the last call, the
 * ranks are kept, except with stock_ties. Returns the number of ranked users,
 * or -1 if an error was logged or the members kept changing; the next pass
 * ranks then.
 *
 * The function takes assoc_mgr's assoc lock for reading to copy, and a second
 * time if members or shares have changed. It ranks without a lock, and takes
 * the lock for writing to write back, in slices. Between two slices other
 * threads see ranks of this pass and of the previous pass.
 */
int eqt_share_tree_update(struct eqt_share_tree *tree,
			  const struct eqt_config *config,
			  struct eqt_job_copies *jobs);

/* Free the copy when the plugin is unloaded and the thread has ended. */
void eqt_share_tree_clear(struct eqt_share_tree *tree);

#endif
