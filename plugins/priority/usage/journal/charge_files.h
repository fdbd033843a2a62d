/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charge_files: the folder of the record of charges. The caller holds no lock
 * of slurmctld, and only one thread at a time calls these functions. All
 * functions return -1 with errno set after an error.
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

/* Where the files of the record are, and who may read the files. */
struct eqt_charge_files_place {
	bool on;
	char folder[PATH_MAX - NAME_MAX];
	/* The group that may read the files; an empty string if none may. */
	char group[EQT_NAME_SIZE];
	char cluster[128];
	uint64_t keep_days; /* 0 means for ever. */
	/* eqt_charge_files_tidy() sets the members below. */
	bool shared; /* The group exists and gets the files. */
	gid_t gid;
};

/* The local day of a moment, such as "2026-11-24". */
void eqt_charge_files_day(char *day, size_t size, time_t moment);

/* A reader of the lines of the two newest days. */
struct eqt_charge_files_reader {
	/* Called for each line; may be NULL. */
	void (*line)(const struct eqt_charge_record *record, void *arg);
	void *arg;
	uint64_t last; /* The highest number, or 0 if there is no line. */
	unsigned int damaged; /* The number of lines that cannot be read. */
	/* The name of a file that has lines which cannot be read. */
	char file[32];
};

/* Read the lines of the two newest days. Returns 0 or -1. */
int eqt_charge_files_read(const char *folder,
			  struct eqt_charge_files_reader *reader);

/* Create the folder, give its files to the group, compress the files of past
 * days, and remove files that are no longer kept. Returns 0 or -1. */
int eqt_charge_files_tidy(struct eqt_charge_files_place *place,
			  const char *today);

/* Open the file of a day for appending. A partial line at its end, which a
 * killed process left, is cut off, and an empty file gets its first line.
 * Returns the descriptor. */
int eqt_charge_files_open(const struct eqt_charge_files_place *place,
			  const char *day);

/* Append whole lines, either all of them or none. Returns 0 or -1. */
int eqt_charge_files_append(int fd, const char *text, size_t length);

/* Replace a file of the folder as a whole. Returns 0 or -1. */
int eqt_charge_files_replace(const struct eqt_charge_files_place *place,
			     const char *name, const char *text, size_t length);

#endif
