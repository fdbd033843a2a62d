/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger: usage on disk, so that no second is lost or charged twice when
 * slurmctld dies.
 *
 * StateSaveLocation holds
 *	equitree_usage		the usage as of a pass (and .old: before)
 *	equitree_journal	a line for each job charged to its end since
 *	equitree_journal.old	the same, of the time before
 *	priority_last_decay_ran	when the last pass ran: stock's own file in
 *				stock's own format, so that a site can go back
 *
 * A snapshot knows the sequence number of the last journal line that is in it;
 * after a restart the later lines are charged again (recovery.h). A job that
 * slurmctld saved as ended before its line was written is charged by the first pass
 * (lost_end.h). journal.h has the journal.
 */
#ifndef EQT_LEDGER_FILES_H
#define EQT_LEDGER_FILES_H

#include <time.h>

#include "ledger/ledger.h"
#include "configuration.h"
#include "usage/job_marks.h"
#include "usage/journal.h"
#include "usage/state_file.h"
#include "usage/usage.h"
#include "usage/usage_unit.h"

#define EQT_SNAPSHOT "equitree_usage"

/* The places of usage, in memory and on the disk; none is owned. The pass thread's
 * own, and init's and fini's while that does not run. */
struct eqt_ledger {
	struct eqt_state_folder *folder;
	struct eqt_journal *journal;
	struct eqt_usage *usage;
	struct eqt_usage_unit *unit;
	struct eqt_job_marks *marks;
	bool complained; /* that a snapshot did not reach the disk */
};

/*
 * Write to the journal how far those jobs are charged that are charged beyond
 * last_ran (job_marks.h): the snapshot is as of then and does not have it. The
 * others, which a pass had no time to charge, were recovered from lines that the
 * journal still has. Called when a pass has charged, under its locks.
 */
void eqt_ledger_keep_charged_until(struct eqt_ledger *ledger, time_t last_ran);

/*
 * Write a snapshot of usage as of last_ran, and stock's file; with
 * stock_recovery stock's file alone. The journal is written before, as far as the
 * snapshot has it. Takes assoc_mgr's assoc, qos and TRES locks for reading to
 * copy; writes without a lock. Called by the pass thread, and by fini after it
 * has ended. A failure is logged once, not at each pass.
 */
void eqt_ledger_save(struct eqt_ledger *ledger, const struct eqt_config *config,
		     time_t last_ran, time_t last_reset);

/* Close the journal (at fini). */
void eqt_ledger_close(struct eqt_ledger *ledger);

#endif
