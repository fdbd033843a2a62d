/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: a line for each charge of the last minutes, in two files in
 * StateSaveLocation: equitree_journal, and .old with the earlier lines. A line
 * is kept until both snapshots on the disk contain its charge, and some time
 * longer, because slurmctld may save the end of the job seconds later.
 *
 * Kinds of lines:
 * job and association: the end of the job. Without time and TRES, the line says
 * that the job, which is charged up to that time, has released all of its
 * nodes.
 * association alone: a charge for a part of a job that continues.
 * job alone: the time up to which a continuing job is charged.
 * neither: a conversion of all usage to another unit, the offset of the clock
 * of charges, or the number of the last line of .old.
 *
 * This module queues lines in memory. journal_writer.h writes them and handles
 * all errors of writing.
 */
#ifndef EQT_JOURNAL_H
#define EQT_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ledger/charge_record.h"
#include "ledger/ledger.h"
#include "price/week.h"
#include "usage/journal/journal_writer.h"

/* The seconds for which lines are kept at least. slurmctld saves its jobs
 * within five seconds if the disk is fast. */
#define EQT_JOURNAL_KEPT_S 60

/* A snapshot on the disk. A struct of zeros means that none is known. */
struct eqt_journal_saved {
	uint64_t mark;
	time_t until; /* The time of the pass that made the snapshot. */
};

/* The journal. Initialize it with EQT_JOURNAL_CLOSED; eqt_journal_close() frees
 * its memory. */
struct eqt_journal {
	/* Are lines wanted? If not, charges queue nothing; that is so with
	   stock_recovery. init() sets this, and so does a pass that holds
	   assoc_mgr's assoc lock for writing. */
	bool on;
	/* The lock of the writer protects the members below. */
	struct eqt_journal_writer writer;
	uint64_t sequence; /* The sequence of the last line. */
	uint64_t mark; /* The sequence of the last snapshot that was copied. */
	bool marked; /* No pass has charged since the snapshot of `mark`. */
	/* The last snapshot, and the one before it, which is .old. */
	struct eqt_journal_saved saved, before;
	uint64_t rotated; /* The sequence above which .old has no line. */
	/* The number of the last line of the record of charges. */
	uint64_t number;
	/* When this file was begun, or when this process was started. */
	struct timespec begun;
};

#define EQT_JOURNAL_CLOSED                    \
	{                                     \
		.writer = EQT_JOURNAL_WRITER, \
	}

/*
 * Queue a line for one of three events: the charge of a job's end, the charge
 * of a part of a continuing job, or the time up to which a continuing job is
 * charged. These functions assign the sequence. Call them in the same hold of
 * assoc_mgr's assoc write lock as the charge.
 *
 * If for_good is set, slurmctld's record will keep the end. The line may then
 * wait some milliseconds for others: if a kill loses it, the record of the job
 * still has the end (runs.h).
 */
void eqt_journal_end(struct eqt_journal *journal,
		     struct eqt_journal_record *charge, bool for_good);
void eqt_journal_part(struct eqt_journal *journal,
		      const struct eqt_journal_record *charge);
void eqt_journal_until(struct eqt_journal *journal, uint32_t job_id,
		       int64_t until);

/* Queue that an ended job, which is charged up to `until`, holds no node any
 * more. assoc_mgr's assoc lock is held for writing. */
void eqt_journal_freed(struct eqt_journal *journal, uint32_t job_id,
		       uint32_t assoc_id, int64_t until);

/* Is this a line of eqt_journal_freed()? */
bool eqt_journal_is_freed(const struct eqt_journal_record *line);

/*
 * Queue a line of the record of charges, which gets its number here. The
 * journal passes it on to its own file (charge_days.h). `names` are those of
 * eqt_journal_writer_put_record().
 */
void eqt_journal_charge(struct eqt_journal *journal,
			struct eqt_charge_record *record,
			const char *const *names);

/* The number of the last line of the record of charges. assoc_mgr's assoc lock
 * is held at least for reading. */
uint64_t eqt_journal_last_charge(struct eqt_journal *journal);

/* Queue the offset between the clock of charges and CLOCK_BOOTTIME of this boot
 * (clock.h). The offset applies to the times of later lines. assoc_mgr's assoc
 * lock is held for writing, except in init(). */
void eqt_journal_clock(struct eqt_journal *journal, uint64_t boot,
		       int64_t offset_ns);

/* Is this a line of eqt_journal_clock()? */
bool eqt_journal_is_clock(const struct eqt_journal_record *line, uint64_t *boot,
			  int64_t *offset_ns);

/* Queue that all usage was converted to the unit of this billing_scale; 0
 * stands for Slurm's own billing. One equivalent is weights_scale units of
 * Slurm's own billing. assoc_mgr's assoc lock is held for writing. */
void eqt_journal_unit(struct eqt_journal *journal, uint64_t scale,
		      double weights_scale);

/*
 * Queue the charges of passes for a job that has ended, as far as a restart
 * would not find them in its snapshot. *charge covers everything that passes
 * charged since the job's start, without the factors of the time of the week.
 * The queued parts are the charge of the last pass, for a recovery from the
 * snapshot, and that of the pass before, for a recovery from .old.
 * eqt_journal_passing() records that a pass begins to charge. assoc_mgr's assoc
 * lock is held for writing.
 */
void eqt_journal_passed(struct eqt_journal *journal,
			const struct eqt_journal_record *charge,
			const struct eqt_week *week);
void eqt_journal_passing(struct eqt_journal *journal);

/*
 * Returns a sequence above that of the last line, for a snapshot that is made
 * now. Once a minute, if no snapshot on the disk needs .old any more, later
 * lines go to a new file and the present file becomes .old. assoc_mgr's assoc
 * lock is held, so that no charge comes in between.
 */
uint64_t eqt_journal_mark(struct eqt_journal *journal);

/* Report that the snapshot of the last mark is on the disk and the previous one
 * is .old. `until` is the time of the snapshot's pass. */
void eqt_journal_saved(struct eqt_journal *journal, time_t until);

/* Begin or end a group of lines that count together, as
 * eqt_journal_writer_group() does. */
void eqt_journal_group(struct eqt_journal *journal, bool begins);

/*
 * Wait until all lines queued so far are on the disk, or a failure to write
 * them was logged. No lock of slurmctld is held. The journal is written before
 * all other files, so call this before writing a charge to another file.
 */
void eqt_journal_flush(struct eqt_journal *journal);

/* The texts of equitree_journal and of its .old. */
struct eqt_journal_text {
	char *old, *now; /* Owned; NULL if there is no such file. */
	size_t old_length, now_length;
	/* The ends that the file `now` may have. */
	struct eqt_append_end end[EQT_APPEND_ENDS];
	size_t ends; /* The number of ends, or 0 if the ends are not known. */
};

/* Read both files. Returns 0, or -1 with err filled if a file exists and cannot
 * be read. A damaged NAME.end is logged. */
int eqt_journal_load(const struct eqt_state_folder *folder,
		     struct eqt_journal_text *text, struct eqt_error *err);
void eqt_journal_text_free(struct eqt_journal_text *text);

/* Callbacks for each readable line. `charge` gets a line of the journal itself.
 * `record` gets a line of the record of charges with its text, and may be
 * NULL. */
struct eqt_journal_reader {
	void (*charge)(const struct eqt_journal_record *charge, void *arg);
	void (*record)(const struct eqt_charge_record *record, const char *line,
		       size_t length, void *arg);
	void *arg;
};

/*
 * Pass every readable line to the reader, in order and once. From then on the
 * journal counts from the last sequence, or from that of the snapshot if it is
 * higher. `until` is the time of that snapshot. Unreadable lines are skipped,
 * and one error with their number and the first reason is logged. Another error
 * is logged if a file has fewer lines than were written to it.
 */
void eqt_journal_replay(struct eqt_journal *journal,
			const struct eqt_journal_text *text, uint64_t sequence,
			time_t until, const struct eqt_journal_reader *reader);

/* Start the writer, before the first snapshot. Returns 0, or -1 after logging
 * the error. */
int eqt_journal_start(struct eqt_journal *journal);

/* Write the queued lines and close the file, when the plugin is unloaded. */
void eqt_journal_close(struct eqt_journal *journal);

#endif
