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

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "usage/journal_file.h"
#include "usage/line_queue.h"

/* Begun with EQT_JOURNAL_WRITER and a file that is not open;
 * eqt_journal_writer_stop() frees what it holds. */
struct eqt_journal_writer {
	struct eqt_journal_file file; /* the thread's, or the caller's without
					 one */
	pthread_mutex_t lock; /* covers all below; nothing is taken inside */
	pthread_cond_t wake; /* the thread has something to do */
	pthread_cond_t done; /* something was synced, or has failed */
	pthread_t thread;
	bool running;
	bool stop;
	struct eqt_line_queue queue;
	uint64_t synced; /* bytes, as the queue counts them */
	unsigned int flushing; /* callers that wait */
	unsigned int failures;
	time_t since; /* monotonic: lines wait since then; 0: none do */
	unsigned int dropped; /* lines, since the last success */
	bool complained; /* that it cannot be written */
	bool hang_complained;
};

#define EQT_JOURNAL_WRITER                         \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Start the thread. 0, or -1 (logged). Lines may be put before. */
int eqt_journal_writer_start(struct eqt_journal_writer *writer);

/* Put a line with its newline; the lines after a rotation go to a new file, and
 * those before it become .old. Any lock may be held. 0, or -1 where too many
 * wait: a line is then dropped (logged once). */
int eqt_journal_writer_put(struct eqt_journal_writer *writer, const char *line,
			   size_t length);
int eqt_journal_writer_rotate(struct eqt_journal_writer *writer);

/* Wait until all lines so far are on the disk, or an attempt has failed. Without
 * the thread the caller writes them. No lock of slurmctld's may be held. */
void eqt_journal_writer_flush(struct eqt_journal_writer *writer);

/* Write what waits and end the thread. */
void eqt_journal_writer_stop(struct eqt_journal_writer *writer);

#endif
