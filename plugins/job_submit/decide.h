/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decide: apply equitree.conf to one request. The result is the price of the
 * request, or the reason for refusing it. It also has the account, and another
 * QOS if a grant or a budget is used up.
 */
#ifndef EQT_DECIDE_H
#define EQT_DECIDE_H

#include <slurm/slurm.h>

#include "conf_swap.h"
#include "decision.h"

/*
 * Judge a description without changing it.
 *
 * The strings of the description must be within Slurm's limits
 * (eqt_reading_too_long()). `job` is the id of the job that the description
 * changes, or 0 for a submission. If `advise` is set, look for a cheaper
 * request as well.
 *
 * Returns SLURM_SUCCESS, or the error with which Slurm refuses the description.
 * *out borrows names from the configuration. The caller holds slurmctld's part
 * and node locks for reading, and no lock of assoc_mgr.
 */
int eqt_decide(struct eqt_decision *out, const struct eqt_shared_conf *shared,
	       const job_desc_msg_t *desc, uint32_t job, bool advise);

/* Does a judged request get whole nodes because it needs many nodes, although
 * it did not ask for whole ones? */
bool eqt_decide_gives_whole(const struct eqt_decision *decision,
			    const struct eqt_conf *conf,
			    const job_desc_msg_t *desc);

#endif
