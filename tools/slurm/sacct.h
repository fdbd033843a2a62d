/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct: jobs that ran or still wait, from the output of "sacct -P". */
#ifndef EQT_SLURM_SACCT_H
#define EQT_SLURM_SACCT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/text/columns.h"
#include "slurm/text/listing.h"

/* The columns to request from sacct. All of them exist since Slurm 17.02. */
#define EQT_SACCT_FORMAT                                                  \
	"JobIDRaw,Cluster,Account,User,Partition,QOS,State,Submit,Start," \
	"End,ElapsedRaw,Suspended,AllocTRES,NodeList"

#define EQT_SACCT_COMMAND 512

/*
 * Write the sacct command that lists all runs between two times. Its columns are
 * EQT_SACCT_FORMAT and "more", which is "" or a text such as ",Eligible". Times are in
 * seconds, so they depend neither on the locale nor on the zone. With states (-s) sacct
 * selects jobs by the time of their run. Without states it selects them by the time at
 * which they became eligible, which changes if a running job is held.
 *
 * A random text follows each cell. eqt_sacct_reader_open() finds it in the line of column
 * names. -a lists the jobs of all users, -X leaves out steps (which TotalCPU needs), -D lists
 * all runs of a requeued job, and --noconvert prints exact memory. Returns buf.
 */
char *eqt_sacct_command(char buf[EQT_SACCT_COMMAND], int64_t from_s,
			int64_t until_s, const char *more);

enum eqt_sacct_column {
	EQT_SACCT_ID,
	EQT_SACCT_CLUSTER,
	EQT_SACCT_ACCOUNT,
	EQT_SACCT_USER,
	EQT_SACCT_PARTITION,
	EQT_SACCT_QOS,
	EQT_SACCT_STATE,
	EQT_SACCT_ELIGIBLE,
	/* time of submission; of a resized job: the time of the resize */
	EQT_SACCT_SUBMIT,
	EQT_SACCT_START,
	EQT_SACCT_END,
	EQT_SACCT_ELAPSED,
	EQT_SACCT_SUSPENDED,
	EQT_SACCT_LIMIT,
	EQT_SACCT_TRES,
	EQT_SACCT_NODES,
	EQT_SACCT_NAME, /* the id as users type it: 12_3 */
	EQT_SACCT_RSS, /* memory of a step */
	EQT_SACCT_TASKS, /* tasks of a step */
	EQT_SACCT_CPU, /* the CPU time that was used */
	EQT_SACCT_COMMENT,
	EQT_SACCT_WCKEY,
	EQT_SACCT_RESERVATION,
	EQT_SACCT_COLUMNS
};

/* Callers pass the columns that they need as a set of these bits. */
#define EQT_SACCT_BIT(column) (1u << (column))

/* The columns that eqt_sacct_job() needs. */
#define EQT_SACCT_RUNS                                                        \
	(EQT_SACCT_BIT(EQT_SACCT_ID) | EQT_SACCT_BIT(EQT_SACCT_ACCOUNT) |     \
	 EQT_SACCT_BIT(EQT_SACCT_USER) | EQT_SACCT_BIT(EQT_SACCT_PARTITION) | \
	 EQT_SACCT_BIT(EQT_SACCT_QOS) | EQT_SACCT_BIT(EQT_SACCT_START) |      \
	 EQT_SACCT_BIT(EQT_SACCT_END) | EQT_SACCT_BIT(EQT_SACCT_ELAPSED) |    \
	 EQT_SACCT_BIT(EQT_SACCT_SUSPENDED) | EQT_SACCT_BIT(EQT_SACCT_TRES))

/* One run of a job. Strings are borrowed from the table; "" for a missing column. */
struct eqt_sacct_job {
	const char *text[EQT_SACCT_COLUMNS];
	/* in seconds since the epoch; after a resize, the start of this size */
	int64_t start_s;
	/* in seconds since the epoch; of a running job: the time of sacct's answer */
	int64_t end_s;
	bool ended;
	uint64_t suspended_s; /* between start_s and end_s */
	size_t line;
};

/* Owns its memory; {0} is empty. */
struct eqt_sacct {
	struct eqt_columns table;
	size_t at[EQT_SACCT_COLUMNS];
	size_t rows;
};

/*
 * Read a file or, if path is NULL, the output of the command, which is borrowed for
 * messages. A list without rows is no error. Returns 0, or -1 with err filled. Possible
 * errors: an error of eqt_listing_read() or eqt_columns_cut(), a missing column that
 * eqt_sacct_job() needs.
 */
int eqt_sacct_read(struct eqt_sacct *out, const char *path, const char *command,
		   struct eqt_error *err);

/* Free what *sacct owns. *sacct is empty afterwards. */
void eqt_sacct_free(struct eqt_sacct *sacct);

/* A cell, borrowed. "" if the column is missing. */
const char *eqt_sacct_cell(const struct eqt_sacct *sacct, size_t row,
			   enum eqt_sacct_column column);

/* The name of a column. The text is static. */
const char *eqt_sacct_column_name(enum eqt_sacct_column column);

/*
 * Read the run in a row. Returns 1 with *out filled, or 0 for a step or a job that never
 * ran. Returns -1 with err filled if a time or number is invalid, or if times contradict
 * each other.
 */
int eqt_sacct_job(struct eqt_sacct_job *out, const struct eqt_sacct *sacct,
		  size_t row, struct eqt_error *err);

/* Reads one line at a time. Owns its memory, which eqt_sacct_reader_close() frees. */
struct eqt_sacct_reader {
	struct eqt_listing_lines lines;
	/* a table that has only the line of column names */
	struct eqt_sacct head;
	char **cell; /* cells of the current line */
	const char *delimiter; /* between two cells; a static text */
	bool has_last; /* a delimiter follows the last cell of a line as well */
	char *joined; /* lines of one job, if a cell of it has a line end */
};

/*
 * Open a file or, if path is NULL, run the command (borrowed), and read the line of
 * column names. Returns 0, or -1 with err filled. Possible errors: an error of
 * eqt_listing_lines_open() or eqt_listing_lines_next(), a missing column that is needed.
 */
int eqt_sacct_reader_open(struct eqt_sacct_reader *out, const char *path,
			  const char *command, unsigned int needed,
			  struct eqt_error *err);

/*
 * Read the next run of a job. Steps and jobs that never ran are skipped. Strings of *job
 * are borrowed until the next call. Returns 1, or 0 at the end. Returns -1 with err
 * filled for an error of eqt_sacct_job() or eqt_listing_lines_next(), and for a line that
 * does not have as many cells as the first. Cells of a command's output may hold '|' and
 * line ends, those of a file may not.
 */
int eqt_sacct_reader_next(struct eqt_sacct_reader *reader,
			  struct eqt_sacct_job *job, struct eqt_error *err);

/* Read the next line of any kind. reader->cell has its cells until the next call. Returns
 * 1, 0 at the end, or -1 with err filled like eqt_listing_lines_next(). *damaged is 0, or
 * -1 with err filled if the line does not have as many cells as the first. */
int eqt_sacct_reader_row(struct eqt_sacct_reader *reader, int *damaged,
			 struct eqt_error *err);

/* Close the reader and free its memory. "rc" is the result of the reading. If it is not 0,
 * the exit status of the command does not matter, and rc is returned. Otherwise returns 0,
 * or -1 with err filled if the command failed. */
int eqt_sacct_reader_close(struct eqt_sacct_reader *reader, int rc,
			   struct eqt_error *err);

#endif
