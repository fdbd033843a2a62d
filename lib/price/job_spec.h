/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eqt_job_spec: a request in Slurm's own words, and what it comes to in all.
 *
 * Who knows a request (the submission plugin from a job description, the
 * command from sbatch's options) copies it here as it was given; all that is
 * multiplied, inherited or derived is computed in this one place.
 */
#ifndef EQT_JOB_SPEC_H
#define EQT_JOB_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/amount.h"
#include "price/node_offer.h"
#include "base/error.h"
#include "price/gres.h"
#include "price/price.h"

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
	bool most; /* of cores and sockets, where Slurm has a choice; else the
		      least */
	uint64_t least_nodes; /* it does not fit on fewer; 0: not known */
};

/*
 * What a request comes to, and the numbers on the way that explain it. A plain
 * value.
 */
struct eqt_job_totals {
	struct eqt_demand demand;
	uint64_t nodes; /* priced for so many, at least 1 */
	uint64_t tasks; /* at least 1 */
	uint64_t gpus; /* of all models */
	uint64_t cpus; /* of which the cores have one or more each */
	enum eqt_job_spec_mem mem; /* where the memory comes from */
	uint64_t cpus_per_task; /* at least 1 */
	uint64_t cpus_per_node; /* that each node has at least */
	uint64_t mem_each; /* MiB of a node, CPU or GPU, as mem says */
	bool cpus_by_gpu; /* the cores come from CPUs per GPU */
	uint64_t fair_mem_mib; /* memory per node or CPU up to which
				  MaxMemPerCPU adds no CPUs; 0: it added none */
};

#define EQT_PARSED_SPEC_ROWS 4 /* more than nearly all requests have */

/* A request that is read and counted. Not to be copied: rows may point into
 * it. */
struct eqt_parsed_spec {
	struct eqt_job_totals totals;
	struct eqt_gres_rows
		rows; /* without room: there were more than row[] */
	struct eqt_gres_row row[EQT_PARSED_SPEC_ROWS];
};

/*
 * Compute a request for its least number of nodes. Returns 0, or -1 with err
 * filled and *out untouched: a GRES list that Slurm would not take either, a
 * GPU model that no bundle prices, GPUs with and without a model, a product
 * that does not fit 64 bits. Takes time in proportion to the strings;
 * allocates nothing.
 */
int eqt_job_spec_compute(struct eqt_job_totals *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/*
 * The same in two steps, for who counts one request for several numbers of
 * nodes: read the lists of *ask into *rows, for which the caller has set row and
 * room, and count with them; what decides which lists there are (strings,
 * exclusive, node.gres) must be as it was read.
 */
int eqt_job_spec_read(struct eqt_gres_rows *rows,
		      const struct eqt_bundle_table *prices,
		      const struct eqt_job_spec *spec, struct eqt_error *err);
int eqt_job_spec_count(struct eqt_job_totals *out,
		       const struct eqt_job_spec *spec,
		       const struct eqt_gres_rows *rows, struct eqt_error *err);

/* Both, with what was read kept for eqt_quote_count(); of *out nothing need be
 * initialized. Errors as eqt_job_spec_compute(), *out is then of no use. */
int eqt_parsed_spec_make(struct eqt_parsed_spec *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* As eqt_job_spec_compute(), for who wants nothing but the request. */
int eqt_job_spec_request(struct eqt_demand *out,
			 const struct eqt_bundle_table *prices,
			 const struct eqt_job_spec *spec,
			 struct eqt_error *err);

/* Whether the job may get more than is computed: whole nodes, or all memory of
 * nodes, whose size is not known or not the same for all. */
bool eqt_job_spec_is_least(const struct eqt_job_spec *spec);

#endif
