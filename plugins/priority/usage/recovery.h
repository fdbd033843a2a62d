/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recovery: usage is brought back as it was when slurmctld starts.
 *
 * What is on the disk is only read until all of it is known. A file that is there
 * and cannot be read stops the start: usage that comes back as 0 is worse than a
 * slurmctld that says what it needs. What cannot be used is renamed, not removed.
 */
#ifndef EQT_RECOVERY_H
#define EQT_RECOVERY_H

#include <time.h>

#include "base/error.h"
#include "configuration.h"
#include "usage/ledger.h"

/* The result of a recovery. */
struct eqt_recovery {
	time_t last_ran; /* 0: never */
	time_t last_reset;
	/* Ends of jobs after last_ran are in the journal: one that is not was
	 * not charged. */
	bool journal_is_whole;
};

/*
 * Bring usage back: from our snapshot and journal, or where stock multifactor
 * has run since (its time is later) from what slurmctld itself restored. With
 * stock_recovery it is always the latter. Logs at info which file it was, and an
 * error for each that is missing or damaged. 0, or -1 with err filled and all
 * files as they were. Takes assoc_mgr's assoc and qos locks for writing and TRES
 * for reading; holds no slurmctld lock of its own. Called from init.
 */
int eqt_usage_recovery_run(struct eqt_ledger *ledger,
			   const struct eqt_config *config,
			   struct eqt_recovery *recovery,
			   struct eqt_error *err);

#endif
