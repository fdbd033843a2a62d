/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shares: the shares of a lease's association in the accounting database, and
 * its comment, which Slurm has from 23.11 on. The database lists each change
 * among its transactions.
 */
#ifndef EQT_BOOST_SHARES_H
#define EQT_BOOST_SHARES_H

#include "boost/lease.h"

/* Read the present shares of the lease's association. 1 with out filled; 0: no
 * such association; -1 with err filled. */
int eqt_boost_shares_now(char out[EQT_BOOST_SHARES],
			 const struct eqt_lease *lease, struct eqt_error *err);

/* Fill noted and comment_before of a lease before it is written. */
void eqt_boost_comment_keep(struct eqt_lease *lease);

/*
 * Set the shares of the boost, with a comment that says until when, by whom and
 * why; or restore the previous shares, and the comment if boost wrote it. 0
 * after the shares were verified, or -1 with err filled.
 */
int eqt_boost_shares_raise(const struct eqt_lease *lease,
			   struct eqt_error *err);
int eqt_boost_shares_restore(const struct eqt_lease *lease,
			     struct eqt_error *err);

#endif
