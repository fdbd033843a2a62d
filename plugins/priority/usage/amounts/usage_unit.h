/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage_unit: the unit of usage, and its conversion.
 *
 * With stock_billing, RawUsage and the usage of the TRES billing are both in
 * Slurm's billing times seconds. Otherwise RawUsage is in equivalents times
 * seconds, and the usage of the TRES billing is billing_scale times that.
 *
 * weights_scale (equitree.conf) is the number of units of Slurm's billing in
 * one equivalent. If a pass finds usage in another unit than its
 * configuration's, it converts all usage once, before it charges anything, and
 * records that in the journal and the snapshot. Charges between the reconfigure
 * and that pass are converted to the old unit.
 *
 * After a change back to Slurm's own billing, job records still have our
 * billing, even if priority/multifactor ran in between. billing_tres corrects
 * the records of jobs from before the end of the first pass with Slurm's
 * billing.
 */
#ifndef EQT_USAGE_UNIT_H
#define EQT_USAGE_UNIT_H

#include <stdbool.h>
#include <time.h>

#include "ledger/ledger.h"
#include "usage/journal/journal.h"
#include "usage/amounts/post.h"
#include "usage/amounts/usage.h"

/* The value of `since` until the first pass with Slurm's own billing has
 * ended. */
#define EQT_USAGE_UNIT_NOT_YET INT64_MAX

/* The present unit. The pass thread and init() write it while assoc_mgr's assoc
 * lock is held for writing, and any thread may read it. Initialize it to 0 and
 * set the pointers, which are borrowed. */
struct eqt_usage_unit {
	struct eqt_usage *usage;
	struct eqt_journal *journal;

	_Atomic uint64_t scale; /* As in struct eqt_ledger_unit. */
	_Atomic int64_t since;
};

/* The unit that a configuration demands. */
struct eqt_ledger_unit eqt_usage_unit_wanted(const struct eqt_config *config);

/* The unit that usage has now. */
struct eqt_ledger_unit eqt_usage_unit_get(const struct eqt_usage_unit *unit);

/* Set the unit of recovered usage. Only init() calls this. */
void eqt_usage_unit_set(struct eqt_usage_unit *unit,
			const struct eqt_ledger_unit *is);

/*
 * If usage has another unit than the configuration demands, convert the usage,
 * write that to the journal, and log it. A pass calls this at its beginning,
 * while it holds EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_usage_unit_convert(struct eqt_usage_unit *unit,
			    const struct eqt_config *config);

/* Repeat a conversion that a line of the journal records. The caller holds
 * EQT_CHARGE_ASSOC_LOCKS. */
void eqt_usage_unit_replay(struct eqt_usage_unit *unit,
			   const struct eqt_journal_record *line);

/* Record that jobs that are submitted or start from now on have the billing of
 * the configuration. The pass thread calls this after a pass has visited all
 * jobs. */
void eqt_usage_unit_settle(struct eqt_usage_unit *unit);

/* Convert a charge to the unit of usage. If that unit differs, the charge's
 * billing is no longer the job's price (priced). assoc_mgr's assoc lock is
 * held. */
void eqt_usage_unit_apply(const struct eqt_usage_unit *unit,
			  struct eqt_post *post);

/*
 * With stock_billing, can the record of a job still have our billing? `moment`
 * is the time of its start or, for a pending job, of its submission. Any thread
 * may call this function.
 */
bool eqt_usage_unit_is_older(const struct eqt_usage_unit *unit,
			     const struct eqt_config *config, time_t moment);

#endif
