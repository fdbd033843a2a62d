/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "grant_check.h"
#include "records/job_limit.h"
#include "account.h"

/* ---- The balance of grants (GrpTRESMins=billing) ------------------------------------- */

/* The whole minutes of some seconds, rounded down as Slurm does. */
static uint64_t balance_minutes(long double seconds)
{
	/* NaN and numbers above 2^63 cannot be converted. */
	if (!(seconds < 9.2e18L))
		return UINT64_MAX / 60;
	return seconds > 0 ? (uint64_t) (seconds / 60) : 0;
}

/* Read the grant of one association. Returns false if it has none. */
static bool balance_take_level(struct eqt_grant *out,
			       const slurmdb_assoc_rec_t *assoc,
			       uint64_t billing_scale)
{
	const slurmdb_assoc_usage_t *usage = assoc->usage;
	long double used = usage->usage_raw * (long double) billing_scale;

	if (!assoc->grp_tres_mins_ctld ||
	    assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING] >= NO_VAL64)
		return false;
	out->limit = assoc->grp_tres_mins_ctld[TRES_ARRAY_BILLING];
	out->running = 0;
	/* slurmctld counts run-seconds and TRES usage only if it enforces
	   limits. */
	if (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) {
		used = usage->usage_tres_raw[TRES_ARRAY_BILLING];
		out->running =
			usage->grp_used_tres_run_secs[TRES_ARRAY_BILLING] / 60;
	}
	out->used = balance_minutes(used);
	(void) snprintf(out->account, sizeof(out->account), "%s",
			assoc->acct ? assoc->acct : "");
	(void) snprintf(out->user, sizeof(out->user), "%s",
			assoc->user ? assoc->user : "");
	return true;
}

/*
 * Find the worst state among the grants that a job of the owner would draw on:
 * the grants of its association and of all associations above. *out is the
 * grant in that state, and the lowest one in the tree if several are. Returns
 * EQT_GRANT_FINE if there is no grant. `needed` is in billing-minutes, or 0 if
 * it is not known.
 *
 * Without limits in AccountingStorageEnforce Slurm does not count billing, so
 * the raw usage is used instead. The function takes assoc_mgr's locks for
 * reading, so the caller must hold none of them.
 */
static enum eqt_grant_state grant_balance_read(struct eqt_grant *out,
					       const struct eqt_owner *owner,
					       uint64_t needed,
					       uint64_t billing_scale)
{
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	enum eqt_grant_state worst = EQT_GRANT_FINE;
	struct eqt_grant level = { .needed = needed };
	const slurmdb_assoc_rec_t *assoc;

	assoc_mgr_lock(&locks);
	for (assoc = eqt_associations_find(owner); assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		enum eqt_grant_state state;

		if (!balance_take_level(&level, assoc, billing_scale))
			continue;
		state = eqt_grant_judge(&level);
		if (state > worst) {
			worst = state;
			*out = level;
		}
	}
	assoc_mgr_unlock(&locks);
	return worst;
}

static uint64_t billing_of(const struct eqt_price *price,
			   const struct eqt_conf *conf)
{
	return eqt_frac_round(price->charge, conf->billing_scale,
			      conf->billing_round);
}

/* The largest factor by which usage can grow: UsageFactor, if Slurm applies it
 * to limits, times the factor of the most expensive time of the week. */
static double most_factor(const struct eqt_qos *qos,
			  const struct eqt_conf *conf)
{
	const double factor = qos->factor_safe && qos->usage_factor >= 0
				      ? qos->usage_factor
				      : 1.0;

	return conf->week.most_u > EQT_MICRO
		       ? factor * eqt_week_factor(conf->week.most_u)
		       : factor;
}

/* The billing-minutes of the whole time limit, as Slurm computes them. */
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
				 most_factor(qos, conf));
}

void eqt_grant_check_note(struct eqt_decision *out, const struct eqt_conf *conf,
			  const struct eqt_partition_quote *part_quote,
			  const struct eqt_quote *quote, bool several)
{
	struct eqt_price most, fewest;
	uint64_t minutes;

	if (conf->grants.count == 0 || quote->high.usage.num == 0)
		return;
	most = eqt_quote_most(quote);
	minutes = needed_minutes(quote, &most, &out->qos, conf);
	if (out->draws && minutes <= out->needed_minutes)
		return;
	out->draws = true;
	out->needed_minutes = minutes;
	fewest = eqt_quote_most_with_number(quote);
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

	/* If the QOS has GrpTRESMins, Slurm checks that instead of the
	   account's. */
	if (!out->priced || !out->draws || out->qos.has_grant)
		return SLURM_SUCCESS;
	owner = eqt_account_owner(out, part_quote);
	if (owner.account[0] == '\0' ||
	    !eqt_associations_name(account, sizeof(account), owner.account))
		return SLURM_SUCCESS;
	rule = eqt_grants_find(&conf->grants, account);
	/* The job was already moved to the bonus QOS, or its user chose that
	   QOS. */
	if (!rule || strcmp(rule->bonus, out->qos.name) == 0)
		return SLURM_SUCCESS;
	state = grant_balance_read(&grant, &owner, out->needed_minutes,
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
		    grant_balance_read(&grant, &owner, out->numbered_minutes,
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
	const part_record_t *part = part_quote->part;
	const bool by_part = part && part->qos_ptr;
	struct eqt_job_limit *limit = &out->limit, of_part;
	struct eqt_price most, fewest;

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
	most = eqt_quote_most(quote);
	if (quote->lack || billing_of(&most, conf) <= limit->billing)
		return SLURM_SUCCESS;
	(void) eqt_error_set(&out->refusal,
			     "billing %" PRIu64
			     " is more than %s=billing=%" PRIu64 " of %.100s",
			     billing_of(&most, conf), limit->key,
			     limit->billing, limit->owner);
	fewest = eqt_quote_most_with_number(quote);
	if (billing_of(&fewest, conf) <= limit->billing)
		eqt_decision_name_number(&out->refusal, quote->totals.nodes);
	return ESLURM_ACCOUNTING_POLICY;
}
