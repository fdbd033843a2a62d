/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account: the account that pays for a request, which a pool may choose, and
 * the QOS of the request. Needs Slurm's internal headers; a build without them
 * leaves accounts as they are and knows a QOS by its name only.
 *
 * Locks of each function: slurmctld's part lock for reading, none of
 * assoc_mgr's.
 */
#ifndef EQT_ACCOUNT_H
#define EQT_ACCOUNT_H

#include "base/text.h"
#include "conf/conf.h"
#include "decision.h"
#include "partition_quote.h"

#ifdef EQT_HAVE_INTERNAL
#include "records/associations.h"

/*
 * Choose the account of the request's pool, where there are pools, into
 * out->account ("": its own stays): by its price, where it is priced already,
 * else by what it requests. Returns SLURM_SUCCESS, or the error with which Slurm
 * is to refuse it, and out->refusal says why: also where it may hold what is of
 * either pool, since Slurm cannot change the account of a job that starts.
 */
int eqt_account_choose(struct eqt_decision *out, const struct eqt_conf *conf,
		       const struct eqt_partition_quote *part_quote);

/* Who it is, once the account is chosen; borrowed from *out and *offer. Slurm
 * takes one association for all partitions of a list: that of the first. */
struct eqt_owner eqt_account_owner(
	struct eqt_decision *out, const struct eqt_partition_quote *part_quote);

/* Find its QOS into out->qos: the one that it names or the default one, which is
 * that of its own account until another is chosen. Of several the one that Slurm
 * tries first. */
void eqt_account_qos(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote);

/* Find a QOS by its name, whosever it is. */
void eqt_account_qos_named(struct eqt_qos *out, const char *name);

/* The error with which Slurm will refuse the account or the QOS that a submission names,
 * since it knows none of that name; SLURM_SUCCESS where it may know them. */
int eqt_account_unknown(const struct eqt_partition_quote *part_quote);

/* Give a description the account and the QOS that it is to have. */
void eqt_account_apply(job_desc_msg_t *desc,
		       const struct eqt_decision *decision);

#else

static inline int eqt_account_choose(
	struct eqt_decision *out, const struct eqt_conf *conf,
	const struct eqt_partition_quote *part_quote)
{
	(void) out;
	(void) conf;
	(void) part_quote;
	return SLURM_SUCCESS;
}

static inline int eqt_account_unknown(
	const struct eqt_partition_quote *part_quote)
{
	(void) part_quote;
	return SLURM_SUCCESS;
}

static inline void eqt_account_qos(struct eqt_decision *out,
				   const struct eqt_partition_quote *part_quote)
{
	const char *list = part_quote->desc->qos;
	char name[EQT_QOS_SIZE];

	if (eqt_qos_list_is(list) &&
	    eqt_text_next_name(name, sizeof(name), &list))
		list = name;
	eqt_qos_name(&out->qos, list);
}

static inline void eqt_account_qos_named(struct eqt_qos *out, const char *name)
{
	eqt_qos_name(out, name);
}

static inline void eqt_account_apply(job_desc_msg_t *desc,
				     const struct eqt_decision *decision)
{
	(void) desc;
	(void) decision;
}

#endif
#endif
