/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice: a cheaper option for the same job, and the quote that has it. A changed request
 * is priced as the request itself. */
#include <inttypes.h>
#include <stdio.h>

#include "base/whole.h"
#include "quote/quote_impl.h"

/* Return amount * part / whole, divided by the number of pieces in which it is
 * requested and rounded down. */
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

/* A resource decides a term. Return the highest price among the other resources of that
 * term. */
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

/* Does a resource decide the price? If the price has several terms, does the resource
 * decide a term with other resources? */
static bool decides_term(const struct eqt_price *price,
			 enum eqt_resource resource)
{
	if (price->apart == 0)
		return price->dominant == resource;
	return price->by[resource].num > 0 &&
	       eqt_price_term(price, resource) == resource &&
	       second_price(price, resource).num > 0;
}

/* Advise so much memory, in the option that the request has used, that the memory costs
 * no more than the other resources. */
static void less_memory(struct eqt_quote *quote)
{
	static const enum eqt_quote_advice options[] = {
		[EQT_MEM_NOT_GIVEN] = EQT_QUOTE_ADVICE_NONE,
		[EQT_MEM_PER_NODE] = EQT_QUOTE_ADVICE_MEM,
		[EQT_MEM_PER_CPU] = EQT_QUOTE_ADVICE_MEM_PER_CPU,
		[EQT_MEM_PER_GPU] = EQT_QUOTE_ADVICE_MEM_PER_GPU,
		[EQT_MEM_ALL] = EQT_QUOTE_ADVICE_MEM,
	};
	const struct eqt_job_totals *totals = &quote->totals;
	const struct eqt_frac second = second_price(&quote->high, EQT_MEMORY);
	uint64_t pieces = totals->nodes;

	if (totals->mem == EQT_MEM_PER_CPU)
		pieces = totals->cpus;
	else if (totals->mem == EQT_MEM_PER_GPU)
		pieces = totals->gpus;
	quote->advice = options[totals->mem];
	quote->advice_price = second;
	quote->advice_amount = share(totals->demand.mem_mib, second,
				     quote->high.by[EQT_MEMORY], pieces);
}

static void try_less_memory(struct eqt_quote *quote, struct eqt_job_spec *spec)
{
	const struct eqt_job_totals *totals = &quote->totals;

	/* On whole nodes of select/linear, the memory is that of the nodes, even if the
	 * request has --mem-per-cpu. */
	if (spec->linear && spec->mem == EQT_MEM_PER_CPU &&
	    totals->mem != EQT_MEM_PER_CPU)
		return;
	less_memory(quote);
	spec->mem = totals->mem == EQT_MEM_ALL ? EQT_MEM_PER_NODE : totals->mem;
	spec->mem_mib = quote->advice_amount;
	if (spec->mem == EQT_MEM_PER_GPU)
		spec->mem_per_tres = NULL;
}

/* Try the largest memory for which Slurm adds no CPUs. */
static void try_fair_memory(struct eqt_quote *quote, struct eqt_job_spec *spec)
{
	const bool per_cpu = spec->mem == EQT_MEM_PER_CPU;

	/* sbatch refuses --mem together with --mem-per-gpu. */
	if (spec->mem == EQT_MEM_PER_GPU || spec->mem_per_tres)
		return;
	quote->advice = per_cpu ? EQT_QUOTE_ADVICE_MEM_PER_CPU
				: EQT_QUOTE_ADVICE_MEM;
	quote->advice_amount = quote->totals.fair_mem_mib;
	spec->mem = per_cpu ? EQT_MEM_PER_CPU : EQT_MEM_PER_NODE;
	spec->mem_mib = quote->advice_amount;
}

/* Try fewer tasks, if each task already has the fewest CPUs. */
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

#define GPU_OPTION 32 /* bytes for "gres:gpu:" and a number */

/* Try fewer cores for the GPUs. A job without GPUs needs its cores. `option` is a
 * buffer for the value of --cpus-per-gpu. */
static void try_fewer_cores(struct eqt_quote *quote, struct eqt_job_spec *spec,
			    char option[GPU_OPTION])
{
	const struct eqt_job_totals *totals = &quote->totals;
	uint64_t pieces = totals->cpus_by_gpu ? totals->gpus : totals->tasks;

	if (totals->gpus == 0 || spec->exclusive)
		return;
	/* sbatch refuses --cpus-per-task together with --cpus-per-gpu. */
	if (!totals->cpus_by_gpu && spec->cpus_per_tres)
		return;
	/* sbatch sends the CPUs of all tasks of --ntasks, even if --ntasks-per-gpu
	 * makes fewer tasks. slurmctld refuses that on a single node. */
	if (!totals->cpus_by_gpu && spec->min_cpus > 0)
		eqt_whole_raise(&pieces,
				spec->min_cpus /
					eqt_whole_max(spec->cpus_per_task, 1));
	if (pieces > totals->tasks && spec->tasks_per_gpu &&
	    (spec->node.count == 1 || spec->max_nodes == 1))
		return;
	quote->advice = totals->cpus_by_gpu ? EQT_QUOTE_ADVICE_CPUS_PER_GPU
					    : EQT_QUOTE_ADVICE_CPUS_PER_TASK;
	quote->advice_amount = share(totals->cpus,
				     second_price(&quote->high, EQT_CORES),
				     quote->high.by[EQT_CORES], pieces);
	/* On each node, slurmctld counts only the CPUs that the node's GPUs
	 * bring. It may refuse tasks that need more CPUs than all GPUs
	 * bring. */
	if (totals->cpus_by_gpu && !spec->overcommit &&
	    quote->advice_amount <
		    eqt_whole_divide_up(totals->tasks, totals->gpus))
		quote->advice_amount = 0;
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
	/* By default, sbatch sets min_cpus_per_node to the CPUs of a task. */
	if (!spec->names_min_cpus &&
	    spec->min_cpus_per_node <= spec->cpus_per_task)
		spec->min_cpus_per_node = 0;
	if (totals->cpus_by_gpu) {
		/* The option is set as well, because Slurm does not treat it like a
		 * default of the partition. */
		(void) snprintf(option, GPU_OPTION, "gres:gpu:%" PRIu64,
				quote->advice_amount);
		spec->cpus_per_tres = option;
	} else {
		spec->cpus_per_task = quote->advice_amount;
	}
}

/* Does each node have the CPUs for as many tasks as a core or a socket is to have? If
 * the job has several nodes, slurmctld may reduce a node to the CPUs that it must have,
 * look at it again, and then skip it if it has fewer CPUs than that (_select_cores(),
 * _eval_nodes_lln()). */
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

/* Compute the price of the changed request. Return false if it has no single price. */
static bool advice_holds(struct eqt_quote *quote,
			 const struct eqt_job_spec *other)
{
	struct eqt_quote cheaper;
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, quote->prices, other, NULL) < 0 ||
	    eqt_quote_price_range(&cheaper, quote->prices, other, &parsed,
				  NULL) < 0)
		return false;
	if (cheaper.lack || cheaper.also ||
	    !nodes_hold_tasks(other, &cheaper.totals) ||
	    (!cheaper.by_parts && eqt_frac_cmp(cheaper.low.equivalents,
					       cheaper.high.equivalents) != 0))
		return false;
	quote->advice_price = cheaper.high.equivalents;
	return true;
}

/* Look for a cheaper request by pricing a changed one. This is a function of its own,
 * because it takes stack that most requests do not need. */
static __attribute__((noinline)) void advise_changed(
	struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	char option[GPU_OPTION];
	struct eqt_job_spec other = *spec;

	if (eqt_quote_by_limit(quote))
		try_fair_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_MEMORY))
		try_less_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_CORES))
		try_fewer_cores(quote, &other, option);
	if (quote->advice_amount > 0 && !advice_holds(quote, &other))
		quote->advice_amount = 0;
}

void eqt_quote_advice_find(struct eqt_quote *quote,
			   const struct eqt_job_spec *spec)
{
	quote->advice = EQT_QUOTE_ADVICE_NONE;
	quote->advice_amount = 0;
	if (quote->lack || quote->also || quote->by_model ||
	    (quote->by_nodes && !quote->by_parts))
		return;
	if (!quote->steady)
		advise_changed(quote, spec);
	else if (decides_term(&quote->high, EQT_MEMORY) &&
		 nodes_hold_tasks(spec, &quote->totals))
		less_memory(quote);
	if (quote->advice_amount == 0 ||
	    eqt_frac_cmp(quote->advice_price, quote->high.equivalents) >= 0)
		quote->advice = EQT_QUOTE_ADVICE_NONE;
}
