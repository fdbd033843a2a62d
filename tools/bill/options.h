/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: the command line of equitree bill for a request. */
#ifndef EQT_BILL_OPTIONS_H
#define EQT_BILL_OPTIONS_H

#include "sbatch/options.h"

struct eqt_bill_options {
	const char *conf; /* -f; NULL: beside slurm.conf */
	const char *nodes, *partitions, *config; /* files; NULL: not given */
	uint64_t usage_factor_u; /* --usage-factor, millionths; 0: not given */
	bool offline; /* --offline: Slurm is not asked */
	bool all_partitions;
	struct eqt_sbatch_options request;
};

/* As eqt_sbatch_options_parse(); the request is to be freed by
 * eqt_sbatch_options_free(). */
int eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			   char **argv, struct eqt_error *err);

#endif
