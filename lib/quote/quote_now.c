/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request on the idle nodes with the lowest weight. */
#include "job/node_offer.h"
#include "quote/quote_impl.h"

/* Compute the price of a request on some of its nodes. Return false if there is
 * none. */
static bool now_price(struct eqt_quote *out, const struct eqt_quote *quote,
		      const struct eqt_job_spec *spec)
{
	struct eqt_parsed_spec parsed;

	return eqt_parsed_spec_make(&parsed, quote->prices, spec, NULL) == 0 &&
	       eqt_quote_price(out, quote->prices, spec, &parsed, NULL) == 0;
}

/* Are the idle nodes of a set enough for the request? */
static bool now_holds(const struct eqt_quote *quote,
		      const struct eqt_job_spec *spec,
		      const struct eqt_node_now *set)
{
	struct eqt_job_spec one = *spec;
	struct eqt_quote alone;

	if (set->idle == 0)
		return false;
	one.kinds = 1;
	one.kind[0] = set->offer;
	one.kind[0].count = set->idle;
	return now_price(&alone, quote, &one) && alone.fits && !alone.lack;
}

static bool now_is_one(const struct eqt_quote *now)
{
	return !eqt_quote_spans(now) && !now->least && !now->lack &&
	       now->spread_nodes == 0;
}

/* Find the lowest weight of a set that is not below `from`. Return false if there is no
 * such set. */
static bool now_lightest(uint64_t *weight, const struct eqt_nodes_now *now,
			 uint64_t from)
{
	bool found = false;

	for (uint32_t i = 0; i < now->sets; i++) {
		const uint64_t one = now->set[i].weight;

		if (one >= from && (!found || one < *weight)) {
			*weight = one;
			found = true;
		}
	}
	return found;
}

/* Add the nodes of a set that the job may get. Nodes that are used in part may hold the
 * job as well, unless it takes whole nodes. Their prices count, but they do not count
 * as room for the job. */
static void now_add(struct eqt_job_spec *some, const struct eqt_node_now *set)
{
	struct eqt_node_offer offer = set->offer;

	if (some->exclusive && !some->keeps_rest)
		offer.count = set->idle;
	if (offer.count > 0)
		(void) eqt_node_offer_add(some, &offer);
}

bool eqt_quote_now_helps(const struct eqt_quote *quote,
			 const struct eqt_job_spec *spec)
{
	/* For --contiguous Slurm takes nodes side by side, whatever they weigh. */
	return !quote->lack && spec->kinds > 1 && !spec->contiguous &&
	       eqt_quote_spans(quote);
}

/* Slurm takes nodes of the next weight if the nodes of lower weights are not enough for
 * the job. */
void eqt_quote_now_note(struct eqt_quote *quote,
			const struct eqt_job_spec *spec,
			const struct eqt_nodes_now *now)
{
	struct eqt_job_spec some = *spec;
	bool holds = now->more || spec->counted_nodes > 0;
	struct eqt_quote price;
	uint64_t weight = 0;

	some.kinds = 0;
	while (!holds && now_lightest(&weight, now, weight)) {
		for (uint32_t i = 0; i < now->sets; i++) {
			if (now->set[i].weight != weight)
				continue;
			now_add(&some, &now->set[i]);
			holds |= now_holds(quote, spec, &now->set[i]);
		}
		weight++;
	}
	if (some.kinds == 0 || some.more_kinds)
		return;
	eqt_node_offer_sort(&some);
	if (!holds || !now_price(&price, quote, &some) || !now_is_one(&price))
		return;
	quote->starts_now = true;
	quote->now = price.high;
}
