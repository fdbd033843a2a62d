/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_secs: the run-seconds that a QOS counts for accounts and users. A part of
 * compat.h, which includes this file. */
#ifndef EQT_COMPAT_RUN_SECS_H
#define EQT_COMPAT_RUN_SECS_H

/* The run-seconds that a QOS counts for one user or account, or NULL if this
 * release does not count them. */
static inline uint64_t *eqt_used_run_secs(slurmdb_used_limits_t *used)
{
#if EQT_HAVE_USED_RUN_SECS
	return used->tres_run_secs;
#else
	(void) used;
	return NULL;
#endif
}

/*
 * From 24.05 on, a QOS also counts the run-seconds of each account and each
 * user. In earlier releases both members are NULL. The job must have an
 * association, and assoc_mgr's QOS lock is held for writing.
 */
struct eqt_run_secs {
	uint64_t *account;
	uint64_t *user;
};

static inline struct eqt_run_secs eqt_run_secs_of(slurmdb_qos_rec_t *qos,
						  const job_record_t *job)
{
	struct eqt_run_secs secs = { NULL, NULL };

	if (!EQT_HAVE_USED_RUN_SECS)
		return secs;
	secs.account = eqt_used_run_secs(acct_policy_get_acct_used_limits(
		&qos->usage->acct_limit_list, job->assoc_ptr->acct));
	secs.user = eqt_used_run_secs(acct_policy_get_user_used_limits(
		&qos->usage->user_limit_list, job->user_id));
	return secs;
}

#endif
