/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: a request and the grant of its account, on which it will draw: whether
 * enough is left, and what equitree.conf wants done when it is not. Needs
 * Slurm's internal headers; a build without them looks at no grant.
 *
 * A request that names several partitions may run in each of them. What is
 * decided holds for all: it is the most that it may need in one of them that
 * counts.
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

#endif
#endif
