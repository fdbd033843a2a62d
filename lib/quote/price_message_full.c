/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that a submission prints with message = full in equitree.conf, and
 * `equitree bill`: the brief line, and below it how the price was computed. */
#include "quote/price_message_shared.h"

/* The bundles that a request takes, in the order of the price table. */
static void full_put_gpus(struct eqt_text *line, const struct eqt_quote *quote)
{
	const struct eqt_demand *demand = &quote->totals.demand;
	const char *comma = "";

	for (uint32_t i = 0; i < quote->prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &quote->prices->gpu[i];
		struct eqt_frac weight = EQT_FRAC_ONE;

		if (demand->gpus[i] == 0)
			continue;
		eqt_text_put(line, comma);
		eqt_text_whole(line, demand->gpus[i]);
		PUT(line, " ", bundle->name);
		comma = ", ";
		(void) eqt_frac_make(&weight, bundle->weight_u, EQT_MICRO);
		if (eqt_frac_cmp(weight, EQT_FRAC_ONE) == 0)
			continue;
		eqt_text_put(line, " of weight ");
		eqt_frac_put(line, weight);
	}
	if (demand->gpus_untyped > 0) {
		eqt_text_put(line, comma);
		eqt_text_whole(line, demand->gpus_untyped);
		eqt_text_put(line, " of any model");
	}
}

/* How much of a resource one equivalent of this price stands for. */
static void full_put_rate(struct eqt_text *line, const struct eqt_price *price,
			  enum eqt_resource resource, uint64_t amount,
			  const char *suffix)
{
	struct eqt_frac inverse = { price->by[resource].den,
				    price->by[resource].num };
	struct eqt_frac each;

	if (price->by[resource].num == 0 ||
	    eqt_frac_mul(&each, inverse, (struct eqt_frac){ amount, 1 }) < 0)
		return;
	eqt_text_put(line, " at ");
	eqt_frac_put(line, each);
	PUT(line, suffix, " an equivalent");
}

/* What follows the number of a resource. */
static const char *full_suffix(const struct eqt_quote *quote,
			       enum eqt_resource resource)
{
	return resource == EQT_MEMORY || (resource == EQT_DISK &&
					  quote->prices->disk_shift > 0)
		       ? "M"
		       : "";
}

static uint64_t full_amount(const struct eqt_demand *demand,
			    enum eqt_resource resource)
{
	if (resource == EQT_DISK)
		return demand->disk;
	if (resource == EQT_NODES)
		return demand->nodes;
	return resource == EQT_CORES ? demand->cores : demand->mem_mib;
}

static void full_put_resource(struct eqt_text *line,
			      const struct eqt_quote *quote,
			      enum eqt_resource resource)
{
	/* What eqt_resource_name() says, all of the same width. */
	static const char *const columns[EQT_RESOURCES] = {
		[EQT_CORES] = "cores  ", [EQT_MEMORY] = "memory ",
		[EQT_GPUS] = "GPUs   ",	 [EQT_DISK] = "disk   ",
		[EQT_NODES] = "nodes  ",
	};
	const uint64_t amount = full_amount(&quote->totals.demand, resource);
	const char *suffix = full_suffix(quote, resource);

	PUT(line, "\n  ", columns[resource], " ");
	if (resource == EQT_GPUS) {
		full_put_gpus(line, quote);
	} else {
		eqt_text_whole(line, amount);
		eqt_text_put(line, suffix);
		if (!quote->by_model)
			full_put_rate(line, &quote->low, resource, amount,
				      suffix);
	}
	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	eqt_text_put(line, ": ");
	eqt_frac_put(line, quote->low.by[resource]);
	if (quote->low.minimum)
		return;
	if (quote->low.apart == 0 && resource == quote->low.dominant)
		eqt_text_put(line, ", which decides");
	else if (quote->low.apart && quote->low.by[resource].num > 0 &&
		 eqt_price_term(&quote->low, resource) == resource)
		eqt_text_put(line, ", which counts");
}

/* Where a bundle is the model's. */
static void full_put_place(struct eqt_text *line,
			   const struct eqt_bundle *bundle)
{
	if (bundle->nodes)
		PUT(line, " on ", bundle->nodes);
	if (bundle->features)
		PUT(line, " with feature ", bundle->features);
}

static void full_put_model(struct eqt_text *line, const struct eqt_quote *quote,
			   const struct eqt_demand *demand, uint32_t model)
{
	const struct eqt_bundle *bundle = &quote->prices->gpu[model];
	struct eqt_price price;

	if (!eqt_bundle_table_near(quote->prices, model) ||
	    eqt_price_as(&price, quote->prices, demand, model, NULL) < 0)
		return;
	PUT(line, "\n  as ", bundle->name);
	full_put_place(line, bundle);
	eqt_text_put(line, ": ");
	eqt_frac_put(line, price.equivalents);
	if (!price.minimum)
		PUT(line, ", decided by ", eqt_resource_name(price.dominant));
}

/* One line a model, or a bundle of the model, that decides the price. */
static void full_put_models(struct eqt_text *line,
			    const struct eqt_quote *quote)
{
	struct eqt_demand demand = quote->totals.demand;

	for (uint32_t i = 0; i < quote->prices->gpu_count; i++) {
		if (demand.gpus_untyped > 0) {
			if (eqt_bundle_table_held(quote->prices) >> i & 1)
				full_put_model(line, quote, &demand, i);
			continue;
		}
		/* Of several models each has its own: too much to tell. */
		if (demand.gpus[i] != quote->totals.gpus)
			continue;
		demand.gpus_untyped = demand.gpus[i];
		demand.gpus[i] = 0;
		for (int next = (int) i; next >= 0;
		     next = eqt_bundle_table_next(quote->prices,
						  (uint32_t) next))
			full_put_model(line, quote, &demand, (uint32_t) next);
		return;
	}
}

/* What comes after the resources: the least, the unit. */
static void full_put_rounding(struct eqt_text *line,
			      const struct eqt_quote *quote)
{
	const struct eqt_price *price = &quote->low;
	struct eqt_frac unit, sum;

	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	if (price->minimum) {
		eqt_text_put(line, "\n  a job's least: ");
		eqt_frac_put(line, price->equivalents);
	} else if (eqt_price_sum(&sum, price) == 0 &&
		   eqt_frac_cmp(price->equivalents, sum) != 0 &&
		   eqt_frac_make(&unit, 1, quote->prices->round_unit) == 0) {
		eqt_text_put(line, "\n  rounded up to a multiple of ");
		eqt_frac_put(line, unit);
		eqt_text_put(line, ": ");
		eqt_frac_put(line, price->equivalents);
	}
}

/* A line each: what the price is times in a queue. */
static void full_put_factors(struct eqt_text *line,
			     const struct eqt_quote *quote)
{
	struct eqt_frac factor;

	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue =
			eqt_price_message_factor(quote, i);

		if (!queue || eqt_price_factor(&factor, queue,
					       quote->totals.demand.nodes) < 0)
			continue;
		eqt_text_put(line, "\n  charged ");
		eqt_frac_put(line, factor);
		PUT(line, " times the price", eqt_price_message_factor_words(i),
		    queue->name);
	}
}

/* The hours of one unit with its whole name, and the money. */
static void full_put_unit_hours(struct eqt_text *line,
				const struct eqt_quote *quote,
				const struct eqt_price *from,
				const struct eqt_price *to)
{
	struct eqt_frac low, high;
	bool one;

	if (!eqt_price_message_hours(&low, &high, quote, from, to))
		return;
	one = eqt_frac_cmp(low, EQT_FRAC_ONE) == 0 &&
	      eqt_frac_cmp(high, EQT_FRAC_ONE) == 0;
	PUT(line, "\n  ", quote->least ? "at least " : "");
	eqt_price_message_put_range(line, low, high);
	PUT(line, " ", eqt_unit_name(to->unit, to->gpu_pool, false), "-hour",
	    one ? "" : "s", " for the time limit of ");
	eqt_price_message_put_minutes(line, quote->minutes);
	if (from->unit && from->unit->currency[0] != '\0')
		eqt_text_put(line, ": ");
	(void) eqt_price_message_put_money(line, from, to, low, high);
}

static void full_put_hours(struct eqt_text *line, const struct eqt_quote *quote)
{
	full_put_unit_hours(line, quote, &quote->low, &quote->high);
	if (quote->also)
		full_put_unit_hours(line, quote, &quote->also_low,
				    &quote->also_high);
}

/* A job on more nodes than it needs: what that costs, and how to prevent it. What
 * would be cheaper. */
static void full_put_hints(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->spread_nodes > 0) {
		eqt_text_put(line, "\n  ");
		eqt_frac_put(line,
			     eqt_price_message_amount(quote, &quote->spread));
		eqt_text_put(line, " if it gets ");
		eqt_text_whole(line, quote->spread_nodes);
		eqt_text_put(line, " nodes, which -N");
		eqt_text_whole(line, quote->totals.nodes);
		eqt_text_put(line, " prevents");
	}
	if (quote->advice == EQT_QUOTE_ADVICE_NONE)
		return;
	eqt_text_put(line, "\n  ");
	eqt_price_message_put_advice(line, quote);
	eqt_text_put(line, " would make it ");
	eqt_frac_put(line, quote->advice_price);
}

char *eqt_price_message_full(const struct eqt_quote *quote, char *buf,
			     size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	eqt_price_message_put_brief(&line, quote);
	if (quote->lack)
		return buf;
	if (quote->totals.gpus > 0)
		full_put_resource(&line, quote, EQT_GPUS);
	full_put_resource(&line, quote, EQT_CORES);
	full_put_resource(&line, quote, EQT_MEMORY);
	if (quote->totals.demand.disk > 0)
		full_put_resource(&line, quote, EQT_DISK);
	if (quote->low.by[EQT_NODES].num > 0)
		full_put_resource(&line, quote, EQT_NODES);
	if (quote->by_model)
		full_put_models(&line, quote);
	full_put_rounding(&line, quote);
	full_put_factors(&line, quote);
	full_put_hours(&line, quote);
	full_put_hints(&line, quote);
	return buf;
}
