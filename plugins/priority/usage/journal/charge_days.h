/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_days: the files of the record of charges (ledger/charge_record.h), one
 * for each day: charges.2026-11-24, and charges.2026-11-24.gz when the day is
 * over. A separate thread writes them, so that a slow disk for this folder
 * delays nothing else, not even the journal.
 *
 * Each line is in the journal before it comes here. So a restart after a kill
 * appends the lines that the journal has and the files lack. Lines that cannot
 * be written wait in memory, at most 100,000. Later lines are dropped, which
 * gaps in the numbers show. Errors are logged once and affect only the record
 * of charges.
 */
#ifndef EQT_CHARGE_DAYS_H
#define EQT_CHARGE_DAYS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "configuration.h"
#include "usage/journal/charge_files.h"
#include "usage/journal/journal_writer.h"
#include "store/state_file.h"

/* The writer of the record of charges. Initialize it with EQT_CHARGE_DAYS;
 * eqt_charge_days_stop() frees its memory. */
struct eqt_charge_days {
	const struct eqt_state_folder *state; /* Borrowed. */
	/* Borrowed. The journal is flushed before lines are written here. */
	struct eqt_journal_writer *journal;
	/* Protects the members below. No other lock is taken while it is
	   held. */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running, stop;
	struct eqt_charge_files_place place;
	uint32_t serial; /* Counts the changes of `place`. */
	struct eqt_line_queue queue; /* The waiting lines. */
	uint64_t dropped; /* The number of dropped lines. */
	/* The new text of the file "open", owned; NULL if there is none. */
	char *open;
	size_t open_length;

	/* Only the thread uses the members below; before the thread starts,
	   init() does. */
	pthread_t thread;
	struct eqt_charge_files_place at;
	uint32_t at_serial;
	uint64_t last; /* The number of the last line received. */
	int fd; /* The file of the day, or -1. */
	/* The day of the open file, such as "2026-11-24". The text is empty if
	   the day is not known yet. */
	char day[16];
	/* The time of the last sync, in seconds of CLOCK_MONOTONIC. */
	time_t synced;
	bool dirty;
	bool complained;
};

#define EQT_CHARGE_DAYS                                      \
	{                                                    \
		.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, \
	}

/* Take the place of the files from the configuration, at the start and after
 * each change. */
void eqt_charge_days_configure(struct eqt_charge_days *days,
			       const struct eqt_config *config);

/* Read the newest files, and log what is wrong with them. Returns the number of
 * the last line, or 0 if there is none. If the record cannot be read, returns a
 * number above all numbers that were ever used. init() calls this before the
 * thread starts. */
uint64_t eqt_charge_days_read(struct eqt_charge_days *days,
			      struct eqt_charge_files_reader *reader);

/* Append a line of the journal, including its newline, if no file has it. Calls
 * come in ascending order of numbers, between eqt_charge_days_read() and
 * eqt_charge_days_start(). */
void eqt_charge_days_complete(struct eqt_charge_days *days, uint64_t number,
			      const char *line, size_t length);

/* Log an error if neither the files nor the journal have the lines just before
 * this number. */
void eqt_charge_days_check(const struct eqt_charge_days *days, uint64_t next);

/* Start the thread. Returns 0, or -1 after logging the error. */
int eqt_charge_days_start(struct eqt_charge_days *days);

/* Append lines, including their newlines. This is the sink of the journal's
 * writer, and arg is the struct eqt_charge_days. */
void eqt_charge_days_put(void *arg, const char *lines, size_t length);

/* Replace the file "open", which lists the open stretches of runs. The function
 * takes ownership of text. */
void eqt_charge_days_put_open(struct eqt_charge_days *days, char *text,
			      size_t length);

/* Write all waiting lines and end the thread. */
void eqt_charge_days_stop(struct eqt_charge_days *days);

#endif
