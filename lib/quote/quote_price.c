/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <string.h>

#include "quote/quote.h"
#include "quote/quote_impl.h"
#include "base/whole.h"
#include "job/core_tasks.h"
#include "job/near_cores.h"
#include "job/node_offer.h"
#include "price/gres.h"

/* ---- Big jobs -----------------------------------------------------------------------
 * The charge if big jobs have a factor of their own and Slurm may choose the number of
 * nodes. */

/* Set a price to the lower (or to the higher) charge of two numbers of nodes. */
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

/* A job may get enough nodes for the factor of big jobs, or too few. Extend the charge
 * to both factors. The range may be larger than all possible charges, because the
 * number of nodes with the lowest price need not have the lower factor. */
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

/* Read the GPUs of nodes of one kind. Return false if their models are not known or
 * have no price. */
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
		if (model < 0 ||
		    !eqt_bundle_table_holds(prices, (uint32_t) model) ||
		    stock->models == EQT_PRICE_STOCK_MAX ||
		    __builtin_mul_overflow(gres.count, nodes, &gres.count))
			return false;
		stock->of[stock->models].model = (uint32_t) model;
		stock->of[stock->models++].count = gres.count;
	}
	return stock->models > 0;
}

/* Compute the prices of a counted request on nodes of one kind. */
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

/* Does a request have the same price on more nodes? It does if it has no GPUs and no list of
 * resources, gets the same cores and memory there, and nodes have no price of their own. The
 * number of GPUs is tested as well, since --ntasks-per-gpu gives GPUs without a list. */
static bool more_nodes_cost_no_more(const struct eqt_quote *quote,
				    const struct eqt_job_totals *more)
{
	const struct eqt_demand *demand = &quote->totals.demand;

	return quote->totals.gpus == 0 && more->gpus == 0 &&
	       demand->cores == more->demand.cores &&
	       demand->mem_mib == more->demand.mem_mib &&
	       demand->disk == more->demand.disk && !quote->prices->cores_off &&
	       quote->high.by[EQT_NODES].num == 0;
}

/* Compute the highest price of a request on a number of nodes. */
static int price_widest(struct eqt_price *out, const struct eqt_quote *quote,
			const struct eqt_job_spec *spec, uint64_t nodes,
			const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_spec widest = *spec;
	struct eqt_price low;
	struct eqt_job_totals totals;

	widest.most = true;
	widest.min_nodes = nodes;
	/* A job that gives a number of nodes has a task on each of them, so that it has
	 * no more nodes than tasks. Features with counts (a*2) and MinNodes of the
	 * partition may give it more. */
	if (spec->tasks && spec->tasks < widest.min_nodes &&
	    !eqt_job_spec_nodes_pass_tasks(spec))
		widest.min_nodes = eqt_whole_max(
			eqt_whole_max(spec->tasks, spec->min_nodes),
			eqt_whole_min(nodes, spec->counted_nodes));
	widest.nodes_changed |= widest.min_nodes != spec->min_nodes;
	if (eqt_job_spec_count(&totals, &widest, rows, err) < 0)
		return -1;
	if (rows->count == 0 && more_nodes_cost_no_more(quote, &totals)) {
		*out = quote->high;
		return 0;
	}
	return price_counted(&low, out, quote->prices, &widest, &totals, err);
}

/* Does a job want CPUs for more tasks than --ntasks-per-gpu allows for its GPUs? Slurm
 * then also takes nodes without a GPU for the job. */
static bool has_tasks_beyond_gpus(const struct eqt_quote *quote,
				  const struct eqt_job_spec *spec,
				  uint64_t *tasks)
{
	const uint64_t each = spec->cpus_per_task ? spec->cpus_per_task : 1;
	const uint64_t of_cpus = eqt_whole_divide_up(spec->min_cpus, each);

	*tasks = eqt_whole_max(of_cpus, spec->tasks);
	return spec->tres_per_job && spec->tasks_per_gpu &&
	       quote->totals.gpus &&
	       eqt_whole_divide_up(*tasks, quote->totals.gpus) >
		       spec->tasks_per_gpu;
}

/* Return the largest number of nodes of a job that gives no number of nodes. */
static uint64_t nodes_most(const struct eqt_quote *quote,
			   const struct eqt_job_spec *spec)
{
	uint64_t nodes = spec->tasks, tasks;

	if (has_tasks_beyond_gpus(quote, spec, &tasks))
		nodes = tasks;
	/* If nodes that are used in part have too few CPUs for all tasks, some tasks
	 * run on nodes without a GPU of the job. */
	else if (spec->tres_per_job &&
		 (spec->tasks == 0 || spec->nodes_pass_tasks))
		nodes = eqt_whole_max(nodes, quote->totals.gpus);
	nodes = eqt_whole_max(nodes, spec->counted_nodes);
	nodes = eqt_whole_min(nodes,
			      eqt_node_offer_full_nodes(spec, &quote->totals));
	return spec->node.count ? eqt_whole_min(nodes, spec->node.count)
				: nodes;
}

/* Does the job take whole nodes, and does it need each of them? Slurm adds idle nodes
 * until they are enough, so that it never takes one node too many. */
static bool needs_each_node(const struct eqt_job_spec *spec)
{
	return spec->exclusive && !spec->keeps_rest && spec->node.cpus > 0 &&
	       spec->counted_nodes == 0 && spec->tasks_per_gpu == 0 &&
	       spec->tasks_per_node == 0;
}

/*
 * Compute the price on the largest number of nodes that a job without a number of nodes
 * may get. Each node adds the memory and the GPUs that the request wants of a node. The
 * price is ignored if it is not higher than `high` or does not fit 64 bits.
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
 * May a node have fewer CPUs for the job than --mincpus or MaxMemPerCPU demand? Slurm
 * applies two limits last: MaxCPUsPerNode, to all jobs of the partition on the node
 * together, and the cores near the GPUs. It still uses a node that then gives fewer
 * CPUs.
 */
static bool node_cuts_cpus(const struct eqt_quote *quote,
			   const struct eqt_job_spec *spec,
			   const struct eqt_gres_rows *rows)
{
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t near;

	if (totals->mem == EQT_MEM_PER_CPU ||
	    (spec->min_cpus_per_node == 0 && totals->fair_mem_mib == 0))
		return false;
	if (eqt_node_offer_is_limited(spec, &spec->node))
		return true;
	near = eqt_near_cores_cpus(spec, rows, &spec->node);
	return near < spec->node.cpus && near < totals->cpus / totals->nodes;
}

/* Can the job get fewer CPUs than its tasks want? The reason may be its GPUs, or that
 * tasks of several CPUs are split among nodes. */
static bool may_lose_cpus(const struct eqt_quote *quote,
			  const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;

	if (eqt_job_gpus_may_lack_cpus(spec) ||
	    (totals->has_gres && spec->defaults.other_first) ||
	    (spec->tres_per_task &&
	     totals->cpus_per_node > totals->cpus_per_task))
		return true;
	if (totals->cpus_by_gpu || (spec->tasks_per_gpu && totals->gpus) ||
	    (totals->gpus > 0 && (eqt_job_totals_idle_nodes(totals, spec) > 0 ||
				  eqt_job_gpus_may_lack_task(totals, spec))))
		return true;
	return (totals->cpus_per_task != 1 ||
		eqt_job_gpus_limited_by_mem(spec)) &&
	       spec->node.count != 1 && spec->max_nodes != 1;
}

/* Compute the price with the fewest CPUs that the job may get (task_loss.h) and with
 * their memory. */
static void price_least(struct eqt_quote *quote,
			const struct eqt_job_spec *spec,
			const struct eqt_gres_rows *rows)
{
	struct eqt_job_spec least;
	struct eqt_job_totals totals;
	struct eqt_price low, high;
	bool cut;

	if (!spec->node.count || spec->exclusive)
		return;
	cut = node_cuts_cpus(quote, spec, rows);
	if (!cut && !may_lose_cpus(quote, spec))
		return;
	least = *spec;
	least.parts = true;
	if (cut)
		least.min_cpus_per_node = least.limit.mem_per_cpu = 0;
	if (eqt_job_spec_count(&totals, &least, rows, NULL) < 0)
		return;
	/* The job loses nothing, so that there is no second price to compute. */
	if (totals.cpus >= quote->totals.cpus &&
	    totals.gpus >= quote->totals.gpus)
		return;
	/* This cannot fail, because more CPUs have a price. */
	if (price_counted(&low, &high, quote->prices, &least, &totals, NULL) <
		    0 ||
	    eqt_frac_cmp(low.equivalents, quote->low.equivalents) >= 0)
		return;
	quote->low = low;
	quote->by_nodes = quote->by_parts = true;
}

/* Can Slurm choose among the GPUs or cores of the nodes? */
static bool has_choice(const struct eqt_quote *quote,
		       const struct eqt_job_spec *spec)
{
	return spec->max_nodes > quote->totals.nodes || spec->tres_per_socket ||
	       spec->whole_sockets || spec->tasks_per_socket ||
	       (quote->totals.has_gres &&
		(eqt_core_tasks_dealt(spec) || spec->defaults.other_first)) ||
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
		 (quote->totals.gpus > 0 && spec->nodes_pass_tasks) ||
		 (spec->overcommit && spec->layout_cpus > 1)));
}

/* Would a request for less memory differ only in its price, which another resource
 * would then decide? Slurm must have no choice, the request itself must give the
 * memory, and no minimum, rounding or terms may change the price. */
static bool is_steady(const struct eqt_quote *quote,
		      const struct eqt_job_spec *spec)
{
	const struct eqt_bundle_table *prices = quote->prices;

	return (spec->mem == EQT_MEM_PER_NODE ||
		spec->mem == EQT_MEM_PER_CPU) &&
	       quote->totals.gpus == 0 && !spec->exclusive && !spec->linear &&
	       spec->limit.mem_per_cpu == 0 && quote->high.apart == 0 &&
	       !prices->cores_off && prices->minimum_u == 0 &&
	       prices->round_unit == 0;
}

/* Raise `high` to the highest price on a number of nodes. */
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
	if (!has_choice(quote, spec)) {
		quote->steady = is_steady(quote, spec);
		return 0;
	}
	if (quote_raise(quote, spec, nodes, rows, err) < 0)
		return -1;
	return spec->max_nodes > nodes
		       ? quote_raise(quote, spec, spec->max_nodes, rows, err)
		       : 0;
}

/* A function that computes a quote, or a part of it, from the rows of a request. */
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

/* Call a step for a request with more rows than are kept. This is a function of its
 * own, because hardly any request needs its ten kilobytes of the stack. */
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

/* Call a step for a counted request. */
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

/* If all candidate nodes are of one kind, call `step`. Otherwise call `each`, which calls
 * `step` once for each kind of nodes. */
static inline int make_whole(step_fn *step, eqt_quote_fn *each,
			     struct eqt_quote *out,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_parsed_spec *parsed,
			     struct eqt_error *err)
{
	int rc;

	/* The other members take a kilobyte. They are filled only when they are
	 * used. */
	memset(out, 0, offsetof(struct eqt_quote, totals));
	out->prices = prices;
	rc = spec->kinds > 0 ? eqt_quote_classes_range(out, prices, spec,
						       parsed, each, err)
			     : make_by(step, out, spec, parsed, err);
	/* A quote over several kinds already contains the factor of the week. */
	if (rc == 0 && spec->kinds == 0)
		rc = eqt_price_week_least(&out->low, prices->week);
	return rc;
}

int eqt_quote_price_range(struct eqt_quote *out,
			  const struct eqt_bundle_table *prices,
			  const struct eqt_job_spec *spec,
			  const struct eqt_parsed_spec *parsed,
			  struct eqt_error *err)
{
	return make_whole(fill_range, eqt_quote_price_range, out, prices, spec,
			  parsed, err);
}

int eqt_quote_price(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *spec,
		    const struct eqt_parsed_spec *parsed, struct eqt_error *err)
{
	return make_whole(fill_price, eqt_quote_price, out, prices, spec,
			  parsed, err);
}

int eqt_quote_price_unspread(struct eqt_quote *out,
			     const struct eqt_bundle_table *prices,
			     const struct eqt_job_spec *spec,
			     const struct eqt_parsed_spec *parsed,
			     struct eqt_error *err)
{
	return make_whole(fill_unspread, eqt_quote_price_unspread, out, prices,
			  spec, parsed, err);
}
