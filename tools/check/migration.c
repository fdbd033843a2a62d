/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks for the migration from Slurm's own priority plugin. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/findings.h"
#include "slurm/text/tres_list.h"

#define PLUGIN "priority_equitree.so"

/* The priority plugin parses the words with the same function. Before the
 * migration they may belong to another plugin. */
static void check_parameters(struct eqt_check *check)
{
	const char *key = "PriorityParameters";
	const struct eqt_conf_priority *priority = &check->conf->priority;
	struct eqt_check_where where = eqt_check_where_key(check, key);
	struct eqt_params params;
	struct eqt_error err;

	if (check->before)
		return;
	if (eqt_params_parse(&params, eqt_check_value(check, key, ""), &err) <
	    0) {
		eqt_check_find(check, EQT_CHECK_ERROR, where, "%s", err.text);
		return;
	}
	if (params.stock.extras && params.period_s)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "period has no effect with stock_compat: "
			       "PriorityCalcPeriod counts");
	if (params.stock.extras &&
	    (priority->rank_by != EQT_RANK_BY_USAGE ||
	     priority->allocated_now || priority->rank_every_ms ||
	     priority->order != EQT_ORDER_USERS || !priority->idle_shares ||
	     priority->access_weight || priority->expansion_weight ||
	     priority->refund != EQT_REFUND_NONE))
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "the section \"priority\" of equitree.conf has "
			       "no effect with stock_compat");
}

/* ---- The unit of usage so far --------------------------------------------- */

/* Existing usage was charged by the weights of partitions or, without weights,
 * by CPUs. */
static void check_weights_scale(struct eqt_check *check)
{
	struct eqt_check_where where =
		eqt_check_where_conf(check, NULL, NULL, "weights_scale");
	const struct eqt_slurmconf *slurm = &check->slurm;
	double scale = (double) check->conf->weights_scale, unit;
	const char *text;
	bool any = false;

	for (size_t i = 0; check->before && i < slurm->count; i++) {
		if (!eqt_cluster_is_partition(slurm, i))
			continue;
		text = eqt_slurmconf_entity_get(slurm, i, "TRESBillingWeights");
		unit = text ? eqt_check_weights_unit(check, i, text) : 0;
		any = any || text;
		if (unit <= 0 || fabs(unit - scale) <= scale * 1e-4)
			continue;
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "in partition %s one equivalent has been %.6g "
			       "units of Slurm's billing: weights_scale = %.6g "
			       "would convert its usage",
			       slurm->lines[i].pairs[0].value, unit, unit);
	}
	if (check->before && !any && scale != 1)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "weights_scale = %.0f, but no partition has "
			       "TRESBillingWeights: a core has been one unit "
			       "of Slurm's billing",
			       scale);
}

/* ---- Limits on billing ----------------------------------------------------- */

/* The name of a row of the file of accounts: "account x", "ada in account x". */
static const char *assoc_text(const struct eqt_check *check, size_t row,
			      char *buf, size_t size)
{
	const struct eqt_columns *assocs = &check->assocs;
	const char *user = eqt_columns_cell(
		assocs, row, eqt_columns_find(assocs, "User", NULL));
	const char *account = eqt_columns_cell(
		assocs, row, eqt_columns_find(assocs, "Account", NULL));

	(void) snprintf(buf, size, "%s%saccount %s", user,
			user[0] ? " in " : "", account + strspn(account, " "));
	return buf;
}

/* A limit that was set in Slurm's unit of billing is wrong as soon as jobs are
 * charged in equivalents. */
static void limit_check(struct eqt_check *check, size_t row, const char *column,
			uint64_t billing)
{
	struct eqt_check_where where = eqt_check_where_assoc(check, row);
	double scale = (double) check->conf->billing_scale;
	double times = scale / (double) check->conf->weights_scale;
	bool minutes = strstr(column, "Min") != NULL;
	char whose[256];

	(void) assoc_text(check, row, whose, sizeof(whose));
	if ((check->before || check->params.stock.billing) && times != 1)
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "%s: %s=billing=%" PRIu64
			       " has Slurm's unit: when jobs are charged in "
			       "equivalents, make it billing=%.0f "
			       "(billing_scale / weights_scale times as much)",
			       whose, column, billing,
			       (double) billing * times);
	else if (!check->before && !check->params.stock.billing &&
		 (double) billing < scale * (minutes ? 60 : 1))
		eqt_check_find(check, EQT_CHECK_WARNING, where,
			       "%s: %s=billing=%" PRIu64
			       " is %.4g equivalent%s with billing_scale = "
			       "%.0f: is it from before the migration?",
			       whose, column, billing, (double) billing / scale,
			       minutes ? "-minutes" : "s", scale);
}

static void check_limits(struct eqt_check *check)
{
	static const char *const columns[] = { "GrpTRESMins", "GrpTRES",
					       "GrpTRESRunMins", "MaxTRES",
					       "MaxTRESMins" };
	size_t i, row, at;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		at = eqt_columns_find(&check->assocs, columns[i], NULL);
		for (row = 0; row < check->assocs.rows; row++) {
			uint64_t billing = eqt_treslist_amount(
				eqt_columns_cell(&check->assocs, row, at),
				"billing");

			if (billing)
				limit_check(check, row, columns[i], billing);
		}
	}
}

/* ---- The plugin on this machine --------------------------------------------- */

/* Is a file in one of the folders? -1: none of the folders is here. */
static int folders_have(const char *list, const char *name)
{
	char path[PATH_MAX];
	struct stat status;
	size_t length;
	int has = -1;

	for (; *list != '\0'; list += length + (list[length] == ':')) {
		length = strcspn(list, ":");
		(void) snprintf(path, sizeof(path), "%.*s", (int) length, list);
		if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
			continue;
		(void) snprintf(path, sizeof(path), "%.*s/%s", (int) length,
				list, name);
		if (access(path, R_OK) == 0)
			return 1;
		has = 0;
	}
	return has;
}

/* Other machines cannot be seen from here. */
static void check_plugin(struct eqt_check *check)
{
	const char *folders = eqt_check_value(check, "PluginDir",
					      check->here ? EQT_PLUGINDIR : "");

	if (folders_have(folders, PLUGIN) == 0)
		eqt_check_find(check, EQT_CHECK_WARNING,
			       eqt_check_where_key(check, "PluginDir"),
			       "this machine has no " PLUGIN
			       " in %s: slurmctld does not start here, and "
			       "sshare may fail; check each login node, too",
			       folders);
}

const struct eqt_check_row eqt_checks_migration[] = {
	{ "priority-parameters", EQT_NEEDS_SLURM, check_parameters },
	{ "weights-scale", EQT_NEEDS_SLURM, check_weights_scale },
	{ "limit-unit", EQT_NEEDS_ASSOCS, check_limits },
	{ "plugin-missing", EQT_NEEDS_SLURM, check_plugin },
	{ NULL, 0, NULL }
};
