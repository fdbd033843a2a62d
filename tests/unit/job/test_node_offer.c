/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that a request could get: their kinds, and how many of one it needs. */
#include "job/near_cores.h"
#include "job/node_offer.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct eqt_bundle_table prices = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){ { .name = "gpu:p100",
					      .cores_u = EQT_MICRO,
					      .weight_u = EQT_MICRO } },
	.gpu_count = 1,
};

/* ---- Kinds of nodes --------------------------------------------------------- */

START_TEST(nodes_of_one_kind_are_added_up)
{
	static const struct eqt_node_offer kinds[] = {
		{ .cpus = 8, .mem_mib = 16, .threads = 2, .gres = "gpu:a:1" },
		{ .cpus = 9, .mem_mib = 16, .threads = 2, .gres = "gpu:a:1" },
		{ .cpus = 8, .mem_mib = 17, .threads = 2, .gres = "gpu:a:1" },
		{ .cpus = 8, .mem_mib = 16, .threads = 1, .gres = "gpu:a:1" },
		{ .cpus = 8, .mem_mib = 16, .threads = 2, .gres = "gpu:a:2" },
		{ .cpus = 8, .mem_mib = 16, .threads = 2, .gres = NULL },
	};
	struct eqt_node_offer bare = kinds[5];
	struct eqt_job_spec spec = { 0 };

	for (uint64_t round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < COUNT(kinds); i++) {
			struct eqt_node_offer node = kinds[i];

			node.count = 10 * round + i;
			ck_assert(eqt_node_offer_add(&spec, &node) ==
				  (round == 0));
		}
	}
	ck_assert_uint_eq(spec.kinds, COUNT(kinds));
	for (uint64_t i = 0; i < COUNT(kinds); i++)
		ck_assert_uint_eq(spec.kind[i].count, 10 + 2 * i);
	bare.gres = "";
	bare.count = 100;
	ck_assert(!eqt_node_offer_add(&spec, &bare));
	ck_assert_uint_eq(spec.kind[5].count, 120);
}
END_TEST

/* Nodes of two kinds with one weight, and of the first kind with another weight. */
START_TEST(nodes_of_one_kind_and_weight_are_one_set)
{
	static const struct eqt_node_now sets[] = {
		{ .offer = { .cpus = 8, .count = 3 }, .idle = 1, .weight = 5 },
		{ .offer = { .cpus = 9, .count = 3 }, .idle = 2, .weight = 5 },
		{ .offer = { .cpus = 8, .count = 3 }, .idle = 3, .weight = 6 },
	};
	static const struct eqt_node_now none = { .offer = { .cpus = 7 },
						  .idle = 1 };
	struct eqt_nodes_now now = { .sets = 0 };

	ck_assert(!eqt_node_offer_now_add(&now, &none));
	ck_assert_uint_eq(now.sets, 0);
	for (size_t i = 0; i < COUNT(sets); i++)
		ck_assert(eqt_node_offer_now_add(&now, &sets[i]));
	for (size_t i = 0; i < COUNT(sets); i++)
		ck_assert(!eqt_node_offer_now_add(&now, &sets[i]));
	ck_assert_uint_eq(now.sets, COUNT(sets));
	for (size_t i = 0; i < COUNT(sets); i++) {
		ck_assert_uint_eq(now.set[i].offer.cpus, sets[i].offer.cpus);
		ck_assert_uint_eq(now.set[i].offer.count, 6);
		ck_assert_uint_eq(now.set[i].idle, 2 * sets[i].idle);
	}
	ck_assert(!now.more);
}
END_TEST

START_TEST(a_set_beyond_the_last_is_only_noted)
{
	struct eqt_node_now set = { .offer = { .cpus = 1, .count = 1 } };
	struct eqt_nodes_now now = { .sets = 0 };

	for (; set.offer.cpus <= EQT_NODES_NOW; set.offer.cpus++)
		ck_assert(eqt_node_offer_now_add(&now, &set));
	ck_assert(!now.more);
	set.offer.cpus = 1;
	ck_assert(!eqt_node_offer_now_add(&now, &set));
	ck_assert(!now.more);
	set.offer.cpus = EQT_NODES_NOW + 1;
	ck_assert(!eqt_node_offer_now_add(&now, &set));
	ck_assert(now.more);
	ck_assert_uint_eq(now.sets, EQT_NODES_NOW);
	ck_assert_uint_eq(now.set[0].offer.count, 2);
	set.offer.cpus = EQT_NODES_NOW + 2;
	ck_assert(!eqt_node_offer_now_add(&now, &set));
	ck_assert(now.more);
}
END_TEST

START_TEST(bundles_of_nodes_matter_to_requests_of_gpus_or_of_whole_nodes)
{
	static const struct eqt_bundle_table two = { .gpu_count = 2 };
	static const struct {
		const char *name;
		struct eqt_job_spec spec;
		bool matter;
	} requests[] = {
		{ "cores", { .tasks = 1 }, false },
		{ "whole nodes", { .exclusive = true }, true },
		{ "GPUs of a job", { .tres_per_job = "gres:gpu" }, true },
		{ "GPUs of a node", { .tres_per_node = "gres:gpu" }, true },
		{ "GPUs of a socket", { .tres_per_socket = "gres:gpu" }, true },
		{ "GPUs of a task", { .tres_per_task = "gres:gpu" }, true },
		{ "tasks of a GPU", { .tasks_per_gpu = 1 }, true },
	};

	for (size_t i = 0; i < COUNT(requests); i++) {
		ck_assert_msg(eqt_node_offer_has_bundles(&requests[i].spec,
							 &two) ==
				      requests[i].matter,
			      "%s", requests[i].name);
		ck_assert_msg(!eqt_node_offer_has_bundles(&requests[i].spec,
							  &prices),
			      "%s, and a single bundle", requests[i].name);
	}
}
END_TEST

START_TEST(a_job_is_spread_to_a_node_of_each_further_kind)
{
	static const struct {
		uint64_t min_nodes, max_nodes, kinds, most;
		bool spreads;
	} rows[] = {
		{ 1, 2, 3, 4, true },  { 2, 2, 3, 4, true },
		{ 0, 0, 3, 3, true },  { 1, 1, 3, 1, true },
		{ 1, 2, 1, 2, true },  { 1, 2, 3, 2, false },
	};

	for (uint64_t i = 0; i < COUNT(rows); i++) {
		struct eqt_job_spec spec = {
			.min_nodes = rows[i].min_nodes,
			.max_nodes = rows[i].max_nodes,
			.kinds = (uint32_t) rows[i].kinds,
			.spreads = rows[i].spreads,
		};

		eqt_node_offer_spread(&spec);
		ck_assert_uint_eq(spec.max_nodes, rows[i].most);
		ck_assert_uint_eq(spec.min_nodes, rows[i].min_nodes);
	}
}
END_TEST

START_TEST(a_ninth_kind_is_not_kept)
{
	struct eqt_job_spec spec = { 0 };
	struct eqt_node_offer node = { .count = 1 };

	for (node.cpus = 1; node.cpus <= 8; node.cpus++)
		ck_assert(eqt_node_offer_add(&spec, &node));
	ck_assert(!spec.more_kinds);
	node.cpus = 3;
	ck_assert(!eqt_node_offer_add(&spec, &node));
	ck_assert(!spec.more_kinds);
	ck_assert_uint_eq(spec.kind[2].count, 2);
	node.cpus = 9;
	ck_assert(!eqt_node_offer_add(&spec, &node));
	ck_assert(spec.more_kinds);
	ck_assert_uint_eq(spec.kinds, 8);
}
END_TEST

START_TEST(a_kind_behind_the_last_one_is_not_looked_at)
{
	const struct eqt_node_offer node = { .cpus = 4, .count = 1 };
	struct eqt_job_spec spec = { .kinds = 1, .kind = { { .cpus = 2 } } };

	spec.kind[1] = node;
	ck_assert(eqt_node_offer_add(&spec, &node));
	ck_assert_uint_eq(spec.kinds, 2);
	ck_assert_uint_eq(spec.kind[1].count, 1);
}
END_TEST

START_TEST(kinds_are_sorted_by_cpus_memory_threads_and_gpus)
{
	static const struct eqt_node_offer sorted[] = {
		{ .cpus = 4, .mem_mib = 9, .threads = 9, .gres = "z" },
		{ .cpus = 8, .mem_mib = 2, .threads = 9, .gres = "z" },
		{ .cpus = 8, .mem_mib = 5, .threads = 1, .gres = "z" },
		{ .cpus = 8, .mem_mib = 5, .threads = 2, .gres = NULL },
		{ .cpus = 8, .mem_mib = 5, .threads = 2, .gres = "a" },
		{ .cpus = 8, .mem_mib = 5, .threads = 2, .gres = "b" },
		{ .cpus = 9, .mem_mib = 1, .threads = 1, .gres = NULL },
	};
	static const size_t orders[][7] = { { 6, 5, 4, 3, 2, 1, 0 },
					    { 3, 0, 5, 1, 6, 2, 4 },
					    { 0, 1, 2, 3, 4, 5, 6 } };

	for (size_t order = 0; order < COUNT(orders); order++) {
		struct eqt_job_spec spec = { .kinds = 7 };

		for (size_t i = 0; i < 7; i++)
			spec.kind[i] = sorted[orders[order][i]];
		spec.kind[7].cpus = 1; /* not one of them */
		eqt_node_offer_sort(&spec);
		for (size_t i = 0; i < 7; i++) {
			ck_assert_uint_eq(spec.kind[i].cpus, sorted[i].cpus);
			ck_assert_uint_eq(spec.kind[i].mem_mib,
					  sorted[i].mem_mib);
			ck_assert_uint_eq(spec.kind[i].threads,
					  sorted[i].threads);
			ck_assert_ptr_eq(spec.kind[i].gres, sorted[i].gres);
		}
	}
}
END_TEST

/* ---- GPUs ------------------------------------------------------------------- */

START_TEST(gpus_of_all_models_are_counted)
{
	const struct eqt_job_spec spec = {
		.tres_per_job = "gpu:p100:2,license:9,gpu:3,tpu:4",
		.tres_per_task = "gpu:1",
	};
	const struct eqt_job_spec none = { 0 };
	const struct eqt_job_spec many = {
		.tres_per_job = "gpu:a:18446744073709551615,gpu:b:1",
	};

	ck_assert_uint_eq(eqt_node_offer_gpus(&spec).per_job, 5);
	ck_assert_uint_eq(eqt_node_offer_gpus(&spec).per_task, 1);
	ck_assert_uint_eq(eqt_node_offer_gpus(&none).per_job, 0);
	ck_assert_uint_eq(eqt_node_offer_gpus(&none).per_task, 0);
	ck_assert_uint_eq(eqt_node_offer_gpus(&many).per_job, UINT64_MAX);
}
END_TEST

START_TEST(whole_nodes_with_gpus_that_have_a_price_are_found)
{
	struct eqt_job_spec spec = {
		.exclusive = true,
		.kinds = 3,
		.kind = { { .gres = NULL },
			  { .gres = "gpu:p100:0,gpu:t4:2" },
			  { .gres = "tpu:1,gpu:p100:1" } },
	};

	ck_assert(eqt_node_offer_takes_gpus(&spec, &prices));
	spec.kinds = 2;
	ck_assert(!eqt_node_offer_takes_gpus(&spec, &prices));
	spec.kinds = 3;
	spec.exclusive = false;
	ck_assert(!eqt_node_offer_takes_gpus(&spec, &prices));
}
END_TEST

START_TEST(the_first_of_whole_nodes_may_be_the_one_with_gpus)
{
	const struct eqt_job_spec spec = { .exclusive = true, .kinds = 1,
					   .kind = { { .gres = "gpu:p100:1" } } };

	ck_assert(eqt_node_offer_takes_gpus(&spec, &prices));
}
END_TEST

/* ---- One kind of nodes -------------------------------------------------------- */

/* Tasks that a node of 16 CPUs, 2 of each core, 2 sockets and 32000 MiB holds. */
static const struct tasks_row {
	const char *name;
	struct eqt_job_spec spec;
	struct eqt_job_totals totals;
	uint64_t tasks;
} holds[] = {
	{ "tasks of one CPU", { 0 }, { .cpus_per_task = 1 }, 16 },
	{ "tasks of three CPUs", { 0 }, { .cpus_per_task = 3 }, 5 },
	{ "one CPU of each core", { .cpus_per_core = 1 },
	  { .cpus_per_task = 1 }, 8 },
	{ "both CPUs of each core", { .cpus_per_core = 2 },
	  { .cpus_per_task = 1 }, 16 },
	{ "one task on each core", { .task_per_core = true },
	  { .cpus_per_task = 1 }, 8 },
	{ "one task of one CPU on each core",
	  { .task_per_core = true, .cpus_per_task = 1 },
	  { .cpus_per_task = 1 }, 8 },
	{ "one task of two CPUs on each core",
	  { .task_per_core = true, .cpus_per_task = 2 },
	  { .cpus_per_task = 2 }, 8 },
	{ "memory for all CPUs", { 0 },
	  { .cpus_per_task = 1, .mem = EQT_MEM_PER_CPU, .mem_each = 2000 },
	  16 },
	{ "memory for fewer CPUs", { 0 },
	  { .cpus_per_task = 1, .mem = EQT_MEM_PER_CPU, .mem_each = 2001 },
	  15 },
	{ "memory of a node", { 0 },
	  { .cpus_per_task = 1, .mem = EQT_MEM_PER_NODE, .mem_each = 2001 },
	  16 },
	{ "as many CPUs as each node must have", { 0 },
	  { .cpus_per_task = 1, .cpus_per_node = 16 }, 16 },
	{ "fewer CPUs than each node must have", { 0 },
	  { .cpus_per_task = 1, .cpus_per_node = 17 }, 0 },
	{ "tasks that share CPUs", { .overcommit = true },
	  { .cpus_per_task = 1 }, UINT64_MAX },
	{ "tasks that share too few CPUs", { .overcommit = true },
	  { .cpus_per_task = 1, .cpus_per_node = 17 }, 0 },
	{ "three tasks on each socket, and one on the thread that they leave",
	  { .tasks_per_socket = 3 }, { .cpus_per_task = 1 }, 8 },
	{ "three tasks on each socket, whose cores have one thread for them",
	  { .tasks_per_socket = 3, .cpus_per_core = 1 },
	  { .cpus_per_task = 1 }, 6 },
	{ "three tasks of two CPUs on each socket", { .tasks_per_socket = 3 },
	  { .cpus_per_task = 2 }, 6 },
	{ "as many tasks on each socket as it has CPUs",
	  { .tasks_per_socket = 8 }, { .cpus_per_task = 1 }, 16 },
	{ "more tasks on each socket than it has CPUs",
	  { .tasks_per_socket = 9 }, { .cpus_per_task = 1 }, 16 },
	{ "more tasks of two CPUs on each socket than it has CPUs for",
	  { .tasks_per_socket = 5 }, { .cpus_per_task = 2 }, 8 },
	{ "tasks on sockets that share CPUs",
	  { .tasks_per_socket = 3, .overcommit = true },
	  { .cpus_per_task = 1 }, UINT64_MAX },
	{ "select/linear does not count sockets",
	  { .tasks_per_socket = 3, .linear = true }, { .cpus_per_task = 1 },
	  16 },
	{ "select/linear: three tasks on each core",
	  { .tasks_per_core = 3, .linear = true }, { .cpus_per_task = 2 }, 24 },
	{ "select/linear: fewer tasks than CPUs of a core",
	  { .tasks_per_core = 1, .linear = true }, { .cpus_per_task = 1 }, 16 },
};

static const struct eqt_node_offer node = { .cpus = 16, .mem_mib = 32000,
					    .threads = 2, .sockets = 2,
					    .gres = "gpu:4", .count = 10 };

START_TEST(a_node_holds_so_many_tasks)
{
	const struct tasks_row *row = &holds[_i];

	ck_assert_msg(eqt_node_offer_tasks(&row->spec, &row->totals, &node) ==
			      row->tasks,
		      "%s", row->name);
}
END_TEST

START_TEST(a_node_without_hyper_threads_or_sockets_holds_tasks_by_its_cpus)
{
	const struct eqt_job_spec spec = { .cpus_per_core = 1,
					   .tasks_per_socket = 1 };
	const struct eqt_job_totals totals = { .cpus_per_task = 1 };
	struct eqt_node_offer plain = { .cpus = 6, .threads = 1 };

	ck_assert_uint_eq(eqt_node_offer_tasks(&spec, &totals, &plain), 6);
	plain.threads = 0;
	ck_assert_uint_eq(eqt_node_offer_tasks(&spec, &totals, &plain), 6);
	plain.sockets = 1;
	ck_assert_uint_eq(eqt_node_offer_tasks(&spec, &totals, &plain), 1);
}
END_TEST

/* Nodes of that kind that a request needs. */
#define ONE .cpus_per_task = 1, .nodes = 1, .tasks = 1
static const struct tasks_row needs[] = {
	{ "one task", { 0 }, { ONE }, 1 },
	{ "the nodes that it asks for", { 0 },
	  { .cpus_per_task = 1, .nodes = 3, .tasks = 3 }, 3 },
	{ "tasks beside the cores of --core-spec",
	  { .spare_cores = 2, .exclusive = true },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 12 }, 1 },
	{ "one task more",
	  { .spare_cores = 2, .exclusive = true },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 13 }, 2 },
	{ "tasks beside the threads of --thread-spec",
	  { .spare_threads = 3, .exclusive = true },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 13 }, 1 },
	{ "one task more, beside threads",
	  { .spare_threads = 3, .exclusive = true },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 14 }, 2 },
	{ "all cores are left",
	  { .spare_cores = 8, .exclusive = true },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 1 }, 0 },
	{ "tasks of one node", { 0 },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 16 }, 1 },
	{ "a task more than one node holds", { 0 },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 17 }, 2 },
	{ "as much memory as a node has", { 0 },
	  { ONE, .mem = EQT_MEM_PER_NODE, .mem_each = 32000 }, 1 },
	{ "more memory than a node has", { 0 },
	  { ONE, .mem = EQT_MEM_PER_NODE, .mem_each = 32001 }, 0 },
	{ "more CPUs than a node has", { 0 }, { ONE, .cpus_per_node = 17 }, 0 },
	{ "all cores of a node", { 0 }, { ONE, .demand.cores = 8 }, 1 },
	{ "more cores than a node has", { 0 }, { ONE, .demand.cores = 9 }, 2 },
	{ "cores of whole nodes", { .exclusive = true },
	  { ONE, .demand.cores = 9 }, 1 },
	{ "all GPUs of a node", { 0 }, { ONE, .gpus = 4 }, 1 },
	{ "more GPUs than a node has", { 0 }, { ONE, .gpus = 5 }, 2 },
	{ "GPUs of whole nodes", { .exclusive = true }, { ONE, .gpus = 5 }, 1 },
	{ "whole nodes with the GPUs of the job",
	  { .exclusive = true, .tres_per_job = "gres:gpu:4" }, { ONE }, 1 },
	{ "whole nodes with a GPU more for the job",
	  { .exclusive = true, .tres_per_job = "gres:gpu:5" }, { ONE }, 2 },
	{ "whole nodes whose GPUs may be of the model of the job",
	  { .exclusive = true, .tres_per_job = "gres:gpu:p100:9" },
	  { ONE }, 3 },
	{ "whole nodes with too few GPUs for each",
	  { .exclusive = true, .tres_per_node = "gres:gpu:p100:5" },
	  { ONE }, 0 },
	{ "GPUs of each task", { .tres_per_task = "gres:gpu:3" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 3, .gpus = 9 }, 3 },
	{ "CPUs of the GPUs of the job, which are more than those of its tasks",
	  { .tasks = 10, .tres_per_job = "gres:gpu:2",
	    .cpus_per_tres = "gres:gpu:6" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 10, .cpus_wanted = 10,
	    .gpus = 2 }, 1 },
	{ "CPUs of the GPUs of the job, which are too few for its tasks",
	  { .tasks = 13, .tres_per_job = "gres:gpu:2",
	    .cpus_per_tres = "gres:gpu:6" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 13, .cpus_wanted = 13,
	    .gpus = 2 }, 2 },
	{ "more GPUs for a socket than a node has",
	  { .tres_per_socket = "gres:gpu:5" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 1, .gpus = 5 }, 0 },
	{ "whole nodes that lack memory for each of their CPUs",
	  { .exclusive = true }, { ONE, .lacks_mem = true }, 0 },
	{ "whole nodes with other resources of the job",
	  { .exclusive = true, .tres_per_job = "gres:nic:9" }, { ONE }, 1 },
	{ "whole nodes with the GPUs of tasks",
	  { .exclusive = true, .tres_per_task = "gres:gpu:1" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 8 }, 2 },
	{ "whole nodes with one task for three GPUs of four",
	  { .exclusive = true, .tres_per_task = "gres:gpu:3" },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 2 }, 2 },
	{ "tasks beyond the CPUs of the GPU of each node, where tasks are counted",
	  { .tres_per_node = "gres:gpu:1", .defaults.cpus_per_gpu = 3,
	    .tasks_counted = EQT_TASKS_OF_JOB },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 5, .gpus = 1 }, 2 },
	{ "tasks beyond the CPUs of the GPU of each node, where CPUs are counted",
	  { .tres_per_node = "gres:gpu:1", .defaults.cpus_per_gpu = 3 },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 5, .gpus = 1 }, 1 },
	{ "tasks beyond the CPUs of the GPUs of the job",
	  { .tres_per_job = "gres:gpu:2", .cpus_per_tres = "gres:gpu:3",
	    .tasks_counted = EQT_TASKS_OF_NODE },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 9, .gpus = 2 }, 2 },
	{ "tasks of each node, whatever CPUs its GPU brings",
	  { .tres_per_node = "gres:gpu:1", .defaults.cpus_per_gpu = 3,
	    .tasks_per_node = 5, .tasks_counted = EQT_TASKS_OF_JOB },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 5, .gpus = 1 }, 1 },
	{ "tasks that have the whole cores of the CPUs of a GPU",
	  { .tres_per_node = "gres:gpu:1", .defaults.cpus_per_gpu = 3,
	    .tasks_counted = EQT_TASKS_OF_JOB },
	  { .cpus_per_task = 1, .nodes = 1, .tasks = 4, .gpus = 1 }, 1 },
	{ "tasks with CPUs of their own beside DefCpuPerGPU",
	  { .tres_per_node = "gres:gpu:1", .defaults.cpus_per_gpu = 3,
	    .cpus_per_task = 2, .tasks_counted = EQT_TASKS_OF_JOB },
	  { .cpus_per_task = 2, .nodes = 1, .tasks = 4, .gpus = 1 }, 1 },
	{ "whole nodes with fewer GPUs than a task has",
	  { .exclusive = true, .tres_per_task = "gres:gpu:5" }, { ONE }, 0 },
	{ "select/linear does not count GPUs",
	  { .exclusive = true, .linear = true, .tres_per_job = "gres:gpu:5" },
	  { ONE, .cpus_wanted = 1 }, 1 },
	{ "all GPUs of each node", { .tres_per_node = "gpu:4" },
	  { .cpus_per_task = 1, .nodes = 2, .tasks = 2, .gpus = 8 }, 2 },
	{ "more GPUs for each node than it has", { .tres_per_node = "gpu:5" },
	  { .cpus_per_task = 1, .nodes = 2, .tasks = 2, .gpus = 10 }, 0 },
	{ "GPUs for each node and for the job",
	  { .tres_per_node = "gpu:1", .tres_per_job = "gpu:10" },
	  { .cpus_per_task = 1, .nodes = 2, .tasks = 2, .gpus = 10 }, 3 },
	{ "select/linear: CPUs of all tasks", { .linear = true },
	  { .cpus_per_task = 3, .nodes = 1, .tasks = 10, .cpus_wanted = 32 },
	  2 },
	{ "select/linear: a CPU more than two nodes have", { .linear = true },
	  { .cpus_per_task = 3, .nodes = 1, .tasks = 11, .cpus_wanted = 33 },
	  3 },
	{ "select/linear: the nodes that it asks for", { .linear = true },
	  { .cpus_per_task = 1, .nodes = 4, .tasks = 4, .cpus_wanted = 4 }, 4 },
	{ "select/linear: memory for each CPU of a node", { .linear = true },
	  { ONE, .cpus_wanted = 1, .mem = EQT_MEM_PER_CPU, .mem_each = 2000 },
	  1 },
	{ "select/linear: no memory for each CPU", { .linear = true },
	  { ONE, .cpus_wanted = 1, .mem = EQT_MEM_PER_CPU }, 1 },
	{ "select/linear: too much memory for each CPU", { .linear = true },
	  { ONE, .cpus_wanted = 1, .mem = EQT_MEM_PER_CPU, .mem_each = 2001 },
	  0 },
	{ "select/linear: more memory than a node has", { .linear = true },
	  { ONE, .cpus_wanted = 1, .mem = EQT_MEM_PER_NODE,
	    .mem_each = 32001 }, 0 },
	{ "select/linear: more CPUs than a node has", { .linear = true },
	  { ONE, .cpus_wanted = 17, .cpus_per_node = 17 }, 0 },
	{ "select/linear: as many CPUs as a node has", { .linear = true },
	  { ONE, .cpus_wanted = 16, .cpus_per_node = 16 }, 1 },
	{ "select/linear: tasks that share CPUs",
	  { .linear = true, .overcommit = true },
	  { .cpus_per_task = 1, .nodes = 2, .tasks = 99, .cpus_wanted = 99 },
	  2 },
	{ "select/linear: two tasks of each node",
	  { .linear = true, .tasks_per_node = 2 },
	  { .cpus_per_task = 3, .nodes = 1, .tasks = 5, .cpus_wanted = 15 },
	  3 },
	{ "select/linear: one task of each node",
	  { .linear = true, .tasks_per_node = 1 },
	  { .cpus_per_task = 3, .nodes = 1, .tasks = 5, .cpus_wanted = 15 },
	  5 },
	{ "select/linear: more tasks for each node than it holds",
	  { .linear = true, .tasks_per_node = 6 },
	  { .cpus_per_task = 3, .nodes = 1, .tasks = 6, .cpus_wanted = 18 },
	  2 },
};

START_TEST(a_request_needs_so_many_nodes_of_a_kind)
{
	const struct eqt_bundle_table unpriced = { 0 };
	const struct tasks_row *row = &needs[_i];
	struct eqt_gres_row gres[4];
	struct eqt_gres_rows asked = { .row = gres, .room = COUNT(gres) };
	uint64_t nodes;

	ck_assert_int_eq(eqt_job_spec_read(&asked, &unpriced, &row->spec, NULL),
			 0);
	nodes = eqt_node_offers(&row->spec, &row->totals, &asked, &node);
	ck_assert_msg(nodes == row->tasks, "%s: %d", row->name, (int) nodes);
}
END_TEST

START_TEST(nodes_without_gpus_take_no_job_that_needs_some)
{
	const struct eqt_job_spec spec = { 0 };
	const struct eqt_job_totals totals = { ONE, .gpus = 1 };
	const struct eqt_node_offer bare = { .cpus = 4, .count = 1 };

	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, NULL, &bare), 0);
}
END_TEST

START_TEST(one_mebibyte_for_each_cpu_counts)
{
	struct eqt_job_spec spec = { 0 };
	const struct eqt_job_totals totals = { ONE, .cpus_wanted = 1,
					       .mem = EQT_MEM_PER_CPU,
					       .mem_each = 1 };
	const struct eqt_node_offer small = { .cpus = 8, .mem_mib = 5 };

	ck_assert_uint_eq(eqt_node_offer_tasks(&spec, &totals, &small), 5);
	spec.linear = true;
	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, NULL, &small), 0);
}
END_TEST

START_TEST(whole_nodes_have_the_gpus_of_each_row_and_of_no_other)
{
	const struct eqt_job_spec spec = { .exclusive = true };
	const struct eqt_job_totals totals = { ONE };
	const struct eqt_node_offer one = { .cpus = 8,
					    .gres = "gpu:a:4,gpu:b:1" };
	struct eqt_gres_row row[] = {
		{ .name = "gpu", .type = "a", .count[EQT_GRES_JOB] = 4 },
		{ .name = "gpu", .type = "b", .count[EQT_GRES_JOB] = 3 },
		{ .name = "gpu", .type = "b", .count[EQT_GRES_TASK] = 2 },
	};
	struct eqt_gres_rows asked = { .row = row, .count = 1 };

	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, &asked, &one), 1);
	asked.count = 2;
	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, &asked, &one), 3);
	asked.count = 3;
	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, &asked, &one), 0);
}
END_TEST

/* Twenty tasks on nodes of two sockets with sixteen cores each. */
static const struct {
	const char *gres;
	struct eqt_gres_row row;
	uint64_t nodes;
} near_rows[] = {
	{ "gpu:a:4(S:0-1)", { "gpu", "", .count[EQT_GRES_NODE] = 1 }, 2 },
	{ "gpu:a:4(S:0-1)", { "gpu", "a", .count[EQT_GRES_NODE] = 2 }, 2 },
	{ "gpu:a:4(S:0-1)", { "gpu", "a", .count[EQT_GRES_NODE] = 3 }, 1 },
	{ "gpu:a:4(S:0-1)", { "gpu", "a", .count[EQT_GRES_JOB] = 1 }, 1 },
	{ "gpu:a:4(S:0-1)",
	  { "gpu", "a", .count[EQT_GRES_JOB] = 1, .mem_mib = 8 },
	  2 },
	{ "gpu:a:8(S:0-1)",
	  { "gpu", "a", .count[EQT_GRES_NODE] = 3, .cpus = 4 },
	  2 },
	{ "gpu:a:4(S:1)", { "gpu", "a", .count[EQT_GRES_JOB] = 1 }, 2 },
	{ "gpu:a:4(S:1)", { "gpu", "b", .count[EQT_GRES_JOB] = 1 }, 1 },
	{ "gpu:a:2(S:0),gpu:b:2(S:1)",
	  { "gpu", "", .count[EQT_GRES_JOB] = 1 },
	  1 },
	{ "gpu:a:2(S:0),gpu:b:2(S:1)",
	  { "gpu", "b", .count[EQT_GRES_JOB] = 1 },
	  2 },
	{ "gpu:a:2(S:0),gpu:b:2", { "gpu", "", .count[EQT_GRES_JOB] = 1 }, 1 },
	{ "gpu:a:4", { "gpu", "", .count[EQT_GRES_NODE] = 1 }, 1 },
};

START_TEST(tasks_near_the_gpus_of_a_job_need_more_nodes)
{
	const struct eqt_job_spec spec = { .exclusive = true };
	const struct eqt_job_totals totals = { .cpus_per_task = 1, .nodes = 1,
					       .tasks = 20,
					       .cpus_wanted = 20 };
	const struct eqt_node_offer one = { .cpus = 32, .sockets = 2,
					    .mem_mib = 64,
					    .gres = near_rows[_i].gres };
	struct eqt_gres_row row = near_rows[_i].row;
	const struct eqt_gres_rows asked = { .row = &row, .count = 1 };

	ck_assert_uint_eq(eqt_near_cores_nodes(&spec, &totals, &asked, &one, 1),
			  near_rows[_i].nodes);
	ck_assert_uint_eq(eqt_near_cores_nodes(&spec, &totals, NULL, &one, 1),
			  1);
}
END_TEST

START_TEST(nodes_with_fewer_cpus_than_threads_of_a_core_are_counted_by_tasks)
{
	const struct eqt_job_totals totals = { .cpus_per_task = 1, .nodes = 1,
					       .tasks = 2, .demand.cores = 2 };
	const struct eqt_node_offer one = { .cpus = 1, .threads = 2 };
	const struct eqt_node_offer none = { .cpus = 0 };
	struct eqt_job_spec spec = { 0 };

	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, NULL, &one), 2);
	spec.overcommit = true;
	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, NULL, &none), 1);
}
END_TEST

START_TEST(nodes_of_one_cpu_are_counted_by_their_cores)
{
	const struct eqt_job_spec spec = { 0 };
	const struct eqt_job_totals totals = { ONE, .demand.cores = 3 };
	const struct eqt_node_offer least = { .cpus = 1, .count = 4 };
	const struct eqt_node_offer_gpus none = { 0, 0 };
	const struct eqt_job_spec one = { .kinds = 1,
					  .kind = { { .cpus = 1,
						      .count = 1 } } };

	ck_assert_uint_eq(eqt_node_offers(&spec, &totals, NULL, &least), 3);
	ck_assert(eqt_node_offer_has_room(&one, &none));
}
END_TEST

START_TEST(a_job_has_at_most_the_nodes_that_it_allows_and_that_there_are)
{
	struct eqt_job_spec spec = { 0 };

	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 10);
	spec.max_nodes = 9;
	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 9);
	spec.max_nodes = 11;
	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 10);
	spec.node.count = 12;
	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 11);
	spec.node.count = 8;
	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 8);
	spec.tasks = 7;
	ck_assert_uint_eq(eqt_node_offers_limit(&spec, &node), 7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("node offer");
	TCase *tcase = tcase_create("node offer");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	tcase_add_test(tcase, nodes_of_one_kind_are_added_up);
	tcase_add_test(tcase, a_ninth_kind_is_not_kept);
	tcase_add_test(tcase, nodes_of_one_kind_and_weight_are_one_set);
	tcase_add_test(tcase, a_set_beyond_the_last_is_only_noted);
	tcase_add_test(
		tcase,
		bundles_of_nodes_matter_to_requests_of_gpus_or_of_whole_nodes);
	tcase_add_test(tcase, a_job_is_spread_to_a_node_of_each_further_kind);
	tcase_add_test(tcase, a_kind_behind_the_last_one_is_not_looked_at);
	tcase_add_test(tcase, kinds_are_sorted_by_cpus_memory_threads_and_gpus);
	tcase_add_test(tcase, gpus_of_all_models_are_counted);
	tcase_add_test(tcase, whole_nodes_with_gpus_that_have_a_price_are_found);
	tcase_add_test(tcase,
		       the_first_of_whole_nodes_may_be_the_one_with_gpus);
	ADD(a_node_holds_so_many_tasks, holds);
	tcase_add_test(
		tcase,
		a_node_without_hyper_threads_or_sockets_holds_tasks_by_its_cpus);
	ADD(a_request_needs_so_many_nodes_of_a_kind, needs);
	ADD(tasks_near_the_gpus_of_a_job_need_more_nodes, near_rows);
	tcase_add_test(tcase, nodes_without_gpus_take_no_job_that_needs_some);
	tcase_add_test(tcase, nodes_of_one_cpu_are_counted_by_their_cores);
	tcase_add_test(tcase, one_mebibyte_for_each_cpu_counts);
	tcase_add_test(tcase,
		       whole_nodes_have_the_gpus_of_each_row_and_of_no_other);
	tcase_add_test(
		tcase,
		nodes_with_fewer_cpus_than_threads_of_a_core_are_counted_by_tasks);
	tcase_add_test(
		tcase,
		a_job_has_at_most_the_nodes_that_it_allows_and_that_there_are);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
