/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judge: what equitree.conf says of one submission: its price, or why it is
 * refused, and the account that it goes to.
 */
#ifndef EQT_JUDGE_H
#define EQT_JUDGE_H

#include <stdbool.h>

#include <slurm/slurm.h>

#include "eqt_bill.h"
#include "eqt_conf.h"
#include "eqt_error.h"

/* What came of it. Not to be copied: the bill points into it. */
struct eqt_judgement {
	bool priced;
	struct eqt_bill bill; /* when priced; of all partitions named */
	bool routed; /* the description has another account now */
	struct eqt_error refusal; /* when refused: why */
	struct eqt_prices prices; /* of the first partition */
};

/*
 * Judge a description, whose account alone may be changed. Returns
 * SLURM_SUCCESS, or the error with which Slurm is to refuse it. Names in *out
 * are borrowed from conf. slurmctld's part and node locks are held for
 * reading, no lock of assoc_mgr.
 */
int eqt_judge(struct eqt_judgement *out, const struct eqt_conf *conf,
	      job_desc_msg_t *desc);

#endif
