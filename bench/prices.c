/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prices: what the core takes for one request. A line each: what, and the median
 * of nanoseconds on a processor: the price alone, and the whole bill with the
 * line that a user reads.
 */
#include <stdio.h>
#include <stdlib.h>

#include "quote/price_message.h"
#include "quote/quote.h"
#include "median.h"
#include "../tests/unit/job/demand.h"

#define TURNS 9
#define CALLS 100000

static const struct eqt_bundle_table prices = {
	.cores = { .name = "cores",
		   .cores_u = EQT_MICRO,
		   .mem_mib_u = 4000 * EQT_MICRO,
		   .weight_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){ { .name = "gpu:p100",
					      .cores_u = 6 * EQT_MICRO,
					      .mem_mib_u = 32000 * EQT_MICRO,
					      .weight_u = EQT_MICRO },
					    { .name = "gpu:v100",
					      .cores_u = 3500000,
					      .mem_mib_u = 22500 * EQT_MICRO,
					      .weight_u = 4 * EQT_MICRO } },
	.gpu_count = 2,
};

static const struct {
	const char *name;
	struct eqt_job_spec spec;
} rows[] = {
	{ "cores",
	  { .tasks = 2,
	    .min_cpus = 2,
	    .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 10000,
	    .minutes = 60 } },
	{ "GPUs of one model",
	  { .tasks = 2,
	    .cpus_per_task = 9,
	    .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 48000,
	    .tres_per_node = "gres:gpu:p100:2",
	    .minutes = 60 } },
	{ "GPUs of two models",
	  { .tasks = 2,
	    .cpus_per_task = 4,
	    .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 150000,
	    .tres_per_task = "gres:gpu:p100:1,gres:gpu:v100:1",
	    .minutes = 60 } },
};

static void fail(const char *name, const struct eqt_error *err)
{
	fprintf(stderr, "prices: %s: %s\n", name, err->text);
	exit(2);
}

static void price(const struct eqt_job_spec *spec, const char *name)
{
	struct eqt_demand demand;
	struct eqt_price low, high;
	struct eqt_error err;

	if (job_demand(&demand, &prices, spec, &err) < 0 ||
	    eqt_price_range(&low, &high, &prices, &demand, &err) < 0)
		fail(name, &err);
}

static void tell(const struct eqt_job_spec *spec, const char *name)
{
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;
	struct eqt_error err;

	if (eqt_quote_make(&quote, &prices, spec, &err) < 0)
		fail(name, &err);
	(void) eqt_price_message_brief(&quote, text, sizeof(text));
}

static double time_of(void (*what)(const struct eqt_job_spec *, const char *),
		      size_t row)
{
	double took[TURNS];

	for (int turn = 0; turn < TURNS; turn++) {
		const double start = median_clock();

		for (int i = 0; i < CALLS; i++)
			what(&rows[row].spec, rows[row].name);
		took[turn] = (median_clock() - start) / CALLS;
	}
	return median_of(took, TURNS);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		printf("%s\t%.0f\t%.0f\n", rows[i].name, time_of(price, i),
		       time_of(tell, i));
	return 0;
}
