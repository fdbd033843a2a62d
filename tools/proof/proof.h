/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proof: that the record of charges, fair share, budgets and accounting say the same. */
#ifndef EQT_PROOF_H
#define EQT_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/names.h"

/* The sources of the comparison; a plain value that borrows. NULL: ask Slurm. */
struct eqt_proof_options {
	const char *conf; /* equitree.conf; NULL: beside slurm.conf */
	const char *charges; /* the folder of the record */
	/* The folder of equitree_budgets and of the record */
	const char *state;
	const char *assocs, *config, *jobs; /* of sshare, scontrol, sacct */
	int64_t now_s;
	uint64_t days; /* of accounting */
	bool json;
};

/* The usage of an association by the record, without associations below it. */
struct eqt_proof_usage {
	const char *name; /* its id */
	double raw; /* as RawUsage */
	double billing; /* usage of the billing TRES, in seconds */
};

/* All of them. Owns its memory; {0} is empty. */
struct eqt_proof_usages {
	struct eqt_names assocs; /* struct eqt_proof_usage by id */
	int64_t begin_s; /* of the record; 0: it has no lines */
};

/*
 * Recompute from the record of charges what each association has in RawUsage and in usage
 * of the billing TRES, and what budgets have spent; compare that with what sshare prints
 * and with the budgets' journal, and the runs of the last days with what accounting has.
 * slurmctld compares its own balances with that journal. Print the differences. 0: there
 * are none; 1: there are; -1 with err filled: something could not be read.
 */
int eqt_proof_make(const struct eqt_proof_options *options,
		   struct eqt_error *err);

/*
 * Add up what each association has as of a pass by the record of charges in a folder.
 * Returns 0, or -1 with err filled. Possible errors: it cannot be read, lines are damaged
 * or missing.
 */
int eqt_proof_usage_read(struct eqt_proof_usages *out, const char *folder,
			 uint32_t half_life_s, int64_t pass_s,
			 struct eqt_error *err);

#endif
