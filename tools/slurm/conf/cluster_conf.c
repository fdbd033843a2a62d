/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NodeName lines are expanded into single nodes, sorted by name for searching. Values
 * stay on the lines and are looked up there, never copied, because a cluster of 100,000
 * nodes has only a few dozen lines.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "slurm/conf/cluster_conf.h"

/* A callback of eqt_hostlist_each(). The caller fills in the line. */
static int cluster_add_node(const char *name, void *with)
{
	struct eqt_cluster *cluster = with;
	size_t count = cluster->count;
	struct eqt_cluster_node *nodes;

	EQT_ALLOC_ROOM(cluster->nodes, count);
	nodes = cluster->nodes;
	nodes[count].name = eqt_alloc_text(name);
	nodes[count].line = 0;
	cluster->count++;
	return 0;
}

static int node_compare_names(const void *a, const void *b)
{
	return strcmp(((const struct eqt_cluster_node *) a)->name,
		      ((const struct eqt_cluster_node *) b)->name);
}

/* NodeName=DEFAULT and PartitionName=DEFAULT set values for the lines after them. */
static bool line_is_default(const struct eqt_slurmconf_line *line)
{
	return strcasecmp(line->pairs[0].value, "DEFAULT") == 0;
}

/* Add the nodes of a line. An error names the file of the line, which may be an included
 * file. */
static int cluster_read_line(struct eqt_cluster *cluster, size_t i,
			     struct eqt_error *err)
{
	const struct eqt_slurmconf_line *line = &cluster->conf->lines[i];
	size_t first = cluster->count;
	struct eqt_error why;

	if (eqt_hostlist_each(line->pairs[0].value, cluster_add_node, cluster,
			      &why))
		return eqt_error_set(err, "%s:%u: NodeName=%s", line->file,
				     line->number, why.text);
	for (; first < cluster->count; first++)
		cluster->nodes[first].line = i;
	return 0;
}

int eqt_cluster_conf_read(struct eqt_cluster *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err)
{
	*out = (struct eqt_cluster){ .conf = conf };
	for (size_t i = 0; i < conf->count; i++) {
		if (!eqt_slurm_conf_line_is(&conf->lines[i], "NodeName") ||
		    line_is_default(&conf->lines[i]))
			continue;
		if (cluster_read_line(out, i, err) < 0) {
			eqt_cluster_conf_free(out);
			return -1;
		}
	}
	if (out->count)
		qsort(out->nodes, out->count, sizeof(*out->nodes),
		      node_compare_names);
	return 0;
}

void eqt_cluster_conf_free(struct eqt_cluster *cluster)
{
	for (size_t i = 0; i < cluster->count; i++)
		free(cluster->nodes[i].name);
	free(cluster->nodes);
	*cluster = (struct eqt_cluster){ .count = 0 };
}

static int name_compare_node(const void *name, const void *node)
{
	return strcmp(name, ((const struct eqt_cluster_node *) node)->name);
}

const struct eqt_cluster_node *eqt_cluster_conf_find(
	const struct eqt_cluster *cluster, const char *name)
{
	return cluster->count
		       ? bsearch(name, cluster->nodes, cluster->count,
				 sizeof(*cluster->nodes), name_compare_node)
		       : NULL;
}

const char *eqt_cluster_conf_node_get(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key)
{
	return eqt_slurm_conf_entity_get(cluster->conf, node->line, key);
}

/* Slurm refuses a value with a sign, a unit or a fraction, so such a value counts as
 * missing. */
uint64_t eqt_cluster_conf_node_number(const struct eqt_cluster *cluster,
				      const struct eqt_cluster_node *node,
				      const char *key, uint64_t without)
{
	const char *text = eqt_cluster_conf_node_get(cluster, node, key);
	uint64_t value;

	return text && eqt_digits_read(&value, &text, NULL) == 0 &&
			       *text == '\0'
		       ? value
		       : without;
}

const char *eqt_cluster_conf_node_features(const struct eqt_cluster *cluster,
					   const struct eqt_cluster_node *node)
{
	const char *has = eqt_cluster_conf_node_get(cluster, node, "Feature");

	return has ? has : eqt_cluster_conf_node_get(cluster, node, "Features");
}

/* The cores of a node's sockets. Slurm derives missing values of Boards, Sockets and
 * CoresPerSocket in this way too, unless slurmd finds other values on the node itself. */
static uint64_t node_socket_cores(const struct eqt_cluster *cluster,
				  const struct eqt_cluster_node *node)
{
	uint64_t sockets =
		eqt_cluster_conf_node_number(cluster, node, "Sockets", 0);

	if (!sockets)
		sockets = eqt_cluster_conf_node_number(cluster, node, "Boards",
						       1) *
			  eqt_cluster_conf_node_number(cluster, node,
						       "SocketsPerBoard", 1);
	return sockets *
	       eqt_cluster_conf_node_number(cluster, node, "CoresPerSocket", 1);
}

uint64_t eqt_cluster_conf_node_threads(const struct eqt_cluster *cluster,
				       const struct eqt_cluster_node *node)
{
	const uint64_t cpus =
		eqt_cluster_conf_node_number(cluster, node, "CPUs", 0);
	const uint64_t threads = eqt_cluster_conf_node_number(
		cluster, node, "ThreadsPerCore", 1);

	return threads == 0 || (cpus > 0 &&
				cpus <= node_socket_cores(cluster, node))
		       ? 1
		       : threads;
}

uint64_t eqt_cluster_conf_node_cores(const struct eqt_cluster *cluster,
				     const struct eqt_cluster_node *node)
{
	const uint64_t cpus =
		eqt_cluster_conf_node_number(cluster, node, "CPUs", 0);

	return cpus ? cpus / eqt_cluster_conf_node_threads(cluster, node)
		    : node_socket_cores(cluster, node);
}

bool eqt_cluster_conf_is_partition(const struct eqt_slurmconf *conf, size_t i)
{
	return eqt_slurm_conf_line_is(&conf->lines[i], "PartitionName") &&
	       !line_is_default(&conf->lines[i]);
}

size_t eqt_cluster_conf_partition(const struct eqt_cluster *cluster,
				  const char *name)
{
	const struct eqt_slurmconf *conf = cluster->conf;
	size_t i;

	for (i = 0; i < conf->count; i++) {
		if (eqt_cluster_conf_is_partition(conf, i) &&
		    eqt_text_list_has(conf->lines[i].pairs[0].value, name))
			break;
	}
	return i;
}

/* The nodes of a partition, while in[] is filled. */
struct members {
	const struct eqt_cluster *cluster;
	bool *in;
	bool sets; /* names may be names of node sets */
};

static int members_add_list(struct members *members, const char *list);

/* A node set lists its nodes by name, by feature, or both. */
static int members_add_set(struct members *members,
			   const struct eqt_slurmconf_line *line)
{
	const struct eqt_cluster *cluster = members->cluster;
	const char *feature = eqt_slurm_conf_line_get(line, "Feature");
	const char *nodes = eqt_slurm_conf_line_get(line, "Nodes");
	struct members inner = *members;

	for (size_t i = 0; feature && i < cluster->count; i++) {
		members->in[i] |=
			eqt_text_list_has(eqt_cluster_conf_node_features(
						  cluster, &cluster->nodes[i]),
					  feature);
	}
	/* Do not expand a set within a set. This also ends the recursion. */
	inner.sets = false;
	return nodes ? members_add_list(&inner, nodes) : 0;
}

/* A name is a node set, ALL, or a node. A node set hides a node of the same name. */
static int members_add(const char *name, void *with)
{
	struct members *members = with;
	const struct eqt_slurmconf *conf = members->cluster->conf;
	const struct eqt_cluster_node *node;

	for (size_t i = 0; members->sets && i < conf->count; i++) {
		if (eqt_slurm_conf_line_is(&conf->lines[i], "NodeSet") &&
		    strcmp(conf->lines[i].pairs[0].value, name) == 0)
			return members_add_set(members, &conf->lines[i]);
	}
	if (strcasecmp(name, "ALL") == 0) {
		for (size_t i = 0; i < members->cluster->count; i++)
			members->in[i] = true;
		return 0;
	}
	node = eqt_cluster_conf_find(members->cluster, name);
	if (node)
		members->in[node - members->cluster->nodes] = true;
	return 0;
}

static int members_add_list(struct members *members, const char *list)
{
	return eqt_hostlist_each(list, members_add, members, NULL);
}

/* Names without a NodeName line are ignored, because Slurm refuses such a file anyway. */
int eqt_cluster_conf_partition_nodes(const struct eqt_cluster *cluster,
				     size_t line, bool *in)
{
	struct members members = { cluster, in, true };
	const char *nodes =
		eqt_slurm_conf_entity_get(cluster->conf, line, "Nodes");

	memset(in, 0, cluster->count * sizeof(*in));
	return nodes ? members_add_list(&members, nodes) : 0;
}
