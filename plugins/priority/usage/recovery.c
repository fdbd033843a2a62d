/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/assoc_index.h"
#include "usage/job_charge.h"
#include "usage/recovery.h"
#include "usage/stock_time.h"

/* The files found on the disk. */
struct found {
	struct eqt_stock_time stock, stock_old;
	struct eqt_snapshot *snapshot; /* NULL: none that can be used */
	const char *name; /* of its file */
	bool missing; /* there is no file of the name without .old */
	bool damaged; /* there is one, with which nothing can be done */
	bool stock_ran; /* Slurm's own plugin, since the snapshot */
	struct eqt_journal_text journal;
};

/* *snapshot is NULL where there is none, or (damaged) it is of no use. 0, or -1
 * when it is there and cannot be read. */
static int recovery_read_snapshot(const struct eqt_state_folder *folder,
				  const char *name,
				  struct eqt_snapshot **snapshot, bool *damaged,
				  struct eqt_error *err)
{
	struct eqt_error why;
	size_t length;
	char *text;

	*snapshot = NULL;
	*damaged = false;
	text = eqt_state_file_read(folder, name, &length, err);
	if (!text)
		return errno == ENOENT ? 0 : -1;
	*snapshot = eqt_snapshot_parse(text, length, &why);
	free(text);
	if (!*snapshot) {
		eqt_log_error("%s is damaged, %s", name, why.text);
		*damaged = true;
	}
	return 0;
}

static int recovery_read_snapshots(const struct eqt_state_folder *folder,
				   struct found *found, struct eqt_error *err)
{
	bool damaged;

	found->name = EQT_SNAPSHOT;
	if (recovery_read_snapshot(folder, found->name, &found->snapshot,
				   &found->damaged, err) < 0)
		return -1;
	found->missing = !found->snapshot && !found->damaged;
	if (found->snapshot)
		return 0;
	found->name = EQT_SNAPSHOT ".old";
	return recovery_read_snapshot(folder, found->name, &found->snapshot,
				      &damaged, err);
}

static int recovery_read_files(const struct eqt_state_folder *folder,
			       struct found *found, struct eqt_error *err)
{
	if (eqt_stock_time_read(folder, EQT_STOCK_TIME, &found->stock, err) <
		    0 ||
	    eqt_stock_time_read(folder, EQT_STOCK_TIME ".old",
				&found->stock_old, err) < 0 ||
	    recovery_read_snapshots(folder, found, err) < 0)
		return -1;
	return eqt_journal_load(folder, &found->journal, err);
}

static void recovery_free_files(struct found *found)
{
	eqt_snapshot_free(found->snapshot);
	eqt_journal_text_free(&found->journal);
}

/* A time that cannot be: of a damaged file, or ahead of the clock. Our own file
 * with a time ahead is of a clock that was set back. */
static bool recovery_stock_is_sound(const struct eqt_stock_time *stock)
{
	return stock->writer == EQT_STOCK_OURS ||
	       stock->writer == EQT_STOCK_ALONE ||
	       stock->writer == EQT_STOCK_NONE ||
	       (stock->writer == EQT_STOCK_THEIRS &&
		stock->last_ran <= time(NULL));
}

/* Has Slurm's own plugin run since the snapshot, or ours with stock_recovery? */
static bool recovery_stock_has_run(const struct found *found)
{
	const struct eqt_stock_time *stock = &found->stock;

	if (!found->snapshot)
		return true;
	if ((stock->writer != EQT_STOCK_THEIRS &&
	     stock->writer != EQT_STOCK_ALONE) ||
	    !recovery_stock_is_sound(stock) ||
	    found->snapshot->last_ran >= stock->last_ran)
		return false;
	/* A file without our mark is of the snapshot that is damaged, or of
	 * Slurm's plugin; the one before it says which. */
	return !(found->damaged || found->missing) ||
	       found->stock_old.writer == EQT_STOCK_NONE ||
	       found->snapshot->last_ran < found->stock_old.last_ran;
}

/* Log the files that should be there beside the others. */
static void recovery_log_missing(const struct found *found)
{
	const struct eqt_journal_text *journal = &found->journal;
	bool ours = found->stock.writer == EQT_STOCK_OURS;

	/* With stock_recovery there is none, but there may be a journal. */
	if (found->missing && found->stock.writer != EQT_STOCK_ALONE &&
	    (found->snapshot || journal->now || journal->old || ours))
		eqt_log_error(EQT_SNAPSHOT " is missing in StateSaveLocation, "
					   "where other files of ours are: %s",
			      found->snapshot
				      ? "usage is as of the one before it"
				      : "usage is that of slurmctld's own "
					"files");
	if (found->snapshot && ours && !journal->now)
		eqt_log_error(EQT_JOURNAL " is missing in StateSaveLocation, "
					  "where other files of ours are: "
					  "requeues and resizes since the last "
					  "pass are lost");
}

static void recovery_log_stock(const struct found *found)
{
	if (recovery_stock_is_sound(&found->stock))
		return;
	eqt_log_error("%s is damaged, %s: %s", EQT_STOCK_TIME,
		      found->stock.writer == EQT_STOCK_DAMAGED
			      ? "cut short or altered"
			      : "its time is ahead of the clock",
		      found->snapshot ? "its time is not used"
				      : "the time of the last pass is now");
}

/* One walk over the journal. */
struct replay {
	struct eqt_job_marks *marks;
	struct eqt_usage_unit *unit;
	const struct eqt_config *config;
	const struct eqt_snapshot *snapshot;
	const struct eqt_assoc_index *index;
	unsigned int charged; /* lines that were charged again */
};

/*
 * How far a job is charged, if that is not up to the last pass. slurmctld may
 * have forgotten that it ended, and no pass has charged it since; this holds
 * whether the snapshot has the charge or not.
 */
static void recovery_note_until(struct eqt_job_marks *marks,
				const struct eqt_journal_record *charge,
				time_t last_ran)
{
	bool ended = charge->assoc_id;

	if (!charge->job_id)
		return;
	if (ended || charge->to > last_ran)
		eqt_job_table_set(&marks->charged_until, charge->job_id,
				  (time_t) charge->to);
	else
		(void) eqt_job_table_forget(&marks->charged_until,
					    charge->job_id);
}

/* One journal line; charged again unless the snapshot has it. */
static void recovery_replay_line(const struct eqt_journal_record *charge,
				 void *arg)
{
	struct replay *replay = arg;
	time_t last_ran = (time_t) replay->snapshot->last_ran;

	if (!charge->job_id && !charge->assoc_id) {
		if (charge->sequence > replay->snapshot->sequence)
			eqt_usage_unit_replay(replay->unit, charge);
		return;
	}
	recovery_note_until(replay->marks, charge, last_ran);
	if (charge->sequence <= replay->snapshot->sequence ||
	    charge->from == charge->to)
		return;
	eqt_job_charge_replay(replay->config, charge,
			      eqt_assoc_index_find(replay->index,
						   charge->assoc_id),
			      last_ran);
	replay->charged++;
}

/* Put the snapshot's usage in place and charge what the journals add. */
static unsigned int recovery_restore(struct eqt_ledger *ledger,
				     const struct eqt_config *config,
				     const struct found *found)
{
	const struct eqt_snapshot *snapshot = found->snapshot;
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	struct replay replay = {
		.marks = ledger->marks,
		.unit = ledger->unit,
		.config = config,
		.snapshot = snapshot,
	};
	struct eqt_assoc_index *index;

	assoc_mgr_lock(&locks);
	replay.index = index = eqt_assoc_index_new(snapshot);
	eqt_usage_restore(ledger->usage, snapshot, index);
	eqt_journal_replay(ledger->journal, &found->journal, snapshot->sequence,
			   (time_t) snapshot->last_ran, recovery_replay_line,
			   &replay);
	eqt_assoc_index_free(index);
	assoc_mgr_unlock(&locks);
	return replay.charged;
}

/* Set aside usage from before Slurm's own plugin ran, or that cannot be read. The
 * snapshot last: a kill in between leaves it to be found again. */
static int recovery_set_aside(const struct eqt_state_folder *folder,
			      struct eqt_error *err)
{
	static const char *const names[] = {
		EQT_JOURNAL,
		EQT_JOURNAL ".old",
		EQT_SNAPSHOT ".old",
		EQT_SNAPSHOT,
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (eqt_state_file_set_aside(folder, names[i], err) < 0)
			return -1;
	return 0;
}

/* The snapshot before the last one takes its place; stock's file first, so that a
 * kill in between does no harm. */
static int recovery_put_back_old(const struct eqt_state_folder *folder,
				 const struct found *found,
				 struct eqt_error *err)
{
	if (found->stock.writer == EQT_STOCK_THEIRS &&
	    recovery_stock_is_sound(&found->stock) &&
	    found->stock_old.writer != EQT_STOCK_NONE &&
	    eqt_state_file_put_back(folder, EQT_STOCK_TIME, err) < 0)
		return -1;
	return eqt_state_file_put_back(folder, EQT_SNAPSHOT, err);
}

/* Rename the files that the next snapshots would replace, or that would be taken
 * for theirs. */
static int recovery_arrange_files(const struct eqt_state_folder *folder,
				  const struct found *found,
				  struct eqt_error *err)
{
	if (!recovery_stock_is_sound(&found->stock) &&
	    eqt_state_file_set_aside(folder, EQT_STOCK_TIME, err) < 0)
		return -1;
	if (found->stock_ran)
		return recovery_set_aside(folder, err);
	return found->damaged || found->missing
		       ? recovery_put_back_old(folder, found, err)
		       : 0;
}

/* The unit of usage that was read back. Versions of ours that wrote none kept
 * usage in that of their configuration, which is taken for this one. */
static void recovery_take_unit(struct eqt_ledger *ledger,
			       const struct eqt_config *config,
			       const struct eqt_ledger_unit *saved)
{
	struct eqt_ledger_unit unit = *saved;

	if (!unit.known)
		unit = eqt_usage_unit_wanted(config);
	eqt_usage_unit_set(ledger->unit, &unit);
}

/* What Slurm's own plugin has left is in Slurm's own billing. */
static struct eqt_ledger_unit recovery_stock_unit(
	const struct eqt_stock_time *stock)
{
	struct eqt_ledger_unit unit = stock->unit;

	if (stock->writer == EQT_STOCK_THEIRS)
		unit = (struct eqt_ledger_unit){ .known = true };
	return unit;
}

static void recovery_take_stock(struct eqt_ledger *ledger,
				const struct eqt_config *config,
				const struct found *found,
				struct eqt_recovery *recovery)
{
	const struct eqt_stock_time *stock = &found->stock;
	const struct eqt_ledger_unit unit = recovery_stock_unit(stock);

	recovery_take_unit(ledger, config, &unit);
	if (!recovery_stock_is_sound(stock)) {
		recovery->last_ran = time(NULL);
	} else {
		recovery->last_ran = stock->last_ran;
		recovery->last_reset = stock->last_reset;
	}
	if (recovery->last_ran)
		eqt_log_info("usage taken over from slurmctld's own files");
}

static void recovery_take_snapshot(struct eqt_ledger *ledger,
				   const struct eqt_config *config,
				   const struct found *found,
				   struct eqt_recovery *recovery)
{
	unsigned int replayed;

	recovery_take_unit(ledger, config, &found->snapshot->unit);
	replayed = recovery_restore(ledger, config, found);
	recovery->last_ran = (time_t) found->snapshot->last_ran;
	recovery->last_reset = (time_t) found->snapshot->last_reset;
	/* The lines of .old's time may be gone. */
	recovery->journal_is_whole = !found->damaged && !found->missing;
	eqt_log_info("usage of %u associations and QOS recovered from %s, %u "
		     "ends of jobs from the journal",
		     found->snapshot->row_count, found->name, replayed);
}

int eqt_usage_recovery_run(struct eqt_ledger *ledger,
			   const struct eqt_config *config,
			   struct eqt_recovery *recovery, struct eqt_error *err)
{
	const struct eqt_state_folder *folder = ledger->folder;
	struct found found = { 0 };
	int rc;

	*recovery = (struct eqt_recovery){ 0 };
	if (config->stock.recovery)
		rc = eqt_stock_time_read(folder, EQT_STOCK_TIME, &found.stock,
					 err);
	else
		rc = recovery_read_files(folder, &found, err);
	found.stock_ran = recovery_stock_has_run(&found);
	if (rc == 0)
		rc = recovery_arrange_files(folder, &found, err);
	if (rc == 0) {
		recovery_log_stock(&found);
		recovery_log_missing(&found);
		if (found.stock_ran)
			recovery_take_stock(ledger, config, &found, recovery);
		else
			recovery_take_snapshot(ledger, config, &found,
					       recovery);
	}
	recovery_free_files(&found);
	return rc;
}
