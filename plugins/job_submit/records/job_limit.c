/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm compares the same limits with the billing of its TRESBillingWeights.
 * acct_policy_set_qos_order(), _qos_policy_validate() and
 * acct_policy_validate() of src/slurmctld/acct_policy.c decide which of the
 * limits apply. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "job_limit.h"

/* The limits of a QOS. If two QOS apply to a job, the first that has a limit
 * decides. */
enum { PER_JOB, PER_USER, PER_ACCOUNT, OF_ALL, LISTS };
static const struct {
	size_t at;
	const char *key;
} qos_list[LISTS] = {
	[PER_JOB] = { offsetof(slurmdb_qos_rec_t, max_tres_pj_ctld),
		      "MaxTRESPerJob" },
	[PER_USER] = { offsetof(slurmdb_qos_rec_t, max_tres_pu_ctld),
		       "MaxTRESPerUser" },
	[PER_ACCOUNT] = { offsetof(slurmdb_qos_rec_t, max_tres_pa_ctld),
			  "MaxTRESPerAccount" },
	[OF_ALL] = { offsetof(slurmdb_qos_rec_t, grp_tres_ctld), "GrpTRES" },
};

/* Lower the result to the limit of a list. Returns false if the list has no
 * limit. */
static bool limit_lower(struct eqt_job_limit *limit, const uint64_t *list,
			const char *key, const char *kind, const char *name)
{
	if (!list || list[TRES_ARRAY_BILLING] >= NO_VAL64)
		return false;
	if (list[TRES_ARRAY_BILLING] >= limit->billing)
		return true;
	limit->billing = list[TRES_ARRAY_BILLING];
	limit->key = key;
	(void) snprintf(limit->owner, sizeof(limit->owner), "%s %s", kind,
			name ? name : "");
	return true;
}

/* Lower the result by one limit of the two QOS. Returns false if neither has
 * it. */
static bool limit_lower_by_qos(struct eqt_job_limit *limit,
			       const slurmdb_qos_rec_t *const qos[2], int list)
{
	for (int i = 0; i < 2; i++) {
		const uint64_t *numbers;

		if (!qos[i])
			continue;
		memcpy(&numbers, (const char *) qos[i] + qos_list[list].at,
		       sizeof(numbers));
		if (limit_lower(limit, numbers, qos_list[list].key, "QOS",
				qos[i]->name))
			return true;
	}
	return false;
}

static void limit_lower_by_assoc(struct eqt_job_limit *limit,
				 const slurmdb_assoc_rec_t *assoc,
				 const bool by_qos[LISTS])
{
	/* slurmctld copies MaxTRESPerJob from the levels above into each
	   association, but it does not copy GrpTRES. */
	if (assoc && !by_qos[PER_JOB])
		(void) limit_lower(limit, assoc->max_tres_ctld, "MaxTRESPerJob",
				   "account", assoc->acct);
	for (; assoc && assoc->usage && !by_qos[OF_ALL];
	     assoc = assoc->usage->parent_assoc_ptr)
		(void) limit_lower(limit, assoc->grp_tres_ctld, "GrpTRES",
				   assoc->user ? "user" : "account",
				   assoc->user ? assoc->user : assoc->acct);
}

bool eqt_job_limit_holds(void)
{
	const char *params = slurm_conf.priority_params;

	return (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	       slurm_conf.priority_type &&
	       strcmp(slurm_conf.priority_type, "priority/equitree") == 0 &&
	       (!params || (!strstr(params, "stock_billing") &&
			    !strstr(params, "stock_compat")));
}

void eqt_job_limit_read(struct eqt_job_limit *out,
			const struct eqt_owner *owner, const char *qos,
			const part_record_t *part)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const slurmdb_qos_rec_t *own, *order[2];
	bool by_qos[LISTS];

	out->billing = UINT64_MAX;
	assoc_mgr_lock(&locks);
	own = qos[0] ? eqt_associations_find_qos(qos) : NULL;
	order[0] = part ? part->qos_ptr : NULL;
	order[1] = own;
	if (own && (own->flags & QOS_FLAG_OVER_PART_QOS)) {
		order[1] = order[0];
		order[0] = own;
	}
	for (int i = 0; i < LISTS; i++)
		by_qos[i] = limit_lower_by_qos(out, order, i);
	limit_lower_by_assoc(out, eqt_associations_find(owner), by_qos);
	assoc_mgr_unlock(&locks);
}
