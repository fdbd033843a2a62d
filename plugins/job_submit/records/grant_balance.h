/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant_balance: what is used and left of the grants (GrpTRESMins=billing) of
 * an association and of its parents up to root. Needs Slurm's internal headers.
 */
#ifndef EQT_GRANT_BALANCE_H
#define EQT_GRANT_BALANCE_H

#include "associations.h"
#include "conf/conf.h"
#include "price/grant.h"

/*
 * The worst of the grants that a job of the owner would draw on, the nearest
 * of equals, into *out; EQT_GRANT_FINE when there is none. needed is in
 * billing-minutes, 0: not known. Where AccountingStorageEnforce has no limits
 * Slurm counts no billing, and what is used is taken from the raw usage. Takes
 * assoc_mgr's locks for reading: hold none.
 */
enum eqt_grant_state eqt_grant_balance_read(struct eqt_grant *out,
					    const struct eqt_owner *owner,
					    uint64_t needed,
					    uint64_t billing_scale);

#endif
