/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges: the reader of a folder with the record of charges (ledger/charge_record.h),
 * one file a day, as text or compressed. All who read the record use it.
 *
 * Each line is passed once, also if a file is there in both forms. Lines that cannot be
 * read, and numbers that are missing between lines, are counted, and the first ones are
 * described.
 */
#ifndef EQT_SLURM_CHARGES_H
#define EQT_SLURM_CHARGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ledger/charge_record.h"
#include "conf/conf.h"

#define EQT_CHARGES_NOTES 8 /* that are described */

/* What was read; a plain value. */
struct eqt_charges_read {
	uint64_t files;
	uint64_t lines; /* that were passed on */
	uint64_t damaged; /* lines */
	uint64_t missing; /* numbers between the first and the last line */
	char cluster[EQT_CHARGE_NAME]; /* of the last file */
	char first_day[EQT_CHARGE_NAME], last_day[EQT_CHARGE_NAME]; /* files */
	struct eqt_error note[EQT_CHARGES_NOTES]; /* "FILE:12: altered: ..." */
	size_t notes;
};

/* Called for each line, in the order of days and lines. A result other than 0 ends the
 * reading, and is that of eqt_charges_read_folder(). */
typedef int (*eqt_charges_visitor)(const struct eqt_charge_record *record,
				   void *arg);

/*
 * Read the files of the days from first to last ("2026-11-24"; NULL: all) in a folder. A
 * file has the lines that were written on its day; a run is in that of its end or in a
 * later one, so whoever asks for a period must read on to today.
 *
 * Returns 0 with *read filled, or -1 with err filled: the folder or a file cannot be
 * read. A damaged line is no failure.
 */
int eqt_charges_read_folder(struct eqt_charges_read *read, const char *folder,
			    const char *first, const char *last,
			    eqt_charges_visitor visitor, void *arg,
			    struct eqt_error *err);

/* Read the file "open" of the folder: the stretches of runs that go on, as of the last pass
 * (kind EQT_CHARGE_OPEN). As above; a folder without that file has none. */
int eqt_charges_read_open(struct eqt_charges_read *read, const char *folder,
			  eqt_charges_visitor visitor, void *arg,
			  struct eqt_error *err);

/*
 * Read the charges of runs: the lines of the days from first on (NULL: all) but resets,
 * and then the stretches of "open" that no line has replaced. As above.
 */
int eqt_charges_read_runs(struct eqt_charges_read *read, const char *folder,
			  const char *first, eqt_charges_visitor visitor,
			  void *arg, struct eqt_error *err);

#define EQT_CHARGES_FOLDER 512

/*
 * The folder of the record: the named one; else, with a configuration, that of its key or
 * the one in StateSaveLocation, if the caller may read it. "" otherwise.
 */
void eqt_charges_folder(char folder[EQT_CHARGES_FOLDER], const char *named,
			const struct eqt_conf *conf);

#endif
