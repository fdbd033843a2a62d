/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant_check: does the grant of the account cover a request, and if not, what
 * does equitree.conf want done? Needs Slurm's internal headers; a build without
 * them checks no grant.
 *
 * A request that names several partitions may run in any of them. One decision
 * is made for all of them, from the partition where the request needs most.
 */
#ifndef EQT_GRANT_CHECK_H
#define EQT_GRANT_CHECK_H

#include "conf/conf.h"
#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL

/* Take note of what the request needs in a partition, at that price there;
 * several: it names others, too. */
void eqt_grant_check_note(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote, bool several);

/*
 * Look at the grants, all partitions having been noted, and do what the file
 * says; offer is the first one. Returns SLURM_SUCCESS, or the error with which
 * Slurm is to refuse the request and out->refusal says why. Where out->moved is
 * set, out->qos is another one, and the request is to be priced anew. Locks as
 * for eqt_decide().
 */
int eqt_grant_check(struct eqt_decision *out, const struct eqt_conf *conf,
		    const struct eqt_partition_quote *part_quote);

/* Is the most that it may be billed in a partition within Slurm's limits on one job?
 * Returns and locks as eqt_grant_check(). */
int eqt_grant_check_limit(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote);

#else

static inline void eqt_grant_check_note(
	struct eqt_decision *out, const struct eqt_conf *conf,
	const struct eqt_partition_quote *part_quote,
	const struct eqt_quote *quote, bool several)
{
	(void) out;
	(void) conf;
	(void) part_quote;
	(void) quote;
	(void) several;
}

static inline int eqt_grant_check(struct eqt_decision *out,
				  const struct eqt_conf *conf,
				  const struct eqt_partition_quote *part_quote)
{
	(void) out;
	(void) conf;
	(void) part_quote;
	return SLURM_SUCCESS;
}

static inline int eqt_grant_check_limit(
	struct eqt_decision *out, const struct eqt_conf *conf,
	const struct eqt_partition_quote *part_quote,
	const struct eqt_quote *quote)
{
	(void) out;
	(void) conf;
	(void) part_quote;
	(void) quote;
	return SLURM_SUCCESS;
}

#endif
#endif
