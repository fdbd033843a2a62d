/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * params: the words of PriorityParameters (slurm.conf) that are ours.
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
 * Another word that begins with stock_ or is spelled almost as one of these is
 * an error. All others are a site's own and are passed over.
 */
#ifndef EQT_PARAMS_H
#define EQT_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What is to be as stock does it; docs/PARITY.md has a line for each member. All
 * members are bool: stock_compat sets them as an array.
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
	bool recovery; /* usage is what slurmctld's own files hold */
	bool reset; /* missed resets are made up, one a pass */
	/* stock_compat alone */
	bool resize; /* charged twice up to a resize, run-seconds left */
	bool tail; /* the last seconds of a job are free without limits */
	bool phantom; /* a job that never ran may be charged */
	bool ended; /* CALCULATE_RUNNING is for ended jobs too */
	bool extras; /* period, and options that stock has not */
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
 * untouched: a period that is no number of 1 to 86400, or a word that is none of
 * ours and looks like one; the error names the nearest word.
 */
int eqt_params_parse(struct eqt_params *out, const char *text,
		     struct eqt_error *err);

#endif
