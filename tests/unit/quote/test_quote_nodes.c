/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price of a request by the nodes that there are: on several kinds of them, and
 * on none. */
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MEM(amount) .mem = EQT_MEM_PER_NODE, .mem_mib = (amount)

static const struct eqt_bundle_table cedar = {
	.cores = { "cores", 1000000, UINT64_C(4000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	.gpu = (const struct eqt_bundle[]){
		{ "gpu:p100", 6000000, UINT64_C(32000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
		{ "gpu:v100", 8000000, UINT64_C(48000) * EQT_MICRO, 1000000, NULL, NULL, NULL, 0, 0, NULL },
	},
	.gpu_count = 2,
};

static const struct node_row {
	const char *name;
	struct eqt_job_spec spec;
	const char *brief;
} node_rows[] = {
	{ "tasks of GPUs, and CPUs that MaxMemPerCPU adds to the node",
	  { .tasks = 2, MEM(52000), .tres_per_job = "gres:gpu:p100:2",
	    .tasks_per_gpu = 1, .min_nodes = 1, .max_nodes = 1,
	    .limit.mem_per_cpu = 4000, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 2 } } },
	  "cost 2 to 2.1667 GPU-equivalents (the nodes decide); --mem=8000M: 2" },
	{ "nodes of a kind that are too few take a part",
	  { .tasks = 40, MEM(1000), .min_nodes = 2, .max_nodes = 2, .kinds = 2,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 2 }, { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 4 } } },
	  "cost 20 to 40 core-equivalents (the nodes decide)" },
	{ "a task on each of three nodes of kinds of which there are two",
	  { .cpus_per_task = 4, MEM(1000), .min_nodes = 3, .max_nodes = 3,
	    .kinds = 3, .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 2 }, { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 2 }, { .cpus = 64, .mem_mib = 64000, .threads = 2,
	    .count = 2 } } },
	  "cost 6 to 10 core-equivalents (the nodes decide)" },
	{ "a task on each of three nodes, one of which is of a kind apart",
	  { .cpus_per_task = 4, MEM(1000), .min_nodes = 3, .max_nodes = 3,
	    .kinds = 2, .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 2 }, { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 1 } } },
	  "cost 10 core-equivalents (cores decide)" },
	{ "nodes that the job needs more of, beside one that it needs fewer of",
	  { .tasks = 10, .cpus_per_task = 5, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 1000, .exclusive = true, .node.count = 3, .kinds = 2,
	    .kind = { { .cpus = 24, .mem_mib = 96000, .count = 2 }, {
	    .cpus = 32, .mem_mib = 288000, .count = 1 } } },
	  "cost 50 to 144 core-equivalents (the nodes decide)" },
	{ "nodes that it needs fewer of, beside a later kind that it needs more of",
	  { .tasks = 10, .cpus_per_task = 5, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 1000, .exclusive = true, .node.count = 3, .kinds = 2,
	    .kind = { { .cpus = 32, .mem_mib = 288000, .count = 1 }, {
	    .cpus = 24, .mem_mib = 96000, .count = 2 } } },
	  "cost 50 to 144 core-equivalents (the nodes decide)" },
	{ "GPUs of any model, of which a node has too few of each",
	  { .tasks = 1, .cpus_per_task = 9, .tres_per_node = "gres:gpu:3",
	    .kinds = 1, .kind = { { .cpus = 40, .mem_mib = 64000,
	    .gres = "gpu:p100:2,gpu:v100:2", .count = 2 } } },
	  "cost 3 GPU-equivalents (GPUs decide)" },
	{ "GPUs of any model, of which no node has one",
	  { .tasks = 1, .cpus_per_task = 12, .tres_per_node = "gres:gpu:1",
	    .kinds = 1, .kind = { { .cpus = 40, .mem_mib = 64000,
	    .gres = "gpu:v100:2", .count = 2 } } },
	  "cost 1.5 GPU-equivalents (cores decide); --cpus-per-task=8: 1" },
	{ "GPUs of a model, of which one kind has too few on a node",
	  { .tasks = 1, .cpus_per_task = 1, .tres_per_node = "gres:gpu:v100:2",
	    MEM(1000), .exclusive = true, .kinds = 2, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .gres = "gpu:v100:1", .count = 2 }, { .cpus = 16,
	    .mem_mib = 64000, .gres = "gpu:v100:4", .count = 2 } } },
	  "cost 4 GPU-equivalents (GPUs decide)" },
	{ "whole nodes with less memory than each of their CPUs is to have",
	  { .tasks = 1, .mem = EQT_MEM_PER_CPU, .mem_mib = 9000,
	    .exclusive = true, .kinds = 2, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 }, { .cpus = 16, .mem_mib = 256000,
	    .count = 2 } } },
	  "cost 64 core-equivalents (memory decides)" },
	{ "whole nodes none of which has such memory",
	  { .tasks = 1, .mem = EQT_MEM_PER_CPU, .mem_mib = 9000,
	    .exclusive = true, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "no node here is large enough for the request" },
	{ "more memory than MaxMemPerNode lets a job have of a node",
	  { .tasks = 1, MEM(20001), .limit.mem_per_node = 20000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "the partition gives a job less memory of a node than the request wants (MaxMemPerNode)" },
	{ "as much memory as MaxMemPerNode lets a job have of a node",
	  { .tasks = 1, MEM(20000), .limit.mem_per_node = 20000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 5 core-equivalents (memory decides); --mem=4000M: 1" },
	{ "all memory of nodes, of which MaxMemPerNode lets a job have less",
	  { .tasks = 1, .mem = EQT_MEM_ALL, .limit.mem_per_node = 20000,
	    .limit.node_mem_mib = 64000, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "the partition gives a job less memory of a node than the request wants (MaxMemPerNode)" },
	{ "memory that is cheaper on nodes of one kind alone is no advice",
	  { .tasks = 12, .cpus_per_task = 2, MEM(48000), .max_nodes = 1,
	    .min_nodes = 1, .kinds = 2, .kind = { { .cpus = 24,
	    .mem_mib = 64000, .threads = 2, .count = 2 }, { .cpus = 48,
	    .mem_mib = 64000, .threads = 4, .count = 2 } } },
	  "cost 12 core-equivalents (cores decide)" },
	{ "one node alone takes no part",
	  { .tasks = 20, MEM(1000), .min_nodes = 1, .max_nodes = 1, .kinds = 2,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 2 }, { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 4 } } },
	  "cost 10 core-equivalents (cores decide)" },
	{ "memory that no node has",
	  { .tasks = 1, MEM(64001), .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "no node here is large enough for the request" },
	{ "CPUs of a task that no node has",
	  { .tasks = 1, .cpus_per_task = 17, .kinds = 1, .kind = { {
	    .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "no node here is large enough for the request" },
	{ "more tasks than all nodes have CPUs",
	  { .tasks = 33, MEM(1000), .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "all nodes here together are too few for the request" },
	{ "more tasks than CPUs, which share them",
	  { .tasks = 33, .overcommit = true, MEM(1000), .max_nodes = 1, .kinds = 1, .kind = { {
	    .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 1 core-equivalent (cores decide)" },
	{ "features that a node may get: a price",
	  { .tasks = 33, MEM(1000), .constraint = "new", .kinds = 1, .kind = { {
	    .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 33 core-equivalents (cores decide)" },
	{ "no node of the names or GPUs",
	  { .tasks = 1, MEM(1000), .no_node = true },
	  "no node here has what the request wants of one" },
	{ "whole nodes, two of which have the GPUs of the job",
	  { .tasks = 2, .exclusive = true, .tres_per_job = "gres:gpu:8",
	    .kinds = 1, .kind = { { .cpus = 24, .mem_mib = 128000,
	    .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 8 GPU-equivalents (GPUs decide)" },
	{ "whole nodes: no more tasks on each than --ntasks-per-node",
	  { .tasks = 6, .tasks_per_node = 4, MEM(1000), .exclusive = true,
	    .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000,
	    .count = 2 } } },
	  "cost 32 core-equivalents (cores decide)" },
	{ "whole nodes, too few for --ntasks-per-node",
	  { .tasks = 6, .tasks_per_node = 2, MEM(1000), .exclusive = true,
	    .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000,
	    .count = 2 } } },
	  "all nodes here together are too few for the request" },
	{ "CPUs of GPUs: more tasks on a node than --ntasks-per-node",
	  { .tasks = 3, .tasks_per_node = 1, MEM(30000), .tres_per_job =
	    "gres:gpu:p100:1", .defaults.cpus_per_gpu = 3, .kinds = 1,
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "cost 1 GPU-equivalent (GPUs decide); up to 2.8125 without -N1" },
	{ "CPUs of MaxMemPerCPU: more tasks on a node than --ntasks-per-node",
	  { .tasks = 3, .tasks_per_node = 2, MEM(33000), .tres_per_job =
	    "gres:gpu:p100:1", .limit.mem_per_cpu = 6000, .kinds = 1,
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "cost 1.0313 GPU-equivalents (memory decides); up to 3.0938 without -N1; --mem=32000M: 1" },
	{ "one task for each core, which MaxMemPerCPU gives several CPUs",
	  { .tasks = 4, .task_per_core = true, .tasks_per_core = 1,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 13000, .exclusive = true,
	    .limit.mem_per_cpu = 2000, .max_nodes = 2, .kinds = 1, .kind = { {
	    .cpus = 32, .mem_mib = 64000, .threads = 2, .sockets = 2,
	    .count = 4 } } },
	  "cost 16 to 32 core-equivalents (the nodes decide)" },
	{ "CPUs of tasks, not of GPUs: as many nodes as --ntasks-per-node wants",
	  { .tasks = 3, .tasks_per_node = 1, .cpus_per_task = 2, MEM(30000),
	    .tres_per_job = "gres:gpu:p100:1", .defaults.cpus_per_gpu = 3,
	    .kinds = 1, .kind = { { .cpus = 24, .mem_mib = 128000,
	    .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 2.8125 GPU-equivalents (memory decides); --mem=10666M: 1" },
	{ "whole nodes, too few for the GPUs of the job",
	  { .tasks = 1, .exclusive = true, .tres_per_job = "gres:gpu:8",
	    .kinds = 1, .kind = { { .cpus = 24, .mem_mib = 128000,
	    .gres = "gpu:p100:4", .count = 1 } } },
	  "all nodes here together are too few for the request" },
	{ "more tasks than the one node of -N1 has CPUs",
	  { .tasks = 17, MEM(1000), .min_nodes = 1, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "the request allows fewer nodes (-N) than it needs" },
	{ "more tasks than the one node of -N1 has CPUs, which they share",
	  { .tasks = 17, .overcommit = true, MEM(1000), .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "cost 1 core-equivalent (cores decide)" },
	{ "more GPUs than two nodes have",
	  { .tasks = 2, MEM(1000), .min_nodes = 1, .max_nodes = 2, .kinds = 1,
	    .tres_per_job = "gres:gpu:p100:9", .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 3 } } },
	  "the request allows fewer nodes (-N) than it needs" },
	{ "more GPUs for one task than one node has",
	  { .tasks = 1, MEM(1000), .kinds = 1, .tres_per_job = "gres:gpu:5",
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "the request has fewer tasks (-n) than it needs nodes" },
	{ "more GPUs for two tasks than one node has",
	  { .tasks = 2, MEM(1000), .kinds = 1, .tres_per_job = "gres:gpu:5",
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "cost 5 GPU-equivalents (GPUs decide)" },
	{ "more GPUs than one node has, and a task of one CPU for each node",
	  { .tasks = 1, .tasks_per_node = 1, MEM(1000), .kinds = 1,
	    .tres_per_job = "gres:gpu:5", .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 5 GPU-equivalents (GPUs decide)" },
	{ "more GPUs than two whole nodes have",
	  { .exclusive = true, MEM(1000), .min_nodes = 1, .max_nodes = 2,
	    .kinds = 1, .tres_per_job = "gres:gpu:p100:9", .kind = { {
	    .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "the request allows fewer nodes (-N) than it needs" },
	{ "as many GPUs as two nodes have",
	  { .tasks = 2, MEM(1000), .min_nodes = 1, .max_nodes = 2, .kinds = 1,
	    .tres_per_job = "gres:gpu:p100:8", .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 8 GPU-equivalents (GPUs decide)" },
	{ "select/linear: --ntasks-per-core lets a core take tasks of several CPUs",
	  { .tasks = 10, .cpus_per_task = 4, .tasks_per_core = 1,
	    .task_per_core = true, MEM(1000), .exclusive = true, .linear = true,
	    .min_nodes = 1, .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 96000, .count = 2 } } },
	  "cost 24 core-equivalents (cores decide)" },
	{ "select/linear: no more tasks on a node than --ntasks-per-node",
	  { .tasks = 10, .tasks_per_node = 4, MEM(1000), .exclusive = true,
	    .linear = true, .max_nodes = 3, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 4 } } },
	  "cost 48 core-equivalents (cores decide)" },
	{ "select/linear: CPUs are counted, not whole tasks",
	  { .tasks = 32, .cpus_per_task = 3, MEM(1000), .exclusive = true,
	    .linear = true, .max_nodes = 6, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 8 } } },
	  "cost 96 core-equivalents (cores decide)" },
	{ "select/linear: one thread of a core counts as much as all",
	  { .tasks = 20, .cpus_per_core = 1, MEM(1000), .exclusive = true,
	    .linear = true, .min_nodes = 1, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 32, .threads = 2, .mem_mib = 64000,
	    .count = 2 } } },
	  "cost 16 core-equivalents (cores decide)" },
	{ "whole nodes of two GPU models can cost more than those of either",
	  { .tasks = 2, .min_nodes = 2, .max_nodes = 2, .exclusive = true,
	    .kinds = 2, .kind = { { .cpus = 24, .mem_mib = 128000,
	    .gres = "gpu:p100:4", .count = 2 }, { .cpus = 24,
	    .mem_mib = 288000, .gres = "gpu:v100:6", .count = 2 } } },
	  "cost 8 to 13 GPU-equivalents (the nodes decide)" },
	{ "whole nodes of two GPU models, no more than the job needs",
	  { .tasks = 2, .exclusive = true, .kinds = 2, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 2 }, {
	    .cpus = 24, .mem_mib = 288000, .gres = "gpu:v100:6",
	    .count = 2 } } },
	  "cost 4 to 6 GPU-equivalents (the nodes decide)" },
	{ "whole nodes of two GPU models can cost less than those of either",
	  { .tasks = 2, .min_nodes = 2, .max_nodes = 2, .exclusive = true,
	    .kinds = 2, .kind = { { .cpus = 24, .mem_mib = 192000,
	    .gres = "gpu:p100:4", .count = 2 }, { .cpus = 24,
	    .mem_mib = 96000, .gres = "gpu:v100:6", .count = 2 } } },
	  "cost 10 to 12 GPU-equivalents (the nodes decide)" },
	{ "--ntasks-per-socket may limit the CPUs that MaxMemPerCPU adds",
	  { .tasks = 2, .tasks_per_socket = 1, MEM(16001), .min_nodes = 1,
	    .max_nodes = 1, .limit.mem_per_cpu = 4000, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .sockets = 2,
	    .count = 4 } } },
	  "cost 4.0003 to 5 core-equivalents (the nodes decide)" },
	{ "--ntasks-per-socket, where others use all sockets but one",
	  { .tasks = 2, .tasks_per_socket = 2, MEM(9000), .limit.mem_per_cpu =
	    4000, .min_nodes = 1, .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000,
	    .sockets = 2, .count = 4 } } },
	  "cost 2.25 to 3 core-equivalents (the nodes decide)" },
	{ "tasks beyond --ntasks-per-gpu run on nodes without a GPU of the job",
	  { .tasks = 2, .min_cpus = 9, .cpus_per_task = 3, .min_cpus_per_node = 7,
	    MEM(4000), .tres_per_job = "gres:gpu:v100:1", .tasks_per_gpu = 2, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 192000, .gres = "gpu:v100:4",
	    .sockets = 2, .count = 2 } } },
	  "cost 1 to 1.125 GPU-equivalents (the nodes decide); up to 1.5 without -N1; --cpus-per-task=2: 1" },
	{ "--overcommit: one task has one core of hyper-threads",
	  { .tasks = 2, .overcommit = true, .task_per_core = true,
	    .min_nodes = 1, .max_nodes = 1, .kinds = 1, .kind = { {
	    .cpus = 32, .mem_mib = 64000, .threads = 2, .count = 4 } } },
	  "cost 1 core-equivalent (cores decide)" },
	{ "--overcommit with --mincpus: the second thread runs another task",
	  { .overcommit = true, .min_cpus_per_node = 2, .task_per_core = true,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 9000, .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 64000, .threads = 2, .count = 4 } } },
	  "cost 9 core-equivalents (memory decides); --mem-per-cpu=2000M: 2" },
	{ "--overcommit with --mincpus: as many tasks as there are",
	  { .tasks = 3, .overcommit = true, .min_cpus_per_node = 2,
	    .task_per_core = true, .min_nodes = 2, .max_nodes = 2,
	    .kinds = 1, .kind = { { .cpus = 32, .mem_mib = 64000,
	    .threads = 2, .count = 4 } } },
	  "cost 3 core-equivalents (cores decide)" },
	{ "--overcommit with --mincpus: one task of each node",
	  { .overcommit = true, .min_cpus_per_node = 2, .task_per_core = true,
	    .tasks_per_node = 1, .min_nodes = 2, .max_nodes = 2, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 4 } } },
	  "cost 2 core-equivalents (cores decide)" },
	{ "--overcommit with --mincpus: a core without a second thread",
	  { .overcommit = true, .min_cpus_per_node = 2, .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .threads = 1, .count = 4 } } },
	  "cost 1 core-equivalent (cores decide)" },
	{ "--overcommit with --threads-per-core: another task on the one node",
	  { .tasks = 4, .overcommit = true, .layout_cpus = 2,
	    .task_per_core = true, .min_nodes = 1, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 4 } } },
	  "cost 2 core-equivalents (cores decide)" },
	{ "--overcommit with --threads-per-core: on one of several nodes, or all",
	  { .tasks = 4, .overcommit = true, .layout_cpus = 2,
	    .task_per_core = true, .min_nodes = 2, .max_nodes = 2, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .count = 4 } } },
	  "cost 2 to 4 core-equivalents (the nodes decide)" },
	{ "--overcommit: GPUs bring no CPUs",
	  { .tasks = 1, .overcommit = true, MEM(16001), .tres_per_job =
	    "gres:gpu:p100:3", .tasks_per_gpu = 2, .cpus_per_tres =
	    "gres:gpu:9", .min_nodes = 1, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .sockets = 2, .count = 3 } } },
	  "cost 3 GPU-equivalents (GPUs decide)" },
	{ "--overcommit: GPUs bring no CPUs of the partition",
	  { .tasks = 8, .overcommit = true, MEM(500), .tres_per_node =
	    "gres:gpu:p100:1", .defaults.cpus_per_gpu = 9, .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .sockets = 2,
	    .count = 3 } } },
	  "cost 1 GPU-equivalent (GPUs decide)" },
	{ "--overcommit: GPUs bring CPUs in a release that says so",
	  { .tasks = 8, .overcommit = true, .gpu_cpus_stay = true, MEM(500),
	    .tres_per_node = "gres:gpu:p100:1", .defaults.cpus_per_gpu = 9,
	    .min_nodes = 1, .max_nodes = 1, .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .sockets = 2, .count = 3 } } },
	  "cost 1.5 GPU-equivalents (cores decide); --cpus-per-gpu=6: 1" },
	{ "--overcommit: GPUs of tasks may bring their CPUs",
	  { .tasks = 1, .overcommit = true, MEM(500), .tres_per_task =
	    "gres:gpu:p100:1", .defaults.cpus_per_gpu = 9, .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .sockets = 2,
	    .count = 3 } } },
	  "cost 1 to 1.5 GPU-equivalents (the nodes decide)" },
	{ "--overcommit: GPUs bring CPUs where cores have to be beside them",
	  { .tasks = 8, .overcommit = true, .binds_gpus = true, MEM(500),
	    .tres_per_node = "gres:gpu:p100:1", .defaults.cpus_per_gpu = 9,
	    .min_nodes = 1, .max_nodes = 1, .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .sockets = 2, .count = 3 } } },
	  "cost 1 to 1.5 GPU-equivalents (the nodes decide)" },
	{ "CR_Socket and one thread of each core: memory for half of the CPUs",
	  { .tasks = 1, .cpus_per_core = 1, .whole_sockets = true,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 4000, .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 64000, .threads = 2, .sockets = 2, .count = 4 } } },
	  "cost 8 core-equivalents (cores decide)" },
	{ "CR_Socket on nodes with GPUs: a part of a socket, or all of them",
	  { .tasks = 1, MEM(1000), .whole_sockets = true, .min_nodes = 1,
	    .max_nodes = 1, .binds_gpus = true,
	    .tres_per_node = "gres:gpu:p100:1", .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .sockets = 2, .count = 3 } } },
	  "cost 1 to 4 GPU-equivalents (the nodes decide)" },
	{ "--exclusive=user: memory for its own GPUs, not for all of the node",
	  { .tasks = 2, .min_nodes = 2, .max_nodes = 2, .exclusive = true,
	    .keeps_rest = true, .tres_per_node = "gres:gpu:1",
	    .mem_per_tres = "gres:gpu:40000", .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 3 } } },
	  "cost 8 GPU-equivalents (GPUs decide)" },
	{ "--exclusive=user: memory for its own CPUs, not for all of the node",
	  { .tasks = 1, .min_nodes = 1, .max_nodes = 1, .exclusive = true,
	    .keeps_rest = true, .mem = EQT_MEM_PER_CPU, .mem_mib = 9000,
	    .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000,
	    .threads = 1, .count = 3 } } },
	  "cost 16 core-equivalents (cores decide)" },
	{ "one task for each core: the last one has fewer CPUs",
	  { .tasks = 1, .cpus_per_task = 2, .tasks_per_node = 4, .min_cpus = 2,
	    .task_per_core = true, MEM(50000), .min_nodes = 1, .max_nodes = 1,
	    .limit.mem_per_cpu = 2000, .kinds = 1, .kind = { { .cpus = 32,
	    .mem_mib = 64000, .threads = 2, .sockets = 2, .count = 4 } } },
	  "cost 14 core-equivalents (memory decides by MaxMemPerCPU); --mem=4000M: 1" },
	{ "--ntasks-per-socket limits the tasks of a node",
	  { .tasks = 3, .tasks_per_socket = 1, MEM(8000), .max_nodes = 2,
	    .min_nodes = 1, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .sockets = 2, .count = 4 } } },
	  "cost 4 core-equivalents (memory decides); --mem=6000M: 3" },
	{ "GPUs that CPUs of one node make, though there may be more nodes",
	  { .tasks = 3, .min_nodes = 1, .max_nodes = 3, MEM(33000),
	    .min_cpus = 3, .tres_per_task = "gres:gpu:p100:1",
	    .limit.mem_per_cpu = 6000, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 3 to 4 GPU-equivalents (the nodes decide)" },
	{ "GPUs of the tasks that --mincpus makes",
	  { .tasks = 2, .min_cpus_per_node = 4, MEM(1000), .kinds = 1,
	    .kind = { { .cpus = 24, .mem_mib = 128000, .gres = "gpu:p100:4",
	    .count = 1 } }, .tres_per_task = "gres:gpu:p100:1" },
	  "cost 2 to 4 GPU-equivalents (the nodes decide)" },
	{ "as few tasks as there are to be nodes are advised",
	  { .tasks = 12, .min_nodes = 6, .tres_per_job = "gres:gpu:p100:1" },
	  "cost 2 GPU-equivalents (cores decide); -n6: 1" },
	{ "fewer tasks than there are to be nodes are not advised",
	  { .tasks = 12, .min_nodes = 7, .tres_per_job = "gres:gpu:p100:1" },
	  "cost 2 GPU-equivalents (cores decide)" },
	{ "MaxCPUsPerNode may take the CPUs that MaxMemPerCPU adds",
	  { .tasks = 3, MEM(24000), .min_nodes = 1, .max_nodes = 1,
	    .limit = { .mem_per_cpu = 2000, .cpus_per_node = 10 },
	    .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000,
	    .threads = 1, .count = 3 } } },
	  "cost 6 to 12 core-equivalents (the nodes decide); --mem=6000M: 3" },
	{ "MaxCPUsPerNode may take those of --mincpus",
	  { .min_cpus_per_node = 12, MEM(1000), .min_nodes = 1,
	    .max_nodes = 1, .limit.cpus_per_node = 10, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 3 } } },
	  "cost 1 to 12 core-equivalents (the nodes decide)" },
	{ "MaxCPUsPerNode that is no less than the nodes have takes none",
	  { .min_cpus_per_node = 12, MEM(1000), .min_nodes = 1,
	    .max_nodes = 1, .limit.cpus_per_node = 16, .kinds = 1,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .threads = 1,
	    .count = 3 } } },
	  "cost 12 core-equivalents (cores decide)" },
	{ "MaxCPUsPerNode: the tasks want two nodes, and their memory",
	  { .tasks = 20, MEM(48000), .limit.cpus_per_node = 10, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 1,
	    .count = 2 } } },
	  "cost 24 core-equivalents (memory decides); --mem=40000M: 20" },
	{ "MaxCPUsPerSocket gives whole cores of each socket: the tasks want two nodes",
	  { .tasks = 8, MEM(16000), .limit.cpus_per_socket = 3, .kinds = 1,
	    .kind = { { .cpus = 32, .mem_mib = 64000, .threads = 2,
	    .sockets = 2, .count = 4 } } },
	  "cost 8 core-equivalents (memory decides); up to 16 without -N2" },
	{ "CR_CPU: the other thread of a core counts as a task with a GPU",
	  { .tasks = 5, .tres_per_task = "gres:gpu:p100:1", MEM(4000),
	    .min_nodes = 1, .max_nodes = 1, .single_cpus = true,
	    .no_memory = true, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 64000, .threads = 2, .gres = "gpu:p100:14",
	    .count = 2 } } },
	  "cost 5 to 6 GPU-equivalents (the nodes decide)" },
	{ "MaxCPUsPerNode: larger nodes are given to nobody whole",
	  { .tasks = 1, MEM(1000), .exclusive = true,
	    .limit.cpus_per_node = 10, .kinds = 2, .kind = { { .cpus = 8,
	    .mem_mib = 16000, .threads = 1, .count = 2 }, { .cpus = 16,
	    .mem_mib = 64000, .threads = 1, .count = 3 } } },
	  "cost 8 core-equivalents (cores decide)" },
	{ "a plane may leave the second node without a task: all its cores",
	  { .tasks = 2, .cpus_per_task = 4, .plane = 2, MEM(6000),
	    .min_nodes = 1, .max_nodes = 2, .kinds = 1, .kind = { {
	    .cpus = 32, .mem_mib = 64000, .threads = 1, .count = 3 } } },
	  "cost 5 to 40 core-equivalents (the nodes decide)" },
	{ "a plane of the partition's least nodes: no GPU of one of them",
	  { .tasks = 2, .plane = 2, MEM(6000), .min_nodes = 2,
	    .tres_per_node = "gres:gpu:p100:1", .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 128000, .threads = 1,
	    .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 1 to 4.3333 GPU-equivalents (the nodes decide)" },
	{ "nodes with GPUs that are fewer than -N wants",
	  { .tasks = 4, .cpus_per_task = 4, .min_nodes = 3, MEM(500),
	    .tres_per_task = "gres:gpu:p100:1", .node.count = 4, .kinds = 1,
	    .kind = { { .cpus = 24, .mem_mib = 16000, .threads = 1,
	    .gres = "gpu:p100:4", .count = 2 } } },
	  "all nodes here together are too few for the request" },
	{ "CPUs of --ntasks beside --ntasks-per-gpu, which --ntasks-per-core gives",
	  { .tasks = 1, .cpus_per_task = 1, .min_cpus = 8,
	    .tasks_per_gpu = 1, .tasks_per_core = 2, MEM(500),
	    .tres_per_job = "gres:gpu:p100:1", .kinds = 1, .kind = { {
	    .cpus = 24, .mem_mib = 16000, .threads = 1, .sockets = 2,
	    .gres = "gpu:p100:4", .count = 1 } } },
	  "cost 1 to 1.3333 GPU-equivalents (the nodes decide)" },
	{ "CPUs of --ntasks beside --ntasks-per-gpu: no hint to have more of them",
	  { .tasks = 2, .cpus_per_task = 2, .min_cpus = 20,
	    .min_cpus_per_node = 2, .tasks_per_gpu = 2, MEM(1),
	    .task_per_core = true, .gpus_share_cores = true,
	    .tres_per_job = "gres:gpu:p100:1", .kinds = 1, .kind = { {
	    .cpus = 48, .mem_mib = 16000, .threads = 4, .sockets = 2,
	    .gres = "gpu:p100:4", .count = 3 } } },
	  "cost 1 to 1.6667 GPU-equivalents (the nodes decide)" },
	{ "memory within MaxMemPerCPU: the cores decide",
	  { .tasks = 4, MEM(4000), .min_nodes = 1, .max_nodes = 1,
	    .limit.mem_per_cpu = 2000, .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 4 core-equivalents (cores decide)" },
	{ "CPUs of GPUs, of which nodes may have fewer",
	  { .tasks = 2, .tres_per_job = "gres:gpu:p100:2",
	    .cpus_per_tres = "gres:gpu:12", .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 1000, .kinds = 1, .kind = { { .cpus = 24,
	    .mem_mib = 128000, .gres = "gpu:p100:4", .count = 2 } } },
	  "cost 2 to 4 GPU-equivalents (the nodes decide); --cpus-per-gpu=6: 2" },
	{ "4 tasks of 3 CPUs on two nodes lose 2 of them",
	  { .tasks = 4, .cpus_per_task = 3, MEM(1000), .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 10 to 12 core-equivalents (the nodes decide)" },
	{ "4 tasks of 3 CPUs on one of two nodes lose none",
	  { .tasks = 4, .cpus_per_task = 3, MEM(1000), .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 2 } } },
	  "cost 12 core-equivalents (cores decide)" },
	{ "4 tasks of 3 CPUs on the only node lose none",
	  { .tasks = 4, .cpus_per_task = 3, MEM(1000), .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 1 } } },
	  "cost 12 core-equivalents (cores decide)" },
	{ "4 tasks of a thread on two nodes: a core may be half used on each",
	  { .tasks = 4, .cpus_per_core = 2, MEM(100), .min_nodes = 2,
	    .max_nodes = 2, .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 4 } } },
	  "cost 2 to 3 core-equivalents (the nodes decide)" },
	{ "4 tasks of a thread on one node: two cores",
	  { .tasks = 4, .cpus_per_core = 2, MEM(100), .min_nodes = 1,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 16, .mem_mib = 64000, .count = 4 } } },
	  "cost 2 core-equivalents (cores decide)" },
	{ "4 tasks of 3 CPUs on two nodes of different kinds lose 2, too",
	  { .tasks = 4, .cpus_per_task = 3, MEM(1000), .kinds = 2,
	    .kind = { { .cpus = 16, .mem_mib = 64000, .count = 1 },
		      { .cpus = 20, .mem_mib = 64000, .count = 1 } } },
	  "cost 10 to 12 core-equivalents (the nodes decide)" },
	{ "a MiB for each CPU is the least of MaxMemPerCPU",
	  { .tasks = 1, MEM(3), .min_nodes = 1, .max_nodes = 1,
	    .limit.mem_per_cpu = 1, .kinds = 1, .kind = { { .cpus = 16,
	    .mem_mib = 64000, .count = 2 } } },
	  "cost 3 core-equivalents (memory decides by MaxMemPerCPU); --mem=1M: 1" },
};

START_TEST(price_is_that_of_the_nodes_there_are)
{
	const struct node_row *row = &node_rows[_i];
	struct eqt_error err = { "" };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_msg(eqt_quote_make(&quote, &cedar, &row->spec, &err) == 0,
		      "%s: %s", row->name, err.text);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 row->brief);
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

START_TEST(more_kinds_of_nodes_than_are_kept_make_it_the_least)
{
	struct eqt_job_spec spec = { .tasks = 1, MEM(100), .kinds = 1,
				     .kind = { { .cpus = 16, .mem_mib = 64000,
						 .count = 2 } } };
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	ck_assert(!quote.least);
	spec.more_kinds = true;
	ck_assert_int_eq(eqt_quote_make(&quote, &cedar, &spec, NULL), 0);
	ck_assert(quote.least);
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

int main(void)
{
	Suite *suite = suite_create("quote by nodes");
	TCase *tcase = tcase_create("quote by nodes");

	tcase_add_loop_test(tcase, price_is_that_of_the_nodes_there_are, 0,
			    (int) COUNT(node_rows));
	tcase_add_loop_test(tcase, a_price_beyond_64_bits_is_refused, 0,
			    (int) COUNT(large_rows));
	tcase_add_test(tcase, the_largest_price_of_one_node_is_told);
	tcase_add_test(tcase,
		       an_array_that_takes_long_to_count_has_at_most_so_many_tasks);
	tcase_add_test(tcase, more_kinds_of_nodes_than_are_kept_make_it_the_least);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
