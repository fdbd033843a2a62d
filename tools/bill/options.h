/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options: sbatch's own options, from the command line and from a batch script,
 * as requests. */
#ifndef EQT_BILL_OPTIONS_H
#define EQT_BILL_OPTIONS_H

#include "bill/component.h"
#include "bill/script.h"
#include "cli/output_options.h"

struct eqt_sbatch_options {
	const char *conf; /* -f; NULL: beside slurm.conf */
	const char *nodes, *partitions, *config; /* files; NULL: not given */
	uint64_t usage_factor_u; /* --usage-factor, millionths */
	struct eqt_output_options common;
	const char *script_path; /* NULL: none */
	struct eqt_script script;
	struct eqt_sbatch_component *asks; /* owned */
	int components; /* at least 1 */
};

/*
 * Read the command line, and the script that it names, into *options, which
 * eqt_sbatch_options_free() frees. Options of the command line override those
 * of the script. Does not return when the command line is misused or asks for
 * help. -1 with err filled ("FILE:LINE: why") when the script has an error.
 */
int eqt_sbatch_options_parse(struct eqt_sbatch_options *options, int argc,
			     char **argv, struct eqt_error *err);
void eqt_sbatch_options_free(struct eqt_sbatch_options *options);

#endif
