/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_conf: the nodes and partitions that a slurm.conf describes. */
#ifndef EQT_SLURM_CLUSTER_CONF_H
#define EQT_SLURM_CLUSTER_CONF_H

#include <stdint.h>

#include "slurm/hostlist.h"
#include "slurm/slurm_conf.h"

struct eqt_cluster_node {
	char *name; /* owned */
	size_t line; /* of conf->lines: its NodeName line */
};

/* Owned; {0} has no nodes. */
struct eqt_cluster {
	const struct eqt_slurmconf *conf; /* borrowed */
	struct eqt_cluster_node *nodes; /* by name */
	size_t count;
};

/* 0, or -1 with err filled: a NodeName that is no list of nodes, memory. */
int eqt_cluster_read(struct eqt_cluster *out, const struct eqt_slurmconf *conf,
		     struct eqt_error *err);
void eqt_cluster_free(struct eqt_cluster *cluster);

/* The node of that name, or NULL. */
const struct eqt_cluster_node *eqt_cluster_find(
	const struct eqt_cluster *cluster, const char *name);

/* What holds for a key of a node or of a partition's line; NULL: nothing. */
const char *eqt_cluster_node_get(const struct eqt_cluster *cluster,
				 const struct eqt_cluster_node *node,
				 const char *key);

/* A number of a node's key, such as RealMemory; without one, or with one that
 * is none, what "without" says. */
uint64_t eqt_cluster_node_number(const struct eqt_cluster *cluster,
				 const struct eqt_cluster_node *node,
				 const char *key, uint64_t without);

/* Cores, whatever a CPU is here. */
uint64_t eqt_cluster_node_cores(const struct eqt_cluster *cluster,
				const struct eqt_cluster_node *node);

/* The line of the partition of that name, or conf->count. */
size_t eqt_cluster_partition(const struct eqt_cluster *cluster,
			     const char *name);

/* Is line i that of a partition (not of PartitionName=DEFAULT)? */
bool eqt_cluster_is_partition(const struct eqt_slurmconf *conf, size_t i);

/*
 * Which nodes the partition of a line has: in[] has a place for each node of
 * the cluster. NodeSet lines and ALL are understood; names of no node are
 * passed over. 0, or -1 with err filled.
 */
int eqt_cluster_partition_nodes(const struct eqt_cluster *cluster, size_t line,
				bool *in, struct eqt_error *err);

#endif
