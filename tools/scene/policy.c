/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy: keys of slurm.conf, and an equitree.conf. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/print.h"
#include "cli/alloc.h"
#include "base/amount.h"
#include "scene/policy.h"
#include "slurm/conf/site_conf.h"
#include "slurm/conf/slurm_conf.h"
#include "slurm/conf/cluster.h"
#include "slurm/text/tres_list.h"

/* ---- TRES ------------------------------------------------------------------- */

/* Add the weight of a model such as "gpu:p100", which is the part after "gres/". */
static int tres_take_model(struct eqt_simulation_tres *out, const char *name,
			   double weight)
{
	if (out->model_count == EQT_MODELS_MAX || strlen(name) >= EQT_NAME_SIZE)
		return -1;
	memcpy(out->model[out->model_count].name, name, strlen(name) + 1);
	out->model[out->model_count++].weight = weight;
	return 0;
}

/* Add the weight of an item. Returns 0, 1 if the simulation has no weight for this TRES,
 * or -1 if the value is not a weight. */
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
	else if (strncasecmp(item->name, "gres/gpu:", 9) == 0 && item->name[9])
		return tres_take_model(out, item->name + 5, weight);
	else
		return 1;
	return 0;
}

/*
 * Read PriorityWeightTRES, such as "CPU=1000,Mem=500,GRES/gpu:p100=100". Returns 0, 1 if
 * the list also names TRES that are not simulated (licences, burst buffers, billing), or
 * -1 if the text is not such a list.
 */
static int policy_read_tres(struct eqt_simulation_tres *out, const char *text)
{
	struct eqt_treslist_item item;
	int rc, left = 0;

	*out = (struct eqt_simulation_tres){ .any = false };
	while ((rc = eqt_tres_list_next(&item, &text)) > 0) {
		rc = tres_take_weight(out, &item);
		if (rc < 0)
			return -1;
		left |= rc;
	}
	return rc < 0 ? -1 : left;
}

/* ---- Scheduler ----------------------------------------------------------------------
 * SchedulerType and SchedulerParameters, as far as a simulation needs them. Words that
 * are not simulated are skipped. */

/* Read the number of one word. Returns 1, 0 if this is another word, or -1 if the value
 * is not a number or is too small. */
static int scheduler_take_number(uint32_t *out, const char *at,
				 const char *name, unsigned int least)
{
	const size_t length = strlen(name);
	unsigned int value;

	if (strncasecmp(at, name, length) != 0 || at[length] != '=')
		return 0;
	if (sscanf(at + length + 1, "%9u", &value) != 1 || value < least)
		return -1;
	*out = value;
	return 1;
}

/* sched/builtin has no backfill. */
static const char *policy_take_scheduler(struct eqt_simulation_policy *policy,
					 const char *type, const char *list)
{
	uint32_t window_min = 1440;
	const struct {
		const char *name;
		uint32_t *out;
		unsigned int least;
	} words[] = {
		{ "bf_interval", &policy->backfill_s, 1 },
		{ "bf_max_job_test", &policy->backfill_depth, 1 },
		{ "bf_job_part_count_reserve", &policy->backfill_reserve, 0 },
		{ "bf_window", &window_min, 1 },
	};
	const char *at, *wrong = NULL;

	policy->backfill_s = 30;
	policy->backfill_depth = 500;
	policy->backfill_reserve = 0;
	for (at = list; at && *at != '\0';
	     at += strcspn(at, ","), at += *at == ',')
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (scheduler_take_number(words[i].out, at,
						  words[i].name,
						  words[i].least) < 0 &&
			    !wrong)
				wrong = at;
	policy->backfill_window_s =
		window_min < UINT32_MAX / 60 ? window_min * 60 : UINT32_MAX;
	if (type && strcasecmp(type, "sched/builtin") == 0)
		policy->backfill_s = 0;
	return wrong;
}

/* ---- Policy --------------------------------------------------------------- */

struct reading {
	const struct eqt_slurmconf *conf;
	struct eqt_scene_policy *out;
	struct eqt_error *err;
};

/* Refuse a value. Returns -1, or 0 if the policy is taken as far as it can be simulated;
 * the key then has its default. FILE:LINE is the place of the key, which may be in an
 * included file. */
static int policy_refuse(struct reading *reading,
			 const struct eqt_slurmconf_line *line, const char *key,
			 const char *value, const char *why)
{
	(void) eqt_error_set(reading->err, "%s:%u: %s=%.64s: %s", line->file,
			     line->number, key, value, why);
	return reading->out->tolerant ? 0 : -1;
}

static int policy_value_error(struct reading *reading,
			      const struct eqt_slurmconf_line *line,
			      const char *key, const char *value)
{
	return policy_refuse(reading, line, key, value,
			     "expected another value");
}

/* Read a whole number of slurm.conf. *out is unchanged if the key is missing. Slurm
 * allows neither signs nor units here. */
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

/* Read a time in seconds. 0 and UNLIMITED become 0, which means that there is none. */
static int policy_read_time(struct reading *reading, const char *key,
			    uint32_t *out)
{
	const struct eqt_slurmconf_line *line;
	const char *value = eqt_slurm_conf_get(reading->conf, key, &line);
	struct eqt_error why;

	if (value && eqt_cluster_half_life_parse(out, value, &why) < 0)
		return policy_value_error(reading, line, key, value);
	return 0;
}

/* Read all PriorityWeight keys. That of TRES is a list. */
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
	rc = policy_read_tres(&reading->out->policy.tres, tres);
	reading->out->tres_left = rc > 0;
	return rc < 0 ? policy_value_error(reading, line, "PriorityWeightTRES",
					   tres)
		      : 0;
}

/* Read half-life, maximum age and period in seconds. Missing keys have Slurm's
 * defaults. */
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

/* Find the factors that Slurm does not normalize (NO_NORMAL_*). Such a factor is the
 * number itself, rather than its part of the largest number. */
static void policy_take_flags(struct eqt_simulation_policy *policy,
			      const char *flags, const char *small)
{
	const bool all = eqt_text_list_has(flags, "NO_NORMAL_ALL");

	policy->relative_to_time =
		eqt_text_list_has(flags, "SMALL_RELATIVE_TO_TIME");
	policy->raw_partition = all ||
				eqt_text_list_has(flags, "NO_NORMAL_PART");
	policy->raw_qos = all || eqt_text_list_has(flags, "NO_NORMAL_QOS");
	policy->raw_assoc = all || eqt_text_list_has(flags, "NO_NORMAL_ASSOC");
	policy->raw_tres = all || eqt_text_list_has(flags, "NO_NORMAL_TRES");
	policy->favor_small = small && (strcasecmp(small, "YES") == 0 ||
					strcasecmp(small, "TRUE") == 0 ||
					strcasecmp(small, "UP") == 0 ||
					strcmp(small, "1") == 0);
}

/*
 * Read PriorityFlags, PriorityFavorSmall and PriorityParameters. Classic fair share is
 * refused, because the simulation has only Fair Tree.
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

	if ((eqt_text_list_has(flags, "NO_FAIR_TREE") ||
	     eqt_text_list_has(flags, "DEPTH_OBLIVIOUS")) &&
	    policy_refuse(reading, line, "PriorityFlags", flags,
			  "only Fair Tree can be simulated") < 0)
		return -1;
	policy_take_flags(policy, flags,
			  eqt_slurm_conf_get(reading->conf,
					     "PriorityFavorSmall", NULL));
	words = eqt_slurm_conf_get(reading->conf, "PriorityParameters", &line);
	if (!words)
		return 0;
	if (eqt_params_parse(&params, words, &why) < 0) {
		(void) eqt_error_set(reading->err, "%s:%u: %s", line->file,
				     line->number, why.text);
		return reading->out->tolerant ? 0 : -1;
	}
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
		policy_take_scheduler(&reading->out->policy, type, list);

	return wrong ? policy_value_error(reading, line, "SchedulerParameters",
					  wrong)
		     : 0;
}

/* Does the site enforce limits? The word "safe" implies limits. If they are not enforced,
 * limits are counted without effect. */
static void policy_read_enforce(struct reading *reading)
{
	const char *words = eqt_slurm_conf_get(
		reading->conf, "AccountingStorageEnforce", NULL);

	reading->out->enforces = eqt_text_list_has(words, "limits") ||
				 eqt_text_list_has(words, "safe") ||
				 eqt_text_list_has(words, "all");
}

/* Add a note for each key that changes priorities but is not simulated. Notes are printed
 * next to the results, one per line. */
static void policy_note_others(struct reading *reading)
{
	static const char *const keys[] = {
		"PriorityUsageResetPeriod",
		"PriorityWeightTRES",
		"PriorityFlags",
		"PriorityType",
	};
	char *notes = reading->out->notes;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
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
		if (matters)
			eqt_print_append(
				notes, sizeof(reading->out->notes),
				"%s%s:%u: %s is not simulated%s",
				notes[0] ? "\n" : "", line->file, line->number,
				keys[i],
				strcmp(keys[i], "PriorityWeightTRES") == 0
					? " except for cpu, mem, node and "
					  "gres/gpu"
					: "");
	}
}

int eqt_scene_policy_take(struct eqt_scene_policy *out,
			  const struct eqt_slurmconf *conf,
			  struct eqt_error *err)
{
	struct reading reading = { conf, out, err };
	int rc = policy_read_weights(&reading) < 0 ||
				 policy_read_times(&reading) < 0 ||
				 policy_read_words(&reading) < 0 ||
				 policy_read_scheduler(&reading) < 0
			 ? -1
			 : 0;

	policy_read_enforce(&reading);
	policy_note_others(&reading);
	return rc;
}

/* In the plugin, too, stock_compat disables the keys of the section "priority". */
void eqt_scene_policy_set_conf(struct eqt_scene_policy *policy,
			       const struct eqt_conf *conf)
{
	policy->policy.conf = conf;
	policy->policy.priority = conf->priority;
	if (policy->policy.stock.extras)
		policy->policy.priority = (struct eqt_conf_priority){
			.idle_shares = true,
			.expansion_full_u = conf->priority.expansion_full_u,
		};
}

/* Read the given equitree.conf, or else the one in the folder of slurm.conf. A policy
 * without an equitree.conf is not simulated, because its jobs would have no prices. */
static int policy_read_equitree(struct eqt_scene_policy *out,
				const char *slurm_path, const char *path,
				struct eqt_error *err)
{
	const struct eqt_conf *conf;
	char beside[PATH_MAX];

	if (!path)
		path = eqt_site_conf_beside(beside, slurm_path,
					    "equitree.conf");
	conf = eqt_conf_read(path, err);
	if (!conf)
		return -1;
	eqt_scene_policy_set_conf(out, conf);
	return 0;
}

static int policy_read_paths(struct eqt_scene_policy *out,
			     const char *slurm_path, const char *path,
			     struct eqt_error *err)
{
	struct eqt_slurmconf conf;
	int rc;

	if (eqt_slurm_conf_read(&conf, slurm_path, err) < 0)
		return -1;
	rc = eqt_scene_policy_take(out, &conf, err);
	eqt_slurm_conf_free(&conf);
	return rc < 0 ? -1 : policy_read_equitree(out, slurm_path, path, err);
}

/* Name a policy that was given no name, after its file without ".conf", or after the
 * folder of a slurm.conf. */
static void policy_name_after(struct eqt_scene_policy *out, const char *path)
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
char *eqt_scene_policy_paths(const char *text, const char **equitree_conf)
{
	const char *equals = strchr(text, '=');
	char *copy = eqt_alloc_text(equals ? equals + 1 : text);
	char *comma = strrchr(copy, ',');

	if (comma)
		*comma++ = '\0';
	if (equitree_conf)
		*equitree_conf = comma;
	return copy;
}

/* Names of policies are needed for the tables. A policy without a name is named after its
 * file or folder. */
int eqt_scene_policy_read(struct eqt_scene_policy *out, const char *text,
			  struct eqt_error *err)
{
	const char *equals = strchr(text, '='), *beside;
	char *copy = eqt_scene_policy_paths(text, &beside);
	int rc;

	*out = (struct eqt_scene_policy){ .notes = "" };

	if (equals)
		(void) snprintf(out->name, sizeof(out->name), "%.*s",
				(int) (equals - text), text);
	else
		policy_name_after(out, copy);
	rc = policy_read_paths(out, copy, beside, err);
	free(copy);
	if (rc < 0)
		eqt_scene_policy_free(out);
	return rc;
}

void eqt_scene_policy_free(struct eqt_scene_policy *policy)
{
	eqt_conf_free(policy->policy.conf);
	policy->policy.conf = NULL;
}
