/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the names of partitions, QOS, nodes and accounts in equitree.conf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "check/check.h"

/* A rule for an unknown partition never applies. Its name is often misspelled. */
static void check_partitions(struct eqt_check *check)
{
	const struct eqt_rule_list *list = &check->conf->partitions;

	for (uint32_t i = 0; i < list->count; i++) {
		if (eqt_cluster_conf_partition(&check->cluster,
					       list->rule[i].name) ==
		    check->slurm.count)
			eqt_check_warn_conf(
				check, "partition", list->rule[i].name, NULL,
				"slurm.conf has no partition \"%s\"",
				list->rule[i].name);
	}
}

/* The GPUs on a partition's nodes: whether the partition's rule prices any of them, and
 * one that it does not price. */
struct held {
	const struct eqt_bundle_table *prices;
	char missing[2 * EQT_NAME_SIZE];
	bool any;
};

/* A callback of eqt_check_node_gpus(): does the partition's rule leave a bundle for this
 * GPU? */
static void held_add_gres(const struct eqt_gres *gres, void *with)
{
	struct held *held = with;
	int model = eqt_bundle_table_find(held->prices, gres->name, gres->type);

	if (model < 0)
		return;
	if (eqt_bundle_table_holds(held->prices, (uint32_t) model))
		held->any = true;
	else
		(void) snprintf(held->missing, sizeof(held->missing), "%s%s%s",
				gres->name, gres->type[0] ? ":" : "",
				gres->type);
}

/* Check the GPUs on the nodes of one partition. in[] is a buffer with an element per node
 * of the cluster. */
static void check_held_in(struct eqt_check *check, const struct eqt_rule *rule,
			  size_t line, bool *in)
{
	struct held held = { .missing = "" };
	struct eqt_bundle_table prices;

	eqt_conf_prices(&prices, check->conf, rule->name, NULL);
	held.prices = &prices;
	if (eqt_cluster_conf_partition_nodes(&check->cluster, line, in) < 0)
		return;
	for (size_t i = 0; i < check->cluster.count; i++) {
		if (in[i])
			eqt_check_node_gpus(check, &check->cluster.nodes[i],
					    held_add_gres, &held);
	}
	if (held.missing[0] != '\0')
		eqt_check_warn_conf(
			check, "partition", rule->name, "bundles",
			"partition \"%s\" has nodes with %s, whose bundle it "
			"excludes: jobs on them get no price",
			rule->name, held.missing);
	else if (rule->cores_off && !held.any)
		eqt_check_warn_conf(
			check, "partition", rule->name, "bundles",
			"no bundle of partition \"%s\" matches its nodes",
			rule->name);
}

/* A rule that excludes the bundle of the partition's own nodes is nearly always a
 * mistake. */
static void check_held(struct eqt_check *check)
{
	const struct eqt_rule_list *list = &check->conf->partitions;
	bool *in = eqt_alloc(check->cluster.count + 1, sizeof(*in));
	size_t line;

	for (uint32_t i = 0; i < list->count; i++) {
		line = eqt_cluster_conf_partition(&check->cluster,
						  list->rule[i].name);
		if (line < check->slurm.count)
			check_held_in(check, &list->rule[i], line, in);
	}
	free(in);
}

/* The nodes in a bundle's list. */
struct listed {
	const struct eqt_check *check;
	const struct eqt_bundle *bundle;
	/* number of nodes that slurm.conf has, and that it lacks */
	size_t known, unknown;
	size_t without; /* number of known nodes that lack the GRES */
	char stranger[EQT_NODE_NAMES_SIZE],
		poor[EQT_NODE_NAMES_SIZE]; /* an example of each kind */
	bool has; /* the current node has the GRES */
};

/* Bundles with the same name differ by their nodes, so compare only names. */
static void listed_add_gres(const struct eqt_gres *gres, void *with)
{
	struct listed *listed = with;
	const struct eqt_bundle_table *prices = &listed->check->conf->prices;
	int model = eqt_bundle_table_find(prices, gres->name, gres->type);

	if (model >= 0 &&
	    strcmp(prices->gpu[model].name, listed->bundle->name) == 0)
		listed->has = true;
}

/* A callback of eqt_hostlist_each(): count a node. */
static int listed_add_node(const char *name, void *with)
{
	struct listed *listed = with;
	const struct eqt_cluster_node *node =
		eqt_cluster_conf_find(&listed->check->cluster, name);

	if (!node) {
		listed->unknown++;
		(void) snprintf(listed->stranger, EQT_NODE_NAMES_SIZE, "%s",
				name);
		return 0;
	}
	listed->known++;
	listed->has = false;
	eqt_check_node_gpus(listed->check, node, listed_add_gres, listed);
	if (!listed->has) {
		listed->without++;
		(void) snprintf(listed->poor, EQT_NODE_NAMES_SIZE, "%s", name);
	}
	return 0;
}

/* Report at most one finding per bundle: an invalid list, unknown nodes, or nodes that
 * lack its GRES. */
static void check_listed(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	struct eqt_error err;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &prices->gpu[i];
		struct listed listed = { .check = check, .bundle = bundle };
		struct eqt_check_where where =
			eqt_check_where_bundle(check, i, "nodes");

		if (!bundle->nodes)
			continue;
		if (eqt_hostlist_each(bundle->nodes, listed_add_node, &listed,
				      &err) < 0)
			eqt_check_find(check, EQT_CHECK_ERROR, where,
				       "bundle \"%s\": nodes = %s",
				       bundle->name, err.text);
		else if (listed.unknown > 0)
			eqt_check_find(check, EQT_CHECK_WARNING, where,
				       "bundle \"%s\": %zu of %zu nodes are "
				       "not in slurm.conf, such as %s",
				       bundle->name, listed.unknown,
				       listed.unknown + listed.known,
				       listed.stranger);
		else if (listed.without > 0)
			eqt_check_find(check, EQT_CHECK_WARNING, where,
				       "bundle \"%s\": %zu of its nodes have "
				       "no such GRES, such as %s",
				       bundle->name, listed.without,
				       listed.poor);
	}
}

/* Does an association or a partition have the QOS? Case does not matter. */
static bool assocs_have_qos(const struct eqt_check *check, const char *name,
			    const size_t columns[2])
{
	const struct eqt_slurmconf *slurm = &check->slurm;

	for (size_t row = 0; row < check->assocs.rows; row++) {
		for (size_t i = 0; i < 2; i++) {
			if (eqt_text_list_has(eqt_columns_cell(&check->assocs,
							       row, columns[i]),
					      name))
				return true;
		}
	}
	for (size_t i = 0; i < slurm->count; i++) {
		if (eqt_slurm_conf_line_is(&slurm->lines[i], "PartitionName") &&
		    (eqt_text_list_has(eqt_slurm_conf_line_get(&slurm->lines[i],
							       "QOS"),
				       name) ||
		     eqt_text_list_has(eqt_slurm_conf_line_get(&slurm->lines[i],
							       "AllowQos"),
				       name)))
			return true;
	}
	return false;
}

/* Check the QOS of rules and of the bonuses of grants. */
static void check_qos(struct eqt_check *check)
{
	const struct eqt_rule_list *list = &check->conf->qos;
	const struct eqt_grant_list *grants = &check->conf->grants;
	static const char wrong[] =
		"no association and no partition has the QOS \"%s\"";
	const size_t columns[2] = {
		eqt_columns_find(&check->assocs, "QOS", NULL),
		eqt_columns_find(&check->assocs, "Def QOS", NULL),
	};

	/* sshare prints no QOS. */
	if (columns[0] == EQT_COLUMNS_NONE)
		return;
	for (uint32_t i = 0; i < list->count; i++) {
		const char *name = list->rule[i].name;

		if (!assocs_have_qos(check, name, columns))
			eqt_check_warn_conf(check, "qos", name, NULL, wrong,
					    name);
		if (list->rule[i].then.percent &&
		    !assocs_have_qos(check, list->rule[i].then.qos, columns))
			eqt_check_warn_conf(check, "qos", name, "then", wrong,
					    list->rule[i].then.qos);
	}
	for (uint32_t i = 0; i < grants->count; i++) {
		const struct eqt_grant_rule *rule = &grants->rule[i];

		if (rule->bonus[0] != '\0' &&
		    !assocs_have_qos(check, rule->bonus, columns))
			eqt_check_warn_conf(check, "grant", rule->name, "bonus",
					    wrong, rule->bonus);
	}
}

static const char *const pool_names[EQT_POOLS] = {
	[EQT_POOL_CPU] = "cpu",
	[EQT_POOL_GPU] = "gpu",
};

/* For an account of a pool, check that the other pools have the matching accounts.
 * Without one, a job that moves to that pool is refused. */
static void check_pools_of(struct eqt_check *check, size_t row, size_t column)
{
	const struct eqt_pools *pools = &check->conf->pools;
	const char *account = eqt_columns_name(&check->assocs, row, column);
	size_t length;
	enum eqt_pool own = eqt_pools_of(pools, account, &length);
	char name[256];

	if (own == EQT_POOLS)
		return;
	for (int i = 0; i < EQT_POOLS; i++) {
		if (i == (int) own ||
		    !eqt_pools_account(pools, (enum eqt_pool) i, account, name,
				       sizeof(name)) ||
		    eqt_columns_have(&check->assocs, column, name))
			continue;
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_assoc(check, row),
			       "account %s has no counterpart %s: jobs of pool "
			       "%s are rejected",
			       account, name, pool_names[i]);
	}
}

/* Report accounts without a matching account in the other pool, and pools without
 * accounts. */
static void check_pools(struct eqt_check *check)
{
	const struct eqt_pools *pools = &check->conf->pools;
	size_t column = eqt_columns_find(&check->assocs, "Account", NULL);
	size_t user = eqt_columns_find(&check->assocs, "User", NULL);
	bool members[EQT_POOLS] = { false };
	enum eqt_pool pool;
	size_t row, length;

	if (!eqt_pools_any(pools))
		return;
	for (row = 0; row < check->assocs.rows; row++) {
		/* Skip the rows of users, because an account has a row of its own. */
		if (*eqt_columns_cell(&check->assocs, row, user) != '\0')
			continue;
		pool = eqt_pools_of(
			pools, eqt_columns_name(&check->assocs, row, column),
			&length);
		if (pool != EQT_POOLS)
			members[pool] = true;
		check_pools_of(check, row, column);
	}
	for (int i = 0; i < EQT_POOLS; i++) {
		if (pools->suffix[i][0] != '\0' && !members[i])
			eqt_check_warn_conf(check, "pool", pool_names[i],
					    "suffix", "no account ends in %s",
					    pools->suffix[i]);
	}
}

const struct eqt_check_row eqt_checks_names[] = {
	{ "partition-unknown", EQT_NEEDS_SLURM, check_partitions },
	{ "partition-bundles", EQT_NEEDS_SLURM, check_held },
	{ "nodes-unknown", EQT_NEEDS_SLURM, check_listed },
	{ "qos-unknown", EQT_NEEDS_SLURM | EQT_NEEDS_ASSOCS, check_qos },
	{ "pool-account", EQT_NEEDS_ASSOCS, check_pools },
	{ NULL, 0, NULL }
};
