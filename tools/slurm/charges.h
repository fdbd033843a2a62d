/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges: the only reader of a folder with the record of charges
 * (ledger/charge_record.h), which has one file a day, as text or compressed.
 *
 * Each line is passed to the caller once, also if the folder has a file in both forms.
 * Damaged lines and missing line numbers are counted, and the first ones are described.
 */
#ifndef EQT_SLURM_CHARGES_H
#define EQT_SLURM_CHARGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ledger/charge_record.h"
#include "conf/conf.h"

#define EQT_CHARGES_NOTES 8 /* damaged or missing lines that are described */

/* Counts of what was read; a plain value. */
struct eqt_charges_read {
	uint64_t files;
	uint64_t lines; /* passed to the caller */
	uint64_t damaged; /* lines */
	uint64_t missing; /* line numbers between the first and the last one */
	char cluster[EQT_CHARGE_NAME]; /* of the last file */
	char first_day[EQT_CHARGE_NAME], last_day[EQT_CHARGE_NAME]; /* files */
	struct eqt_error note[EQT_CHARGES_NOTES]; /* "FILE:12: altered: ..." */
	size_t notes;
};

/* Called for each line, in the order of days and lines. A result other than 0 ends the
 * reading, and the reading function returns it. */
typedef int (*eqt_charges_visitor)(const struct eqt_charge_record *record,
				   void *arg);

/*
 * Read the files of the days from first on ("2026-11-24"; NULL: all) in a folder. A
 * file has the lines that were written on its day; a run is in the file of its end or
 * in a later one, so a caller must read on to today for any period.
 *
 * Returns 0 with *read filled, or -1 with err filled: the folder or a file cannot be
 * read. A damaged line is no failure.
 */
int eqt_charges_read_folder(struct eqt_charges_read *read, const char *folder,
			    const char *first, eqt_charges_visitor visitor,
			    void *arg, struct eqt_error *err);

/* The same for the file "open" of the folder: the stretches of unfinished runs, as of the
 * last pass (kind EQT_CHARGE_OPEN). A folder without that file has none. */
int eqt_charges_read_open(struct eqt_charges_read *read, const char *folder,
			  eqt_charges_visitor visitor, void *arg,
			  struct eqt_error *err);

/*
 * The same for the charges of runs: all lines except resets of the days from first on
 * (NULL: all), and then the stretches of "open" that no line has replaced.
 */
int eqt_charges_read_runs(struct eqt_charges_read *read, const char *folder,
			  const char *first, eqt_charges_visitor visitor,
			  void *arg, struct eqt_error *err);

#define EQT_CHARGES_FOLDER 512

/*
 * Find the folder of the record: the named one (NULL: none); else, with a configuration
 * (NULL: none), the folder of its key or the one in StateSaveLocation, if the caller may
 * read it. "" otherwise.
 */
void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf);

#endif
