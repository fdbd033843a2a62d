/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranks: the associations as a share tree, ranked on a copy.
 */
#ifndef EQT_SHARE_TREE_H
#define EQT_SHARE_TREE_H

#include "prio/job_order.h"
#include "configuration.h"

/*
 * Copy the associations, count what the jobs hold (allocated_now, rank_by),
 * rank them, write Level FS, Fair Share factor, effective and normalised usage
 * back, and give the waiting jobs their places (order = jobs). Takes
 * assoc_mgr's assoc lock twice, for reading to copy and for writing to write
 * back; ranks without a lock. Where nothing but a decay of all usage has changed
 * since the last time, its ranks stay (not with stock_ties). Returns how many
 * users were ranked, -1 when that failed (logged). Called by the pass thread only.
 */
int eqt_share_tree_update(const struct eqt_config *config,
			  struct eqt_ordered_job *jobs, size_t count);

/* Free the copy (at fini, when the thread is gone). */
void eqt_share_tree_clear(void);

#endif
