/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boost: the steps that grant and end a lease. The command may be killed after any step.
 * The lease is therefore on the disk before the shares change, and stays there until the
 * shares are verified. Each step can be repeated.
 */
#ifndef EQT_BOOST_BOOST_H
#define EQT_BOOST_BOOST_H

#include "boost/lease.h"
#include "cli/options.h"

/* Grant a lease whose names, shares and times are filled. Returns 0, or -1 with err
 * filled. After an error there is either no lease or an unfinished one; err tells
 * which. */
int eqt_boost_grant(const struct eqt_leases *leases, struct eqt_lease *lease,
		    struct eqt_error *err);

/* Finish granting a lease after the command was killed. */
int eqt_boost_resume(const struct eqt_leases *leases, struct eqt_lease *lease,
		     struct eqt_error *err);

/*
 * Restore the shares and remove the lease. "why" goes into the audit. Returns 0. Returns
 * 1 with err filled if somebody else has changed the shares: the lease has ended, and the
 * shares stay as they are. Returns -1 with err filled if the lease stays.
 */
int eqt_boost_end(const struct eqt_leases *leases, struct eqt_lease *lease,
		  const char *why, struct eqt_error *err);

/* Append an event to the audit. Returns 0, or -1 with err filled. */
int eqt_boost_audit(const struct eqt_leases *leases,
		    const struct eqt_lease *lease, const char *event,
		    struct eqt_error *err);

/* The user name of the caller, or "?" if the caller has none. */
const char *eqt_boost_actor(char buf[EQT_BOOST_TEXT]);

/* Read the present shares of the lease's association. Returns 1 with out filled, 0 if
 * there is no such association, or -1 with err filled. */
int eqt_boost_shares_now(char out[EQT_BOOST_SHARES],
			 const struct eqt_lease *lease, struct eqt_error *err);

/* Fill "noted" and "comment_before" of a lease before it is written. */
void eqt_boost_comment_keep(struct eqt_lease *lease);

/* Print all leases. */
void eqt_boost_list(const struct eqt_leases *leases,
		    const struct eqt_output_options *common, int64_t now_s);

/* Print the audit. An unreadable line is reported on stderr. Returns 0, or -1 with err
 * filled. */
int eqt_boost_show_audit(const char *folder,
			 const struct eqt_output_options *common,
			 struct eqt_error *err);

/* Write a local time such as "2026-11-21 12:00". Returns buf. */
const char *eqt_boost_time(int64_t at_s, char buf[EQT_BOOST_TEXT]);

#endif
