/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage_recovery: recover usage when slurmctld starts.
 *
 * All files are read before anything is changed. A file that exists and cannot
 * be read stops the start, because a slurmctld that reports the reason is
 * better than one whose usage is 0. Unusable files are renamed, not removed.
 */
#ifndef EQT_USAGE_RECOVERY_H
#define EQT_USAGE_RECOVERY_H

#include <time.h>

#include "base/error.h"
#include "configuration.h"
#include "usage/snapshot/ledger.h"

/* The result of a recovery. */
struct eqt_recovery {
	time_t last_ran; /* 0 if there was no pass. */
	time_t last_reset;
	/* The journal has all charged ends of jobs after last_ran, so any other
	   end was not charged. */
	bool journal_is_whole;
};

/*
 * Recover the usage from our snapshot and journal. If priority/multifactor has
 * run since (its time is later), or with stock_recovery, keep the usage that
 * slurmctld itself has restored.
 *
 * The function logs at level info which file was used, and an error for each
 * missing or damaged file. Returns 0, or -1 with err filled and all files
 * unchanged. It takes assoc_mgr's assoc and QOS locks for writing and its TRES
 * lock for reading, and no lock of slurmctld. init() calls it.
 */
int eqt_usage_recovery_run(struct eqt_ledger *ledger,
			   const struct eqt_config *config,
			   struct eqt_recovery *recovery,
			   struct eqt_error *err);

#endif
