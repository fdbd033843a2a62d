/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A cheaper option for the same job. */
#include <string.h>

#include "base/whole.h"
#include "price/gres.h"
#include "quote/quote_impl.h"

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

/* Does a resource decide, or, of several terms, one in which there are others? */
static bool decides_term(const struct eqt_price *price,
			 enum eqt_resource resource)
{
	if (price->apart == 0)
		return price->dominant == resource;
	return price->by[resource].num > 0 &&
	       eqt_price_term(price, resource) == resource &&
	       second_price(price, resource).num > 0;
}

/* Less memory, in the option of the request. */
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

/* Fewer tasks, if each one already has the fewest CPUs. */
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

/* Fewer cores for the GPUs. A job without GPUs needs its cores. */
static void try_fewer_cores(struct eqt_quote *quote, struct eqt_job_spec *spec)
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
	if (spec->min_cpus_per_node <= spec->cpus_per_task)
		spec->min_cpus_per_node = 0;
	/* sbatch of 24.11 sends them here, too. */
	if (spec->tres_per_task && has_cpus_only(spec->tres_per_task))
		spec->tres_per_task = NULL;
	if (totals->cpus_by_gpu) {
		spec->cpus_per_tres = NULL;
		spec->defaults.cpus_per_gpu = quote->advice_amount;
	} else {
		spec->cpus_per_task = quote->advice_amount;
	}
}

/* A request that is cheaper, and has one price. The quote is of the advice alone: not a
 * part of its caller, whose stack most requests need. */
static __attribute__((noinline)) bool advice_holds(
	struct eqt_quote *quote, const struct eqt_job_spec *other)
{
	struct eqt_quote cheaper = { .prices = quote->prices };
	struct eqt_parsed_spec parsed;

	if (eqt_parsed_spec_make(&parsed, quote->prices, other, NULL) < 0 ||
	    eqt_quote_price(&cheaper, quote->prices, other, &parsed, NULL) < 0)
		return false;
	if (cheaper.lack || cheaper.also ||
	    eqt_frac_cmp(cheaper.high.equivalents, quote->high.equivalents) >=
		    0 ||
	    (!cheaper.by_parts && eqt_frac_cmp(cheaper.low.equivalents,
					       cheaper.high.equivalents) != 0))
		return false;
	quote->advice_price = cheaper.high.equivalents;
	return true;
}

/*
 * Look for a cheaper request. It is used only if its own price is indeed lower.
 */
void eqt_quote_advise(struct eqt_quote *quote, const struct eqt_job_spec *spec)
{
	struct eqt_job_spec other = *spec;

	quote->advice = EQT_QUOTE_ADVICE_NONE;
	quote->advice_amount = 0;
	if (quote->lack || quote->also || quote->by_model ||
	    (quote->by_nodes && !quote->by_parts))
		return;
	if (eqt_quote_by_limit(quote))
		try_fair_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_MEMORY))
		try_less_memory(quote, &other);
	else if (decides_term(&quote->high, EQT_CORES))
		try_fewer_cores(quote, &other);
	if (quote->advice_amount == 0 || !advice_holds(quote, &other))
		quote->advice = EQT_QUOTE_ADVICE_NONE;
}
