/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account: the account that pays for a request, which a pool may choose, and
 * the QOS of the request. Needs Slurm's internal headers. A build without them
 * keeps each account and knows a QOS by its name only.
 *
 * Callers of all functions hold slurmctld's part lock for reading and no lock
 * of assoc_mgr.
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
 * If the site has pools, choose the account of the request's pool and copy its
 * name to out->account. An empty string means that the request keeps its
 * account. The price decides the pool if the request is priced already;
 * otherwise the resources that the request names do.
 *
 * Returns SLURM_SUCCESS, or the error with which Slurm refuses the request;
 * out->refusal is the reason. A request that may get resources of two pools
 * with different accounts is refused, because Slurm cannot change the account
 * when a job starts.
 */
int eqt_account_choose(struct eqt_decision *out, const struct eqt_conf *conf,
		       const struct eqt_partition_quote *part_quote);

/* The owner of the request, after its account was chosen. The result borrows
 * from *out and *part_quote. For a list of partitions Slurm uses one
 * association, that of the first partition. */
struct eqt_owner eqt_account_owner(
	struct eqt_decision *out, const struct eqt_partition_quote *part_quote);

/* Read the QOS of the request into out->qos: the QOS that the request names, or
 * the default QOS of its account. Of several QOS, the one that Slurm tries
 * first is read. */
void eqt_account_qos(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote);

/* Read the QOS that has this name. The function does not check whether the user
 * may use the QOS. */
void eqt_account_qos_named(struct eqt_qos *out, const char *name);

/* The error with which Slurm will refuse a submission because its account or
 * QOS does not exist. Returns SLURM_SUCCESS if both may exist. */
int eqt_account_unknown(const struct eqt_partition_quote *part_quote);

/* Write the chosen account and QOS into a description. */
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
