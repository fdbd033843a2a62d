/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The GPUs and the memory of a request, on both sides of each condition of the count. */
#include "job/core_tasks.h"
#include "job/job_totals_impl.h"
#include "../unit.h"
#include "demand.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

/* A model of one letter: a type that is there has a first letter at least. */
static const struct eqt_bundle_table prices = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){
		{ .name = "gpu:a", .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
		{ .name = "tpu", .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
	},
	.gpu_count = 2,
};

enum { A, TPU };

#define CPUS_OF_GPU(n) .defaults.cpus_per_gpu = (n)
#define FOUR_GPUS .node.gres = "gpu:a:4"
#define TWO_NODES .least_nodes = 2

#define FIRST(own, least, highest)                                      \
	.defaults = { .cpus_per_gpu = (own), .other_first = true,        \
		      .first_cpus_least = (least),                       \
		      .first_cpus_most = (highest) }

static const struct gpu_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t cores, untyped, a, tpu;
} gpu_rows[] = {
	{ "one node has GPUs for the tasks that the job names, not for those that it allows",
	  { .tasks = 1, .tasks_per_node = 2, .tres_per_task = "gres:gpu:1",
	    CPUS_OF_GPU(2), .most = true }, 2, 1, 0, 0 },
	{ "each of two nodes may have the GPU of a task",
	  { .tasks_per_node = 1, .tres_per_task = "gres:gpu:1", CPUS_OF_GPU(2),
	    .most = true, TWO_NODES }, 4, 2, 0, 0 },
	{ "each of two nodes may have the GPU of a task with one CPU by default",
	  { .tasks_per_node = 1, .tres_per_task = "gres:gpu:1", CPUS_OF_GPU(1),
	    .most = true, TWO_NODES }, 2, 2, 0, 0 },
	{ "each of two nodes may have the two GPUs of a task with one CPU each",
	  { .tasks_per_node = 1, .tres_per_task = "gres:gpu:2", CPUS_OF_GPU(1),
	    .most = true, TWO_NODES }, 4, 4, 0, 0 },
	{ "each of two nodes may have the GPU of a task with one CPU as requested",
	  { .tasks_per_node = 1, .tres_per_task = "gres:gpu:1",
	    .cpus_per_tres = "gres:gpu:1", .most = true, TWO_NODES },
	  2, 2, 0, 0 },
	{ "each of three nodes may have the GPU of the job",
	  { .tasks = 3, .min_nodes = 3, .tres_per_job = "gres:gpu:a:1",
	    .nodes_pass_tasks = true, .most = true }, 3, 0, 3, 0 },
	{ "three nodes: the least is the GPUs that the job asks for",
	  { .tasks = 3, .min_nodes = 3, .tres_per_job = "gres:gpu:a:1",
	    .nodes_pass_tasks = true }, 3, 0, 1, 0 },
	{ "three nodes have no more GPUs than the job asks for",
	  { .tasks = 3, .min_nodes = 3, .tres_per_job = "gres:gpu:a:5",
	    .nodes_pass_tasks = true, .most = true }, 3, 0, 5, 0 },
	{ "a node that MinNodes adds has no task with --overcommit, and so no core or GPU",
	  { .tasks = 1, .tres_per_node = "gres:gpu:a:3", .overcommit = true,
	    .min_nodes = 2, .limit.min_nodes = 2, FOUR_GPUS, .parts = true },
	  1, 0, 3, 0 },
	{ "a node that MinNodes adds may have a task, and so GPUs",
	  { .tasks = 2, .tres_per_node = "gres:gpu:a:3", .overcommit = true,
	    .min_nodes = 2, .limit.min_nodes = 2, FOUR_GPUS, .parts = true },
	  2, 0, 6, 0 },
	{ "DefCpuPerGPU leaves one of two tasks its GPU",
	  { .tasks = 2, .tres_per_task = "gres:gpu:a:1",
	    .cpus_per_tres = "gres:gpu:1", CPUS_OF_GPU(4), FOUR_GPUS,
	    .parts = true, .limit.mem_per_cpu = 1500,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 9000 }, 2, 0, 1, 0 },
	{ "CPUs of MaxMemPerCPU are enough for two of three tasks with GPUs",
	  { .tasks = 3, .tres_per_task = "gres:gpu:a:1",
	    .cpus_per_tres = "gres:gpu:2", CPUS_OF_GPU(4), FOUR_GPUS,
	    .parts = true, .limit.mem_per_cpu = 1500,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 16001 }, 4, 0, 2, 0 },
	{ "CPUs of MaxMemPerCPU are enough for all tasks with GPUs",
	  { .tasks = 3, .tres_per_task = "gres:gpu:a:1",
	    .cpus_per_tres = "gres:gpu:2", CPUS_OF_GPU(4), FOUR_GPUS,
	    .parts = true, .limit.mem_per_cpu = 1500,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 23000 }, 6, 0, 3, 0 },
	{ "two nodes have no GPUs for more tasks if GPUs have no CPUs",
	  { .tasks_per_node = 2, .tres_per_task = "gres:gpu:1",
	    .overcommit = true, .most = true, TWO_NODES }, 2, 2, 0, 0 },
	{ "nodes of one GPU have it for one task each",
	  { .tasks = 1, .min_nodes = 2, .tasks_per_node = 2, CPUS_OF_GPU(2),
	    .tres_per_task = "gres:gpu:a:1", .node.gres = "gpu:a:1",
	    .most = true }, 4, 0, 2, 0 },
	{ "nodes of four GPUs have two for two tasks each",
	  { .tasks_per_node = 3, .tres_per_task = "gres:gpu:a:2",
	    CPUS_OF_GPU(2), FOUR_GPUS, .most = true, TWO_NODES },
	  16, 0, 8, 0 },
	{ "nodes of four GPUs have no task of eight more than the job names",
	  { .tasks_per_node = 1, .tres_per_task = "gres:gpu:8",
	    CPUS_OF_GPU(2), FOUR_GPUS, .most = true, TWO_NODES },
	  16, 8, 0, 0 },
	{ "all tasks have GPUs if the request names no CPUs of GPUs",
	  { .tasks = 2, .tres_per_task = "gres:gpu:a:1", CPUS_OF_GPU(2),
	    .parts = true }, 4, 0, 2, 0 },
	{ "all tasks have GPUs on free nodes",
	  { .tasks = 4, .tres_per_task = "gres:gpu:a:1", CPUS_OF_GPU(2),
	    .cpus_per_tres = "gres:gpu:1" }, 4, 0, 4, 0 },
	{ "the CPUs of --cpus-per-gpu are enough for half of the tasks of a model",
	  { .tasks = 4, .tres_per_task = "gres:gpu:a:1", CPUS_OF_GPU(2),
	    .cpus_per_tres = "gres:gpu:1", .parts = true }, 4, 0, 2, 0 },
	{ "the CPUs of --cpus-per-gpu are enough for a task at least",
	  { .tres_per_task = "gres:gpu:a:1", CPUS_OF_GPU(2),
	    .cpus_per_tres = "gres:gpu:1", .parts = true }, 1, 0, 1, 0 },
	{ "all tasks have GPUs without a model",
	  { .tasks = 4, .tres_per_task = "gres:gpu:1", CPUS_OF_GPU(2),
	    .cpus_per_tres = "gres:gpu:1", .parts = true }, 4, 4, 0, 0 },
	{ "memory of GPUs on nodes used in part leaves one of four tasks without",
	  { .tasks = 4, .tres_per_task = "gres:gpu:a:1",
	    .defaults.mem_per_gpu = 1, .node.count = 9, .parts = true },
	  3, 0, 3, 0 },
	{ "memory of GPUs on one node used in part leaves each task its GPU",
	  { .tasks = 4, .tres_per_task = "gres:gpu:a:1",
	    .defaults.mem_per_gpu = 1, .node.count = 1, .parts = true },
	  4, 0, 4, 0 },
	{ "all tasks have another resource than GPUs",
	  { .tasks = 2, .tres_per_task = "gres:tpu:2", CPUS_OF_GPU(2),
	    .cpus_per_tres = "gres:gpu:3", .parts = true }, 2, 0, 0, 4 },
	{ "all tasks have GPUs if another model has CPUs",
	  { .tasks = 2, .tres_per_task = "gres:gpu:a:1",
	    .cpus_per_tres = "gres:gpu:v100:5", .parts = true }, 2, 0, 2, 0 },
	{ "a task of a whole node implies no GPU",
	  { .tasks = 1, .tasks_per_gpu = 1, .exclusive = true }, 1, 0, 0, 0 },
	{ "two nodes of four GPUs have eight of them, whatever one task wants",
	  { .tres_per_task = "gres:gpu:8", FOUR_GPUS, .most = true,
	    TWO_NODES }, 2, 8, 0, 0 },
	{ "two nodes of any size have GPUs for two tasks",
	  { .tres_per_task = "gres:gpu:1", .most = true, TWO_NODES },
	  2, 2, 0, 0 },
	{ "one task of four CPUs has one GPU",
	  { .tres_per_task = "cpu=4,gres/gpu:a=1", .most = true },
	  4, 0, 1, 0 },
	{ "the CPUs of a GPU without a model make no more tasks",
	  { .tres_per_task = "gres:gpu:1", .cpus_per_tres = "gres:gpu:3",
	    .most = true }, 3, 1, 0, 0 },
	{ "the CPUs of a GPU of a model may make more tasks",
	  { .tres_per_task = "gres:gpu:a:1", .cpus_per_tres = "gres:gpu:3",
	    .most = true }, 3, 0, 3, 0 },
	{ "two nodes may have twice the second resource of a task",
	  { .tres_per_job = "gres:gpu:2", .tres_per_task = "gres:tpu:2",
	    .most = true, TWO_NODES }, 2, 2, 0, 4 },
	{ "a node of one GPU has no second one for the other thread",
	  { .tres_per_task = "gres:gpu:a:1", .cpus_per_core = 2,
	    .node.gres = "gpu:a:1,gpu:b:3", .most = true }, 1, 0, 1, 0 },
	{ "GPUs that no task has are not counted on any number of nodes",
	  { .min_nodes = MAX, .cpus_per_tres = "gres:gpu:3", FOUR_GPUS,
	    .most = true }, MAX, 0, 0, 0 },
	/* the CPUs of a GPU by default in the partition at which Slurm looks first */
	{ "CPUs of a partition that gives a GPU more are those of more tasks",
	  { .tasks = 2, .tres_per_task = "gres:gpu:1", FIRST(2, 2, 4),
	    .most = true }, 8, 4, 0, 0 },
	{ "more tasks have no more GPUs than the node has",
	  { .tasks = 2, .tres_per_task = "gres:gpu:1", FIRST(2, 2, 4),
	    .node.gres = "gpu:a:3", .most = true }, 6, 3, 0, 0 },
	{ "CPUs of a partition that gives a GPU fewer are those of fewer tasks",
	  { .tasks = 2, .tres_per_task = "gres:gpu:1", FIRST(2, 1, 2),
	    .parts = true }, 2, 1, 0, 0 },
	{ "each of two nodes has a task, whatever the first partition gives",
	  { .tasks = 2, .tres_per_task = "gres:gpu:1", FIRST(8, 1, 8),
	    .parts = true, TWO_NODES }, 16, 2, 0, 0 },
	{ "tasks without CPUs for their GPUs are as many as the CPUs of another partition",
	  { .tasks = 2, .tres_per_task = "gres:gpu:1", FIRST(0, 0, 3),
	    .most = true }, 6, 6, 0, 0 },
	{ "GPUs of the job have the CPUs of the first partition, which may be more",
	  { .tasks = 2, .tres_per_job = "gres:gpu:2", FIRST(2, 2, 4),
	    .most = true }, 8, 2, 0, 0 },
	{ "GPUs of the job have the CPUs of the first partition, which may be none",
	  { .tasks = 2, .tres_per_job = "gres:gpu:2", FIRST(2, 0, 2),
	    .parts = true }, 2, 2, 0, 0 },
	{ "one task has none of the CPUs that only the first partition gives",
	  { .tasks = 1, .tres_per_job = "gres:gpu:2", FIRST(0, 0, 4),
	    .most = true }, 1, 2, 0, 0 },
	{ "CPUs of a task go before those of the first partition",
	  { .tasks = 2, .cpus_per_task = 1, .tres_per_task = "gres:gpu:1",
	    FIRST(2, 2, 4), .most = true }, 2, 2, 0, 0 },
	{ "CPUs of a GPU by the request go before those of the first partition",
	  { .tasks = 2, .tres_per_job = "gres:gpu:2",
	    .cpus_per_tres = "gres:gpu:3", FIRST(2, 2, 4), .most = true },
	  6, 2, 0, 0 },
	/* numbers of nodes, which decide the cores */
	{ "a job that shares nodes needs no more of them for its CPUs",
	  { .tasks_per_node = 2, .node.cpus = 1 }, 2, 0, 0, 0 },
	{ "a whole node of unknown size is one node", { .exclusive = true },
	  1, 0, 0, 0 },
	{ "three tasks get two whole nodes of two CPUs",
	  { .tasks = 3, .exclusive = true, .node.cpus = 2 }, 4, 0, 0, 0 },
	{ "three tasks get the two whole nodes that they allow",
	  { .tasks = 3, .exclusive = true, .node.cpus = 2, .max_nodes = 2 },
	  4, 0, 0, 0 },
};

START_TEST(gpus_and_cores_are_those_of_the_row)
{
	const struct gpu_row *row = &gpu_rows[_i];
	struct eqt_demand got;
	struct eqt_error err = { "" };

	ck_assert_msg(job_demand(&got, &prices, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_msg(got.cores == row->cores &&
			      got.gpus_untyped == row->untyped &&
			      got.gpus[A] == row->a && got.gpus[TPU] == row->tpu,
		      "%s: %ju cores, GPUs %ju, %ju, %ju", row->name,
		      (uintmax_t) got.cores, (uintmax_t) got.gpus_untyped,
		      (uintmax_t) got.gpus[A], (uintmax_t) got.gpus[TPU]);
}
END_TEST

START_TEST(a_model_of_one_letter_without_a_price_is_named)
{
	const struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:k:1" };
	struct eqt_error err = { "" };
	struct eqt_demand got;

	ck_assert_int_lt(job_demand(&got, &prices, &spec, &err), 0);
	ck_assert_str_eq(err.text, "gpu:k has no price");
}
END_TEST

#define NODE_MEM .defaults.mem = EQT_MEM_PER_NODE, .defaults.mem_mib = 1000

static const struct memory_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t mem_mib;
	enum eqt_job_spec_mem mem;
} memory_rows[] = {
	{ "the GPU that --ntasks-per-gpu implies has memory",
	  { .tasks_per_gpu = 1, .defaults.mem_per_gpu = 900 }, 900,
	  EQT_MEM_PER_GPU },
	{ "the second row may be the one with memory",
	  { .tres_per_job = "gres:tpu:3", .tres_per_socket = "gres:gpu:1",
	    .mem_per_tres = "gres:gpu:700" }, 700, EQT_MEM_PER_GPU },
	{ "a row without memory leaves it to the node",
	  { .cpus_per_tres = "gres:gpu:3", NODE_MEM }, 1000,
	  EQT_MEM_PER_NODE },
	{ "a GPU without memory leaves it to the node",
	  { .tres_per_task = "gres:gpu:1", NODE_MEM }, 1000,
	  EQT_MEM_PER_NODE },
	{ "memory of GPUs by default is none without a GPU",
	  { NODE_MEM, .defaults.mem_per_gpu = 900 }, 1000, EQT_MEM_PER_NODE },
	{ "memory of GPUs by default is that of one GPU",
	  { .tres_per_socket = "gres:gpu:1", .defaults.mem_per_gpu = 900 },
	  900, EQT_MEM_PER_GPU },
	{ "memory of GPUs by default may be one MiB",
	  { .tres_per_socket = "gres:gpu:1", .defaults.mem_per_gpu = 1 },
	  1, EQT_MEM_PER_GPU },
	{ "a job on nodes of unknown size that keeps others off has the memory of its GPU",
	  { .tres_per_node = "gres:gpu:1", .keeps_rest = true,
	    .defaults.mem_per_gpu = 900 }, 900, EQT_MEM_PER_GPU },
	{ "a job that keeps others off has not the memory of its GPU",
	  { .tres_per_node = "gres:gpu:1", .keeps_rest = true,
	    .node.mem_mib = 1, .defaults.mem_per_gpu = 900 }, 0,
	  EQT_MEM_PER_GPU },
	{ "memory counts for each thread where jobs share cores",
	  { .single_cpus = true, .cpus_per_core = 1, .node.threads = 2,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 1000, TWO_NODES }, 2000,
	  EQT_MEM_PER_CPU },
	{ "memory counts for each thread of whole nodes where CPUs are threads",
	  { .exclusive = true, .cpus_per_core = 2, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 1 }, 2, EQT_MEM_PER_CPU },
	{ "a whole node wants no memory for the core that it leaves to the system",
	  { .exclusive = true, .spare_cores = 1, .node.cpus = 4,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 10 }, 30, EQT_MEM_PER_CPU },
	{ "a whole node leaves no more cores to the system than it has",
	  { .exclusive = true, .spare_cores = 9, .node.cpus = 4,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 10 }, 0, EQT_MEM_PER_CPU },
	{ "a whole node has all of its memory",
	  { .exclusive = true, .node.mem_mib = 48000 }, 48000, EQT_MEM_ALL },
	{ "memory that is no resource comes from nowhere",
	  { .mem = EQT_MEM_PER_NODE, .mem_mib = 1, .no_memory = true }, 0,
	  EQT_MEM_NOT_GIVEN },
};

START_TEST(memory_is_that_of_the_row)
{
	const struct memory_row *row = &memory_rows[_i];
	struct eqt_job_totals got;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_job_spec_compute(&got, &prices, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_msg(got.demand.mem_mib == row->mem_mib, "%s: %ju MiB",
		      row->name, (uintmax_t) got.demand.mem_mib);
	ck_assert_msg(got.mem == row->mem, "%s: from %d", row->name, got.mem);
}
END_TEST

START_TEST(a_sum_over_gpus_begins_at_nothing)
{
	const struct eqt_gres_rows none = { .room = 0 };
	struct eqt_job_totals totals = { .gpus = 2 };
	struct eqt_job_work work = { .rows = &none, .totals = &totals };
	uint64_t sum = 7;

	ck_assert_int_eq(eqt_job_work_sum_gpus(&work, EQT_GRES_CPUS, 5, &sum),
			 0);
	ck_assert_uint_eq(sum, 10);
}
END_TEST

START_TEST(tasks_of_nodes_want_so_many_nodes)
{
	static const struct {
		struct eqt_job_spec spec;
		uint64_t nodes;
	} rows[] = {
		{ { .tasks = 2 }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1 }, 2 },
		{ { .tasks = 3, .tasks_per_node = 2 }, 2 },
		{ { .tasks = 4, .tasks_per_node = 2 }, 2 },
		{ { .tasks = 2, .tasks_per_node = 1, .linear = true }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1,
		    .cpus_per_tres = "gres:gpu:1" }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1, .min_cpus_per_node = 1,
		    .limit.mem_per_cpu = 1, CPUS_OF_GPU(1) }, 2 },
		{ { .tasks = 2, .tasks_per_node = 1, .tres_per_job = "gpu:1" },
		  2 },
		{ { .tasks = 2, .tasks_per_node = 1, .tres_per_job = "gpu:1",
		    .min_cpus_per_node = 1 }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1, .tres_per_job = "gpu:1",
		    .limit.mem_per_cpu = 1 }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1, .tres_per_job = "gpu:1",
		    CPUS_OF_GPU(1) }, 0 },
		{ { .tasks = 2, .tasks_per_node = 1, .tres_per_job = "gpu:1",
		    CPUS_OF_GPU(1), .cpus_per_task = 1 }, 2 },
		{ { .tasks = 5, .tasks_per_node = 3, .max_nodes = 1 }, 2 },
		{ { .tasks = 5, .tasks_per_node = 3, .max_nodes = 1,
		    .tasks_counted = EQT_TASKS_OF_NODE }, 1 },
		{ { .tasks = 5, .tasks_per_node = 3,
		    .tasks_counted = EQT_TASKS_OF_NODE }, 2 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_job_spec_task_nodes(&rows[i].spec) ==
				      rows[i].nodes,
			      "row %zu", i);
}
END_TEST

/* Compare two texts, either of which may be NULL. */
static bool texts_are_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

START_TEST(a_list_of_cpus_alone_is_no_list_of_a_task)
{
	static const struct {
		const char *before, *after;
		uint64_t given, cpus;
	} rows[] = {
		{ NULL, NULL, 2, 2 },
		{ "cpu=2", NULL, 2, 2 },
		{ "cpu:3", NULL, 0, 3 },
		{ "cpu=2,gres/gpu=1", "cpu=2,gres/gpu=1", 2, 2 },
		{ "gres/gpu=1", "gres/gpu=1", 0, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct eqt_job_spec spec = { .tres_per_task = rows[i].before,
					     .cpus_per_task = rows[i].given };

		eqt_job_spec_take_task_cpus(&spec);
		ck_assert_msg(texts_are_same(spec.tres_per_task, rows[i].after),
			      "row %zu", i);
		ck_assert_uint_eq(spec.cpus_per_task, rows[i].cpus);
	}
}
END_TEST

START_TEST(cores_are_dealt_out_by_each_of_four_options)
{
	static const struct {
		struct eqt_job_spec spec;
		bool deals;
	} rows[] = {
		{ { .tasks = 1 }, false },
		{ { .tasks_per_core = 1 }, true },
		{ { .tasks_per_socket = 1 }, true },
		{ { .task_per_core = true }, true },
		{ { .binds_gpus = true }, true },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_core_tasks_dealt(&rows[i].spec) ==
				      rows[i].deals,
			      "row %zu", i);
}
END_TEST

START_TEST(partitions_differ_if_one_gives_a_gpu_other_cpus)
{
	struct eqt_job_spec_defaults all = { 0 };

	eqt_job_spec_add_first_cpus(&all, 3, 0);
	ck_assert(!all.other_first);
	eqt_job_spec_add_first_cpus(&all, 3, 1);
	ck_assert(!all.other_first);
	eqt_job_spec_add_first_cpus(&all, 0, 2);
	ck_assert(all.other_first);
	eqt_job_spec_add_first_cpus(&all, 5, 3);
	ck_assert_uint_eq(all.first_cpus_least, 0);
	ck_assert_uint_eq(all.first_cpus_most, 5);
}
END_TEST

START_TEST(the_fewest_nodes_of_a_qos_raise_the_nodes_of_a_job)
{
	static const struct {
		const char *name;
		uint64_t min_nodes, max_nodes, fewest;
		uint64_t raised; /* the fewest nodes of the job */
		bool changed;
	} rows[] = {
		{ "a job that names no nodes", 0, 0, 3, 3, true },
		{ "a job of fewer nodes", 2, 0, 3, 3, true },
		{ "a job of as many nodes", 3, 0, 3, 3, false },
		{ "a job of more nodes", 4, 0, 3, 4, false },
		{ "a job that may have as many nodes", 2, 3, 3, 3, true },
		{ "a job that may not have as many nodes", 2, 2, 3, 2, false },
		{ "a single node is no minimum", 0, 0, 1, 0, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct eqt_job_spec spec = { .min_nodes = rows[i].min_nodes,
					     .max_nodes = rows[i].max_nodes };

		eqt_job_spec_take_least_nodes(&spec, rows[i].fewest);
		ck_assert_msg(spec.limit.min_nodes == rows[i].fewest &&
				      spec.min_nodes == rows[i].raised &&
				      spec.nodes_changed == rows[i].changed,
			      "%s", rows[i].name);
		eqt_job_spec_take_least_nodes(&spec, 1);
		ck_assert_msg(spec.nodes_changed == rows[i].changed,
			      "%s stays changed", rows[i].name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("totals of a job");
	TCase *tcase = tcase_create("counts");

	tcase_add_loop_test(tcase, gpus_and_cores_are_those_of_the_row, 0,
			    (int) COUNT(gpu_rows));
	tcase_add_test(tcase, a_model_of_one_letter_without_a_price_is_named);
	tcase_add_loop_test(tcase, memory_is_that_of_the_row, 0,
			    (int) COUNT(memory_rows));
	tcase_add_test(tcase, a_sum_over_gpus_begins_at_nothing);
	tcase_add_test(tcase, tasks_of_nodes_want_so_many_nodes);
	tcase_add_test(tcase, a_list_of_cpus_alone_is_no_list_of_a_task);
	tcase_add_test(tcase, cores_are_dealt_out_by_each_of_four_options);
	tcase_add_test(tcase,
		       partitions_differ_if_one_gives_a_gpu_other_cpus);
	tcase_add_test(tcase,
		       the_fewest_nodes_of_a_qos_raise_the_nodes_of_a_job);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
