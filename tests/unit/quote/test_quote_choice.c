/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The upper end of a price where Slurm has a choice, and prices without one. */
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MEM(amount) .mem = EQT_MEM_PER_NODE, .mem_mib = (amount)

static const struct eqt_bundle_table cedar = {
	.cores = { .name = "cores",
		   .cores_u = EQT_MICRO,
		   .mem_mib_u = UINT64_C(4000) * EQT_MICRO,
		   .weight_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){
		{ .name = "gpu:p100",
		  .cores_u = 6 * EQT_MICRO,
		  .mem_mib_u = UINT64_C(32000) * EQT_MICRO,
		  .weight_u = EQT_MICRO },
	},
	.gpu_count = 1,
};

static const struct choice_row {
	const char *name;
	struct eqt_job_spec spec;
	const char *brief;
} choice_rows[] = {
	{ "memory of GPUs, for which MaxMemPerNode is compared with all memory",
	  { .tasks = 1, .mem = EQT_MEM_PER_GPU, .mem_per_tres = "gres:gpu:4000",
	    .tres_per_node = "gres:gpu:1", .defaults.mem = EQT_MEM_ALL,
	    .limit.mem_per_node = 20000, .limit.node_mem_mib = 64000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .gres = "gpu:p100:2",
	    .count = 2 } } },
	  "the partition gives a job less memory of a node than the request wants (MaxMemPerNode)" },
	{ "memory for each CPU of one node that MaxMemPerNode allows",
	  { .tasks = 10, .mem = EQT_MEM_PER_CPU, .mem_mib = 2000, .max_nodes = 1,
	    .limit.mem_per_node = 20000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 10 core-equivalents (cores decide)" },
	{ "memory for each CPU of one node that MaxMemPerNode does not allow",
	  { .tasks = 11, .mem = EQT_MEM_PER_CPU, .mem_mib = 2000, .max_nodes = 1,
	    .limit.mem_per_node = 20000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "the partition gives a job less memory of a node than the request wants (MaxMemPerNode)" },
	{ "one task on two nodes with the CPUs of MaxMemPerCPU",
	  { .tasks = 1, .mem = EQT_MEM_PER_CPU, .mem_mib = 4000, .min_nodes = 2,
	    .counted_nodes = 2, .limit.mem_per_cpu = 2000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 1 to 4 core-equivalents (the nodes decide); --mem-per-cpu=2000M: 2" },
	{ "--ntasks-per-gpu: a node may give CPUs for all tasks, of two CPUs each",
	  { .tasks_per_gpu = 4, .cpus_per_task = 2,
	    .tres_per_node = "gres:gpu:p100:4" },
	  "cost 4 to 5.3333 GPU-equivalents (the nodes decide)" },
	{ "--ntasks-per-gpu=1: a node may give CPUs for all tasks",
	  { .tasks_per_gpu = 1, .cpus_per_task = 7,
	    .tres_per_node = "gres:gpu:p100:4" },
	  "cost 4 to 4.6667 GPU-equivalents (the nodes decide)" },
	{ "--ntasks-per-gpu: tasks of one CPU each leave no choice",
	  { .tasks_per_gpu = 4, .tres_per_node = "gres:gpu:p100:1",
	    .exclusive = true, .node = { .cpus = 4, .mem_mib = 16000,
	    .gres = "gpu:p100:2" } },
	  "cost 4 GPU-equivalents (GPUs decide)" },
	{ "tasks of several CPUs without --ntasks-per-gpu leave no choice",
	  { .tasks = 8, .cpus_per_task = 5, .tasks_per_node = 3,
	    .exclusive = true, .node = { .cpus = 12, .mem_mib = 16000 } },
	  "cost 60 core-equivalents (cores decide)" },
	{ "CPUs beyond the tasks: on each of three nodes threads of a core may be left",
	  { .tasks = 1, .min_cpus = 10, .tasks_per_node = 3, .kinds = 1, .kind = { {
	    .cpus = 4, .mem_mib = 48000, .threads = 2, .count = 4 } } },
	  "cost 5 to 6 core-equivalents (the nodes decide)" },
	{ "MaxMemPerCPU: two nodes may give its CPUs for all their tasks",
	  { .tasks_per_node = 3, .min_nodes = 2, .max_nodes = 2, MEM(13000),
	    .limit.mem_per_cpu = 4000 },
	  "cost 8 to 12 core-equivalents (the nodes decide)" },
	{ "MaxMemPerCPU: one node gives its CPUs, whatever its tasks could have",
	  { .tasks_per_node = 3, .tasks_per_socket = 3, .min_nodes = 1,
	    .max_nodes = 1, MEM(13000), .limit.mem_per_cpu = 4000 },
	  "cost 4 core-equivalents (memory decides by MaxMemPerCPU); "
	  "--mem=12000M: 3" },
	{ "--ntasks-per-gpu: no hint to CPUs of more tasks than the GPUs of one node have",
	  { .tasks = 4, .cpus_per_task = 7, .min_cpus = 35,
	    .min_cpus_per_node = 7, .tasks_per_gpu = 2, .max_nodes = 1,
	    .tres_per_job = "gres:gpu:p100:2", MEM(64000), .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .gres = "gpu:p100:8",
			.count = 1 } } },
	  "cost 4.6667 to 5.8333 GPU-equivalents (the nodes decide)" },
	{ "a task with too many CPUs, which sbatch wants of the node as well",
	  { .tres_per_job = "gres:gpu:p100:1", .cpus_per_task = 12,
	    .min_cpus_per_node = 12 },
	  "cost 2 GPU-equivalents (cores decide); --cpus-per-task=6: 1" },
	{ "tasks that lose CPUs on no more nodes than -N allows",
	  { .tasks = 10, .cpus_per_task = 3, .max_nodes = 2,
	    .node.count = 6 },
	  "cost 28 to 30 core-equivalents (the nodes decide)" },
	{ "where one node of a kind is enough, a kind that is too few takes no part",
	  { .tasks = 4, .cpus_per_task = 5, .kinds = 2, .kind = { {
	    .cpus = 20, .mem_mib = 48000, .threads = 1, .count = 4 }, {
	    .cpus = 8, .mem_mib = 48000, .threads = 2, .count = 2 } } },
	  "cost 8 to 20 core-equivalents (the nodes decide)" },
	{ "tasks may be split among fewer nodes, each of which has its own memory",
	  { .tasks = 5, .cpus_per_task = 4, MEM(40000), .kinds = 1, .kind = { {
	    .cpus = 10, .mem_mib = 64000, .threads = 1, .count = 3 } } },
	  "cost 20 to 30 core-equivalents (the nodes decide)" },
	{ "whole nodes with the CPUs of all tasks, though not of whole tasks",
	  { .tasks = 5, .cpus_per_task = 4, MEM(1000), .exclusive = true,
	    .kinds = 1, .kind = { {
	    .cpus = 10, .mem_mib = 40000, .threads = 1, .count = 3 } } },
	  "cost 20 to 30 core-equivalents (the nodes decide)" },
	{ "whole nodes of a release that counts whole tasks",
	  { .tasks = 5, .cpus_per_task = 4, MEM(1000), .exclusive = true,
	    .tasks_counted = EQT_TASKS_OF_JOB, .kinds = 1, .kind = { {
	    .cpus = 10, .mem_mib = 40000, .threads = 1, .count = 3 } } },
	  "cost 30 core-equivalents (cores decide)" },
	{ "a job whose tasks may lose all of their CPUs has one",
	  { .tasks_per_node = 3, MEM(32000), .no_memory = true,
	    .limit.mem_per_cpu = 3000, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 32000, .count = 3 } } },
	  "cost 1 to 11 core-equivalents (the nodes decide); --mem=9000M: 3" },
	{ "default memory above MaxMemPerCPU: --mem would cost less",
	  { .tasks = 1, .defaults = { .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 10000 }, .limit.mem_per_cpu = 4000 },
	  "cost 3 core-equivalents (memory decides by MaxMemPerCPU); "
	  "--mem=4000M: 1" },
};

START_TEST(price_is_a_range_where_slurm_has_a_choice)
{
	const struct choice_row *row = &choice_rows[_i];
	struct eqt_error err = { "" };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_msg(eqt_quote_make(&quote, &cedar, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	eqt_price_message_brief(&quote, text, sizeof(text));
	ck_assert_msg(strcmp(text, row->brief) == 0, "%s: \"%s\"", row->name,
		      text);
}
END_TEST

/* A price of the least and one of the most: both must fit. */
START_TEST(a_request_whose_dearest_form_is_too_large_is_refused)
{
	static const struct eqt_job_spec specs[] = {
		/* Memory of so many nodes; CPUs of begun cores on two nodes. */
		{ .max_nodes = UINT64_C(1) << 40, MEM(UINT64_C(1) << 40) },
		{ .tasks = UINT64_MAX, .min_nodes = 2, .max_nodes = 2,
		  .cpus_per_core = 2 },
		/* No kind holds it; nor do whole nodes of two kinds. */
		{ .max_nodes = 64, MEM(UINT64_C(1) << 60), .kinds = 1,
		  .kind = { { .cpus = 4, .mem_mib = 16000, .count = 99 } } },
		{ .max_nodes = 64, MEM(UINT64_C(1) << 60), .exclusive = true,
		  .kinds = 2,
		  .kind = { { .cpus = 4, .mem_mib = 16000, .count = 99 },
			    { .cpus = 8, .mem_mib = 16000, .count = 99 } } },
		/* All memory of two nodes beside others. */
		{ .tasks = 8, .mem = EQT_MEM_ALL, .kinds = 2,
		  .kind = { { .cpus = 4, .mem_mib = 16000, .count = 9 },
			    { .cpus = 2, .mem_mib = UINT64_C(1) << 63,
			      .count = 3 } } },
	};

	for (size_t i = 0; i < COUNT(specs); i++) {
		struct eqt_error err = { "" };
		struct eqt_quote quote;

		ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &specs[i],
						&err),
				 -1);
		ck_assert_str_eq(err.text,
				 "the request is too large to price");
	}
}
END_TEST

/* Six types are more than the rows that are kept of a request. */
START_TEST(many_types_are_counted_again_on_more_nodes)
{
	const struct eqt_bundle_table any = {
		.cores = { .name = "cores",
			   .cores_u = EQT_MICRO,
			   .weight_u = EQT_MICRO },
		.gpu = (const struct eqt_bundle[]){
			{ .name = "gpu", .cores_u = 9 * EQT_MICRO,
			  .weight_u = EQT_MICRO },
		},
		.gpu_count = 1,
	};
	const struct eqt_job_spec spec = {
		.tasks = 3,
		.tres_per_node = "gpu:a:1,gpu:b:1,gpu:c:1,gpu:d:1,gpu:e:1,"
				 "gpu:f:1",
	};
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &any, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 "cost 6 GPU-equivalents (GPUs decide); up to 18 "
			 "without -N1");
}
END_TEST

/* On one node there are no more nodes to get, in the other partition there are. */
START_TEST(more_nodes_of_another_partition_are_told)
{
	struct eqt_job_spec spec = { .tasks = 4, MEM(9000), .node.count = 1 };
	struct eqt_quote one, other;

	ck_assert_int_eq(eqt_quote_make(&one, &cedar, &spec, NULL), 0);
	ck_assert_uint_eq(one.spread_nodes, 0);
	spec.node.count = 3;
	ck_assert_int_eq(eqt_quote_make(&other, &cedar, &spec, NULL), 0);
	ck_assert_uint_eq(other.spread_nodes, 3);
	eqt_quote_widen(&one, &other);
	ck_assert_uint_eq(one.spread_nodes, 3);
	ck_assert_double_eq(eqt_frac_double(one.spread.equivalents), 6.75);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("quote with a choice");
	TCase *tcase = tcase_create("quote with a choice");

	tcase_add_loop_test(tcase, price_is_a_range_where_slurm_has_a_choice,
			    0, (int) COUNT(choice_rows));
	tcase_add_test(tcase,
		       a_request_whose_dearest_form_is_too_large_is_refused);
	tcase_add_test(tcase, more_nodes_of_another_partition_are_told);
	tcase_add_test(tcase, many_types_are_counted_again_on_more_nodes);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
