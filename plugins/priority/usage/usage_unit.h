/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage_unit: the unit in which usage is kept, and its conversion.
 *
 * RawUsage and the usage of the billing TRES have a unit each:
 *
 *			RawUsage		usage of the billing TRES
 *	stock_billing	Slurm's billing x s	Slurm's billing x s
 *	otherwise	equivalents x s		billing_scale x equivalents x s
 *
 * weights_scale (equitree.conf) says how many units of Slurm's billing one
 * equivalent is. A pass that finds usage in another unit than that of its
 * configuration converts all usage once, before it charges anything; the journal
 * and the snapshot say so. Whatever is charged between the reconfigure and that
 * pass is converted to the unit of the usage.
 *
 * When Slurm's own billing comes back, the records of jobs still have ours. Those
 * of before the end of the first such pass are put right by billing_tres.
 */
#ifndef EQT_USAGE_UNIT_H
#define EQT_USAGE_UNIT_H

#include <stdbool.h>
#include <time.h>

#include "ledger/ledger.h"
#include "usage/journal.h"
#include "usage/post.h"
#include "usage/usage.h"

/* The unit, written by the pass thread (or init) under assoc_mgr's assoc write
 * lock and read by any. {0} but for the pointers, which are not owned, is a good
 * start. */
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

/* Usage was read back, and has that unit. Called from init. */
void eqt_usage_unit_set(struct eqt_usage_unit *unit,
			const struct eqt_ledger_unit *is);

/*
 * Convert all usage to the unit of the configuration, if it has another one,
 * write that to the journal, and log it. Called at the beginning of a pass;
 * assoc_mgr's locks are EQT_CHARGE_ASSOC_LOCKS.
 */
void eqt_usage_unit_convert(struct eqt_usage_unit *unit,
			    const struct eqt_config *config);

/* A line of the journal says that usage was converted: do it again. Locks as
 * above. */
void eqt_usage_unit_replay(struct eqt_usage_unit *unit,
			   const struct eqt_journal_record *line);

/* A pass has visited all jobs: what is submitted or starts from now on has the
 * billing of the configuration. The pass thread calls. */
void eqt_usage_unit_settle(struct eqt_usage_unit *unit);

/* Convert a charge to the unit of the usage; where that is another one, its billing
 * is the job's price no more. assoc_mgr's assoc lock is held. */
void eqt_usage_unit_apply(const struct eqt_usage_unit *unit,
			  struct eqt_post *post);

/*
 * With stock_billing: can the record of a job still have our billing? moment is
 * when it started or, for a pending job, when it was submitted. Any thread may
 * ask.
 */
bool eqt_usage_unit_is_older(const struct eqt_usage_unit *unit,
			     const struct eqt_config *config, time_t moment);

#endif
