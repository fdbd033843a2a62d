/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boost_shares: the shares of a lease's association in the accounting database,
 * and its comment, where Slurm has such: from 23.11 on. What is set stands in
 * the database's list of transactions.
 */
#ifndef EQT_BOOST_SHARES_H
#define EQT_BOOST_SHARES_H

#include "boost/lease.h"

/*
 * The shares that the accounting database has now for the association of the
 * lease. 1 with out filled; 0: there is no such association; -1 with err
 * filled.
 */
int eqt_boost_shares_now(char out[EQT_BOOST_SHARES],
			 const struct eqt_lease *lease, struct eqt_error *err);

/* Fill noted and comment_before of a lease that is about to be written. */
void eqt_boost_comment_keep(struct eqt_lease *lease);

/*
 * Set the shares of the boost, with a comment that says until when, by whom and
 * why; put back those of before, and the comment if it is still ours. 0 once
 * the shares were seen to be there, or -1 with err filled.
 */
int eqt_boost_shares_raise(const struct eqt_lease *lease,
			   struct eqt_error *err);
int eqt_boost_shares_restore(const struct eqt_lease *lease,
			     struct eqt_error *err);

#endif
