/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge: what equitree.conf says of one request: its price, or why it is
 * refused, the account that it goes to, and the QOS when its grant is spent.
 */
#ifndef EQT_DECIDE_H
#define EQT_DECIDE_H

#include <stdbool.h>

#include <slurm/slurm.h>

#include "price/quote.h"
#include "conf/conf.h"
#include "base/error.h"
#include "qos.h"
#include "conf_swap.h"

/* What came of it. Not to be copied: the bill points into it. */
struct eqt_decision {
	bool priced;
	struct eqt_quote quote; /* when priced; of all partitions named */
	char account[EQT_ACCOUNT_SIZE]; /* that it is to have; "": its own */
	bool moved; /* to the QOS below, which is not its own */
	struct eqt_qos qos;
	/* Does it draw on a grant, and how much of it at most, in one of the
	   partitions? In billing-minutes for its time limit; 0: not known. */
	bool draws;
	uint64_t needed_minutes;
	const char *needed_in; /* which of several that is, borrowed from
				  slurmctld; NULL: there is but one */
	struct eqt_error note; /* what the user should know; "": nothing */
	struct eqt_error refusal; /* when refused: why */
	/* the account that a job has which names none, once it was looked for;
	   "": the user has none */
	bool default_known;
	char default_account[EQT_ACCOUNT_SIZE];
	struct eqt_bundle_table prices; /* of the first partition */
};

/*
 * Judge a description, of which nothing is changed. Returns SLURM_SUCCESS, or
 * the error with which Slurm is to refuse it. Names in *out are borrowed from
 * the configuration, whose lists and strings are within Slurm's limits
 * (eqt_reading_too_long()). slurmctld's part and node locks are held for reading, no lock of
 * assoc_mgr.
 */
int eqt_decide(struct eqt_decision *out, const struct eqt_shared_conf *shared,
	       const job_desc_msg_t *desc);

#endif
