/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: a line for each charge of the last minutes, in two files of
 * StateSaveLocation: equitree_journal, and .old, which is of the time before.
 * A charge is longer there than until the next snapshot has it, since slurmctld
 * may write down only seconds later that the job has ended.
 *
 * A line with a job and an association is the end of the job. One of job 0 is a
 * part of one that goes on; one of association 0 charges nothing, but says how
 * far a job that goes on is charged.
 *
 * A line that cannot be written (a full disk) is said once, not for each job;
 * the charge itself is in the next snapshot that can be written.
 */
#ifndef EQT_JOURNAL_H
#define EQT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/ledger.h"

/* Write the charge of a job's end, or of a part of a job that goes on from
 * there, or how far one that goes on is charged. Sequences are given here.
 * Called under assoc_mgr's assoc write lock, in the same hold as the charge. */
void eqt_journal_end(const struct eqt_journal_record *charge);
void eqt_journal_part(const struct eqt_journal_record *charge);
void eqt_journal_until(uint32_t job_id, int64_t until);

/*
 * A job has ended that a pass has charged, and the snapshot of that pass is not
 * on the disk: what the pass charged it for. It counts only for who recovers
 * from a snapshot before. eqt_journal_passing() says that a pass begins to
 * charge. Called as the others.
 */
void eqt_journal_unsaved(const struct eqt_journal_record *charge);
void eqt_journal_passing(void);

/*
 * A sequence above that of the last line, for a snapshot. With saved (the snapshot before
 * is on the disk) and once a minute, later lines go to a new file and the
 * present one becomes .old. Called under assoc_mgr's assoc lock, so that no
 * charge comes in between.
 */
uint64_t eqt_journal_mark(bool saved);

/* What is done with a line that was read back. */
typedef void (*eqt_journal_reader)(const struct eqt_journal_record *charge,
				   void *arg);

/*
 * Give every readable line of both files, in order, to the reader, and go on
 * counting from the last sequence, or from this one if it is higher. Lines that
 * cannot be read are passed over; one error tells how many and why.
 */
void eqt_journal_read(uint64_t sequence, eqt_journal_reader reader, void *arg);

/* Remove both files. */
void eqt_journal_drop(void);

/* Close the file (at fini). */
void eqt_journal_close(void);

#endif
