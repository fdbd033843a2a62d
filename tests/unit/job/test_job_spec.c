/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request in Slurm's words gives the amounts that Slurm would allocate for
 * it, and no text of a user does harm. */
#include <stdio.h>

#include "job/job_totals.h"
#include "price/gres.h"
#include "../unit.h"
#include "demand.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

static const struct eqt_bundle_table prices = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
		{ "gpu:v100", 8000000, UINT64_C(48000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
		{ "tpu", 4000000, 0, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 3,
};

enum { P100, V100, TPU };

#define LIMIT .limit = { .mem_per_cpu = 4000 }
#define TOO_LARGE "the request is too large to price"
#define UNREADABLE "a generic resource of the request cannot be read"
#define MIXED "the request counts gpu with a type and without one"

struct ask_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t cores, mem_mib, untyped, p100, v100;
	const char *error;	/* NULL: none */
};

static const struct ask_row ask_rows[] = {
	{ "nothing at all", { 0 }, 1, 0, 0, 0, 0, NULL },
	/* cores */
	{ "-n2", { .tasks = 2, .min_cpus = 2 }, 2, 0, 0, 0, 0, NULL },
	{ "-n2 -c3", { .tasks = 2, .cpus_per_task = 3 }, 6, 0, 0, 0, 0, NULL },
	{ "-c3", { .cpus_per_task = 3 }, 3, 0, 0, 0, 0, NULL },
	{ "min_cpus alone", { .min_cpus = 7 }, 7, 0, 0, 0, 0, NULL },
	{ "-N4", { .min_nodes = 4 }, 4, 0, 0, 0, 0, NULL },
	{ "-N4 -n2", { .tasks = 2, .min_nodes = 4 }, 4, 0, 0, 0, 0, NULL },
	{ "-N2 --ntasks-per-node=3 -c2",
	  { .min_nodes = 2, .tasks_per_node = 3, .cpus_per_task = 2 },
	  12, 0, 0, 0, 0, NULL },
	{ "-n5 --ntasks-per-node=3: CPUs for 3 on each of 2 nodes",
	  { .tasks = 5, .tasks_per_node = 3, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 100 }, 6, 200, 0, 0, 0, NULL },
	{ "-n2 --ntasks-per-node=8: CPUs for 8",
	  { .tasks = 2, .tasks_per_node = 8 }, 8, 0, 0, 0, 0, NULL },
	{ "-n1 --ntasks-per-node=8: but not for one task",
	  { .tasks = 1, .tasks_per_node = 8 }, 1, 0, 0, 0, 0, NULL },
	{ "-N2 -c20 -n1", { .tasks = 1, .cpus_per_task = 20,
			    .min_nodes = 2 }, 40, 0, 0, 0, 0, NULL },
	{ "-N2 --mincpus=5", { .min_nodes = 2, .min_cpus_per_node = 5 },
	  10, 0, 0, 0, 0, NULL },
	{ "-n8 -O", { .tasks = 8, .min_cpus = 1, .overcommit = true },
	  1, 0, 0, 0, 0, NULL },
	{ "cpu=4 among the TRES of a task",
	  { .tasks = 2, .tres_per_task = "cpu=4,gres/gpu:p100=1" },
	  8, 0, 0, 2, 0, NULL },
	{ "DefCpuPerGPU", { .tres_per_job = "gres:gpu:2",
			    .defaults.cpus_per_gpu = 6 },
	  12, 0, 2, 0, 0, NULL },
	{ "DefCpuPerGPU, but -c1", { .tres_per_job = "gres:gpu:2",
				     .cpus_per_task = 1,
				     .defaults.cpus_per_gpu = 6 },
	  1, 0, 2, 0, 0, NULL },
	{ "--cpus-per-gpu before DefCpuPerGPU",
	  { .tres_per_job = "gres:gpu:2", .cpus_per_tres = "gres:gpu:3",
	    .defaults.cpus_per_gpu = 6 }, 6, 0, 2, 0, 0, NULL },
	{ "--cpus-per-gpu of a model",
	  { .tres_per_job = "gres:gpu:p100:2,gres:gpu:v100:1",
	    .cpus_per_tres = "gres:gpu:p100:3,gres:gpu:1" },
	  7, 0, 0, 2, 1, NULL },
	/* memory */
	{ "--mem", { .mem = EQT_MEM_PER_NODE, .mem_mib = 500,
		     .min_nodes = 3 }, 3, 1500, 0, 0, 0, NULL },
	{ "--mem-per-cpu", { .mem = EQT_MEM_PER_CPU, .mem_mib = 500,
			     .tasks = 2, .cpus_per_task = 3 },
	  6, 3000, 0, 0, 0, NULL },
	{ "--mem-per-gpu", { .mem_per_tres = "gres:gpu:700",
			     .tres_per_job = "gres:gpu:v100:2" },
	  1, 1400, 0, 0, 2, NULL },
	{ "--mem-per-gpu=1M", { .mem_per_tres = "gres:gpu:1",
				.tres_per_job = "gres:gpu:v100:2",
				.defaults = { .mem = EQT_MEM_PER_NODE,
					      .mem_mib = 500 } },
	  1, 2, 0, 0, 2, NULL },
	{ "--mem-per-gpu as a number", { .mem = EQT_MEM_PER_GPU,
					 .mem_mib = 700,
					 .tres_per_job = "gres:gpu:2" },
	  1, 1400, 2, 0, 0, NULL },
	{ "--mem=0", { .mem = EQT_MEM_ALL, .min_nodes = 2,
		       .node.mem_mib = 128000 }, 2, 256000, 0, 0, 0, NULL },
	{ "--mem=0 of an unknown node", { .mem = EQT_MEM_ALL },
	  1, 0, 0, 0, 0, NULL },
	{ "DefMemPerCPU", { .tasks = 3, .defaults.mem = EQT_MEM_PER_CPU,
			    .defaults.mem_mib = 4000 },
	  3, 12000, 0, 0, 0, NULL },
	{ "an amount by default that is of nothing",
	  { .tasks = 3, .defaults.mem_mib = 4000 }, 3, 0, 0, 0, 0, NULL },
	{ "DefMemPerNode", { .tasks = 3, .defaults.mem = EQT_MEM_PER_NODE,
			     .defaults.mem_mib = 4000 },
	  3, 4000, 0, 0, 0, NULL },
	{ "--mem before DefMemPerCPU",
	  { .tasks = 3, .mem = EQT_MEM_PER_NODE, .mem_mib = 10,
	    .defaults.mem = EQT_MEM_PER_CPU, .defaults.mem_mib = 4000 },
	  3, 10, 0, 0, 0, NULL },
	{ "DefMemPerGPU with GPUs",
	  { .tres_per_job = "gres:gpu:2", .defaults.mem_per_gpu = 900,
	    .defaults.mem = EQT_MEM_PER_CPU, .defaults.mem_mib = 4000 },
	  1, 1800, 2, 0, 0, NULL },
	{ "DefMemPerGPU without GPUs",
	  { .defaults.mem_per_gpu = 900,
	    .defaults.mem = EQT_MEM_PER_CPU, .defaults.mem_mib = 4000 },
	  1, 4000, 0, 0, 0, NULL },
	/* both spellings, with and without type and count */
	{ "gres:gpu", { .tres_per_job = "gres:gpu" }, 1, 0, 1, 0, 0, NULL },
	{ "gres/gpu", { .tres_per_job = "gres/gpu" }, 1, 0, 1, 0, 0, NULL },
	{ "gres:gpu:3", { .tres_per_job = "gres:gpu:3" },
	  1, 0, 3, 0, 0, NULL },
	{ "gres/gpu=3", { .tres_per_job = "gres/gpu=3" },
	  1, 0, 3, 0, 0, NULL },
	{ "gres:gpu:p100", { .tres_per_job = "gres:gpu:p100" },
	  1, 0, 0, 1, 0, NULL },
	{ "gres/gpu:p100:2", { .tres_per_job = "gres/gpu:p100:2" },
	  1, 0, 0, 2, 0, NULL },
	{ "gres/gpu:p100=2", { .tres_per_job = "gres/gpu:p100=2" },
	  1, 0, 0, 2, 0, NULL },
	{ "gpu:p100:2", { .tres_per_node = "gpu:p100:2" },
	  1, 0, 0, 2, 0, NULL },
	{ "count with a suffix", { .tres_per_job = "gres:gpu:v100:2K" },
	  1, 0, 0, 0, 2048, NULL },
	{ "count with kb", { .tres_per_job = "gres:gpu:1kB" },
	  1, 0, 1000, 0, 0, NULL },
	{ "count of 0", { .tres_per_job = "gres:gpu:0" },
	  1, 0, 0, 0, 0, NULL },
	{ "several models", { .tres_per_job = "gres:gpu:p100:1,"
					      "gres:gpu:v100:2" },
	  1, 0, 0, 1, 2, NULL },
	{ "empty items", { .tres_per_job = ",,gres:gpu:p100:1,,"},
	  1, 0, 0, 1, 0, NULL },
	{ "empty list", { .tres_per_job = "" }, 1, 0, 0, 0, 0, NULL },
	{ "others are passed over",
	  { .tres_per_node = "gres:shard:2,gres:gpu:p100:1,license/x=3" },
	  1, 0, 0, 1, 0, NULL },
	/* requests that Slurm does not allocate, or with other counts */
	{ "CR_Core: memory is not given out",
	  { .tasks = 10, .mem = EQT_MEM_PER_CPU, .mem_mib = 9000,
	    .no_memory = true }, 10, 0, 0, 0, 0, NULL },
	{ "CR_Core: MaxMemPerCPU raises CPUs",
	  { .tasks = 2, .mem = EQT_MEM_PER_CPU, .mem_mib = 5000, LIMIT,
	    .no_memory = true }, 4, 0, 0, 0, 0, NULL },
	{ "where -n decides, nodes without GPUs have no CPUs of tasks beyond it",
	  { .tasks = 4, .min_nodes = 2, .tasks_per_node = 8,
	    .tasks_counted = EQT_TASKS_OF_JOB }, 4, 0, 0, 0, 0, NULL },
	{ "a node with GPUs gives the CPUs of one task, not those of --mincpus",
	  { .tasks = 1, .min_cpus_per_node = 7,
	    .tres_per_node = "gres:gpu:p100:1" }, 1, 0, 0, 1, 0, NULL },
	{ "a node with GPUs gives those of --mincpus to tasks without a number",
	  { .min_cpus_per_node = 7, .tres_per_node = "gres:gpu:p100:1" },
	  7, 0, 0, 1, 0, NULL },
	{ "tasks of a node decide, not --mincpus",
	  { .tasks = 3, .cpus_per_task = 2, .tasks_per_node = 2,
	    .min_cpus_per_node = 7 }, 8, 0, 0, 0, 0, NULL },
	{ "one task of a node with several CPUs decides, not --mincpus",
	  { .tasks = 1, .cpus_per_task = 2, .tasks_per_node = 1,
	    .min_cpus_per_node = 6 }, 2, 0, 0, 0, 0, NULL },
	{ "a node has as many CPUs as it may have tasks, for one task, too",
	  { .tasks = 1, .cpus_per_task = 2, .tasks_per_node = 4,
	    .min_cpus_per_node = 12 }, 8, 0, 0, 0, 0, NULL },
	{ "one task of a node with memory above MaxMemPerCPU",
	  { .tasks = 1, .cpus_per_task = 2, .tasks_per_node = 2, LIMIT,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 16001 },
	  5, 16001, 0, 0, 0, NULL },
	{ "CR_Socket: tasks of a node are dealt to all of its sockets",
	  { .tasks = 1, .tasks_per_node = 3, .tres_per_node = "gres:gpu:p100:2",
	    .whole_sockets = true, .most = true, .node.cpus = 24,
	    .node.sockets = 2 }, 24, 0, 0, 2, 0, NULL },
	{ "MaxMemPerCPU: nodes have the CPUs of all tasks that they may have",
	  { .tasks = 10, .min_nodes = 3, .max_nodes = 3, .tasks_per_node = 4,
	    LIMIT, .most = true, .mem = EQT_MEM_PER_CPU, .mem_mib = 13000 },
	  48, 156000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: the CPUs that two nodes may lack are not all of them",
	  { .tasks = 2, .min_nodes = 1, .max_nodes = 2, .tasks_per_node = 3,
	    LIMIT, .parts = true, .node.count = 4, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 7000 }, 1, 3500, 0, 0, 0, NULL },
	{ "--mincpus decides beside one task of a node with one CPU",
	  { .tasks = 1, .tasks_per_node = 1, .min_cpus_per_node = 6 },
	  6, 0, 0, 0, 0, NULL },
	{ "one task of a node, whose CPUs MaxMemPerCPU raised, decides",
	  { .tasks = 1, .tasks_per_node = 1, .min_cpus_per_node = 6, LIMIT,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 4001 }, 2, 4002, 0, 0, 0, NULL },
	{ "memory above MaxMemPerCPU raises the CPUs of a node of tasks",
	  { .tasks_per_node = 2, LIMIT, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 33000 }, 9, 33000, 0, 0, 0, NULL },
	{ "--overcommit: the CPUs of one task, which MaxMemPerCPU raises",
	  { .tasks = 10, .cpus_per_task = 3, .overcommit = true, LIMIT,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 5000 }, 6, 15000, 0, 0, 0, NULL },
	{ "--overcommit: memory of a node above MaxMemPerCPU raises nothing",
	  { .tasks = 8, .overcommit = true, LIMIT, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 4001 }, 1, 4001, 0, 0, 0, NULL },
	{ "--ntasks-per-gpu: DefCpuPerGPU does not hold",
	  { .tasks = 4, .tasks_per_gpu = 2, .tres_per_job = "gres:gpu:p100:2",
	    .defaults.cpus_per_gpu = 3 }, 4, 0, 0, 2, 0, NULL },
	{ "--ntasks-per-gpu: CPUs of the tasks that -n names",
	  { .tasks = 6, .min_cpus = 12, .cpus_per_task = 4, .tasks_per_gpu = 2,
	    .tres_per_job = "gres:gpu:p100:3" }, 12, 0, 0, 3, 0, NULL },
	{ "CPUs of GPUs do not bound the tasks of a model: each CPU is a task",
	  { .tasks = 2, .tres_per_task = "gres:gpu:p100:1", .most = true,
	    .cpus_per_tres = "gres:gpu:2" }, 4, 0, 0, 4, 0, NULL },
	{ "tasks of a model may have the CPUs of DefCpuPerGPU, so that fewer start",
	  { .tasks = 4, .tres_per_task = "gres:gpu:p100:1", .parts = true,
	    .cpus_per_tres = "gres:gpu:1", .defaults.cpus_per_gpu = 3 },
	  4, 0, 0, 1, 0, NULL },
	{ "tasks of a model have no more GPUs than the node",
	  { .tasks = 1, .tres_per_task = "gres:gpu:p100:2", .most = true,
	    .cpus_per_tres = "gres:gpu:4", .node.gres = "gpu:p100:4" },
	  8, 0, 0, 4, 0, NULL },
	{ "CPUs of --mincpus are tasks, each with its GPUs",
	  { .tasks = 2, .min_cpus_per_node = 3, .most = true,
	    .tres_per_task = "gres:gpu:p100:1", .node.gres = "gpu:p100:4" },
	  3, 0, 0, 3, 0, NULL },
	{ "CPUs of MaxMemPerCPU are tasks, each with its GPUs",
	  { .tasks = 2, .cpus_per_task = 2, LIMIT, .most = true,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 24000,
	    .tres_per_task = "gres:gpu:1", .node.gres = "gpu:p100:4" },
	  6, 24000, 3, 0, 0, NULL },
	{ "CPUs of a socket hold all tasks of --mincpus, each with its GPUs",
	  { .tasks = 1, .cpus_per_task = 2, .min_cpus_per_node = 6,
	    .most = true, .whole_sockets = true,
	    .tres_per_task = "gres:gpu:p100:1",
	    .node = { .cpus = 16, .sockets = 1, .gres = "gpu:p100:4" } },
	  16, 0, 0, 3, 0, NULL },
	{ "both CPUs of a core that nodes give to one task have GPUs",
	  { .tasks = 1, .min_cpus_per_node = 6, .cpus_per_core = 2,
	    .most = true, .tres_per_task = "gres:gpu:p100:1",
	    .node = { .cpus = 16, .threads = 2, .gres = "gpu:p100:4" } },
	  1, 0, 0, 2, 0, NULL },
	{ "CR_CPU: all CPUs of the cores that nodes give have GPUs",
	  { .tasks = 1, .cpus_per_task = 3, .min_cpus_per_node = 12,
	    .most = true, .single_cpus = true,
	    .tres_per_task = "gres:gpu:p100:1",
	    .node = { .cpus = 16, .threads = 2, .gres = "gpu:p100:4" } },
	  2, 0, 0, 4, 0, NULL },
	{ "a core of one CPU has the GPU of one task",
	  { .tasks = 1, .min_cpus_per_node = 6, .most = true,
	    .tres_per_task = "gres:gpu:p100:1",
	    .node = { .cpus = 16, .threads = 1, .gres = "gpu:p100:4" } },
	  1, 0, 0, 1, 0, NULL },
	{ "nodes that a plane leaves without a task: all their cores",
	  { .tasks = 2, .cpus_per_task = 4, .plane = 2, .min_nodes = 2,
	    .most = true, .node.cpus = 32 }, 40, 0, 0, 0, 0, NULL },
	{ "nodes that a plane leaves without a task, where jobs share cores: none",
	  { .tasks = 2, .cpus_per_task = 4, .plane = 2, .min_nodes = 2,
	    .most = true, .single_cpus = true, .node.cpus = 16 }, 8, 0, 0, 0, 0, NULL },
	{ "nodes that a plane leaves without a task: no GPU of theirs",
	  { .tasks = 2, .plane = 2, .min_nodes = 2, .parts = true,
	    .tres_per_node = "gres:gpu:p100:1" }, 2, 0, 0, 1, 0, NULL },
	{ "nodes that a plane leaves a task each",
	  { .tasks = 3, .plane = 2, .min_nodes = 2, .most = true,
	    .tres_per_node = "gres:gpu:p100:1", .node.cpus = 32 },
	  3, 0, 0, 2, 0, NULL },
	{ "--mincpus beside a task of two CPUs: one more on each node has GPUs",
	  { .tasks = 1, .cpus_per_task = 2, .min_cpus_per_node = 7,
	    .most = true, .tres_per_task = "gres:gpu:p100:1",
	    .node.gres = "gpu:p100:4" }, 2, 0, 0, 2, 0, NULL },
	{ "--exclusive=user: memory for the CPUs of the job, and its node's",
	  { .tasks = 1, .cpus_per_task = 3, .exclusive = true,
	    .keeps_rest = true, .mem = EQT_MEM_PER_CPU, .mem_mib = 4000,
	    .node = { .cpus = 32, .threads = 2, .mem_mib = 64000 } },
	  16, 64000, 0, 0, 0, NULL },
	{ "--mincpus beside one task for each GPU: a task is not split",
	  { .tasks = 1, .min_cpus_per_node = 3, .most = true,
	    .tres_per_task = "gres:gpu:p100:1", .node.gres = "gpu:p100:4" },
	  1, 0, 0, 1, 0, NULL },
	{ "tasks of three CPUs on nodes of 16 may lack some",
	  { .tasks = 8, .cpus_per_task = 3, .parts = true, .node.count = 2 },
	  22, 0, 0, 0, 0, NULL },
	{ "memory for each CPU: tasks are whole on each node",
	  { .tasks = 8, .cpus_per_task = 3, .parts = true, .node.count = 2,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 100 }, 24, 2400, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: a second node may have one CPU",
	  { .tasks = 2, .min_nodes = 1, .max_nodes = 2, .parts = true,
	    .node.count = 4, LIMIT, .mem = EQT_MEM_PER_CPU, .mem_mib = 13000 },
	  5, 16250, 0, 0, 0, NULL },
	/* per what */
	{ "per node", { .tres_per_node = "gres:gpu:p100:2", .min_nodes = 3 },
	  3, 0, 0, 6, 0, NULL },
	{ "per socket: one of each node at least",
	  { .tres_per_socket = "gres:gpu:1", .min_nodes = 3,
	    .max_nodes = 3, .sockets_per_node = 2 }, 3, 0, 3, 0, 0, NULL },
	{ "per socket: of each node all sockets at most",
	  { .tres_per_socket = "gres:gpu:1", .min_nodes = 3, .most = true,
	    .max_nodes = 3, .sockets_per_node = 2 }, 3, 0, 6, 0, 0, NULL },
	{ "per socket, no nodes named: one at least",
	  { .tres_per_socket = "gres:gpu:1", .sockets_per_node = 2 },
	  1, 0, 1, 0, 0, NULL },
	{ "per socket, no nodes named: all of them at most",
	  { .tres_per_socket = "gres:gpu:1", .sockets_per_node = 2,
	    .layout_cpus = 2, .most = true, .node.sockets = 4 },
	  1, 0, 4, 0, 0, NULL },
	{ "per socket, of which a node has GPUs for one of two",
	  { .tres_per_socket = "gres:gpu:2", .min_nodes = 3, .most = true,
	    .max_nodes = 3, .node = { .sockets = 2, .gres = "gpu:3" } },
	  3, 0, 6, 0, 0, NULL },
	{ "per socket, of which a node has GPUs for one, and CPUs of GPUs for both",
	  { .tres_per_socket = "gres:gpu:2", .cpus_per_tres = "gres:gpu:1",
	    .most = true, .node = { .sockets = 2, .gres = "gpu:3" } },
	  4, 0, 4, 0, 0, NULL },
	{ "per socket, of which a job of one core has one",
	  { .tres_per_socket = "gres:gpu:1", .tasks = 1, .layout_cpus = 1,
	    .sockets_per_node = 1, .most = true, .node.sockets = 4 },
	  1, 0, 1, 0, 0, NULL },
	{ "per socket, of which a job of two cores of one task each has all",
	  { .tres_per_socket = "gres:gpu:1", .tasks = 1, .layout_cpus = 1,
	    .sockets_per_node = 1, .most = true, .node.sockets = 4,
	    .min_cpus_per_node = 2, .cpus_per_core = 2,
	    .task_per_core = true }, 2, 0, 4, 0, 0, NULL },
	{ "per socket, of which one task with --overcommit has one",
	  { .tres_per_socket = "gres:gpu:1", .tasks = 1, .layout_cpus = 1,
	    .sockets_per_node = 1, .most = true, .node.sockets = 4,
	    .min_cpus_per_node = 2, .cpus_per_core = 2, .overcommit = true,
	    .task_per_core = true }, 1, 0, 1, 0, 0, NULL },
	{ "per task", { .tres_per_task = "gres:gpu:2", .tasks = 5 },
	  5, 0, 10, 0, 0, NULL },
	{ "per task of nodes", { .tres_per_task = "gres:gpu:1",
				 .min_nodes = 2, .tasks_per_node = 4 },
	  8, 0, 8, 0, 0, NULL },
	{ "per job and per node say the same",
	  { .tres_per_job = "gres:gpu:p100:4",
	    .tres_per_node = "gres:gpu:p100:2", .min_nodes = 2 },
	  2, 0, 0, 4, 0, NULL },
	{ "GPUs of tasks", { .tasks = 8, .tasks_per_gpu = 2 },
	  8, 0, 4, 0, 0, NULL },
	{ "tasks of GPUs", { .tres_per_job = "gres:gpu:3",
			     .tasks_per_gpu = 2 }, 6, 0, 3, 0, 0, NULL },
	/* whole nodes */
	/* MaxMemPerCPU=4000 */
	{ "MaxMemPerCPU: -n2 --mem=10000M has 3 CPUs",
	  { .tasks = 2, .min_cpus = 2, LIMIT, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 10000 }, 3, 10000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: each node has them",
	  { .min_nodes = 2, LIMIT, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 10000 }, 6, 20000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: -n4 --mem-per-cpu=4001M has twice the CPUs",
	  { .tasks = 4, .min_cpus = 4, LIMIT, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4001 }, 8, 16008, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: -n2 -c2 --mem-per-cpu=9000M has three times the CPUs",
	  { .tasks = 2, .cpus_per_task = 2, .min_cpus = 4, LIMIT,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 9000 }, 12, 36000, 0, 0, 0,
	  NULL },
	{ "MaxMemPerCPU: what is within it stays",
	  { .tasks = 2, LIMIT, .mem = EQT_MEM_PER_CPU, .mem_mib = 4000 },
	  2, 8000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: -c2 --mem=16001M has whole tasks",
	  { .tasks = 1, .cpus_per_task = 2, .min_cpus = 2, LIMIT,
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 16001 }, 4, 16001, 0, 0, 0,
	  NULL },
	{ "MaxMemPerCPU: the default counts, too",
	  { .tasks = 2, LIMIT, .defaults = { .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 9000 } }, 6, 18000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU: all memory is that of the first node",
	  { .limit = { .mem_per_cpu = 4000, .node_mem_mib = 64000 }, .mem = EQT_MEM_ALL,
	    .node.mem_mib = 64000 }, 16, 64000, 0, 0, 0, NULL },
	{ "MaxMemPerCPU where CPUs of tasks are raised: -n2 --mem=10000M",
	  { .tasks = 2, .min_cpus = 2, .limit = { .mem_per_cpu = 4000, .raises_tasks = true },
	    .mem = EQT_MEM_PER_NODE, .mem_mib = 10000 }, 4, 10000, 0, 0, 0,
	  NULL },
	{ "MaxMemPerCPU: too large",
	  { .tasks = MAX, .cpus_per_task = 2, LIMIT, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 9000 }, 0, 0, 0, 0, 0, TOO_LARGE },
	{ "MaxMemPerCPU: a task with too many CPUs",
	  { .cpus_per_task = UINT64_C(1) << 63, LIMIT, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 5000 }, 0, 0, 0, 0, 0, TOO_LARGE },
	{ "--exclusive", { .exclusive = true, .min_nodes = 2,
			   .node = { .cpus = 32, .mem_mib = 128000, .gres = "" },
			   .defaults.mem = EQT_MEM_PER_CPU,
			   .defaults.mem_mib = 4000 },
	  64, 256000, 0, 0, 0, NULL },
	{ "--exclusive takes all GPUs",
	  { .exclusive = true, .tres_per_node = "gres:gpu:1",
	    .node = { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4" },
	    .mem_per_tres = "gres:gpu:1000" }, 24, 128000, 0, 4, 0, NULL },
	{ "--exclusive of an unknown node", { .exclusive = true, .tasks = 3 },
	  3, 0, 0, 0, 0, NULL },
	/* requests that Slurm refuses, too */
	{ "gpu:", { .tres_per_job = "gres:gpu:" }, 0, 0, 0, 0, 0, UNREADABLE },
	{ "gpu::1", { .tres_per_job = "gres:gpu::1" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "gpu:p100:", { .tres_per_job = "gres:gpu:p100:" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "gpu:p100:x", { .tres_per_job = "gres:gpu:p100:x" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "negative", { .tres_per_job = "gres:gpu:p100:-1" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "beyond 64 bits", { .tres_per_job = "gres:gpu:18446744073709551616" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "suffix beyond 64 bits", { .tres_per_job = "gres:gpu:p100:99999P" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "control characters", { .tres_per_job = "gres:gpu:\033[2J\n:1" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "bytes above ASCII", { .tres_per_job = "gres:gpu:\x9b" "1m" },
	  0, 0, 0, 0, 0, UNREADABLE },
	{ "typed and untyped", { .tres_per_job = "gres:gpu:p100:1,gres:gpu:1" },
	  0, 0, 0, 0, 0, MIXED },
	{ "unknown model", { .tres_per_job = "gres:gpu:t4:1" },
	  0, 0, 0, 0, 0, "gpu:t4 has no price" },
	{ "GPUs times nodes", { .tres_per_node = "gres:gpu:9223372036854775807",
				.min_nodes = 3 }, 0, 0, 0, 0, 0, TOO_LARGE },
	{ "sockets times nodes", { .tres_per_socket = "gres:gpu:1",
				   .min_nodes = MAX, .max_nodes = MAX,
				   .most = true, .sockets_per_node = 2 },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "tasks times CPUs", { .tasks = MAX, .cpus_per_task = 2 },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "CPUs of a node's tasks", { .tasks = 2, .cpus_per_task = 2,
				      .tasks_per_node = MAX },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "tasks a node times nodes", { .tasks_per_node = MAX,
					.min_nodes = 2 },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "memory times CPUs", { .tasks = 2, .mem = EQT_MEM_PER_CPU,
				 .mem_mib = MAX }, 0, 0, 0, 0, 0, TOO_LARGE },
	{ "memory times GPUs", { .tres_per_job = "gres:gpu:2",
				 .mem_per_tres =
				 "gres:gpu:18446744073709551615" },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "GPUs added up", { .tres_per_job = "gres:gpu:p100:"
			     "18446744073709551615,gres:gpu:v100:1" },
	  0, 0, 0, 0, 0, TOO_LARGE },
	{ "CPUs of GPUs", { .tres_per_job = "gres:gpu:4", .cpus_per_tres =
			    "gres:gpu:9223372036854775807" },
	  0, 0, 0, 0, 0, TOO_LARGE },
};

START_TEST(request_comes_to_what_slurm_would_allocate)
{
	const struct ask_row *row = &ask_rows[_i];
	struct eqt_demand got = { .cores = 4711 };
	struct eqt_error err = { "" };
	int rc = job_demand(&got, &prices, &row->spec, &err);

	if (row->error) {
		ck_assert_msg(rc == -1, "%s", row->name);
		ck_assert_str_eq(err.text, row->error);
		ck_assert_uint_eq(got.cores, 4711);
		return;
	}
	ck_assert_msg(rc == 0, "%s: %s", row->name, err.text);
	ck_assert_msg(got.cores == row->cores, "%s: %ju cores", row->name,
		      (uintmax_t) got.cores);
	ck_assert_msg(got.mem_mib == row->mem_mib, "%s: %juM", row->name,
		      (uintmax_t) got.mem_mib);
	ck_assert_msg(got.gpus_untyped == row->untyped &&
		      got.gpus[P100] == row->p100 &&
		      got.gpus[V100] == row->v100, "%s: %ju %ju %ju",
		      row->name, (uintmax_t) got.gpus_untyped,
		      (uintmax_t) got.gpus[P100], (uintmax_t) got.gpus[V100]);
}
END_TEST

START_TEST(gres_of_a_bundle_counts_whatever_its_name)
{
	struct eqt_job_spec spec = { .tres_per_job = "gres:tpu:v3:2,gres:tpu:v4:1" };
	struct eqt_demand got;

	ck_assert_int_eq(job_demand(&got, &prices, &spec, NULL), 0);
	ck_assert_uint_eq(got.gpus[TPU], 3);
	spec.tres_per_job = "gres:tpu:2";
	ck_assert_int_eq(job_demand(&got, &prices, &spec, NULL), 0);
	ck_assert_uint_eq(got.gpus[TPU], 2);
}
END_TEST

/* A list of count items "gres:gpu:<number>:1"; the caller frees. */
static char *many_types(int count)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(stream);
	for (int i = 0; i < count; i++)
		fprintf(stream, "gres:gpu:t%d:1,", i);
	fclose(stream);
	return text;
}

START_TEST(types_beyond_the_table_are_refused)
{
	char *list = many_types(EQT_GRES_MAX + 1);
	struct eqt_job_spec spec = { .tres_per_job = list };
	struct eqt_error err = { "" };
	struct eqt_demand got;

	ck_assert_int_eq(job_demand(&got, &prices, &spec, &err), -1);
	ck_assert_str_eq(err.text, "the request names more than 64 types of "
			 "generic resources");
	free(list);
}
END_TEST

START_TEST(huge_texts_are_read_to_their_end)
{
	size_t size = (size_t) 1 << 22;
	char *list = malloc(size + 1);
	struct eqt_job_spec spec = { .tres_per_job = list };
	struct eqt_demand got;
	struct eqt_amount_tasks tasks = { 4711, false };

	ck_assert_ptr_nonnull(list);
	memset(list, 'g', size);
	list[size] = '\0';
	ck_assert_int_eq(job_demand(&got, &prices, &spec, NULL), -1);
	memset(list, ',', size);
	ck_assert_int_eq(job_demand(&got, &prices, &spec, NULL), 0);
	memset(list, '9', size);
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, list, 0), -1);
	memset(list, '1', size);
	for (size_t i = 1; i < size; i += 2)
		list[i] = ',';
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, list, 0), -1);
	ck_assert_uint_eq(tasks.count, 4711);
	free(list);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ask");
	TCase *tcase = tcase_create("ask");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(request_comes_to_what_slurm_would_allocate, ask_rows);
	tcase_add_test(tcase, gres_of_a_bundle_counts_whatever_its_name);
	tcase_add_test(tcase, types_beyond_the_table_are_refused);
	tcase_add_test(tcase, huge_texts_are_read_to_their_end);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
