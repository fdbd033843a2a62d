/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_reader: jobs that ran, one by one, from what "sacct -P" prints. Memory does
 * not grow with the number of jobs. */
#ifndef EQT_SLURM_SACCT_READER_H
#define EQT_SLURM_SACCT_READER_H

#include "slurm/text/listing_lines.h"
#include "slurm/sacct.h"

/* Owned; eqt_sacct_reader_close() frees it. */
struct eqt_sacct_reader {
	struct eqt_listing_lines lines;
	struct eqt_sacct head; /* the line of names alone */
	char **cell; /* of the present line */
};

/*
 * Open a file or, if path is NULL, run the command (borrowed), and read the line
 * of names. 0, or -1 with err filled: what eqt_listing_lines_open() and
 * eqt_listing_lines_next() refuse, a needed column that is missing.
 */
int eqt_sacct_reader_open(struct eqt_sacct_reader *out, const char *path,
			  const char *command, unsigned int needed,
			  struct eqt_error *err);

/*
 * The next run of a job; steps and jobs that never ran are passed over. Strings of
 * *job are borrowed until the next call. 1, 0 at the end, or -1 with err filled as
 * eqt_sacct_job() and eqt_listing_lines_next(), and for a line with another number of
 * cells than the first.
 */
int eqt_sacct_reader_next(struct eqt_sacct_reader *reader,
			  struct eqt_sacct_job *job, struct eqt_error *err);

/* The next line, whatever it is; reader->cell has its cells until the next call. 1; 0 at
 * the end; -1 with err filled as eqt_listing_lines_next(). *damaged is -1 with err filled
 * for another number of cells than the first line has, else 0. */
int eqt_sacct_reader_row(struct eqt_sacct_reader *reader, int *damaged,
			 struct eqt_error *err);

/* Close and free. 0, or -1 with err filled: the command failed. err may be NULL. */
int eqt_sacct_reader_close(struct eqt_sacct_reader *reader,
			   struct eqt_error *err);

#endif
