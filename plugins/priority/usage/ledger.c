/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charged_until.h"
#include "usage/journal.h"
#include "usage/ledger.h"
#include "usage/state_file.h"
#include "usage/stock_time.h"
#include "usage/usage.h"

/* The pass thread's own, and init's and fini's while that does not run. */
static struct {
	bool complained; /* that a snapshot did not reach the disk */
} ledger;

/* Copy the usage and, in the same moment, the journal's position. */
static struct eqt_snapshot *copy_usage(struct eqt_error *err)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	struct eqt_snapshot *snapshot;

	assoc_mgr_lock(&locks);
	snapshot = eqt_usage_save(err);
	/* Charges need the write lock, so none comes in between. */
	if (snapshot)
		snapshot->sequence = eqt_journal_mark();
	assoc_mgr_unlock(&locks);
	return snapshot;
}

static int save_snapshot(struct eqt_snapshot *snapshot, struct eqt_error *err)
{
	size_t length;
	char *text = eqt_snapshot_text(snapshot, &length);
	int rc;

	if (!text)
		return eqt_error_set(err, "out of memory");
	/* slurmctld may have forgotten ends that the snapshot has: only their
	 * lines say so. */
	eqt_journal_flush();
	rc = eqt_state_file_replace(EQT_SNAPSHOT, text, length, err);
	if (rc >= 0)
		eqt_journal_saved((time_t) snapshot->last_ran);
	free(text);
	return rc;
}

/* Say once that usage cannot be saved, and once that it can be again. */
static void tell_outage(bool failed, const char *why)
{
	if (failed && !ledger.complained)
		eqt_log_error("usage is not saved: %s; it is tried again at "
			      "each pass",
			      why);
	if (!failed && ledger.complained)
		eqt_log_info("usage is saved again");
	ledger.complained = failed;
}

void eqt_ledger_save(const struct eqt_config *config, time_t last_ran,
		     time_t last_reset)
{
	struct eqt_error err, stock_err;
	struct eqt_snapshot *snapshot;
	int rc = 0, stock_rc;

	if (!config->stock.recovery) {
		rc = -1;
		snapshot = copy_usage(&err);
		if (snapshot) {
			snapshot->last_ran = last_ran;
			snapshot->last_reset = last_reset;
			rc = save_snapshot(snapshot, &err);
			eqt_snapshot_free(snapshot);
		}
	}
	if (rc >= 0) {
		stock_rc =
			eqt_stock_time_save(last_ran, last_reset, &stock_err);
		if (stock_rc) {
			rc = stock_rc;
			err = stock_err;
		}
	}
	tell_outage(rc != 0, err.text);
}

static int keep_one(const struct eqt_job_time *job, void *last_ran)
{
	if (job->value > *(time_t *) last_ran)
		eqt_journal_until(job->job_id, job->value);
	return 0;
}

void eqt_ledger_keep_charged_until(time_t last_ran)
{
	eqt_charged_until_each(keep_one, &last_ran);
}

void eqt_ledger_close(void)
{
	eqt_journal_close();
	ledger.complained = false;
}
