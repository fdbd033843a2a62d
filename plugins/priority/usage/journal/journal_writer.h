/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_writer: the thread that writes the journal. Lines are queued while
 * slurmctld's locks are held, but they are never written while the locks are
 * held. So a disk that hangs blocks no RPC.
 *
 * The first line after a pause is written at once. While more lines come, the
 * queued lines are written every 20 milliseconds. On a working disk a line is
 * synced within half a second. If writing fails, it is tried again every
 * second. If too many lines are queued, later lines are dropped. Each of these
 * errors is logged once.
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

/* The bytes of text that are formatted from the queue at once. */
#define EQT_JOURNAL_WRITER_TEXT 32768

/* A receiver for the lines of the record of charges once they are in the
 * journal. arg is borrowed. The thread calls put() without a lock. */
struct eqt_journal_writer_sink {
	void (*put)(void *arg, const char *lines, size_t length);
	void *arg;
};

/* The text that is written next: the lines that were formatted from the first
 * queue entries. */
struct eqt_journal_writer_text {
	size_t length;
	uint64_t sequence; /* The highest sequence of the lines in `text`. */
	/* The bytes of the queue entries from which `text` was formatted. */
	size_t made_of;
	/* The bytes of `record` that were not passed to the sink yet. */
	size_t records;
	/* The bytes in the file since the end of the last group. */
	size_t group;
	uint32_t group_crc; /* The checksum of the bytes that `group` counts. */
	char text[EQT_JOURNAL_WRITER_TEXT];
	char record[EQT_JOURNAL_WRITER_TEXT];
};

/* The writer. Initialize it with EQT_JOURNAL_WRITER and a file that is not
 * open; eqt_journal_writer_stop() frees its memory. */
struct eqt_journal_writer {
	/* Only the thread uses the file. If the thread does not run, the caller
	   of a function uses the file. */
	struct eqt_append_file file;
	/* The highest sequence of the lines in the file. Only the thread uses
	   this; without the thread, the caller does. */
	uint64_t sequence;
	/* Protects the members below and determines the order of lines
	   (journal.h). No other lock is taken while it is held. */
	pthread_mutex_t lock;
	pthread_cond_t wake; /* Signals that the thread has work. */
	/* Signals that lines were synced, or that syncing has failed. */
	pthread_cond_t done;
	pthread_t thread;
	bool running;
	bool stop;
	/* The thread will check for lines soon without being woken. */
	bool gathers;
	/* The depth of nested groups. The lock does not protect it, because
	   only one thread at a time has a group. */
	unsigned int groups;
	bool grouping; /* A group is being queued, so nothing is written. */
	/* A thread waits for the end of the group that is being queued. */
	bool wanted;
	/* Charges, which the thread formats as lines. They are queued
	   unformatted, because a thread that queues one holds slurmctld's job
	   lock. */
	struct eqt_line_queue queue;
	/* The text that is written next. This struct owns the text, and the
	   thread uses it without the lock. */
	struct eqt_journal_writer_text *made;
	struct eqt_journal_writer_sink sink; /* Set before the thread starts. */
	/* The number of synced bytes, as the queue counts bytes. */
	uint64_t synced;
	/* The number of waiting callers of eqt_journal_writer_flush(). */
	unsigned int flushing;
	/* A caller of eqt_journal_writer_flush() came after the thread had
	   begun to write. */
	bool hurried;
	unsigned int failures;
	/* When the oldest queued line was queued, in monotonic seconds; 0 if no
	   line waits. */
	time_t since;
	/* The number of lines dropped since the last success. */
	unsigned int dropped;
	bool complained; /* A failure to write was logged. */
	bool hang_complained;
};

#define EQT_JOURNAL_WRITER                         \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Start the thread. The file has lines up to writer->sequence. Returns 0, or -1
 * after logging the error. Lines may be queued before. */
int eqt_journal_writer_start(struct eqt_journal_writer *writer);

/* Queue the line of a charge, which has its sequence. If too many lines are
 * queued, the line is dropped, which is logged once. The writer's lock is held,
 * and the caller may hold any other lock. */
void eqt_journal_writer_put(struct eqt_journal_writer *writer,
			    const struct eqt_journal_record *charge);

/* Queue a line of the record of charges. `names` are in the order of its text,
 * and NULL stands for an empty name. Otherwise this function is like
 * eqt_journal_writer_put(). */
void eqt_journal_writer_put_record(struct eqt_journal_writer *writer,
				   const struct eqt_charge_record *record,
				   const char *const *names);

/* Queue a rotation: the lines before it become .old, and later lines go to a
 * new file. Returns 0, or -1 if too many lines are queued. The writer's lock is
 * held, and the caller may hold any other lock. */
int eqt_journal_writer_rotate(struct eqt_journal_writer *writer);

/* Begin or end a group of lines, of which a kill or a power failure loses
 * either all or none. Groups may be nested. The caller holds locks that keep
 * other threads from beginning a group, and must not wait long. */
void eqt_journal_writer_group(struct eqt_journal_writer *writer, bool begins);

/* Wake the thread, so that it writes the queued lines now. The writer's lock is
 * held, and the caller may hold any other lock. */
void eqt_journal_writer_hurry(struct eqt_journal_writer *writer);

/* Wait until all queued lines, including the rest of a group that was begun,
 * are on the disk, or until an attempt has failed. Without the thread, the
 * caller writes the lines. The caller must not hold a lock of slurmctld. */
void eqt_journal_writer_flush(struct eqt_journal_writer *writer);

/* Write the queued lines and end the thread. */
void eqt_journal_writer_stop(struct eqt_journal_writer *writer);

#endif
