/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof: checks that the record of charges, fair share, budgets and accounting agree. */
#ifndef EQT_PROOF_H
#define EQT_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/names.h"

/* The sources of the comparison. A plain value that borrows. A source that is NULL is
 * asked from Slurm. */
struct eqt_proof_options {
	/* equitree.conf; NULL: the file in the folder of slurm.conf */
	const char *conf;
	const char *charges; /* folder of the record */
	/* The folder of equitree_budgets and of the record. */
	const char *state;
	/* saved output of sshare, scontrol and sacct */
	const char *assocs, *config, *jobs;
	int64_t now_s;
	uint64_t days; /* days of accounting to compare */
	bool json;
};

/* The usage of an association according to the record, without associations below it. */
struct eqt_proof_usage {
	const char *name; /* its id */
	double raw; /* in the unit of RawUsage */
	double billing; /* usage of the billing TRES, in seconds */
};

/* All usages. Owns its memory; {0} is empty. */
struct eqt_proof_usages {
	struct eqt_names assocs; /* entries are struct eqt_proof_usage, by id */
	int64_t begin_s; /* begin of the record; 0: it has no lines */
};

/*
 * Recompute from the record of charges each association's RawUsage and usage of the
 * billing TRES, and what budgets have spent. Compare these with sshare and with the
 * budgets' journal, and the runs of the last days with accounting. slurmctld also
 * compares its own balances with the journal. Print the differences. Returns 0 if there
 * are none, 1 if there are some, or -1 with err filled if a source cannot be read.
 */
int eqt_proof_make(const struct eqt_proof_options *options,
		   struct eqt_error *err);

/*
 * Add up the usage of each association as of a pass, from the record of charges in a
 * folder. Returns 0, or -1 with err filled if the record cannot be read, or if lines are
 * damaged or missing.
 */
int eqt_proof_usage_read(struct eqt_proof_usages *out, const char *folder,
			 uint32_t half_life_s, int64_t pass_s,
			 struct eqt_error *err);

#endif
