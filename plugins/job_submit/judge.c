/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "ask_from_desc.h"
#include "judge.h"
#include "offer.h"
#ifdef EQT_HAVE_INTERNAL
#include "associations.h"
#include "grants.h"
#include "route.h"
#endif

/* The errors of Slurm that come nearest; the text says more. */
static int check_wants(const struct eqt_conf *conf, const job_desc_msg_t *desc,
		       struct eqt_error *err)
{
	const char *list = eqt_offer_partitions(desc);
	char name[EQT_PARTITION_SIZE];
	struct eqt_ask ask;
	uint32_t missing;

	while (list && eqt_offer_next(name, &list)) {
		const struct eqt_rule *rule =
			eqt_rules_find(&conf->partitions, name, strlen(name));

		if (!rule || rule->wants == 0)
			continue;
		eqt_ask_from_desc(&ask, desc);
		missing = eqt_rule_missing(rule, &ask, err);
		if (missing)
			return missing == EQT_WANT_TIME
				       ? ESLURM_MISSING_TIME_LIMIT
				       : ESLURM_ACCOUNTING_POLICY;
	}
	return SLURM_SUCCESS;
}

static int check_cap(struct eqt_judgement *out, const struct eqt_offer *offer,
		     const struct eqt_bill *bill)
{
	if (offer->rule &&
	    eqt_rule_check(offer->rule, &bill->low, &out->refusal) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	return SLURM_SUCCESS;
}

/* One more partition of several, the first one's price being in *out. */
static int judge_other(struct eqt_judgement *out, const struct eqt_conf *conf,
		       const job_desc_msg_t *desc, const char *partition)
{
	struct eqt_prices prices;
	struct eqt_bill bill;
	struct eqt_offer offer;
	int rc;

	eqt_offer_make(&offer, conf, desc, partition);
	if (!eqt_offer_price(&bill, &prices, conf, &offer, &out->qos))
		return SLURM_SUCCESS;
	rc = check_cap(out, &offer, &bill);
	if (rc == SLURM_SUCCESS && out->priced)
		eqt_bill_widen(&out->bill, &bill);
	return rc;
}

#ifdef EQT_HAVE_INTERNAL

/* A request that cannot be priced belongs to the GPUs if it names any. */
static enum eqt_pool pool_of(const struct eqt_conf *conf,
			     const struct eqt_offer *offer)
{
	const struct eqt_ask *ask = &offer->ask;
	const char *const lists[] = { ask->tres_per_job, ask->tres_per_node,
				      ask->tres_per_socket,
				      ask->tres_per_task };
	struct eqt_asked asked;
	size_t i;

	if (offer->rule && offer->rule->cores_off)
		return EQT_POOL_GPU;
	if (eqt_ask_compute(&asked, &conf->prices, ask, NULL) == 0)
		return asked.gpus > 0 ? EQT_POOL_GPU : EQT_POOL_CPU;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (lists[i] && strstr(lists[i], "gpu"))
			return EQT_POOL_GPU;
	}
	return EQT_POOL_CPU;
}

/* The account that the job names, or the default one, which Slurm goes through
 * all users for: it is asked once. */
static const char *own_account(struct eqt_judgement *out,
			       const struct eqt_offer *offer)
{
	const job_desc_msg_t *desc = offer->desc;

	if (desc->account && desc->account[0] != '\0')
		return desc->account;
	if (!out->default_known &&
	    !eqt_associations_default(desc->user_id, out->default_account,
				      sizeof(out->default_account)))
		out->default_account[0] = '\0';
	out->default_known = true;
	return out->default_account;
}

static int route(struct eqt_judgement *out, const struct eqt_conf *conf,
		 const struct eqt_offer *offer)
{
	struct eqt_route to = { .pools = &conf->pools,
				.partition = offer->partition };

	if (!eqt_pools_any(&conf->pools))
		return SLURM_SUCCESS;
	to.pool = pool_of(conf, offer);
	to.own = own_account(out, offer);
	if (eqt_route(out->account, offer->desc, &to, &out->refusal) < 0)
		return ESLURM_INVALID_ACCOUNT;
	return SLURM_SUCCESS;
}

static struct eqt_owner owner_of(struct eqt_judgement *out,
				 const struct eqt_offer *offer)
{
	return (struct eqt_owner){
		.uid = offer->desc->user_id,
		.account = out->account[0] ? out->account
					   : own_account(out, offer),
		.partition = offer->partition,
	};
}

static void find_qos(struct eqt_judgement *out, const struct eqt_offer *offer)
{
	const char *name = offer->desc->qos;
	struct eqt_owner owner = { 0 };

	/* Whose job it is matters only for the default one. */
	if (!name || name[0] == '\0')
		owner = owner_of(out, offer);
	eqt_associations_qos(&out->qos, &owner, name);
}

/* Billing-minutes of the time limit, as Slurm will count them. */
static uint64_t needed_minutes(const struct eqt_judgement *judgement,
			       const struct eqt_conf *conf)
{
	const struct eqt_bill *bill = &judgement->bill;
	const struct eqt_qos *qos = &judgement->qos;
	uint64_t billing = eqt_frac_round(bill->low.charge, conf->billing_scale,
					  conf->billing_round);

	if (billing == 0 || bill->minutes == 0)
		return 0;
	if (bill->minutes == EQT_MINUTES_UNLIMITED)
		return UINT64_MAX;
	return eqt_grant_minutes(billing, bill->minutes,
				 qos->factor_safe && qos->usage_factor >= 0
					 ? qos->usage_factor
					 : 1.0);
}

/* Whether a job would draw on no grant of an account. */
static bool draws_nothing(const struct eqt_judgement *judgement)
{
	return !judgement->priced || judgement->qos.has_grant ||
	       judgement->bill.high.usage.num == 0;
}

/* Move the job to the rule's QOS, and price it there. */
static int move(struct eqt_judgement *out, const struct eqt_conf *conf,
		const struct eqt_offer *offer,
		const struct eqt_grant_rule *rule)
{
	const struct eqt_owner owner = owner_of(out, offer);
	char why[EQT_ERROR_SIZE];

	memcpy(why, out->note.text, sizeof(why));
	if (!eqt_associations_may(&owner, rule->bonus)) {
		(void) eqt_error_set(&out->refusal,
				     "%.400s; you may not use QOS %s instead",
				     why, rule->bonus);
		return ESLURM_ACCOUNTING_POLICY;
	}
	(void) eqt_error_set(&out->note, "%.400s; the job goes to QOS %s", why,
			     rule->bonus);
	eqt_associations_qos(&out->qos, &owner, rule->bonus);
	out->moved = true;
	out->priced = eqt_offer_price(&out->bill, &out->prices, conf, offer,
				      &out->qos);
	return SLURM_SUCCESS;
}

/* See whether the account's grants are enough, and do what the file says. */
static int draw(struct eqt_judgement *out, const struct eqt_conf *conf,
		const struct eqt_offer *offer)
{
	const struct eqt_grant_rule *rule;
	char account[EQT_ACCOUNT_SIZE];
	struct eqt_owner owner;
	enum eqt_grant_state state;
	enum eqt_grant_way way;
	struct eqt_grant grant;

	if (conf->grants.count == 0 || draws_nothing(out))
		return SLURM_SUCCESS;
	owner = owner_of(out, offer);
	if (owner.account[0] == '\0' ||
	    !eqt_associations_name(account, sizeof(account), owner.account))
		return SLURM_SUCCESS;
	rule = eqt_grants_find(&conf->grants, account);
	if (!rule || strcmp(rule->bonus, out->qos.name) == 0)
		return SLURM_SUCCESS;
	state = eqt_grants_look(&grant, &owner, needed_minutes(out, conf),
				conf->billing_scale);
	way = eqt_grant_way_of(rule, state);
	if (way == EQT_GRANT_IGNORE)
		return SLURM_SUCCESS;
	eqt_grant_text(way == EQT_GRANT_REFUSE ? &out->refusal : &out->note,
		       &grant, conf->billing_scale);
	if (way == EQT_GRANT_BONUS)
		return move(out, conf, offer, rule);
	return way == EQT_GRANT_REFUSE ? ESLURM_ACCOUNTING_POLICY
				       : SLURM_SUCCESS;
}

static void set_string(char **to, const char *text)
{
	xfree(*to);
	*to = xstrdup(text);
}

void eqt_judge_apply(job_desc_msg_t *desc,
		     const struct eqt_judgement *judgement)
{
	if (judgement->account[0])
		set_string(&desc->account, judgement->account);
	if (judgement->moved)
		set_string(&desc->qos, judgement->qos.name);
}

#else

static int route(struct eqt_judgement *out, const struct eqt_conf *conf,
		 const struct eqt_offer *offer)
{
	(void) out;
	(void) conf;
	(void) offer;
	return SLURM_SUCCESS;
}

static int draw(struct eqt_judgement *out, const struct eqt_conf *conf,
		const struct eqt_offer *offer)
{
	return route(out, conf, offer);
}

static void find_qos(struct eqt_judgement *out, const struct eqt_offer *offer)
{
	eqt_qos_name(&out->qos, offer->desc->qos);
}

void eqt_judge_apply(job_desc_msg_t *desc,
		     const struct eqt_judgement *judgement)
{
	(void) desc;
	(void) judgement;
}

#endif

/* Nothing is known yet. The rest, kilobytes of it, is filled when it is. */
static void start(struct eqt_judgement *out)
{
	out->priced = false;
	out->account[0] = '\0';
	out->moved = false;
	out->qos = (struct eqt_qos){ .usage_factor = 1.0 };
	out->note.text[0] = '\0';
	out->refusal.text[0] = '\0';
	out->default_known = false;
	out->default_account[0] = '\0';
}

int eqt_judge(struct eqt_judgement *out, const struct eqt_conf *conf,
	      const job_desc_msg_t *desc)
{
	const char *list = eqt_offer_partitions(desc), *partition = NULL;
	char name[EQT_PARTITION_SIZE];
	struct eqt_offer offer;
	int rc;

	start(out);
	rc = check_wants(conf, desc, &out->refusal);
	if (rc != SLURM_SUCCESS)
		return rc;
	if (list && eqt_offer_next(name, &list))
		partition = name;
	eqt_offer_make(&offer, conf, desc, partition);
	rc = route(out, conf, &offer);
	if (rc != SLURM_SUCCESS)
		return rc;
	find_qos(out, &offer);
	out->priced = eqt_offer_price(&out->bill, &out->prices, conf, &offer,
				      &out->qos);
	if (out->priced)
		rc = check_cap(out, &offer, &out->bill);
	if (rc == SLURM_SUCCESS)
		rc = draw(out, conf, &offer);
	while (rc == SLURM_SUCCESS && partition && eqt_offer_next(name, &list))
		rc = judge_other(out, conf, desc, name);
	return rc;
}
