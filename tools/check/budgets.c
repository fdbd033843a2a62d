/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks budgets, and Slurm's own limits where they serve as grants. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "check/check.h"

/* ---- Grants, and bundles for nodes with features ---------------------------- */

/* Does the grant apply to any account in the file of accounts? */
static bool grant_has_account(const struct eqt_check *check,
			      const struct eqt_grant_rule *rule, size_t column)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	const char *account;

	for (size_t row = 0; row < check->assocs.rows; row++) {
		account = eqt_columns_name(&check->assocs, row, column);
		if (eqt_grants_find(grants, account) == rule)
			return true;
	}
	return false;
}

/* A grant that applies to no account often has a misspelled pattern. */
static void check_accounts(struct eqt_check *check)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	size_t column = eqt_columns_find(&check->assocs, "Account", NULL);

	for (uint32_t i = 0; i < grants->count; i++) {
		if (!grant_has_account(check, &grants->rule[i], column))
			eqt_check_warn_conf(
				check, "grant", grants->rule[i].name, NULL,
				"grant \"%s\" applies to no account: none "
				"matches, or a previous grant matches them all",
				grants->rule[i].name);
	}
}

/* The jobs of a bonus cost nothing only if the factor of its QOS is 0. */
static void check_bonus(struct eqt_check *check)
{
	const struct eqt_grant_list *grants = &check->conf->grants;
	const struct eqt_rule *qos;

	for (uint32_t i = 0; i < grants->count; i++) {
		const char *bonus = grants->rule[i].bonus;

		if (bonus[0] == '\0')
			continue;
		qos = eqt_rules_find(&check->conf->qos, bonus, strlen(bonus));
		if (!qos || qos->factor_u > 0)
			eqt_check_warn_conf(
				check, "grant", grants->rule[i].name, "bonus",
				"QOS \"%s\" is the bonus of grant \"%s\", but "
				"has no section with factor = 0: its jobs have "
				"a billing",
				bonus, grants->rule[i].name);
	}
}

/* Does the node have all features of a comma-separated list? */
static bool node_has_features(const struct eqt_check *check,
			      const struct eqt_cluster_node *node,
			      const char *list)
{
	const char *has = eqt_cluster_conf_node_features(&check->cluster, node);
	char name[EQT_NODES_SIZE];

	while (eqt_text_next_name(name, sizeof(name), &list)) {
		if (!eqt_text_list_has(has, name))
			return false;
	}
	return true;
}

/* If no node has the features of a bundle, no job can get that bundle. */
static void check_features(struct eqt_check *check)
{
	const struct eqt_bundle_table *prices = &check->conf->prices;

	for (uint32_t i = 0; i < prices->gpu_count; i++) {
		const struct eqt_bundle *bundle = &prices->gpu[i];
		bool found = false;

		if (!bundle->features)
			continue;
		for (size_t n = 0; n < check->cluster.count && !found; n++)
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

/* ---- Slurm's grants ----------------------------------------------------------- */

/* Does an association in the file have a limit of billing-minutes? sacctmgr prints
 * "billing=1000,cpu=...". sshare has no such column. */
static bool assocs_have_grant(const struct eqt_check *check)
{
	size_t column;

	if (!(check->have & EQT_NEEDS_ASSOCS))
		return false;
	column = eqt_columns_find(&check->assocs, "GrpTRESMins", NULL);
	for (size_t row = 0;
	     column != EQT_COLUMNS_NONE && row < check->assocs.rows; row++) {
		if (strstr(eqt_columns_cell(&check->assocs, row, column),
			   "billing="))
			return true;
	}
	return false;
}

/* When Slurm starts a job, it checks the limit by TRESBillingWeights, or by CPUs if there
 * are none. */
static void check_slurm_grants(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;

	if (check->before ||
	    (check->conf->grants.count == 0 && !assocs_have_grant(check)))
		return;
	for (size_t i = 0; i < slurm->count; i++) {
		const char *weights;

		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		weights = eqt_slurm_conf_entity_get(slurm, i,
						    "TRESBillingWeights");
		if (eqt_check_billing_unit(check, i,
					   weights ? weights : "CPU=1") > 0)
			continue;
		eqt_check_warn_line(
			check, &slurm->lines[i],
			"grants are limits of billing-minutes (GrpTRESMins), "
			"which Slurm checks before a start by %s, and that is "
			"not the price in this partition: jobs start that do "
			"not fit, with \"safe\" as well; a grant that must "
			"hold is a budget (equitree-budget(1))",
			weights ? "TRESBillingWeights" : "CPUs");
		return;
	}
}

/* ---- Budgets ------------------------------------------------------------------ */

/* Does the file have an association for the budget's account and, if the budget has one,
 * its user? */
static bool assocs_have_owner(const struct eqt_check *check,
			      const struct eqt_budget_terms *terms)
{
	size_t accounts = eqt_columns_find(&check->assocs, "Account", NULL);
	size_t users = eqt_columns_find(&check->assocs, "User", NULL);

	for (size_t row = 0; row < check->assocs.rows; row++) {
		const char *account =
			eqt_columns_name(&check->assocs, row, accounts);
		const char *user = eqt_columns_cell(&check->assocs, row, users);

		if (strcasecmp(account, terms->account) == 0 &&
		    (!terms->user[0] || strcmp(user, terms->user) == 0))
			return true;
	}
	return false;
}

/* Slurm removes associations without regard to budgets. The finding names no line,
 * because a journal is not edited. */
static void check_budget_owners(struct eqt_check *check)
{
	const struct eqt_check_where where = { check->budgets_path, 0 };

	for (size_t i = 0; i < check->budgets.count; i++) {
		const struct eqt_budget *budget = &check->budgets.row[i];

		if (budget->closed || assocs_have_owner(check, &budget->terms))
			continue;
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "budget %" PRIu64
			       " belongs to %s%s%s, which does not exist: no "
			       "job can draw on it; move it (equitree budget "
			       "transfer) or close it",
			       budget->id, budget->terms.account,
			       budget->terms.user[0] ? "/" : "",
			       budget->terms.user);
	}
}

/* Is there an open budget of a pool? Its pool may be cores, GPUs, or both. */
static bool any_budget_of(const struct eqt_check *check,
			  enum eqt_budget_pool pool)
{
	for (size_t i = 0; i < check->budgets.count; i++) {
		if (!check->budgets.row[i].closed &&
		    eqt_budget_has_pool(&check->budgets.row[i], pool))
			return true;
	}
	return false;
}

/* A callback of eqt_check_node_gpus(): note that there is a GPU. */
static void gpu_is_there(const struct eqt_gres *gres, void *with)
{
	bool *found = with;

	*found |= gres->count > 0;
}

/* Does any node of the partition have a GPU? */
static bool partition_has_gpus(const struct eqt_check *check, size_t line)
{
	const struct eqt_cluster *cluster = &check->cluster;
	bool *in = eqt_alloc(cluster->count + 1, sizeof(*in)), found = false;

	if (eqt_cluster_conf_partition_nodes(cluster, line, in) == 0) {
		for (size_t i = 0; i < cluster->count; i++) {
			if (in[i])
				eqt_check_node_gpus(check, &cluster->nodes[i],
						    gpu_is_there, &found);
		}
	}
	free(in);
	return found;
}

/* The reason why no budget applies to the jobs of a partition. NULL if a budget may
 * apply. */
static const char *partition_is_free(const struct eqt_check *check, size_t line)
{
	const char *name = check->slurm.lines[line].pairs[0].value;
	const struct eqt_rule *rule =
		eqt_rules_find(&check->conf->partitions, name, strlen(name));

	if (rule && rule->factor_u == 0)
		return "its factor is 0";
	if (!any_budget_of(check, EQT_BUDGET_CORES) &&
	    !partition_has_gpus(check, line))
		return "it has no GPUs, and all budgets are for GPUs";
	if (!any_budget_of(check, EQT_BUDGET_GPUS) && rule && rule->cores_off)
		return "it is for GPUs alone, and all budgets are for cores";
	return NULL;
}

/* Jobs in such partitions draw on no budget, and no other output says so. */
static void check_budget_partitions(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;

	if (!any_budget_of(check, EQT_BUDGET_CORES) &&
	    !any_budget_of(check, EQT_BUDGET_GPUS))
		return;
	for (size_t i = 0; i < slurm->count; i++) {
		const char *why;

		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		why = partition_is_free(check, i);
		if (why)
			eqt_check_warn_line(
				check, &slurm->lines[i],
				"no budget applies to jobs of partition %s: %s",
				slurm->lines[i].pairs[0].value, why);
	}
}

/* slurmctld reports the end of a job to the plugin only if it enforces limits. */
static void check_budget_limits(struct eqt_check *check)
{
	const char *key = "AccountingStorageEnforce";
	const char *value = eqt_check_value(check, key, "");

	if (check->budgets.count == 0 || eqt_text_list_has(value, "limits") ||
	    eqt_text_list_has(value, "safe") || eqt_text_list_has(value, "all"))
		return;
	eqt_check_fail_key(check, key,
			   "budgets need limits in %s: without it slurmctld "
			   "reports no end of a job",
			   key);
}

/* A commitment covers the longest run that slurmctld allows. For a run without a limit no
 * commitment is large enough. */
static void check_budget_over_time(struct eqt_check *check)
{
	const struct eqt_slurmconf *slurm = &check->slurm;
	const char *key = "OverTimeLimit";
	const char *all = eqt_check_value(check, key, "0");

	for (size_t i = 0; i < slurm->count; i++) {
		const char *over;

		if (!eqt_cluster_conf_is_partition(slurm, i) ||
		    partition_is_free(check, i))
			continue;
		over = eqt_slurm_conf_entity_get(slurm, i, key);
		if (strcasecmp(over ? over : all, "UNLIMITED") == 0)
			eqt_check_warn_line(
				check, &slurm->lines[i],
				"jobs that draw on a budget are refused in "
				"partition %s: with %s=UNLIMITED no commitment "
				"covers what they may use",
				slurm->lines[i].pairs[0].value, key);
	}
}

const struct eqt_check_row eqt_checks_budgets[] = {
	{ "grant-weights", EQT_NEEDS_SLURM, check_slurm_grants },
	{ "budget-account", EQT_NEEDS_ASSOCS | EQT_NEEDS_BUDGETS,
	  check_budget_owners },
	{ "budget-partition", EQT_NEEDS_SLURM | EQT_NEEDS_BUDGETS,
	  check_budget_partitions },
	{ "budget-limits", EQT_NEEDS_SLURM | EQT_NEEDS_BUDGETS,
	  check_budget_limits },
	{ "budget-over-time", EQT_NEEDS_SLURM | EQT_NEEDS_BUDGETS,
	  check_budget_over_time },
	{ NULL, 0, NULL }
};
