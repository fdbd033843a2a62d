/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: a line for each charge of the last minutes, in two files in
 * StateSaveLocation: equitree_journal, and .old with the lines before it. A line is kept
 * for some time after a snapshot contains its charge, because slurmctld may save the end
 * of the job seconds later; and until both snapshots on the disk contain it.
 *
 * Kinds of lines:
 *	job and association	the end of the job; without time and TRES: the job, which is
 *				charged up to there, has released all of its nodes
 *	association alone	a charge for a part of a job that goes on
 *	job alone		the time up to which a job that goes on is charged
 *	neither			a conversion of all usage to another unit, the offset of the
 *				clock of charges, or the number of the last line of .old
 *
 * This module queues lines in memory; journal_writer.h writes them and handles all errors
 * of writing.
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

/* Seconds that lines are kept at least. slurmctld saves its jobs within five seconds if
 * the disk is fast. */
#define EQT_JOURNAL_KEPT_S 60

/* A snapshot on the disk; {0}: none is known. */
struct eqt_journal_saved {
	uint64_t mark;
	time_t until; /* time of its pass */
};

/* Initialize with EQT_JOURNAL_CLOSED; eqt_journal_close() frees its memory. */
struct eqt_journal {
	/* Are lines wanted? Not with stock_recovery. Set by init, and by a pass under
	 * assoc_mgr's assoc write lock; without it, charges queue nothing. */
	bool on;
	struct eqt_journal_writer writer; /* its lock covers the rest */
	uint64_t sequence; /* of the last line */
	uint64_t mark; /* sequence of the last snapshot that was copied */
	bool marked; /* no pass has charged since that snapshot */
	struct eqt_journal_saved saved, before; /* before: that of .old */
	uint64_t rotated; /* .old has no line above this sequence */
	uint64_t number; /* of the last line of the record of charges */
	struct timespec begun; /* the start of this file or this process */
};

#define EQT_JOURNAL_CLOSED                    \
	{                                     \
		.writer = EQT_JOURNAL_WRITER, \
	}

/* Queue the charge of a job's end; the charge of a part of a job that goes on; or the time
 * up to which a job that goes on is charged. Sequences are assigned here. Call them in the
 * same hold of assoc_mgr's assoc write lock as the charge. The line of a job that ends for
 * good may wait some milliseconds for others: if a kill loses it, the record has the end
 * (runs.h). */
void eqt_journal_end(struct eqt_journal *journal,
		     struct eqt_journal_record *charge, bool for_good);
void eqt_journal_part(struct eqt_journal *journal,
		      const struct eqt_journal_record *charge);
void eqt_journal_until(struct eqt_journal *journal, uint32_t job_id,
		       int64_t until);

/* Queue that a job, which has ended and is charged up to until, holds no node any more.
 * Lock as above. */
void eqt_journal_freed(struct eqt_journal *journal, uint32_t job_id,
		       uint32_t assoc_id, int64_t until);

/* Is it a line of eqt_journal_freed()? */
bool eqt_journal_is_freed(const struct eqt_journal_record *line);

/*
 * Queue a line of the record of charges, which gets its number here. From the journal it
 * goes on to its own file (charge_days.h). names are as in eqt_journal_writer_put_record().
 */
void eqt_journal_charge(struct eqt_journal *journal,
			struct eqt_charge_record *record,
			const char *const *names);

/* The number of the last line of the record. Lock as above, or for reading. */
uint64_t eqt_journal_last_charge(struct eqt_journal *journal);

/* Queue the offset of the clock of charges to CLOCK_BOOTTIME of a boot (clock.h). It applies to
 * the times of later lines. Lock as above, or in init. */
void eqt_journal_clock(struct eqt_journal *journal, uint64_t boot,
		       int64_t offset_ns);

/* Is it such a line? */
bool eqt_journal_is_clock(const struct eqt_journal_record *line, uint64_t *boot,
			  int64_t *offset_ns);

/* Queue that all usage was converted to the unit of that billing_scale (0: Slurm's own
 * billing); one equivalent is weights_scale units of Slurm's own. Lock as above. */
void eqt_journal_unit(struct eqt_journal *journal, uint64_t scale,
		      double weights_scale);

/*
 * A job has ended after passes charged it; *charge covers all that they charged, from its
 * start on, without the factors of the time of the week. Queue the parts that a restart
 * would not find in its snapshot: the charge of the last pass (for a recovery from the
 * snapshot), and the charge of the pass before it (for a recovery from .old).
 * eqt_journal_passing() notes that a pass begins to charge. Lock as above.
 */
void eqt_journal_passed(struct eqt_journal *journal,
			const struct eqt_journal_record *charge,
			const struct eqt_week *week);
void eqt_journal_passing(struct eqt_journal *journal);

/*
 * Returns a sequence above that of the last line, for a snapshot that is made now. Once a
 * minute, if no snapshot on the disk needs .old any more, later lines go to a new file
 * and the present one becomes .old. assoc_mgr's assoc lock is held, so that no charge
 * comes in between.
 */
uint64_t eqt_journal_mark(struct eqt_journal *journal);

/* The snapshot of the last mark is on the disk, and the previous one is .old. until is the
 * time of its pass. */
void eqt_journal_saved(struct eqt_journal *journal, time_t until);

/* Lines between two of these count together, as in eqt_journal_writer_group(). */
void eqt_journal_group(struct eqt_journal *journal, bool begins);

/*
 * Wait until all lines so far are on the disk, or a failure to write them was logged. No lock
 * of slurmctld is held. The journal is the first of all files: whoever writes a charge to
 * another file calls this before.
 */
void eqt_journal_flush(struct eqt_journal *journal);

/* The texts of both files; a plain value. */
struct eqt_journal_text {
	char *old, *now; /* owned; NULL: no such file */
	size_t old_length, now_length;
	struct eqt_append_end end[EQT_APPEND_ENDS]; /* of now */
	size_t ends; /* 0: not known */
};

/* Read both files. Returns 0, or -1 with err filled if one exists and cannot be read. A
 * damaged end is logged. */
int eqt_journal_load(const struct eqt_state_folder *folder,
		     struct eqt_journal_text *text, struct eqt_error *err);
void eqt_journal_text_free(struct eqt_journal_text *text);

/* Called for each readable line: charge for a line of the journal itself, record (NULL: not
 * wanted) for a line of the record of charges, with its text. */
struct eqt_journal_reader {
	void (*charge)(const struct eqt_journal_record *charge, void *arg);
	void (*record)(const struct eqt_charge_record *record, const char *line,
		       size_t length, void *arg);
	void *arg;
};

/*
 * Pass every readable line to the reader, in order and once. From then on the journal
 * counts from the last sequence, or from that of the snapshot if it is higher; until is
 * the time of that snapshot. Unreadable lines are skipped; one error is logged with their
 * number and the first reason, and one if a file has less than was written to it.
 */
void eqt_journal_replay(struct eqt_journal *journal,
			const struct eqt_journal_text *text, uint64_t sequence,
			time_t until, const struct eqt_journal_reader *reader);

/* Start the writer; call it before the first snapshot. Returns 0, or -1 (logged). */
int eqt_journal_start(struct eqt_journal *journal);

/* Write the queued lines, and close the file (at fini). */
void eqt_journal_close(struct eqt_journal *journal);

#endif
