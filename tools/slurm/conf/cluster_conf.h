/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_conf: the nodes and partitions that a slurm.conf describes. */
#ifndef EQT_SLURM_CLUSTER_CONF_H
#define EQT_SLURM_CLUSTER_CONF_H

#include <stdint.h>

#include "slurm/text/hostlist.h"
#include "slurm/conf/slurm_conf.h"

struct eqt_cluster_node {
	char *name; /* owned */
	size_t line; /* index in conf->lines of its NodeName line */
};

/* Owned; {0} is empty. */
struct eqt_cluster {
	const struct eqt_slurmconf *conf; /* borrowed */
	struct eqt_cluster_node *nodes; /* sorted by name */
	size_t count;
};

/* Expand all NodeName lines; conf is borrowed. 0, or -1 with err filled: NodeName is not a
 * list of nodes. */
int eqt_cluster_conf_read(struct eqt_cluster *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err);

/* Free the nodes and their names; *cluster is empty then. */
void eqt_cluster_conf_free(struct eqt_cluster *cluster);

/* The node of that name, or NULL. */
const struct eqt_cluster_node *eqt_cluster_conf_find(
	const struct eqt_cluster *cluster, const char *name);

/* The value of a node's key, defaults included, or NULL. */
const char *eqt_cluster_conf_node_get(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key);

/* A node's key as a number, such as RealMemory; "without" if it is missing or
 * not a number. */
uint64_t eqt_cluster_conf_node_number(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key, uint64_t without);

/* The node's features, "a,b", or NULL; Slurm takes Feature and Features. */
const char *eqt_cluster_conf_node_features(const struct eqt_cluster *cluster,
					   const struct eqt_cluster_node *node);

/* The node's cores; hyper-threads are not counted. */
uint64_t eqt_cluster_conf_node_cores(const struct eqt_cluster *cluster,
				     const struct eqt_cluster_node *node);

/* The index of the partition's line, or conf->count. A line may name several partitions. */
size_t eqt_cluster_conf_partition(const struct eqt_cluster *cluster,
				  const char *name);

/* Is line i a partition (and not PartitionName=DEFAULT)? */
bool eqt_cluster_conf_is_partition(const struct eqt_slurmconf *conf, size_t i);

/*
 * Set in[], which has an element per node of the cluster, for the nodes of the
 * partition at a line. NodeSet lines and ALL are expanded; unknown names are
 * ignored. 0, or -1: an invalid list of nodes.
 */
int eqt_cluster_conf_partition_nodes(const struct eqt_cluster *cluster,
				     size_t line, bool *in);

#endif
