/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal: a line for each charge that is not in a snapshot yet, in two files
 * of StateSaveLocation: equitree_journal, and .old, which is of the time
 * before the last snapshot but one.
 *
 * A line that cannot be written (a full disk) is said once, not for each job;
 * the charge itself is in the next snapshot that can be written.
 */
#ifndef EQT_JOURNAL_H
#define EQT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "eqt_ledger.h"

/* Write a charge; its sequence is given here. Called under assoc_mgr's assoc
 * write lock, in the same hold as the charge itself. */
void eqt_journal_write(struct eqt_charge *charge);

/*
 * The sequence of the last line. With rotate, later lines go to a new file and
 * the present one becomes .old: what the .old one held must be safe elsewhere.
 * Called under assoc_mgr's assoc lock, so that no charge comes in between.
 */
uint64_t eqt_journal_mark(bool rotate);

/* What is done with a line that was read back. */
typedef void (*eqt_journal_reader)(const struct eqt_charge *charge, void *arg);

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
