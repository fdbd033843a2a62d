/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_days: the files of the record of charges (ledger/charge_record.h), one a day:
 * charges.2026-11-24, and charges.2026-11-24.gz when the day is over. A thread of its own
 * writes them, so that a folder on another disk holds up nothing, not even the journal.
 *
 * Each line is in the journal before it comes here. So a restart after a kill appends the
 * lines that the journal has and the files lack. Lines that cannot be written wait in
 * memory, 100,000 at most; later ones are dropped, and gaps in the numbers show that.
 * Errors are logged once, and affect only the record.
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
	/* Not owned; flushed before writing */
	struct eqt_journal_writer *journal;
	pthread_mutex_t lock; /* covers these; no lock is taken under it */
	pthread_cond_t wake;
	bool running, stop;
	struct eqt_charge_files_place place;
	uint32_t serial; /* counts changes of place */
	struct eqt_line_queue queue; /* lines */
	uint64_t dropped; /* lines */
	char *open; /* owned: new text of the file "open"; NULL: none */
	size_t open_length;

	pthread_t thread; /* the rest is the thread's, or init's before it */
	struct eqt_charge_files_place at;
	uint32_t at_serial;
	uint64_t last; /* number of the last line received */
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

/* Read the newest files and log what is wrong with them. Returns the number of the last line, 0
 * if there is none; if the record cannot be read, a number above all that were ever used.
 * Called from init, before the thread starts. */
uint64_t eqt_charge_days_read(struct eqt_charge_days *days,
			      struct eqt_charge_files_reader *reader);

/* Append a line of the journal, with its newline, if no file has it. Called in ascending order
 * of numbers, between eqt_charge_days_read() and eqt_charge_days_start(). */
void eqt_charge_days_complete(struct eqt_charge_days *days, uint64_t number,
			      const char *line, size_t length);

/* Log if neither the files nor the journal have lines just before this number. */
void eqt_charge_days_check(const struct eqt_charge_days *days, uint64_t next);

/* Start the thread. 0, or -1 (logged). */
int eqt_charge_days_start(struct eqt_charge_days *days);

/* Append lines with their newlines: the sink of the journal's writer; arg is the struct
 * eqt_charge_days. */
void eqt_charge_days_put(void *arg, const char *lines, size_t length);

/* Replace the file "open", which has the open stretches of runs. Takes ownership of text. */
void eqt_charge_days_put_open(struct eqt_charge_days *days, char *text,
			      size_t length);

/* Write all lines that wait, and end the thread. */
void eqt_charge_days_stop(struct eqt_charge_days *days);

#endif
