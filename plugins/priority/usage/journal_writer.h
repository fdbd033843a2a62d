/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_writer: the thread that writes the journal. slurmctld's locks are held
 * where a line is put, and never where it is written: a disk that hangs stops
 * no RPC.
 *
 * A line is handed to the kernel at once and is on the disk within half a second
 * of a disk that works. A line that cannot be written is tried again each second
 * until it can; when too many wait, later ones are dropped. Each of these is
 * logged once.
 */
#ifndef EQT_JOURNAL_WRITER_H
#define EQT_JOURNAL_WRITER_H

#include <stddef.h>

/* Start the thread. 0, or -1 (logged). Lines may be put before. */
int eqt_journal_writer_start(void);

/* Put a line with its newline; the lines after a rotation go to a new file, and
 * those before it become .old. Any lock may be held. 0, or -1 where too many
 * wait: a line is then dropped (logged once). */
int eqt_journal_writer_put(const char *line, size_t length);
int eqt_journal_writer_rotate(void);

/* Wait until all lines so far are on the disk, or an attempt has failed. Without
 * the thread the caller writes them. No lock of slurmctld's may be held. */
void eqt_journal_writer_flush(void);

/* Write what waits and end the thread. */
void eqt_journal_writer_stop(void);

#endif
