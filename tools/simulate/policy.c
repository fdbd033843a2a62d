/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy: keys of slurm.conf, and an equitree.conf. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/amount.h"
#include "simulate/simulate.h"
#include "slurm/conf/slurm_conf.h"
#include "slurm/conf/config.h"
#include "slurm/sshare.h"
#include "slurm/text/tres_list.h"

/* ---- Priorities ---------------------------------------------------------------------
 * Priorities of QOS and associations, as printed by sacctmgr, and the weights of TRES. */

#define SHOW_QOS                                                         \
	"sacctmgr -P show qos format=Name,Priority,UsageFactor,GrpTRES," \
	"GrpJobs,MaxTRESPU,MaxJobsPU,MaxTRESPA,MaxJobsPA"
#define SHOW_ASSOCS                                                      \
	"sacctmgr -P show assoc format=Account,User,Partition,Priority," \
	"GrpTRES,GrpJobs,MaxJobs"

/* Made when it is named for the first time, with Slurm's defaults. NULL: too many, or
 * out of memory. */
struct eqt_simulation_qos *eqt_simulate_qos(struct eqt_simulate_input *sim,
					    const char *name)
{
	struct eqt_simulation_qos *qos;
	int i;

	for (i = 0; i < sim->qos_count; i++)
		if (strcmp(sim->qos[i].name, name) == 0)
			return &sim->qos[i];
	if (i == EQT_SIMULATE_QOS_MAX)
		return NULL;
	qos = &sim->qos[i];
	*qos = (struct eqt_simulation_qos){
		.name = eqt_simulate_name(sim, name, strlen(name)),
		.usage_factor = 1,
	};
	if (!qos->name)
		return NULL;
	sim->qos_count++;
	return qos;
}

/* Read a table and find its columns; at has room for their numbers. The columns may
 * come in any order, and others may be between them. */
static int priorities_read_table(struct eqt_columns *out, size_t *at,
				 const char *const *names, const char *path,
				 const char *command, struct eqt_error *err)
{
	struct eqt_listing text;

	if (eqt_listing_read(&text, path, command, err) < 0 ||
	    eqt_columns_cut(out, &text, err) < 0)
		return -1;
	for (; *names; names++, at++) {
		*at = eqt_columns_find(out, *names, err);
		if (*at == EQT_COLUMNS_NONE) {
			eqt_columns_free(out);
			return -1;
		}
	}
	return 0;
}

/* A priority; an empty cell is 0. sacctmgr prints nothing for an association without a
 * priority of its own. */
static int cell_read_priority(uint32_t *out, const struct eqt_columns *table,
			      size_t row, size_t column, struct eqt_error *err)
{
	uint64_t number = 0;

	if (eqt_columns_cell(table, row, column)[0] != '\0' &&
	    eqt_columns_number(&number, table, row, column, UINT32_MAX - 2,
			       err) < 0)
		return -1;
	*out = (uint32_t) number;
	return 0;
}

/* ---- QOS -------------------------------------------------------------------- */

enum { NAME, PRIORITY, FACTOR, QOS_COLUMNS };

/* Take the priority and UsageFactor of one QOS. UsageFactor may have a fraction. */
static int qos_take_row(struct eqt_simulate_input *sim,
			const struct eqt_columns *table, size_t row,
			const size_t *at, struct eqt_error *err)
{
	const char *factor = eqt_columns_cell(table, row, at[FACTOR]);
	struct eqt_simulation_qos *qos =
		eqt_simulate_qos(sim, eqt_columns_cell(table, row, at[NAME]));
	char *end;

	if (!qos)
		return eqt_error_set(err, "%s: more than %d QOS",
				     table->text.name, EQT_SIMULATE_QOS_MAX);
	if (cell_read_priority(&qos->priority, table, row, at[PRIORITY], err) <
	    0)
		return -1;
	if (qos->priority > sim->qos_priority_max)
		sim->qos_priority_max = qos->priority;
	if (eqt_simulate_limits_take_qos(sim, (int) (qos - sim->qos), table,
					 row, err) < 0)
		return -1;
	if (factor[0] == '\0')
		return 0;
	qos->usage_factor = strtod(factor, &end);
	/* Also rejects a comma, NaN and infinity. */
	if (!isdigit((unsigned char) factor[0]) || *end != '\0' ||
	    !(qos->usage_factor <= 1e6))
		return eqt_error_set(err,
				     "%s: line %zu: UsageFactor: \"%.64s\": "
				     "expected a number",
				     table->text.name, table->lines[row + 1],
				     factor);
	return 0;
}

/* Read "sacctmgr show qos", live or saved. Without this file all QOS have priority 0,
 * which a warning says. */
static int qos_read(struct eqt_simulate_input *sim, const char *path,
		    struct eqt_error *err)
{
	static const char *const names[QOS_COLUMNS + 1] = {
		[NAME] = "Name",
		[PRIORITY] = "Priority",
		[FACTOR] = "UsageFactor",
	};
	struct eqt_columns table;
	size_t at[QOS_COLUMNS], row;
	int rc = 0;

	if (priorities_read_table(&table, at, names, path, SHOW_QOS, err) < 0)
		return -1;
	for (row = 0; rc == 0 && row < table.rows; row++)
		rc = qos_take_row(sim, &table, row, at, err);
	sim->qos_known = true;
	eqt_columns_free(&table);
	return rc;
}

/* ---- Associations ----------------------------------------------------------- */

enum { ACCOUNT, USER, PARTITION, ASSOC_PRIORITY, ASSOC_COLUMNS };

/* The associations of the share tree by user and account, and its accounts by name. */
struct tree_names {
	struct eqt_sshare_index users;
	struct eqt_names accounts; /* struct eqt_numbered_name */
};

static void tree_names_free(struct tree_names *names)
{
	eqt_sshare_index_free(&names->users);
	eqt_names_free(&names->accounts);
}

/* 0, or -1 with err filled: out of memory. */
static int tree_names_make(struct tree_names *out,
			   const struct eqt_sshare *shares,
			   struct eqt_error *err)
{
	int rc;

	*out = (struct tree_names){ .accounts = { .slot = NULL } };
	rc = eqt_sshare_index_make(&out->users, shares, err);
	for (uint32_t i = 0; rc == 0 && i < shares->count; i++) {
		struct eqt_numbered_name *one;
		int new;

		if (shares->assocs[i].user)
			continue;
		one = eqt_names_get(&out->accounts, shares->assocs[i].account,
				    sizeof(*one), &new);
		if (!one)
			rc = eqt_error_set(err, "out of memory");
		else if (new)
			one->number = i;
	}
	if (rc < 0)
		tree_names_free(out);
	return rc;
}

/* The node of a user in an account or, without a user, of the account;
 * EQT_TREE_NONE. */
static uint32_t tree_names_find(const struct tree_names *names,
				const char *user, const char *account)
{
	const struct eqt_numbered_name *one;

	if (user[0] != '\0')
		return eqt_sshare_index_find(&names->users,
					     eqt_scontrol_value_of(user),
					     eqt_scontrol_value_of(account));
	one = eqt_names_find(&names->accounts, account);
	return one ? one->number : EQT_TREE_NONE;
}

/* The maximum is over all rows; a user's own is the row without a partition. Rows of
 * users that sshare does not show are passed over. */
static int assoc_take_row(struct eqt_simulate_input *sim,
			  const struct eqt_columns *table,
			  const struct tree_names *names, size_t row,
			  const size_t *at, struct eqt_error *err)
{
	uint32_t priority, assoc;

	if (cell_read_priority(&priority, table, row, at[ASSOC_PRIORITY], err) <
	    0)
		return -1;
	if (priority > sim->priority_max)
		sim->priority_max = priority;
	if (eqt_columns_cell(table, row, at[PARTITION])[0] != '\0')
		return 0;
	assoc = tree_names_find(names, eqt_columns_cell(table, row, at[USER]),
				eqt_columns_cell(table, row, at[ACCOUNT]));
	if (assoc == EQT_TREE_NONE)
		return 0;
	if (sim->tree[assoc].user)
		sim->priorities[assoc] = priority;
	return eqt_simulate_limits_take_assoc(sim, assoc, table, row, err);
}

/* Take the priority of each association that sshare printed, too. */
static int assocs_take(struct eqt_simulate_input *sim,
		       const struct eqt_columns *table, const size_t *at,
		       struct eqt_error *err)
{
	struct tree_names names;
	int rc = 0;

	sim->priorities =
		calloc(sim->shares.count + 1, sizeof(*sim->priorities));
	if (!sim->priorities)
		return eqt_error_set(err, "out of memory");
	if (tree_names_make(&names, &sim->shares, err) < 0)
		return -1;
	for (size_t row = 0; rc == 0 && row < table->rows; row++)
		rc = assoc_take_row(sim, table, &names, row, at, err);
	tree_names_free(&names);
	return rc;
}

/* Read "sacctmgr show assoc", live or saved. */
static int assocs_read(struct eqt_simulate_input *sim, const char *path,
		       struct eqt_error *err)
{
	static const char *const names[ASSOC_COLUMNS + 1] = {
		[ACCOUNT] = "Account",
		[USER] = "User",
		[PARTITION] = "Partition",
		[ASSOC_PRIORITY] = "Priority",
	};
	char name[EQT_CLUSTER_NAME], command[sizeof(SHOW_ASSOCS) + 160];
	struct eqt_columns table;
	size_t at[ASSOC_COLUMNS];
	int rc;

	/* slurmdbd has the associations of other clusters, too. */
	if (!path && eqt_cluster_name(name, sizeof(name), err) < 0)
		return -1;
	(void) snprintf(command, sizeof(command), SHOW_ASSOCS " cluster=%s",
			path ? "" : name);
	if (priorities_read_table(&table, at, names, path, command, err) < 0)
		return -1;
	rc = assocs_take(sim, &table, at, err);
	eqt_columns_free(&table);
	return rc;
}

int eqt_simulate_read_priorities(struct eqt_simulate_input *sim,
				 const struct eqt_simulate_options *options,
				 bool weighed, struct eqt_error *err)
{
	/* Saved shares and live priorities would show two moments. */
	bool live = weighed && !options->shares_path;

	if ((options->qos_path || live) &&
	    qos_read(sim, options->qos_path, err) < 0)
		return -1;
	if ((options->assocs_path || live) &&
	    assocs_read(sim, options->assocs_path, err) < 0)
		return -1;
	return 0;
}

/* ---- TRES ------------------------------------------------------------------- */

/* Add the weight of "gpu:p100", the part behind "gres/". */
static int tres_take_model(struct eqt_simulation_tres *out, const char *name,
			   size_t length, double weight)
{
	if (out->model_count == EQT_MODELS_MAX || length >= EQT_NAME_SIZE)
		return -1;
	(void) snprintf(out->model[out->model_count].name, EQT_NAME_SIZE,
			"%.*s", (int) length, name);
	out->model[out->model_count++].weight = weight;
	return 0;
}

/* 0; 1: a TRES that has no weight here; -1: not a weight. */
static int tres_take_weight(struct eqt_simulation_tres *out,
			    const struct eqt_treslist_item *item)
{
	double weight;

	if (eqt_tres_list_weight(&weight, item,
				 eqt_tres_list_named(item, "mem")) < 0)
		return -1;
	out->any = true;
	if (eqt_tres_list_named(item, "cpu"))
		out->cpus = weight;
	else if (eqt_tres_list_named(item, "mem"))
		out->mem_mib = weight;
	else if (eqt_tres_list_named(item, "node"))
		out->nodes = weight;
	else if (eqt_tres_list_named(item, "gres/gpu"))
		out->gpus = weight;
	else if (item->name_length > 9 &&
		 strncasecmp(item->name, "gres/gpu:", 9) == 0)
		return tres_take_model(out, item->name + 5,
				       item->name_length - 5, weight);
	else
		return 1;
	return 0;
}

/*
 * Read PriorityWeightTRES, "CPU=1000,Mem=500,GRES/gpu:p100=100". 0; 1: also
 * names TRES that are not simulated (licences, burst buffers, billing); -1: not
 * such a list.
 */
static int simulate_read_tres(struct eqt_simulation_tres *out, const char *text)
{
	size_t length = strlen(text);
	struct eqt_treslist_item item;
	int rc, left = 0;

	*out = (struct eqt_simulation_tres){ .any = false };
	while ((rc = eqt_tres_list_next(&item, &text, &length)) > 0) {
		rc = tres_take_weight(out, &item);
		if (rc < 0)
			return -1;
		left |= rc;
	}
	return rc < 0 ? -1 : left;
}

/* ---- Policy --------------------------------------------------------------- */

struct reading {
	const struct eqt_slurmconf *conf;
	struct eqt_simulate_policy *out;
	struct eqt_error *err;
};

/* Always -1. FILE:LINE is that of the key, of an included file as well. */
static int policy_value_error(struct reading *reading,
			      const struct eqt_slurmconf_line *line,
			      const char *key, const char *value)
{
	return eqt_error_set(reading->err, "%s:%u: %s=%.64s: %s", line->file,
			     line->number, key, value,
			     "expected another value");
}

/* Read a whole number of slurm.conf; keep *out where the key is missing. Slurm takes no
 * signs and no units here. */
static int policy_read_number(struct reading *reading, const char *key,
			      uint32_t *out)
{
	const struct eqt_slurmconf_line *line;
	const char *value = eqt_slurm_conf_get(reading->conf, key, &line);
	uint64_t number;

	if (!value)
		return 0;
	if (eqt_amount_count(&number, value, strlen(value)) < 0 ||
	    number > UINT32_MAX - 2 || value[strspn(value, "0123456789")])
		return policy_value_error(reading, line, key, value);
	*out = (uint32_t) number;
	return 0;
}

/* A time in seconds; 0 and UNLIMITED are 0: none. Slurm's forms of a time, in minutes,
 * as in slurm.conf(5). */
static int policy_read_time(struct reading *reading, const char *key,
			    uint32_t *out)
{
	const struct eqt_slurmconf_line *line;
	const char *value = eqt_slurm_conf_get(reading->conf, key, &line);
	uint64_t minutes;

	if (!value)
		return 0;
	if (eqt_amount_minutes(&minutes, value) < 0)
		return policy_value_error(reading, line, key, value);
	if (minutes == EQT_AMOUNT_UNLIMITED)
		minutes = 0;
	if (minutes > UINT32_MAX / 60)
		return policy_value_error(reading, line, key, value);
	*out = (uint32_t) minutes * 60;
	return 0;
}

/* Read all PriorityWeight keys, the one of TRES as a list. */
static int policy_read_weights(struct reading *reading)
{
	struct eqt_factor_weights *weights = &reading->out->policy.weights;
	const struct {
		const char *key;
		uint32_t *to;
	} keys[] = {
		{ "PriorityWeightAge", &weights->age },
		{ "PriorityWeightAssoc", &weights->assoc },
		{ "PriorityWeightFairShare", &weights->fairshare },
		{ "PriorityWeightJobSize", &weights->size },
		{ "PriorityWeightPartition", &weights->partition },
		{ "PriorityWeightQOS", &weights->qos },
	};
	const struct eqt_slurmconf_line *line;
	const char *tres;
	int rc;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (policy_read_number(reading, keys[i].key, keys[i].to) < 0)
			return -1;
	tres = eqt_slurm_conf_get(reading->conf, "PriorityWeightTRES", &line);
	if (!tres)
		return 0;
	rc = simulate_read_tres(&reading->out->policy.tres, tres);
	reading->out->tres_left = rc > 0;
	return rc < 0 ? policy_value_error(reading, line, "PriorityWeightTRES",
					   tres)
		      : 0;
}

/* Read half-life, maximum age and period, in seconds, with Slurm's defaults. */
static int policy_read_times(struct reading *reading)
{
	struct eqt_simulation_policy *policy = &reading->out->policy;

	policy->half_life_s = policy->max_age_s = 7 * 86400;
	policy->period_s = 300;
	if (policy_read_time(reading, "PriorityDecayHalfLife",
			     &policy->half_life_s) < 0 ||
	    policy_read_time(reading, "PriorityMaxAge", &policy->max_age_s) <
		    0 ||
	    policy_read_time(reading, "PriorityCalcPeriod", &policy->period_s) <
		    0)
		return -1;
	if (!policy->period_s)
		policy->period_s = 300;
	return 0;
}

/*
 * Read PriorityFlags, PriorityFavorSmall and PriorityParameters. Classic fair
 * share is refused: the simulation knows Fair Tree only.
 */
static int policy_read_words(struct reading *reading)
{
	struct eqt_simulation_policy *policy = &reading->out->policy;
	const struct eqt_slurmconf_line *line;
	const char *flags =
		eqt_slurm_conf_get(reading->conf, "PriorityFlags", &line);
	const char *words;
	struct eqt_params params;
	struct eqt_error why;

	if (eqt_text_list_has(flags, "NO_FAIR_TREE") ||
	    eqt_text_list_has(flags, "DEPTH_OBLIVIOUS"))
		return eqt_error_set(reading->err,
				     "%s:%u: PriorityFlags=%.64s: only Fair "
				     "Tree can be simulated",
				     line->file, line->number, flags);
	eqt_cluster_priority_words(
		policy, flags,
		eqt_slurm_conf_get(reading->conf, "PriorityFavorSmall", NULL));
	words = eqt_slurm_conf_get(reading->conf, "PriorityParameters", &line);
	if (!words)
		return 0;
	if (eqt_params_parse(&params, words, &why) < 0)
		return eqt_error_set(reading->err, "%s:%u: %s", line->file,
				     line->number, why.text);
	policy->stock = params.stock;
	if (params.period_s && !params.stock.extras)
		policy->period_s = params.period_s;
	return 0;
}

/* Read whether there is backfill, and its limits. */
static int policy_read_scheduler(struct reading *reading)
{
	const struct eqt_slurmconf_line *line;
	const char *type =
		eqt_slurm_conf_get(reading->conf, "SchedulerType", NULL);
	const char *list =
		eqt_slurm_conf_get(reading->conf, "SchedulerParameters", &line);
	const char *wrong =
		eqt_cluster_scheduler(&reading->out->policy, type, list);

	return wrong ? policy_value_error(reading, line, "SchedulerParameters",
					  wrong)
		     : 0;
}

/* Does the site enforce limits? Slurm's "safe" includes them. Without it limits are
 * counted and have no effect. */
static void policy_read_enforce(struct reading *reading)
{
	const char *words = eqt_slurm_conf_get(
		reading->conf, "AccountingStorageEnforce", NULL);

	reading->out->enforces = eqt_text_list_has(words, "limits") ||
				 eqt_text_list_has(words, "safe") ||
				 eqt_text_list_has(words, "all");
}

/* Note keys that change priorities but are not simulated. Notes are printed beside the
 * results, one a line. */
static void policy_note_others(struct reading *reading)
{
	static const char *const keys[] = {
		"PriorityUsageResetPeriod",
		"PriorityWeightTRES",
		"PriorityFlags",
		"PriorityType",
	};
	char *notes = reading->out->notes;
	size_t used = 0, i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct eqt_slurmconf_line *line;
		const char *value =
			eqt_slurm_conf_get(reading->conf, keys[i], &line);
		bool matters = value && strcmp(value, "0") != 0 &&
			       strcasecmp(value, "NONE") != 0 &&
			       value[0] != '\0';

		if (strcmp(keys[i], "PriorityFlags") == 0)
			matters = eqt_text_list_has(value, "INCR_ONLY") ||
				  eqt_text_list_has(value, "ACCRUE_ALWAYS");
		if (strcmp(keys[i], "PriorityWeightTRES") == 0)
			matters = reading->out->tres_left;
		if (strcmp(keys[i], "PriorityType") == 0)
			matters = value &&
				  strcasecmp(value, "priority/basic") == 0;
		if (matters && used < sizeof(reading->out->notes))
			used += (size_t) snprintf(
				notes + used,
				sizeof(reading->out->notes) - used,
				"%s%s:%u: %s is not simulated%s",
				used ? "\n" : "", line->file, line->number,
				keys[i],
				strcmp(keys[i], "PriorityWeightTRES") == 0
					? " except for cpu, mem, node and "
					  "gres/gpu"
					: "");
	}
}

/* Read the given equitree.conf, else the one beside slurm.conf. A policy without an
 * equitree.conf is not simulated: jobs would have no prices. */
static int policy_read_equitree(struct reading *reading, const char *slurm_path,
				const char *path)
{
	struct eqt_simulation_policy *policy = &reading->out->policy;
	const char *slash = strrchr(slurm_path, '/');
	char beside[PATH_MAX];

	if (!path) {
		(void) snprintf(beside, sizeof(beside), "%.*sequitree.conf",
				slash ? (int) (slash - slurm_path + 1) : 0,
				slurm_path);
		path = beside;
	}
	policy->conf = eqt_conf_read(path, reading->err);
	if (!policy->conf)
		return -1;
	policy->priority = policy->conf->priority;
	/* stock_compat switches these keys off in the plugin, too. */
	if (policy->stock.extras)
		policy->priority = (struct eqt_conf_priority){
			.idle_shares = true,
			.expansion_full_u =
				policy->conf->priority.expansion_full_u,
		};
	return 0;
}

/* Notes are collected also after an error, for the message. */
static int policy_read_paths(struct eqt_simulate_policy *out,
			     const char *slurm_path, const char *path,
			     struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	struct reading reading = { &conf, out, err };
	int rc;

	if (eqt_slurm_conf_read(&conf, slurm_path, err) < 0)
		return -1;
	rc = policy_read_weights(&reading) < 0 ||
			     policy_read_times(&reading) < 0 ||
			     policy_read_words(&reading) < 0 ||
			     policy_read_scheduler(&reading) < 0 ||
			     policy_read_equitree(&reading, slurm_path, path) <
				     0
		     ? -1
		     : 0;
	policy_read_enforce(&reading);
	policy_note_others(&reading);
	eqt_slurm_conf_free(&conf);
	return rc;
}

/* The name of a policy without one: its file without ".conf", or the folder of
 * a slurm.conf. */
static void policy_name_after(struct eqt_simulate_policy *out, const char *path)
{
	const char *end = path + strlen(path), *name;
	bool again = false;

	do {
		for (name = end; name > path && name[-1] != '/';)
			name--;
		again = !again && name > path &&
			strcmp(name, "slurm.conf") == 0;
		if (again)
			end = name - 1;
	} while (again);
	(void) snprintf(out->name, sizeof(out->name), "%.*s",
			(int) (end - name), name);
	end = strrchr(out->name, '.');
	if (end && strcmp(end, ".conf") == 0)
		out->name[end - out->name] = '\0';
}

/* The caller frees the copy, into which *equitree_conf points. */
char *eqt_simulate_policy_paths(const char *text, const char **equitree_conf)
{
	const char *equals = strchr(text, '=');
	char *copy = strdup(equals ? equals + 1 : text);
	char *comma = copy ? strrchr(copy, ',') : NULL;

	if (comma)
		*comma++ = '\0';
	if (equitree_conf)
		*equitree_conf = comma;
	return copy;
}

/* Names of policies are for the tables; without one the file's folder or name is taken. */
int eqt_simulate_read_policy(struct eqt_simulate_policy *out, const char *text,
			     struct eqt_error *err)
{
	const char *equals = strchr(text, '='), *beside;
	char *copy = eqt_simulate_policy_paths(text, &beside);
	int rc;

	*out = (struct eqt_simulate_policy){ .notes = "" };
	if (!copy)
		return eqt_error_set(err, "out of memory");
	if (equals)
		(void) snprintf(out->name, sizeof(out->name), "%.*s",
				(int) (equals - text), text);
	else
		policy_name_after(out, copy);
	rc = policy_read_paths(out, copy, beside, err);
	free(copy);
	if (rc < 0)
		eqt_simulate_policy_free(out);
	return rc;
}

void eqt_simulate_policy_free(struct eqt_simulate_policy *policy)
{
	eqt_conf_free(policy->policy.conf);
	policy->policy.conf = NULL;
}
