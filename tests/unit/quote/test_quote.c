/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a submission, in the words for a user. */
#include <stdio.h>
#include <string.h>

#include "quote/price_message.h"
#include "quote/quote.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

static const struct eqt_bundle_table cedar = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
		{ "gpu:v100", 8000000, UINT64_C(48000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 2,
};

/* One model, to which GPUs without a type then belong; with a weight. */
static const struct eqt_bundle_table weighted = {
	.cores = { "cores", 1000000, 0, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:h100", 12000000, UINT64_C(288000) * EQT_MICRO,
		  12200000, NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 1,
};

struct bill_row {
	const char *name;
	const struct eqt_bundle_table *prices;
	struct eqt_job_spec spec;
	const char *brief;
};

#define MEM(amount) .mem = EQT_MEM_PER_NODE, .mem_mib = (amount)

static const struct bill_row bill_rows[] = {
	{ "memory decides", &cedar,
	  { .tasks = 2, MEM(10000), .minutes = 60, .node.count = 9 },
	  "cost 2.5 core-equivalents (memory decides), 2.5 h for "
	  "1:00:00; up to 5 without -N1; --mem=8000M: 2" },
	{ "one node, if there are more or not", &cedar,
	  { .tasks = 2, MEM(8000), .min_nodes = 1, .max_nodes = 1 },
	  "cost 2 core-equivalents (cores decide)" },
	{ "one node, since there are no more", &cedar,
	  { .tasks = 2, MEM(8000), .node.count = 1 },
	  "cost 2 core-equivalents (cores decide)" },
	{ "as many nodes as there are", &cedar,
	  { .tasks = 100, MEM(80000), .node.count = 8 },
	  "cost 100 core-equivalents (cores decide); up to 160 without "
	  "-N1" },
	{ "no dearer on more nodes", &cedar,
	  { .tasks = 4, .mem = EQT_MEM_PER_CPU, .mem_mib = 5000,
	    .node.count = 9 },
	  "cost 5 core-equivalents (memory decides); "
	  "--mem-per-cpu=4000M: 4" },
	{ "MaxMemPerCPU", &cedar,
	  { .tasks = 2, MEM(10000), .min_nodes = 1, .max_nodes = 1,
	    .limit.mem_per_cpu = 4000 },
	  "cost 3 core-equivalents (memory decides by MaxMemPerCPU); "
	  "--mem=8000M: 2" },
	{ "MaxMemPerCPU for memory of CPUs", &cedar,
	  { .tasks = 4, .mem = EQT_MEM_PER_CPU, .mem_mib = 4001,
	    .limit.mem_per_cpu = 4000 },
	  "cost 8 core-equivalents (memory decides by MaxMemPerCPU); "
	  "--mem-per-cpu=4000M: 4" },
	{ "whole nodes of two kinds", &cedar,
	  { .exclusive = true, MEM(1000), .kinds = 2, .kind = {
	    { .cpus = 32, .mem_mib = 128000, .count = 2 },
	    { .cpus = 64, .mem_mib = 128000, .count = 2 } } },
	  "cost 32 to 64 core-equivalents (the nodes decide)" },
	{ "whole nodes with GPUs and without", &cedar,
	  { .exclusive = true, MEM(1000), .minutes = 60, .kinds = 2, .kind = {
	    { .cpus = 32, .mem_mib = 128000, .count = 2 },
	    { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	      .count = 2 } } },
	  "cost 32 core-equivalents or 4 GPU-equivalents (the nodes "
	  "decide), 32 h or 4 h for 1:00:00" },
	{ "whole nodes of hyper-threads, one of each core", &cedar,
	  { .exclusive = true, .cpus_per_core = 1, MEM(1000), .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 2 } } },
	  "cost 16 core-equivalents (cores decide)" },
	{ "nodes of hyper-threads and without", &cedar,
	  { .tasks = 6, MEM(1000), .min_nodes = 1, .max_nodes = 1, .kinds = 2,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 2 }, { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 2 } } },
	  "cost 3 to 6 core-equivalents (the nodes decide)" },
	{ "more cores than a node has", &cedar,
	  { .tasks = 40, MEM(100000), .node.count = 9, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 128000, .count = 2 } } },
	  "cost 50 core-equivalents (memory decides); --mem=80000M: 40" },
	{ "more nodes than there are", &cedar,
	  { .tasks = 2, MEM(10000), .node.count = 9, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 128000, .count = 1 } } },
	  "cost 2.5 core-equivalents (memory decides); --mem=8000M: 2" },
	{ "a node that is too small", &cedar,
	  { .tasks = 1, .exclusive = true, MEM(100000), .kinds = 2, .kind = {
	    { .cpus = 4, .mem_mib = 16000, .count = 2 },
	    { .cpus = 32, .mem_mib = 128000, .count = 2 } } },
	  "cost 32 core-equivalents (cores decide)" },
	{ "GPUs of two models on two nodes", &cedar,
	  { .tasks = 17, .min_nodes = 2, .max_nodes = 2,
	    .tres_per_job = "gres:gpu:2" },
	  "cost 2.125 to 2.8333 GPU-equivalents (the model decides)" },
	{ "GPUs for each node", &cedar,
	  { .tasks = 4, .tres_per_node = "gres:gpu:p100:1", MEM(1000),
	    .node.count = UINT64_MAX },
	  "cost 1 GPU-equivalent (GPUs decide); up to 4 without -N1" },
	{ "GPUs of a job", &cedar,
	  { .tres_per_job = "gres:gpu:p100:2", MEM(50000), .node.count = 9 },
	  "cost 2 GPU-equivalents (GPUs decide); up to 3.125 without -N1" },
	{ "tasks run on nodes without a GPU of the job", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1", .tasks = 4, MEM(50000),
	    .node.count = 9 },
	  "cost 1.5625 GPU-equivalents (memory decides); up to 6.25 without "
	  "-N1; --mem=32000M: 1" },
	{ "one task with two GPUs of a job is on one node", &cedar,
	  { .tres_per_job = "gres:gpu:p100:2", .tasks = 1, MEM(50000),
	    .node.count = 9 },
	  "cost 2 GPU-equivalents (GPUs decide)" },
	{ "no more whole nodes than asked for", &cedar,
	  { .tasks = 40, .exclusive = true, .max_nodes = 1, MEM(1000),
	    .node = { .cpus = 32, .mem_mib = 128000, .gres = "",
	    .count = 2 } },
	  "cost 40 core-equivalents (cores decide)" },
	{ "whole nodes", &cedar,
	  { .tasks = 40, .exclusive = true, MEM(1000), .node = { .cpus = 32,
	    .mem_mib = 128000, .gres = "", .count = 2 } },
	  "cost 64 core-equivalents (cores decide)" },
	{ "one of a unit", &cedar, { .minutes = 60 },
	  "cost 1 core-equivalent (cores decide), 1 h for 1:00:00" },
	{ "no time limit known", &cedar, { .tasks = 3 },
	  "cost 3 core-equivalents (cores decide)" },
	{ "no time limit", &cedar, { .tasks = 3,
				     .minutes = EQT_AMOUNT_UNLIMITED },
	  "cost 3 core-equivalents (cores decide), no time limit" },
	{ "time limit of days", &cedar, { .tasks = 2, .minutes = 1563 },
	  "cost 2 core-equivalents (cores decide), 52.1 h for 1-02:03:00" },
	{ "time limit of two days to the minute", &cedar,
	  { .tasks = 2, .minutes = 2880 },
	  "cost 2 core-equivalents (cores decide), 96 h for 2-00:00:00" },
	{ "tasks of an array that together do not fit", &cedar,
	  { .tasks = MAX, .array = "0-9" },
	  "cost 18446744073709551615 core-equivalents a task (cores "
	  "decide), 10 tasks" },
	{ "time limit of the partition", &cedar, { .defaults.minutes = 30 },
	  "cost 1 core-equivalent (cores decide), 0.5 h for 0:30:00" },
	{ "array", &cedar, { .tasks = 2, MEM(10000), .minutes = 60,
			     .array = "0-9" },
	  "cost 2.5 core-equivalents (memory decides), 25 h for 10x1:00:00; "
	  "--mem=8000M: 2" },
	{ "array on several nodes, in a hundred characters", &cedar,
	  { .tasks = 2, MEM(10000), .minutes = 60, .array = "1-10",
	    .node.count = 9 },
	  "cost 2.5 core-equivalents (memory decides), 25 h for 10x1:00:00; "
	  "up to 5 without -N1; --mem=8000M: 2" },
	{ "array of one", &cedar, { .array = "7" },
	  "cost 1 core-equivalent a task (cores decide), 1 task: 1" },
	{ "array that Slurm refuses", &cedar, { .array = "x" },
	  "cost 1 core-equivalent (cores decide)" },
	{ "per CPU", &cedar, { .tasks = 2, .mem = EQT_MEM_PER_CPU,
			       .mem_mib = 5000 },
	  "cost 2.5 core-equivalents (memory decides); "
	  "--mem-per-cpu=4000M: 2" },
	{ "per CPU by default", &cedar,
	  { .tasks = 2, .defaults.mem = EQT_MEM_PER_CPU,
	    .defaults.mem_mib = 5000 },
	  "cost 2.5 core-equivalents (memory decides); "
	  "--mem-per-cpu=4000M: 2" },
	{ "per GPU", &cedar, { .tres_per_job = "gres:gpu:p100:2",
			       .mem_per_tres = "gres:gpu:40000" },
	  "cost 2.5 GPU-equivalents (memory decides); "
	  "--mem-per-gpu=32000M: 2" },
	{ "several nodes", &cedar, { .min_nodes = 2, .max_nodes = 2,
				     .tasks = 6, MEM(14001) },
	  "cost 7.0005 core-equivalents (memory decides); --mem=12000M: 6" },
	{ "all memory", &cedar, { .mem = EQT_MEM_ALL,
				  .node.mem_mib = 128000 },
	  "cost 32 core-equivalents (memory decides); --mem=4000M: 1" },
	{ "all memory of an unknown node", &cedar, { .mem = EQT_MEM_ALL },
	  "cost at least 1 core-equivalent (cores decide)" },
	{ "whole nodes", &cedar, { .exclusive = true, MEM(4000),
				   .node = { .cpus = 32, .mem_mib = 128000, .gres = "" } },
	  "cost 32 core-equivalents (cores decide)" },
	{ "--mincpus of each node, where tasks are counted", &cedar,
	  { .tasks = 8, .min_cpus = 8, .min_cpus_per_node = 4,
	    .tasks_counted = EQT_TASKS_OF_JOB, MEM(20000),
	    .node = { .cpus = 8, .mem_mib = 64000, .count = 4 } },
	  "cost 8 core-equivalents (cores decide); up to 10 without -N1" },
	{ "cores beyond the bundle", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1", .cpus_per_task = 9,
	    .min_cpus = 9, .min_cpus_per_node = 9, MEM(32000) },
	  "cost 1.5 GPU-equivalents (cores decide); --cpus-per-task=6: 1" },
	{ "CPUs per GPU beyond the bundle", &cedar,
	  { .tres_per_job = "gres:gpu:p100:2", .cpus_per_tres = "gres:gpu:9",
	    MEM(32000) },
	  "cost 3 GPU-equivalents (cores decide); --cpus-per-gpu=6: 2" },
	{ "CPUs per GPU beyond the bundle, and as many tasks as fewer bring", &cedar,
	  { .tasks = 12, .tres_per_job = "gres:gpu:p100:2",
	    .cpus_per_tres = "gres:gpu:9", MEM(32000) },
	  "cost 3 GPU-equivalents (cores decide); --cpus-per-gpu=6: 2" },
	{ "CPUs per GPU beyond the bundle, and more tasks than fewer bring", &cedar,
	  { .tasks = 13, .tres_per_job = "gres:gpu:p100:2",
	    .cpus_per_tres = "gres:gpu:9", MEM(32000) },
	  "cost 3 GPU-equivalents (cores decide)" },
	{ "no CPUs of a task are advised beside those of a GPU", &cedar,
	  { .tres_per_job = "gres:gpu:p100:2", .cpus_per_tres = "gres:gpu:3",
	    .min_cpus_per_node = 24, MEM(32000) },
	  "cost 4 GPU-equivalents (cores decide)" },
	{ "CPUs per GPU as sbatch of 24.11 says them", &cedar,
	  { .tres_per_job = "gres/gpu:p100:2", .cpus_per_tres = "gres/gpu:9",
	    .min_cpus = 18, MEM(32000) },
	  "cost 3 GPU-equivalents (cores decide); --cpus-per-gpu=6: 2" },
	{ "cores beyond the bundle as sbatch of 24.11 says them", &cedar,
	  { .tres_per_job = "gres/gpu:p100:1", .cpus_per_task = 9,
	    .min_cpus = 9, .min_cpus_per_node = 9, MEM(32000) },
	  "cost 1.5 GPU-equivalents (cores decide); --cpus-per-task=6: 1" },
	{ "GPUs decide", &cedar, { .tres_per_job = "gres:gpu:p100:2",
				   .tasks = 6, .min_cpus = 6, MEM(32000) },
	  "cost 2 GPU-equivalents (GPUs decide)" },
	{ "several models", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1,gres:gpu:v100:1",
	    .cpus_per_task = 21 },
	  "cost 3.5 GPU-equivalents (cores decide); --cpus-per-task=12: 2" },
	{ "fewer tasks", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1", .tasks = 9 },
	  "cost 1.5 GPU-equivalents (cores decide); -n6: 1" },
	{ "any model", &cedar, { .tres_per_job = "gres:gpu:1",
				 .cpus_per_task = 24, .minutes = 60 },
	  "cost 3 to 4 GPU-equivalents (the model decides), 3 to 4 h for "
	  "1:00:00" },
	{ "any model, the same price", &cedar,
	  { .tres_per_job = "gres:gpu:2", .minutes = 60 },
	  "cost 2 GPU-equivalents (GPUs decide), 2 h for 1:00:00" },
	{ "any of one model", &weighted, { .tres_per_job = "gres:gpu:1",
					   .cpus_per_task = 12 },
	  "cost 12.2 GPU-equivalents (GPUs decide)" },
	{ "range of an array", &cedar,
	  { .tres_per_job = "gres:gpu:1", .cpus_per_task = 24,
	    .array = "1-10" },
	  "cost 3 to 4 GPU-equivalents a task (the model decides), 10 "
	  "tasks: 30 to 40" },
	{ "range of nodes", &cedar, { .min_nodes = 1, .max_nodes = 4,
				      MEM(8000) },
	  "cost 2 to 8 core-equivalents (the nodes decide)" },
	{ "tasks bound the nodes", &cedar,
	  { .min_nodes = 1, .max_nodes = 4, .tasks = 2, MEM(8000) },
	  "cost 2 to 4 core-equivalents (the nodes decide)" },
	{ "range of nodes without a difference", &cedar,
	  { .min_nodes = 1, .max_nodes = 4, .tasks = 8 },
	  "cost 8 core-equivalents (cores decide)" },
	{ "range of models and nodes", &cedar,
	  { .min_nodes = 1, .max_nodes = 2, .tres_per_node = "gres:gpu:1",
	    .min_cpus = 24 },
	  "cost 3 to 4 GPU-equivalents (the model decides)" },
	{ "memory that nobody counts", &weighted, { MEM(4000) },
	  "cost 1 core-equivalent (cores decide)" },
	{ "fewer tasks of several CPUs", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1", .tasks = 9, .cpus_per_task = 2 },
	  "cost 3 GPU-equivalents (cores decide); -n3: 1" },
	{ "tasks that nodes have are no advice", &cedar,
	  { .tres_per_job = "gres:gpu:p100:1", .tasks = 9, .tasks_per_node = 9 },
	  "cost 1.5 GPU-equivalents (cores decide)" },
	{ "hours that do not fit", &cedar, { .tasks = MAX, .minutes = MAX - 1 },
	  "cost 18446744073709551615 core-equivalents (cores decide)" },
};

/* Rows without nodes are for a cluster of one node: no job spreads. */
static struct eqt_job_spec on_one_node(const struct eqt_job_spec *spec)
{
	struct eqt_job_spec one = *spec;

	if (one.node.count == 0)
		one.node.count = 1;
	return one;
}

START_TEST(brief_line_says_price_reason_total_and_how_to_pay_less)
{
	const struct bill_row *row = &bill_rows[_i];
	struct eqt_error err = { "" };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;
	struct eqt_job_spec spec = on_one_node(&row->spec);

	ck_assert_msg(eqt_quote_make(&quote, row->prices, &spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 row->brief);
	/* Ordinary numbers have few digits. */
	ck_assert_msg(strlen(text) <= 100 || strstr(text, "18446744"), "%zu: %s",
		      strlen(text), text);
}
END_TEST

START_TEST(advice_that_is_followed_gives_the_price_it_promised)
{
	const struct eqt_job_spec component[] = {
		{ .tasks = 3, MEM(50001) },
		{ .tasks = 7, .min_nodes = 3, .max_nodes = 3, MEM(50001) },
		{ .tres_per_job = "gres:gpu:v100:3", .min_nodes = 2,
		  .max_nodes = 2, MEM(99999) },
	};

	for (size_t i = 0; i < COUNT(component); i++) {
		struct eqt_job_spec followed = component[i];
		struct eqt_quote quote, cheaper;

		ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &component[i],
					       NULL), 0);
		ck_assert_int_eq(quote.advice, EQT_QUOTE_ADVICE_MEM);
		followed.mem_mib = quote.advice_amount;
		ck_assert_int_eq(eqt_quote_make(&cheaper, &cedar, &followed,
					       NULL), 0);
		ck_assert_int_eq(eqt_frac_cmp(cheaper.low.equivalents,
					      quote.advice_price), 0);
		ck_assert_int_lt(eqt_frac_cmp(cheaper.low.equivalents,
					      quote.low.equivalents), 0);
		ck_assert_int_eq(cheaper.advice, EQT_QUOTE_ADVICE_NONE);
	}
}
END_TEST

static const struct bill_row full_rows[] = {
	{ "cores and memory", &cedar, { .tasks = 2, MEM(10000) },
	  "cost 2.5 core-equivalents (memory decides); --mem=8000M: 2\n"
	  "  cores   2 at 1 an equivalent: 2\n"
	  "  memory  10000M at 4000M an equivalent: 2.5, which decides\n"
	  "  --mem=8000M would make it 2" },
	{ "models and weights", &weighted,
	  { .tres_per_job = "gres:gpu:h100:2", .cpus_per_task = 36,
	    MEM(288000) },
	  "cost 36.6 GPU-equivalents (cores decide); --cpus-per-task=24: "
	  "24.4\n"
	  "  GPUs    2 gpu:h100 of weight 12.2: 24.4\n"
	  "  cores   36 at 0.9836 an equivalent: 36.6, which decides\n"
	  "  memory  288000M at 23606.5574M an equivalent: 12.2\n"
	  "  --cpus-per-task=24 would make it 24.4" },
	{ "any model", &cedar, { .tres_per_job = "gres:gpu:1",
				 .cpus_per_task = 24, MEM(32000) },
	  "cost 3 to 4 GPU-equivalents (the model decides)\n"
	  "  GPUs    1 of any model\n"
	  "  cores   24\n"
	  "  memory  32000M\n"
	  "  as gpu:p100: 4, decided by cores\n"
	  "  as gpu:v100: 3, decided by cores" },
	{ "memory that nobody counts", &weighted, { MEM(4000) },
	  "cost 1 core-equivalent (cores decide)\n"
	  "  cores   1 at 1 an equivalent: 1, which decides\n"
	  "  memory  4000M: 0" },
};

START_TEST(full_text_derives_each_resource)
{
	const struct bill_row *row = &full_rows[_i];
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_job_spec spec = on_one_node(&row->spec);
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, row->prices, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)),
			 row->brief);
}
END_TEST

static void check_price_alone(const struct bill_row *row)
{
	struct eqt_job_spec spec = on_one_node(&row->spec);
	struct eqt_quote quote, price;
	struct eqt_parsed_spec parsed;

	ck_assert_int_eq(eqt_parsed_spec_make(&parsed, row->prices, &spec, NULL),
			 0);
	ck_assert_int_eq(eqt_quote_make(&quote, row->prices, &spec, NULL), 0);
	ck_assert_int_eq(eqt_quote_price(&price, row->prices, &spec, &parsed,
					NULL), 0);
	ck_assert_mem_eq(&price.low, &quote.low, sizeof(quote.low));
	ck_assert_mem_eq(&price.high, &quote.high, sizeof(quote.high));
	ck_assert_int_eq(price.by_model, quote.by_model);
	ck_assert_int_eq(price.by_nodes, quote.by_nodes);
	ck_assert_int_eq(price.least, quote.least);
	ck_assert_int_eq(price.advice, EQT_QUOTE_ADVICE_NONE);
}

START_TEST(the_price_alone_is_that_of_the_bill)
{
	for (size_t i = 0; i < COUNT(bill_rows); i++)
		check_price_alone(&bill_rows[i]);
	for (size_t i = 0; i < COUNT(full_rows); i++)
		check_price_alone(&full_rows[i]);
}
END_TEST

/* Four nodes have memory for 10 equivalents. Three nodes are a big job at half the charge,
 * but the job need not get that many. */
START_TEST(a_price_on_more_nodes_is_that_without_the_discount_of_big_jobs)
{
	struct eqt_bundle_table prices = cedar;
	const struct eqt_job_spec spec = { .tasks = 4, MEM(10000),
					   .node.count = 4 };
	struct eqt_quote quote;

	prices.queue[EQT_CHARGE_FACTOR_PARTITION] = (struct eqt_charge_factor){
		.name = "p", .factor_u = EQT_MICRO, .big_nodes = 3,
		.big_u = EQT_MICRO / 2
	};
	ck_assert_int_eq(eqt_quote_make(&quote, &prices, &spec, NULL), 0);
	ck_assert_uint_eq(quote.spread_nodes, 4);
	ck_assert_int_eq(eqt_frac_cmp(quote.spread.equivalents,
				      (struct eqt_frac){ 10, 1 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(quote.spread.charge,
				      (struct eqt_frac){ 10, 1 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(quote.low.charge,
				      (struct eqt_frac){ 2, 1 }), 0);
	ck_assert_int_eq(eqt_frac_cmp(quote.high.charge,
				      (struct eqt_frac){ 4, 1 }), 0);
	ck_assert(quote.by_nodes && quote.by_factor);
}
END_TEST

START_TEST(a_gpu_without_a_model_is_one_of_those_that_the_nodes_have)
{
	static const struct {
		const char *gres;
		uint64_t low, high;
	} rows[] = { { "gpu:p100:4", 4, 4 },
		     { "gpu:v100:4", 3, 3 },
		     { "gpu:other:4", 3, 4 },
		     { NULL, 3, 4 } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct eqt_job_spec spec = {
			.tres_per_job = "gres:gpu:1", .cpus_per_task = 24,
			.node = { .gres = rows[i].gres }
		};
		struct eqt_quote quote;

		ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL),
				 0);
		ck_assert_uint_eq(quote.low.equivalents.num, rows[i].low);
		ck_assert_uint_eq(quote.high.equivalents.num, rows[i].high);
		ck_assert(quote.by_model == (rows[i].low < rows[i].high));
	}
}
END_TEST

START_TEST(text_is_cut_to_the_buffer)
{
	const struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:1",
				     .cpus_per_task = 24 };
	char whole[EQT_PRICE_MESSAGE_SIZE], text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;
	size_t length;

	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	length = strlen(eqt_price_message_full(&quote, whole, sizeof(whole)));
	for (size_t size = 1; size <= length; size++) {
		char *cut = malloc(size);

		ck_assert_ptr_nonnull(cut);
		ck_assert_ptr_eq(eqt_price_message_full(&quote, cut, size), cut);
		ck_assert_uint_eq(strlen(cut), size - 1);
		ck_assert_int_eq(strncmp(cut, whole, size - 1), 0);
		free(cut);
	}
	ck_assert_ptr_eq(eqt_price_message_brief(&quote, text, 0), text);
}
END_TEST

/* Everything that makes a text long, together. */
START_TEST(longest_text_fits)
{
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	struct eqt_bundle_table all = { .gpu = gpu,
					.gpu_count = EQT_MODELS_MAX };
	struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:999999999999",
			       .cpus_per_task = MAX / 4, .minutes = MAX / 4,
			       .array = "0-4000000", .exclusive = true };
	char text[2 * EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	all.cores = cedar.cores;
	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++) {
		gpu[i] = (struct eqt_bundle) { .cores_u = i + 1,
						   .weight_u = 999999 };
		memset(gpu[i].name, 'x', EQT_NAME_SIZE - 1);
		memcpy(gpu[i].name, "gpu:", 4);
	}
	ck_assert_int_eq(eqt_quote_make(&quote, &all, &spec, NULL), -1);
	spec.cpus_per_task = 9999999;
	ck_assert_int_eq(eqt_quote_make(&quote, &all, &spec, NULL), 0);
	eqt_price_message_full(&quote, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), EQT_PRICE_MESSAGE_SIZE);
}
END_TEST

/* Types without a bundle count as one type for the price; here are more of them
 * than a request can count separately. */
START_TEST(many_types_cost_what_one_of_them_does)
{
	const struct eqt_bundle_table any = {
		.cores = { "cores", EQT_MICRO, 0, EQT_MICRO, NULL, NULL, NULL, 0, 0, NULL },
		.gpu = (const struct eqt_bundle[]){ { "gpu", 2 * EQT_MICRO, 1000 * EQT_MICRO, EQT_MICRO,
			   NULL, NULL, NULL, 0, 0, NULL } },
		.gpu_count = 1,
	};
	struct eqt_job_spec spec = { .tasks = 3, MEM(20000), .minutes = 60,
			       .tres_per_node = "gpu:a:6" };
	char one[EQT_PRICE_MESSAGE_SIZE], many[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &any, &spec, NULL), 0);
	eqt_price_message_full(&quote, one, sizeof(one));
	ck_assert_ptr_nonnull(strstr(one, "20 GPU-equivalents (memory "
					  "decides)"));
	ck_assert_ptr_nonnull(strstr(one, "; up to 60 without -N1"));
	ck_assert_ptr_nonnull(strstr(one, "; --mem=6000M: 6"));
	spec.tres_per_node = "gpu:a:1,gpu:b:1,gpu:c:1,gpu:d:1,gpu:e:1,gpu:f:1";
	ck_assert_int_eq(eqt_quote_make(&quote, &any, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, many, sizeof(many)), one);
	check_price_alone(&(struct bill_row){ .prices = &any, .spec = spec });
}
END_TEST

START_TEST(failed_bill_changes_nothing)
{
	const struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:t4:1" };
	struct eqt_quote quote = { .minutes = 4711 };
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, &err), -1);
	ck_assert_str_eq(err.text, "gpu:t4 has no price");
	ck_assert_uint_eq(quote.minutes, 4711);
}
END_TEST

START_TEST(an_array_that_takes_long_to_count_has_at_most_so_many_tasks)
{
	struct eqt_job_spec spec = { .tasks = 1,
				     .array = "0-4000000:2,0-4000000:3" };
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	ck_assert_uint_eq(quote.array_tasks, 2000001 + 1333334);
	ck_assert(quote.array_at_most);
	spec.array = "0-9:3";
	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	ck_assert_uint_eq(quote.array_tasks, 4);
	ck_assert(!quote.array_at_most);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_job_spec spec;
} large_rows[] = {
	{ "whole nodes whose CPUs are beyond 64 bits",
	  { .tasks = 2, MEM(1000), .min_nodes = 2, .max_nodes = 2,
	    .exclusive = true, .kinds = 1, .kind = { {
	    .cpus = UINT64_MAX, .mem_mib = 64000, .count = 2 } } } },
	{ "cores that half used ones take beyond 64 bits",
	  { .tasks = UINT64_MAX - 1, .min_nodes = 2, .max_nodes = 2,
	    .cpus_per_core = 2 } },
	{ "cores beyond 64 bits on more nodes",
	  { .tasks = UINT64_MAX - 1, .min_nodes = 1, .max_nodes = 2,
	    .cpus_per_core = 2 } },
};

START_TEST(a_price_beyond_64_bits_is_refused)
{
	struct eqt_error err = { "" };
	struct eqt_quote quote;

	ck_assert_msg(eqt_quote_make(&quote, &cedar, &large_rows[_i].spec,
				     &err) == -1,
		      "%s", large_rows[_i].name);
	ck_assert_str_eq(err.text, "the request is too large to price");
}
END_TEST

/* The least that the rows above are more than. */
START_TEST(the_largest_price_of_one_node_is_told)
{
	struct eqt_job_spec spec = { .tasks = UINT64_MAX - 1,
				     .min_nodes = 1,
				     .max_nodes = 1,
				     .cpus_per_core = 2 };
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	ck_assert_uint_eq(quote.high.equivalents.num, UINT64_MAX / 2);
	ck_assert_uint_eq(quote.high.equivalents.den, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bill");
	TCase *tcase = tcase_create("bill");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(brief_line_says_price_reason_total_and_how_to_pay_less, bill_rows);
	tcase_add_test(tcase,
		       advice_that_is_followed_gives_the_price_it_promised);
	ADD(full_text_derives_each_resource, full_rows);
	tcase_add_test(tcase, the_price_alone_is_that_of_the_bill);
	tcase_add_test(tcase,
		       an_array_that_takes_long_to_count_has_at_most_so_many_tasks);
	tcase_add_test(
		tcase,
		a_price_on_more_nodes_is_that_without_the_discount_of_big_jobs);
	tcase_add_test(
		tcase,
		a_gpu_without_a_model_is_one_of_those_that_the_nodes_have);
	tcase_add_test(tcase, text_is_cut_to_the_buffer);
	tcase_add_test(tcase, longest_text_fits);
	tcase_add_test(tcase, many_types_cost_what_one_of_them_does);
	tcase_add_test(tcase, failed_bill_changes_nothing);
	ADD(a_price_beyond_64_bits_is_refused, large_rows);
	tcase_add_test(tcase, the_largest_price_of_one_node_is_told);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
