/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps: the steps that grant and end a lease. The command may be killed after
 * each: the lease is on the disk before the shares change and stays there until
 * they were verified, and each step can be repeated.
 */
#ifndef EQT_BOOST_STEPS_H
#define EQT_BOOST_STEPS_H

#include "boost/lease.h"

/* Grant a lease whose names, shares and times are filled. 0, or -1 with err
 * filled: there is no lease then, or an unfinished one; err says which. */
int eqt_boost_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		    struct eqt_error *err);

/* Finish granting a lease after the command was killed. */
int eqt_boost_resume(const struct eqt_leases *leases, struct eqt_lease *lease,
		     struct eqt_error *err);

/*
 * Restore the shares and remove the lease; why goes into the audit. 0; 1 with
 * err filled: ended, but somebody else had changed the shares, which stay as
 * they are; -1 with err filled: the lease stays.
 */
int eqt_boost_end(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const char *why, struct eqt_error *err);

/* Append an event to the audit. 0, or -1 with err filled. */
int eqt_boost_audit(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, const char *event,
		    struct eqt_error *err);

/* The user name of the caller; "?" if it has none. */
const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT]);

#endif
