/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decide: apply equitree.conf to one request. The result is its price or the
 * reason why it is refused, its account, and its QOS when the grant is spent.
 */
#ifndef EQT_DECIDE_H
#define EQT_DECIDE_H

#include <slurm/slurm.h>

#include "conf_swap.h"
#include "decision.h"

/*
 * Judge a description, which is not changed. Its strings are within Slurm's limits
 * (eqt_reading_too_long()). job: the id of the job that it is to change; 0: it is a
 * submission. advise: look for a cheaper request. Returns SLURM_SUCCESS, or the error with
 * which Slurm is to refuse it. Names in *out are borrowed from the configuration. The caller
 * holds slurmctld's part and node locks for reading, and no lock of assoc_mgr.
 */
int eqt_decide(struct eqt_decision *out, const struct eqt_shared_conf *shared,
	       const job_desc_msg_t *desc, uint32_t job, bool advise);

/* Must a description that was judged get whole nodes because it needs so many, although it does
 * not ask for whole ones? */
bool eqt_decide_gives_whole(const struct eqt_decision *decision,
			    const struct eqt_conf *conf,
			    const job_desc_msg_t *desc);

#endif
