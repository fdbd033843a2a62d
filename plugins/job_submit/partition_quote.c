/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slurm/spec_field.h"
#include "slurm/log.h"
#include "partition_quote.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/spec_partition.h"
#endif

/* The steps that a partition takes in addition to its kinds of nodes, and the
 * number of rows that take one step. */
#define PARTITION_STEPS 10
#define ROWS_STEP 2

/* Add the partition's rule, its defaults, and the nodes that the request could
 * get. Each comparison of node bitmaps counts as a step of the submission. */
static void quote_add_partition(struct eqt_partition_quote *part_quote)
{
	part_quote->rule = part_quote->reading->of[part_quote->number].rule;
#ifdef EQT_HAVE_INTERNAL
	part_quote->part = part_quote->reading->of[part_quote->number].part;
	if (part_quote->part) {
		struct eqt_candidate_nodes *const candidates =
			&part_quote->reading->candidates;
		const uint32_t before = candidates->compared;

		eqt_spec_partition_add(&part_quote->spec, part_quote->part,
				       candidates);
		eqt_reading_add_first(part_quote->reading, &part_quote->spec,
				      part_quote->number);
		eqt_reading_take(part_quote->reading,
				 candidates->compared - before);
	}
#endif
}

/* Is the price known to equal the price in the first partition? */
static bool quote_is_known(const struct eqt_partition_quote *part_quote)
{
#ifdef EQT_HAVE_INTERNAL
	const struct eqt_partition_quote *first = part_quote->reading->first;

	return first && part_quote->number > 0 && part_quote->part &&
	       part_quote->rule == first->rule &&
	       part_quote->part->qos_ptr == first->part->qos_ptr &&
	       eqt_spec_partition_over_minutes(part_quote->part) ==
		       eqt_spec_partition_over_minutes(first->part) &&
	       eqt_quote_classes_alike(&first->spec, &part_quote->spec);
#else
	(void) part_quote;
	return false;
#endif
}

bool eqt_partition_quote_make(struct eqt_partition_quote *out,
			      struct eqt_reading *reading, size_t number,
			      bool whole)
{
	out->desc = reading->desc;
	out->reading = reading;
	out->number = number;
	out->partition = eqt_reading_partition(reading, number);
	out->rule = NULL;
#ifdef EQT_HAVE_INTERNAL
	out->part = NULL;
#endif
	eqt_reading_take(reading, PARTITION_STEPS);
	eqt_spec_field_from_desc(&out->spec, reading->desc);
	out->spec.shares_elsewhere = reading->shares;
	if (out->partition)
		quote_add_partition(out);
	/* If some partitions of a request give whole nodes, decide.c prices it
	   with and without whole nodes. */
	out->spec.exclusive |= whole;
	if (quote_is_known(out))
		return false;
	out->is_parsed = eqt_reading_count(&out->parsed, reading, &out->spec,
					   number == 0 && !whole) == 0;
	if (out->is_parsed)
		eqt_reading_take(reading, out->parsed.rows.count / ROWS_STEP);
	return true;
}

static void unpriced_log(const struct eqt_error *err)
{
	eqt_log_debug("a submission has no price: %s", err->text);
}

/* Log why a request could not be counted. It is counted again to get the
 * reason, which happens seldom, and not inlined because of its stack. */
static __attribute__((noinline)) void uncounted_log(
	const struct eqt_bundle_table *prices, const struct eqt_job_spec *spec)
{
	struct eqt_job_totals totals;
	struct eqt_error err;

	if (eqt_job_spec_compute(&totals, prices, spec, &err) < 0)
		unpriced_log(&err);
}

void eqt_partition_quote_prices(struct eqt_bundle_table *prices,
				const struct eqt_conf *conf,
				const struct eqt_qos *qos)
{
	/* The caller adds the partition's rule. */
	eqt_conf_prices(prices, conf, NULL, qos->name[0] ? qos->name : NULL);
	if (qos->name[0])
		prices->queue[EQT_CHARGE_FACTOR_USAGE] =
			(struct eqt_charge_factor){
				.name = qos->name,
				.factor_u = eqt_spec_field_factor_u(
					qos->usage_factor)
			};
}

bool eqt_partition_quote_price(struct eqt_quote *quote,
			       struct eqt_bundle_table *prices,
			       const struct eqt_conf *conf,
			       const struct eqt_partition_quote *part_quote,
			       const struct eqt_qos *qos, bool tell)
{
	struct eqt_error err;

	eqt_partition_quote_prices(prices, conf, qos);
	/* All prices of a submission share the steps, which the reading
	   owns. */
	prices->steps = &part_quote->reading->steps;
	eqt_rule_apply(prices, part_quote->rule, EQT_CHARGE_FACTOR_PARTITION);
	if (!part_quote->is_parsed) {
		/* The reason is logged for the first partition only, because
		   all lists are read again to find it. */
		if (part_quote->number == 0)
			uncounted_log(prices, &part_quote->spec);
		return false;
	}
#ifdef EQT_HAVE_INTERNAL
	if (part_quote->part)
		eqt_candidate_nodes_apply(&part_quote->reading->candidates,
					  prices, &part_quote->spec,
					  &part_quote->parsed.totals.demand,
					  part_quote->part);
#endif
	if (eqt_quote_price(quote, prices, &part_quote->spec,
			    &part_quote->parsed, &err) == 0) {
		if (tell)
			eqt_quote_count_tasks(quote, &part_quote->spec);
		/* With several partitions, the hints are compared here.
		   decide.c adds the hint of a single partition. */
		if (tell && part_quote->reading->advises &&
		    eqt_reading_compares(part_quote->reading))
			eqt_quote_advice_find(quote, &part_quote->spec);
		if (qos->any_number && quote->lack >= EQT_QUOTE_LACK_MOST)
			quote->lack = EQT_QUOTE_LACK_NOTHING;
		return true;
	}
	unpriced_log(&err);
	return false;
}

#ifdef EQT_HAVE_INTERNAL
/* The function is not inlined, because it needs kilobytes of stack and most
 * requests do not call it. */
static __attribute__((noinline)) void now_note(
	struct eqt_quote *quote, const struct eqt_partition_quote *part_quote)
{
	struct eqt_nodes_now now = { .sets = 0 };

	eqt_candidate_nodes_now(&part_quote->reading->candidates, &now,
				&part_quote->spec, part_quote->part);
	eqt_quote_now_note(quote, &part_quote->spec, &now);
}
#endif

void eqt_partition_quote_note_now(struct eqt_quote *quote,
				  const struct eqt_partition_quote *part_quote)
{
#ifdef EQT_HAVE_INTERNAL
	if (part_quote->part && part_quote->reading->partitions <= 1 &&
	    eqt_quote_now_helps(quote, &part_quote->spec))
		now_note(quote, part_quote);
#else
	(void) quote;
	(void) part_quote;
#endif
}
