/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A price is linear in the numbers of nodes of each kind, once it is known which GPU
 * models are among them. So the most expensive job on whole nodes has one node with the
 * model that prices its cores or its memory, and all its other nodes are of the kind
 * that has most of that resource. Therefore all pairs of kinds are tried, with one node
 * of the first kind and the rest of the second.
 */
#include "base/whole.h"
#include "job/node_offer.h"
#include "quote/quote_mix.h"

/* The largest number of nodes of one kind that mix_lower_pair() tries beside those of
 * another. */
#define MIX_PAIR_NODES 3

/* The most sets of nodes that eqt_quote_mix_sets() prices. */
#define MIX_SETS 100

static bool demand_has_gpus(const struct eqt_demand *demand)
{
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (demand->gpus[i] > 0)
			return true;
	}
	return demand->gpus_untyped > 0;
}

void eqt_quote_mix_add(struct eqt_quote_mix *mix,
		       const struct eqt_job_spec *spec,
		       const struct eqt_job_totals *totals,
		       const struct eqt_node_offer *node)
{
	struct eqt_quote_mix_kind *kind = &mix->kind[mix->kinds];
	const uint64_t tasks = eqt_node_offer_tasks(spec, totals, node);

	if (mix->kinds == EQT_NODE_OFFER_KINDS)
		return;
	mix->kinds++;
	kind->each = totals->demand;
	mix->uneven |= kind->each.cores % totals->nodes != 0;
	kind->each.cores = eqt_whole_divide_up(kind->each.cores, totals->nodes);
	kind->each.mem_mib =
		eqt_whole_divide_up(kind->each.mem_mib, totals->nodes);
	kind->each.disk = eqt_whole_divide_up(kind->each.disk, totals->nodes);
	kind->each.nodes = 1;
	kind->each.gpus_untyped =
		eqt_whole_divide_up(kind->each.gpus_untyped, totals->nodes);
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++)
		kind->each.gpus[i] =
			eqt_whole_divide_up(kind->each.gpus[i], totals->nodes);
	kind->gpus = demand_has_gpus(&kind->each);
	kind->nodes = totals->nodes;
	kind->tasks = eqt_whole_min(tasks ? tasks : 1, totals->tasks);
	kind->count = node->count;
	mix->tasks = totals->tasks;
}

/* Add times * one to *sum. Return -1 if the result does not fit 64 bits. */
static int mix_add_times(uint64_t *sum, uint64_t one, uint64_t times)
{
	uint64_t product;

	return __builtin_mul_overflow(one, times, &product) ||
			       __builtin_add_overflow(*sum, product, sum)
		       ? -1
		       : 0;
}

static int mix_add_nodes(struct eqt_demand *demand,
			 const struct eqt_demand *each, uint64_t nodes)
{
	if (mix_add_times(&demand->cores, each->cores, nodes) < 0 ||
	    mix_add_times(&demand->mem_mib, each->mem_mib, nodes) < 0 ||
	    mix_add_times(&demand->disk, each->disk, nodes) < 0 ||
	    mix_add_times(&demand->nodes, each->nodes, nodes) < 0 ||
	    mix_add_times(&demand->gpus_untyped, each->gpus_untyped, nodes) < 0)
		return -1;
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		if (mix_add_times(&demand->gpus[i], each->gpus[i], nodes) < 0)
			return -1;
	}
	return 0;
}

/* Return the largest number of nodes of one kind in a job that has one node of another
 * kind. Slurm adds nodes until they are enough, so all nodes but the last are too few,
 * unless the request gives a number of nodes. With more than two kinds, nodes of a
 * third kind may fill almost one more node. */
static uint64_t mix_rest(const struct eqt_quote_mix *mix,
			 const struct eqt_quote_mix_kind *one,
			 const struct eqt_quote_mix_kind *rest)
{
	const bool others = mix->kinds > 2 && rest->nodes > 1;
	uint64_t nodes = others ? rest->nodes : rest->nodes - 1;
	const uint64_t more =
		mix->tasks > one->tasks
			? eqt_whole_divide_up(mix->tasks - one->tasks,
					      rest->tasks)
			: 0;

	eqt_whole_raise(&nodes, more);
	if (mix->max_nodes > 0)
		nodes = mix->max_nodes - 1;
	return mix->kinds > 2 ? nodes : eqt_whole_min(nodes, rest->count);
}

/* Compute the price of the nodes of a job. */
static int mix_price(struct eqt_quote *out, const struct eqt_demand *demand,
		     struct eqt_error *err)
{
	if (eqt_price_range(&out->low, &out->high, out->prices, demand, err) <
	    0)
		return -1;
	return eqt_price_week_least(&out->low, out->prices->week);
}

/* Compute the price of one node of a kind together with a number of nodes of another
 * kind. */
static int mix_price_with(struct eqt_quote *out, const struct eqt_demand *one,
			  const struct eqt_demand *other, uint64_t nodes,
			  struct eqt_error *err)
{
	struct eqt_demand demand = *one;

	if (mix_add_nodes(&demand, other, nodes) < 0)
		return eqt_error_set(err, "the request is too large to price");
	return mix_price(out, &demand, err);
}

/* Return the cores or the memory of one node of a kind. */
static uint64_t mix_kind_has(const struct eqt_quote_mix_kind *kind,
			     enum eqt_resource resource)
{
	return resource == EQT_CORES ? kind->each.cores : kind->each.mem_mib;
}

/* Add nodes to a demand, but none of the kinds that have a bit in `used`. If `one` is not
 * NULL, the demand has one node of this kind already. Nodes that have the least (or the
 * most) of a resource come first. Return false if there are too few nodes. */
static bool mix_add_sorted(struct eqt_demand *demand,
			   const struct eqt_quote_mix *mix, uint64_t nodes,
			   enum eqt_resource resource, bool most,
			   const struct eqt_quote_mix_kind *one, uint32_t used)
{
	while (nodes > 0) {
		const struct eqt_quote_mix_kind *best = NULL;
		uint64_t some;

		for (uint32_t i = 0; i < mix->kinds; i++) {
			const struct eqt_quote_mix_kind *kind = &mix->kind[i];

			if (!(used >> i & 1) &&
			    (!best || (mix_kind_has(kind, resource) >
				       mix_kind_has(best, resource)) == most))
				best = kind;
		}
		if (!best)
			return false;
		used |= UINT32_C(1) << (best - mix->kind);
		some = eqt_whole_min(best->count - (best == one), nodes);
		nodes -= some;
		if (mix_add_nodes(demand, &best->each, some) < 0)
			return false;
	}
	return true;
}

/* Compute the least (or the most) of each resource that a number of nodes can have. */
static bool mix_add_end(struct eqt_demand *demand,
			const struct eqt_quote_mix *mix, uint64_t nodes,
			bool most)
{
	struct eqt_demand by_mem = { .cores = 0 };

	if (!mix_add_sorted(demand, mix, nodes, EQT_CORES, most, NULL, 0) ||
	    !mix_add_sorted(&by_mem, mix, nodes, EQT_MEMORY, most, NULL, 0))
		return false;
	demand->mem_mib = by_mem.mem_mib;
	return true;
}

int eqt_quote_mix_single_tasks(struct eqt_quote *quote,
			       const struct eqt_quote_mix *mix, uint64_t nodes,
			       struct eqt_error *err)
{
	struct eqt_demand few = { .cores = 0 }, many = { .cores = 0 };
	struct eqt_quote low = *quote, high = *quote;

	if (!mix_add_end(&few, mix, nodes, false) ||
	    !mix_add_end(&many, mix, nodes, true))
		return 0;
	if (mix_price(&low, &few, err) < 0 || mix_price(&high, &many, err) < 0)
		return -1;
	quote->low = low.low;
	quote->high = high.high;
	quote->by_nodes = eqt_frac_cmp(low.low.charge, high.high.charge) != 0;
	return 0;
}

/* Compute the price of one node of a kind together with a number of other nodes: those of a
 * second kind as long as there are any, and then nodes with most of a resource. */
static int mix_price_filled(struct eqt_quote *out,
			    const struct eqt_quote_mix *mix, uint32_t one,
			    uint32_t rest, uint64_t nodes,
			    enum eqt_resource resource, struct eqt_error *err)
{
	const struct eqt_quote_mix_kind *first = &mix->kind[one];
	const struct eqt_quote_mix_kind *second = &mix->kind[rest];
	const uint64_t some = eqt_whole_min(nodes, second->count);
	struct eqt_demand demand = first->each;

	if (!mix_add_sorted(&demand, mix, nodes - some, resource, true, first,
			    UINT32_C(1) << rest))
		return mix_price_with(out, &first->each, &second->each, nodes,
				      err);
	return mix_price_with(out, &demand, &second->each, some, err);
}

/* Extend the quote by the price of one node of a kind together with nodes of another
 * kind. */
static int mix_widen(struct eqt_quote *quote, const struct eqt_quote_mix *mix,
		     uint32_t one, uint32_t rest, enum eqt_resource resource,
		     struct eqt_error *err)
{
	const struct eqt_quote_mix_kind *first = &mix->kind[one];
	const struct eqt_quote_mix_kind *second = &mix->kind[rest];
	const uint64_t nodes = mix_rest(mix, first, second);
	struct eqt_quote other = { .prices = quote->prices };
	int rc = 0;

	if (nodes > 0) {
		rc = mix->max_nodes > 0
			     ? mix_price_filled(&other, mix, one, rest, nodes,
						resource, err)
			     : mix_price_with(&other, &first->each,
					      &second->each, nodes, err);
		if (rc < 0)
			return -1;
		quote->by_nodes |= eqt_quote_widen_prices(quote, &other);
	}
	/* Also compute the price on the largest number of nodes. A price that is too
	 * large is ignored, because it is only part of the message. */
	if (quote->spread_nodes > nodes + 1 &&
	    mix_price_filled(&other, mix, one, rest, quote->spread_nodes - 1,
			     resource, NULL) == 0 &&
	    eqt_frac_cmp(other.high.equivalents, quote->spread.equivalents) > 0)
		quote->spread = other.high;
	return 0;
}

/* Do the same as mix_widen() for both resources by which the nodes beyond the second
 * kind may be chosen, if there are any. */
static int mix_widen_by_each(struct eqt_quote *quote,
			     const struct eqt_quote_mix *mix, uint32_t one,
			     uint32_t rest, struct eqt_error *err)
{
	uint64_t nodes = mix->max_nodes;

	eqt_whole_raise(&nodes, quote->spread_nodes);
	if (mix_widen(quote, mix, one, rest, EQT_CORES, err) < 0)
		return -1;
	return mix->kinds > 2 && nodes > mix->kind[rest].count + 1
		       ? mix_widen(quote, mix, one, rest, EQT_MEMORY, err)
		       : 0;
}

/*
 * With several terms, one GPU model may cost most in one term and another model in a
 * second term. One node of each kind with GPUs, and otherwise nodes of one kind, cost
 * at least as much as any such job.
 */
static int mix_widen_terms(struct eqt_quote *quote,
			   const struct eqt_quote_mix *mix, uint32_t rest,
			   struct eqt_error *err)
{
	const struct eqt_quote_mix_kind *second = &mix->kind[rest];
	struct eqt_quote other = { .prices = quote->prices };
	struct eqt_demand all = { .cores = 0 };
	uint64_t nodes = 0;

	for (uint32_t i = 0; i < mix->kinds; i++) {
		if (i == rest || !mix->kind[i].gpus)
			continue;
		if (mix_add_nodes(&all, &mix->kind[i].each, 1) < 0)
			return eqt_error_set(
				err, "the request is too large to price");
		eqt_whole_raise(&nodes, mix_rest(mix, &mix->kind[i], second));
	}
	if (mix_price_with(&other, &all, &second->each, nodes, err) < 0)
		return -1;
	other.low = other.high;
	quote->by_nodes |= eqt_quote_widen_prices(quote, &other);
	return 0;
}

/* Can one node of a kind together with nodes of another kind cost more than nodes of a
 * single kind? That is so if the GPUs of the first kind raise the price, if the job
 * needs fewer nodes of that kind, or if it may have more nodes than there are of the other
 * kind. */
static bool mix_matters(const struct eqt_quote_mix *mix, uint32_t one,
			uint32_t rest)
{
	return mix->kind[one].gpus ||
	       mix->kind[one].nodes < mix->kind[rest].nodes ||
	       mix->max_nodes > mix->kind[rest].count;
}

/* Does one kind have more of a resource, and the other kind more of another? */
static bool mix_crosses(const struct eqt_quote_mix_kind *a,
			const struct eqt_quote_mix_kind *b)
{
	const bool more = a->each.cores > b->each.cores ||
			  a->each.mem_mib > b->each.mem_mib ||
			  (a->gpus && !b->gpus);
	const bool less = a->each.cores < b->each.cores ||
			  a->each.mem_mib < b->each.mem_mib ||
			  (b->gpus && !a->gpus);

	return more && less;
}

/* Lower the quote to the price of a number of nodes, some of which are of one kind and
 * the rest of another. */
static int mix_lower_pair(struct eqt_quote *quote,
			  const struct eqt_quote_mix *mix, uint64_t nodes,
			  uint32_t one, uint32_t rest, struct eqt_error *err)
{
	const struct eqt_demand *first = &mix->kind[one].each;
	const struct eqt_demand *second = &mix->kind[rest].each;
	struct eqt_quote other = { .prices = quote->prices };
	struct eqt_demand some = *first;

	for (uint64_t i = 1; i < nodes && i <= MIX_PAIR_NODES; i++) {
		if (mix_price_with(&other, &some, second, nodes - i, err) < 0)
			return -1;
		if (mix_add_nodes(&some, first, 1) < 0)
			return eqt_error_set(
				err, "the request is too large to price");
		other.high = other.low;
		quote->by_nodes |= eqt_quote_widen_prices(quote, &other);
	}
	return 0;
}

/*
 * Extend a quote by the lowest price of nodes of several kinds. If cores decide the
 * price on one kind and memory on another, one node of each kind is cheaper than two
 * nodes of either. For many nodes, or for three nodes of three kinds, the result is a
 * lower bound: the fewest cores and the least memory that the nodes can have.
 */
static int mix_lower(struct eqt_quote *quote, const struct eqt_quote_mix *mix,
		     struct eqt_error *err)
{
	struct eqt_quote other = { .prices = quote->prices };
	struct eqt_demand least = { .cores = 0 };
	uint64_t nodes = UINT64_MAX;
	bool crosses = false, gpus = false;

	for (uint32_t i = 0; i < mix->kinds; i++) {
		nodes = eqt_whole_min(nodes, mix->kind[i].nodes);
		gpus |= mix->kind[i].gpus;
	}
	for (uint32_t one = 0; nodes > 1 && one < mix->kinds; one++) {
		for (uint32_t rest = 0; rest < mix->kinds; rest++) {
			if (!mix_crosses(&mix->kind[one], &mix->kind[rest]))
				continue;
			crosses = true;
			if (mix_lower_pair(quote, mix, nodes, one, rest, err) <
			    0)
				return -1;
		}
	}
	if (!crosses || gpus || nodes < 3 ||
	    (mix->kinds < 3 && nodes <= 2 * MIX_PAIR_NODES + 1) ||
	    !mix_add_end(&least, mix, nodes, false))
		return 0;
	if (mix_price(&other, &least, err) < 0)
		return -1;
	other.high = other.low;
	quote->by_nodes |= eqt_quote_widen_prices(quote, &other);
	return 0;
}

/* The range over sets of nodes. */
struct mix_sets {
	const struct eqt_quote_mix *mix;
	struct eqt_quote range;
	uint32_t priced; /* the number of sets in the range */
	struct eqt_error *err;
};

/* Price one set of nodes. Return 0, 1 if there are too many sets, or -1 on error. This
 * is a function of its own, because its quote takes stack that the walk over the kinds
 * does not need. */
static __attribute__((noinline)) int mix_set_price(
	struct mix_sets *sets, const struct eqt_demand *demand)
{
	struct eqt_quote one = { .prices = sets->range.prices };

	if (sets->priced++ == MIX_SETS)
		return 1;
	if (mix_price(&one, demand, sets->err) < 0)
		return -1;
	if (sets->priced == 1)
		sets->range = one;
	else
		(void) eqt_quote_widen_prices(&sets->range, &one);
	return 0;
}

/* Return the number of nodes of the kinds from `kind` on. */
static uint64_t mix_count_from(const struct eqt_quote_mix *mix, uint32_t kind)
{
	uint64_t count = 0;

	for (uint32_t i = kind; i < mix->kinds; i++) {
		if (__builtin_add_overflow(count, mix->kind[i].count, &count))
			return UINT64_MAX;
	}
	return count;
}

/* Price all sets that have so many nodes more of the kinds from `kind` on. A kind gets
 * at least the nodes that the kinds after it cannot supply. So each branch of the walk
 * leads to a set, and MIX_SETS bounds the walk. Return as mix_set_price() does. */
static int mix_sets_walk(struct mix_sets *sets, const struct eqt_demand *demand,
			 uint32_t kind, uint64_t nodes)
{
	const struct eqt_quote_mix *mix = sets->mix;
	struct eqt_demand some = *demand;
	uint64_t after, least, most;
	int rc = 0;

	if (nodes == 0)
		return mix_set_price(sets, demand);
	if (kind == mix->kinds)
		return 0;
	after = mix_count_from(mix, kind + 1);
	least = nodes > after ? nodes - after : 0;
	most = eqt_whole_min(mix->kind[kind].count, nodes);
	for (uint64_t i = least; i <= most && rc == 0; i++) {
		if (mix_add_nodes(&some, &mix->kind[kind].each,
				  i == least ? least : 1) < 0)
			return eqt_error_set(
				sets->err, "the request is too large to price");
		rc = mix_sets_walk(sets, &some, kind + 1, nodes - i);
	}
	return rc;
}

int eqt_quote_mix_sets(struct eqt_quote *quote, const struct eqt_quote_mix *mix,
		       struct eqt_error *err)
{
	struct mix_sets sets = { .mix = mix,
				 .range.prices = quote->prices,
				 .err = err };
	const struct eqt_demand none = { .cores = 0 };
	int rc;

	if (mix->max_nodes > MIX_SETS || mix->uneven || mix->kinds < 2)
		return 1;
	for (uint32_t i = 1; i < mix->kinds; i++) {
		if (mix->kind[i].nodes != mix->kind[0].nodes)
			return 1;
	}
	for (uint64_t n = mix->kind[0].nodes; n <= mix->max_nodes; n++) {
		rc = mix_sets_walk(&sets, &none, 0, n);
		if (rc != 0)
			return rc;
	}
	if (sets.priced == 0)
		return 1;
	quote->low = sets.range.low;
	quote->high = sets.range.high;
	quote->also = sets.range.also;
	quote->also_low = sets.range.also_low;
	quote->also_high = sets.range.also_high;
	quote->by_nodes =
		sets.priced > 1 &&
		(sets.range.also || eqt_frac_cmp(sets.range.low.charge,
						 sets.range.high.charge) != 0);
	return 0;
}

int eqt_quote_mix_apply(struct eqt_quote *quote,
			const struct eqt_quote_mix *mix, struct eqt_error *err)
{
	for (uint32_t one = 0; one < mix->kinds; one++) {
		for (uint32_t rest = 0; rest < mix->kinds; rest++) {
			if (rest != one && mix_matters(mix, one, rest) &&
			    mix_widen_by_each(quote, mix, one, rest, err) < 0)
				return -1;
		}
	}
	for (uint32_t rest = 0;
	     quote->high.apart && mix->kinds > 2 && rest < mix->kinds; rest++) {
		if (mix_widen_terms(quote, mix, rest, err) < 0)
			return -1;
	}
	return mix_lower(quote, mix, err);
}
