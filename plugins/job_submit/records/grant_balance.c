/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "grant_balance.h"

/* Whole minutes of a number of seconds, rounded down as in Slurm. */
static uint64_t minutes(long double seconds)
{
	/* NaN and numbers above 2^63 cannot be converted. */
	if (!(seconds < 9.2e18L))
		return UINT64_MAX / 60;
	return seconds > 0 ? (uint64_t) (seconds / 60) : 0;
}

/* The grant of one association; false if it has none. */
static bool take_level(struct eqt_grant *out, const slurmdb_assoc_rec_t *assoc,
		       uint64_t billing_scale)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;
	long double used = usage->usage_raw * (long double) billing_scale;

	if (!assoc->grp_tres_mins_ctld ||
	    assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING] >= NO_VAL64)
		return false;
	out->limit = assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING];
	out->running = 0;
	/* slurmctld counts these only if it enforces limits. */
	if (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) {
		used = usage->usage_tres_raw[TRES_ARRAY_BILLING];
		out->running =
			usage->grp_used_tres_run_secs[TRES_ARRAY_BILLING] / 60;
	}
	out->used = minutes(used);
	(void) snprintf(out->account, sizeof(out->account), "%s",
			assoc->acct ? assoc->acct : "");
	(void) snprintf(out->user, sizeof(out->user), "%s",
			assoc->user ? assoc->user : "");
	return true;
}

enum eqt_grant_state eqt_grant_balance_read(struct eqt_grant *out,
					    const struct eqt_owner *owner,
					    uint64_t needed,
					    uint64_t billing_scale)
{
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	enum eqt_grant_state worst = EQT_GRANT_FINE;
	struct eqt_grant level = { .needed = needed };
	const slurmdb_assoc_rec_t *assoc;

	assoc_mgr_lock(&locks);
	for (assoc = eqt_associations_find(owner); assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		enum eqt_grant_state state;

		if (!take_level(&level, assoc, billing_scale))
			continue;
		state = eqt_grant_judge(&level);
		if (state > worst) {
			worst = state;
			*out = level;
		}
	}
	assoc_mgr_unlock(&locks);
	return worst;
}
