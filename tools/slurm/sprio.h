/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending: the points of pending jobs out of what "sprio -l" prints. */
#ifndef EQT_SLURM_SPRIO_H
#define EQT_SLURM_SPRIO_H

#include <stdbool.h>

#include "slurm/columns.h"

enum eqt_sprio_factor {
	EQT_SPRIO_FAIRSHARE,
	EQT_SPRIO_AGE,
	EQT_SPRIO_ASSOC,
	EQT_SPRIO_SIZE,
	EQT_SPRIO_PARTITION,
	EQT_SPRIO_QOS,
	EQT_SPRIO_TRES,
	EQT_SPRIO_SITE,
	EQT_SPRIO_NICE,
	EQT_SPRIO_FACTORS
};

/* A pending job in one of its partitions. Strings are the table's. */
struct eqt_sprio_job {
	const char *id;
	const char *partition;
	const char *user;
	int64_t priority;
	int64_t points
		[EQT_SPRIO_FACTORS]; /* nice: what it takes away, below 0 */
};

/* Owned; {0} is an empty one. */
struct eqt_sprio {
	struct eqt_columns table;
	size_t count;
	struct eqt_sprio_job *jobs;
	bool weighted; /* are the weights known? */
	int64_t weights[EQT_SPRIO_FACTORS]; /* 0 where there is none */
};

/*
 * Read "sprio -l" and "sprio -wl" from files or, where the path is NULL, from
 * sprio; a path for the first alone leaves the weights unknown. 0, or -1 with
 * err filled: what stock_text and stock_table refuse, a missing column, a
 * cell that is no number.
 */
int eqt_sprio_read(struct eqt_sprio *out, const char *jobs_path,
		   const char *weights_path, struct eqt_error *err);

/* Free what *pending owns; it is empty then. */
void eqt_sprio_free(struct eqt_sprio *pending);

/* The name of a factor as in a sentence. */
const char *eqt_sprio_factor_name(enum eqt_sprio_factor factor);

#endif
