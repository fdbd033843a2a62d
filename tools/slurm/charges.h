/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges: the only reader of a folder with the record of charges
 * (ledger/charge_record.h). The folder has a file per day, as plain text or compressed.
 *
 * Each line is passed to the caller once, even if the folder has both forms of a file.
 * Damaged lines and missing line numbers are counted, and the first ones are described.
 */
#ifndef EQT_SLURM_CHARGES_H
#define EQT_SLURM_CHARGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ledger/charge_record.h"
#include "conf/conf.h"

/* number of damaged or missing lines that are described */
#define EQT_CHARGES_NOTES 8

/* Counts of the lines that were read. A plain value. */
struct eqt_charges_read {
	uint64_t files;
	uint64_t lines; /* lines passed to the caller */
	uint64_t damaged; /* damaged lines */
	/* line numbers missing between the first and the last one */
	uint64_t missing;
	char cluster[EQT_CHARGE_NAME]; /* cluster of the last file */
	/* days of the first and the last file */
	char first_day[EQT_CHARGE_NAME], last_day[EQT_CHARGE_NAME];
	/* such as "FILE:12: altered: ..." */
	struct eqt_error note[EQT_CHARGES_NOTES];
	size_t notes;
};

/* Called for each line, in the order of days and lines. If the result is not 0, the
 * reading ends, and the reading function returns that result. */
typedef int (*eqt_charges_visitor)(const struct eqt_charge_record *record,
				   void *arg);

/*
 * Read the files of the days from "first" on, such as "2026-11-24", in a folder. If first
 * is NULL, read all files. A file has the lines that were written on its day. A run is in
 * the file of the day of its end or of a later day, so for any period the caller must
 * read on to today.
 *
 * Returns 0 with *read filled, or -1 with err filled if the folder or a file cannot be
 * read. A damaged line is no error.
 */
int eqt_charges_read_folder(struct eqt_charges_read *read, const char *folder,
			    const char *first, eqt_charges_visitor visitor,
			    void *arg, struct eqt_error *err);

/* Like eqt_charges_read_folder(), but for the file "open" of the folder. It has the
 * stretches of unfinished runs as of the last pass (kind EQT_CHARGE_OPEN). A folder
 * without this file has no such stretches. */
int eqt_charges_read_open(struct eqt_charges_read *read, const char *folder,
			  eqt_charges_visitor visitor, void *arg,
			  struct eqt_error *err);

/*
 * Like eqt_charges_read_folder(), but for runs. Call the visitor for each line from the
 * day "first" on (NULL: from the beginning), except for resets, and then for each stretch
 * in "open" that no line replaces.
 */
int eqt_charges_read_runs(struct eqt_charges_read *read, const char *folder,
			  const char *first, eqt_charges_visitor visitor,
			  void *arg, struct eqt_error *err);

#define EQT_CHARGES_FOLDER 512

/*
 * Find the folder of the record. That is the folder "named", unless named is NULL.
 * Otherwise it is the folder that the configuration names, or the folder in
 * StateSaveLocation if the caller may read it. "" if there is none, or if conf is NULL as
 * well.
 */
void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf);

#endif
