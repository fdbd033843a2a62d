/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "eqt_bill.h"

/* A text that grows in the caller's buffer and is cut at its end. */
struct text {
	char *at;
	size_t space;
};

static void put(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->at, text->space, format, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t) length >= text->space)
		length = text->space > 0 ? (int) (text->space - 1) : 0;
	text->at += length;
	text->space -= (size_t) length;
}

static void put_frac(struct text *text, struct eqt_frac value)
{
	char number[EQT_FRAC_TEXT];

	put(text, "%s", eqt_frac_text(value, number, sizeof(number)));
}

/* "2.5", or "1 to 2" */
static void put_range(struct text *text, struct eqt_frac low,
		      struct eqt_frac high)
{
	put_frac(text, low);
	if (eqt_frac_cmp(low, high) != 0) {
		put(text, " to ");
		put_frac(text, high);
	}
}

static const char *plural(const struct eqt_bill *bill, struct eqt_frac value)
{
	bool range = bill->by_model || bill->by_nodes || bill->by_partition;

	return !range && eqt_frac_cmp(value, EQT_FRAC_ONE) == 0 ? "" : "s";
}

/* "core-equivalent", as eqt_price_unit() without its s */
static const char *unit_name(const struct eqt_bill *bill)
{
	return bill->low.gpu_pool ? "GPU-equivalent" : "core-equivalent";
}

/* What decides, or what does not do so before the job runs. */
static void put_reason(struct text *text, const struct eqt_bill *bill)
{
	if (bill->by_partition)
		put(text, ", by the partition that takes the job");
	else if (bill->by_model && bill->asked.request.gpus_untyped == 0)
		put(text, ", by the nodes that are allocated");
	else if (bill->by_model && bill->by_nodes)
		put(text, ", by the models and nodes that are allocated");
	else if (bill->by_model)
		put(text, ", by the model that is allocated");
	else if (bill->by_nodes)
		put(text, ", by the nodes that are allocated");
	else if (bill->low.minimum)
		put(text, ", the least for a job");
	else
		put(text, ", decided by %s",
		    eqt_resource_name(bill->low.dominant));
}

/* " ×3 in partition express", for each queue that has a factor */
static void put_factors(struct text *text, const struct eqt_bill *bill)
{
	static const char *const kinds[EQT_QUEUES] = {
		[EQT_PARTITION] = "in partition",
		[EQT_QOS] = "in QOS",
		[EQT_USAGE] = "by UsageFactor of QOS",
	};
	int i;

	for (i = bill->by_partition ? EQT_QOS : 0; i < EQT_QUEUES; i++) {
		const struct eqt_queue *queue = &bill->prices->queue[i];
		struct eqt_frac factor;

		if (!queue->name || queue->factor_u == EQT_MICRO ||
		    eqt_frac_make(&factor, queue->factor_u, EQT_MICRO) < 0)
			continue;
		put(text, ", ×");
		put_frac(text, factor);
		put(text, " %s %s", kinds[i], queue->name);
	}
}

/* Slurm's way to write minutes: 1-02:00:00 */
static void put_minutes(struct text *text, uint64_t minutes)
{
	if (minutes >= 1440)
		put(text, "%" PRIu64 "-%02u:%02u:00", minutes / 1440,
		    (unsigned int) (minutes / 60 % 24),
		    (unsigned int) (minutes % 60));
	else
		put(text, "%u:%02u:00", (unsigned int) (minutes / 60),
		    (unsigned int) (minutes % 60));
}

/* What all tasks of an array cost; 0, or -1 when that does not fit. */
static int all_tasks(struct eqt_frac *low, struct eqt_frac *high,
		     const struct eqt_bill *bill)
{
	struct eqt_frac tasks = { bill->array_tasks, 1 };

	if (bill->array_tasks == 0)
		tasks.num = 1;
	if (eqt_frac_mul(low, *low, tasks) < 0 ||
	    eqt_frac_mul(high, *high, tasks) < 0)
		return -1;
	return 0;
}

static void put_array(struct text *text, const struct eqt_bill *bill)
{
	struct eqt_frac low = bill->low.equivalents;
	struct eqt_frac high = bill->high.equivalents;

	if (bill->array_tasks == 0)
		return;
	put(text, "; %" PRIu64 " task%s", bill->array_tasks,
	    bill->array_tasks == 1 ? "" : "s");
	if (all_tasks(&low, &high, bill) < 0)
		return;
	put(text, ": ");
	put_range(text, low, high);
}

static bool has_factor(const struct eqt_bill *bill)
{
	return eqt_frac_cmp(bill->low.equivalents, bill->low.usage) != 0 ||
	       eqt_frac_cmp(bill->high.equivalents, bill->high.usage) != 0;
}

/* What is charged for the time limit, for all tasks together. */
static void put_hours(struct text *text, const struct eqt_bill *bill)
{
	struct eqt_frac low, high;

	if (bill->minutes == EQT_MINUTES_UNLIMITED)
		put(text, "; no time limit");
	if (eqt_bill_hours(&low, bill, &bill->low) < 0 ||
	    eqt_bill_hours(&high, bill, &bill->high) < 0 ||
	    all_tasks(&low, &high, bill) < 0)
		return;
	put(text, "; ");
	put_range(text, low, high);
	put(text, " %s-hour%s%s for the time limit of ", unit_name(bill),
	    plural(bill, low), has_factor(bill) ? " charged" : "");
	put_minutes(text, bill->minutes);
}

/* A job on more nodes than it needs: what that costs, and how to prevent it. */
static void put_spread(struct text *text, const struct eqt_bill *bill)
{
	if (bill->spread_nodes == 0)
		return;
	put(text, "; ");
	put_frac(text, bill->spread);
	put(text, " if it gets %" PRIu64 " nodes, which -N%" PRIu64 " prevents",
	    bill->spread_nodes, bill->asked.nodes);
}

static void put_advice(struct text *text, const struct eqt_bill *bill)
{
	static const char *const options[] = {
		[EQT_ADVICE_MEM] = "mem",
		[EQT_ADVICE_MEM_PER_CPU] = "mem-per-cpu",
		[EQT_ADVICE_MEM_PER_GPU] = "mem-per-gpu",
		[EQT_ADVICE_CPUS_PER_TASK] = "cpus-per-task",
		[EQT_ADVICE_CPUS_PER_GPU] = "cpus-per-gpu",
	};
	bool mem = bill->advice < EQT_ADVICE_CPUS_PER_TASK;

	if (bill->advice == EQT_ADVICE_NONE)
		return;
	put(text, "; --%s=%" PRIu64 "%s would make it ", options[bill->advice],
	    bill->advice_amount, mem ? "M" : "");
	put_frac(text, bill->advice_price);
}

static void put_brief(struct text *text, const struct eqt_bill *bill)
{
	if (bill->least)
		put(text, "at least ");
	put_range(text, bill->low.equivalents, bill->high.equivalents);
	put(text, " %s%s%s", unit_name(bill),
	    plural(bill, bill->low.equivalents),
	    bill->array_tasks ? " a task" : "");
	put_reason(text, bill);
	put_factors(text, bill);
	put_array(text, bill);
	put_hours(text, bill);
	put_spread(text, bill);
	put_advice(text, bill);
}

char *eqt_bill_brief(const struct eqt_bill *bill, char *buf, size_t size)
{
	struct text text = { buf, size };

	if (size > 0)
		buf[0] = '\0';
	put_brief(&text, bill);
	return buf;
}

/* The bundles that a request takes, in the order of the price table. */
static void put_gpus(struct text *text, const struct eqt_bill *bill)
{
	const struct eqt_request *request = &bill->asked.request;
	const char *comma = "";
	uint32_t i;

	for (i = 0; i < bill->prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &bill->prices->gpu[i];
		struct eqt_frac weight = EQT_FRAC_ONE;

		if (request->gpus[i] == 0)
			continue;
		put(text, "%s%" PRIu64 " %s", comma, request->gpus[i],
		    bundle->name);
		comma = ", ";
		(void) eqt_frac_make(&weight, bundle->weight_u, EQT_MICRO);
		if (eqt_frac_cmp(weight, EQT_FRAC_ONE) == 0)
			continue;
		put(text, " of weight ");
		put_frac(text, weight);
	}
	if (request->gpus_untyped > 0)
		put(text, "%s%" PRIu64 " of any model", comma,
		    request->gpus_untyped);
}

/* How much of a resource one equivalent of this price stands for. */
static void put_rate(struct text *text, const struct eqt_price *price,
		     enum eqt_resource resource, uint64_t amount)
{
	struct eqt_frac inverse = { price->by[resource].den,
				    price->by[resource].num };
	struct eqt_frac each;

	if (price->by[resource].num == 0 ||
	    eqt_frac_mul(&each, inverse, (struct eqt_frac){ amount, 1 }) < 0)
		return;
	put(text, " at ");
	put_frac(text, each);
	put(text, "%s an equivalent", resource == EQT_MEMORY ? "M" : "");
}

static void put_resource(struct text *text, const struct eqt_bill *bill,
			 enum eqt_resource resource)
{
	const struct eqt_request *request = &bill->asked.request;
	uint64_t amount = resource == EQT_CORES ? request->cores
						: request->mem_mib;

	put(text, "\n  %-7s ", eqt_resource_name(resource));
	if (resource == EQT_GPUS) {
		put_gpus(text, bill);
	} else {
		put(text, "%" PRIu64 "%s", amount,
		    resource == EQT_MEMORY ? "M" : "");
		if (!bill->by_model)
			put_rate(text, &bill->low, resource, amount);
	}
	if (bill->by_model || bill->by_nodes || bill->by_partition)
		return;
	put(text, ": ");
	put_frac(text, bill->low.by[resource]);
	if (resource == bill->low.dominant && !bill->low.minimum)
		put(text, ", which decides");
}

/* Where a bundle is the model's. */
static void put_place(struct text *text, const struct eqt_bundle *bundle)
{
	if (bundle->nodes)
		put(text, " on %s", bundle->nodes);
	if (bundle->features)
		put(text, " with feature %s", bundle->features);
}

static void put_model(struct text *text, const struct eqt_bill *bill,
		      const struct eqt_request *request, uint32_t model)
{
	const struct eqt_bundle *bundle = &bill->prices->gpu[model];
	struct eqt_price price;

	if (!eqt_prices_near(bill->prices, model) ||
	    eqt_price_as(&price, bill->prices, request, model, NULL) < 0)
		return;
	put(text, "\n  as %s", bundle->name);
	put_place(text, bundle);
	put(text, ": ");
	put_frac(text, price.equivalents);
	if (!price.minimum)
		put(text, ", decided by %s", eqt_resource_name(price.dominant));
}

/* One line a model, or a bundle of the model, that decides the price. */
static void put_models(struct text *text, const struct eqt_bill *bill)
{
	struct eqt_request request = bill->asked.request;
	uint32_t i;
	int next;

	for (i = 0; i < bill->prices->gpu_count; i++) {
		if (request.gpus_untyped > 0) {
			put_model(text, bill, &request, i);
			continue;
		}
		/* Of several models each has its own: too much to tell. */
		if (request.gpus[i] != bill->asked.gpus)
			continue;
		request.gpus_untyped = request.gpus[i];
		request.gpus[i] = 0;
		for (next = (int) i; next >= 0;
		     next = eqt_prices_next(bill->prices, (uint32_t) next))
			put_model(text, bill, &request, (uint32_t) next);
		return;
	}
}

/* What comes after the resources: the least, the unit. */
static void put_rounding(struct text *text, const struct eqt_bill *bill)
{
	const struct eqt_price *price = &bill->low;
	struct eqt_frac unit;

	if (bill->by_model || bill->by_nodes || bill->by_partition)
		return;
	if (price->minimum) {
		put(text, "\n  a job's least: ");
		put_frac(text, price->equivalents);
	} else if (eqt_frac_cmp(price->equivalents,
				price->by[price->dominant]) != 0 &&
		   eqt_frac_make(&unit, 1, bill->prices->round_unit) == 0) {
		put(text, "\n  rounded up to a multiple of ");
		put_frac(text, unit);
		put(text, ": ");
		put_frac(text, price->equivalents);
	}
}

char *eqt_bill_full(const struct eqt_bill *bill, char *buf, size_t size)
{
	struct text text = { buf, size };

	if (size > 0)
		buf[0] = '\0';
	put_brief(&text, bill);
	if (bill->asked.gpus > 0)
		put_resource(&text, bill, EQT_GPUS);
	put_resource(&text, bill, EQT_CORES);
	put_resource(&text, bill, EQT_MEMORY);
	if (bill->by_model)
		put_models(&text, bill);
	put_rounding(&text, bill);
	return buf;
}
