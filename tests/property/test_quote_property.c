/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_quote_property: quotes of random requests against their rules, worked out once
 * more from the prices of single counts: nothing is read once for several of them.
 */
#include "job/core_tasks.h"
#include "../unit/unit.h"
#include "random_requests.h"

#define REQUESTS 60000

__extension__ typedef unsigned __int128 wide;

/* ---- The rules ---------------------------------------------------------------- */

/* The prices of a counted request: GPUs without a model are of that of the nodes. */
static int ref_range(struct eqt_price *low, struct eqt_price *high,
		     const struct eqt_job_spec *spec,
		     const struct eqt_job_totals *totals)
{
	const char *gres = spec->node.gres;
	struct eqt_demand demand = totals->demand;
	int model = -1;

	if (gres && gres[0] != '\0' && !spec->node.differ)
		model = gres[4] == 'p' ? 0 : 1;
	if (model >= 0 && model < (int) prices->gpu_count) {
		demand.gpus[model] += demand.gpus_untyped;
		demand.gpus_untyped = 0;
	}
	return eqt_price_range(low, high, prices, &demand, NULL);
}

/* Count a request and price it; false if one of the two is refused. */
static bool ref_price(const struct eqt_job_spec *spec,
		      struct eqt_job_totals *totals, struct eqt_price *low,
		      struct eqt_price *high)
{
	return eqt_job_spec_compute(totals, prices, spec, NULL) == 0 &&
	       ref_range(low, high, spec, totals) == 0;
}

static bool is_below(struct eqt_frac a, struct eqt_frac b)
{
	return eqt_frac_cmp(a, b) < 0;
}

/* The lower end: tasks that are split among nodes may get fewer CPUs. */
static bool ref_least(struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;
	const bool by_gpus =
		totals->cpus_by_gpu || (spec->tasks_per_gpu && totals->gpus) ||
		(spec->tres_per_task &&
		 totals->cpus_per_node > totals->cpus_per_task);
	struct eqt_job_spec split = *spec;
	struct eqt_job_totals lost;
	struct eqt_price low, high;

	/* On one node nothing is split but what comes from GPUs. */
	if (!spec->node.count || spec->exclusive ||
	    (!by_gpus && (spec->node.count == 1 || spec->max_nodes == 1)))
		return true;
	split.parts = true;
	if (eqt_job_spec_compute(&lost, prices, &split, NULL) < 0)
		return false;
	if (lost.cpus >= totals->cpus && lost.gpus >= totals->gpus)
		return true;
	if (ref_range(&low, &high, &split, &lost) < 0)
		return false;
	if (is_below(low.equivalents, quote->low.equivalents)) {
		quote->low = low;
		quote->by_nodes = quote->by_parts = true;
	}
	return true;
}

/* The dearest price on so many nodes, each of which has a task. */
static bool ref_widest(struct eqt_price *out, const struct eqt_job_spec *spec,
		       uint64_t nodes)
{
	struct eqt_job_spec wide_spec = *spec;
	struct eqt_job_totals totals;
	struct eqt_price low;

	wide_spec.most = true;
	wide_spec.min_nodes = nodes;
	if (spec->tasks && nodes > spec->tasks)
		wide_spec.min_nodes = spec->tasks > spec->min_nodes
					      ? spec->tasks
					      : spec->min_nodes;
	wide_spec.nodes_changed |= wide_spec.min_nodes != spec->min_nodes;
	return ref_price(&wide_spec, &totals, &low, out);
}

static bool ref_raise(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      uint64_t nodes)
{
	struct eqt_price widest;

	if (!ref_widest(&widest, spec, nodes))
		return false;
	if (is_below(quote->high.equivalents, widest.equivalents)) {
		quote->high = widest;
		quote->by_nodes = true;
		quote->by_parts = false;
	}
	return true;
}

/* Does --gpus-per-task leave Slurm a choice? */
static bool ref_task_gpus_choose(const struct eqt_quote *quote,
				 const struct eqt_job_spec *spec)
{
	if (!spec->tres_per_task)
		return false;
	if (spec->overcommit || spec->cpus_per_tres ||
	    spec->limit.min_nodes > quote->totals.tasks)
		return true;
	if ((spec->tasks_per_node && spec->defaults.cpus_per_gpu) ||
	    (spec->single_cpus && spec->node.threads > 1))
		return true;
	return eqt_job_gpus_tasks(&quote->totals) > quote->totals.tasks;
}

static bool ref_chooses(const struct eqt_quote *quote,
			const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;

	if (spec->tres_per_socket || spec->whole_sockets ||
	    spec->tasks_per_socket)
		return true;
	if (totals->has_gres &&
	    (spec->binds_gpus || spec->task_per_core || spec->tasks_per_core))
		return true;
	if (spec->tasks_per_gpu && totals->cpus_per_task >= 2)
		return true;
	if (totals->nodes >= 2 &&
	    (spec->cpus_per_core >= 2 || spec->limit.mem_per_cpu ||
	     (totals->gpus > 0 && spec->nodes_pass_tasks) ||
	     (spec->overcommit && spec->layout_cpus >= 2)))
		return true;
	return ref_task_gpus_choose(quote, spec) ||
	       spec->max_nodes > totals->nodes;
}

/* Has each node the CPUs that it must have, by what slurmctld counts? */
static bool ref_each_is_full(const struct eqt_quote *quote,
			     const struct eqt_job_spec *spec)
{
	if (spec->overcommit || spec->linear || spec->contiguous ||
	    spec->tasks_per_socket || spec->gpus_share_cores ||
	    spec->limit.cpus_per_node || spec->limit.cpus_per_socket ||
	    eqt_node_offer_asks_gpus(spec))
		return false;
	return spec->node.threads < 2 ||
	       !eqt_core_tasks_most(&quote->totals, spec);
}

/* The nodes that have all CPUs of the job. */
static uint64_t ref_full_nodes(const struct eqt_quote *quote,
			       const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t each = totals->cpus_per_node, nodes = totals->nodes;
	uint64_t wanted = totals->cpus_wanted, tasks_cpus = 0;

	/* The CPUs of whole tasks within --mincpus, where tasks are counted. */
	while (spec->tasks_counted != EQT_TASKS_OF_CPUS &&
	       tasks_cpus + totals->cpus_per_task <= spec->min_cpus_per_node)
		tasks_cpus += totals->cpus_per_task;
	if (each < tasks_cpus)
		each = tasks_cpus;
	if (totals->mem == EQT_MEM_PER_CPU) {
		for (uint64_t i = 1; i < spec->node.threads && each > 0; i++)
			each--;
		while (each % totals->cpus_per_task != 0)
			each--;
	}
	if (!ref_each_is_full(quote, spec) || each == 0)
		return UINT64_MAX;
	if (wanted < totals->tasks * totals->cpus_per_task)
		wanted = totals->tasks * totals->cpus_per_task;
	while (nodes * each < wanted)
		nodes++;
	return nodes < spec->counted_nodes ? spec->counted_nodes : nodes;
}

/* More nodes than it needs, where the request names no number of them. */
static void ref_spread(struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	const uint64_t each = spec->cpus_per_task ? spec->cpus_per_task : 1;
	const uint64_t gpu_count = quote->totals.gpus;
	uint64_t nodes = spec->tasks, tasks = spec->tasks;
	struct eqt_price price;

	while (tasks * each < spec->min_cpus)
		tasks++;
	if (spec->tres_per_job && spec->tasks_per_gpu && gpu_count &&
	    tasks > gpu_count * spec->tasks_per_gpu)
		nodes = tasks;
	else if (!spec->tasks && spec->tres_per_job)
		nodes = gpu_count;
	if (spec->node.count && spec->node.count < nodes)
		nodes = spec->node.count;
	if (ref_full_nodes(quote, spec) < nodes)
		nodes = ref_full_nodes(quote, spec);
	quote->spread_nodes = 0;
	/* Of whole nodes it gets those that it needs. */
	if (spec->exclusive && !spec->keeps_rest && spec->node.cpus &&
	    !spec->tasks_per_gpu && !spec->tasks_per_node)
		return;
	if (spec->max_nodes || nodes <= quote->totals.nodes ||
	    !ref_widest(&price, spec, nodes) ||
	    !is_below(quote->high.equivalents, price.equivalents))
		return;
	quote->spread = price;
	quote->spread_nodes = nodes;
}

/* ---- Advice -------------------------------------------------------------------- */

/* What is left of an amount for each piece, if no more than the resource that is second
 * decides. */
static uint64_t ref_share(const struct eqt_price *price, uint64_t amount,
			  uint64_t pieces)
{
	const struct eqt_frac first = price->by[price->dominant];
	struct eqt_frac second = EQT_FRAC_ZERO;

	for (int i = 0; i < EQT_RESOURCES; i++)
		if (i != (int) price->dominant &&
		    is_below(second, price->by[i]))
			second = price->by[i];
	return (uint64_t) ((wide) amount * second.num * first.den /
			   ((wide) second.den * first.num) / pieces);
}

static void ref_less_memory(struct eqt_quote *quote, struct eqt_job_spec *other)
{
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t pieces = totals->nodes;

	quote->advice = EQT_QUOTE_ADVICE_MEM;
	other->mem = EQT_MEM_PER_NODE;
	if (totals->mem == EQT_MEM_PER_CPU) {
		quote->advice = EQT_QUOTE_ADVICE_MEM_PER_CPU;
		other->mem = EQT_MEM_PER_CPU;
		pieces = totals->cpus;
	} else if (totals->mem == EQT_MEM_PER_GPU) {
		quote->advice = EQT_QUOTE_ADVICE_MEM_PER_GPU;
		other->mem = EQT_MEM_PER_GPU;
		other->mem_per_tres = NULL;
		pieces = totals->gpus;
	}
	quote->advice_amount = other->mem_mib =
		ref_share(&quote->high, totals->demand.mem_mib, pieces);
}

static void ref_fewer_cores(struct eqt_quote *quote, struct eqt_job_spec *other)
{
	const struct eqt_job_totals *totals = &quote->totals;
	const uint64_t each = other->cpus_per_task ? other->cpus_per_task : 1;
	const uint64_t all = ref_share(&quote->high, totals->cpus, 1);
	const bool by_gpu = totals->cpus_by_gpu;
	static char option[32]; /* of --cpus-per-gpu */
	uint64_t pieces = by_gpu ? totals->gpus : totals->tasks, amount;

	if (!totals->gpus || other->exclusive)
		return;
	if (!by_gpu && other->min_cpus / each > pieces)
		pieces = other->min_cpus / each;
	/* One node gives CPUs to no more tasks than GPUs allow. */
	if (other->tasks_per_gpu && pieces > totals->tasks &&
	    (other->node.count == 1 || other->max_nodes == 1))
		return;
	amount = all / pieces;
	/* GPUs with fewer CPUs than there are tasks. */
	if (by_gpu && !other->overcommit && amount * pieces < totals->tasks)
		return;
	/* --cpus-per-gpu and --cpus-per-task exclude each other. */
	if (!by_gpu && other->cpus_per_tres)
		return;
	if (other->min_cpus)
		other->min_cpus = by_gpu ? 0 : amount * pieces;
	if (amount == 0 && !by_gpu) {
		const bool fixed = !other->tasks || other->tasks_per_node ||
				   other->tasks_per_gpu || other->tres_per_task;

		if (fixed || all / each < other->min_nodes)
			return;
		quote->advice = EQT_QUOTE_ADVICE_TASKS;
		quote->advice_amount = other->tasks = all / each;
		return;
	}
	quote->advice_amount = amount;
	/* sbatch says the CPUs of a task for a node, too. */
	if (other->min_cpus_per_node <= other->cpus_per_task)
		other->min_cpus_per_node = 0;
	if (by_gpu) {
		quote->advice = EQT_QUOTE_ADVICE_CPUS_PER_GPU;
		(void) snprintf(option, sizeof(option), "gres:gpu:%llu",
				(unsigned long long) amount);
		other->cpus_per_tres = option;
	} else {
		quote->advice = EQT_QUOTE_ADVICE_CPUS_PER_TASK;
		other->cpus_per_task = amount;
	}
}

static bool ref_quote(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      bool advise);

/* Does each of several nodes hold the tasks that a core or a socket is to have? */
static bool ref_holds_tasks(const struct eqt_quote *quote,
			    const struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;
	const uint64_t tasks = spec->tasks_per_core > spec->tasks_per_socket
				       ? spec->tasks_per_core
				       : spec->tasks_per_socket;

	return totals->nodes == 1 || spec->tasks_per_node ||
	       tasks * totals->cpus_per_task <= totals->cpus_per_node;
}

/* A change is worth a word if the request then has one price, which is lower. */
static void ref_advise(struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	struct eqt_job_spec other = *spec;
	struct eqt_quote cheaper;

	if (quote->lack || quote->by_model ||
	    (quote->by_nodes && !quote->by_parts))
		return;
	/* --mem and --mem-per-gpu exclude each other. */
	if (quote->high.dominant == EQT_CORES && quote->totals.fair_mem_mib &&
	    (spec->mem == EQT_MEM_PER_GPU || spec->mem_per_tres))
		return;
	if (quote->high.dominant == EQT_CORES && quote->totals.fair_mem_mib) {
		other.mem = spec->mem == EQT_MEM_PER_CPU ? EQT_MEM_PER_CPU
							 : EQT_MEM_PER_NODE;
		other.mem_mib = quote->advice_amount =
			quote->totals.fair_mem_mib;
		quote->advice = other.mem == EQT_MEM_PER_CPU
					? EQT_QUOTE_ADVICE_MEM_PER_CPU
					: EQT_QUOTE_ADVICE_MEM;
	} else if (quote->high.dominant == EQT_MEMORY) {
		ref_less_memory(quote, &other);
	} else if (quote->high.dominant == EQT_CORES) {
		ref_fewer_cores(quote, &other);
	}
	if (quote->advice_amount && ref_quote(&cheaper, &other, false) &&
	    ref_holds_tasks(&cheaper, &other) &&
	    (cheaper.by_parts || !is_below(cheaper.low.equivalents,
					   cheaper.high.equivalents)) &&
	    is_below(cheaper.high.equivalents, quote->high.equivalents))
		quote->advice_price = cheaper.high.equivalents;
	else
		quote->advice = EQT_QUOTE_ADVICE_NONE;
}

/* ---- The quote ------------------------------------------------------------------ */

static bool ref_quote(struct eqt_quote *quote, const struct eqt_job_spec *spec,
		      bool advise)
{
	*quote = (struct eqt_quote){ .prices = prices };
	if (!ref_price(spec, &quote->totals, &quote->low, &quote->high))
		return false;
	quote->by_model = is_below(quote->low.equivalents,
				   quote->high.equivalents);
	if (!ref_least(quote, spec))
		return false;
	if (ref_chooses(quote, spec) &&
	    (!ref_raise(quote, spec, quote->totals.nodes) ||
	     (spec->max_nodes > quote->totals.nodes &&
	      !ref_raise(quote, spec, spec->max_nodes))))
		return false;
	quote->least = eqt_job_spec_is_least(spec);
	quote->lack = spec->no_node ? EQT_QUOTE_LACK_NODES
				    : EQT_QUOTE_LACK_NOTHING;
	quote->minutes = spec->minutes ? spec->minutes : spec->defaults.minutes;
	ref_spread(quote, spec);
	if (advise)
		ref_advise(quote, spec);
	return true;
}

/* ---- Comparison ------------------------------------------------------------------ */

START_TEST(a_quote_is_what_its_rules_say)
{
	size_t ranges = 0, spreads = 0, advices = 0, refused = 0;

	for (int seed = 1; seed <= REQUESTS; seed++) {
		struct eqt_random random = { (uint64_t) seed };
		const struct eqt_job_spec spec = spec_draw(&random);
		struct eqt_quote quote, ref;
		bool priced;

		prices = &tables[seed % 2];
		priced = ref_quote(&ref, &spec, true);

		ck_assert_msg((eqt_quote_make(&quote, prices, &spec, NULL) ==
			       0) == priced,
			      "request %d", seed);
		refused += !priced;
		if (!priced)
			continue;
		quote_compare(&quote, &ref, seed);
		ranges += ref.by_nodes;
		spreads += ref.spread_nodes > 0;
		advices += ref.advice != EQT_QUOTE_ADVICE_NONE;
	}
	/* The requests have something to show. */
	ck_assert_uint_lt(refused, REQUESTS / 4);
	ck_assert_uint_gt(ranges, REQUESTS / 20);
	ck_assert_uint_gt(spreads, REQUESTS / 50);
	ck_assert_uint_gt(advices, REQUESTS / 50);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote_property");
	TCase *tc = tcase_create("quote_property");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, a_quote_is_what_its_rules_say);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
