/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pending: the points of pending jobs out of what "sprio -l" prints. */
#ifndef EQT_PENDING_H
#define EQT_PENDING_H

#include <stdbool.h>

#include "slurm/table.h"

enum eqt_factor {
	EQT_FACTOR_FAIRSHARE,
	EQT_FACTOR_AGE,
	EQT_FACTOR_ASSOC,
	EQT_FACTOR_SIZE,
	EQT_FACTOR_PARTITION,
	EQT_FACTOR_QOS,
	EQT_FACTOR_TRES,
	EQT_FACTOR_SITE,
	EQT_FACTOR_NICE,
	EQT_FACTORS
};

/* A pending job in one of its partitions. Strings are the table's. */
struct eqt_pending_job {
	const char *id;
	const char *partition;
	const char *user;
	int64_t priority;
	int64_t points[EQT_FACTORS]; /* nice: what it takes away, below 0 */
};

/* Owned; {0} is an empty one. */
struct eqt_pending {
	struct eqt_stock_table table;
	size_t count;
	struct eqt_pending_job *jobs;
	bool weighted; /* are the weights known? */
	int64_t weights[EQT_FACTORS]; /* 0 where there is none */
};

/*
 * Read "sprio -l" and "sprio -wl" from files or, where the path is NULL, from
 * sprio; a path for the first alone leaves the weights unknown. 0, or -1 with
 * err filled: what stock_text and stock_table refuse, a missing column, a
 * cell that is no number.
 */
int eqt_pending_read(struct eqt_pending *out, const char *jobs_path,
		     const char *weights_path, struct eqt_error *err);

/* Free what *pending owns; it is empty then. */
void eqt_pending_free(struct eqt_pending *pending);

/* The name of a factor as in a sentence. */
const char *eqt_factor_name(enum eqt_factor factor);

#endif
