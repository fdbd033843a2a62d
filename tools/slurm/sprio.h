/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio: the points of pending jobs, from the output of "sprio -l". */
#ifndef EQT_SLURM_SPRIO_H
#define EQT_SLURM_SPRIO_H

#include <stdbool.h>

#include "slurm/text/columns.h"

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

/*
 * A pending job in one of its partitions. Strings are borrowed from the table.
 */
struct eqt_sprio_job {
	const char *id;
	const char *partition;
	const char *user;
	int64_t priority;
	/* nice is negative if it lowers the priority */
	int64_t points[EQT_SPRIO_FACTORS];
};

/* Owns its memory; {0} is empty. */
struct eqt_sprio {
	struct eqt_columns table;
	size_t count;
	struct eqt_sprio_job *jobs;
	bool weighted; /* are the weights known? */
	/* 0 for a factor without a weight */
	int64_t weights[EQT_SPRIO_FACTORS];
};

/*
 * Read the output of "sprio -l" and "sprio -wl" from files, or run sprio if a path is
 * NULL. If only weights_path is NULL, the weights stay unknown. Returns 0, or -1 with err
 * filled. Possible errors: an error of eqt_listing_read() or eqt_columns_cut_spaces(), a
 * missing column, a cell that is not a number.
 */
int eqt_sprio_read(struct eqt_sprio *out, const char *jobs_path,
		   const char *weights_path, struct eqt_error *err);

/* Free what *pending owns. *pending is empty afterwards. */
void eqt_sprio_free(struct eqt_sprio *pending);

/* The name of a factor for use in a sentence. */
const char *eqt_sprio_factor_name(enum eqt_sprio_factor factor);

#endif
