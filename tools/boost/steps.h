/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boost_steps: the steps that grant a lease and end it. Each may be the last
 * one before the command dies: the lease is on the disk before the shares are
 * touched and stays there until they were seen to be back, and every step can
 * be taken again.
 */
#ifndef EQT_BOOST_STEPS_H
#define EQT_BOOST_STEPS_H

#include "boost/lease.h"

/* Grant a lease whose names, shares and times are filled. 0, or -1 with err
 * filled; then there is no lease, or one that is said to be unfinished. */
int eqt_boost_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		    struct eqt_error *err);

/* Finish a lease that was being granted when the command died. */
int eqt_boost_resume(const struct eqt_leases *leases, struct eqt_lease *lease,
		     struct eqt_error *err);

/*
 * Put the shares back and take the lease off; why is for the audit. 0; 1 with
 * err filled: ended, but somebody else had changed the shares, which are left
 * as they are; -1 with err filled: the lease stays.
 */
int eqt_boost_end(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const char *why, struct eqt_error *err);

/* Write a line for the audit. 0, or -1 with err filled. */
int eqt_boost_audit(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, const char *event,
		    struct eqt_error *err);

/* The name of who runs this, from the user database; "?" if it has none. */
const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT]);

#endif
