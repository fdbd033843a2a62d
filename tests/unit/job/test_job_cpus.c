/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs and the cores of a request, on both sides of each condition of the count. */
#include "job/job_totals.h"
#include "job/memory_limit.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

static const struct eqt_bundle_table prices = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){
		{ .name = "gpu:p100", .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
		{ .name = "tpu", .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
	},
	.gpu_count = 2,
};

/* Eight CPUs by the memory of the first node, above MaxMemPerCPU. */
#define EIGHT .limit = { .mem_per_cpu = 1000, .node_mem_mib = 8000 }
#define EIGHT_OF_TASKS \
	.limit = { .mem_per_cpu = 1000, .node_mem_mib = 8000, .raises_tasks = true }
#define FOUR_GPUS .node = { .cpus = 8, .gres = "gpu:p100:4" }
#define GPU_OF_TASK .tres_per_task = "gres:gpu:1", .cpus_per_tres = "gres:gpu:3"

static const struct cpus_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t cores, cpus;
} cpus_rows[] = {
	/* what decides: tasks, nodes, or the CPUs of the job */
	{ "-n decides where nodes count tasks, though the job wants two nodes",
	  { .tasks = 1, .min_nodes = 2, .tasks_counted = EQT_TASKS_OF_NODE },
	  1, 1 },
	{ "-n decides on cores of one thread, too",
	  { .tasks = 1, .min_nodes = 2, .tasks_counted = EQT_TASKS_OF_NODE,
	    .cpus_per_core = 1 }, 1, 1 },
	{ "a node beyond the tasks that the job counts has no core",
	  { .tasks = 1, .min_nodes = 2, .cpus_per_core = 4,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 1, 4 },
	{ "a node beyond the tasks has no core with --overcommit",
	  { .tasks = 1, .min_nodes = 2, .cpus_per_core = 4, .overcommit = true },
	  1, 4 },
	{ "a node beyond the tasks has a core where CPUs are counted",
	  { .tasks = 1, .min_nodes = 2, .cpus_per_core = 4 }, 2, 8 },
	{ "a node beyond the tasks may have a core next to GPUs",
	  { .tasks = 1, .min_nodes = 2, .cpus_per_core = 4, .most = true,
	    .tres_per_node = "gres:gpu:1",
	    .tasks_counted = EQT_TASKS_OF_JOB }, 2, 8 },
	{ "-N and --ntasks-per-node limit the tasks where nodes count them",
	  { .tasks = 5, .tasks_per_node = 3, .min_nodes = 1, .max_nodes = 1,
	    .tres_per_task = "gres:gpu:1", .parts = true,
	    .tasks_counted = EQT_TASKS_OF_NODE }, 3, 3 },
	/* CPUs next to GPUs, where -n decides */
	{ "a node has the CPUs of the tasks that it may have next to a GPU with CPUs",
	  { .tasks = 1, .tasks_per_node = 4, .cpus_per_tres = "gres:gpu:2",
	    .tres_per_node = "gres:gpu:1", .node.cpus = 10,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 4, 4 },
	{ "a node has those of the tasks of a core next to a GPU with CPUs",
	  { .tasks = 2, .tasks_per_core = 3, .cpus_per_tres = "gres:gpu:2",
	    .tres_per_node = "gres:gpu:1", .node.cpus = 10,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 3, 3 },
	{ "a node has the CPUs of the tasks that it may have next to a bound GPU",
	  { .tasks = 1, .tasks_per_node = 4, .binds_gpus = true,
	    .tres_per_node = "gres:gpu:1", .node.cpus = 10,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 4, 4 },
	{ "a node has the CPUs of the tasks that it may have next to bound shards",
	  { .tasks = 2, .tasks_per_node = 3, .binds_gpus = true,
	    .tres_per_node = "gres:shard:1", .node.cpus = 10,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 3, 3 },
	{ "a node has those of its tasks next to a GPU without CPUs",
	  { .tasks = 1, .tasks_per_node = 4, .tres_per_node = "gres:gpu:1",
	    .node.cpus = 10, .tasks_counted = EQT_TASKS_OF_JOB }, 1, 1 },
	{ "a node has those of the GPU where CPUs are counted",
	  { .tasks = 1, .tasks_per_node = 4, .cpus_per_tres = "gres:gpu:2",
	    .tres_per_node = "gres:gpu:1", .node.cpus = 10 }, 2, 2 },
	{ "--ntasks-per-node decides before -n where nodes count tasks, with MaxMemPerCPU",
	  { .tasks = 1, .tasks_per_node = 1, EIGHT, .parts = true,
	    .least_nodes = 2 }, 16, 16 },
	{ "--mincpus gives no CPUs to one task of a node that the job counts",
	  { .min_cpus_per_node = 2, .tasks_per_node = 1,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 1, 1 },
	{ "GPUs without --ntasks-per-gpu do not decide on nodes used in part",
	  { .tres_per_node = "gres:gpu:1", .parts = true, .least_nodes = 2 },
	  2, 2 },
	{ "--ntasks-per-gpu decides on nodes used in part, not the CPUs of the job",
	  { .min_cpus = 2, .tasks_per_gpu = 1, .parts = true }, 1, 1 },
	{ "--ntasks-per-gpu: a node may have fewer CPUs than GPUs bring by default",
	  { .tasks = 3, .tres_per_job = "gres:gpu:1", .tasks_per_gpu = 1,
	    .task_per_core = true, .defaults.cpus_per_gpu = 6,
	    .parts = true }, 3, 3 },
	{ "--ntasks-per-gpu does not decide without a GPU",
	  { .min_cpus_per_node = 2, .tasks_per_gpu = 2, .parts = true }, 2, 2 },
	{ "one task of a node with two CPUs decides, not --mincpus",
	  { .min_cpus_per_node = 3, .tasks_per_node = 1,
	    .tres_per_task = "cpu=2" }, 2, 2 },
	{ "two tasks of a node with GPUs decide, not the CPUs of the job",
	  { .min_cpus = 4, .tasks_per_node = 2, .tres_per_task = "gres:gpu:1" },
	  2, 2 },
	{ "two tasks of a node without GPUs do not decide",
	  { .min_cpus = 4, .tasks_per_node = 2 }, 4, 4 },
	{ "two tasks of a node decide as soon as it has one GPU",
	  { .min_cpus_per_node = 3, .tasks_per_node = 2,
	    .tres_per_node = "gres:gpu:1" }, 2, 2 },
	{ "one task with a GPU decides, even if cores are dealt out",
	  { .tasks = 1, .min_cpus = 2, .tres_per_task = "gres:gpu:1",
	    .binds_gpus = true, .most = true }, 1, 1 },
	{ "one task with a GPU does not decide where its cores have one task each",
	  { .tasks = 1, EIGHT, .tres_per_node = "gres:gpu:1",
	    .task_per_core = true, .gpus_share_cores = true }, 8, 8 },
	{ "one task with a GPU does not decide where GPUs have CPUs by default, too",
	  { .tasks = 1, EIGHT, .tres_per_node = "gres:gpu:1",
	    .task_per_core = true, .gpus_share_cores = true,
	    .defaults.cpus_per_gpu = 2, .cpus_per_core = 2,
	    .node.threads = 2 }, 4, 8 },
	{ "one task with a GPU does not decide with two tasks to a core",
	  { .tasks = 1, EIGHT, .tres_per_node = "gres:gpu:1",
	    .tasks_per_core = 2 }, 8, 8 },
	{ "one task with a GPU does not decide where only the cluster has one to a core",
	  { .tasks = 1, EIGHT, .tres_per_node = "gres:gpu:1",
	    .gpus_share_cores = true }, 8, 8 },
	{ "one task with a GRES that is no GPU decides, not --mincpus",
	  { .tasks = 1, .min_cpus_per_node = 7, .tres_per_node = "gres:tpu:1" },
	  1, 1 },
	{ "one task with a GRES that nothing prices decides, too",
	  { .tasks = 1, .min_cpus_per_node = 7, .tres_per_node = "gres:nic:1" },
	  1, 1 },
	{ "one task with no unit of a GRES does not decide",
	  { .tasks = 1, .min_cpus_per_node = 7, .tres_per_node = "gres:nic:0" },
	  7, 7 },
	{ "one task with a license does not decide",
	  { .tasks = 1, .min_cpus_per_node = 7,
	    .tres_per_task = "license/x:1" }, 7, 7 },
	{ "of eight tasks a node may have memory for the GPUs of one",
	  { .tasks = 8, .tres_per_task = "gres:gpu:1",
	    .mem_per_tres = "gres:gpu:1000", .parts = true, .node.count = 2 },
	  5, 5 },
	{ "without CR_Memory no memory limits the GPUs of a node",
	  { .tasks = 8, .tres_per_task = "gres:gpu:1",
	    .mem_per_tres = "gres:gpu:1000", .parts = true, .node.count = 2,
	    .no_memory = true }, 8, 8 },
	{ "with CPUs for each GPU memory limits the CPUs of a node, too",
	  { .tasks = 8, .tres_per_task = "gres:gpu:1",
	    .mem_per_tres = "gres:gpu:1000", .cpus_per_tres = "gres:gpu:1",
	    .parts = true, .node.count = 2 }, 8, 8 },
	{ "CPUs of tasks by MaxMemPerCPU are those of one node if features count more",
	  { .tasks = 4, EIGHT_OF_TASKS, .min_nodes = 2, .counted_nodes = 2,
	    .tasks_counted = EQT_TASKS_OF_NODE }, 8, 8 },
	{ "one task with GPUs of its own may have a node with one GPU",
	  { .tasks = 1, EIGHT, .tres_per_task = "gres:gpu:1",
	    .task_per_core = true }, 1, 1 },
	{ "tasks with GPUs of their own have no other CPUs where few GPUs are free",
	  { .tasks = 2, EIGHT, .tres_per_task = "gres:gpu:1", .parts = true },
	  2, 2 },
	{ "tasks with GPUs of their own have the CPUs of the job even then",
	  { .tasks = 2, .min_cpus = 5, .tres_per_task = "gres:gpu:1",
	    .parts = true }, 5, 5 },
	{ "one task with GPUs of its own has at most the CPUs of the node",
	  { .tasks = 1, EIGHT, .tres_per_task = "gres:gpu:1",
	    .task_per_core = true, .most = true }, 8, 8 },
	{ "CPUs of GPUs by default are not beside the one GPU of a task",
	  { .tasks = 1, EIGHT, .tres_per_task = "gres:gpu:1",
	    .tasks_per_core = 1, .defaults.cpus_per_gpu = 2, .parts = true },
	  1, 1 },
	{ "two tasks with a GPU on one node decide, not the CPUs of the job",
	  { .tasks = 2, .min_cpus = 4, .max_nodes = 1,
	    .tres_per_node = "gres:gpu:1" }, 2, 2 },
	{ "two tasks with a GPU may not decide if cores are dealt out",
	  { .tasks = 2, .min_cpus = 4, .max_nodes = 1, .binds_gpus = true,
	    .most = true, .tres_per_node = "gres:gpu:1" }, 4, 4 },
	/* tasks of nodes and of GPUs */
	{ "each of two nodes has the CPUs of its one task",
	  { .cpus_per_task = 2, .tasks_per_node = 1, .least_nodes = 2 }, 4, 4 },
	{ "one task with GPUs has one CPU, on two nodes, too",
	  { .tasks = 1, .tasks_per_node = 1, .tres_per_job = "gres:gpu:2",
	    .least_nodes = 2 }, 1, 1 },
	{ "--ntasks-per-node limits the CPUs of the tasks of GPUs",
	  { .tasks_per_node = 1, .tasks_per_gpu = 1,
	    .tres_per_task = "gres:gpu:p100:2" }, 1, 1 },
	{ "--ntasks-per-node limits the tasks of GPUs where the job counts them",
	  { .tasks_per_node = 1, .tasks_per_gpu = 1,
	    .tasks_counted = EQT_TASKS_OF_JOB,
	    .tres_per_task = "gres:gpu:p100:2" }, 1, 1 },
	{ "two nodes of two tasks give the CPUs that Slurm wants of them, no more",
	  { .tasks = 1, .tasks_per_node = 2, .most = true, .least_nodes = 2,
	    .tres_per_task = "cpu=4,gres/gpu:p100=1" }, 8, 8 },
	{ "tasks with GPUs have all their CPUs without --ntasks-per-gpu",
	  { .tasks = 2, .tres_per_task = "cpu=4,gres/gpu:p100=1" }, 8, 8 },
	{ "tasks of --ntasks-per-gpu are counted as one CPU each",
	  { .tasks = 2, .cpus_per_task = 2, .tasks_per_gpu = 1 }, 2, 2 },
	{ "tasks of --ntasks-per-gpu have all their CPUs without a GPU",
	  { .tasks = 2, .cpus_per_task = 2, .tasks_per_gpu = 3 }, 4, 4 },
	{ "tasks of one GPU are counted as one CPU each",
	  { .tasks_per_gpu = 2, .tres_per_task = "cpu=4,gres/gpu:p100=1" },
	  4, 4 },
	{ "eight tasks of one GPU are counted as eight CPUs",
	  { .tasks_per_gpu = 8, .tres_per_task = "cpu=4,gres/gpu:p100=1" },
	  8, 8 },
	/* --overcommit: a second task on threads that are left */
	{ "--overcommit: five tasks are two on each of two nodes",
	  { .tasks = 5, .min_cpus_per_node = 2, .overcommit = true,
	    .node.threads = 2, .least_nodes = 2 }, 4, 4 },
	{ "--overcommit: two of three tasks get the threads of one core",
	  { .tasks = 3, .layout_cpus = 2, .overcommit = true,
	    .node.threads = 2 }, 2, 2 },
	{ "--overcommit: two tasks get the threads of one core",
	  { .tasks = 2, .layout_cpus = 2, .overcommit = true,
	    .node.threads = 2 }, 2, 2 },
	{ "--overcommit: one task gets one thread",
	  { .tasks = 1, .layout_cpus = 2, .overcommit = true,
	    .node.threads = 2 }, 1, 1 },
	/* CPUs lost where tasks are split among nodes */
	{ "a job may lack the CPUs of one of two nodes that it names by tasks",
	  { .tasks = 2, .tasks_per_node = 1, EIGHT, .parts = true }, 9, 9 },
	{ "a job lacks no CPUs if its one task fits on a node",
	  { .tasks = 1, .tasks_per_node = 2, EIGHT, .parts = true }, 8, 8 },
	{ "a job lacks no CPUs if its two tasks fill one node",
	  { .tasks = 2, .tasks_per_node = 2, EIGHT, .parts = true }, 8, 8 },
	{ "a job may lack the CPUs of one of two nodes that it names",
	  { .min_nodes = 2, EIGHT_OF_TASKS, .parts = true }, 9, 9 },
	{ "a job of one task lacks no CPUs on the nodes that it allows",
	  { .max_nodes = 2, EIGHT_OF_TASKS, .parts = true }, 8, 8 },
	{ "a job on free nodes lacks no CPUs",
	  { .cpus_per_task = 2, .min_cpus = 7, .node.count = 2 }, 6, 6 },
	{ "a job on whole nodes lacks no CPUs",
	  { .tasks = 3, .cpus_per_task = 4, .exclusive = true,
	    .node.count = 2, .parts = true }, 12, 12 },
	{ "a job that allows one node lacks no CPUs",
	  { .tasks = 3, .cpus_per_task = 2, .max_nodes = 1, .node.count = 2,
	    .parts = true }, 6, 6 },
	{ "a job that allows two nodes may lack a CPU",
	  { .tasks = 3, .cpus_per_task = 2, .max_nodes = 2, .node.count = 2,
	    .parts = true }, 5, 5 },
	{ "tasks of two CPUs on cores of four threads lack none",
	  { .tasks = 17, .cpus_per_task = 2, .node.count = 3,
	    .cpus_per_core = 4, .parts = true }, 9, 36 },
	{ "tasks of six CPUs on cores of four threads may lack two of a core",
	  { .tasks = 3, .cpus_per_task = 6, .node.count = 2,
	    .cpus_per_core = 4, .parts = true }, 4, 16 },
	{ "one task of a node may lack the CPUs of its GPU",
	  { .tasks_per_node = 1, .tres_per_socket = "gres:gpu:1",
	    .cpus_per_tres = "gres:gpu:3", .parts = true }, 1, 1 },
	/* MaxMemPerCPU */
	{ "memory for each CPU within MaxMemPerCPU leaves the CPUs of a node",
	  { .min_cpus_per_node = 2, .mem = EQT_MEM_PER_CPU, .mem_mib = 1,
	    .limit.mem_per_cpu = 1000 }, 2, 2 },
	{ "memory for each CPU by default gives four CPUs to a task of a node",
	  { .tasks_per_node = 1, .defaults.mem = EQT_MEM_PER_CPU,
	    .defaults.mem_mib = 4000, .limit.mem_per_cpu = 1000 }, 4, 4 },
	{ "memory of a node gives eight CPUs to its one task",
	  { .cpus_per_task = 2, .tasks_per_node = 1, EIGHT }, 8, 8 },
	{ "memory of a node gives eight CPUs to a job that names no tasks",
	  { EIGHT_OF_TASKS }, 8, 8 },
	{ "memory of a node gives whole CPUs to each of its three tasks",
	  { .tasks_per_node = 3, EIGHT_OF_TASKS }, 9, 9 },
	{ "memory of two nodes gives whole CPUs to each of three tasks",
	  { .tasks = 3, EIGHT_OF_TASKS, .least_nodes = 2 }, 18, 18 },
	{ "memory of a node replaces the CPUs of the job by those of its task",
	  { .tasks = 1, .min_cpus = 16, EIGHT_OF_TASKS }, 8, 8 },
	{ "memory of a node gives eight CPUs to tasks that share them",
	  { .overcommit = true, EIGHT_OF_TASKS }, 8, 8 },
	/* cores */
	{ "two CPUs of a core of four need a core of each of five nodes",
	  { .cpus_per_task = 2, .cpus_per_core = 4, .most = true,
	    .least_nodes = 5 }, 5, 20 },
	{ "tasks that fill cores need no more of them on two nodes",
	  { .cpus_per_task = 2, .min_nodes = 2, .cpus_per_core = 2,
	    .most = true }, 2, 4 },
	{ "each of two nodes may give the CPUs of all its GPUs but one of the job",
	  { .tasks = 2, .min_nodes = 2, FOUR_GPUS, .tres_per_job = "gres:gpu:3",
	    .cpus_per_tres = "gres:gpu:2", .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 8, 8 },
	{ "each of two nodes that the job does not name may give those of all its GPUs",
	  { .tasks = 2, .least_nodes = 2, FOUR_GPUS, .tres_per_job = "gres:gpu:5",
	    .defaults.cpus_per_gpu = 2, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 16, 16 },
	{ "the least is the CPUs of the GPUs that the job has",
	  { .tasks = 2, .min_nodes = 2, FOUR_GPUS, .tres_per_job = "gres:gpu:3",
	    .cpus_per_tres = "gres:gpu:2", .tasks_counted = EQT_TASKS_OF_JOB },
	  6, 6 },
	{ "enforce-binding: each of two nodes may give all of its CPUs",
	  { .tasks = 4, .cpus_per_task = 2, .min_nodes = 2, FOUR_GPUS,
	    .tres_per_node = "gres:gpu:1", .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 16, 16 },
	{ "enforce-binding: each of two nodes may give the CPUs of as many tasks as have GPUs",
	  { .tasks = 4, .min_nodes = 2, FOUR_GPUS,
	    .tres_per_task = "gres:gpu:2", .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 4, 4 },
	{ "enforce-binding: tasks have their CPUs where CPUs are counted",
	  { .tasks = 4, .cpus_per_task = 2, .min_nodes = 2, FOUR_GPUS,
	    .tres_per_node = "gres:gpu:1", .binds_gpus = true, .most = true },
	  8, 8 },
	{ "enforce-binding: tasks have their CPUs next to GPUs with CPUs",
	  { .tasks = 4, .cpus_per_task = 2, .min_nodes = 2, FOUR_GPUS,
	    .tres_per_node = "gres:gpu:1", .cpus_per_tres = "gres:gpu:3",
	    .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 8, 8 },
	{ "enforce-binding: a node may give all of its CPUs to a job that names no tasks",
	  { .cpus_per_task = 2, FOUR_GPUS, .tres_per_job = "gres:gpu:1",
	    .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_NODE }, 8, 8 },
	{ "enforce-binding: a node that -N1 names may do so as well",
	  { .min_nodes = 1, .max_nodes = 1, FOUR_GPUS,
	    .tres_per_node = "gres:gpu:1", .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_NODE }, 8, 8 },
	{ "enforce-binding: one task of a node has its CPU",
	  { .tasks = 1, FOUR_GPUS, .tres_per_job = "gres:gpu:1",
	    .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_NODE }, 1, 1 },
	{ "enforce-binding: tasks of a node have their CPUs",
	  { .tasks = 4, .cpus_per_task = 2, .tasks_per_node = 2, FOUR_GPUS,
	    .tres_per_node = "gres:gpu:1", .binds_gpus = true, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 8, 8 },
	{ "CPUs of --mincpus beyond the tasks of a node: of two nodes one has half a core less",
	  { .tasks = 5, .tasks_per_node = 4, .min_cpus_per_node = 7,
	    .cpus_per_core = 2 }, 7, 14 },
	{ "CPUs of --mincpus beyond the tasks of a node: one of three has half a core less",
	  { .tasks = 9, .tasks_per_node = 4, .min_cpus_per_node = 7,
	    .cpus_per_core = 2 }, 11, 22 },
	{ "CPUs of --mincpus beyond the tasks of a node, by CR_CPU",
	  { .tasks = 5, .tasks_per_node = 4, .min_cpus_per_node = 7,
	    .single_cpus = true, .node.threads = 2 }, 7, 13 },
	{ "whole cores beyond the tasks of a node are those of each",
	  { .tasks = 6, .tasks_per_node = 3, .min_cpus_per_node = 7,
	    .cpus_per_core = 2 }, 8, 16 },
	{ "a rest that needs no core of its own makes no cores fewer",
	  { .tasks = 4, .tasks_per_node = 1, .min_cpus_per_node = 7,
	    .cpus_per_core = 4 }, 8, 32 },
	{ "the first node may have the CPUs that the others leave of those that are wanted",
	  { .tasks = 12, .tasks_per_node = 4, .min_cpus_per_node = 7,
	    .cpus_per_core = 2, .most = true }, 12, 24 },
	{ "each of two nodes has two cores for the three CPUs of --mincpus",
	  { .min_cpus_per_node = 3, .cpus_per_core = 2, .min_nodes = 2 }, 4, 8 },
	{ "one task for each core: tasks of GPUs with CPUs share all threads",
	  { .tasks = 1, .cpus_per_core = 1, .task_per_core = true,
	    .gpus_share_cores = true, .node.threads = 2,
	    .tres_per_job = "gres:gpu:3", .defaults.cpus_per_gpu = 6 }, 9, 18 },
	{ "GPUs that bring no CPUs leave a core to each task",
	  { .tasks = 3, .cpus_per_core = 1, .gpus_share_cores = true,
	    .node.threads = 2, .tres_per_job = "gres:gpu:3" }, 3, 3 },
	{ "GPUs with CPUs leave a core to each CPU where cores are not shared",
	  { .tasks = 3, .cpus_per_core = 1, .node.threads = 2,
	    .tres_per_job = "gres:gpu:3", .defaults.cpus_per_gpu = 1 }, 3, 3 },
	{ "GPUs with CPUs share cores whose threads are not known",
	  { .tasks = 1, .cpus_per_core = 2, .gpus_share_cores = true,
	    .tres_per_job = "gres:gpu:3", .defaults.cpus_per_gpu = 1 }, 2, 4 },
	{ "each of two nodes has two cores for a task of three CPUs",
	  { .cpus_per_task = 3, .cpus_per_core = 2, .min_nodes = 2 }, 4, 8 },
	{ "--ntasks-per-core=1: a task of four CPUs fills two cores",
	  { .cpus_per_task = 4, .cpus_per_core = 2, .task_per_core = true },
	  2, 4 },
	{ "--ntasks-per-core=1: the CPU beside a task of three has its own core",
	  { .cpus_per_task = 3, .cpus_per_core = 2, .task_per_core = true,
	    .tres_per_job = "gres:gpu:1", .cpus_per_tres = "gres:gpu:4" },
	  3, 6 },
	{ "CR_CPU: a core of one thread is no reason to count threads",
	  { .cpus_per_task = 2, .cpus_per_core = 2, .single_cpus = true,
	    .node.threads = 1 }, 1, 2 },
	{ "a whole node of unknown size has one thread of one core",
	  { .exclusive = true, .node.threads = 2 }, 1, 1 },
	/* sockets */
	{ "CR_Socket: a node of one CPU is one socket",
	  { .whole_sockets = true, .node = { .cpus = 1, .sockets = 1 } },
	  1, 1 },
	{ "CR_Socket: one CPU takes one of two sockets, at most, too",
	  { .whole_sockets = true, .most = true,
	    .node = { .cpus = 8, .sockets = 2 } }, 4, 4 },
	{ "CR_Socket: one task of a node takes one of two sockets",
	  { .whole_sockets = true, .most = true, .tasks_per_node = 1,
	    .node = { .cpus = 8, .sockets = 2 } }, 4, 4 },
	{ "CR_Socket: two tasks of a node take both sockets of one CPU",
	  { .whole_sockets = true, .most = true, .tasks_per_node = 2,
	    .overcommit = true, .node = { .cpus = 2, .sockets = 2 } }, 2, 2 },
	{ "CR_Socket: beside a GRES of one letter a socket may be used in part",
	  { .whole_sockets = true,
	    .node = { .cpus = 8, .sockets = 2, .gres = "x" } }, 1, 1 },
	{ "sockets of a node limit nothing without --ntasks-per-socket",
	  { .node.sockets = 1, .least_nodes = 2 }, 2, 2 },
	{ "--ntasks-per-socket limits nothing if sockets are unknown",
	  { .min_cpus_per_node = 2, .tasks_per_socket = 1 }, 2, 2 },
	{ "--ntasks-per-socket allows a task on each of two nodes",
	  { .tasks_per_socket = 1, .node.sockets = 1, .least_nodes = 2 },
	  2, 2 },
	/* CPUs that MaxMemPerCPU adds */
	{ "two nodes share the cores of the CPUs that they have at least",
	  { .tasks = 17, .cpus_per_core = 2, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 16001, .limit.mem_per_cpu = 2000, .least_nodes = 2 },
	  9, 18 },
	{ "at most each of them has its own",
	  { .tasks = 17, .cpus_per_core = 2, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 16001, .limit.mem_per_cpu = 2000, .least_nodes = 2,
	    .most = true }, 10, 20 },
	{ "CPUs of MaxMemPerCPU may go before those that GPUs have by default",
	  { .tasks = 6, .cpus_per_core = 2, .tres_per_node = "gres:gpu:1",
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 4000, .task_per_core = true,
	    .gpus_share_cores = true, .node.threads = 2,
	    .limit.mem_per_cpu = 1500, .defaults.cpus_per_gpu = 3,
	    .most = true }, 12, 24 },
	/* CPUs of GPUs */
	{ "GPUs of tasks have three CPUs each, unless the most is counted",
	  { .tasks = 1, .min_nodes = 2, GPU_OF_TASK, FOUR_GPUS,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 3, 3 },
	{ "GPUs of tasks have three CPUs each where CPUs are counted",
	  { .tasks = 1, .min_nodes = 2, GPU_OF_TASK, FOUR_GPUS, .most = true },
	  3, 3 },
	{ "two nodes may give all CPUs to the GPUs of a task",
	  { .tasks = 1, .min_nodes = 2, GPU_OF_TASK, FOUR_GPUS, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 16, 16 },
	{ "one node gives the GPUs of a task their CPUs, no more",
	  { .tasks = 1, GPU_OF_TASK, FOUR_GPUS, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 3, 3 },
	{ "nodes of unknown size give no more CPUs than those of GPUs",
	  { .tasks = 1, .min_nodes = 2, GPU_OF_TASK, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB, .node.gres = "gpu:p100:4" },
	  3, 3 },
	{ "two nodes may give one CPU to each GPU",
	  { .tasks = 1, .min_nodes = 2, .tres_per_task = "gres:gpu:1",
	    .cpus_per_tres = "gres:gpu:1", FOUR_GPUS, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 8, 8 },
	{ "two nodes may give CPUs to GPUs of tasks beside another resource",
	  { .tasks = 1, .min_nodes = 2, .tres_per_job = "gres:tpu:1",
	    GPU_OF_TASK, FOUR_GPUS, .most = true,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 16, 16 },
	{ "two nodes give no CPUs to GPUs that no task has",
	  { .min_nodes = 2, .cpus_per_tres = "gres:gpu:3", FOUR_GPUS,
	    .most = true, .tasks_counted = EQT_TASKS_OF_JOB }, 2, 2 },
	{ "two nodes give a CPU each to a job without lists",
	  { .min_nodes = 2, .most = true, .tasks_counted = EQT_TASKS_OF_JOB },
	  2, 2 },
	{ "the GPUs of a whole node of unknown size have their CPUs",
	  { .cpus_per_tres = "gres:gpu:3", .exclusive = true,
	    .node.gres = "gpu:p100:4" }, 12, 12 },
	{ "the GPUs of a whole node of one CPU have no CPUs more",
	  { .cpus_per_tres = "gres:gpu:3", .exclusive = true, .node.cpus = 1,
	    .node.gres = "gpu:p100:4" }, 1, 1 },
	{ "select/linear: a node of unknown size gives one CPU",
	  { .linear = true }, 1, 1 },
	{ "select/linear: a node gives what is added for whole nodes, nothing else",
	  { .linear = true, .node.cpus = 1 }, 0, 0 },
};

START_TEST(cpus_and_cores_are_those_of_the_row)
{
	const struct cpus_row *row = &cpus_rows[_i];
	struct eqt_job_totals got;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_job_spec_compute(&got, &prices, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_msg(got.demand.cores == row->cores && got.cpus == row->cpus,
		      "%s: %ju cores, %ju CPUs", row->name,
		      (uintmax_t) got.demand.cores, (uintmax_t) got.cpus);
}
END_TEST

static const struct large_row {
	const char *name;
	struct eqt_job_spec spec;
} large_rows[] = {
	{ "sockets of whole nodes",
	  { .whole_sockets = true, .exclusive = true,
	    .node = { .cpus = MAX, .sockets = 2 } } },
	{ "tasks of a socket",
	  { .cpus_per_task = MAX, .tasks_per_socket = 2, .node.sockets = 1 } },
	{ "the CPUs of nodes by their memory",
	  { .tasks = 1, .min_nodes = MAX, .overcommit = true,
	    EIGHT_OF_TASKS } },
	{ "the CPUs of tasks by memory for each CPU",
	  { .tasks = MAX, .overcommit = true, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000, .limit.mem_per_cpu = 1000 } },
	{ "the CPUs of tasks of a node by its memory",
	  { .tasks = 1, .tasks_per_node = MAX - 1, .overcommit = true,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = MAX,
	    .limit.mem_per_cpu = 1 } },
	{ "the CPUs of tasks by the memory of a node",
	  { .tasks = MAX - 1, .overcommit = true, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = MAX, .limit = { .mem_per_cpu = 1,
	    .raises_tasks = true } } },
};

START_TEST(cpus_that_do_not_fit_are_refused)
{
	const struct large_row *row = &large_rows[_i];
	struct eqt_job_totals got;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_job_spec_compute(&got, &prices, &row->spec, &err) < 0,
		      "%s: %ju CPUs", row->name, (uintmax_t) got.cpus);
	ck_assert_str_eq(err.text, "the request is too large to price");
}
END_TEST

START_TEST(the_cpus_of_the_job_are_wanted_even_if_nodes_give_more)
{
	const struct eqt_job_spec two = { .min_cpus = 2 };
	const struct eqt_job_spec eight = { EIGHT_OF_TASKS };
	struct eqt_job_totals got;

	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &two, NULL), 0);
	ck_assert_uint_eq(got.cpus_wanted, 2);
	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &eight, NULL), 0);
	ck_assert_uint_eq(got.cpus_wanted, 8);
}
END_TEST

START_TEST(without_a_limit_of_memory_tasks_keep_their_cpus)
{
	const struct eqt_job_spec spec = { .mem = EQT_MEM_PER_CPU,
					   .mem_mib = 4000 };
	struct eqt_memory_limit_cpus cpus = { .per_task = 3 };
	uint64_t mem_mib = 7;

	ck_assert_int_eq(eqt_memory_limit_apply(&cpus, &mem_mib, &spec), 0);
	ck_assert_uint_eq(cpus.per_task, 3);
	ck_assert_uint_eq(mem_mib, 7);
}
END_TEST

START_TEST(cpus_come_from_gpus_that_have_as_many_as_the_job)
{
	struct eqt_job_spec spec = { .tres_per_job = "gres:gpu:1",
				     .cpus_per_tres = "gres:gpu:1" };
	struct eqt_job_totals got;

	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &spec, NULL), 0);
	ck_assert(got.cpus_by_gpu);
	spec.tasks = 2;
	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &spec, NULL), 0);
	ck_assert(!got.cpus_by_gpu);
}
END_TEST

START_TEST(fair_memory_of_a_node_is_that_of_its_cpus_before)
{
	const struct eqt_job_spec two = { .min_nodes = 2, EIGHT };
	const struct eqt_job_spec shared = { .tasks = 2, .overcommit = true,
					     .limit.mem_per_cpu = 1000 };
	struct eqt_job_totals got;

	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &two, NULL), 0);
	ck_assert_uint_eq(got.fair_mem_mib, 1000);
	ck_assert_int_eq(eqt_job_spec_compute(&got, &prices, &shared, NULL), 0);
	ck_assert_uint_eq(got.fair_mem_mib, 0);
}
END_TEST

#define PER_CPU(mib) .mem = EQT_MEM_PER_CPU, .mem_mib = (mib)
#define PER_NODE(mib) .mem = EQT_MEM_PER_NODE, .mem_mib = (mib)
#define AT_MOST_1000 .limit.mem_per_node = 1000

static const struct {
	const char *name;
	struct eqt_job_spec spec;
	bool passed;
} limit_rows[] = {
	{ "no limit", { PER_NODE(1001) }, false },
	{ "memory of a node at the limit", { AT_MOST_1000, PER_NODE(1000) },
	  false },
	{ "memory of a node above the limit", { AT_MOST_1000, PER_NODE(1001) },
	  true },
	{ "memory of one CPU", { AT_MOST_1000, PER_CPU(1000) }, false },
	{ "memory of the tasks of a node at the limit",
	  { AT_MOST_1000, PER_CPU(250), .tasks_per_node = 4 }, false },
	{ "memory of the tasks of a node above the limit",
	  { AT_MOST_1000, PER_CPU(250), .tasks_per_node = 5 }, true },
	{ "memory of the CPUs of a task at the limit",
	  { AT_MOST_1000, PER_CPU(250), .cpus_per_task = 4 }, false },
	{ "memory of the CPUs of a task above the limit",
	  { AT_MOST_1000, PER_CPU(250), .cpus_per_task = 5 }, true },
	{ "memory of the CPUs of --mincpus at the limit",
	  { AT_MOST_1000, PER_CPU(250), .min_cpus_per_node = 4 }, false },
	{ "memory of the CPUs of --mincpus above the limit",
	  { AT_MOST_1000, PER_CPU(250), .min_cpus_per_node = 5 }, true },
	{ "tasks on any number of nodes",
	  { AT_MOST_1000, PER_CPU(250), .tasks = 99 }, false },
	{ "at most four tasks on each of two nodes",
	  { AT_MOST_1000, PER_CPU(250), .tasks = 8, .max_nodes = 2 }, false },
	{ "five tasks on one of two nodes",
	  { AT_MOST_1000, PER_CPU(250), .tasks = 9, .max_nodes = 2 }, true },
	{ "whole nodes of a number of CPUs that is not known",
	  { AT_MOST_1000, PER_CPU(250), .tasks_per_node = 5,
	    .exclusive = true }, false },
	{ "more CPUs than 64 bits",
	  { AT_MOST_1000, PER_CPU(1), .tasks_per_node = UINT64_MAX,
	    .cpus_per_task = 2 }, true },
	{ "more memory than 64 bits",
	  { AT_MOST_1000, PER_CPU(2), .tasks_per_node = UINT64_MAX / 2 + 1 },
	  true },
	{ "the default of the partition",
	  { AT_MOST_1000, .defaults = { .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 1001 } }, true },
	{ "the default of the partition next to memory of GPUs",
	  { AT_MOST_1000, .mem = EQT_MEM_PER_GPU, .mem_mib = 1,
	    .defaults = { .mem = EQT_MEM_PER_NODE, .mem_mib = 1001 } }, true },
	{ "a request below the default of the partition",
	  { AT_MOST_1000, PER_NODE(1), .defaults = { .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 1001 } }, false },
	{ "all memory of the first node",
	  { AT_MOST_1000, .limit.node_mem_mib = 1001 }, true },
};

START_TEST(memory_of_a_node_passes_the_limit_of_the_partition)
{
	ck_assert_msg(eqt_memory_limit_passed(&limit_rows[_i].spec) ==
			      limit_rows[_i].passed,
		      "%s", limit_rows[_i].name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("CPUs of a job");
	TCase *tcase = tcase_create("counts");

	tcase_add_loop_test(tcase, cpus_and_cores_are_those_of_the_row, 0,
			    (int) COUNT(cpus_rows));
	tcase_add_loop_test(tcase, cpus_that_do_not_fit_are_refused, 0,
			    (int) COUNT(large_rows));
	tcase_add_test(tcase,
		       the_cpus_of_the_job_are_wanted_even_if_nodes_give_more);
	tcase_add_test(tcase, without_a_limit_of_memory_tasks_keep_their_cpus);
	tcase_add_test(tcase, cpus_come_from_gpus_that_have_as_many_as_the_job);
	tcase_add_test(tcase,
		       fair_memory_of_a_node_is_that_of_its_cpus_before);
	tcase_add_loop_test(tcase,
			    memory_of_a_node_passes_the_limit_of_the_partition,
			    0, (int) COUNT(limit_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
