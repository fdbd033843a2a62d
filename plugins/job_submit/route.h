/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route: which account of a pool a submission goes to. Needs Slurm's internal
 * headers; a build without them leaves accounts as they are.
 */
#ifndef EQT_ROUTE_H
#define EQT_ROUTE_H

#include <slurm/slurm.h>

#include "eqt_error.h"
#include "eqt_rules.h"

/*
 * Set desc->account to the pool's account of the one that the user names or,
 * without, of the default one; only ever to an account that the user has an
 * association with. Returns 1 when it is set, 0 when it stays, or -1 with err
 * saying which accounts the user may name instead.
 *
 * An account outside all pools stays. One of the other pool is refused where
 * the user named it, who has said what is to be charged, and corrected where
 * it is only the default.
 */
int eqt_route(job_desc_msg_t *desc, const struct eqt_pools *pools,
	      enum eqt_pool pool, const char *partition, struct eqt_error *err);

#endif
