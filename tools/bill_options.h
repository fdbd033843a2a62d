/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bill_options: sbatch's own options as a request. */
#ifndef EQT_BILL_OPTIONS_H
#define EQT_BILL_OPTIONS_H

#include <stdbool.h>

#include "eqt_ask.h"

/* The lists that sbatch sends with "gres:gpu:" before each of their items. */
enum {
	EQT_LIST_JOB,
	EQT_LIST_NODE,
	EQT_LIST_SOCKET,
	EQT_LIST_TASK,
	EQT_LIST_CPUS,
	EQT_LIST_MEM,
	EQT_LISTS
};

struct eqt_bill_options {
	const char *conf; /* -f; NULL: the usual place */
	bool json;
	const char *partition, *qos; /* -p, -q; NULL: none named */
	uint64_t usage_factor_u; /* --usage-factor, millionths */
	struct eqt_ask ask; /* its strings: argv's and lists' */
	char *lists[EQT_LISTS]; /* owned */
};

/*
 * Read the command line into *options, which eqt_bill_options_free() empties.
 * Does not return when the line is misused or asks for help.
 */
void eqt_bill_options_parse(struct eqt_bill_options *options, int argc,
			    char **argv);
void eqt_bill_options_free(struct eqt_bill_options *options);

#endif
