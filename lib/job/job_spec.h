/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_spec: a request as Slurm's options and defaults describe it.
 *
 * The submission plugin copies it from a job description, and the command from the
 * options of sbatch, both without changes. job_totals.c computes all numbers that are
 * multiplied, inherited or derived.
 */
#ifndef EQT_JOB_SPEC_H
#define EQT_JOB_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"

/* The unit for which an amount of memory is given. */
enum eqt_job_spec_mem {
	EQT_MEM_NOT_GIVEN,
	EQT_MEM_PER_NODE, /* memory of a node, as with --mem */
	EQT_MEM_PER_CPU, /* memory of a CPU, as with --mem-per-cpu */
	EQT_MEM_PER_GPU, /* memory of a GPU, as with --mem-per-gpu */
	EQT_MEM_ALL /* all memory of a node, as with --mem=0 */
};

/* Which number decides how many tasks get CPUs. The releases of Slurm differ
 * (docs/design/0039). */
enum eqt_job_spec_tasks {
	/* The number of CPUs decides, or --ntasks-per-node if a task has several
	 * CPUs. */
	EQT_TASKS_OF_CPUS,
	/* -n decides, or else --ntasks-per-node, or else the number of CPUs. */
	EQT_TASKS_OF_JOB,
	/* --ntasks-per-node decides, or else -n, or else the number of CPUs. */
	EQT_TASKS_OF_NODE
};

/* The defaults of the partition for options that the request does not give. */
struct eqt_job_spec_defaults {
	/* Whether mem_mib is per node, per CPU, or all memory of a node. */
	enum eqt_job_spec_mem mem;
	/* Amount of memory in MiB, from DefMemPerNode or DefMemPerCPU. */
	uint64_t mem_mib;
	uint64_t mem_per_gpu; /* DefMemPerGPU in MiB */
	uint64_t cpus_per_gpu; /* the partition's DefCpuPerGPU */
	/* The least and the most of DefCpuPerGPU in all partitions of the request, if
	 * they differ and slurmctld may look at another partition first. */
	bool other_first;
	uint64_t first_cpus_least, first_cpus_most;
	/* The default time limit, as in eqt_job_spec.minutes. */
	uint64_t minutes;
};

/* The limits of the partition. {0} means that there are none. If a request wants more
 * memory than MaxMemPerCPU allows, Slurm raises its CPUs. */
struct eqt_node_offer_limit {
	uint64_t mem_per_cpu; /* MaxMemPerCPU in MiB */
	/* The memory in MiB of the partition's first node, which Slurm compares with
	 * MaxMemPerCPU for --mem=0. */
	uint64_t node_mem_mib;
	/* Whether this release of Slurm also raises the CPUs of tasks. */
	bool raises_tasks;
	uint64_t min_nodes; /* MinNodes; 0 if it is not known */
	/* MaxMemPerNode in MiB, which a partition has instead of MaxMemPerCPU. */
	uint64_t mem_per_node;
	uint64_t cpus_per_node; /* MaxCPUsPerNode; 0 if there is none */
	/* MaxCPUsPerSocket, of which Slurm gives out whole cores; 0 if there is
	 * none. */
	uint64_t cpus_per_socket;
};

/* The smallest node that the request could get. 0 and NULL mean that a member is not
 * known. */
struct eqt_node_offer {
	uint64_t cpus;
	uint64_t mem_mib;
	const char *gres; /* a list such as "gpu:p100:4"; borrowed */
	bool differ; /* whether other nodes of the partition are larger */
	uint64_t count; /* the most nodes of this size that one job can have */
	uint64_t threads; /* CPUs of a core; 0 if the number is not known */
	uint64_t hw_threads; /* threads of a core; Slurm may use just one */
	uint64_t sockets; /* sockets of the node; 0 if they are not known */
	uint64_t system_mib; /* MemSpecLimit, memory that mem_mib lacks */
};

/* The largest number of different kinds of nodes in a request. */
#define EQT_NODE_OFFER_KINDS 8

/*
 * One request. A plain value; {0} asks for nothing. 0 and NULL mean that an option is
 * not given. The strings are borrowed and must live as long as this struct is used.
 */
struct eqt_job_spec {
	uint64_t tasks;
	uint64_t cpus_per_task;
	uint64_t min_cpus; /* the fewest CPUs of the job */
	uint64_t min_cpus_per_node; /* the value of --mincpus */
	/* Whether the request may have given min_cpus. Otherwise min_cpus is the CPUs
	 * of a task, as sbatch sends them. */
	bool names_min_cpus;
	uint64_t min_nodes;
	uint64_t max_nodes;
	uint64_t tasks_per_node;
	uint64_t tasks_per_gpu; /* the value of --ntasks-per-gpu */
	uint64_t sockets_per_node;
	/* The product of --sockets-per-node, --cores-per-socket and
	 * --threads-per-core. */
	uint64_t layout_cpus;
	uint64_t tasks_per_socket; /* the value of --ntasks-per-socket */
	/* The tasks that a node gets before the next node gets any, from
	 * --distribution=plane. 0 means that the option is not given. */
	uint64_t plane;
	enum eqt_job_spec_mem mem;
	/* Memory in MiB per node, CPU or GPU, as the member mem says. */
	uint64_t mem_mib;
	const char *tres_per_job; /* the value of --gpus */
	const char *tres_per_node; /* --gres and --gpus-per-node */
	const char *tres_per_socket; /* the value of --gpus-per-socket */
	const char *tres_per_task; /* the value of --gpus-per-task */
	const char *cpus_per_tres; /* the value of --cpus-per-gpu */
	const char *mem_per_tres; /* the value of --mem-per-gpu */
	const char *array; /* the value of --array */
	uint64_t array_size; /* MaxArraySize; 0 if not known */
	/* The options that choose nodes. Only callers that know the nodes evaluate
	 * them. */
	const char *constraint; /* the value of --constraint */
	const char *prefer; /* the value of --prefer, for its counts of nodes */
	uint64_t counted_nodes; /* most nodes that "a*2" and the like require */
	const char *nodelist; /* the value of --nodelist */
	/* Whether a name that occurs twice in nodelist stands for two nodes. */
	bool repeats;
	bool list_chooses; /* this release chooses from a --nodelist longer than -N */
	/* Whether --contiguous is given, with which the job also gets the nodes between
	 * the named ones. */
	bool contiguous;
	const char *exclude; /* the value of --exclude */
	const char *reservation; /* the value of --reservation */
	/* The nodes of the reservation, for callers that read them as text. NULL means
	 * that they are not known or that the job also gets other nodes. */
	const char *reserved;
	/* The value of --time in minutes, which may be EQT_AMOUNT_UNLIMITED. */
	uint64_t minutes;
	/* Hyper-threads of a core that the job uses; 0 or 1 if each CPU is a core. */
	uint64_t cpus_per_core;
	/* Whether each task needs a core of its own, by --ntasks-per-core=1 or
	 * CR_ONE_TASK_PER_CORE. */
	bool task_per_core;
	/* Whether task_per_core comes from CR_ONE_TASK_PER_CORE. Tasks whose GPUs bring
	 * CPUs may then share a core. */
	bool gpus_share_cores;
	uint64_t tasks_per_core; /* --ntasks-per-core; 0 if it is not given */
	/* Whether any number of tasks may share a core, because --hint=multithread
	 * overrides CR_ONE_TASK_PER_CORE. */
	bool tasks_share_core;
	bool single_cpus; /* CR_CPU: jobs share the threads of a core */
	bool whole_sockets; /* CR_Socket: a socket belongs to one job */
	bool exclusive; /* whole nodes */
	bool linear; /* select/linear, which allocates only whole nodes */
	bool least_loaded; /* LLN: nodes are chosen by their free CPUs */
	bool keeps_rest; /* no other user gets the rest of the nodes (--exclusive=user) */
	uint64_t spare_cores, spare_threads; /* --core-spec, --thread-spec */
	bool overcommit; /* tasks share CPUs */
	bool gpu_cpus_stay; /* this release gives CPUs for GPUs with --overcommit, too */
	bool nodes_pass_tasks; /* this release lets --gpus have more nodes than tasks */
	bool binds_gpus; /* --gres-flags=enforce-binding */
	bool spreads; /* this release takes nodes of all weights for --spread-job */
	enum eqt_job_spec_tasks tasks_counted; /* by this release */
	struct eqt_job_spec_defaults defaults;
	struct eqt_node_offer_limit limit;
	uint32_t kinds;
	/* Whether the request names several partitions and gets parts of nodes in one
	 * of them. */
	bool shares_elsewhere;
	bool features_stay; /* whether there are no NodeFeaturesPlugins */
	/* Whether the nodes are known and none of them has the GPUs and the name that
	 * the request wants. */
	bool no_node;
	/* Whether there are more kinds of nodes than kind[] has room for. */
	bool more_kinds;
	/* Whether memory is not a consumable resource, as with CR_Core, CR_CPU and
	 * CR_Socket. */
	bool no_memory;
	/* Where Slurm has a choice, count the most cores and sockets if this is true,
	 * and the fewest otherwise. */
	bool most;
	/* Whether to subtract the CPUs that are lost when tasks are split among
	 * nodes. */
	bool parts;
	bool nodes_changed; /* whether min_nodes or max_nodes was changed */
	uint64_t least_nodes; /* fewest nodes that fit the job; 0: unknown */
	/* The members about nodes come last, because quotes compare and copy only the
	 * members before them. */
	struct eqt_node_offer node;
	/* The nodes that the request could get, one of each kind with the number of
	 * such nodes. Only quotes use them. If there are none, only the member node is
	 * known. */
	struct eqt_node_offer kind[EQT_NODE_OFFER_KINDS];
};

#endif
