/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modify: checks a change of a pending job as if the changed job were
 * submitted. Needs Slurm's internal headers.
 */
#ifndef EQT_MODIFY_H
#define EQT_MODIFY_H

#include "slurm/compat.h"
#include "conf_swap.h"
#include "decision.h"

/* A change, and the user who makes it. The pointer is borrowed. */
struct eqt_change {
	/* Only the fields that the user changes are set. */
	const job_desc_msg_t *desc;
	uint32_t uid;
};

/* Does the change hold the job, and may its author change the job? The caller
 * holds slurmctld's job lock at least for reading, and no lock of assoc_mgr. */
bool eqt_modify_is_hold(const job_record_t *job,
			const struct eqt_change *change);

/*
 * Judge a user's change of a job. Returns SLURM_SUCCESS, or the error with
 * which Slurm refuses the change. *told says whether *out is filled. *out is
 * not filled
 *
 * for changes that concern no rule,
 *   for jobs that are not pending,
 *   for operators, who are exempt from rules,
 *   for users who may not change the job: 22.05 checks that only after this
 *   call, and such a user must learn nothing about the job.
 *
 * A job that already breaks a rule may be changed if it breaks the same rule
 * afterwards. The caller holds slurmctld's job, part and node locks at least
 * for reading, and no lock of assoc_mgr.
 */
int eqt_modify(struct eqt_decision *out, bool *told,
	       const struct eqt_shared_conf *shared, const job_record_t *job,
	       const struct eqt_change *change);

#endif
