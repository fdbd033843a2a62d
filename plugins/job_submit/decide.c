/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include <slurm/slurm_errno.h>

#include "base/whole.h"
#include "base/text.h"
#include "job/demand_most.h"
#include "slurm/spec_field.h"
#include "budget_check.h"
#include "grant_check.h"
#include "decide.h"
#include "partition_quote.h"
#include "account.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/spec_partition.h"
#endif

/*
 * ---- Partitions that are priced together ----
 *
 * An upper bound of the price in the remaining partitions, after a request has
 * used up the steps that pricing it may take.
 */

/* The remaining partitions, which are not priced one by one. */
struct rest_partitions {
	/* The request in the first of all partitions, with its resources
	   counted. */
	const struct eqt_partition_quote *first;
	size_t from; /* The number of the first remaining partition. */
	/* The remaining partitions are to be priced with whole nodes. */
	bool whole;
	/* All partitions must also be priced with whole nodes. */
	bool then_whole;
};

/* The largest values of the remaining partitions. */
struct rest {
	const struct rest_partitions *left;
	/* The highest prices of all remaining partitions. */
	struct eqt_bundle_table prices;
	struct eqt_terms terms; /* The terms of the bundle of cores. */
	/* Some of the remaining partitions price cores, and some do not. */
	bool cores_hold, cores_off;
	bool whole; /* Some of the remaining partitions give whole nodes. */
	/* The longest time limit in minutes, or 0 if no limit is known. */
	uint64_t minutes;
	struct eqt_node_most nodes; /* The largest nodes of the cluster. */
};

static bool rest_has(const struct rest_partitions *left, size_t number)
{
	return number >= left->from || left->then_whole;
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
	const struct eqt_reading *reading = rest->left->first->reading;

	rest_add_rule(rest, reading->of[number].rule);
	rest->whole |= eqt_reading_is_whole(reading, number);
#ifdef EQT_HAVE_INTERNAL
	if (reading->of[number].part)
		eqt_whole_raise(
			&rest->minutes,
			eqt_spec_partition_minutes(reading->of[number].part));
#endif
}

static void rest_open(struct rest *rest, const struct rest_partitions *left,
		      const struct eqt_qos *qos)
{
	const struct eqt_partition_quote *first = left->first;
	const struct eqt_reading *reading = first->reading;

	rest->left = left;
	eqt_partition_quote_prices(&rest->prices, reading->conf, qos);
	rest->terms = (struct eqt_terms){ .apart = 0 };
	eqt_price_terms_raise(&rest->terms, &rest->prices.cores);
	rest->prices.cores.terms = &rest->terms;
	rest->cores_hold = rest->cores_off = false;
	rest->whole = first->spec.exclusive || left->whole || left->then_whole;
	rest->minutes = 0;
	for (size_t i = 0; i < reading->partitions; i++) {
		if (rest_has(left, i))
			rest_add_partition(rest, i);
	}
	if (first->spec.minutes)
		rest->minutes = first->spec.minutes;
	rest->nodes = (struct eqt_node_most){ .nodes = 0 };
#ifdef EQT_HAVE_INTERNAL
	eqt_spec_partition_cluster_most(&rest->nodes, &rest->prices);
#endif
}

/* Does the request itself name GPUs? */
static bool rest_has_gpus(const struct eqt_partition_quote *first)
{
	const struct eqt_reading *reading = first->reading;

	if (!first->spec.exclusive)
		return first->parsed.totals.gpus > 0;
	return first->spec.tasks_per_gpu > 0 ||
	       (reading->row && reading->lists.totals.count > 0);
}

/* Record one price, in core- or GPU-equivalents, for all remaining
 * partitions. */
static int rest_note_price(struct eqt_decision *out, struct rest *rest,
			   const struct eqt_demand *demand)
{
	const struct rest_partitions *left = rest->left;
	const struct eqt_reading *reading = left->first->reading;
	const bool bounds = rest->prices.cores_off ||
			    eqt_price_terms_by_cores(&rest->prices);
	struct eqt_quote quote = { .prices = &rest->prices,
				   .totals = left->first->parsed.totals,
				   .minutes = rest->minutes };
	struct eqt_price low;

	if ((bounds ? eqt_price_range_bounds(&low, &quote.high, &rest->prices,
					     demand, &out->refusal)
		    : eqt_price(&quote.high, &rest->prices, demand,
				&out->refusal)) < 0)
		return ESLURM_ACCOUNTING_POLICY;
	quote.low = quote.high;
	for (size_t i = 0; i < reading->partitions; i++) {
		if (rest_has(left, i) && reading->of[i].rule &&
		    eqt_rule_check(reading->of[i].rule, &quote.high,
				   &out->refusal) < 0)
			return ESLURM_ACCOUNTING_POLICY;
	}
	eqt_budget_check_note(out, &quote, reading, 0, reading->partitions);
	eqt_decision_add(out, &quote);
	eqt_grant_check_note(out, reading->conf, left->first, &quote, false);
	return SLURM_SUCCESS;
}

/*
 * Widen the quote of *out, if it has one, by an upper bound of the request's
 * price in the remaining partitions. The bound assumes the largest nodes of the
 * cluster, whole and as many as the request can get, with the highest bundle
 * and the highest factor. Caps, grants and budgets are compared with the bound.
 *
 * Returns SLURM_SUCCESS, or the error with which Slurm refuses the request;
 * out->refusal is the reason. The caller holds slurmctld's part and node locks
 * for reading, and no lock of assoc_mgr.
 */
static int rest_note(struct eqt_decision *out,
		     const struct rest_partitions *left)
{
	const struct eqt_partition_quote *first = left->first;
	const bool gpus = rest_has_gpus(first);
	struct eqt_demand most, cores;
	int rc = SLURM_SUCCESS;
	struct rest rest;

	rest_open(&rest, left, &out->qos);
	if (eqt_demand_most(&most, &first->spec, &first->parsed.totals,
			    &rest.nodes) < 0) {
		(void) eqt_error_set(&out->refusal,
				     "the request is too large to price");
		return ESLURM_ACCOUNTING_POLICY;
	}
	if (eqt_price_terms_by_cores(&rest.prices)) {
		rc = rest_note_price(out, &rest, &most);
		rest.terms.rate[EQT_GPUS].den = 0;
		if (rc != SLURM_SUCCESS)
			return rc;
	}
	cores = most;
	cores.gpus_untyped = 0;
	if (!gpus && rest.cores_hold)
		rc = rest_note_price(out, &rest, &cores);
	if (rc != SLURM_SUCCESS || rest.prices.gpu_count == 0)
		return rc;
	rest.prices.cores_off = true;
	if (gpus || (rest.whole && most.gpus_untyped > 0))
		return rest_note_price(out, &rest, &most);
	return rest.cores_off ? rest_note_price(out, &rest, &cores)
			      : SLURM_SUCCESS;
}

/* Check what the rules of partitions require of a request. The result is
 * Slurm's most similar error, and the text explains more. */
static int wants_check(const struct eqt_reading *reading, struct eqt_error *err)
{
	struct eqt_job_spec spec;
	bool is_made = false;
	uint32_t missing;

	for (size_t i = 0; i < reading->partitions; i++) {
		const struct eqt_rule *rule = reading->of[i].rule;

		if (!rule || !eqt_rule_wants_any(rule))
			continue;
		if (!is_made)
			eqt_spec_field_from_desc(&spec, reading->desc);
		is_made = true;
		missing = eqt_rule_missing(rule, &spec, err);
		if (missing)
			return missing == EQT_WANT_TIME
				       ? ESLURM_MISSING_TIME_LIMIT
				       : ESLURM_ACCOUNTING_POLICY;
	}
	return SLURM_SUCCESS;
}

static int cap_check(struct eqt_decision *out,
		     const struct eqt_partition_quote *part_quote,
		     const struct eqt_quote *quote)
{
	struct eqt_price most, fewest;

	if (part_quote->rule)
		most = eqt_quote_most(quote);
	if (!part_quote->rule ||
	    eqt_rule_check(part_quote->rule, &most, &out->refusal) == 0)
		return eqt_grant_check_limit(out, part_quote->reading->conf,
					     part_quote, quote);
	fewest = eqt_quote_most_with_number(quote);
	if (eqt_rule_check(part_quote->rule, &fewest, NULL) == 0)
		eqt_decision_name_number(&out->refusal, quote->totals.nodes);
	return ESLURM_ACCOUNTING_POLICY;
}

/* Record the fewest nodes on which the request fits. The effect of -N is known
 * for a single partition only. */
static void number_note(struct eqt_decision *out,
			const struct eqt_reading *reading)
{
	out->numbered_nodes = 0;
	if (out->quote.spread_nodes > 0 && reading->partitions <= 1)
		out->numbered_nodes = out->quote.totals.nodes;
}

/* Price the request in a further partition, or in any partition with whole
 * nodes. The function is not inlined, because it needs kilobytes of stack and
 * most requests name one partition. */
static __attribute__((noinline)) int partition_price(
	struct eqt_decision *out, struct eqt_reading *reading, size_t number,
	bool whole)
{
	const struct eqt_conf *conf = reading->conf;
	struct eqt_bundle_table prices;
	struct eqt_quote quote;
	struct eqt_partition_quote part_quote;
	int rc;

	if (!eqt_partition_quote_make(&part_quote, reading, number, whole) ||
	    !eqt_partition_quote_price(
		    &quote, &prices, conf, &part_quote, &out->qos,
		    out->priced && out->quote.advice != EQT_QUOTE_ADVICE_NONE))
		return SLURM_SUCCESS;
	rc = cap_check(out, &part_quote, &quote);
	if (rc != SLURM_SUCCESS)
		return rc;
	eqt_budget_check_note(out, &quote, reading, number, 1);
	eqt_decision_add(out, &quote);
	eqt_grant_check_note(out, conf, &part_quote, &quote, true);
	return SLURM_SUCCESS;
}

/* Name the GPUs of the request that no bundle prices, and the GPUs that bundles
 * price. Usually the user has misspelled a model, and Slurm's own error says
 * less. */
static void unpriced_note(struct eqt_decision *out,
			  const struct eqt_partition_quote *part_quote)
{
	const struct eqt_bundle_table *prices =
		&part_quote->reading->conf->prices;
	char names[EQT_ERROR_SIZE / 2];
	struct eqt_text list = { .data = names, .space = sizeof(names) };
	struct eqt_job_totals totals;
	struct eqt_error err;

	if (eqt_job_spec_compute(&totals, prices, &part_quote->spec, &err) == 0)
		return;
	names[0] = '\0';
	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		if (i > 0 &&
		    strcmp(prices->gpu[i].name, prices->gpu[i - 1].name) == 0)
			continue;
		eqt_text_put(&list, i > 0 ? ", " : "; GPUs here are ");
		eqt_text_put(&list, prices->gpu[i].name);
	}
	(void) eqt_error_set(&out->note, "%.200s%s", err.text,
			     strstr(err.text, "has no price") ? names : "");
}

/* Price all remaining partitions together when the steps are used up, and add a
 * note for the user that the price is an upper bound. */
static int rest_price(struct eqt_decision *out,
		      const struct eqt_partition_quote *first, size_t from,
		      bool whole, bool then_whole)
{
	const struct rest_partitions rest = { first, from, whole, then_whole };
	int rc;

	if (!first->is_parsed)
		return SLURM_SUCCESS;
	rc = rest_note(out, &rest);
	if (rc == SLURM_SUCCESS && out->note.text[0] == '\0')
		(void) eqt_error_set(&out->note,
				     "the job names too many partitions to "
				     "price each; the highest price is an "
				     "upper bound");
	return rc;
}

/* Price the request in the partitions from number `from` on, as long as steps
 * are left. If `whole` is set, price it with whole nodes, in those partitions
 * that do not give whole nodes anyway. */
static int partitions_price(struct eqt_decision *out,
			    const struct eqt_partition_quote *first,
			    size_t from, bool whole, bool then_whole)
{
	struct eqt_reading *reading = first->reading;
	int rc = SLURM_SUCCESS;

	for (size_t i = from; rc == SLURM_SUCCESS && i < reading->partitions;
	     i++) {
		if ((whole && eqt_reading_is_whole(reading, i)) ||
		    eqt_reading_is_covered(reading, i))
			continue;
		if (reading->steps == 0)
			return rest_price(out, first, i, whole, then_whole);
		rc = partition_price(out, reading, i, whole);
	}
	if (rc == SLURM_SUCCESS && then_whole)
		rc = partitions_price(out, first, 0, true, false);
	return rc;
}

/* Price the request in all its partitions, beginning with the first. */
static int request_price(struct eqt_decision *out,
			 const struct eqt_partition_quote *first)
{
	const struct eqt_conf *conf = first->reading->conf;
	int rc = SLURM_SUCCESS;

	eqt_reading_give(first->reading);
	eqt_decision_forget_limit(out);
	out->draws = false;
	out->budget_need_u = 0;
	out->numbered_nodes = 0;
	out->priced = eqt_partition_quote_price(&out->quote, &out->prices, conf,
						first, &out->qos, true);
	if (!out->priced)
		unpriced_note(out, first);
	/* A request that gets whole nodes is priced again, so its price on
	   parts of nodes does not count. */
	if (out->job == 0 && eqt_decide_gives_whole(out, conf, first->desc) &&
	    !out->quote.lack) {
		out->whole = true;
		return SLURM_ERROR;
	}
	if (out->priced) {
		number_note(out, first->reading);
		eqt_budget_check_note(out, &out->quote, first->reading, 0, 1);
		eqt_grant_check_note(out, conf, first, &out->quote,
				     first->reading->partitions > 1);
		rc = cap_check(out, first, &out->quote);
		eqt_partition_quote_note_now(&out->quote, first);
		if (out->quote.fits && !out->quote.lack)
			first->reading->first = first;
	}
	if (rc == SLURM_SUCCESS)
		rc = partitions_price(out, first, 1, false,
				      eqt_reading_has_whole(first->reading));
	return rc;
}

/* Clear the members that are read before they are set. The other members, which
 * have kilobytes, are not touched. */
static void decision_start(struct eqt_decision *out)
{
	out->priced = false;
	out->whole = false;
	out->account[0] = '\0';
	out->moved = false;
	out->draws = false;
	out->budget_need_u = 0;
	out->numbered_nodes = 0;
	out->budgeted = false;
	out->qos = (struct eqt_qos){ .usage_factor = 1.0 };
	out->note.text[0] = '\0';
	out->refusal.text[0] = '\0';
	out->default_known = false;
	out->default_account[0] = '\0';
}

/* Check --nodelist and --exclude. A list that takes too long to look up is
 * refused, because the price depends on the whole list. Unknown names are
 * refused here: Slurm would log each of a million unknown names while it holds
 * its locks. */
static int names_check(struct eqt_decision *out, struct eqt_reading *reading,
		       const struct eqt_partition_quote *part_quote)
{
#ifdef EQT_HAVE_INTERNAL
	if (eqt_candidate_nodes_names(&reading->candidates, &part_quote->spec,
				      &out->refusal) < 0)
		return ESLURM_INVALID_NODE_NAME;
#else
	(void) out;
	(void) reading;
	(void) part_quote;
#endif
	return SLURM_SUCCESS;
}

/*
 * Choose the account by the pool of the resources that the job may get. If the
 * pool depends on the partition or on the nodes, first price the request in the
 * QOS that it has with its own account.
 */
static int account_choose(struct eqt_decision *out,
			  const struct eqt_partition_quote *first)
{
	const struct eqt_conf *conf = first->reading->conf;
	int rc = SLURM_SUCCESS;

	if (eqt_pools_any(&conf->pools) &&
	    (first->reading->partitions > 1 || first->spec.exclusive)) {
		eqt_account_qos(out, first);
		rc = request_price(out, first);
	}
	return rc == SLURM_SUCCESS ? eqt_account_choose(out, conf, first) : rc;
}

/* Also price the request in the other QOS that it names, because it may run in
 * any of them. The function is not inlined, because its names take stack that
 * most requests do not need. */
static __attribute__((noinline)) int qos_price_others(
	struct eqt_decision *out, const struct eqt_partition_quote *first)
{
	const char *list = first->desc->qos;
	struct eqt_qos chosen = out->qos;
	char name[EQT_QOS_SIZE];
	int rc = SLURM_SUCCESS;

	while (rc == SLURM_SUCCESS &&
	       eqt_text_next_name(name, sizeof(name), &list)) {
		eqt_account_qos_named(&out->qos, name);
		eqt_decision_forget_limit(out);
		if (strcmp(out->qos.name, chosen.name) == 0)
			continue;
		chosen.has_grant &= out->qos.has_grant;
		rc = partitions_price(out, first, 0, false,
				      eqt_reading_has_whole(first->reading));
	}
	/* Restore the first QOS, because the first price borrows the name of
	   the QOS from out->qos. */
	out->qos = chosen;
	return rc;
}

/* Price the request in its QOS, unless it was priced in that QOS already to
 * choose the account. */
static int qos_price(struct eqt_decision *out,
		     const struct eqt_partition_quote *first)
{
	const struct eqt_qos before = out->qos;
	int rc = SLURM_SUCCESS;

	eqt_account_qos(out, first);
	if (first->reading->times == 0 ||
	    strcmp(before.name, out->qos.name) != 0)
		rc = request_price(out, first);
	if (rc == SLURM_SUCCESS && eqt_qos_list_is(first->desc->qos))
		rc = qos_price_others(out, first);
	return rc;
}

/* Limit the number of QOS, because each QOS adds one price in each
 * partition. */
static int qos_list_check(const struct eqt_reading *reading,
			  struct eqt_error *err)
{
	const char *list = reading->desc->qos;

	if (!eqt_qos_list_is(list) ||
	    eqt_qos_list_count(list) <= EQT_QOS_LIST_MAX)
		return SLURM_SUCCESS;
	(void) eqt_error_set(err, "the job names more than %d QOS",
			     EQT_QOS_LIST_MAX);
	return ESLURM_INVALID_QOS;
}

/* Judge a request. If it names an unknown partition, it is not priced, so that
 * Slurm refuses it with its own message. */
static int reading_judge(struct eqt_decision *out, struct eqt_reading *reading)
{
	const struct eqt_conf *conf = reading->conf;
	struct eqt_partition_quote part_quote;
	int rc;

	if (reading->unknown)
		return SLURM_SUCCESS;
	rc = wants_check(reading, &out->refusal);
	if (rc == SLURM_SUCCESS)
		rc = qos_list_check(reading, &out->refusal);
	if (rc != SLURM_SUCCESS)
		return rc;
	(void) eqt_partition_quote_make(&part_quote, reading, 0, false);
	if (out->job == 0)
		rc = eqt_account_unknown(&part_quote);
	if (rc != SLURM_SUCCESS)
		return rc;
	rc = names_check(out, reading, &part_quote);
	if (rc == SLURM_SUCCESS)
		rc = account_choose(out, &part_quote);
	if (rc == SLURM_SUCCESS)
		rc = qos_price(out, &part_quote);
	if (rc == SLURM_SUCCESS)
		rc = eqt_grant_check(out, conf, &part_quote);
	if (rc == SLURM_SUCCESS && !out->moved)
		rc = eqt_budget_check_judge(out, &part_quote);
	if (rc == SLURM_SUCCESS && out->moved)
		rc = request_price(out, &part_quote);
	/* The hint is computed once, after it is certain that the price will be
	   printed. */
	if (rc == SLURM_SUCCESS && out->priced && reading->advises &&
	    !eqt_reading_compares(reading))
		eqt_quote_advice_find(&out->quote, &part_quote.spec);
	return rc;
}

int eqt_decide(struct eqt_decision *out, const struct eqt_shared_conf *shared,
	       const job_desc_msg_t *desc, uint32_t job, bool advise)
{
	struct eqt_reading reading;
	int rc;

	decision_start(out);
	out->job = job;
	eqt_reading_open(&reading, shared, desc);
	reading.advises = advise;
	rc = reading_judge(out, &reading);
	out->work = eqt_reading_work(&reading);
	/* The steps belong to `reading`, which is closed now. */
	out->prices.steps = NULL;
	eqt_reading_close(&reading);
	return rc;
}

bool eqt_decide_gives_whole(const struct eqt_decision *decision,
			    const struct eqt_conf *conf,
			    const job_desc_msg_t *desc)
{
	return decision->priced && desc->shared != JOB_SHARED_NONE &&
	       eqt_conf_gives_whole(conf, decision->quote.totals.nodes);
}
