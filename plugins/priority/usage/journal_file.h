/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_file: the two files of the journal, as the disk has them. One thread
 * at a time calls these; no lock of slurmctld's is held.
 */
#ifndef EQT_JOURNAL_FILE_H
#define EQT_JOURNAL_FILE_H

#include <stddef.h>
#include <sys/types.h>

#define EQT_JOURNAL "equitree_journal"

/* Open the file, and make it if there is none. 0, or -1 with errno. */
int eqt_journal_file_open(void);

/* Append bytes, which need not be whole lines: how many were written, or -1
 * with errno. */
ssize_t eqt_journal_file_append(const char *text, size_t length);

/* What was appended reaches the disk. 0, or -1 with errno. */
int eqt_journal_file_sync(void);

/* The file becomes .old, and a new one begins. If that fails, the file goes on. */
void eqt_journal_file_rotate(void);

void eqt_journal_file_close(void);

#endif
