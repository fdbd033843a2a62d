/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <slurm/slurm_errno.h>

#include "dearest.h"
#include "budget_check.h"
#include "grant_check.h"
#include "job/demand_most.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/spec_partition.h"
#endif

/* What the partitions that are left have at most. */
struct rest {
	const struct eqt_dearest *dearest;
	struct eqt_bundle_table prices; /* the dearest of all */
	struct eqt_terms terms; /* of their cores */
	bool cores_hold, cores_off; /* in some of them */
	bool whole; /* nodes, in some of them */
	uint64_t minutes; /* the longest time limit; 0: not known */
	struct eqt_node_most nodes; /* of the cluster */
};

static bool is_left(const struct eqt_dearest *dearest, size_t number)
{
	return number >= dearest->from || dearest->then_whole;
}

static void rest_add_rule(struct rest *rest, const struct eqt_rule *rule)
{
	struct eqt_charge_factor *most =
		&rest->prices.queue[EQT_CHARGE_FACTOR_PARTITION];
	struct eqt_bundle cores = { .weight_u = EQT_MICRO };
	eqt_u128 factor;

	rest->cores_off |= rule && rule->cores_off;
	rest->cores_hold |= !rule || !rule->cores_off;
	if (!rule)
		return;
	/* On whatever number of nodes. */
	factor = rule->factor_u;
	if (rule->big_nodes > 0 && rule->big_u > EQT_MICRO)
		factor =
			(eqt_u128) rule->factor_u * rule->big_u / EQT_MICRO + 1;
	if (factor > (most->name ? most->factor_u : EQT_MICRO))
		*most = (struct eqt_charge_factor){
			.name = rule->name, .factor_u = (uint64_t) factor
		};
	if (eqt_rule_bundle(&cores, rule))
		eqt_price_terms_raise(&rest->terms, &cores);
}

static void rest_add_partition(struct rest *rest, size_t number)
{
	const struct eqt_reading *reading = rest->dearest->first->reading;

	rest_add_rule(rest, reading->of[number].rule);
	rest->whole |= eqt_reading_is_whole(reading, number);
#ifdef EQT_HAVE_INTERNAL
	if (reading->of[number].part) {
		const uint64_t minutes =
			eqt_spec_partition_minutes(reading->of[number].part);

		if (rest->minutes < minutes)
			rest->minutes = minutes;
	}
#endif
}

static void rest_open(struct rest *rest, const struct eqt_dearest *dearest,
		      const struct eqt_qos *qos)
{
	const struct eqt_partition_quote *first = dearest->first;
	const struct eqt_reading *reading = first->reading;

	rest->dearest = dearest;
	eqt_partition_quote_prices(&rest->prices, reading->conf, qos);
	rest->terms = (struct eqt_terms){ .apart = 0 };
	eqt_price_terms_raise(&rest->terms, &rest->prices.cores);
	rest->prices.cores.terms = &rest->terms;
	rest->cores_hold = rest->cores_off = false;
	rest->whole = first->spec.exclusive || dearest->whole ||
		      dearest->then_whole;
	rest->minutes = 0;
	for (size_t i = 0; i < reading->partitions; i++) {
		if (is_left(dearest, i))
			rest_add_partition(rest, i);
	}
	if (first->spec.minutes)
		rest->minutes = first->spec.minutes;
	rest->nodes = (struct eqt_node_most){ .nodes = 0 };
#ifdef EQT_HAVE_INTERNAL
	eqt_spec_cluster_most(&rest->nodes, &rest->prices);
#endif
}

/* Whether the request itself has GPUs. */
static bool has_gpus(const struct eqt_partition_quote *first)
{
	const struct eqt_reading *reading = first->reading;

	if (!first->spec.exclusive)
		return first->parsed.totals.gpus > 0;
	return first->spec.tasks_per_gpu > 0 ||
	       (reading->row && reading->lists.totals.count > 0);
}

/* Note one price, in core- or GPU-equivalents, for all partitions that are left. */
static int price_note(struct eqt_decision *out, struct rest *rest,
		      const struct eqt_demand *demand)
{
	const struct eqt_dearest *dearest = rest->dearest;
	const struct eqt_reading *reading = dearest->first->reading;
	const bool bounds = rest->prices.cores_off ||
			    eqt_price_terms_by_cores(&rest->prices);
	struct eqt_quote quote = { .prices = &rest->prices,
				   .totals = dearest->first->parsed.totals,
				   .minutes = rest->minutes };
	struct eqt_price low;

	if ((bounds ? eqt_price_range_bounds(&low, &quote.high, &rest->prices,
					     demand, &out->refusal)
		    : eqt_price(&quote.high, &rest->prices, demand,
				&out->refusal)) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	quote.low = quote.high;
	for (size_t i = 0; i < reading->partitions; i++) {
		if (is_left(dearest, i) && reading->of[i].rule &&
		    eqt_rule_check(reading->of[i].rule, &quote.high,
				   &out->refusal) < 0)
			return ESLURM_ACCOUNTING_POLICY;
	}
	eqt_budget_check_note(out, &quote, reading, 0, reading->partitions);
	eqt_decision_add(out, &quote);
	eqt_grant_check_note(out, reading->conf, dearest->first, &quote, false);
	return SLURM_SUCCESS;
}

int eqt_dearest_note(struct eqt_decision *out,
		     const struct eqt_dearest *dearest)
{
	const struct eqt_partition_quote *first = dearest->first;
	const bool gpus = has_gpus(first);
	struct eqt_demand most, cores;
	int rc = SLURM_SUCCESS;
	struct rest rest;

	rest_open(&rest, dearest, &out->qos);
	if (eqt_demand_most(&most, &first->spec, &first->parsed.totals,
			    &rest.nodes) < 0) {
		(void) eqt_error_set(&out->refusal,
				     "the request is too large to price");
		return ESLURM_ACCOUNTING_POLICY;
	}
	if (eqt_price_terms_by_cores(&rest.prices)) {
		rc = price_note(out, &rest, &most);
		rest.terms.rate[EQT_GPUS].den = 0;
		if (rc != SLURM_SUCCESS)
			return rc;
	}
	cores = most;
	cores.gpus_untyped = 0;
	if (!gpus && rest.cores_hold)
		rc = price_note(out, &rest, &cores);
	if (rc != SLURM_SUCCESS || rest.prices.gpu_count == 0)
		return rc;
	rest.prices.cores_off = true;
	if (gpus || (rest.whole && most.gpus_untyped > 0))
		return price_note(out, &rest, &most);
	return rest.cores_off ? price_note(out, &rest, &cores) : SLURM_SUCCESS;
}
