/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the Priority* keys of slurm.conf. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "check/check.h"
#include "base/amount.h"
#include "slurm/text/tres_list.h"

/* ---- Migration from Slurm's own priority plugin ----------------------------- */

#define PLUGIN "priority_equitree.so"

/* The priority plugin parses the parameters with the same function. Before the migration
 * they may belong to another plugin. */
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

/* Existing usage was charged by the weights of partitions, or by CPUs where there are no
 * weights. */
static void check_weights_scale(struct eqt_check *check)
{
	struct eqt_check_where where =
		eqt_check_where_conf(check, NULL, NULL, "weights_scale");
	const struct eqt_slurmconf *slurm = &check->slurm;
	double scale = (double) check->conf->weights_scale, unit;
	const char *text;
	bool any = false;

	for (size_t i = 0; check->before && i < slurm->count; i++) {
		if (!eqt_cluster_conf_is_partition(slurm, i))
			continue;
		text = eqt_slurm_conf_entity_get(slurm, i,
						 "TRESBillingWeights");
		unit = text ? eqt_check_billing_unit(check, i, text) : 0;
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

/* Write the owner of a row, such as "account x" or "ada in account x". Returns buf. */
static const char *assoc_text(const struct eqt_check *check, size_t row,
			      char *buf, size_t size)
{
	const struct eqt_columns *assocs = &check->assocs;
	const char *user = eqt_columns_cell(
		assocs, row, eqt_columns_find(assocs, "User", NULL));
	const char *account = eqt_columns_name(
		assocs, row, eqt_columns_find(assocs, "Account", NULL));

	(void) snprintf(buf, size, "%s%saccount %s", user,
			user[0] ? " in " : "", account);
	return buf;
}

/* A limit that was set in Slurm's units of billing is wrong as soon as jobs are charged
 * in equivalents. */
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
			uint64_t billing = eqt_tres_list_amount(
				eqt_columns_cell(&check->assocs, row, at),
				"billing");

			if (billing)
				limit_check(check, row, columns[i], billing);
		}
	}
}

/* ---- The plugin on this machine --------------------------------------------- */

/* Only the plugin on this machine can be checked. */
static void check_plugin(struct eqt_check *check)
{
	char path[PATH_MAX];
	const char *folders = eqt_check_value(check, "PluginDir",
					      check->here ? EQT_PLUGINDIR : "");

	if (eqt_check_find_file(path, folders, PLUGIN) == 0)
		eqt_check_warn_key(
			check, "PluginDir",
			"this machine has no " PLUGIN
			" in %s: slurmctld does not start here, and sshare may "
			"fail; check each login node, too",
			folders);
}

const struct eqt_check_row eqt_checks_migration[] = {
	{ "priority-parameters", EQT_NEEDS_SLURM, check_parameters },
	{ "weights-scale", EQT_NEEDS_SLURM, check_weights_scale },
	{ "limit-unit", EQT_NEEDS_ASSOCS, check_limits },
	{ "plugin-missing", EQT_NEEDS_SLURM, check_plugin },
	{ NULL, 0, NULL }
};

/* ---- Priority ------------------------------------------------------------- */

#define WEIGHTS 6
#define DEFAULT_CALC_MINUTES 5

/* If a weight is this many times smaller than another weight, it only decides between
 * jobs that are otherwise equal. */
#define SWAMPED 1000

/* The smallest number of passes per half-life. */
#define PASSES_MIN 20

static const char *const weights[WEIGHTS] = {
	"PriorityWeightAge",	   "PriorityWeightAssoc",
	"PriorityWeightFairShare", "PriorityWeightJobSize",
	"PriorityWeightPartition", "PriorityWeightQOS",
};

/* A time of slurm.conf in minutes, or "without" if the key is missing. 0 if the time is
 * invalid or unlimited. */
static uint64_t check_minutes(const struct eqt_check *check, const char *key,
			      uint64_t without)
{
	const char *value = eqt_check_value(check, key, NULL);
	uint64_t minutes = 0;

	if (!value)
		return without;
	if (eqt_amount_minutes(&minutes, value) < 0 ||
	    minutes == EQT_AMOUNT_UNLIMITED)
		return 0;
	return minutes;
}

/* Slurm's default is seven days. */
static uint64_t check_half_life_minutes(const struct eqt_check *check)
{
	return check_minutes(check, "PriorityDecayHalfLife", 7 * 24 * 60);
}

/* slurmctld itself refuses this combination, because usage would only grow. */
static void check_half_life(struct eqt_check *check)
{
	if (check_half_life_minutes(check) == 0 &&
	    strcasecmp(eqt_check_value(check, "PriorityUsageResetPeriod",
				       "NONE"),
		       "NONE") == 0)
		eqt_check_fail_key(
			check, "PriorityDecayHalfLife",
			"PriorityDecayHalfLife=0 without "
			"PriorityUsageResetPeriod: usage would never expire, "
			"and slurmctld does not start");
}

/* Seconds between two passes. equitree's own key is in seconds, and Slurm's in
 * minutes. */
static uint64_t check_pass_period(const struct eqt_check *check,
				  const char **key)
{
	uint64_t minutes = check_minutes(check, "PriorityCalcPeriod",
					 DEFAULT_CALC_MINUTES);

	*key = "PriorityCalcPeriod";
	if (check->params.period_s && !check->params.stock.extras) {
		*key = "PriorityParameters";
		return check->params.period_s;
	}
	return (minutes ? minutes : DEFAULT_CALC_MINUTES) * 60;
}

/* If usage decays a lot between two passes, ranks jump. */
static void check_calc_period(struct eqt_check *check)
{
	const char *key;
	uint64_t seconds = check_pass_period(check, &key),
		 life = check_half_life_minutes(check) * 60;

	if (life > 0 && seconds > life / PASSES_MIN)
		eqt_check_warn_key(check, key,
				   "ranks are up to %" PRIu64
				   " s old, but usage halves every %" PRIu64
				   " s: use at least %d passes per half-life",
				   seconds, life, PASSES_MIN);
}

/* The sum of a list such as PriorityWeightTRES=cpu=1000,mem=2000. */
static uint64_t tres_weight_sum(const struct eqt_check *check)
{
	const char *at = eqt_check_value(check, "PriorityWeightTRES", "");
	uint64_t sum = 0;

	while ((at = strchr(at, '=')))
		sum += strtoull(++at, NULL, 10);
	return sum;
}

/* Add two numbers. The sum stays at the maximum instead of wrapping around. */
static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

/* The key with the largest weight, if that weight is above *most. NULL if there is
 * none. */
static const char *weights_largest(const struct eqt_check *check,
				   uint64_t *most)
{
	const char *largest = NULL;

	for (int i = 0; i < WEIGHTS; i++) {
		const uint64_t one = eqt_check_number(check, weights[i], 0);

		if (one > *most) {
			*most = one;
			largest = weights[i];
		}
	}
	return largest;
}

/* Each factor is at most 1, so the highest priority is the sum of the weights. Slurm cuts
 * a priority to 32 bits. */
static void check_overflow(struct eqt_check *check)
{
	uint64_t sum = tres_weight_sum(check), most = sum;
	const char *largest = weights_largest(check, &most);

	for (int i = 0; i < WEIGHTS; i++)
		sum = add_capped(sum, eqt_check_number(check, weights[i], 0));
	/* Points from equitree.conf go into the same sum. */
	sum = add_capped(sum, check->conf->priority.access_weight);
	sum = add_capped(sum, check->conf->priority.expansion_weight);
	if (sum > UINT32_MAX)
		eqt_check_fail_key(
			check, largest ? largest : "PriorityWeightTRES",
			"the weights add up to %" PRIu64
			", but a priority has 32 bits, at most %" PRIu32
			": jobs above that are equal",
			sum, UINT32_MAX);
}

/* Compare each weight with the largest one. If a factor's whole range is less than one
 * step of the largest factor, it only decides ties. */
static void check_swamped(struct eqt_check *check)
{
	uint64_t most = 0, one;
	const char *largest = weights_largest(check, &most);

	for (int i = 0; i < WEIGHTS; i++) {
		one = eqt_check_number(check, weights[i], 0);
		if (one > 0 && most / one >= SWAMPED)
			eqt_check_warn_key(check, weights[i],
					   "%s=%" PRIu64
					   " is swamped by %s=%" PRIu64
					   ": it decides only between jobs "
					   "that are equal in the other",
					   weights[i], one, largest, most);
	}
}

/* Without this weight usage is still charged, but has no effect on priorities. */
static void check_fairshare(struct eqt_check *check)
{
	if (eqt_check_number(check, "PriorityWeightFairShare", 0) == 0)
		eqt_check_warn_key(check, "PriorityWeightFairShare",
				   "PriorityWeightFairShare is 0: ranks in the "
				   "share tree do not change the priority");
}

/* The factor has one step per user association. If there are fewer points than steps,
 * neighbours get the same priority. */
static void check_resolution(struct eqt_check *check)
{
	uint64_t weight = eqt_check_number(check, "PriorityWeightFairShare", 0);
	size_t user = eqt_columns_find(&check->assocs, "User", NULL);
	uint64_t users = 0;

	for (size_t row = 0; row < check->assocs.rows; row++)
		users += *eqt_columns_cell(&check->assocs, row, user) != '\0';
	if (weight > 0 && weight < users)
		eqt_check_warn_key(check, "PriorityWeightFairShare",
				   "PriorityWeightFairShare=%" PRIu64
				   " has fewer points than the %" PRIu64
				   " ranks of user associations: neighbours "
				   "get equal priorities",
				   weight, users);
}

/* Fair Tree is the default. */
static bool has_tree(const struct eqt_check *check)
{
	return !eqt_text_list_has(eqt_check_value(check, "PriorityFlags", ""),
				  "NO_FAIR_TREE");
}

/* Slurm has used Fair Tree by default since 19.05. */
static void check_tree(struct eqt_check *check)
{
	if (!has_tree(check))
		eqt_check_warn_key(check, "PriorityFlags",
				   "NO_FAIR_TREE: users are ranked by the "
				   "classic formula, which does not protect an "
				   "account's share from its neighbours");
}

/* These keys of equitree.conf have no effect on the classic formula. */
static void check_tree_keys(struct eqt_check *check)
{
	const struct eqt_conf_priority *priority = &check->conf->priority;
	const struct {
		const char *key;
		bool given;
	} keys[] = {
		{ "rank_by", priority->rank_by != EQT_RANK_BY_USAGE },
		{ "allocated_now", priority->allocated_now != 0 },
		{ "order", priority->order != EQT_ORDER_USERS },
		{ "idle_shares", !priority->idle_shares },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].given && !has_tree(check))
			eqt_check_warn_conf(
				check, "priority", "", keys[i].key,
				"%s needs Fair Tree: with "
				"PriorityFlags=NO_FAIR_TREE it has no effect",
				keys[i].key);
	}
}

/* All tasks of one array record may start together, even if another user is next. */
static void check_arrays(struct eqt_check *check)
{
	const struct eqt_conf_priority *priority = &check->conf->priority;

	if (priority->order == EQT_ORDER_JOBS && !priority->tasks_ahead &&
	    eqt_check_number(check, "MaxArraySize", 1001) > 1)
		eqt_check_warn_conf(check, "priority", "", "order",
				    "order = jobs ranks single jobs, but a job "
				    "array starts as many tasks in its place "
				    "as fit: set tasks_ahead to the number "
				    "that starts between two rankings");
}

const struct eqt_check_row eqt_checks_priority[] = {
	{ "half-life", EQT_NEEDS_SLURM, check_half_life },
	{ "calc-period", EQT_NEEDS_SLURM, check_calc_period },
	{ "weights-overflow", EQT_NEEDS_SLURM, check_overflow },
	{ "weight-swamped", EQT_NEEDS_SLURM, check_swamped },
	{ "weight-fairshare", EQT_NEEDS_SLURM, check_fairshare },
	{ "weight-resolution", EQT_NEEDS_SLURM | EQT_NEEDS_ASSOCS,
	  check_resolution },
	{ "arrays-whole", EQT_NEEDS_SLURM, check_arrays },
	{ "fair-tree", EQT_NEEDS_SLURM, check_tree },
	{ "fair-tree-keys", EQT_NEEDS_SLURM, check_tree_keys },
	{ NULL, 0, NULL }
};
