/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recover the usage at a start: read all files, decide which of them count,
 * rename those that would get in the way, and only then change the usage.
 * recovery_stock_has_run() makes the decision.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "usage/charge/job_charge.h"
#include "usage/runs/job_run.h"
#include "usage/snapshot/usage_recovery.h"
#include "usage/snapshot/stock_files.h"

/* The files found on the disk. */
struct found {
	struct eqt_stock_time stock, stock_old;
	/* NULL if there is no usable snapshot. */
	struct eqt_snapshot *snapshot;
	const char *name; /* The name of the file of the snapshot. */
	bool missing; /* EQT_SNAPSHOT does not exist, but its .old may exist. */
	bool damaged; /* EQT_SNAPSHOT exists but is damaged. */
	bool stock_ran; /* Slurm's own plugin has run since the snapshot. */
	/* slurmctld has usage, and no file has the time of that usage. */
	bool all_lost;
	struct eqt_journal_text journal;
	/* The text of EQT_OPEN_RUNS; NULL if there is no such file. */
	char *runs;
	size_t runs_length;
};

/* Read a snapshot. *snapshot becomes NULL if there is none, if it is damaged,
 * or if it is older than Slurm's file and therefore an outdated copy. Returns
 * 0, or -1 if the file exists and cannot be read. */
static int recovery_read_snapshot(const struct eqt_state_folder *folder,
				  const char *name,
				  const struct eqt_stock_time *stock,
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
	if (*snapshot && stock->writer == EQT_STOCK_OURS &&
	    (*snapshot)->last_ran < stock->last_ran) {
		(void) eqt_error_set(
			&why,
			"an older copy: of a pass %lld s before "
			"the last one",
			(long long) (stock->last_ran - (*snapshot)->last_ran));
		eqt_snapshot_free(*snapshot);
		*snapshot = NULL;
	}
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
	if (recovery_read_snapshot(folder, found->name, &found->stock,
				   &found->snapshot, &found->damaged, err) < 0)
		return -1;
	found->missing = !found->snapshot && !found->damaged;
	if (found->snapshot)
		return 0;
	found->name = EQT_SNAPSHOT ".old";
	return recovery_read_snapshot(folder, found->name, &found->stock_old,
				      &found->snapshot, &damaged, err);
}

static int recovery_read_files(const struct eqt_state_folder *folder,
			       struct found *found, struct eqt_error *err)
{
	if (eqt_stock_files_read_time(folder, EQT_STOCK_TIME, &found->stock,
				      err) < 0 ||
	    eqt_stock_files_read_time(folder, EQT_STOCK_TIME ".old",
				      &found->stock_old, err) < 0 ||
	    recovery_read_snapshots(folder, found, err) < 0)
		return -1;
	found->runs = eqt_state_file_read(folder, EQT_OPEN_RUNS,
					  &found->runs_length, err);
	if (!found->runs && errno != ENOENT)
		return -1;
	return eqt_journal_load(folder, &found->journal, err);
}

static void recovery_free_files(struct found *found)
{
	eqt_snapshot_free(found->snapshot);
	eqt_journal_text_free(&found->journal);
	free(found->runs);
}

/* Is Slurm's file usable? It is not if it is damaged, or if its time is ahead
 * of the clock. In our own file with a correct checksum, a time ahead of the
 * clock only means that the clock was set back. */
static bool recovery_stock_is_sound(const struct eqt_stock_time *stock)
{
	return stock->writer == EQT_STOCK_OURS ||
	       stock->writer == EQT_STOCK_ALONE ||
	       stock->writer == EQT_STOCK_NONE ||
	       (stock->writer == EQT_STOCK_THEIRS &&
		stock->last_ran <= time(NULL));
}

/* Has Slurm's own plugin run since the snapshot, or ours with stock_recovery?
 * Then the usage that slurmctld has restored is newer than the snapshot. */
static bool recovery_stock_has_run(const struct found *found)
{
	const struct eqt_stock_time *stock = &found->stock;

	return !found->snapshot ||
	       ((stock->writer == EQT_STOCK_THEIRS ||
		 stock->writer == EQT_STOCK_ALONE) &&
		recovery_stock_is_sound(stock) &&
		found->snapshot->last_ran < stock->last_ran);
}

/* The fault of the file of open stretches, which is saved just before its
 * snapshot. Returns NULL if the file is sound. */
static const char *recovery_runs_fault(const struct found *found)
{
	const char *text = found->runs, *last;
	struct eqt_charge_head end;

	if (!text)
		return "is missing";
	if (!found->runs_length || text[found->runs_length - 1] != '\n')
		return "is cut";
	last = memrchr(text, '\n', found->runs_length - 1);
	last = last ? last + 1 : text;
	if (eqt_charge_head_parse(
		    &end, last, found->runs_length - 1 - (size_t) (last - text),
		    NULL) < 0 ||
	    strtoul(end.day, NULL, 10) !=
		    crc32_z(0, (const Bytef *) text, (size_t) (last - text)))
		return "is cut or altered";
	return strtoll(end.cluster, NULL, 10) < found->snapshot->last_ran
		       ? "is an older copy"
		       : NULL;
}

/* Is the file of open stretches sound? If not, runs are charged from their
 * jobs' records. */
static bool recovery_has_runs(const struct found *found)
{
	const char *fault = recovery_runs_fault(found);

	if (fault && found->snapshot->charge_number)
		eqt_log_error(EQT_OPEN_RUNS " %s: lines of the record of "
					    "charges, and charges of budgets, "
					    "of jobs that run now may lack "
					    "prices and suspensions of before",
			      fault);
	return !fault;
}

/* Log files of ours that are missing although others exist. */
static void recovery_log_missing(const struct found *found)
{
	const struct eqt_journal_text *journal = &found->journal;
	bool ours = found->stock.writer == EQT_STOCK_OURS;

	/* With stock_recovery there is no snapshot, but there may be a
	   journal. */
	if (found->missing && found->stock.writer != EQT_STOCK_ALONE &&
	    (found->snapshot || journal->now || journal->old || ours))
		eqt_log_error(
			EQT_SNAPSHOT " is missing in StateSaveLocation, "
				     "which has other files of equitree: %s",
			found->snapshot ? "using the previous one"
					: "using the usage in slurmctld's own "
					  "files");
	if (found->snapshot && ours && !journal->now && !journal->ends)
		eqt_log_error(EQT_JOURNAL " is missing in StateSaveLocation, "
					  "which has other files of equitree: "
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

/* The state of one walk over the journal. */
struct replay {
	struct eqt_ledger *ledger;
	const struct eqt_config *config;
	const struct eqt_snapshot *snapshot;
	/* The offset of the clock at the last line that was read. */
	int64_t offset_ns;
	bool placed; /* offset_ns is known. */
	time_t step; /* The step of the clock since the snapshot. */
	/* The number of the first line of the record in the journal. */
	uint64_t journal_from;
	/* The number of the last line of the record that was read. */
	uint64_t recorded;
	unsigned int charged; /* The number of lines that were charged again. */
};

/* Move the times of all lines read so far, because a line has another offset of
 * the clock. Open stretches and the snapshot have times by the clock of the
 * last pass. */
static void recovery_follow_clock(struct replay *replay, int64_t offset_ns,
				  bool since_snapshot)
{
	time_t step = 0;

	if (replay->placed)
		step = eqt_clock_between(replay->offset_ns, offset_ns);
	if (!step && replay->placed)
		return;
	replay->placed = true;
	replay->offset_ns = offset_ns;
	eqt_runs_shift(replay->ledger->runs, step, since_snapshot);
	if (since_snapshot)
		replay->step += step;
}

/*
 * Record the time up to which a job is charged, even if the snapshot contains
 * the charge: slurmctld may have forgotten the end of the job, which then runs
 * again.
 */
static void recovery_mark(struct eqt_runs *runs,
			  const struct eqt_journal_record *charge)
{
	struct eqt_run *run =
		charge->job_id ? eqt_runs_add(runs, charge->job_id) : NULL;

	if (!run)
		return;
	run->marks.charged_until = (time_t) charge->to;
	run->marks.parted = !charge->assoc_id;
	if (charge->factor < 0)
		run->marks.refunded = (time_t) charge->to;
	if (eqt_journal_is_freed(charge))
		run->marks.freed = (time_t) charge->to;
}

/* Charge a line of the journal again, unless the snapshot contains it. */
static void recovery_replay_line(const struct eqt_journal_record *charge,
				 void *arg)
{
	struct replay *replay = arg;
	const bool later = charge->sequence > replay->snapshot->sequence;
	int64_t offset_ns;
	uint64_t boot;

	if (eqt_journal_is_clock(charge, &boot, &offset_ns)) {
		if (boot == replay->ledger->boot)
			recovery_follow_clock(replay, offset_ns, later);
		else
			replay->placed = false;
		return;
	}
	if (!charge->job_id && !charge->assoc_id) {
		if (later)
			eqt_usage_unit_replay(replay->ledger->unit, charge);
		return;
	}
	recovery_mark(replay->ledger->runs, charge);
	if (!later || charge->from == charge->to)
		return;
	eqt_job_charge_replay(replay->config, charge,
			      eqt_usage_owner(replay->snapshot,
					      charge->assoc_id),
			      (time_t) replay->snapshot->last_ran);
	replay->charged++;
}

/* Record that the clock was set back since, if the snapshot contains an end
 * that is later than its pass. Otherwise the end would seem to be lost. */
static void recovery_note_recorded(const struct replay *replay,
				   const struct eqt_charge_record *line)
{
	struct eqt_run *run;

	if (line->kind != EQT_CHARGE_END ||
	    line->number > replay->snapshot->charge_number ||
	    line->to <= replay->snapshot->last_ran)
		return;
	run = eqt_runs_add(replay->ledger->runs, line->job_id);
	if (run)
		run->marks.recorded = (time_t) line->start;
}

/* Process a line of the record of charges in the journal: write it to the
 * record if the record lacks it, and remove its seconds from the open
 * stretch. */
static void recovery_replay_record(const struct eqt_charge_record *line,
				   const char *text, size_t length, void *arg)
{
	struct replay *replay = arg;

	if (line->number > replay->recorded)
		replay->recorded = line->number;
	eqt_stretch_seen(replay->ledger->runs, line);
	recovery_note_recorded(replay, line);
	/* The newline follows the line. */
	eqt_charge_days_complete(replay->ledger->days, line->number, text,
				 length + 1);
}

/* Process a line of the record's files, which are read before the journal, to
 * find the runs that budgets must settle again. These runs ended while budgets
 * could not be read, or slurmctld was killed before the file of budgets had the
 * settlement. equitree_runs has the continuing runs. */
static void recovery_replay_unread(const struct eqt_charge_record *line,
				   void *arg)
{
	const struct replay *replay = arg;
	struct eqt_run *run = eqt_runs_get(replay->ledger->runs, line->job_id);
	/* The line is a later settlement of an unsettled run, which a kill may
	   have lost. */
	const bool is_new = line->kind == EQT_CHARGE_LOST && run &&
			    (run->owed_u || run->unread_u) &&
			    line->entry > replay->snapshot->budget_entry;
	const bool ends = (line->kind == EQT_CHARGE_END ||
			   line->kind == EQT_CHARGE_HELD ||
			   line->kind == EQT_CHARGE_LOST) &&
			  !eqt_charge_record_is_unread(line) && !is_new;

	/* Lines that the journal has are read from there, in order and by their
	   clock. */
	if (ends && run && !run->line && (line->entry || !run->unread_u))
		eqt_runs_forget(replay->ledger->runs, line->job_id);
	else if (line->number < replay->journal_from && (!ends || run))
		eqt_stretch_seen(replay->ledger->runs, line);
	recovery_note_recorded(replay, line);
}

/* Fit runs to the snapshot, after all times are by one clock. A mark of a part
 * counts only if it is later than the last pass. An open stretch is cut at the
 * last pass or the mark: later seconds were charged by a pass whose snapshot is
 * lost, and are charged again. */
static void recovery_fit_runs(struct eqt_runs *runs, time_t last_ran)
{
	for (size_t i = 0; i < runs->count; i++) {
		struct eqt_run *run = eqt_runs_at(runs, i);

		if (run->marks.parted && run->marks.charged_until <= last_ran)
			run->marks.charged_until = 0;
		run->marks.parted = false;
		/* A suspended job was charged nothing from the last pass to its
		   end. */
		if (run->recalled && run->until < run->marks.freed)
			run->until = run->marks.freed;
		eqt_stretch_cut(run, run->marks.charged_until > last_ran
					     ? run->marks.charged_until
					     : last_ran);
	}
}

/* Process a line in a file of the record that neither the snapshot nor the
 * journal has. */
static void recovery_replay_day(const struct eqt_charge_record *line, void *arg)
{
	struct replay *replay = arg;

	if (line->number > replay->recorded)
		eqt_stretch_seen(replay->ledger->runs, line);
}

/* Read lines that the journal lacks from the files of the record. There are
 * none unless the journal was damaged, because each line is in the journal
 * first. */
static void recovery_replay_days(struct replay *replay, uint64_t last)
{
	struct eqt_charge_files_reader reader = {
		.line = recovery_replay_day,
		.arg = replay,
	};

	if (replay->recorded < replay->snapshot->charge_number)
		replay->recorded = replay->snapshot->charge_number;
	if (replay->recorded && last > replay->recorded)
		(void) eqt_charge_files_read(replay->ledger->days->place.folder,
					     &reader);
}

/* The number of the first line of the record in the journal. */
static uint64_t recovery_journal_from(const struct eqt_journal_text *journal)
{
	const char *const texts[] = { journal->old, journal->now };
	const char *line;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		line = texts[i] ? strstr(texts[i], "\nc ") : NULL;
		if (line)
			return strtoull(line + 3, NULL, 10);
	}
	return UINT64_MAX;
}

/* Set the usage from the snapshot, and charge the later lines of the journals.
 * Returns how many lines were charged. *last_ran becomes the time of the
 * snapshot by the clock of the last line. */
static unsigned int recovery_restore(struct eqt_ledger *ledger,
				     const struct eqt_config *config,
				     const struct found *found,
				     time_t *last_ran)
{
	const struct eqt_snapshot *snapshot = found->snapshot;
	assoc_mgr_lock_t locks = EQT_CHARGE_ASSOC_LOCKS;
	struct replay replay = {
		.ledger = ledger,
		.config = config,
		.snapshot = snapshot,
		.journal_from = recovery_journal_from(&found->journal),
	};
	const struct eqt_journal_reader reader = {
		.charge = recovery_replay_line,
		.record = recovery_replay_record,
		.arg = &replay,
	};
	struct eqt_charge_files_reader days = {
		.line = recovery_replay_unread,
		.arg = &replay,
	};
	struct eqt_journal *journal = ledger->journal;

	assoc_mgr_lock(&locks);
	eqt_usage_restore(ledger->usage, snapshot);
	ledger->runs->whole = ledger->journal->on && recovery_has_runs(found);
	if (found->runs && ledger->journal->on)
		eqt_run_record_recall(ledger->record, ledger->runs, found->runs,
				      found->runs_length);
	journal->number = eqt_charge_days_read(ledger->days, &days);
	if (journal->number < snapshot->charge_number)
		journal->number = snapshot->charge_number;
	eqt_journal_replay(journal, &found->journal, snapshot->sequence,
			   (time_t) snapshot->last_ran, &reader);
	eqt_charge_days_check(ledger->days, journal->number + 1);
	recovery_replay_days(&replay, days.last);
	*last_ran = (time_t) snapshot->last_ran + replay.step;
	recovery_fit_runs(ledger->runs, *last_ran);
	if (replay.placed)
		eqt_clock_resume(ledger->clock, replay.offset_ns, *last_ran);
	assoc_mgr_unlock(&locks);
	return replay.charged;
}

/* Rename our files from before Slurm's own plugin ran. The snapshot comes last,
 * so that after a kill in between the next start finds it and does this
 * again. */
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

/* The file in which slurmctld itself stores usage. */
#define STOCK_USAGE "assoc_usage"

/* Has slurmctld read any usage? */
static bool recovery_has_usage(void)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool has;

	assoc_mgr_lock(&locks);
	has = assoc_mgr_root_assoc && assoc_mgr_root_assoc->usage &&
	      assoc_mgr_root_assoc->usage->usage_raw > 0;
	assoc_mgr_unlock(&locks);
	return has;
}

/* Log that there are jobs, but neither a snapshot nor the time of a pass. */
static void recovery_check_all_lost(struct found *found, bool has_file)
{
	if (!has_file) {
		eqt_log_error("StateSaveLocation has jobs and no file with "
			      "usage, neither of equitree nor of slurmctld: "
			      "usage begins with 0. If it was there before, "
			      "put the files back and restart slurmctld");
	} else if (recovery_has_usage()) {
		found->all_lost = true;
		eqt_log_error("StateSaveLocation has usage of slurmctld, and "
			      "neither a whole " EQT_SNAPSHOT
			      " nor " EQT_STOCK_TIME
			      ": usage goes on from there. If "
			      "they were there before, or budgets, put the "
			      "files back and restart slurmctld");
	}
}

/* Without a snapshot, slurmctld's own usage is used. Returns -1 with err filled
 * if that is missing as well although there was usage, which means that
 * somebody has removed both. */
static int recovery_check_usage(const struct eqt_state_folder *folder,
				struct found *found, struct eqt_error *err)
{
	bool has_file;

	if (found->snapshot)
		return 0;
	has_file = eqt_state_file_exists(folder, STOCK_USAGE);
	if (found->stock.writer == EQT_STOCK_NONE &&
	    (has_file || !found->damaged) &&
	    eqt_state_file_exists(folder, "job_state"))
		recovery_check_all_lost(found, has_file);
	if (has_file)
		return 0;
	if (found->damaged || found->stock.writer == EQT_STOCK_OURS)
		return eqt_error_set(err, EQT_SNAPSHOT
				     " and its .old are missing or damaged, "
				     "and slurmctld's own " STOCK_USAGE
				     " is missing. Put one back; or, to begin "
				     "with a usage of 0, remove " EQT_SNAPSHOT
				     " and " EQT_STOCK_TIME);
	return 0;
}

/* Rename files that the next snapshots would overwrite, or that would be
 * mistaken for files of these snapshots. */
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
		       ? eqt_state_file_put_back(folder, EQT_SNAPSHOT, err)
		       : 0;
}

/* Set the unit of the recovered usage. An unknown unit is assumed to be the
 * present one. */
static void recovery_take_unit(struct eqt_ledger *ledger,
			       const struct eqt_config *config,
			       const struct eqt_ledger_unit *saved)
{
	struct eqt_ledger_unit unit = *saved;

	if (!unit.known)
		unit = eqt_usage_unit_wanted(config);
	eqt_usage_unit_set(ledger->unit, &unit);
}

/* The unit of the usage that belongs to Slurm's file. Slurm's own plugin uses
 * Slurm's own billing, but job records may still have our billing from before
 * that plugin ran. */
static struct eqt_ledger_unit recovery_stock_unit(
	const struct eqt_stock_time *stock)
{
	struct eqt_ledger_unit unit = stock->unit;

	if (stock->writer == EQT_STOCK_THEIRS)
		unit = (struct eqt_ledger_unit){
			.known = true,
			.since = EQT_USAGE_UNIT_NOT_YET,
		};
	return unit;
}

static void recovery_take_stock(struct eqt_ledger *ledger,
				const struct eqt_config *config,
				const struct found *found,
				struct eqt_recovery *recovery)
{
	const struct eqt_stock_time *stock = &found->stock;
	const struct eqt_ledger_unit unit = recovery_stock_unit(stock);
	struct eqt_charge_files_reader days = { .line = NULL };

	ledger->journal->number = eqt_charge_days_read(ledger->days, &days);
	recovery_take_unit(ledger, config, &unit);
	if (found->all_lost || !recovery_stock_is_sound(stock)) {
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
	replayed = recovery_restore(ledger, config, found, &recovery->last_ran);
	recovery->last_reset = (time_t) found->snapshot->last_reset;
	/* If the snapshot is .old, the journal may lack some of its lines. */
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
		rc = eqt_stock_files_read_time(folder, EQT_STOCK_TIME,
					       &found.stock, err);
	else
		rc = recovery_read_files(folder, &found, err);
	ledger->budget_entry = found.snapshot ? found.snapshot->budget_entry
					      : found.stock.budget_entry;
	found.stock_ran = recovery_stock_has_run(&found);
	if (rc == 0 && !config->stock.recovery)
		rc = recovery_check_usage(folder, &found, err);
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
