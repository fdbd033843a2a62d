/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy: keys of slurm.conf, and an equitree.conf. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "simulate/simulate.h"
#include "slurm/conf/scheduler.h"
#include "slurm/conf/slurm_conf.h"

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
	const char *value = eqt_slurmconf_get(reading->conf, key, &line);
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
	const char *value = eqt_slurmconf_get(reading->conf, key, &line);
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
	tres = eqt_slurmconf_get(reading->conf, "PriorityWeightTRES", &line);
	if (!tres)
		return 0;
	rc = eqt_simulate_read_tres(&reading->out->policy.tres, tres);
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

/* Which factors Slurm does not normalise (NO_NORMAL_*). Such a factor is the number
 * itself, not its part of the largest. */
static void policy_read_raw(struct eqt_simulation_policy *policy,
			    const char *flags)
{
	bool all = eqt_slurmconf_list_has(flags, "NO_NORMAL_ALL");

	policy->raw_partition = all ||
				eqt_slurmconf_list_has(flags, "NO_NORMAL_PART");
	policy->raw_qos = all || eqt_slurmconf_list_has(flags, "NO_NORMAL_QOS");
	policy->raw_assoc = all ||
			    eqt_slurmconf_list_has(flags, "NO_NORMAL_ASSOC");
	policy->raw_tres = all ||
			   eqt_slurmconf_list_has(flags, "NO_NORMAL_TRES");
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
		eqt_slurmconf_get(reading->conf, "PriorityFlags", &line);
	const char *small =
		eqt_slurmconf_get(reading->conf, "PriorityFavorSmall", NULL);
	const char *words;
	struct eqt_params params;
	struct eqt_error why;

	if (eqt_slurmconf_list_has(flags, "NO_FAIR_TREE") ||
	    eqt_slurmconf_list_has(flags, "DEPTH_OBLIVIOUS"))
		return eqt_error_set(
			reading->err,
			"%s:%u: PriorityFlags=%.64s: only Fair Tree can be "
			"simulated",
			line->file, line->number, flags);
	policy->relative_to_time =
		eqt_slurmconf_list_has(flags, "SMALL_RELATIVE_TO_TIME");
	policy_read_raw(policy, flags);
	policy->favor_small = small && (strcasecmp(small, "YES") == 0 ||
					strcasecmp(small, "TRUE") == 0 ||
					strcasecmp(small, "UP") == 0 ||
					strcmp(small, "1") == 0);
	words = eqt_slurmconf_get(reading->conf, "PriorityParameters", &line);
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
		eqt_slurmconf_get(reading->conf, "SchedulerType", NULL);
	const char *list =
		eqt_slurmconf_get(reading->conf, "SchedulerParameters", &line);
	const char *wrong =
		eqt_scheduler_read(&reading->out->policy, type, list);

	return wrong ? policy_value_error(reading, line, "SchedulerParameters",
					  wrong)
		     : 0;
}

/* Does the site enforce limits? Slurm's "safe" includes them. Without it limits are
 * counted and have no effect. */
static void policy_read_enforce(struct reading *reading)
{
	const char *words = eqt_slurmconf_get(reading->conf,
					      "AccountingStorageEnforce", NULL);

	reading->out->enforces = eqt_slurmconf_list_has(words, "limits") ||
				 eqt_slurmconf_list_has(words, "safe") ||
				 eqt_slurmconf_list_has(words, "all");
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
			eqt_slurmconf_get(reading->conf, keys[i], &line);
		bool matters = value && strcmp(value, "0") != 0 &&
			       strcasecmp(value, "NONE") != 0 &&
			       value[0] != '\0';

		if (strcmp(keys[i], "PriorityFlags") == 0)
			matters =
				eqt_slurmconf_list_has(value, "INCR_ONLY") ||
				eqt_slurmconf_list_has(value, "ACCRUE_ALWAYS");
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

	if (eqt_slurmconf_read(&conf, slurm_path, err) < 0)
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
	eqt_slurmconf_free(&conf);
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
