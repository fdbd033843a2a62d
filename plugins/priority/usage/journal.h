/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: a line for each charge of the last minutes, in two files of
 * StateSaveLocation: equitree_journal, and .old with the lines before it. A line
 * stays there longer than until the next snapshot has its charge, since slurmctld
 * may save only seconds later that the job has ended; and until no snapshot on the
 * disk, the .old one included, is without it.
 *
 * A line with a job and an association is the end of the job. One of job 0 is a
 * part of one that goes on; one of association 0 charges nothing, but says how
 * far a job that goes on is charged. One of neither says that all usage is converted
 * to another unit.
 *
 * A line is put into memory here; journal_writer.h writes it. It has all errors of
 * writing, too.
 */
#ifndef EQT_JOURNAL_H
#define EQT_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ledger/ledger.h"
#include "usage/journal_writer.h"

/* A snapshot that is on the disk; {0}: none that is known. */
struct eqt_journal_saved {
	uint64_t mark;
	time_t until; /* the pass that it is of */
};

/* Begun with EQT_JOURNAL_CLOSED; eqt_journal_close() frees what it holds. */
struct eqt_journal {
	struct eqt_journal_writer writer;
	pthread_mutex_t lock; /* covers all below; innermost but the writer's */
	uint64_t sequence; /* of the last line */
	uint64_t mark; /* of the last snapshot that was copied */
	bool marked; /* it has all that is charged by passes */
	struct eqt_journal_saved saved, before; /* before: that of .old */
	uint64_t rotated; /* .old has no line above this sequence */
	struct timespec begun; /* when this file began, or we did */
};

#define EQT_JOURNAL_CLOSED                         \
	{                                          \
		.writer = EQT_JOURNAL_WRITER,      \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Put the charge of a job's end, or of a part of a job that goes on from
 * there, or how far one that goes on is charged. Sequences are given here.
 * Called under assoc_mgr's assoc write lock, in the same hold as the charge. */
void eqt_journal_end(struct eqt_journal *journal,
		     const struct eqt_journal_record *charge);
void eqt_journal_part(struct eqt_journal *journal,
		      const struct eqt_journal_record *charge);
void eqt_journal_until(struct eqt_journal *journal, uint32_t job_id,
		       int64_t until);

/* All usage is converted to the unit of that billing_scale (0: Slurm's own billing),
 * one equivalent being weights_scale of Slurm's own. Called as the others. */
void eqt_journal_unit(struct eqt_journal *journal, uint64_t scale,
		      double weights_scale);

/*
 * A job has ended that passes have charged: what they charged it for, from its
 * start on. What only snapshots have that may be lost is put: the charge of a pass
 * that is not on the disk counts for a recovery from the snapshot, that of the pass
 * before it for one from .old. eqt_journal_passing() says that a pass begins to
 * charge. Called as the others.
 */
void eqt_journal_passed(struct eqt_journal *journal,
			const struct eqt_journal_record *charge);
void eqt_journal_passing(struct eqt_journal *journal);

/*
 * A sequence above that of the last line, for a snapshot that is made now. Once a
 * minute, if no snapshot on the disk needs .old any more, later lines go to a new
 * file and the present one becomes .old. Called under assoc_mgr's assoc lock, so
 * that no charge comes in between.
 */
uint64_t eqt_journal_mark(struct eqt_journal *journal);

/* The snapshot of the last mark, which is of a pass at until, is on the disk, and
 * the one before it is .old. */
void eqt_journal_saved(struct eqt_journal *journal, time_t until);

/* All lines up to this call are on the disk, or cannot be written (logged).
 * No lock of slurmctld's is held. */
void eqt_journal_flush(struct eqt_journal *journal);

/* The texts of both files; a plain value. */
struct eqt_journal_text {
	char *old, *now; /* owned; NULL: no such file */
	size_t old_length, now_length;
};

/* Read both files. 0, or -1 with err filled where one is there and cannot be read. */
int eqt_journal_load(const struct eqt_state_folder *folder,
		     struct eqt_journal_text *text, struct eqt_error *err);
void eqt_journal_text_free(struct eqt_journal_text *text);

/* Called with each line that was read back. */
typedef void (*eqt_journal_reader)(const struct eqt_journal_record *charge,
				   void *arg);

/*
 * Give every readable line, in order and once, to the reader. From then on the
 * journal counts from the last sequence, or from that of the snapshot if it is
 * higher; until is the time of that snapshot. Lines that cannot be read are passed
 * over; one error says how many and why.
 */
void eqt_journal_replay(struct eqt_journal *journal,
			const struct eqt_journal_text *text, uint64_t sequence,
			time_t until, eqt_journal_reader reader, void *arg);

/* Start the writer, before any snapshot is made: 0, or -1 (logged). */
int eqt_journal_start(struct eqt_journal *journal);

/* Write what waits, and close the file (at fini). */
void eqt_journal_close(struct eqt_journal *journal);

#endif
