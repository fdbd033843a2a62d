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
 * If there are pools, choose the account of the request's pool into out->account
 * ("": its own account stays). The pool follows from the price if the request is
 * priced already, else from its lists of resources. Returns SLURM_SUCCESS, or the
 * error with which Slurm is to refuse it; out->refusal then says why. A request that
 * may get resources of both pools is refused if they have different accounts, because
 * Slurm cannot change the account of a job that starts.
 */
int eqt_account_choose(struct eqt_decision *out, const struct eqt_conf *conf,
		       const struct eqt_partition_quote *part_quote);

/* The owner of the request, after its account is chosen; borrowed from *out and
 * *part_quote. Slurm uses one association for all partitions of a list: that of the
 * first. */
struct eqt_owner eqt_account_owner(
	struct eqt_decision *out, const struct eqt_partition_quote *part_quote);

/* Find the QOS of the request into out->qos: the one that it names, or the default one
 * of its account. If it names several, take the one that Slurm tries first. */
void eqt_account_qos(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote);

/* Find a QOS by its name, without a test whether the user may use it. */
void eqt_account_qos_named(struct eqt_qos *out, const char *name);

/* The error with which Slurm will refuse a submission because it does not know the account
 * or the QOS that it names; SLURM_SUCCESS if it may know both. */
int eqt_account_unknown(const struct eqt_partition_quote *part_quote);

/* Write the account and the QOS that were chosen into a description. */
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
