/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/quote.h"
#include "base/text.h"

/* Some words in a row; the last is NULL. */
static void put_words(struct eqt_text *line, const char *const *words)
{
	for (; *words; words++)
		eqt_text_put(line, *words);
}

#define PUT(line, ...) \
	put_words(line, (const char *const[]){ __VA_ARGS__, NULL })

/* As many digits as there are in 10. */
static void put_two_digits(struct eqt_text *line, uint64_t value)
{
	if (value < 10)
		eqt_text_put(line, "0");
	eqt_text_whole(line, value);
}

/* "2.5", or "1 to 2" */
static void put_range(struct eqt_text *line, struct eqt_frac low,
		      struct eqt_frac high)
{
	eqt_frac_put(line, low);
	if (eqt_frac_cmp(low, high) != 0) {
		eqt_text_put(line, " to ");
		eqt_frac_put(line, high);
	}
}

static const char *plural(struct eqt_frac low, struct eqt_frac high)
{
	bool one = eqt_frac_cmp(low, EQT_FRAC_ONE) == 0 &&
		   eqt_frac_cmp(high, EQT_FRAC_ONE) == 0;

	return one ? "" : "s";
}

/* "core-equivalent", as eqt_price_unit() without its s */
static const char *unit_name(const struct eqt_price *price)
{
	return price->gpu_pool ? "GPU-equivalent" : "core-equivalent";
}

/* What decides, or what does not do so before the job runs. */
static void put_reason(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->by_partition)
		eqt_text_put(line, ", by the partition that takes the job");
	else if (quote->by_model && quote->totals.demand.gpus_untyped == 0)
		eqt_text_put(line, ", by the nodes that are allocated");
	else if (quote->by_model && quote->by_nodes)
		eqt_text_put(line,
			     ", by the models and nodes that are allocated");
	else if (quote->by_model)
		eqt_text_put(line, ", by the model that is allocated");
	else if (quote->by_nodes)
		eqt_text_put(line, ", by the nodes that are allocated");
	else if (quote->low.minimum)
		eqt_text_put(line, ", the least for a job");
	else if (eqt_quote_by_limit(quote))
		eqt_text_put(line, ", decided by memory (MaxMemPerCPU)");
	else
		PUT(line, ", decided by ",
		    eqt_resource_name(quote->low.dominant));
}

/* " ×3 in partition express", for each queue that has a factor */
static void put_factors(struct eqt_text *line, const struct eqt_quote *quote)
{
	static const char *const kinds[EQT_CHARGE_FACTORS] = {
		[EQT_CHARGE_FACTOR_PARTITION] = "in partition",
		[EQT_CHARGE_FACTOR_QOS] = "in QOS",
		[EQT_CHARGE_FACTOR_USAGE] = "by UsageFactor of QOS",
	};
	int i;

	for (i = quote->by_partition ? EQT_CHARGE_FACTOR_QOS : 0;
	     i < EQT_CHARGE_FACTORS; i++) {
		const struct eqt_charge_factor *queue =
			&quote->prices->queue[i];
		struct eqt_frac factor;

		if (!queue->name || queue->factor_u == EQT_MICRO ||
		    eqt_frac_make(&factor, queue->factor_u, EQT_MICRO) < 0)
			continue;
		eqt_text_put(line, ", ×");
		eqt_frac_put(line, factor);
		PUT(line, " ", kinds[i], " ", queue->name);
	}
}

/* Slurm's way to write minutes: 1-02:00:00 */
static void put_minutes(struct eqt_text *line, uint64_t minutes)
{
	if (minutes >= 1440) {
		eqt_text_whole(line, minutes / 1440);
		eqt_text_put(line, "-");
		put_two_digits(line, minutes / 60 % 24);
	} else {
		eqt_text_whole(line, minutes / 60);
	}
	eqt_text_put(line, ":");
	put_two_digits(line, minutes % 60);
	eqt_text_put(line, ":00");
}

/* What all tasks of an array cost; 0, or -1 when that does not fit. */
static int all_tasks(struct eqt_frac *low, struct eqt_frac *high,
		     const struct eqt_quote *quote)
{
	const struct eqt_frac tasks = { quote->array_tasks, 1 };

	if (quote->array_tasks < 2)
		return 0;
	if (eqt_frac_mul(low, *low, tasks) < 0 ||
	    eqt_frac_mul(high, *high, tasks) < 0)
		return -1;
	return 0;
}

static void put_array(struct eqt_text *line, const struct eqt_quote *quote)
{
	struct eqt_frac low = quote->low.equivalents;
	struct eqt_frac high = quote->high.equivalents;

	if (quote->array_tasks == 0)
		return;
	eqt_text_put(line, quote->array_at_most ? "; up to " : "; ");
	eqt_text_whole(line, quote->array_tasks);
	eqt_text_put(line, quote->array_tasks == 1 ? " task" : " tasks");
	if (all_tasks(&low, &high, quote) < 0)
		return;
	eqt_text_put(line, ": ");
	put_range(line, low, high);
}

static bool has_factor(const struct eqt_quote *quote)
{
	return eqt_frac_cmp(quote->low.equivalents, quote->low.usage) != 0 ||
	       eqt_frac_cmp(quote->high.equivalents, quote->high.usage) != 0;
}

/* "1 to 2 core-equivalent-hours": of one unit, for all tasks together; false,
 * and nothing, where that is not known. */
static bool put_unit_hours(struct eqt_text *line, const struct eqt_quote *quote,
			   const struct eqt_price *from,
			   const struct eqt_price *to, const char *before)
{
	struct eqt_frac low, high;

	if (eqt_quote_hours(&low, quote, from) < 0)
		return false;
	high = low;
	if (eqt_frac_cmp(from->usage, to->usage) != 0 &&
	    eqt_quote_hours(&high, quote, to) < 0)
		return false;
	if (all_tasks(&low, &high, quote) < 0)
		return false;
	PUT(line, before, quote->least ? "at least " : "");
	put_range(line, low, high);
	PUT(line, " ", unit_name(from), "-hour", plural(low, high));
	return true;
}

/* What is charged for the time limit. */
static void put_hours(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->minutes == EQT_AMOUNT_UNLIMITED)
		eqt_text_put(line, "; no time limit");
	if (!put_unit_hours(line, quote, &quote->low, &quote->high, "; "))
		return;
	if (quote->also)
		(void) put_unit_hours(line, quote, &quote->also_low,
				      &quote->also_high, " or ");
	PUT(line, has_factor(quote) ? " charged" : "",
	    " for the time limit of ");
	put_minutes(line, quote->minutes);
}

/* A job on more nodes than it needs: what that costs, and how to prevent it. */
static void put_spread(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->spread_nodes == 0)
		return;
	eqt_text_put(line, "; ");
	eqt_frac_put(line, quote->spread);
	eqt_text_put(line, " if it gets ");
	eqt_text_whole(line, quote->spread_nodes);
	eqt_text_put(line, " nodes, which -N");
	eqt_text_whole(line, quote->totals.nodes);
	eqt_text_put(line, " prevents");
}

static void put_advice(struct eqt_text *line, const struct eqt_quote *quote)
{
	static const char *const options[] = {
		[EQT_QUOTE_ADVICE_MEM] = "mem",
		[EQT_QUOTE_ADVICE_MEM_PER_CPU] = "mem-per-cpu",
		[EQT_QUOTE_ADVICE_MEM_PER_GPU] = "mem-per-gpu",
		[EQT_QUOTE_ADVICE_CPUS_PER_TASK] = "cpus-per-task",
		[EQT_QUOTE_ADVICE_CPUS_PER_GPU] = "cpus-per-gpu",
	};
	bool mem = quote->advice < EQT_QUOTE_ADVICE_CPUS_PER_TASK;

	if (quote->advice == EQT_QUOTE_ADVICE_NONE)
		return;
	PUT(line, "; --", options[quote->advice], "=");
	eqt_text_whole(line, quote->advice_amount);
	PUT(line, mem ? "M" : "", " would make it ");
	eqt_frac_put(line, quote->advice_price);
}

/* "1 to 2 core-equivalents" */
static void put_price(struct eqt_text *line, const struct eqt_price *low,
		      const struct eqt_price *high)
{
	put_range(line, low->equivalents, high->equivalents);
	PUT(line, " ", unit_name(low),
	    plural(low->equivalents, high->equivalents));
}

static void put_brief(struct eqt_text *line, const struct eqt_quote *quote)
{
	if (quote->least)
		eqt_text_put(line, "at least ");
	put_price(line, &quote->low, &quote->high);
	if (quote->also) {
		eqt_text_put(line, " or ");
		put_price(line, &quote->also_low, &quote->also_high);
	}
	eqt_text_put(line, quote->array_tasks ? " a task" : "");
	put_reason(line, quote);
	put_factors(line, quote);
	put_array(line, quote);
	put_hours(line, quote);
	put_spread(line, quote);
	put_advice(line, quote);
}

char *eqt_quote_brief(const struct eqt_quote *quote, char *buf, size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	if (size > 0)
		buf[0] = '\0';
	put_brief(&line, quote);
	return buf;
}

/* The bundles that a request takes, in the order of the price table. */
static void put_gpus(struct eqt_text *line, const struct eqt_quote *quote)
{
	const struct eqt_demand *demand = &quote->totals.demand;
	const char *comma = "";
	uint32_t i;

	for (i = 0; i < quote->prices->gpu_count; i++) {
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
static void put_rate(struct eqt_text *line, const struct eqt_price *price,
		     enum eqt_resource resource, uint64_t amount)
{
	struct eqt_frac inverse = { price->by[resource].den,
				    price->by[resource].num };
	struct eqt_frac each;

	if (price->by[resource].num == 0 ||
	    eqt_frac_mul(&each, inverse, (struct eqt_frac){ amount, 1 }) < 0)
		return;
	eqt_text_put(line, " at ");
	eqt_frac_put(line, each);
	PUT(line, resource == EQT_MEMORY ? "M" : "", " an equivalent");
}

static void put_resource(struct eqt_text *line, const struct eqt_quote *quote,
			 enum eqt_resource resource)
{
	/* What eqt_resource_name() says, all of the same width. */
	static const char *const columns[EQT_RESOURCES] = {
		[EQT_CORES] = "cores  ",
		[EQT_MEMORY] = "memory ",
		[EQT_GPUS] = "GPUs   ",
	};
	const struct eqt_demand *demand = &quote->totals.demand;
	uint64_t amount = resource == EQT_CORES ? demand->cores
						: demand->mem_mib;

	PUT(line, "\n  ", columns[resource], " ");
	if (resource == EQT_GPUS) {
		put_gpus(line, quote);
	} else {
		eqt_text_whole(line, amount);
		eqt_text_put(line, resource == EQT_MEMORY ? "M" : "");
		if (!quote->by_model)
			put_rate(line, &quote->low, resource, amount);
	}
	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	eqt_text_put(line, ": ");
	eqt_frac_put(line, quote->low.by[resource]);
	if (resource == quote->low.dominant && !quote->low.minimum)
		eqt_text_put(line, ", which decides");
}

/* Where a bundle is the model's. */
static void put_place(struct eqt_text *line, const struct eqt_bundle *bundle)
{
	if (bundle->nodes)
		PUT(line, " on ", bundle->nodes);
	if (bundle->features)
		PUT(line, " with feature ", bundle->features);
}

static void put_model(struct eqt_text *line, const struct eqt_quote *quote,
		      const struct eqt_demand *demand, uint32_t model)
{
	const struct eqt_bundle *bundle = &quote->prices->gpu[model];
	struct eqt_price price;

	if (!eqt_bundle_table_near(quote->prices, model) ||
	    eqt_price_as(&price, quote->prices, demand, model, NULL) < 0)
		return;
	PUT(line, "\n  as ", bundle->name);
	put_place(line, bundle);
	eqt_text_put(line, ": ");
	eqt_frac_put(line, price.equivalents);
	if (!price.minimum)
		PUT(line, ", decided by ", eqt_resource_name(price.dominant));
}

/* One line a model, or a bundle of the model, that decides the price. */
static void put_models(struct eqt_text *line, const struct eqt_quote *quote)
{
	struct eqt_demand demand = quote->totals.demand;
	uint32_t i;
	int next;

	for (i = 0; i < quote->prices->gpu_count; i++) {
		if (demand.gpus_untyped > 0) {
			put_model(line, quote, &demand, i);
			continue;
		}
		/* Of several models each has its own: too much to tell. */
		if (demand.gpus[i] != quote->totals.gpus)
			continue;
		demand.gpus_untyped = demand.gpus[i];
		demand.gpus[i] = 0;
		for (next = (int) i; next >= 0;
		     next = eqt_bundle_table_next(quote->prices,
						  (uint32_t) next))
			put_model(line, quote, &demand, (uint32_t) next);
		return;
	}
}

/* What comes after the resources: the least, the unit. */
static void put_rounding(struct eqt_text *line, const struct eqt_quote *quote)
{
	const struct eqt_price *price = &quote->low;
	struct eqt_frac unit;

	if (quote->by_model || quote->by_nodes || quote->by_partition)
		return;
	if (price->minimum) {
		eqt_text_put(line, "\n  a job's least: ");
		eqt_frac_put(line, price->equivalents);
	} else if (eqt_frac_cmp(price->equivalents,
				price->by[price->dominant]) != 0 &&
		   eqt_frac_make(&unit, 1, quote->prices->round_unit) == 0) {
		eqt_text_put(line, "\n  rounded up to a multiple of ");
		eqt_frac_put(line, unit);
		eqt_text_put(line, ": ");
		eqt_frac_put(line, price->equivalents);
	}
}

char *eqt_quote_full(const struct eqt_quote *quote, char *buf, size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	if (size > 0)
		buf[0] = '\0';
	put_brief(&line, quote);
	if (quote->totals.gpus > 0)
		put_resource(&line, quote, EQT_GPUS);
	put_resource(&line, quote, EQT_CORES);
	put_resource(&line, quote, EQT_MEMORY);
	if (quote->by_model)
		put_models(&line, quote);
	put_rounding(&line, quote);
	return buf;
}
