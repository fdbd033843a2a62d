/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Save usage. The order matters: the journal's lines reach the disk before the
 * snapshot that contains their charges, and the snapshot before Slurm's file
 * with the same time. So a crash at any point loses nothing and charges nothing
 * twice. slurmctld's own files of usage, which only Slurm's plugin needs, come
 * last.
 */
#include <stdlib.h>
#include <zlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/snapshot/ledger.h"
#include "usage/snapshot/stock_files.h"

/* Copy the usage and, in the same lock hold, the journal's position. */
static int ledger_copy_usage(struct eqt_ledger *ledger, struct eqt_error *err)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = READ_LOCK,
		.tres = READ_LOCK,
	};
	int rc;

	assoc_mgr_lock(&locks);
	rc = eqt_usage_save(ledger->usage, &ledger->snapshot, err);
	/* Charges need the write lock, so none can come in between. */
	if (rc >= 0) {
		struct eqt_snapshot *snapshot = ledger->snapshot;

		snapshot->sequence = eqt_journal_mark(ledger->journal);
		snapshot->unit = eqt_usage_unit_get(ledger->unit);
		snapshot->budget_entry = ledger->budget_entry;
		snapshot->charge_number =
			eqt_journal_last_charge(ledger->journal);
	}
	assoc_mgr_unlock(&locks);
	return rc;
}

static int ledger_save_snapshot(struct eqt_ledger *ledger,
				struct eqt_snapshot *snapshot,
				struct eqt_error *err)
{
	size_t length;
	char *text = eqt_snapshot_text(snapshot, &length);
	int rc;

	if (!text)
		return eqt_error_set(err, "out of memory");
	/* The snapshot contains ends that slurmctld may not have saved yet.
	   After a crash, only their lines show that these jobs are charged. */
	eqt_journal_flush(ledger->journal);
	rc = eqt_state_file_replace(ledger->folder, EQT_SNAPSHOT, text, length,
				    err);
	if (rc >= 0)
		eqt_journal_saved(ledger->journal, (time_t) snapshot->last_ran);
	free(text);
	return rc;
}

/* Log once that usage cannot be saved, and once that it can be saved again. */
static void ledger_log_outage(struct eqt_ledger *ledger, bool failed,
			      const char *why)
{
	if (failed && !ledger->complained)
		eqt_log_error("usage is not saved: %s; each pass tries "
			      "again",
			      why);
	if (!failed && ledger->complained)
		eqt_log_info("usage is saved again");
	ledger->complained = failed;
}

/* Save the open stretches of runs, after the lines that they follow and before
 * the snapshot. If a kill comes before the snapshot, their last seconds are
 * charged again, and the stretches are cut. The last line has the time of the
 * pass and a checksum of the text. A copy without that line goes to the folder
 * of the record of charges. */
static int ledger_save_runs(struct eqt_ledger *ledger, time_t last_ran,
			    struct eqt_error *err)
{
	struct eqt_charge_head end = { .cluster = "" };
	size_t length;
	char *text = eqt_run_record_open(ledger->record, ledger->runs,
					 ledger->days->place.cluster, &length);
	char *ended = text ? realloc(text, length + EQT_CHARGE_TEXT) : NULL;
	int rc;

	if (!ended) {
		free(text);
		return 0;
	}
	(void) snprintf(end.cluster, sizeof(end.cluster), "%lld",
			(long long) last_ran);
	(void) snprintf(end.day, sizeof(end.day), "%lu",
			crc32_z(0, (const Bytef *) ended, length));
	rc = eqt_charge_head_text(ended + length, EQT_CHARGE_TEXT, &end);
	eqt_journal_flush(ledger->journal);
	rc = eqt_state_file_replace(ledger->folder, EQT_OPEN_RUNS, ended,
				    length + (size_t) rc, err);
	eqt_charge_days_put_open(ledger->days, ended, length);
	return rc;
}

/* Write usage to our files, and to slurmctld's files under names that slurmctld
 * does not read yet. */
static int ledger_save_usage(struct eqt_ledger *ledger, time_t last_ran,
			     time_t last_reset, struct eqt_error *err)
{
	int rc = ledger_save_runs(ledger, last_ran, err);

	if (rc < 0 || ledger_copy_usage(ledger, err) < 0)
		return -1;
	ledger->snapshot->last_ran = last_ran;
	ledger->snapshot->last_reset = last_reset;
	rc = ledger_save_snapshot(ledger, ledger->snapshot, err);
	if (rc >= 0 && eqt_stock_files_write_usage(ledger->folder,
						   ledger->snapshot, err) < 0)
		rc = 1;
	return rc;
}

void eqt_ledger_save(struct eqt_ledger *ledger, const struct eqt_config *config,
		     time_t last_ran, time_t last_reset)
{
	struct eqt_error err, stock_err;
	struct eqt_stock_time times = {
		.writer = config->stock.recovery ? EQT_STOCK_ALONE
						 : EQT_STOCK_OURS,
		.last_ran = last_ran,
		.last_reset = last_reset,
		.unit = eqt_usage_unit_get(ledger->unit),
		.budget_entry = ledger->budget_entry,
	};
	int rc = 0, stock_rc;

	if (!config->stock.recovery)
		rc = ledger_save_usage(ledger, last_ran, last_reset, &err);
	if (rc >= 0) {
		stock_rc = eqt_stock_files_save_time(ledger->folder, &times,
						     &stock_err);
		if (stock_rc >= 0 && !config->stock.recovery && rc == 0 &&
		    eqt_stock_files_put_usage(ledger->folder, &stock_err) < 0)
			stock_rc = -1;
		if (stock_rc) {
			rc = stock_rc;
			err = stock_err;
		}
	}
	ledger_log_outage(ledger, rc != 0, err.text);
}

void eqt_ledger_close(struct eqt_ledger *ledger)
{
	eqt_journal_close(ledger->journal);
	/* The journal has passed its last lines to the record of charges. */
	eqt_charge_days_stop(ledger->days);
	eqt_snapshot_free(ledger->snapshot);
	ledger->snapshot = NULL;
	ledger->complained = false;
}
