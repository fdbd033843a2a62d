/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: what a proof compares. */
#ifndef EQT_PROOF_OPTIONS_H
#define EQT_PROOF_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What is compared; a plain value that borrows. NULL: ask Slurm. */
struct eqt_proof_options {
	const char *conf; /* equitree.conf; NULL: beside slurm.conf */
	const char *charges; /* the folder of the record */
	const char *state; /* that of equitree_budgets, and of the record */
	const char *assocs, *config, *jobs; /* of sshare, scontrol, sacct */
	int64_t now_s;
	uint64_t days; /* of accounting */
	bool json;
};

#endif
