/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_files: the folder of the record of charges. No lock of slurmctld is held, and only
 * one thread at a time calls. All functions return -1 with errno on failure.
 */
#ifndef EQT_CHARGE_FILES_H
#define EQT_CHARGE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "ledger/charge_record.h"
#include "price/bundle_table.h"

/* Where the files are, and who may read them; a plain value. */
struct eqt_charge_files_place {
	bool on;
	char folder[PATH_MAX - NAME_MAX];
	char group[EQT_NAME_SIZE]; /* "": nobody else */
	char cluster[128];
	uint64_t keep_days; /* 0: for ever */
	/* Set by eqt_charge_files_tidy(): */
	bool shared; /* the group exists and gets the files */
	gid_t gid;
};

/* The local day of a moment, "2026-11-24". */
void eqt_charge_files_day(char *day, size_t size, time_t moment);

/* The reader of the lines of the two newest days. */
struct eqt_charge_files_reader {
	/* Called for each line; may be NULL. */
	void (*line)(const struct eqt_charge_record *record, void *arg);
	void *arg;
	uint64_t last; /* the highest number; 0: there is no line */
	unsigned int damaged; /* lines that cannot be read */
	char file[32]; /* the name of a file with such lines */
};

/* Read the lines of the two newest days. 0, or -1. */
int eqt_charge_files_read(const char *folder,
			  struct eqt_charge_files_reader *reader);

/* Make the folder, give its files to the group, compress the files of past days, and remove
 * those that are kept no longer. 0, or -1. */
int eqt_charge_files_tidy(struct eqt_charge_files_place *place,
			  const char *today);

/* Open the file of a day for appending: a part of a line at its end, from a process that
 * was killed, is cut off, and an empty file gets its head. Returns the descriptor. */
int eqt_charge_files_open(const struct eqt_charge_files_place *place,
			  const char *day);

/* Append whole lines, all or none. 0, or -1. */
int eqt_charge_files_append(int fd, const char *text, size_t length);

/* Replace a file of the folder as a whole. 0, or -1. */
int eqt_charge_files_replace(const struct eqt_charge_files_place *place,
			     const char *name, const char *text, size_t length);

#endif
