/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_writer: the thread that writes the journal. Lines are queued with slurmctld's
 * locks held but never written with them, so a disk that hangs blocks no RPC.
 *
 * The first line after a pause is written at once. While more lines come, those that are
 * queued are written every 20 milliseconds. A line is on a working disk within half a second. If
 * writing fails, it is tried again every second; when too many lines are queued, later
 * ones are dropped. Each of these is logged once.
 */
#ifndef EQT_JOURNAL_WRITER_H
#define EQT_JOURNAL_WRITER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "ledger/charge_record.h"
#include "ledger/ledger.h"
#include "store/append_file.h"
#include "usage/journal/line_queue.h"

#define EQT_JOURNAL "equitree_journal"

/* Bytes of text that are formatted from the queue at once. */
#define EQT_JOURNAL_WRITER_TEXT 32768

/* Receives the lines of the record of charges once they are in the journal; arg is not
 * owned. Called by the thread, without a lock. */
struct eqt_journal_writer_sink {
	void (*put)(void *arg, const char *lines, size_t length);
	void *arg;
};

/* The text that is written next: lines that were formatted from the first queue entries. */
struct eqt_journal_writer_text {
	size_t length;
	uint64_t sequence; /* the highest of its lines */
	size_t made_of; /* bytes of those queue entries */
	size_t records; /* bytes of record, not passed to the sink yet */
	size_t group; /* bytes in the file since the last end of a group */
	uint32_t group_crc; /* the checksum of those bytes */
	char text[EQT_JOURNAL_WRITER_TEXT];
	char record[EQT_JOURNAL_WRITER_TEXT];
};

/* Initialize with EQT_JOURNAL_WRITER and a file that is not open;
 * eqt_journal_writer_stop() frees its memory. */
struct eqt_journal_writer {
	struct eqt_append_file file; /* used by the thread, or by the caller
					without one */
	uint64_t sequence; /* the highest of the lines in it; likewise */
	pthread_mutex_t lock; /* covers the rest, and what orders the lines
				 (journal.h); no lock is taken in it */
	pthread_cond_t wake; /* the thread has something to do */
	pthread_cond_t done; /* something was synced, or has failed */
	pthread_t thread;
	bool running;
	bool stop;
	bool gathers; /* the thread looks for lines soon, without being woken */
	unsigned int groups; /* depth of groups; not under the lock, since only
				one thread has a group */
	bool grouping; /* a group is queued, so nothing is written */
	bool wanted; /* somebody waits for the end of that group */
	/* Charges, which the thread formats as lines: whoever queues one holds
	 * slurmctld's job lock. */
	struct eqt_line_queue queue;
	struct eqt_journal_writer_text
		*made; /* owned; the thread's, without the lock */
	struct eqt_journal_writer_sink sink; /* set before the thread starts */
	uint64_t synced; /* bytes, as the queue counts them */
	unsigned int flushing; /* number of callers of flush that wait */
	bool hurried; /* such a caller came since the thread began to write */
	unsigned int failures;
	time_t since; /* monotonic time of the oldest queued line; 0: none */
	unsigned int dropped; /* lines, since the last success */
	bool complained; /* a failure to write was logged */
	bool hang_complained;
};

#define EQT_JOURNAL_WRITER                         \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Start the thread; the file has lines up to writer->sequence. 0, or -1 (logged). Lines may be
 * queued before. */
int eqt_journal_writer_start(struct eqt_journal_writer *writer);

/* Queue the line of a charge, which has its sequence. The lock is held, and any other may
 * be. If too many lines are queued, the line is dropped (logged once). */
void eqt_journal_writer_put(struct eqt_journal_writer *writer,
			    const struct eqt_journal_record *charge);

/* The same for a line of the record of charges; names are in the order of its text, and
 * NULL stands for "". */
void eqt_journal_writer_put_record(struct eqt_journal_writer *writer,
				   const struct eqt_charge_record *record,
				   const char *const *names);

/* Queue a rotation: the lines before it become .old, and the lines after it go to a new
 * file. The lock is held, and any other may be. 0, or -1 if too many lines are queued. */
int eqt_journal_writer_rotate(struct eqt_journal_writer *writer);

/* Begin or end a group of lines: a kill or a power failure loses all of them or none. Groups
 * may be nested. The caller holds locks that keep other threads from beginning a group, and
 * does not wait for long. */
void eqt_journal_writer_group(struct eqt_journal_writer *writer, bool begins);

/* Wake the thread, so that it writes the queued lines now. The lock is held, and any other
 * may be. */
void eqt_journal_writer_hurry(struct eqt_journal_writer *writer);

/* Wait until all queued lines, with the rest of a group that was begun, are on the disk, or an
 * attempt has failed. Without the thread the caller writes them. No lock of slurmctld may be
 * held. */
void eqt_journal_writer_flush(struct eqt_journal_writer *writer);

/* Write the queued lines and end the thread. */
void eqt_journal_writer_stop(struct eqt_journal_writer *writer);

#endif
