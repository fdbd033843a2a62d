/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include <slurm/slurm_errno.h>

#include "base/text.h"
#include "account.h"
#include "records/pool_account.h"
#include "job/node_offer.h"

/* A request that cannot be priced belongs to the GPUs if it names any. */
static enum eqt_pool pool_of(const struct eqt_partition_quote *part_quote,
			     const struct eqt_bundle_table *prices)
{
	const struct eqt_job_spec *spec = &part_quote->spec;
	const char *const lists[] = { spec->tres_per_job, spec->tres_per_node,
				      spec->tres_per_socket,
				      spec->tres_per_task };
	size_t i;

	if ((part_quote->rule && part_quote->rule->cores_off) ||
	    eqt_node_offer_takes_gpus(spec, prices))
		return EQT_POOL_GPU;
	if (part_quote->is_parsed)
		return part_quote->parsed.totals.gpus > 0 ? EQT_POOL_GPU
							  : EQT_POOL_CPU;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i] && strstr(lists[i], "gpu"))
			return EQT_POOL_GPU;
	}
	return EQT_POOL_CPU;
}

/* The account that the job names, or the default one, which Slurm goes through
 * all users for: it is asked once. */
static const char *own_account(struct eqt_decision *out,
			       const struct eqt_partition_quote *part_quote)
{
	const job_desc_msg_t *desc = part_quote->desc;

	if (desc->account && desc->account[0] != '\0')
		return desc->account;
	if (!out->default_known &&
	    !eqt_associations_default(desc->user_id, out->default_account,
				      sizeof(out->default_account)))
		out->default_account[0] = '\0';
	out->default_known = true;
	return out->default_account;
}

/* Refuse a job that may hold what is of either pool, if another account would pay
 * for the one than for the other. */
static int account_check_pools(struct eqt_decision *out,
			       struct eqt_pool_account *to,
			       const struct eqt_partition_quote *part_quote)
{
	char account[EQT_POOLS][EQT_ACCOUNT_SIZE];
	const char *name[EQT_POOLS];

	for (int i = 0; i < EQT_POOLS; i++) {
		to->pool = (enum eqt_pool) i;
		if (eqt_pool_account(account[i], part_quote->desc, to,
				     &out->refusal) < 0)
			return ESLURM_INVALID_ACCOUNT;
		name[i] = account[i][0] ? account[i] : to->own;
	}
	memcpy(out->account, account[EQT_POOL_CPU], EQT_ACCOUNT_SIZE);
	if (strcmp(name[EQT_POOL_CPU], name[EQT_POOL_GPU]) == 0)
		return SLURM_SUCCESS;
	(void) eqt_error_set(
		&out->refusal,
		"the job may get nodes that are charged to account "
		"%.64s or nodes that are charged to account %.64s, "
		"and Slurm cannot change the account when it "
		"starts; name a partition or nodes of one kind",
		name[EQT_POOL_CPU], name[EQT_POOL_GPU]);
	return ESLURM_INVALID_ACCOUNT;
}

int eqt_account_choose(struct eqt_decision *out, const struct eqt_conf *conf,
		       const struct eqt_partition_quote *part_quote)
{
	/* A request that fits bundles of both pools must have one account for both. Otherwise
	 * the price decides the pool, and without a price the lists of the request. */
	struct eqt_pool_account to = { .pools = &conf->pools,
				       .partition = part_quote->partition };

	if (!eqt_pools_any(&conf->pools))
		return SLURM_SUCCESS;
	to.own = own_account(out, part_quote);
	if (out->priced && out->quote.also)
		return account_check_pools(out, &to, part_quote);
	to.pool = pool_of(part_quote, &conf->prices);
	if (out->priced)
		to.pool = out->quote.low.gpu_pool ? EQT_POOL_GPU : EQT_POOL_CPU;
	if (eqt_pool_account(out->account, part_quote->desc, &to,
			     &out->refusal) < 0)
		return ESLURM_INVALID_ACCOUNT;
	return SLURM_SUCCESS;
}

struct eqt_owner eqt_account_owner(struct eqt_decision *out,
				   const struct eqt_partition_quote *part_quote)
{
	return (struct eqt_owner){
		.uid = part_quote->desc->user_id,
		.account = out->account[0] ? out->account
					   : own_account(out, part_quote),
		.partition = part_quote->partition,
	};
}

void eqt_account_qos_named(struct eqt_qos *out, const char *name)
{
	const struct eqt_owner nobody = { 0 };

	eqt_associations_qos(out, &nobody, name);
}

/* Slurm tries the QOS of the highest priority first. */
static void account_first_qos(struct eqt_qos *out, const char *list)
{
	char name[EQT_QOS_SIZE];
	struct eqt_qos next;

	*out = (struct eqt_qos){ .usage_factor = 1.0 };
	while (eqt_text_next_name(name, sizeof(name), &list)) {
		eqt_account_qos_named(&next, name);
		if (out->name[0] == '\0' || next.priority > out->priority)
			*out = next;
	}
}

void eqt_account_qos(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote)
{
	const char *name = part_quote->desc->qos;
	struct eqt_owner owner = { 0 };

	if (eqt_qos_list_is(name)) {
		account_first_qos(&out->qos, name);
		return;
	}

	/* Whose job it is matters only for the default one. */
	if (!name || name[0] == '\0')
		owner = eqt_account_owner(out, part_quote);
	eqt_associations_qos(&out->qos, &owner, name);
}

/* Pools have better words for an account. A user may have it in one partition alone, which
 * counts where the description names no other. */
int eqt_account_unknown(const struct eqt_partition_quote *part_quote)
{
	const job_desc_msg_t *desc = part_quote->desc;
	const struct eqt_reading *reading = part_quote->reading;

	if ((accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS) && desc->account &&
	    desc->account[0] != '\0' && reading->partitions == 1 &&
	    !eqt_pools_any(&reading->conf->pools) &&
	    !eqt_associations_has(desc->user_id, desc->account,
				  part_quote->partition))
		return ESLURM_INVALID_ACCOUNT;
	if ((accounting_enforce & ACCOUNTING_ENFORCE_QOS) && desc->qos &&
	    desc->qos[0] != '\0' && !eqt_qos_list_is(desc->qos) &&
	    !eqt_associations_qos_exists(desc->qos))
		return ESLURM_INVALID_QOS;
	return SLURM_SUCCESS;
}

/* desc owns its strings, which slurmctld frees with xfree(). */
static void set_string(char **to, const char *text)
{
	xfree(*to);
	*to = xstrdup(text);
}

void eqt_account_apply(job_desc_msg_t *desc,
		       const struct eqt_decision *decision)
{
	if (decision->account[0])
		set_string(&desc->account, decision->account);
	if (decision->moved)
		set_string(&desc->qos, decision->qos.name);
}
