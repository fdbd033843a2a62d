/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * params: equitree's words in PriorityParameters (slurm.conf).
 *
 *	PriorityParameters=period=30,stock_ties
 *
 * A comma list; case and blanks around a word do not count.
 *	period=SECONDS	the time between passes, 1 to 86400
 *	plain_walk	jobs and associations are visited without caches
 *	stock_compat	behave as Slurm's own priority/multifactor
 *	stock_billing	the same for what a job is charged,
 *	stock_ties	for ties,
 *	stock_decay	for the decay of usage,
 *	stock_recovery	for usage after slurmctld was down
 * Any other word that begins with stock_, or that looks like a misspelling of one
 * of these, is an error. Other words may belong to the site and are ignored.
 */
#ifndef EQT_PARAMS_H
#define EQT_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The parts that behave as in stock Slurm; docs/PARITY.md has a line for each
 * member. All members are bool: stock_compat sets them as an array.
 */
struct eqt_stock {
	/* stock_billing */
	bool billing; /* TRESBillingWeights instead of equivalents */
	bool requeue; /* a requeued job keeps its first run's billing */
	/* stock_ties */
	bool ties; /* tied sibling accounts are not merged */
	/* stock_decay */
	bool decay; /* 1 - 0.693/half-life a second, in doubles */
	/* stock_recovery */
	bool recovery; /* usage comes from slurmctld's own files alone */
	bool reset; /* missed resets are made up, one a pass */
	/* stock_compat alone */
	bool resize; /* a resize charges twice and keeps run-seconds */
	bool tail; /* the last seconds of a job are free without limits */
	bool phantom; /* a job that never ran may be charged */
	bool ended; /* CALCULATE_RUNNING is for ended jobs too */
	bool extras; /* no period=, no options that stock does not have */
	bool new_users; /* factor 0 until the next pass */
	bool reconfigure; /* no pass at once, half-life with the next */
	bool shares; /* not normalised again when Fair Tree is switched */
	bool clock; /* passes and charges go back with the wall clock */
	bool limits; /* run-seconds after a restart */
	bool sprio; /* what sprio gets of jobs in several partitions */
	bool qos; /* of several QOS one of Priority 0 counts as the job's own */
};

/* A plain value; nothing to free. */
struct eqt_params {
	uint32_t period_s; /* 0: not set */
	bool plain_walk;
	struct eqt_stock stock;
};

/*
 * Read the list (NULL: empty). Returns 0, or -1 with err filled and out
 * untouched: a period that is no number from 1 to 86400, or a misspelled word; the
 * error names the nearest word.
 */
int eqt_params_parse(struct eqt_params *out, const char *text,
		     struct eqt_error *err);

#endif
