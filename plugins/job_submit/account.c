/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "base/text.h"
#include "account.h"
#include "job/node_offer.h"
#include "records/associations.h"

/* ---- The account of a pool ---------------------------------------------------------- */

/* The account of a submission, and the account that the submission should
 * have. */
struct route {
	const struct eqt_pools *pools;
	enum eqt_pool pool;
	uint32_t uid;
	const char *partition; /* NULL if the partition is not known. */
	/* The account that the job names, or the user's default account. An
	   empty string if there is none. */
	const char *own;
	bool given; /* The job names its account. */
	/* `own` in the form that Slurm stores. */
	char account[EQT_ACCOUNT_SIZE];
	char wanted[EQT_ACCOUNT_SIZE];
};

/* Refuse the job, and name accounts that the user could use instead. Only
 * accounts that can be found without a walk over all associations are named.
 * `why` ends without a full stop. */
static int pool_refuse(const struct route *route, const char *why,
		       struct eqt_error *err)
{
	char list[EQT_ERROR_SIZE / 2], other[EQT_ACCOUNT_SIZE];
	const char *const names[2] = { route->account, other };

	/* If the job names no account, its account is the default one
	   already. */
	if (!route->given ||
	    !eqt_associations_default(route->uid, other, sizeof(other)))
		other[0] = '\0';
	eqt_associations_of_pool(route->uid, route->pools, route->pool, names,
				 list, sizeof(list));
	if (list[0] == '\0')
		return eqt_error_set(err,
				     "%s; no account for %s belongs to that "
				     "name or to your default account",
				     why, eqt_rules_pool_name(route->pool));
	return eqt_error_set(err, "%s; your accounts for %s: %s", why,
			     eqt_rules_pool_name(route->pool), list);
}

static int pool_refuse_unknown(const struct route *route, const char *account,
			       struct eqt_error *err)
{
	char why[64];

	(void) snprintf(why, sizeof(why), "you may not use account %.32s",
			account);
	return pool_refuse(route, why, err);
}

static int pool_refuse_other(const struct route *route, struct eqt_error *err)
{
	struct eqt_error why;

	(void) eqt_pools_refuse_other(route->account, route->pool, &why);
	return pool_refuse(route, why.text, err);
}

static bool route_has(const struct route *route, const char *account)
{
	return eqt_associations_has(route->uid, account, route->partition);
}

/* Does any pool have an account for this name? */
static bool route_in_pools(const struct route *route)
{
	char name[EQT_ACCOUNT_SIZE];
	int i;

	for (i = 0; i < EQT_POOLS; i++) {
		if (route->pools->suffix[i][0] != '\0' &&
		    eqt_pools_account(route->pools, (enum eqt_pool) i,
				      route->account, name, sizeof(name)) &&
		    eqt_associations_has(NO_VAL, name, NULL))
			return true;
	}
	return false;
}

/* Accept an account that belongs to no pool, if the user may use it. */
static int route_check_outside(const struct route *route, struct eqt_error *err)
{
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS) ||
	    route_has(route, route->account))
		return 0;
	return pool_refuse_unknown(route, route->account, err);
}

/* Returns 1 if the job moves to the wanted account, 0 if it keeps its account,
 * and -1 if it is refused. */
static int route_decide(const struct route *route, struct eqt_error *err)
{
	size_t length;
	enum eqt_pool said =
		eqt_pools_of(route->pools, route->account, &length);

	if (said == EQT_POOLS && !route_in_pools(route))
		return route_check_outside(route, err);
	if (said != EQT_POOLS && said != route->pool && route->given)
		return pool_refuse_other(route, err);
	if (!route_has(route, route->wanted))
		return pool_refuse_unknown(route, route->wanted, err);
	return strcmp(route->account, route->wanted) != 0;
}

/*
 * Find the account that the request's pool has for the job's own account.
 *
 * Returns 1 if the job needs another account, and copies its name into
 * `account`, which has EQT_ACCOUNT_SIZE bytes; the user has an association with
 * that account. Returns 0 and an empty string if the job keeps its account.
 * Returns -1 with err filled, which names accounts that the user may use
 * instead.
 *
 * A job keeps an account outside all pools. An account of another pool is
 * refused if the user named it, and replaced if it is only the default.
 */
static int pool_account(char *account, struct route *route,
			struct eqt_error *err)
{
	int rc;

	account[0] = '\0';
	/* Without slurmdbd there are no accounts to choose from. */
	if (!eqt_associations_any())
		return 0;
	/* Slurm itself refuses a name that no account can have. */
	if (route->own[0] == '\0' ||
	    !eqt_associations_name(route->account, sizeof(route->account),
				   route->own) ||
	    !eqt_pools_account(route->pools, route->pool, route->account,
			       route->wanted, sizeof(route->wanted)))
		return 0;
	rc = route_decide(route, err);
	if (rc == 1)
		memcpy(account, route->wanted, EQT_ACCOUNT_SIZE);
	return rc;
}

/* The pool of a request that has no price. A request that names GPUs belongs to
 * the GPU pool. */
static enum eqt_pool pool_of_quote(const struct eqt_partition_quote *part_quote,
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

/* The account that the job names, or the user's default account. The default is
 * cached, because Slurm walks over all users to find it. */
static const char *account_own(struct eqt_decision *out,
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

/* Refuse a job that may get resources of both pools, if the two pools have
 * different accounts. */
static int account_check_pools(struct eqt_decision *out, struct route *route)
{
	char account[EQT_POOLS][EQT_ACCOUNT_SIZE];
	const char *name[EQT_POOLS];

	for (int i = 0; i < EQT_POOLS; i++) {
		route->pool = (enum eqt_pool) i;
		if (pool_account(account[i], route, &out->refusal) < 0)
			return ESLURM_INVALID_ACCOUNT;
		name[i] = account[i][0] ? account[i] : route->own;
	}
	memcpy(out->account, account[EQT_POOL_CPU], EQT_ACCOUNT_SIZE);
	if (strcmp(name[EQT_POOL_CPU], name[EQT_POOL_GPU]) == 0)
		return SLURM_SUCCESS;
	(void) eqt_pools_refuse_two(name[EQT_POOL_CPU], name[EQT_POOL_GPU],
				    &out->refusal);
	return ESLURM_INVALID_ACCOUNT;
}

int eqt_account_choose(struct eqt_decision *out, const struct eqt_conf *conf,
		       const struct eqt_partition_quote *part_quote)
{
	/* A request that fits bundles of both pools must have one account for
	   both. For other requests the price decides the pool, and without a
	   price the resources that the request names do. */
	const job_desc_msg_t *desc = part_quote->desc;
	struct route route = { .pools = &conf->pools,
			       .uid = desc->user_id,
			       .partition = part_quote->partition,
			       .given = desc->account && desc->account[0] };

	if (!eqt_pools_any(&conf->pools))
		return SLURM_SUCCESS;
	route.own = account_own(out, part_quote);
	if (out->priced && out->quote.also)
		return account_check_pools(out, &route);
	route.pool = pool_of_quote(part_quote, &conf->prices);
	if (out->priced)
		route.pool = out->quote.low.gpu_pool ? EQT_POOL_GPU
						     : EQT_POOL_CPU;
	return pool_account(out->account, &route, &out->refusal) < 0
		       ? ESLURM_INVALID_ACCOUNT
		       : SLURM_SUCCESS;
}

struct eqt_owner eqt_account_owner(struct eqt_decision *out,
				   const struct eqt_partition_quote *part_quote)
{
	return (struct eqt_owner){
		.uid = part_quote->desc->user_id,
		.account = out->account[0] ? out->account
					   : account_own(out, part_quote),
		.partition = part_quote->partition,
	};
}

void eqt_account_qos_named(struct eqt_qos *out, const char *name)
{
	const struct eqt_owner nobody = { 0 };

	(void) eqt_associations_qos(out, &nobody, name);
}

/* Of several QOS, choose the one with the highest priority, because Slurm tries
 * that first. */
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

/* Choose the QOS that the user's default account has, if that account is cached and
 * still the default. The association is looked up only once for both. */
static bool account_default_qos(struct eqt_decision *out,
				const struct eqt_partition_quote *part_quote)
{
	const job_desc_msg_t *desc = part_quote->desc;
	const struct eqt_owner owner = { desc->user_id, out->default_account,
					 part_quote->partition };

	if (out->default_known || out->account[0] ||
	    (desc->account && desc->account[0] != '\0'))
		return false;
	out->default_known =
		eqt_associations_default_guess(owner.uid, out->default_account,
					       sizeof(out->default_account)) &&
		eqt_associations_qos(&out->qos, &owner, NULL);
	return out->default_known;
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

	/* The owner is needed to find the default QOS only. */
	if (!name || name[0] == '\0') {
		if (account_default_qos(out, part_quote))
			return;
		owner = eqt_account_owner(out, part_quote);
	}
	(void) eqt_associations_qos(&out->qos, &owner, name);
}

/* With pools, eqt_account_choose() refuses an unknown account and explains
 * more. A list of partitions is left to Slurm, because a user may have the
 * account in one of them only. */
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

/* desc owns its strings, and slurmctld frees them with xfree(). */
static void string_set(char **to, const char *text)
{
	xfree(*to);
	*to = xstrdup(text);
}

void eqt_account_apply(job_desc_msg_t *desc,
		       const struct eqt_decision *decision)
{
	if (decision->account[0])
		string_set(&desc->account, decision->account);
	if (decision->moved)
		string_set(&desc->qos, decision->qos.name);
}
