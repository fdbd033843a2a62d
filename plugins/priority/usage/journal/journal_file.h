/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_file: the two files of the journal on the disk. Only one thread at a time calls
 * these functions; no lock of slurmctld is held.
 */
#ifndef EQT_JOURNAL_FILE_H
#define EQT_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "store/state_file.h"

#define EQT_JOURNAL "equitree_journal"

/* Initialize as { .fd = -1 }; eqt_journal_file_close() closes it. */
struct eqt_journal_file {
	const struct eqt_state_folder *folder;
	int fd; /* open for appending; -1: not open */
	bool torn; /* it may end with a part of a line of a killed process */
};

/* Open the file, and create it if there is none. 0, or -1 with errno. */
int eqt_journal_file_open(struct eqt_journal_file *file);

/* Append bytes, which need not be whole lines. Returns how many were written, or -1 with
 * errno. */
ssize_t eqt_journal_file_append(struct eqt_journal_file *file, const char *text,
				size_t length);

/* Make sure that all appended bytes are on the disk. 0, or -1 with errno. */
int eqt_journal_file_sync(const struct eqt_journal_file *file);

/* Rename the file to .old and begin a new one. If that fails, the present file is used
 * further. */
void eqt_journal_file_rotate(struct eqt_journal_file *file);

/* Close the file, if it is open. Nothing is synced. */
void eqt_journal_file_close(struct eqt_journal_file *file);

#endif
