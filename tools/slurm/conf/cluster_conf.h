/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_conf: the nodes and partitions that a slurm.conf describes. */
#ifndef EQT_SLURM_CLUSTER_CONF_H
#define EQT_SLURM_CLUSTER_CONF_H

#include <stdint.h>

#include "slurm/text/hostlist.h"
#include "slurm/conf/slurm_conf.h"

struct eqt_cluster_node {
	char *name; /* owned */
	size_t line; /* index of the node's NodeName line in conf->lines */
};

/* Owns its memory; {0} is empty. */
struct eqt_cluster {
	const struct eqt_slurmconf *conf; /* borrowed */
	struct eqt_cluster_node *nodes; /* sorted by name */
	size_t count;
};

/* Expand all NodeName lines of conf, which is borrowed. Returns 0, or -1 with err filled
 * if a NodeName is not a list of nodes. */
int eqt_cluster_conf_read(struct eqt_cluster *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err);

/* Free the nodes and their names. *cluster is empty afterwards. */
void eqt_cluster_conf_free(struct eqt_cluster *cluster);

/* The node with this name, or NULL. */
const struct eqt_cluster_node *eqt_cluster_conf_find(
	const struct eqt_cluster *cluster, const char *name);

/* The value of a node's key, including the defaults, or NULL. */
const char *eqt_cluster_conf_node_get(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key);

/* A key of a node as a number, such as RealMemory. If the key is missing or not a number,
 * the result is "without". */
uint64_t eqt_cluster_conf_node_number(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key, uint64_t without);

/* The node's features, "a,b", or NULL. Slurm accepts Feature and Features. */
const char *eqt_cluster_conf_node_features(const struct eqt_cluster *cluster,
					   const struct eqt_cluster_node *node);

/* The CPUs of a core that Slurm gives out: 1 if the node has no more CPUs than cores. */
uint64_t eqt_cluster_conf_node_threads(const struct eqt_cluster *cluster,
				       const struct eqt_cluster_node *node);

/* The number of cores of the node. Hyper-threads are not counted. */
uint64_t eqt_cluster_conf_node_cores(const struct eqt_cluster *cluster,
				     const struct eqt_cluster_node *node);

/* The index of the line of the partition, or conf->count if there is none. A line may
 * name several partitions. */
size_t eqt_cluster_conf_partition(const struct eqt_cluster *cluster,
				  const char *name);

/* Does line i describe a partition? PartitionName=DEFAULT does not. */
bool eqt_cluster_conf_is_partition(const struct eqt_slurmconf *conf, size_t i);

/*
 * Set in[] for the nodes of the partition at a line. in[] has one element per node of the
 * cluster. NodeSet lines and ALL are expanded, and unknown names are ignored. Returns 0,
 * or -1 if the list of nodes is invalid.
 */
int eqt_cluster_conf_partition_nodes(const struct eqt_cluster *cluster,
				     size_t line, bool *in);

#endif
