/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grant_check: compares a request with the grant of its account, and applies
 * equitree.conf if the grant is too small. Needs Slurm's internal headers; a
 * build without them checks no grant.
 *
 * A request that names several partitions may run in any of them. One decision
 * is made for all of them, based on the partition in which the request needs
 * most.
 */
#ifndef EQT_GRANT_CHECK_H
#define EQT_GRANT_CHECK_H

#include "conf/conf.h"
#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL

/* Record what the request needs at its price in a partition, if that is the
 * largest need so far. `several` is set if the request names other partitions,
 * too. */
void eqt_grant_check_note(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote, bool several);

/*
 * Compare the largest recorded need with the grants, and do what equitree.conf
 * says. part_quote is that of the first partition. Returns SLURM_SUCCESS, or
 * the error with which Slurm refuses the request; out->refusal is the reason.
 * If out->moved is set, out->qos is another QOS, and the caller prices the
 * request again. The caller holds slurmctld's part and node locks for reading,
 * and no lock of assoc_mgr.
 */
int eqt_grant_check(struct eqt_decision *out, const struct eqt_conf *conf,
		    const struct eqt_partition_quote *part_quote);

/* Compare the highest billing of the request in a partition with Slurm's limits
 * on one job. The result and the locks are those of eqt_grant_check(). */
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
