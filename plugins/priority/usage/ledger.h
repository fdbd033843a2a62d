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
 * after a restart the later lines are charged again. A line is written before
 * slurmctld can save the job as ended. journal.h has the journal.
 */
#ifndef EQT_LEDGER_FILES_H
#define EQT_LEDGER_FILES_H

#include <time.h>

#include "ledger/ledger.h"
#include "configuration.h"

/* What a restart found. */
struct eqt_ledger_state {
	time_t last_ran; /* 0: never */
	time_t last_reset;
};

/*
 * Bring usage back as it was: from our snapshot and journal, or where stock
 * multifactor has run since (its time is later) from what slurmctld itself
 * restored. With stock_recovery it is always the
 * latter. Logs at info which file it was. Takes assoc_mgr's assoc and qos
 * locks for writing and TRES for reading; holds no slurmctld lock of its own.
 * Called from init.
 */
struct eqt_ledger_state eqt_ledger_recover(const struct eqt_config *config);

/*
 * Write to the journal how far those jobs of charged_until are charged that are
 * charged beyond last_ran: the snapshot, which is as of then, does not know. Of
 * the others, where a pass had no time to charge, the journal has the lines that
 * they were recovered from. Called when a pass has charged, under its locks.
 */
void eqt_ledger_keep_charged_until(time_t last_ran);

/*
 * Write a snapshot of usage as of last_ran, and stock's file; with
 * stock_recovery stock's file alone. Takes
 * assoc_mgr's assoc, qos and TRES locks for reading to copy; writes without a
 * lock. Called by the pass thread, and by fini after it has ended. That usage
 * cannot be saved is said once, not at each pass.
 */
void eqt_ledger_save(const struct eqt_config *config, time_t last_ran,
		     time_t last_reset);

/* The last_ran of the snapshot that is on the disk; 0: none is. Any thread. */
time_t eqt_ledger_saved_until(void);

/* Close the journal (at fini). */
void eqt_ledger_close(void);

#endif
