/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pool_account: the account of a pool that a request is charged to, by the account
 * that it names. */
#ifndef EQT_BILL_POOL_ACCOUNT_H
#define EQT_BILL_POOL_ACCOUNT_H

#include "price/grant.h"
#include "quote/quote.h"
#include "job/rules.h"

/*
 * Put into account the account that the submission plugin gives a request with
 * this price that names this one; "" if it keeps its own, names none (NULL), or
 * there are no pools. All accounts are taken to exist. 0, or -1 with err filled: the
 * account is of another pool, or the request may hold resources of two pools.
 */
int eqt_bill_pool_account(char account[EQT_ACCOUNT_SIZE],
			  const struct eqt_pools *pools, const char *named,
			  const struct eqt_quote *quote, struct eqt_error *err);

#endif
