/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/quote.h"

#include <string.h>

#include "price/gres.h"

/* The dearest price of a request that gets as many nodes as it may. */
static int price_widest(struct eqt_price *out, const struct eqt_quote *bill,
			const struct eqt_job_spec *ask,
			const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_job_spec widest = *ask;
	struct eqt_price low;
	struct eqt_job_totals asked;

	widest.min_nodes = ask->max_nodes;
	/* No node is without a task where their number is given. */
	if (ask->tasks > 0 && ask->tasks < widest.min_nodes)
		widest.min_nodes = ask->tasks;
	if (eqt_job_spec_count(&asked, &widest, rows, err) < 0)
		return -1;
	return eqt_price_range(&low, out, bill->prices, &asked.request, err);
}

/*
 * A job that asks for no number of nodes may be given more than it needs, each
 * with the memory (and the GPUs) of a node. Not told, where that is no dearer
 * or goes beyond 64 bits.
 */
static void price_spread(struct eqt_quote *bill, const struct eqt_job_spec *ask,
			 const struct eqt_gres_rows *rows)
{
	struct eqt_job_spec wide = *ask;
	struct eqt_price price;

	if (ask->max_nodes > 0)
		return;
	wide.max_nodes = ask->tasks;
	/* Each node has one of the GPUs of a job at least. */
	if (ask->tres_per_job && bill->asked.gpus > 0 &&
	    (ask->tasks == 0 || ask->tasks > bill->asked.gpus))
		wide.max_nodes = bill->asked.gpus;
	if (ask->node.count > 0 && wide.max_nodes > ask->node.count)
		wide.max_nodes = ask->node.count;
	if (wide.max_nodes <= bill->asked.nodes)
		return;
	if (price_widest(&price, bill, &wide, rows, NULL) < 0 ||
	    eqt_frac_cmp(price.equivalents, bill->high.equivalents) <= 0)
		return;
	bill->spread = price.equivalents;
	bill->spread_nodes = wide.max_nodes;
}

static int price_all(struct eqt_quote *bill, const struct eqt_job_spec *ask,
		     const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	struct eqt_price widest;

	if (eqt_price_range(&bill->low, &bill->high, bill->prices,
			    &bill->asked.request, err) < 0)
		return -1;
	bill->by_model = eqt_frac_cmp(bill->low.equivalents,
				      bill->high.equivalents) != 0;
	if (ask->max_nodes <= bill->asked.nodes)
		return 0;
	if (price_widest(&widest, bill, ask, rows, err) < 0)
		return -1;
	bill->by_nodes =
		eqt_frac_cmp(bill->high.equivalents, widest.equivalents) < 0;
	if (bill->by_nodes)
		bill->high = widest;
	return 0;
}

/* What is left when a request is cut to part / whole of an amount, for each of
 * the pieces that the amount is asked in; rounded down. */
static uint64_t share(uint64_t amount, struct eqt_frac part,
		      struct eqt_frac whole, uint64_t pieces)
{
	struct eqt_frac inverse = { whole.den, whole.num }, kept;

	if (pieces == 0 || whole.num == 0 ||
	    eqt_frac_mul(&kept, part, inverse) < 0 ||
	    eqt_frac_mul(&kept, kept, (struct eqt_frac){ amount, 1 }) < 0)
		return 0;
	return eqt_frac_round(kept, 1, EQT_ROUND_FLOOR) / pieces;
}

/* The most that another resource than the deciding one would cost. */
static struct eqt_frac second_price(const struct eqt_price *price)
{
	struct eqt_frac second = EQT_FRAC_ZERO;
	int i;

	for (i = 0; i < EQT_RESOURCES; i++) {
		if (i != (int) price->dominant &&
		    eqt_frac_cmp(price->by[i], second) > 0)
			second = price->by[i];
	}
	return second;
}

/* Less memory, said in the way in which it was asked for. */
static void try_less_memory(struct eqt_quote *bill, struct eqt_job_spec *ask)
{
	static const enum eqt_quote_advice options[] = {
		[EQT_MEM_NOT_GIVEN] = EQT_QUOTE_ADVICE_NONE,
		[EQT_MEM_PER_NODE] = EQT_QUOTE_ADVICE_MEM,
		[EQT_MEM_PER_CPU] = EQT_QUOTE_ADVICE_MEM_PER_CPU,
		[EQT_MEM_PER_GPU] = EQT_QUOTE_ADVICE_MEM_PER_GPU,
		[EQT_MEM_ALL] = EQT_QUOTE_ADVICE_MEM,
	};
	const struct eqt_job_totals *asked = &bill->asked;
	uint64_t pieces = asked->nodes;

	if (asked->mem == EQT_MEM_PER_CPU)
		pieces = asked->cpus;
	else if (asked->mem == EQT_MEM_PER_GPU)
		pieces = asked->gpus;
	bill->advice = options[asked->mem];
	bill->advice_amount = share(asked->request.mem_mib,
				    second_price(&bill->low),
				    bill->low.by[bill->low.dominant], pieces);
	ask->mem = asked->mem == EQT_MEM_ALL ? EQT_MEM_PER_NODE : asked->mem;
	ask->mem_mib = bill->advice_amount;
	if (ask->mem == EQT_MEM_PER_GPU)
		ask->mem_per_tres = NULL;
}

/* A list of TRES that has CPUs and nothing else. */
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

/* Fewer cores for the GPUs: those that a job without GPUs asks for are what it
 * is about. */
static void try_fewer_cores(struct eqt_quote *bill, struct eqt_job_spec *ask)
{
	const struct eqt_job_totals *asked = &bill->asked;
	uint64_t pieces = asked->cpus_by_gpu ? asked->gpus : asked->tasks;

	if (asked->gpus == 0 || ask->exclusive)
		return;
	bill->advice = asked->cpus_by_gpu ? EQT_QUOTE_ADVICE_CPUS_PER_GPU
					  : EQT_QUOTE_ADVICE_CPUS_PER_TASK;
	bill->advice_amount = share(asked->cpus, second_price(&bill->low),
				    bill->low.by[bill->low.dominant], pieces);
	ask->min_cpus = 0;
	/* sbatch sets it to the CPUs of a task, if to nothing else. */
	if (ask->min_cpus_per_node <= ask->cpus_per_task)
		ask->min_cpus_per_node = 0;
	/* sbatch of 24.11 says them here, too. */
	if (ask->tres_per_task && has_cpus_only(ask->tres_per_task))
		ask->tres_per_task = NULL;
	if (asked->cpus_by_gpu) {
		ask->cpus_per_tres = NULL;
		ask->defaults.cpus_per_gpu = bill->advice_amount;
	} else {
		ask->cpus_per_task = bill->advice_amount;
	}
}

/* Another way to ask: most leave the lists of resources as they are. */
static int count_other(struct eqt_job_totals *out, const struct eqt_quote *bill,
		       const struct eqt_job_spec *other,
		       const struct eqt_job_spec *ask,
		       const struct eqt_gres_rows *rows)
{
	if (other->tres_per_task == ask->tres_per_task &&
	    other->cpus_per_tres == ask->cpus_per_tres &&
	    other->mem_per_tres == ask->mem_per_tres)
		return eqt_job_spec_count(out, other, rows, NULL);
	return eqt_job_spec_compute(out, bill->prices, other, NULL);
}

/*
 * Look for a way to pay less. It is told only if the request, asked again in
 * that way, does come out cheaper.
 */
static void advise(struct eqt_quote *bill, const struct eqt_job_spec *ask,
		   const struct eqt_gres_rows *rows)
{
	struct eqt_job_spec other = *ask;
	struct eqt_job_totals asked;
	struct eqt_price price;

	if (bill->by_model || bill->by_nodes)
		return;
	if (bill->low.dominant == EQT_MEMORY)
		try_less_memory(bill, &other);
	else if (bill->low.dominant == EQT_CORES)
		try_fewer_cores(bill, &other);
	if (bill->advice_amount == 0 ||
	    count_other(&asked, bill, &other, ask, rows) < 0 ||
	    eqt_price_range(&price, &price, bill->prices, &asked.request,
			    NULL) < 0 ||
	    eqt_frac_cmp(price.equivalents, bill->low.equivalents) >= 0)
		bill->advice = EQT_QUOTE_ADVICE_NONE;
	else
		bill->advice_price = price.equivalents;
}

/* What makes a bill, or its price alone, of rows. */
typedef int step_fn(struct eqt_quote *bill, const struct eqt_job_spec *ask,
		    const struct eqt_gres_rows *rows, struct eqt_error *err);

static int fill_price(struct eqt_quote *bill, const struct eqt_job_spec *ask,
		      const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	if (price_all(bill, ask, rows, err) < 0)
		return -1;
	bill->least = eqt_job_spec_is_least(ask);
	return 0;
}

static int fill(struct eqt_quote *bill, const struct eqt_job_spec *ask,
		const struct eqt_gres_rows *rows, struct eqt_error *err)
{
	if (fill_price(bill, ask, rows, err) < 0)
		return -1;
	price_spread(bill, ask, rows);
	bill->minutes = ask->minutes ? ask->minutes : ask->defaults.minutes;
	if (ask->array && ask->array[0] != '\0' &&
	    eqt_array_tasks(ask->array, &bill->array_tasks) < 0)
		bill->array_tasks = 0;
	advise(bill, ask, rows);
	return 0;
}

/* For more rows than are kept. Ten kilobytes of stack that hardly any request
 * needs: not a part of its caller. */
static __attribute__((noinline)) int with_all_rows(
	step_fn *step, struct eqt_quote *bill, const struct eqt_job_spec *ask,
	struct eqt_error *err)
{
	struct eqt_gres_row row[EQT_GRES_MAX];
	struct eqt_gres_rows rows = { .row = row, .room = EQT_GRES_MAX };

	if (eqt_job_spec_read(&rows, bill->prices, ask, err) < 0)
		return -1;
	return step(bill, ask, &rows, err);
}

/* What a step makes of a request that is counted. */
static inline int make_by(step_fn *step, struct eqt_quote *bill,
			  const struct eqt_job_spec *ask,
			  const struct eqt_parsed_spec *counted,
			  struct eqt_error *err)
{
	bill->asked = counted->asked;
	bill->spread = EQT_FRAC_ZERO;
	return counted->rows.room > 0 ? step(bill, ask, &counted->rows, err)
				      : with_all_rows(step, bill, ask, err);
}

int eqt_quote_count(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *ask,
		    const struct eqt_parsed_spec *counted,
		    struct eqt_error *err)
{
	struct eqt_quote bill = { .prices = prices };
	int rc = make_by(fill, &bill, ask, counted, err);

	if (rc == 0)
		*out = bill;
	return rc;
}

int eqt_quote_price(struct eqt_quote *out,
		    const struct eqt_bundle_table *prices,
		    const struct eqt_job_spec *ask,
		    const struct eqt_parsed_spec *counted,
		    struct eqt_error *err)
{
	struct eqt_quote bill = { .prices = prices };
	int rc = make_by(fill_price, &bill, ask, counted, err);

	if (rc == 0)
		*out = bill;
	return rc;
}

int eqt_quote_make(struct eqt_quote *out, const struct eqt_bundle_table *prices,
		   const struct eqt_job_spec *ask, struct eqt_error *err)
{
	struct eqt_parsed_spec counted;

	if (eqt_parsed_spec_make(&counted, prices, ask, err) < 0)
		return -1;
	return eqt_quote_count(out, prices, ask, &counted, err);
}

void eqt_quote_widen(struct eqt_quote *bill, const struct eqt_quote *other)
{
	if (bill->low.gpu_pool != other->low.gpu_pool)
		return;
	if (eqt_frac_cmp(other->low.charge, bill->low.charge) != 0 ||
	    eqt_frac_cmp(other->high.charge, bill->high.charge) != 0) {
		bill->by_partition = true;
		bill->advice = EQT_QUOTE_ADVICE_NONE;
	}
	if (eqt_frac_cmp(other->spread, bill->spread) > 0) {
		bill->spread = other->spread;
		bill->spread_nodes = other->spread_nodes;
	}
	if (eqt_frac_cmp(other->low.charge, bill->low.charge) < 0)
		bill->low = other->low;
	if (eqt_frac_cmp(other->high.charge, bill->high.charge) > 0)
		bill->high = other->high;
}

int eqt_quote_hours(struct eqt_frac *out, const struct eqt_quote *bill,
		    const struct eqt_price *price)
{
	struct eqt_frac hours;

	if (bill->minutes == 0 || bill->minutes == EQT_MINUTES_UNLIMITED ||
	    eqt_frac_make(&hours, bill->minutes, 60) < 0)
		return -1;
	return eqt_frac_mul(out, price->usage, hours);
}
