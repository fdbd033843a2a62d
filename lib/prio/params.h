/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_params: the words of PriorityParameters (slurm.conf) that are ours.
 *
 *	PriorityParameters=period=30,stock_ties
 *
 * A comma list, in capitals or not; blanks around a word do not count.
 *	period=SECONDS	the time between passes, 1 to 86400
 *	stock_compat	all the stock_ words together
 *	stock_...	one of what equitree does better is left to be as
 *			Slurm's own priority/multifactor does it
 * Words that neither begin with stock_ nor are period are a site's own.
 */
#ifndef EQT_PARAMS_H
#define EQT_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * What is to be as stock does it; a member is named as its word. docs/PARITY.md
 * has a line for each.
 */
struct eqt_stock {
	bool ties; /* tied sibling accounts are not merged */
	bool decay; /* 1 - 0.693/half-life a second, in doubles */
	bool billing; /* TRESBillingWeights instead of equivalents */
	bool requeue; /* with billing: a requeued job keeps its first run's */
	bool resize; /* charged twice up to a resize, run-seconds left */
	bool tail; /* the last seconds of a job are free without limits */
	bool phantom; /* a job that never ran may be charged */
	bool ended; /* CALCULATE_RUNNING is for ended jobs too */
	bool extras; /* period, and options that stock has not */
	bool new_users; /* factor 0 until the next pass */
	bool reconfigure; /* no pass at once, half-life with the next */
	bool shares; /* not normalised anew when Fair Tree is switched */
	bool recovery; /* usage is what slurmctld's own files hold */
	bool clock; /* passes and charges go back with the wall clock */
	bool limits; /* run-seconds after a restart */
	bool reset; /* resets that were missed are made up, one a pass */
	bool sprio; /* what sprio is told of jobs in several partitions */
	bool qos; /* of several QOS one of Priority 0 counts as the job's own */
};

/* A plain value; nothing to free. */
struct eqt_params {
	uint32_t period_s; /* 0: not set */
	struct eqt_stock stock;
	char unknown[64]; /* the first stock_ word that is none; "": all are
			     known */
};

/*
 * Read the list (NULL: empty). Returns 0, or -1 with err filled and out
 * untouched: a period that is no number of 1 to 86400.
 */
int eqt_params_parse(struct eqt_params *out, const char *text,
		     struct eqt_error *err);

/* The i-th stock_ word, from 0 on; NULL behind the last one. */
const char *eqt_params_stock_word(size_t i);

#endif
