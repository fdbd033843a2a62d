/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_account: the account of a pool that a submission goes to. Needs Slurm's
 * internal headers; a build without them leaves accounts as they are.
 */
#ifndef EQT_POOL_ACCOUNT_H
#define EQT_POOL_ACCOUNT_H

#include <slurm/slurm.h>

#include "base/error.h"
#include "price/grant.h"
#include "job/rules.h"

/* Where a job belongs. */
struct eqt_pool_account {
	const struct eqt_pools *pools;
	enum eqt_pool pool;
	const char *partition; /* NULL: not known */
	const char *own; /* the account that the job names, or the user's
			    default one; "": none */
};

/*
 * Put into account, of EQT_ACCOUNT_SIZE bytes, the pool's account of the one
 * that the user names or, without, of the default one; only ever an account
 * that the user has an association with. Returns 1 when it is to be set, 0 when
 * the job's stays (account is ""), or -1 with err saying which accounts the
 * user may name instead.
 *
 * An account outside all pools stays. One of the other pool is refused where
 * the user named it, who has said what is to be charged, and corrected where
 * it is only the default.
 */
int eqt_pool_account(char *account, const job_desc_msg_t *desc,
		     const struct eqt_pool_account *route,
		     struct eqt_error *err);

#endif
