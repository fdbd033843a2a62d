/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares nodes and partitions with the bundles. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "cli/alloc.h"

/* A node is reported if its price by cores and its price by memory differ by more than
 * this ratio. */
#define LOPSIDED 4.0

/* The cores and the memory that belong to a node's GPUs according to their bundles. */
struct worth {
	const struct eqt_bundle_table *prices;
	double gpus, cores, memory;
	bool apart; /* some bundle does not compare cores with memory */
};

/* Does the bundle add separate prices for cores and memory, rather than take the larger
 * one? */
static bool bundle_is_apart(const struct eqt_bundle *bundle)
{
	return bundle->cores_u == 0 ||
	       (bundle->terms &&
		(bundle->terms->apart & EQT_APART(EQT_CORES, EQT_MEMORY)));
}

static void worth_add_gres(const struct eqt_gres *gres, void *with)
{
	struct worth *worth = with;
	int model =
		eqt_bundle_table_find(worth->prices, gres->name, gres->type);

	if (model < 0 || eqt_gres_is_share(gres->name))
		return;
	worth->apart |= bundle_is_apart(&worth->prices->gpu[model]);
	worth->gpus += (double) gres->count;
	worth->cores += (double) gres->count *
			(double) worth->prices->gpu[model].cores_u;
	worth->memory += (double) gres->count *
			 (double) worth->prices->gpu[model].mem_mib_u;
}

/* Price all cores and all memory of a node, in equivalents. Returns false if the two
 * prices cannot be compared. */
static bool node_equivalents(const struct eqt_check *check,
			     const struct eqt_cluster_node *node,
			     const struct eqt_bundle_table *prices,
			     double *cores, double *memory)
{
	struct worth worth = { .prices = prices };

	*cores = (double) eqt_cluster_conf_node_cores(&check->cluster, node);
	*memory = (double) eqt_cluster_conf_node_number(&check->cluster, node,
							"RealMemory", 0);
	eqt_check_node_gpus(check, node, worth_add_gres, &worth);
	/* The bundle of cores prices nodes without GPUs. */
	if (worth.gpus == 0) {
		worth.cores = (double) prices->cores.cores_u;
		worth.memory = (double) prices->cores.mem_mib_u;
		worth.apart = bundle_is_apart(&prices->cores);
	}
	if (worth.apart || *memory <= 1 || worth.memory <= 0)
		return false;
	*cores = *cores * (double) EQT_MICRO / worth.cores;
	*memory = *memory * (double) EQT_MICRO / worth.memory;
	if (worth.gpus > 0) {
		*cores *= worth.gpus;
		*memory *= worth.gpus;
	}
	return true;
}

/* Do all cores and all memory of the node cost about the same? */
static bool node_fits(const struct eqt_check *check,
		      const struct eqt_cluster_node *node,
		      const struct eqt_bundle_table *prices)
{
	double cores, memory;

	return !node_equivalents(check, node, prices, &cores, &memory) ||
	       (cores <= memory * LOPSIDED && memory <= cores * LOPSIDED);
}

/* Set fits[] for the nodes of a partition that its bundles fit. in[] is a buffer. */
static void partition_mark_fits(const struct eqt_check *check, size_t line,
				bool *in, bool *fits)
{
	const struct eqt_cluster *cluster = &check->cluster;
	struct eqt_bundle_table prices;

	eqt_conf_prices(&prices, check->conf,
			check->slurm.lines[line].pairs[0].value, NULL);
	if (eqt_cluster_conf_partition_nodes(cluster, line, in) < 0)
		return;
	for (size_t i = 0; i < cluster->count; i++) {
		if (in[i] && !fits[i])
			fits[i] = node_fits(check, &cluster->nodes[i], &prices);
	}
}

static void ratio_report(struct eqt_check *check,
			 const struct eqt_cluster_node *node)
{
	struct eqt_check_where where =
		eqt_check_where_line(check, &check->slurm.lines[node->line]);
	double cores, memory;

	if (node_equivalents(check, node, &check->conf->prices, &cores,
			     &memory) &&
	    !eqt_check_has_found(check, where))
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "all cores of node %s are %.4g equivalents, all "
			       "its memory is %.4g: its bundle does not fit",
			       node->name, cores, memory);
}

/* A node may be in several partitions. It is enough if the bundles of one of them fit the
 * node. */
static void check_ratio(struct eqt_check *check)
{
	const struct eqt_cluster *cluster = &check->cluster;
	bool *in = eqt_alloc(cluster->count + 1, sizeof(*in));
	bool *fits = eqt_alloc(cluster->count + 1, sizeof(*fits));

	for (size_t i = 0; i < check->slurm.count; i++) {
		if (eqt_cluster_conf_is_partition(&check->slurm, i))
			partition_mark_fits(check, i, in, fits);
	}
	for (size_t i = 0; i < cluster->count; i++) {
		if (!fits[i] &&
		    !node_fits(check, &cluster->nodes[i], &check->conf->prices))
			ratio_report(check, &cluster->nodes[i]);
	}
	free(in);
	free(fits);
}

/* Does the partition or the cluster have a default for memory? */
static bool has_default(const struct eqt_check *check, size_t line)
{
	static const char *const keys[] = { "DefMemPerCPU", "DefMemPerNode",
					    "DefMemPerGPU" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (eqt_slurm_conf_entity_get(&check->slurm, line, keys[i]) ||
		    eqt_check_value(check, keys[i], NULL))
			return true;
	}
	return strstr(eqt_check_value(check, "JobDefaults", ""),
		      "DefMemPerGPU") != NULL;
}

/* Without a default for memory, a job gets all memory of its nodes and is charged for
 * it. */
static void check_default_memory(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;
	const struct eqt_rule *rule;
	const char *name;

	if (check->conf->prices.cores.mem_mib_u == 0)
		return;
	for (size_t i = 0; i < slurm->count; i++) {
		if (!eqt_cluster_conf_is_partition(slurm, i) ||
		    has_default(check, i))
			continue;
		name = slurm->lines[i].pairs[0].value;
		rule = eqt_rules_find(&check->conf->partitions, name,
				      strlen(name));
		if (rule && (rule->wants & EQT_WANT_MEMORY))
			continue;
		eqt_check_warn_line(check, &slurm->lines[i],
				    "partition %s has no DefMemPerCPU or "
				    "DefMemPerNode: a job that requests no "
				    "memory gets, and pays for, all of a node",
				    name);
	}
}

/* Warn of a maximum below the price of a single GPU. */
static void check_max(struct eqt_check *check)
{
	const struct eqt_rule_list *list = &check->conf->partitions;
	const struct eqt_bundle_table *all = &check->conf->prices;
	struct eqt_bundle_table prices;

	for (uint32_t i = 0; i < list->count; i++) {
		const struct eqt_rule *rule = &list->rule[i];

		eqt_conf_prices(&prices, check->conf, rule->name, NULL);
		for (uint32_t m = 0; rule->max_u && m < all->gpu_count; m++) {
			if (!eqt_bundle_table_holds(&prices, m) ||
			    all->gpu[m].weight_u <= rule->max_u)
				continue;
			eqt_check_warn_conf(
				check, "partition", rule->name, "max",
				"partition \"%s\": a single %s exceeds its max",
				rule->name, all->gpu[m].name);
			break;
		}
	}
}

const struct eqt_check_row eqt_checks_nodes[] = {
	{ "node-lopsided", EQT_NEEDS_SLURM, check_ratio },
	{ "default-memory", EQT_NEEDS_SLURM, check_default_memory },
	{ "cap", 0, check_max },
	{ NULL, 0, NULL }
};
