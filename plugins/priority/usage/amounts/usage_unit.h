/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage_unit: the unit of usage, and its conversion.
 *
 * RawUsage and the usage of the billing TRES each have a unit:
 *
 *			RawUsage		usage of the billing TRES
 *	stock_billing	Slurm's billing x s	Slurm's billing x s
 *	otherwise	equivalents x s		billing_scale x equivalents x s
 *
 * weights_scale (equitree.conf) is the number of units of Slurm's billing in one
 * equivalent. If a pass finds usage in a unit other than its configuration's, it converts
 * all usage once, before it charges anything, and notes that in the journal and the
 * snapshot. Charges between the reconfigure and that pass are converted to the old unit.
 *
 * After a change back to Slurm's own billing, even if priority/multifactor ran in between,
 * job records still have our billing. billing_tres corrects the records of jobs from before
 * the end of the first pass with Slurm's billing.
 */
#ifndef EQT_USAGE_UNIT_H
#define EQT_USAGE_UNIT_H

#include <stdbool.h>
#include <time.h>

#include "ledger/ledger.h"
#include "usage/journal/journal.h"
#include "usage/amounts/post.h"
#include "usage/amounts/usage.h"

/* The value of `since` until the first pass with Slurm's own billing has ended. */
#define EQT_USAGE_UNIT_NOT_YET INT64_MAX

/* The present unit. The pass thread (or init) writes it under assoc_mgr's assoc write lock;
 * any thread reads it. Initialize to 0 and set the pointers, which are not owned. */
struct eqt_usage_unit {
	struct eqt_usage *usage;
	struct eqt_journal *journal;

	_Atomic uint64_t scale; /* as in struct eqt_ledger_unit */
	_Atomic int64_t since;
};

/* The unit of a configuration. A plain value. */
struct eqt_ledger_unit eqt_usage_unit_wanted(const struct eqt_config *config);

/* The unit that usage has now. */
struct eqt_ledger_unit eqt_usage_unit_get(const struct eqt_usage_unit *unit);

/* Set the unit of recovered usage. Called from init. */
void eqt_usage_unit_set(struct eqt_usage_unit *unit,
			const struct eqt_ledger_unit *is);

/*
 * If usage has another unit than the configuration, convert it, write that to the journal,
 * and log it. Called at the beginning of a pass; locks: EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_usage_unit_convert(struct eqt_usage_unit *unit,
			    const struct eqt_config *config);

/* Repeat a conversion that a line of the journal notes. Locks as above. */
void eqt_usage_unit_replay(struct eqt_usage_unit *unit,
			   const struct eqt_journal_record *line);

/* Called by the pass thread after a pass has visited all jobs: jobs that are submitted or start
 * from now on have the billing of the configuration. */
void eqt_usage_unit_settle(struct eqt_usage_unit *unit);

/* Convert a charge to the unit of usage. If that differs, the charge's billing is no longer
 * the job's price (priced). assoc_mgr's assoc lock is held. */
void eqt_usage_unit_apply(const struct eqt_usage_unit *unit,
			  struct eqt_post *post);

/*
 * With stock_billing: can the record of a job still have our billing? moment is the time of
 * its start or, for a pending job, of its submission. Any thread.
 */
bool eqt_usage_unit_is_older(const struct eqt_usage_unit *unit,
			     const struct eqt_config *config, time_t moment);

#endif
