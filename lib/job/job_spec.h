/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_spec: a request in Slurm's own words.
 *
 * The submission plugin (from a job description) and the command (from sbatch's
 * options) copy a request here unchanged. job_totals.c computes everything that is
 * multiplied, inherited or derived.
 */
#ifndef EQT_JOB_SPEC_H
#define EQT_JOB_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"

/* The meaning of an amount of memory. */
enum eqt_job_spec_mem {
	EQT_MEM_NOT_GIVEN,
	EQT_MEM_PER_NODE, /* --mem */
	EQT_MEM_PER_CPU, /* --mem-per-cpu */
	EQT_MEM_PER_GPU, /* --mem-per-gpu */
	EQT_MEM_ALL /* --mem=0: all that a node has */
};

/* Which tasks get CPUs. The releases differ: docs/design/0039. */
enum eqt_job_spec_tasks {
	EQT_TASKS_OF_CPUS, /* as many as the CPUs are enough for; but
			      --ntasks-per-node, if a task has several */
	EQT_TASKS_OF_JOB, /* -n; else --ntasks-per-node, else of CPUs */
	EQT_TASKS_OF_NODE /* --ntasks-per-node; else -n, else of CPUs */
};

/* The partition's defaults, for options that the request does not give. */
struct eqt_job_spec_defaults {
	enum eqt_job_spec_mem mem; /* per node, per CPU or all */
	uint64_t mem_mib; /* DefMemPerNode, DefMemPerCPU */
	uint64_t mem_per_gpu; /* MiB, DefMemPerGPU */
	uint64_t cpus_per_gpu; /* DefCpuPerGPU */
	uint64_t minutes; /* time limit, as eqt_job_spec.minutes */
};

/* Limits of the partition. Slurm raises the CPUs of requests for more memory than
 * MaxMemPerCPU. {0}: no limit. */
struct eqt_node_offer_limit {
	uint64_t mem_per_cpu; /* MiB */
	uint64_t node_mem_mib; /* of the partition's first node, which Slurm
				  uses for --mem=0 */
	bool raises_tasks; /* this release raises the CPUs of tasks, too */
	uint64_t min_nodes; /* MinNodes of the partition; 0: not known */
	uint64_t mem_per_node; /* MiB; MaxMemPerNode, in the place of
				  MaxMemPerCPU */
	uint64_t cpus_per_node; /* MaxCPUsPerNode of the partition; 0: none */
	uint64_t cpus_per_socket; /* MaxCPUsPerSocket, whole cores of which it
				     gives; 0: none */
};

/* The smallest node that the request could get; 0 and NULL: not known. */
struct eqt_node_offer {
	uint64_t cpus;
	uint64_t mem_mib;
	const char *gres; /* "gpu:p100:4"; borrowed */
	bool differ; /* other nodes are larger */
	uint64_t count; /* how many nodes one job can have at most */
	uint64_t threads; /* CPUs of a core; 0: not known */
	uint64_t sockets; /* 0: not known */
	uint64_t system_mib; /* of memory, beside mem_mib: MemSpecLimit */
};

#define EQT_NODE_OFFER_KINDS 8 /* kinds of nodes that are kept apart */

/*
 * A plain value; {0} asks for nothing, 0 and NULL mean "not given". The strings are
 * borrowed and must live as long as this struct is used.
 */
struct eqt_job_spec {
	uint64_t tasks;
	uint64_t cpus_per_task;
	uint64_t min_cpus; /* of the job */
	uint64_t min_cpus_per_node; /* --mincpus */
	bool names_min_cpus; /* min_cpus may be given by the request; else it is
				the CPUs of a task, as sbatch sends them */
	uint64_t min_nodes;
	uint64_t max_nodes;
	uint64_t tasks_per_node;
	uint64_t tasks_per_gpu; /* --ntasks-per-gpu */
	uint64_t sockets_per_node;
	uint64_t layout_cpus; /* --sockets-per-node, --cores-per-socket and
				 --threads-per-core, multiplied */
	uint64_t tasks_per_socket; /* --ntasks-per-socket */
	uint64_t plane; /* of --distribution=plane: the tasks that a node gets
			   before another one; 0: not given */
	enum eqt_job_spec_mem mem;
	uint64_t mem_mib; /* per node, CPU or GPU as mem says */
	const char *tres_per_job; /* --gpus */
	const char *tres_per_node; /* --gres, --gpus-per-node */
	const char *tres_per_socket; /* --gpus-per-socket */
	const char *tres_per_task; /* --gpus-per-task */
	const char *cpus_per_tres; /* --cpus-per-gpu */
	const char *mem_per_tres; /* --mem-per-gpu */
	const char *array; /* --array */
	uint64_t array_size; /* MaxArraySize; 0: not known */
	/* Which nodes; only callers that know the nodes evaluate these. */
	const char *constraint; /* --constraint */
	const char *prefer; /* --prefer; only its counts of nodes matter */
	uint64_t counted_nodes; /* the most that features count ("a*2") */
	const char *nodelist; /* --nodelist */
	bool repeats; /* a name that stands twice in it is two nodes */
	bool contiguous; /* the nodes between those that it names, too */
	const char *exclude; /* --exclude */
	const char *reservation; /* --reservation */
	const char *reserved; /* its nodes, to callers that read them as text;
				 NULL: not known, or it gets others, too */
	uint64_t minutes; /* --time; or EQT_AMOUNT_UNLIMITED */
	uint64_t cpus_per_core; /* hyper-threads; 0 or 1: CPUs are cores */
	bool task_per_core; /* --ntasks-per-core=1 */
	bool gpus_share_cores; /* not where GPUs bring CPUs, since it is by
				  CR_ONE_TASK_PER_CORE */
	uint64_t tasks_per_core; /* --ntasks-per-core; 0: not given */
	bool tasks_share_core; /* --hint=multithread: in any number, whatever the
				  cluster says */
	bool single_cpus; /* CR_CPU: jobs share the threads of a core */
	bool whole_sockets; /* CR_Socket: a socket belongs to one job */
	bool exclusive; /* whole nodes */
	bool linear; /* select/linear, which gives out nothing else */
	bool least_loaded; /* LLN: nodes are chosen by their free CPUs */
	bool keeps_rest; /* the job is allocated a part of its nodes, and keeps
			    others off the rest: --exclusive=user */
	bool overcommit; /* tasks share CPUs */
	bool gpu_cpus_stay; /* in this release, with overcommit, too */
	bool nodes_pass_tasks; /* in this release, for GPUs of the job */
	bool binds_gpus; /* --gres-flags=enforce-binding */
	enum eqt_job_spec_tasks tasks_counted; /* by this release */
	struct eqt_job_spec_defaults defaults;
	struct eqt_node_offer_limit limit;
	uint32_t kinds;
	bool shares_elsewhere; /* parts of nodes, in one of several partitions */
	bool features_stay; /* no node gets other features for a job */
	bool no_node; /* the nodes are known, and none is of the GPUs and names
			 that it wants */
	bool more_kinds; /* more than there is room for */
	bool no_memory; /* CR_Core, CR_CPU, CR_Socket: memory is no resource */
	bool most; /* where Slurm has a choice, count the most cores and
		      sockets; else the least */
	bool parts; /* count CPUs lost when tasks are split among nodes */
	bool nodes_changed; /* min_nodes or max_nodes is not the request's own */
	uint64_t least_nodes; /* it fits on no fewer; 0: not known */
	/* What the nodes have comes last: quotes compare and copy what is before it. */
	struct eqt_node_offer node;
	/* The nodes that it could get, one of each kind with its number, for
	   quotes. None: only node is known. */
	struct eqt_node_offer kind[EQT_NODE_OFFER_KINDS];
};

#endif
