/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_days: the files of the record of charges (ledger/charge_record.h), one a day:
 * charges.2026-11-24, and charges.2026-11-24.gz when the day is over. A thread of its own
 * writes them, so that a folder on another disk holds up nothing, not even the journal.
 *
 * Each line is in the journal before it comes here. So after a kill the lines that the
 * journal has, and the files lack, are appended. What cannot be written waits in memory,
 * 100,000 lines at most; then lines are missing in the record, which their numbers show.
 * Errors are logged once, and change nothing but the record.
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

/* Initialize with EQT_CHARGE_DAYS; eqt_charge_days_stop() frees its memory. */
struct eqt_charge_days {
	const struct eqt_state_folder *state; /* not owned */
	struct eqt_journal_writer *journal; /* not owned; has lines first */
	pthread_mutex_t lock; /* covers these; no lock is taken in it */
	pthread_cond_t wake;
	bool running, stop;
	struct eqt_charge_files_place place;
	uint32_t serial; /* of place: it has changed */
	struct eqt_line_queue queue; /* lines */
	uint64_t dropped; /* lines */
	char *open; /* the text of the file "open"; owned; NULL: no new one */
	size_t open_length;

	pthread_t thread; /* the rest is the thread's, or init's before it */
	struct eqt_charge_files_place at;
	uint32_t at_serial;
	uint64_t last; /* number of the last line that came */
	int fd; /* of the day's file; -1: none */
	char day[16]; /* of that file, "2026-11-24"; "": not known yet */
	time_t synced; /* CLOCK_MONOTONIC */
	bool dirty;
	bool complained;
};

#define EQT_CHARGE_DAYS                                      \
	{                                                    \
		.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, \
	}

/* Take the place from the configuration: at init, and when it has changed. */
void eqt_charge_days_configure(struct eqt_charge_days *days,
			       const struct eqt_config *config);

/* Read the newest files and log what is wrong with them. The number of its last line; 0: none. If
 * it cannot be read, a number above all that were ever used. Called from init, before the thread
 * starts. */
uint64_t eqt_charge_days_read(struct eqt_charge_days *days,
			      struct eqt_charge_files_reader *reader);

/* A line that the journal has, with its newline: it is written if no file has it. In
 * ascending order, between eqt_charge_days_read() and eqt_charge_days_start(). */
void eqt_charge_days_complete(struct eqt_charge_days *days, uint64_t number,
			      const char *line, size_t length);

/* Log if lines before this one were written, and neither the files nor the journal has them. */
void eqt_charge_days_check(const struct eqt_charge_days *days, uint64_t next);

/* Start the thread. 0, or -1 (logged). */
int eqt_charge_days_start(struct eqt_charge_days *days);

/* Append lines with their newlines: the sink of the journal's writer; arg is the struct
 * eqt_charge_days. */
void eqt_charge_days_put(void *arg, const char *lines, size_t length);

/* Replace the file "open", which has the stretches of runs that go on. text is owned from
 * now on. */
void eqt_charge_days_put_open(struct eqt_charge_days *days, char *text,
			      size_t length);

/* Write what waits, and end the thread. */
void eqt_charge_days_stop(struct eqt_charge_days *days);

#endif
