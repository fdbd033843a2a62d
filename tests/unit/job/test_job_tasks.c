/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs of tasks, which differ between releases of Slurm, and of whole nodes. */
#include "job/job_totals.h"
#include "../unit.h"
#include "demand.h"

static const struct eqt_bundle_table prices = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 1,
};

static const struct task_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t cores;
} task_rows[] = {
	{ "-n decides, not --ntasks-per-node, where the job counts its tasks",
	  { .tasks_counted = EQT_TASKS_OF_JOB, .tasks = 2, .cpus_per_task = 4,
	    .tasks_per_node = 4, .min_cpus = 8 }, 8 },
	{ "-n decides, not the CPUs that MaxMemPerCPU adds to its node",
	  { .tasks_counted = EQT_TASKS_OF_JOB, .tasks = 1, .cpus_per_task = 5,
	    .tasks_per_node = 3, .limit = { .mem_per_cpu = 4000, .raises_tasks = true },
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 50000 }, 5 },
	{ "-n decides, not --mincpus, where the job counts its tasks",
	  { .tasks_counted = EQT_TASKS_OF_JOB, .tasks = 1,
	    .min_cpus_per_node = 6 }, 1 },
	{ "--mincpus decides without -n, where the job counts its tasks",
	  { .tasks_counted = EQT_TASKS_OF_JOB, .min_nodes = 1,
	    .min_cpus_per_node = 2 }, 2 },
	{ "--ntasks-per-node decides before -n, where nodes count the tasks",
	  { .tasks_counted = EQT_TASKS_OF_NODE, .tasks = 2, .cpus_per_task = 4,
	    .tasks_per_node = 4, .min_cpus = 8 }, 16 },
	{ "tasks of a node get the CPUs that MaxMemPerCPU adds to each",
	  { .tasks_counted = EQT_TASKS_OF_NODE, .tasks_per_node = 3,
	    .min_cpus = 3, .limit = { .mem_per_cpu = 2000, .raises_tasks = true },
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 2001 }, 6 },
	{ "each of two nodes has the CPUs of a whole task, which MaxMemPerCPU raised",
	  { .tasks = 1, .min_nodes = 2, .limit = { .mem_per_cpu = 1000, .raises_tasks = true },
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 4000 }, 16 },
	{ "--ntasks-per-node=1 does not bound the CPUs of a job with GPUs",
	  { .min_cpus = 4, .tasks_per_node = 1,
	    .tres_per_job = "gres:gpu:p100:4" }, 4 },
	{ "--overcommit: a second task has the CPUs that MaxMemPerCPU adds",
	  { .tasks = 4, .overcommit = true, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 8000, .limit.mem_per_cpu = 4000, .node = { .cpus = 24,
	    .mem_mib = 48000, .threads = 2 } }, 2 },
	{ "a GPU of the job without CPUs of its own: as many nodes as tasks want",
	  { .tasks = 8, .tasks_per_node = 4,
	    .tres_per_job = "gres:gpu:p100:1" }, 8 },
	{ "each of two nodes gives a socket, however few CPUs the job has",
	  { .min_nodes = 2, .whole_sockets = true, .node = { .cpus = 12,
	    .sockets = 1, .count = 4 } }, 24 },
	{ "-n decides, not --mincpus, where nodes count the tasks",
	  { .tasks_counted = EQT_TASKS_OF_NODE, .tasks = 1,
	    .min_cpus_per_node = 6 }, 1 },
	{ "two nodes may give the CPUs of all their GPUs to tasks that are counted",
	  { .tasks = 3, .min_nodes = 2, .most = true, .tasks_counted =
	    EQT_TASKS_OF_JOB, .tres_per_task = "gres:gpu:1",
	    .cpus_per_tres = "gres:gpu:5", .node = { .cpus = 24,
	    .gres = "gpu:p100:4", .count = 3 } }, 40 },
	{ "each node may have GPUs for all tasks of --ntasks-per-node, if GPUs have CPUs",
	  { .tasks = 4, .tasks_per_node = 3, .most = true,
	    .tres_per_task = "gres:gpu:p100:1", .defaults = { .cpus_per_gpu = 3 },
	    .node = { .cpus = 24, .gres = "gpu:p100:4", .count = 3 } }, 18 },
	{ "whole nodes: the CPUs of their GPUs are theirs",
	  { .tasks = 1, .exclusive = true, .tres_per_task = "gres:gpu:p100:1",
	    .cpus_per_tres = "gres:gpu:9", .node = { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 2 } },
	  24 },
};

START_TEST(tasks_get_the_cpus_that_the_release_gives_them)
{
	const struct task_row *row = &task_rows[_i];
	struct eqt_demand got;
	struct eqt_error err = { "" };

	ck_assert_msg(job_demand(&got, &prices, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_msg(got.cores == row->cores, "%s: %ju cores", row->name,
		      (uintmax_t) got.cores);
}
END_TEST

START_TEST(a_partition_raises_the_nodes_that_a_request_allows)
{
	static const struct {
		uint64_t min_nodes, max_nodes, partition, nodes;
	} rows[] = {
		{ 0, 0, 2, 2 }, { 1, 0, 2, 2 }, { 1, 2, 2, 2 },
		{ 3, 0, 2, 3 }, { 1, 1, 2, 1 }, { 0, 0, 1, 0 },
		{ 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct eqt_job_spec spec = { .min_nodes = rows[i].min_nodes,
					     .max_nodes = rows[i].max_nodes };

		eqt_job_spec_raise_nodes(&spec, rows[i].partition);
		ck_assert_msg(spec.min_nodes == rows[i].nodes,
			      "row %zu: %ju nodes", i,
			      (uintmax_t) spec.min_nodes);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tasks of releases");
	TCase *tcase = tcase_create("counts");

	tcase_add_loop_test(tcase, tasks_get_the_cpus_that_the_release_gives_them,
			    0, sizeof(task_rows) / sizeof(task_rows[0]));
	tcase_add_test(tcase,
		       a_partition_raises_the_nodes_that_a_request_allows);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
