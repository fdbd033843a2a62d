/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_sacct: jobs that ran, out of what "sacct -P" prints. */
#ifndef EQT_SLURM_SACCT_H
#define EQT_SLURM_SACCT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/columns.h"

/* The columns that are read; sacct has them since 17.02. */
#define EQT_SACCT_FORMAT                                               \
	"JobIDRaw,Cluster,Account,User,Partition,QOS,State,Start,End," \
	"ElapsedRaw,Suspended,AllocTRES,NodeList"

enum eqt_sacct_column {
	EQT_SACCT_ID,
	EQT_SACCT_CLUSTER,
	EQT_SACCT_ACCOUNT,
	EQT_SACCT_USER,
	EQT_SACCT_PARTITION,
	EQT_SACCT_QOS,
	EQT_SACCT_START,
	EQT_SACCT_END,
	EQT_SACCT_ELAPSED,
	EQT_SACCT_SUSPENDED,
	EQT_SACCT_TRES,
	EQT_SACCT_NODES,
	EQT_SACCT_COLUMNS
};

/* One run of a job; strings are borrowed from the table, "" if not told. */
struct eqt_sacct_job {
	const char *text[EQT_SACCT_COLUMNS];
	int64_t start_s; /* since the epoch */
	int64_t end_s; /* of one that runs: as far as sacct saw */
	uint64_t suspended_s; /* of that time */
	size_t line;
};

/* Owned; {0} has none. */
struct eqt_sacct {
	struct eqt_columns table;
	size_t at[EQT_SACCT_COLUMNS];
	size_t rows;
};

/*
 * Read a file or, path being NULL, what the command prints (borrowed: it is
 * the name in messages). No jobs at all is fine. 0, or -1 with err filled:
 * what stock_text and stock_table refuse, a column that is needed and not
 * there.
 */
int eqt_sacct_read(struct eqt_sacct *out, const char *path, const char *command,
		   struct eqt_error *err);

/* Free what *sacct owns; it is empty then. */
void eqt_sacct_free(struct eqt_sacct *sacct);

/*
 * The job of a row. 1 with *out filled; 0: a step, or one that never ran; -1
 * with err filled: a time or a number that is none, times that contradict each
 * other. Times without a zone are local: TZ must be that of the cluster.
 */
int eqt_sacct_job(struct eqt_sacct_job *out, const struct eqt_sacct *sacct,
		  size_t row, struct eqt_error *err);

#endif
