/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bill_options: sbatch's own options, from the command line and from a batch
 * script, as requests. */
#ifndef EQT_BILL_OPTIONS_H
#define EQT_BILL_OPTIONS_H

#include "cli/common.h"
#include "price/job_spec.h"
#include "bill/script.h"

/* Texts that options own. */
enum {
	EQT_LIST_JOB, /* --gpus */
	EQT_LIST_GRES, /* --gres */
	EQT_LIST_NODE, /* --gpus-per-node */
	EQT_LIST_NODE_ALL, /* both */
	EQT_LIST_SOCKET,
	EQT_LIST_TASK,
	EQT_LIST_CPUS,
	EQT_LISTS
};

/* One component of a job; most jobs have one. */
struct eqt_bill_ask {
	const char *partition, *qos; /* -p, -q; NULL: none named */
	struct eqt_job_spec ask; /* its strings: argv's, the script's, lists' */
	char *lists[EQT_LISTS]; /* owned */
};

struct eqt_bill_options {
	const char *conf; /* -f; NULL: the usual place */
	const char *nodes, *partitions; /* files; NULL: not known */
	uint64_t usage_factor_u; /* --usage-factor, millionths */
	struct eqt_common common;
	const char *script_path; /* NULL: none */
	struct eqt_script script;
	struct eqt_bill_ask *asks; /* owned */
	int components; /* 1 at least */
};

/*
 * Read the command line, and the script that it names, into *options, which
 * eqt_bill_options_free() empties. Options of the line win over those of the
 * script. Does not return when the line is misused or asks for help; -1 with
 * err filled ("FILE:LINE: why") when the script has an error.
 */
int eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			   char **argv, struct eqt_error *err);
void eqt_bill_options_free(struct eqt_bill_options *options);

#endif
