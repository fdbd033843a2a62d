/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "grant_check.h"
#include "records/grant_balance.h"
#include "records/job_limit.h"
#include "account.h"

static uint64_t billing_of(const struct eqt_price *price,
			   const struct eqt_conf *conf)
{
	return eqt_frac_round(price->charge, conf->billing_scale,
			      conf->billing_round);
}

/* The billing-minutes of the whole time limit, by Slurm's rule. */
static uint64_t needed_minutes(const struct eqt_quote *quote,
			       const struct eqt_price *most,
			       const struct eqt_qos *qos,
			       const struct eqt_conf *conf)
{
	const uint64_t billing = billing_of(most, conf);

	if (billing == 0 || quote->minutes == 0)
		return 0;
	if (quote->minutes == EQT_AMOUNT_UNLIMITED)
		return UINT64_MAX;
	return eqt_grant_minutes(billing, quote->minutes,
				 qos->factor_safe && qos->usage_factor >= 0
					 ? qos->usage_factor
					 : 1.0);
}

void eqt_grant_check_note(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote, bool several)
{
	const struct eqt_price most = eqt_quote_most(quote);
	const struct eqt_price fewest = eqt_quote_most_with_number(quote);
	uint64_t minutes;

	if (conf->grants.count == 0 || quote->high.usage.num == 0)
		return;
	minutes = needed_minutes(quote, &most, &out->qos, conf);
	if (out->draws && minutes <= out->needed_minutes)
		return;
	out->draws = true;
	out->needed_minutes = minutes;
	out->numbered_minutes = needed_minutes(quote, &fewest, &out->qos, conf);
	out->needed_in = several && part_quote->part ? part_quote->part->name
						     : NULL;
}

int eqt_grant_check(struct eqt_decision *out, const struct eqt_conf *conf,
		    const struct eqt_partition_quote *part_quote)
{
	const struct eqt_grant_rule *rule;
	char account[EQT_ACCOUNT_SIZE];
	struct eqt_owner owner;
	enum eqt_grant_state state;
	enum eqt_grant_way way;
	struct eqt_grant grant;
	struct eqt_error why;

	/* Slurm checks a GrpTRESMins of the QOS in the place of the account's. */
	if (!out->priced || !out->draws || out->qos.has_grant)
		return SLURM_SUCCESS;
	owner = eqt_account_owner(out, part_quote);
	if (owner.account[0] == '\0' ||
	    !eqt_associations_name(account, sizeof(account), owner.account))
		return SLURM_SUCCESS;
	rule = eqt_grants_find(&conf->grants, account);
	/*
	 * A job in the bonus QOS has been moved already, or its user chose it.
	 */
	if (!rule || strcmp(rule->bonus, out->qos.name) == 0)
		return SLURM_SUCCESS;
	/* The worst state of the account and all levels above it. */
	state = eqt_grant_balance_read(&grant, &owner, out->needed_minutes,
				       conf->billing_scale);
	way = eqt_grant_way_of(rule, state);
	if (way == EQT_GRANT_IGNORE)
		return SLURM_SUCCESS;
	eqt_grant_text(&why, &grant, out->needed_in, conf->billing_scale);
	if (way == EQT_GRANT_BONUS)
		return eqt_decision_move(out, &owner, why.text, rule->bonus);
	if (way == EQT_GRANT_REFUSE) {
		out->refusal = why;
		if (out->numbered_nodes > 0 &&
		    eqt_grant_balance_read(
			    &grant, &owner, out->numbered_minutes,
			    conf->billing_scale) == EQT_GRANT_FINE)
			eqt_decision_name_number(&out->refusal,
						 out->numbered_nodes);
		return ESLURM_ACCOUNTING_POLICY;
	}
	eqt_decision_note(out, why.text);
	return SLURM_SUCCESS;
}

int eqt_grant_check_limit(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote)
{
	const struct eqt_price most = eqt_quote_most(quote);
	const struct eqt_price fewest = eqt_quote_most_with_number(quote);
	const part_record_t *part = part_quote->part;
	const bool by_part = part && part->qos_ptr;
	struct eqt_job_limit *limit = &out->limit, of_part;

	if (!eqt_job_limit_holds())
		return SLURM_SUCCESS;
	if (by_part)
		limit = &of_part;
	if (by_part || !out->limit_known) {
		const struct eqt_owner owner =
			eqt_account_owner(out, part_quote);

		eqt_job_limit_read(limit, &owner, out->qos.name,
				   by_part ? part : NULL);
		out->limit_known |= !by_part;
	}
	if (quote->lack || billing_of(&most, conf) <= limit->billing)
		return SLURM_SUCCESS;
	(void) eqt_error_set(&out->refusal,
			     "billing %" PRIu64
			     " is more than %s=billing=%" PRIu64 " of %.100s",
			     billing_of(&most, conf), limit->key,
			     limit->billing, limit->owner);
	if (billing_of(&fewest, conf) <= limit->billing)
		eqt_decision_name_number(&out->refusal, quote->totals.nodes);
	return ESLURM_ACCOUNTING_POLICY;
}
