/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ledger: usage on disk, so that no second is lost or charged twice when
 * slurmctld is killed.
 *
 * StateSaveLocation holds these files:
 *   equitree_usage: the usage at a pass; .old is that of the pass before.
 *   equitree_journal: a line for each job that was charged to its end since.
 *   equitree_journal.old: the lines before those.
 *   equitree_runs: what running jobs were charged so far, for the record of
 *   charges.
 *   priority_last_decay_ran: the time of the last pass, in the file and format
 *   of Slurm's own plugin, so that a site can go back.
 *
 * A snapshot has the sequence number of the last journal line that it contains.
 * After a restart the later lines are charged again (usage_recovery.h). If
 * slurmctld saved that a job has ended but its line was not written, the first
 * pass charges the job (job_end.c). journal.h describes the journal.
 */
#ifndef EQT_LEDGER_FILES_H
#define EQT_LEDGER_FILES_H

#include <time.h>

#include "clock.h"
#include "ledger/ledger.h"
#include "configuration.h"
#include "usage/journal/charge_days.h"
#include "usage/journal/journal.h"
#include "store/state_file.h"
#include "usage/amounts/usage.h"
#include "usage/amounts/usage_unit.h"
#include "usage/runs/run_record.h"

#define EQT_SNAPSHOT "equitree_usage"
#define EQT_OPEN_RUNS "equitree_runs"

/* The places where usage is, in memory and on the disk. The pointers are
 * borrowed. Only the pass thread uses the struct, and init() and fini() while
 * that thread does not run. */
struct eqt_ledger {
	struct eqt_state_folder *folder;
	struct eqt_journal *journal;
	struct eqt_usage *usage;
	struct eqt_usage_unit *unit;
	struct eqt_charge_days *days;
	struct eqt_run_record *record;
	struct eqt_runs *runs;
	struct eqt_clock *clock;
	uint64_t boot; /* The eqt_clock_boot() of this process. */
	/* The last entry of the budgets that is on the disk. A snapshot stores
	   it, so that the next start notices if the file of budgets has fewer
	   entries. */
	_Atomic uint64_t budget_entry;
	/* The snapshot of the last pass, whose memory the next one uses. */
	struct eqt_snapshot *snapshot;
	bool complained; /* A failure to save was logged. */
};

/*
 * Write the lines of the journal that the snapshot contains, then a snapshot of
 * the usage at last_ran, and then Slurm's file. With stock_recovery only
 * Slurm's file is written.
 *
 * The function takes assoc_mgr's assoc, QOS and TRES locks for reading to copy
 * the usage, and writes without a lock. The pass thread calls it, and so does
 * fini() after that thread has ended. An error is logged once, not at each
 * pass.
 */
void eqt_ledger_save(struct eqt_ledger *ledger, const struct eqt_config *config,
		     time_t last_ran, time_t last_reset);

/* Close the journal when the plugin is unloaded. */
void eqt_ledger_close(struct eqt_ledger *ledger);

#endif
