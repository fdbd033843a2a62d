/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stock_usage: assoc_usage and qos_usage, the files in which slurmctld itself
 * stores usage every five minutes and at its end. We write them at each pass,
 * from the snapshot, so that Slurm's own plugin continues from our last pass
 * even after a kill.
 *
 * slurmctld's dump_assoc_mgr_state() is not called, because it packs all
 * associations and syncs four files in one hold of assoc_mgr's locks, for which
 * every start and end of a job waits. A snapshot has the same numbers, which
 * are copied in a short hold.
 */
#ifndef EQT_STOCK_USAGE_H
#define EQT_STOCK_USAGE_H

#include "base/error.h"
#include "ledger/ledger.h"
#include "store/state_file.h"

/* Write both files under our own names. Returns 0, or -1 with err filled. No
 * lock is held. */
int eqt_stock_usage_write(const struct eqt_state_folder *folder,
			  const struct eqt_snapshot *snapshot,
			  struct eqt_error *err);

/*
 * Rename both files to Slurm's names. Call this after priority_last_decay_ran
 * has their time: with usage older than that time, Slurm's plugin would lose
 * charges, and with newer usage it would make some twice. slurmctld may replace
 * the same files at any moment by renaming, so each file is always complete.
 * Returns 0, or -1 with err filled.
 */
int eqt_stock_usage_put(const struct eqt_state_folder *folder,
			struct eqt_error *err);

#endif
