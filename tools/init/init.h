/* SPDX-License-Identifier: GPL-2.0-or-later */
/* init: writes a first equitree.conf from nodes, partitions and accounts. */
#ifndef EQT_INIT_INIT_H
#define EQT_INIT_INIT_H

#include <stdio.h>

#include "conf/conf.h"
#include "slurm/conf/cluster_conf.h"
#include "slurm/text/columns.h"

/* A bundle, and the nodes from which it was computed. A plain value. */
struct eqt_init_bundle {
	char name[EQT_NAME_SIZE]; /* such as "cores", "gpu", "gpu:p100" */
	uint64_t cores_u; /* in millionths */
	uint64_t memory_mib; /* 0: memory is not counted */
	uint64_t node_count;
	uint64_t node_cores, node_memory_mib; /* of each of these nodes */
	uint64_t node_gpus; /* number of GPUs of all models per node; 0: none */
	char like[EQT_NODE_NAMES_SIZE]; /* name of one of these nodes */
	/* NodeName of these nodes, for a second bundle of the same model. "" means all
	 * nodes that no other bundle names. */
	char nodes[EQT_NODES_SIZE];
	bool too_long; /* the names do not fit into "nodes" */
};

/* A partition whose memory per core differs from that of the bundle of cores. */
struct eqt_init_partition {
	const char *name; /* borrowed from slurm.conf */
	uint64_t memory_mib;
};

/* A partition and its weights. Both texts are borrowed from slurm.conf. */
struct eqt_init_weights {
	const char *name;
	const char *weights; /* TRESBillingWeights; NULL: only CPUs count */
	uint64_t threads; /* CPUs per core on its first node */
};

/* Owns its memory; {0} is empty. */
struct eqt_init_plan {
	struct eqt_init_bundle *bundles; /* the first bundle is "cores" */
	size_t count;
	struct eqt_init_partition *partitions;
	size_t partition_count;
	bool memory; /* Slurm allocates memory */
	/* NULL: prices are not taken from TRESBillingWeights */
	struct eqt_init_weights *weights;
	size_t weights_count;
	/* PriorityFlags has MAX_TRES, so the largest product counts */
	bool largest;
	/* the first GRES other than "gpu" that has a weight */
	char disk[EQT_NAME_SIZE];
	bool accounts; /* accounts were read */
	/* suffix of the accounts of each pool; "": there is none */
	char suffix[EQT_POOLS][EQT_NAME_SIZE];
	/* an account without its counterpart; "": there is none */
	char lonely[256];
	size_t nodes;
};

/*
 * Plan the file for a cluster. "accounts" is the output of "sacctmgr -P show assoc" or
 * "sshare -alP", or NULL. Returns 0, or -1 with err filled if there are no nodes, if a
 * Gres cannot be read, or if there are more kinds of nodes than a file may have bundles.
 */
int eqt_init_plan_make(struct eqt_init_plan *out,
		       const struct eqt_cluster *cluster,
		       const struct eqt_columns *accounts,
		       struct eqt_error *err);

/* Plan the same prices for all partitions as their TRESBillingWeights give. Returns 0, or
 * -1 with err filled if a list of weights cannot be read. */
int eqt_init_weights_plan(struct eqt_init_plan *plan,
			  const struct eqt_cluster *cluster,
			  struct eqt_error *err);

/* Print the prices of TRESBillingWeights, if they were planned. */
void eqt_init_weights_print(FILE *to, const struct eqt_init_plan *plan);

/* Free what *plan owns. *plan is empty afterwards. */
void eqt_init_plan_free(struct eqt_init_plan *plan);

/* Write the file with comments. "slurm" is the path of slurm.conf. */
void eqt_init_print(FILE *to, const struct eqt_init_plan *plan,
		    const char *slurm);

/* Print the plan on stdout as JSON. */
void eqt_init_print_json(const struct eqt_init_plan *plan);

#endif
