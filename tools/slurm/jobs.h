/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_jobs: running and pending jobs out of what "scontrol show job"
 * prints. */
#ifndef EQT_SLURM_JOBS_H
#define EQT_SLURM_JOBS_H

#include <stdbool.h>

#include "price/canonical_unit.h"
#include "slurm/records.h"

/* A job; values are the text's. */
struct eqt_scontrol_job {
	struct eqt_scontrol_value id, user, account, partition;
	bool running;
	bool pending; /* and could start: not held, no dependency, ... */
	bool waits_else; /* pending for another reason than resources */
	uint64_t priority;
	uint64_t nodes; /* at least 1 */
	uint64_t billing;
	struct eqt_unit_amounts total; /* of all its nodes */
	struct eqt_scontrol_value model; /* "p100"; none when any GPU will do */
};

/* Owned; {0} has none. */
struct eqt_scontrol_jobs {
	struct eqt_scontrol_records records;
	size_t count;
	struct eqt_scontrol_job
		*jobs; /* neither running nor pending: left out */
	size_t unclear; /* left out: a name or comment looks like keys */
};

/*
 * Read a file (NULL: ask scontrol). 0, or -1 with err filled: what
 * stock_records refuses, a number that is none.
 */
int eqt_scontrol_jobs_read(struct eqt_scontrol_jobs *out, const char *path,
			   struct eqt_error *err);

/* Free what *jobs owns; it is empty then. */
void eqt_scontrol_jobs_free(struct eqt_scontrol_jobs *jobs);

#endif
