/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_job_spec: a request in Slurm's own words.
 *
 * Who knows a request (the submission plugin from a job description, the
 * command from sbatch's options) copies it here as it was given; all that is
 * multiplied, inherited or derived is computed in job_totals.c.
 */
#ifndef EQT_JOB_SPEC_H
#define EQT_JOB_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"

/* What an amount of memory is for. */
enum eqt_job_spec_mem {
	EQT_MEM_NOT_GIVEN,
	EQT_MEM_PER_NODE, /* --mem */
	EQT_MEM_PER_CPU, /* --mem-per-cpu */
	EQT_MEM_PER_GPU, /* --mem-per-gpu */
	EQT_MEM_ALL /* --mem=0: all that a node has */
};

/* What holds where a request says nothing: the partition's defaults. */
struct eqt_job_spec_defaults {
	enum eqt_job_spec_mem mem; /* per node, per CPU or all */
	uint64_t mem_mib; /* DefMemPerNode, DefMemPerCPU */
	uint64_t mem_per_gpu; /* MiB, DefMemPerGPU */
	uint64_t cpus_per_gpu; /* DefCpuPerGPU */
	uint64_t minutes; /* time limit, as ask.minutes */
};

/* MaxMemPerCPU of the partition, which makes Slurm raise the CPUs of who asks for
 * more memory; {0}: there is no limit. */
struct eqt_node_offer_limit {
	uint64_t mem_per_cpu; /* MiB */
	uint64_t node_mem_mib; /* of the partition's first node, which Slurm
				  takes for all of a node */
	bool raises_tasks; /* the release raises the CPUs of tasks, too */
};

/* The smallest node that the request could get; 0 and NULL: not known. */
struct eqt_node_offer {
	uint64_t cpus;
	uint64_t mem_mib;
	const char *gres; /* "gpu:p100:4"; borrowed */
	bool differ; /* others are larger */
	uint64_t count; /* how many nodes one job can have at most */
	uint64_t threads; /* CPUs of a core; 0: not known */
	uint64_t sockets; /* 0: not known */
};

#define EQT_NODE_OFFER_KINDS 8 /* kinds of nodes that are told apart */

/*
 * A plain value; {0} asks for nothing, 0 and NULL mean "not given". The
 * strings are borrowed: they live as long as the request that they are from.
 */
struct eqt_job_spec {
	uint64_t tasks;
	uint64_t cpus_per_task;
	uint64_t min_cpus; /* of the job */
	uint64_t min_cpus_per_node; /* --mincpus */
	uint64_t min_nodes;
	uint64_t max_nodes;
	uint64_t tasks_per_node;
	uint64_t tasks_per_gpu; /* --ntasks-per-gpu */
	uint64_t sockets_per_node;
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
	/* Which nodes: for who knows the nodes there are. */
	const char *constraint; /* --constraint */
	const char *nodelist; /* --nodelist */
	const char *exclude; /* --exclude */
	uint64_t minutes; /* --time; or EQT_AMOUNT_UNLIMITED */
	uint64_t cpus_per_core; /* hyper-threads; 0 or 1: CPUs are cores */
	bool task_per_core; /* --ntasks-per-core=1 */
	bool single_cpus; /* CR_CPU: jobs share the threads of a core */
	bool whole_sockets; /* CR_Socket: each goes to one job */
	bool exclusive; /* whole nodes */
	bool overcommit; /* tasks share CPUs */
	struct eqt_job_spec_defaults defaults;
	struct eqt_node_offer_limit limit;
	struct eqt_node_offer node;
	/* The nodes that it could get, of each kind one and how many there are,
	   for eqt_quote; none: node is all that is known. */
	struct eqt_node_offer kind[EQT_NODE_OFFER_KINDS];
	uint32_t kinds;
	bool more_kinds; /* than there is room for */
	bool no_memory; /* CR_Core, CR_CPU, CR_Socket: memory is not given out */
	bool most; /* of cores and sockets, where Slurm has a choice; else the
		      least */
	bool parts; /* what is lost where tasks are split among nodes, too */
	uint64_t least_nodes; /* it does not fit on fewer; 0: not known */
};

#endif
