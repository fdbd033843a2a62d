/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "quote/quote.h"
#include "quote/quote_impl.h"
#include "base/whole.h"
#include "job/node_offer.h"
#include "price/gres.h"

/* ---- Big jobs -----------------------------------------------------------------------
 * What is charged where big jobs have a factor of their own and Slurm may choose the
 * number of nodes. */

/* Make a price that of the cheaper of two numbers of nodes, or of the dearer one. */
static void charge_by_nodes(struct eqt_price *price,
			    const struct eqt_quote *quote, uint64_t fewest,
			    uint64_t most, bool dearer)
{
	struct eqt_price few = *price, many = *price;

	if (eqt_price_charge(&few, quote->prices, fewest) < 0 ||
	    eqt_price_charge(&many, quote->prices, most) < 0)
		return;
	*price = (eqt_frac_cmp(few.charge, many.charge) < 0) == dearer ? many
								       : few;
}

/* Widen what is charged to both factors of big jobs, if the job may have that many
 * nodes and fewer. Both ends may be beyond what is possible: the cheapest price need
 * not be that of the number of nodes with the cheaper factor. */
static void quote_charge_by_nodes(struct eqt_quote *quote, uint64_t most)
{
	const struct eqt_charge_factor *queue = quote->prices->queue;
	const uint64_t fewest = quote->totals.nodes;
	struct eqt_frac few, many;

	for (int i = 0; i < EQT_CHARGE_FACTOR_USAGE; i++) {
		if (!queue[i].name || queue[i].big_nodes == 0 ||
		    most <= fewest ||
		    eqt_price_factor(&few, &queue[i], fewest) < 0 ||
		    eqt_price_factor(&many, &queue[i], most) < 0 ||
		    eqt_frac_cmp(few, many) == 0)
			continue;
		charge_by_nodes(&quote->low, quote, fewest, most, false);
		charge_by_nodes(&quote->high, quote, fewest, most, true);
		if (quote->spread_nodes > 0)
			charge_by_nodes(&quote->spread, quote, fewest, most,
					true);
		quote->by_nodes = quote->by_factor = true;
	}
}

/* ---- All of it ------------------------------------------------------------ */

/* The GPUs of nodes of one kind; false: their models are not known, or have no price. */
static bool stock_read(struct eqt_price_stock *stock,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec, uint64_t nodes)
{
	const char *list = spec->node.gres;
	struct eqt_gres gres;

	stock->models = 0;
	if (spec->kinds > 0 || spec->node.differ)
		return false;
	while (list && eqt_gres_next(&gres, &list, NULL) > 0) {
		int model;

		if (strcmp(gres.name, "gpu") != 0 || gres.count == 0)
			continue;
		model = eqt_bundle_table_find(prices, gres.name, gres.type);
		if (gres.type[0] == '\0' || model < 0 ||
		    !eqt_bundle_table_holds(prices, (uint32_t) model) ||
		    stock->models == EQT_PRICE_STOCK_MAX ||
		    __builtin_mul_overflow(gres.count, nodes, &gres.count))
			return false;
		stock->of[stock->models].model = (uint32_t) model;
		stock->of[stock->models++].count = gres.count;
	}
	return stock->models > 0;
}

/* The prices of a counted request on nodes of one kind. */
static int price_counted(struct eqt_price *low, struct eqt_price *high,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 const struct eqt_job_totals *totals,
			 struct eqt_error *err)
{
	struct eqt_price_stock stock;

	if (totals->demand.gpus_untyped == 0 ||
	    !stock_read(&stock, prices, spec, totals->nodes))
		return eqt_price_range(low, high, prices, &totals->demand, err);
	return eqt_price_range_of(low, high, prices, &totals->demand, &stock,
				  err);
}

/* The dearest price of a request on so many nodes. */
static int price_widest(struct eqt_price *out, const struct eqt_quote *quote,
			const struct eqt_job_spec *spec, uint64_t nodes,
			const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_spec widest = *spec;
	struct eqt_price low;
	struct eqt_job_totals totals;

	widest.most = true;
	widest.min_nodes = nodes;
	/* A job that gives a number of nodes has a task on each of them, so that it has no
	 * more nodes than tasks. Features with counts (a*2) and the partition's MinNodes
	 * may give it more. */
	if (spec->tasks && spec->tasks < widest.min_nodes &&
	    !eqt_job_spec_nodes_pass_tasks(spec))
		widest.min_nodes = eqt_whole_max(
			eqt_whole_max(spec->tasks, spec->min_nodes),
			eqt_whole_min(nodes, spec->counted_nodes));
	widest.nodes_changed |= widest.min_nodes != spec->min_nodes;
	if (eqt_job_spec_count(&totals, &widest, rows, err) < 0)
		return -1;
	return price_counted(&low, out, quote->prices, &widest, &totals, err);
}

/* Does a job want CPUs for more tasks than --ntasks-per-gpu lets its GPUs have? Then
 * Slurm takes nodes without a GPU of the job, too. */
static bool has_tasks_beyond_gpus(const struct eqt_quote *quote,
				  const struct eqt_job_spec *spec,
				  uint64_t *tasks)
{
	const uint64_t each = spec->cpus_per_task ? spec->cpus_per_task : 1;
	const uint64_t of_cpus = eqt_whole_divide_up(spec->min_cpus, each);

	*tasks = of_cpus > spec->tasks ? of_cpus : spec->tasks;
	return spec->tres_per_job && spec->tasks_per_gpu &&
	       quote->totals.gpus &&
	       eqt_whole_divide_up(*tasks, quote->totals.gpus) >
		       spec->tasks_per_gpu;
}

/* The most nodes that a job may be given, if it names no number. */
static uint64_t nodes_most(const struct eqt_quote *quote,
			   const struct eqt_job_spec *spec)
{
	uint64_t nodes = spec->tasks, tasks;

	if (has_tasks_beyond_gpus(quote, spec, &tasks))
		nodes = tasks;
	/* Tasks run on nodes without a GPU of the job, too, where nodes that are
	   used in part have too few CPUs for all of them. */
	else if (spec->tres_per_job &&
		 (spec->tasks == 0 || spec->nodes_pass_tasks))
		nodes = eqt_whole_max(nodes, quote->totals.gpus);
	nodes = eqt_whole_max(nodes, spec->counted_nodes);
	nodes = eqt_whole_min(nodes,
			      eqt_node_offer_full_nodes(spec, &quote->totals));
	return spec->node.count ? eqt_whole_min(nodes, spec->node.count)
				: nodes;
}

/* Does the job take whole nodes, so that one node fewer would be too few? Slurm adds nodes
 * until they hold the job, and each is free as a whole. */
static bool needs_each_node(const struct eqt_job_spec *spec)
{
	return spec->exclusive && !spec->keeps_rest && spec->node.cpus > 0 &&
	       spec->counted_nodes == 0 && spec->tasks_per_gpu == 0 &&
	       spec->tasks_per_node == 0;
}

/*
 * Note the price on the most nodes that a job without a number of nodes may get, each
 * with the memory (and the GPUs) of a node. It is left out if it is not dearer or does
 * not fit 64 bits.
 */
static void price_spread(struct eqt_quote *quote,
			 const struct eqt_job_spec *spec,
			 const struct eqt_gres_rows *rows)
{
	struct eqt_price price;
	uint64_t nodes;

	if (spec->max_nodes > 0 || needs_each_node(spec))
		return;
	nodes = nodes_most(quote, spec);
	if (nodes <= quote->totals.nodes ||
	    price_widest(&price, quote, spec, nodes, rows, NULL) < 0 ||
	    eqt_frac_cmp(price.equivalents, quote->high.equivalents) <= 0)
		return;
	quote->spread = price;
	quote->spread_nodes = nodes;
}

/*
 * Whether MaxCPUsPerNode may leave a node fewer CPUs than it is to have by --mincpus or
 * MaxMemPerCPU: Slurm applies it last, with all that jobs of the partition have there, and
 * takes the node all the same.
 */
static bool limit_cuts_cpus(const struct eqt_quote *quote,
			    const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;

	return totals->mem != EQT_MEM_PER_CPU &&
	       (spec->min_cpus_per_node > 0 || totals->fair_mem_mib > 0) &&
	       eqt_node_offer_is_limited(spec, &spec->node);
}

/* Can the job get fewer CPUs than its tasks want, by its GPUs or because tasks of
 * several CPUs are split among nodes? */
static bool may_lose_cpus(const struct eqt_quote *quote,
			  const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;

	if (!spec->node.count || spec->exclusive)
		return false;
	if (limit_cuts_cpus(quote, spec))
		return true;
	if (totals->cpus_by_gpu || (spec->tasks_per_gpu && totals->gpus) ||
	    (totals->gpus > 0 && eqt_job_totals_idle_nodes(totals, spec) > 0))
		return true;
	return totals->cpus_per_task != 1 && spec->node.count != 1 &&
	       spec->max_nodes != 1;
}

/* Price the request with the fewest CPUs that it may get (task_loss.h), and their
 * memory. */
static void price_least(struct eqt_quote *quote,
			const struct eqt_job_spec *spec,
			const struct eqt_gres_rows *rows)
{
	struct eqt_job_spec least;
	struct eqt_job_totals totals;
	struct eqt_price low, high;

	if (!may_lose_cpus(quote, spec))
		return;
	least = *spec;
	least.parts = true;
	if (limit_cuts_cpus(quote, spec))
		least.min_cpus_per_node = least.limit.mem_per_cpu = 0;
	if (eqt_job_spec_count(&totals, &least, rows, NULL) < 0)
		return;
	/* Nothing is lost, so a submission needs no second price. */
	if (totals.cpus >= quote->totals.cpus &&
	    totals.gpus >= quote->totals.gpus)
		return;
	/* Fewer CPUs than those with a price have a price as well. */
	if (price_counted(&low, &high, quote->prices, &least, &totals, NULL) <
		    0 ||
	    eqt_frac_cmp(low.equivalents, quote->low.equivalents) >= 0)
		return;
	quote->low = low;
	quote->by_nodes = quote->by_parts = true;
}

/* Does Slurm have a choice among the GPUs or cores of the nodes? */
static bool has_choice(const struct eqt_quote *quote,
		       const struct eqt_job_spec *spec)
{
	return spec->max_nodes > quote->totals.nodes || spec->tres_per_socket ||
	       spec->whole_sockets || spec->tasks_per_socket ||
	       (quote->totals.gpus && eqt_job_spec_deals_cores(spec)) ||
	       (spec->tres_per_task &&
		(spec->limit.min_nodes > quote->totals.tasks ||
		 spec->overcommit || spec->cpus_per_tres ||
		 (spec->single_cpus && spec->node.threads > 1) ||
		 (spec->tasks_per_node && spec->defaults.cpus_per_gpu) ||
		 eqt_job_gpus_tasks(&quote->totals) > quote->totals.tasks)) ||
	       (spec->tasks_per_gpu && quote->totals.cpus_per_task > 1) ||
	       eqt_job_totals_idle_nodes(&quote->totals, spec) > 0 ||
	       (quote->totals.nodes > 1 &&
		(spec->cpus_per_core > 1 || spec->limit.mem_per_cpu ||
		 (spec->overcommit && spec->layout_cpus > 1)));
}

/* Raise the upper end to the dearest price on so many nodes. */
static int quote_raise(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		       uint64_t nodes, const struct eqt_gres_rows *rows,
		       struct eqt_error *err)
{
	struct eqt_price widest;

	if (price_widest(&widest, quote, spec, nodes, rows, err) < 0)
		return -1;
	if (eqt_frac_cmp(quote->high.equivalents, widest.equivalents) >= 0)
		return 0;
	quote->by_nodes = true;
	quote->by_parts = false;
	quote->high = widest;
	return 0;
}

static int price_all(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		     const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	const uint64_t nodes = quote->totals.nodes;

	if (price_counted(&quote->low, &quote->high, quote->prices, spec,
			  &quote->totals, err) < 0)
		return -1;
	quote->by_model = eqt_frac_cmp(quote->low.equivalents,
				       quote->high.equivalents) != 0;
	price_least(quote, spec, rows);
	if (!has_choice(quote, spec))
		return 0;
	if (quote_raise(quote, spec, nodes, rows, err) < 0)
		return -1;
	return spec->max_nodes > nodes
		       ? quote_raise(quote, spec, spec->max_nodes, rows, err)
		       : 0;
}

bool eqt_quote_by_limit(const struct eqt_quote *quote)
{
	return quote->high.dominant == EQT_CORES &&
	       quote->totals.fair_mem_mib > 0 && quote->high.apart == 0;
}

/* A function that makes a bill, or its price alone, of rows. */
typedef int step_fn(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		    const struct eqt_gres_rows *rows, struct eqt_error *err);

static int fill_range(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	if (price_all(quote, spec, rows, err) < 0)
		return -1;
	if (spec->no_node)
		quote->lack = EQT_QUOTE_LACK_NODES;
	return 0;
}

/* Fill in the charge and the time limit. */
static void fill_charge(struct eqt_quote *quote,
			const struct eqt_job_spec *spec)
{
	quote_charge_by_nodes(quote, spec->max_nodes ? spec->max_nodes
						     : nodes_most(quote, spec));
	quote->least = eqt_job_spec_is_least(spec);
	quote->minutes = spec->minutes ? spec->minutes : spec->defaults.minutes;
}

static int fill_unspread(struct eqt_quote *quote,
			 const struct eqt_job_spec *spec,
			 const struct eqt_gres_rows *rows,
			 struct eqt_error *err)
{
	if (fill_range(quote, spec, rows, err) < 0)
		return -1;
	fill_charge(quote, spec);
	return 0;
}

static int fill_price(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	if (fill_range(quote, spec, rows, err) < 0)
		return -1;
	price_spread(quote, spec, rows);
	fill_charge(quote, spec);
	return 0;
}

void eqt_quote_count_tasks(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec)
{
	struct eqt_amount_tasks tasks;

	if (!spec->array || spec->array[0] == '\0' ||
	    eqt_amount_array_tasks(&tasks, spec->array, spec->array_size) < 0)
		return;
	quote->array_tasks = tasks.count;
	quote->array_at_most = tasks.at_most;
}

/* For more rows than are kept. Ten kilobytes of stack that hardly any request
 * needs: not a part of its caller. */
static __attribute__((noinline)) int with_all_rows(
	step_fn *step, struct eqt_quote *quote, const struct eqt_job_spec *spec,
	struct eqt_error *err)
{
	struct eqt_gres_row row[EQT_GRES_MAX];
	struct eqt_gres_rows rows = { .row = row, .room = EQT_GRES_MAX };

	if (eqt_job_spec_read(&rows, quote->prices, spec, err) < 0)
		return -1;
	return step(quote, spec, &rows, err);
}

/* What a step makes of a request that is counted. */
static inline int make_by(step_fn *step, struct eqt_quote *quote,
			  const struct eqt_job_spec *spec,
			  const struct eqt_parsed_spec *parsed,
			  struct eqt_error *err)
{
	quote->totals = parsed->totals;
	quote->spread_nodes = 0;
	return parsed->rows.room > 0 ? step(quote, spec, &parsed->rows, err)
				     : with_all_rows(step, quote, spec, err);
}

/* What a step makes of it on nodes of one kind, or the function that has that step on
 * each kind. */
static inline int make_whole(step_fn *step, eqt_quote_fn *each,
			     struct eqt_quote *out,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_parsed_spec *parsed,
			     struct eqt_error *err)
{
	int rc;

	/* The rest, a kilobyte of it, is filled where it counts. */
	memset(out, 0, offsetof(struct eqt_quote, totals));
	out->prices = prices;
	rc = spec->kinds > 0 ? eqt_quote_classes_range(out, prices, spec,
						       parsed, each, err)
			     : make_by(step, out, spec, parsed, err);
	/* Quotes of single kinds of nodes contain it already. */
	if (rc == 0 && spec->kinds == 0)
		rc = eqt_price_week_least(&out->low, prices->week);
	return rc;
}

/* low, high and why there is none, without what more nodes would cost and what is charged
 * for big jobs. */
static int quote_range(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec,
		       const struct eqt_parsed_spec *parsed,
		       struct eqt_error *err)
{
	return make_whole(fill_range, quote_range, out, prices, spec, parsed,
			  err);
}

int eqt_quote_price(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed, struct eqt_error *err)
{
	return make_whole(fill_price, eqt_quote_price, out, prices, spec,
			  parsed, err);
}

int eqt_quote_unspread(struct eqt_quote *out,
		       const struct eqt_bundle_table *prices,
		       const struct eqt_job_spec *spec,
		       const struct eqt_parsed_spec *parsed,
		       struct eqt_error *err)
{
	return make_whole(fill_unspread, eqt_quote_unspread, out, prices, spec,
			  parsed, err);
}

int eqt_quote_count(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed, struct eqt_error *err)
{
	if (eqt_quote_price(out, prices, spec, parsed, err) < 0)
		return -1;
	eqt_quote_count_tasks(out, spec);
	eqt_quote_advise(out, spec);
	return 0;
}

int eqt_quote_make(struct eqt_quote *out, const struct eqt_bundle_table *prices,
		   const struct eqt_job_spec *spec, struct eqt_error *err)
{
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, prices, spec, err) < 0)
		return -1;
	return eqt_quote_count(out, prices, spec, &parsed, err);
}

struct eqt_price eqt_quote_most_with_number(const struct eqt_quote *quote)
{
	struct eqt_price most = quote->high;

	if (quote->also &&
	    eqt_frac_cmp(quote->also_high.charge, most.charge) > 0)
		most = quote->also_high;
	return most;
}

struct eqt_price eqt_quote_most(const struct eqt_quote *quote)
{
	const struct eqt_price most = eqt_quote_most_with_number(quote);

	return quote->spread_nodes > 0 && eqt_frac_cmp(quote->spread.charge,
						       most.charge) > 0
		       ? quote->spread
		       : most;
}

int eqt_quote_hours(struct eqt_frac *out, const struct eqt_quote *quote,
		    const struct eqt_price *price)
{
	struct eqt_frac hours;

	if (quote->minutes == 0 || quote->minutes == EQT_AMOUNT_UNLIMITED ||
	    eqt_frac_make(&hours, quote->minutes, 60) < 0)
		return -1;
	return eqt_frac_mul(out, price->usage, hours);
}

/* ---- A cheaper option for the same job -------------------------------------------- */

/* The rest of an amount that is cut to part / whole, for each of the pieces in
 * which it is requested; rounded down. */
static uint64_t share(uint64_t amount, struct eqt_frac part,
		      struct eqt_frac whole, uint64_t pieces)
{
	struct eqt_frac inverse = { whole.den, whole.num }, kept;

	if (pieces == 0)
		return 0;
	if (whole.num == 0 || eqt_frac_mul(&kept, part, inverse) < 0 ||
	    eqt_frac_mul(&kept, kept, (struct eqt_frac){ amount, 1 }) < 0)
		return 0;
	return eqt_frac_round(kept, 1, EQT_ROUND_FLOOR) / pieces;
}

/* The highest price of another resource in the term that this one decides. */
static struct eqt_frac second_price(const struct eqt_price *price,
				    enum eqt_resource first)
{
	struct eqt_frac second = EQT_FRAC_ZERO;

	for (int i = 0; i < EQT_RESOURCES; i++) {
		if (i != (int) first && !(price->apart & EQT_APART(first, i)) &&
		    eqt_frac_cmp(price->by[i], second) > 0)
			second = price->by[i];
	}
	return second;
}

/* Does the resource decide the price or, with several terms, a term with other
 * resources? */
static bool decides_term(const struct eqt_price *price,
			 enum eqt_resource resource)
{
	if (price->apart == 0)
		return price->dominant == resource;
	return price->by[resource].num > 0 &&
	       eqt_price_term(price, resource) == resource &&
	       second_price(price, resource).num > 0;
}

/* Try less memory, in the option that the request used. */
static void try_less_memory(struct eqt_quote *quote, struct eqt_job_spec *spec)
{
	static const enum eqt_quote_advice options[] = {
		[EQT_MEM_NOT_GIVEN] = EQT_QUOTE_ADVICE_NONE,
		[EQT_MEM_PER_NODE] = EQT_QUOTE_ADVICE_MEM,
		[EQT_MEM_PER_CPU] = EQT_QUOTE_ADVICE_MEM_PER_CPU,
		[EQT_MEM_PER_GPU] = EQT_QUOTE_ADVICE_MEM_PER_GPU,
		[EQT_MEM_ALL] = EQT_QUOTE_ADVICE_MEM,
	};
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t pieces = totals->nodes;

	if (totals->mem == EQT_MEM_PER_CPU)
		pieces = totals->cpus;
	else if (totals->mem == EQT_MEM_PER_GPU)
		pieces = totals->gpus;
	/* Whole nodes of select/linear have memory of a node, whatever was named. */
	if (spec->linear && spec->mem == EQT_MEM_PER_CPU &&
	    totals->mem != EQT_MEM_PER_CPU)
		return;
	quote->advice = options[totals->mem];
	quote->advice_amount = share(totals->demand.mem_mib,
				     second_price(&quote->high, EQT_MEMORY),
				     quote->high.by[EQT_MEMORY], pieces);
	spec->mem = totals->mem == EQT_MEM_ALL ? EQT_MEM_PER_NODE : totals->mem;
	spec->mem_mib = quote->advice_amount;
	if (spec->mem == EQT_MEM_PER_GPU)
		spec->mem_per_tres = NULL;
}

/* The largest amount of memory for which Slurm adds no CPUs. */
static void try_fair_memory(struct eqt_quote *quote, struct eqt_job_spec *spec)
{
	const bool per_cpu = spec->mem == EQT_MEM_PER_CPU;

	/* sbatch refuses --mem beside --mem-per-gpu. */
	if (spec->mem == EQT_MEM_PER_GPU || spec->mem_per_tres)
		return;
	quote->advice = per_cpu ? EQT_QUOTE_ADVICE_MEM_PER_CPU
				: EQT_QUOTE_ADVICE_MEM;
	quote->advice_amount = quote->totals.fair_mem_mib;
	spec->mem = per_cpu ? EQT_MEM_PER_CPU : EQT_MEM_PER_NODE;
	spec->mem_mib = quote->advice_amount;
}

/* A list of TRES that has only CPUs. */
static bool has_cpus_only(const char *list)
{
	struct eqt_gres item;
	int rc;

	while ((rc = eqt_gres_next(&item, &list, NULL)) > 0) {
		if (strcmp(item.name, "cpu") != 0)
			return false;
	}
	return rc == 0;
}

/* Try fewer tasks, if each has the fewest CPUs already. */
static void try_fewer_tasks(struct eqt_quote *quote, struct eqt_job_spec *spec,
			    uint64_t cpus)
{
	const uint64_t each = spec->cpus_per_task > 0 ? spec->cpus_per_task : 1;
	const uint64_t tasks = cpus / each;

	if (spec->tasks == 0 || spec->tasks_per_node || spec->tasks_per_gpu ||
	    spec->tres_per_task || tasks < spec->min_nodes)
		return;
	quote->advice = EQT_QUOTE_ADVICE_TASKS;
	quote->advice_amount = tasks;
	spec->tasks = tasks;
}

#define GPU_OPTION 32 /* "gres:gpu:" and a number */

/* Try fewer cores for the GPUs. A job without GPUs needs its cores. option is for the text of
 * --cpus-per-gpu. */
static void try_fewer_cores(struct eqt_quote *quote, struct eqt_job_spec *spec,
			    char option[GPU_OPTION])
{
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t pieces = totals->cpus_by_gpu ? totals->gpus : totals->tasks;

	if (totals->gpus == 0 || spec->exclusive)
		return;
	/* sbatch refuses --cpus-per-task beside --cpus-per-gpu. */
	if (!totals->cpus_by_gpu && spec->cpus_per_tres)
		return;
	/* sbatch asks for the CPUs of all tasks of --ntasks, even if
	   --ntasks-per-gpu makes them fewer. */
	if (!totals->cpus_by_gpu && spec->min_cpus > 0)
		eqt_whole_raise(&pieces,
				spec->min_cpus /
					eqt_whole_max(spec->cpus_per_task, 1));
	quote->advice = totals->cpus_by_gpu ? EQT_QUOTE_ADVICE_CPUS_PER_GPU
					    : EQT_QUOTE_ADVICE_CPUS_PER_TASK;
	quote->advice_amount = share(totals->cpus,
				     second_price(&quote->high, EQT_CORES),
				     quote->high.by[EQT_CORES], pieces);
	if (spec->min_cpus > 0)
		spec->min_cpus =
			totals->cpus_by_gpu ? 0 : pieces * quote->advice_amount;
	if (quote->advice_amount == 0 && !totals->cpus_by_gpu) {
		try_fewer_tasks(quote, spec,
				share(totals->cpus,
				      second_price(&quote->high, EQT_CORES),
				      quote->high.by[EQT_CORES], 1));
		return;
	}
	/* By default sbatch sets it to the CPUs of a task. */
	if (!spec->names_min_cpus &&
	    spec->min_cpus_per_node <= spec->cpus_per_task)
		spec->min_cpus_per_node = 0;
	/* sbatch of 24.11 sends them here, too. */
	if (spec->tres_per_task && has_cpus_only(spec->tres_per_task))
		spec->tres_per_task = NULL;
	if (totals->cpus_by_gpu) {
		/* Slurm treats the option in another way than a default. */
		(void) snprintf(option, GPU_OPTION, "gres:gpu:%" PRIu64,
				quote->advice_amount);
		spec->cpus_per_tres = option;
	} else {
		spec->cpus_per_task = quote->advice_amount;
	}
}

/* Has each node the CPUs of as many tasks as a core or a socket is to have? On several nodes
 * slurmctld may look at one again that it has cut to the CPUs which it must have, and then
 * takes none with fewer (_select_cores(), _eval_nodes_lln()). */
static bool nodes_hold_tasks(const struct eqt_job_spec *spec,
			     const struct eqt_job_totals *totals)
{
	const uint64_t tasks =
		eqt_whole_max(spec->tasks_per_core, spec->tasks_per_socket);
	uint64_t cpus;

	return totals->nodes < 2 || spec->tasks_per_node > 0 ||
	       (!__builtin_mul_overflow(tasks, totals->cpus_per_task, &cpus) &&
		cpus <= totals->cpus_per_node);
}

/* A request that is cheaper, and has one price. The quote is of the advice alone: not a
 * part of its caller, whose stack most requests need. */
static __attribute__((noinline)) bool advice_holds(
	struct eqt_quote *quote, const struct eqt_job_spec *other)
{
	struct eqt_quote cheaper;
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, quote->prices, other, NULL) < 0 ||
	    quote_range(&cheaper, quote->prices, other, &parsed, NULL) < 0)
		return false;
	if (cheaper.lack || cheaper.also ||
	    !nodes_hold_tasks(other, &cheaper.totals) ||
	    eqt_frac_cmp(cheaper.high.equivalents, quote->high.equivalents) >=
		    0 ||
	    (!cheaper.by_parts && eqt_frac_cmp(cheaper.low.equivalents,
					       cheaper.high.equivalents) != 0))
		return false;
	quote->advice_price = cheaper.high.equivalents;
	return true;
}

void eqt_quote_advise(struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	char option[GPU_OPTION];
	struct eqt_job_spec other;

	quote->advice = EQT_QUOTE_ADVICE_NONE;
	quote->advice_amount = 0;
	if (quote->lack || quote->also || quote->by_model ||
	    (quote->by_nodes && !quote->by_parts))
		return;
	other = *spec;
	if (eqt_quote_by_limit(quote))
		try_fair_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_MEMORY))
		try_less_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_CORES))
		try_fewer_cores(quote, &other, option);
	if (quote->advice_amount == 0 || !advice_holds(quote, &other))
		quote->advice = EQT_QUOTE_ADVICE_NONE;
}
