/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modify: a change of a pending job, checked like a submission of the changed
 * job. Needs Slurm's internal headers.
 */
#ifndef EQT_MODIFY_H
#define EQT_MODIFY_H

#include "slurm/compat.h"
#include "conf/conf.h"
#include "decide.h"
#include "conf_swap.h"

/* A change, and the user who makes it; borrowed. */
struct eqt_change {
	const job_desc_msg_t *desc; /* only the changed fields are set */
	uint32_t uid;
};

/* Does the change hold the job, and has its author a say over it? The same locks. */
bool eqt_modify_is_hold(const job_record_t *job,
			const struct eqt_change *change);

/*
 * Judge a change by a user. Returns SLURM_SUCCESS, or the error with which
 * Slurm is to refuse it; *told says whether *out is filled at all. It is not
 * for changes that concern no rule, for jobs that are not pending, for
 * operators, whom no rule binds, and for whom Slurm will refuse for not having
 * a say over the job: 22.05 asks only after this, and such a user is to learn
 * nothing. A job that breaks a rule as it is may be changed where that makes
 * no difference. slurmctld's job, part and node locks are held for reading at
 * least, no lock of assoc_mgr.
 */
int eqt_modify(struct eqt_decision *out, bool *told,
	       const struct eqt_shared_conf *shared, const job_record_t *job,
	       const struct eqt_change *change);

#endif
