/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * params: the words of equitree in PriorityParameters of slurm.conf.
 *
 *	PriorityParameters=period=30,stock_ties
 *
 * The words are separated by commas. Their case, and blanks around them, do not matter.
 *	period=SECONDS	the time between passes, 1 to 86400
 *	plain_walk	jobs and associations are visited without caches
 *	stock_compat	everything works as in Slurm's priority/multifactor
 *	stock_billing	the charge of a job works as there
 *	stock_ties	ties of the share tree work as there
 *	stock_decay	the decay of usage works as there
 *	stock_recovery	usage after a stop of slurmctld works as there
 * Any other word that begins with stock_, or that looks like a misspelling of a word
 * above, is an error. Other words may belong to the site and are ignored.
 */
#ifndef EQT_PARAMS_H
#define EQT_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * The parts that work as in stock Slurm. docs/PARITY.md has a line for each member. All
 * members are bool, because stock_compat sets them as an array.
 */
struct eqt_stock {
	/* The next two members are set by stock_billing. */
	bool billing; /* TRESBillingWeights are used instead of equivalents. */
	bool requeue; /* A requeued job keeps the billing of its first run. */
	/* The next member is set by stock_ties. */
	bool ties; /* Tied sibling accounts are not merged. */
	/* The next member is set by stock_decay. */
	/* The factor is 1 - 0.693/half-life for each second, of type double. */
	bool decay;
	/* The next two members are set by stock_recovery. */
	/* Usage comes only from the files of slurmctld itself. */
	bool recovery;
	bool reset; /* Missed resets are made later, one in each pass. */
	/* The other members are set by stock_compat only. */
	bool resize; /* A resize charges twice and keeps the run seconds. */
	/* The last seconds of a job without limits are not charged. */
	bool tail;
	bool phantom; /* A job that never ran may be charged. */
	bool ended; /* CALCULATE_RUNNING also applies to ended jobs. */
	/* There is no period= and no option that stock Slurm lacks. */
	bool extras;
	bool new_users; /* A new user has the factor 0 until the next pass. */
	/* There is no pass at a reconfiguration, and a new half-life is used in the
	 * next pass. */
	bool reconfigure;
	/* Shares are not normalised again if Fair Tree is switched on or off. */
	bool shares;
	/* Passes and charges follow the wall clock even if it is set back. */
	bool clock;
	/* Run seconds after a restart are those of stock Slurm. */
	bool limits;
	/* Sprio receives the same as from stock Slurm for jobs in several
	 * partitions. */
	bool sprio;
	/* In a job with several QOS, a QOS with Priority 0 counts as the QOS of the
	 * job. */
	bool qos;
};

/* The words that were read. A plain value. */
struct eqt_params {
	/* The seconds between passes; 0 if period= is not given. */
	uint32_t period_s;
	bool plain_walk;
	struct eqt_stock stock;
};

/*
 * Read the list of words, which may be NULL. Return 0, or -1 with err filled and *out
 * unchanged if the period is not a number from 1 to 86400 or a word is misspelled. The
 * error names the nearest word.
 */
int eqt_params_parse(struct eqt_params *out, const char *text,
		     struct eqt_error *err);

#endif
