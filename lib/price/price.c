/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"
#include "price/price_impl.h"

/* ---- Words --------------------------------------------------------------------------
 * The names of units and resources, and the text of what decided a price. */

/* Return the unit of a bundle or, if it has none, the unit of its pool. */
static const struct eqt_unit *unit_of(const struct eqt_bundle_table *prices,
				      const struct eqt_unit *bundle_unit,
				      int gpu_pool)
{
	return bundle_unit ? bundle_unit : prices->pool_unit[gpu_pool != 0];
}

/* Return the unit that all GPU bundles of a request share, or the unit of the pool if
 * they have different ones. GPUs without a model have the unit of the given model. */
static const struct eqt_unit *gpu_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	uint32_t model)
{
	const struct eqt_unit *unit =
		unit_of(prices, prices->gpu[model].unit, 1);
	bool any = demand->gpus_untyped > 0;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const struct eqt_unit *next =
			unit_of(prices, prices->gpu[i].unit, 1);

		if (demand->gpus[i] == 0)
			continue;
		if (any && next != unit)
			return prices->pool_unit[1];
		unit = next;
		any = true;
	}
	return unit;
}

/* Return the unit of a request's price, borrowed from the prices. NULL means the
 * built-in name. GPUs without a model count as GPUs of the given model. */
static const struct eqt_unit *price_unit_find(
	const struct eqt_bundle_table *prices, const struct eqt_demand *demand,
	bool gpu_pool, uint32_t model)
{
	return gpu_pool ? gpu_unit_find(prices, demand, model)
			: unit_of(prices, prices->cores.unit, 0);
}

const char *eqt_price_unit(const struct eqt_price *price)
{
	return eqt_unit_name(price->unit, price->gpu_pool, true);
}

const char *eqt_resource_name(enum eqt_resource resource)
{
	static const char *const names[EQT_RESOURCES] = {
		[EQT_CORES] = "cores", [EQT_MEMORY] = "memory",
		[EQT_GPUS] = "GPUs",   [EQT_DISK] = "disk",
		[EQT_NODES] = "nodes",
	};

	return names[resource];
}

/* If resources cost the same, the first of them in this order decides the price. */
static const enum eqt_resource ties[EQT_RESOURCES] = { EQT_GPUS, EQT_CORES,
						       EQT_MEMORY, EQT_DISK,
						       EQT_NODES };

/* Append the name and the cost of each term that costs something. The name of a term is
 * that of the resource that decides it. Return the number of these terms. */
static int terms_put(const struct eqt_price *price, struct eqt_text *line)
{
	int terms = 0;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		const enum eqt_resource one = ties[i];

		if (price->by[one].num == 0 ||
		    eqt_price_term(price, one) != one)
			continue;
		eqt_text_put(line, terms++ ? ", " : "");
		eqt_text_put(line, eqt_resource_name(one));
		eqt_text_put(line, " ");
		eqt_frac_put(line, price->by[one]);
	}
	return terms;
}

const char *eqt_price_reason(const struct eqt_price *price,
			     char buf[EQT_PRICE_REASON_SIZE])
{
	static const char *const reasons[EQT_RESOURCES] = {
		[EQT_CORES] = "cores decide", [EQT_MEMORY] = "memory decides",
		[EQT_GPUS] = "GPUs decide",   [EQT_DISK] = "disk decides",
		[EQT_NODES] = "nodes decide",
	};
	struct eqt_text line = { .data = buf, .space = EQT_PRICE_REASON_SIZE };

	if (price->minimum)
		return "the least for a job";
	if (price->apart && terms_put(price, &line) > 1)
		return buf;
	return reasons[price->dominant];
}

/* ---- Price ---------------------------------------------------------------- */

#define PRICE_STEPS 2 /* steps of work that one price takes */

/* The resources of a bundle other than its GPU. Nodes are not among them, because they
 * cost something only in terms. */
static const enum eqt_resource parts[] = { EQT_CORES, EQT_MEMORY, EQT_DISK };
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* The sum of all bundles of a request: their equivalents in millionths, and for each
 * resource the highest rate of any of their models. */
struct bundles {
	eqt_u128 weight_u;
	struct eqt_terms terms;
};

int eqt_price_too_large(struct eqt_error *err)
{
	return eqt_error_set(err, "the request is too large to price");
}

static void bundle_raise(struct bundles *sum, const struct eqt_bundle *bundle)
{
	if (bundle->terms) {
		eqt_price_terms_raise(&sum->terms, bundle);
		return;
	}
	for (size_t i = 0; i < PARTS; i++)
		eqt_price_terms_raise_rate(&sum->terms.rate[parts[i]],
					   eqt_price_terms_rate(bundle,
								parts[i]));
}

/* Add count * unit to *sum. Return -1 if the sum does not fit. */
static int add_product(eqt_u128 *sum, uint64_t count, uint64_t unit)
{
	eqt_u128 product = (eqt_u128) count * unit;

	return __builtin_add_overflow(*sum, product, sum) ? -1 : 0;
}

/* Return the bundle of the cores. By definition it costs one equivalent. */
static struct bundles core_bundle(const struct eqt_bundle_table *prices)
{
	const struct eqt_bundle *cores = &prices->cores;
	struct bundles sum = { .weight_u = EQT_MICRO };

	if (cores->terms) {
		bundle_raise(&sum, cores);
		return sum;
	}
	sum.terms.rate[EQT_CORES] =
		(struct eqt_frac){ EQT_MICRO, cores->cores_u };
	sum.terms.rate[EQT_MEMORY] =
		(struct eqt_frac){ EQT_MICRO, cores->mem_mib_u };
	sum.terms.rate[EQT_DISK] = (struct eqt_frac){ 1, cores->disk };
	return sum;
}

/* Return the bundle of a partition whose terms price GPUs. The weight is the number of
 * GPUs, because a model without a bundle has no weight. */
static struct bundles partition_bundle(const struct eqt_bundle_table *prices,
				       const struct eqt_demand *demand)
{
	struct bundles sum = { .weight_u = demand->gpus_untyped };

	bundle_raise(&sum, &prices->cores);
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++)
		sum.weight_u += demand->gpus[i];
	return sum;
}

/* Count the GPUs of bundle i. GPUs without a model count as GPUs of the given model. */
static int bundle_gpus(uint64_t *count, const struct eqt_demand *demand,
		       uint32_t model, uint32_t i)
{
	return __builtin_add_overflow(demand->gpus[i],
				      i == model ? demand->gpus_untyped : 0,
				      count)
		       ? -1
		       : 0;
}

/* Raise a rate to that of the bundles of a model, which is their equivalents divided by
 * the amount of a resource in them, both in millionths. If that amount is 0, the rate
 * is not changed. */
static int rate_raise_sum(struct eqt_frac *rate, eqt_u128 weight_u,
			  eqt_u128 part_u)
{
	struct eqt_frac sum;

	if (part_u == 0)
		return 0;
	if (eqt_frac_make(&sum, weight_u, part_u) < 0)
		return -1;
	eqt_price_terms_raise_rate(rate, sum);
	return 0;
}

/* The equivalents and the amounts of one resource, summed over the bundles of a model
 * that have this resource, both in millionths. */
struct part_sum {
	eqt_u128 weight_u, part_u;
};

static int part_sums_add(struct part_sum sums[PARTS],
			 const struct eqt_bundle *bundle, uint64_t count)
{
	for (size_t i = 0; i < PARTS; i++) {
		const uint64_t part_u =
			eqt_price_terms_rate(bundle, parts[i]).den;
		eqt_u128 product;

		if (part_u > 0 &&
		    (__builtin_mul_overflow((eqt_u128) part_u, count,
					    &product) ||
		     __builtin_add_overflow(sums[i].part_u, product,
					    &sums[i].part_u) ||
		     add_product(&sums[i].weight_u, count, bundle->weight_u) <
			     0))
			return -1;
	}
	return 0;
}

/* Raise the rates by all bundles of one name that the request has GPUs of. The first of
 * these bundles is gpu[from]. The bits of the bundles are cleared in *taken. */
static int raise_by_name(struct bundles *sum, uint32_t *taken,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_demand *demand, uint32_t model,
			 uint32_t from)
{
	struct part_sum sums[PARTS] = { { 0, 0 } };
	uint64_t count;

	for (int i = (int) from; i >= 0;
	     i = eqt_bundle_table_next(prices, (uint32_t) i)) {
		*taken &= ~(UINT32_C(1) << i);
		if (bundle_gpus(&count, demand, model, (uint32_t) i) < 0)
			return -1;
		/* The rates of terms are not summed over GPUs. The highest rate counts,
		 * so that one more GPU never costs less. */
		if (count > 0 && prices->gpu[i].terms)
			bundle_raise(sum, &prices->gpu[i]);
		else if (part_sums_add(sums, &prices->gpu[i], count) < 0)
			return -1;
	}
	for (size_t part = 0; part < PARTS; part++) {
		if (rate_raise_sum(&sum->terms.rate[parts[part]],
				   sums[part].weight_u, sums[part].part_u) < 0)
			return -1;
	}
	return 0;
}

/* Add up the bundles of all GPUs. GPUs without a model count as GPUs of the given
 * model. A request without GPUs takes one bundle of this model. */
static int gpu_bundles(struct bundles *sum,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_demand *demand, uint32_t model)
{
	uint32_t taken = 0, i;
	uint64_t count;

	*sum = (struct bundles){ 0 };
	for (i = 0; i < prices->gpu_count; i++) {
		if (bundle_gpus(&count, demand, model, i) < 0 ||
		    add_product(&sum->weight_u, count,
				prices->gpu[i].weight_u) < 0)
			return -1;
		taken |= (uint32_t) (count > 0) << i;
	}
	if (taken == 0)
		taken = UINT32_C(1) << model;
	/* Most requests have one bundle, for which no names need to be compared. */
	if ((taken & (taken - 1)) == 0) {
		bundle_raise(sum, &prices->gpu[__builtin_ctz(taken)]);
		return 0;
	}
	while (taken) {
		eqt_bundle_table_step(prices, EQT_PRICE_NAME_STEPS);
		i = (uint32_t) __builtin_ctz(taken);
		if (raise_by_name(sum, &taken, prices, demand, model, i) < 0)
			return -1;
	}
	return 0;
}

/* Compute what an amount of one resource costs by itself. A resource that no bundle
 * counts costs nothing. */
static int cost_alone(struct eqt_frac *out, uint64_t amount,
		      struct eqt_frac rate)
{
	*out = EQT_FRAC_ZERO;
	if (amount == 0 || rate.den == 0)
		return 0;
	return eqt_frac_make(out, (eqt_u128) rate.num * amount, rate.den);
}

enum eqt_resource eqt_price_term(const struct eqt_price *price,
				 enum eqt_resource resource)
{
	enum eqt_resource best = EQT_RESOURCES;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (!(price->apart & EQT_APART(resource, ties[i])) &&
		    (best == EQT_RESOURCES ||
		     eqt_frac_cmp(price->by[ties[i]], price->by[best]) > 0))
			best = ties[i];
	}
	return best;
}

int eqt_price_sum(struct eqt_frac *out, const struct eqt_price *price)
{
	struct eqt_frac sum = EQT_FRAC_ZERO;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (eqt_price_term(price, ties[i]) == ties[i] &&
		    eqt_frac_add(&sum, sum, price->by[ties[i]]) < 0)
			return -1;
	}
	*out = sum;
	return 0;
}

/* Find the resource that decides the price, and add up the terms. */
static int decide(struct eqt_price *price)
{
	enum eqt_resource best = price->gpu_pool ? EQT_GPUS : EQT_CORES;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		const struct eqt_frac cost = price->by[ties[i]];

		if (cost.num > 0 && eqt_frac_cmp(cost, price->by[best]) > 0)
			best = ties[i];
	}
	price->dominant = best;
	price->equivalents = price->by[best];
	return price->apart ? eqt_price_sum(&price->equivalents, price) : 0;
}

/* Round up to a multiple of 1 / unit. The value stays unrounded if the multiple does
 * not fit 64 bits. */
static int round_up(struct eqt_frac *value, uint64_t unit)
{
	uint64_t count = eqt_frac_round(*value, unit, EQT_ROUND_CEIL);

	if (count > UINT64_MAX - 3)
		return 0;
	return eqt_frac_make(value, count, unit);
}

static int raise_to_least(struct eqt_frac *equivalents, bool *raised,
			  uint64_t minimum_u)
{
	struct eqt_frac least;

	if (minimum_u == 0)
		return 0;
	if (eqt_frac_make(&least, minimum_u, EQT_MICRO) < 0)
		return -1;
	*raised = eqt_frac_cmp(*equivalents, least) < 0;
	if (*raised)
		*equivalents = least;
	return 0;
}

/*
 * Raise equivalents to the minimum of a job, and round them up to the unit of the
 * prices. *raised becomes true if they were below the minimum; prices without a minimum
 * leave *raised unchanged. Return 0, or -1 if a number does not fit 64 bits.
 */
static int minimum_apply(struct eqt_frac *equivalents, bool *raised,
			 const struct eqt_bundle_table *prices)
{
	if (raise_to_least(equivalents, raised, prices->minimum_u) < 0)
		return -1;
	if (prices->round_unit == 0)
		return 0;
	return round_up(equivalents, prices->round_unit);
}

int eqt_price_factor(struct eqt_frac *out,
		     const struct eqt_charge_factor *queue, uint64_t nodes)
{
	eqt_u128 num = queue->factor_u, den = EQT_MICRO;

	if (queue->big_nodes > 0 && nodes >= queue->big_nodes) {
		num *= queue->big_u;
		den *= EQT_MICRO;
	}
	return eqt_frac_make(out, num, den);
}

static int price_usage_scale(struct eqt_frac *usage, uint64_t num, uint64_t den)
{
	struct eqt_frac factor;

	return eqt_frac_make(&factor, num, den) < 0
		       ? -1
		       : eqt_frac_mul(usage, *usage, factor);
}

int eqt_price_week_least(struct eqt_price *price, const struct eqt_week *week)
{
	/* If the highest factor is 0, the lowest one is 0, too, and the usage is not
	 * divided. */
	return !week || week->most_u == week->least_u
		       ? 0
		       : price_usage_scale(&price->usage, week->least_u,
					   week->most_u);
}

int eqt_price_charge(struct eqt_price *price,
		     const struct eqt_bundle_table *prices, uint64_t nodes)
{
	struct eqt_frac factor, charge = price->equivalents;
	struct eqt_frac usage = price->equivalents;

	for (int i = 0; i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue = &prices->queue[i];

		if (i == EQT_CHARGE_FACTOR_USAGE)
			charge = usage;
		if (queue->name &&
		    (eqt_price_factor(&factor, queue, nodes) < 0 ||
		     eqt_frac_mul(&usage, usage, factor) < 0))
			return -1;
	}
	price->charge = charge;
	price->usage = usage;
	return prices->week ? price_usage_scale(&price->usage,
						prices->week->most_u, EQT_MICRO)
			    : 0;
}

/* Compute the price of each resource from the sum of the bundles, and find which
 * decides. */
static int price_bundles(struct eqt_price *price, const struct bundles *sum,
			 const struct eqt_demand *demand, bool has_gpus)
{
	const struct eqt_frac gpu = sum->terms.rate[EQT_GPUS];

	/* weight_u is the number of GPUs if a partition prices them. Otherwise it is
	 * their equivalents in millionths. */
	if (has_gpus && eqt_frac_make(&price->by[EQT_GPUS],
				      sum->weight_u * (gpu.den ? gpu.num : 1),
				      gpu.den ? gpu.den : EQT_MICRO) < 0)
		return -1;
	price->apart = sum->terms.apart;
	if (cost_alone(&price->by[EQT_CORES], demand->cores,
		       sum->terms.rate[EQT_CORES]) < 0 ||
	    cost_alone(&price->by[EQT_MEMORY], demand->mem_mib,
		       sum->terms.rate[EQT_MEMORY]) < 0 ||
	    cost_alone(&price->by[EQT_DISK], demand->disk,
		       sum->terms.rate[EQT_DISK]) < 0 ||
	    cost_alone(&price->by[EQT_NODES], demand->nodes,
		       sum->terms.rate[EQT_NODES]) < 0)
		return -1;
	return decide(price);
}

int eqt_price_as(struct eqt_price *out, const struct eqt_bundle_table *prices,
		 const struct eqt_demand *demand, uint32_t model,
		 struct eqt_error *err)
{
	const bool models = eqt_price_has_models(demand);
	const bool gpus = models || demand->gpus_untyped > 0;
	struct eqt_price price = {
		.gpu_pool = prices->cores_off || gpus,
		.by[EQT_GPUS] = EQT_FRAC_ZERO,
	};
	struct bundles sum;

	eqt_bundle_table_step(prices, PRICE_STEPS);
	if (models && eqt_bundle_table_check(prices, demand->gpus, err) < 0)
		return -1;
	if (eqt_price_terms_by_cores(prices))
		sum = partition_bundle(prices, demand);
	else if (!price.gpu_pool)
		sum = core_bundle(prices);
	else if (gpu_bundles(&sum, prices, demand, model) < 0)
		return eqt_price_too_large(err);
	if (price_bundles(&price, &sum, demand, gpus) < 0 ||
	    minimum_apply(&price.equivalents, &price.minimum, prices) < 0 ||
	    eqt_price_charge(&price, prices, demand->nodes) < 0)
		return eqt_price_too_large(err);
	price.unit = price_unit_find(prices, demand, price.gpu_pool, model);
	*out = price;
	return 0;
}

int eqt_price(struct eqt_price *out, const struct eqt_bundle_table *prices,
	      const struct eqt_demand *demand, struct eqt_error *err)
{
	uint32_t held, models;

	if (!eqt_price_wants_model(prices, demand))
		return eqt_price_as(out, prices, demand, 0, err);
	held = eqt_bundle_table_held(prices);
	models = (uint32_t) __builtin_popcount(held);
	if (models == 0)
		return eqt_error_set(
			err,
			"the request has GPUs, but no GPU model has a price");
	if (models > 1)
		return eqt_error_set(err,
				     "the request has GPUs without a model, "
				     "which could be any of %u models",
				     (unsigned int) models);
	return eqt_price_as(out, prices, demand, (uint32_t) __builtin_ctz(held),
			    err);
}

/* Two resources become apart if they are apart in one of the two bundles. "In the same
 * term" stays a transitive relation, because a resource that is not counted is apart
 * from all others. */
void eqt_price_terms_raise(struct eqt_terms *terms,
			   const struct eqt_bundle *bundle)
{
	for (int i = 0; i < EQT_RESOURCES; i++)
		eqt_price_terms_raise_rate(
			&terms->rate[i],
			eqt_price_terms_rate(bundle, (enum eqt_resource) i));
	if (bundle->terms)
		terms->apart |= bundle->terms->apart;
}
