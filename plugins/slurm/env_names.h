/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * env_names: the environment variables that carry the price of a job, and the
 * variables that control whether a submission prints the price.
 * spank_equitree(8) describes each of them.
 */
#ifndef EQT_ENV_NAMES_H
#define EQT_ENV_NAMES_H

#define EQT_ENV_PRICE "EQUITREE_PRICE"
#define EQT_ENV_PRICE_MAX "EQUITREE_PRICE_MAX"
#define EQT_ENV_UNIT "EQUITREE_UNIT"
#define EQT_ENV_DECIDED_BY "EQUITREE_DECIDED_BY"
#define EQT_ENV_RATE "EQUITREE_RATE"
#define EQT_ENV_RATE_MAX "EQUITREE_RATE_MAX"
#define EQT_ENV_BILLING "EQUITREE_BILLING"
#define EQT_ENV_MONEY_RATE "EQUITREE_MONEY_RATE"
#define EQT_ENV_CURRENCY "EQUITREE_CURRENCY"

/* Variables that the client plugin sends with a submission in spank_job_env.
 * The first is the word from the user's environment, the second says whether
 * stderr is a terminal. */
#define EQT_SENT_BILL "EQUITREE_BILL"
#define EQT_SENT_TERMINAL "EQUITREE_TERMINAL"

/* Variables that a user sets. SBATCH_EQUITREE_BILL applies to sbatch only and
 * takes precedence. */
#define EQT_USER_BILL "EQUITREE_BILL"
#define EQT_USER_SBATCH_BILL "SBATCH_EQUITREE_BILL"

/* The names of all variables that describe a price, as the elements of an
 * array. */
#define EQT_ENV_NAMES                                                       \
	EQT_ENV_PRICE, EQT_ENV_PRICE_MAX, EQT_ENV_UNIT, EQT_ENV_DECIDED_BY, \
		EQT_ENV_RATE, EQT_ENV_RATE_MAX, EQT_ENV_BILLING,            \
		EQT_ENV_MONEY_RATE, EQT_ENV_CURRENCY

#endif
