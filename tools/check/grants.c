/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of grants, and of bundles for nodes with features. */
#include <string.h>

#include "check/findings.h"

/* Does the grant apply to an account of the file? */
static bool grant_has_account(const struct eqt_check *check,
			      const struct eqt_grant_rule *rule, size_t column)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	const char *account;
	size_t row;

	for (row = 0; row < check->assocs.rows; row++) {
		account = eqt_columns_cell(&check->assocs, row, column);
		/* sshare indents accounts by their depth. */
		account += strspn(account, " ");
		if (eqt_grants_find(grants, account) == rule)
			return true;
	}
	return false;
}

/* A grant without an account is often a misspelled pattern. */
static void check_accounts(struct eqt_check *check)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	size_t column = eqt_columns_find(&check->assocs, "Account", NULL);
	uint32_t i;

	for (i = 0; i < grants->count; i++) {
		if (!grant_has_account(check, &grants->rule[i], column))
			eqt_check_find(check, EQT_CHECK_WARNING,
				       eqt_check_where_conf(
					       check, "grant",
					       grants->rule[i].name, NULL),
				       "grant \"%s\" applies to no account: "
				       "none matches, or a "
				       "previous grant matches them all",
				       grants->rule[i].name);
	}
}

/* A bonus has no billing only if its factor is 0. */
static void check_bonus(struct eqt_check *check)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	const struct eqt_rule *qos;
	uint32_t i;

	for (i = 0; i < grants->count; i++) {
		const char *bonus = grants->rule[i].bonus;

		if (bonus[0] == '\0')
			continue;
		qos = eqt_rules_find(&check->conf->qos, bonus, strlen(bonus));
		if (!qos || qos->factor_u > 0)
			eqt_check_find(
				check, EQT_CHECK_WARNING,
				eqt_check_where_conf(check, "grant",
						     grants->rule[i].name,
						     "bonus"),
				"QOS \"%s\" is the bonus of grant \"%s\", but "
				"has no section with factor = 0: its jobs "
				"have a billing",
				bonus, grants->rule[i].name);
	}
}

/* Does the node have all features of a list with commas? */
static bool node_has_features(const struct eqt_check *check,
			      const struct eqt_cluster_node *node,
			      const char *list)
{
	const char *has =
		eqt_cluster_node_get(&check->cluster, node, "Feature");
	char name[EQT_NODES_SIZE];
	size_t length;

	if (!has)
		has = eqt_cluster_node_get(&check->cluster, node, "Features");
	for (; *list != '\0'; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (length >= sizeof(name))
			return false;
		memcpy(name, list, length);
		name[length] = '\0';
		if (!eqt_slurmconf_list_has(has, name))
			return false;
	}
	return true;
}

/* No job can get a bundle whose features no node has. */
static void check_features(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;
	size_t n;
	uint32_t i;

	for (i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &prices->gpu[i];
		bool found = false;

		if (!bundle->features)
			continue;
		for (n = 0; n < check->cluster.count && !found; n++)
			found = node_has_features(check,
						  &check->cluster.nodes[n],
						  bundle->features);
		if (!found)
			eqt_check_find(
				check, EQT_CHECK_WARNING,
				eqt_check_where_bundle(check, i, "features"),
				"bundle \"%s\": no node has the features %s",
				bundle->name, bundle->features);
	}
}

const struct eqt_check_row eqt_checks_grants[] = {
	{ "grant-account", EQT_NEEDS_ASSOCS, check_accounts },
	{ "grant-bonus", 0, check_bonus },
	{ "features-unknown", EQT_NEEDS_SLURM, check_features },
	{ NULL, 0, NULL }
};
