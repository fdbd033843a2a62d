/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which settings a search may change, and between which bounds. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

#define WEIGHT_MOST 100000 /* of weights that are all 0 now */
#define WEIGHT_RANGE 1000 /* from the lowest to the highest */
#define HOUR_S 3600
#define DAY_S 86400
#define FACTOR_MOST 1000 /* of partitions and QOS */

/* Parameters while the list is made. */
struct params_list {
	struct eqt_tune *tune;
	const char *only, *keep;
	bool full;
};

/* Is a name in "PATTERN,PATTERN"? As a shell matches names of files: "PriorityWeight*". */
static bool patterns_match(const char *patterns, const char *name)
{
	char one[128];

	while (*patterns != '\0') {
		const size_t length = strcspn(patterns, ",");

		(void) snprintf(one, sizeof(one), "%.*s", (int) length,
				patterns);
		if (fnmatch(one, name, 0) == 0)
			return true;
		patterns += length + (patterns[length] == ',');
	}
	return false;
}

/* Add a parameter, or note that it is kept. Bounds enclose the present value. A
 * parameter that is kept has its present value in each simulation, and is named in the
 * text. */
static void params_add(struct params_list *list, struct eqt_tune_param param)
{
	struct eqt_tune *tune = list->tune;
	const bool kept =
		(list->only && !patterns_match(list->only, param.name)) ||
		(list->keep && patterns_match(list->keep, param.name));
	int *count = kept ? &tune->fixed_count : &tune->params;

	if (*count == EQT_TUNE_PARAMS_MAX) {
		list->full = true;
		return;
	}
	param.now = param.to32	 ? (double) *param.to32
		    : param.to64 ? (double) *param.to64
				 : (double) *param.to_flag;
	if (param.now > param.high)
		param.high = param.now;
	if (param.now < param.low && param.now > 0)
		param.low = param.now;
	(kept ? tune->fixed : tune->param)[(*count)++] = param;
}

/* Bounds and unit are those of a count until the caller sets others. */
static struct eqt_tune_param param_named(const char *name, const char *of,
					 enum eqt_tune_scale scale,
					 enum eqt_tune_place place)
{
	struct eqt_tune_param param = {
		.of = of,
		.scale = scale,
		.place = place,
		.low = 1,
		.high = 1,
		.unit = 1,
	};

	(void) snprintf(param.name, sizeof(param.name), "%s%s%s", name,
			of ? " of " : "", of ? of : "");
	return param;
}

/* ---- What there is ------------------------------------------------------------- */

/* Weights from the largest one down to a small part of it, and 0. */
static void params_add_weight(struct params_list *list, const char *name,
			      uint32_t *to, uint32_t most)
{
	struct eqt_tune_param param =
		param_named(name, NULL, EQT_TUNE_WEIGHT, EQT_TUNE_KEY_LINE);

	param.to32 = to;
	param.high = most;
	param.low = most > WEIGHT_RANGE ? most / (double) WEIGHT_RANGE : 1;
	params_add(list, param);
}

/* A number between bounds, on a logarithmic scale. Outside of the bounds a value is
 * unusual, not wrong: the present one is always among them. */
static void params_add_number(struct params_list *list,
			      struct eqt_tune_param param, uint32_t *to,
			      double low, double high)
{
	param.to32 = to;
	param.low = low;
	param.high = high;
	params_add(list, param);
}

/* 0 or 1, without a scale. */
static void params_add_switch(struct params_list *list, const char *name,
			      enum eqt_tune_place place, bool *to)
{
	struct eqt_tune_param param =
		param_named(name, NULL, EQT_TUNE_SWITCH, place);

	param.to_flag = to;
	params_add(list, param);
}

/* Points only count against each other, so the largest weight keeps its size. */
static uint32_t weights_most(const struct eqt_factor_weights *weights)
{
	const uint32_t all[] = { weights->age,	     weights->assoc,
				 weights->fairshare, weights->size,
				 weights->partition, weights->qos };
	uint32_t most = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] > most)
			most = all[i];
	return most ? most : WEIGHT_MOST;
}

/* Factors of partitions, and the weight that they need. With jobs in one partition
 * alone its factor changes nothing. */
static void params_add_partitions(struct params_list *list, uint32_t most)
{
	struct eqt_simulate_input *sim = &list->tune->sim;
	uint64_t used = 0;

	for (size_t i = 0; i < sim->count; i++)
		used |= UINT64_C(1) << sim->jobs[i].partition;
	if ((used & (used - 1)) == 0)
		return;
	params_add_weight(list, "PriorityWeightPartition",
			  &list->tune->policy.policy.weights.partition, most);
	for (uint32_t i = 0; i < sim->cluster.partition_count; i++)
		if (used >> i & 1)
			params_add_number(
				list,
				param_named("PriorityJobFactor",
					    sim->partitions[i].name,
					    EQT_TUNE_COUNT, EQT_TUNE_PARTITION),
				&sim->partitions[i].job_factor, 1, FACTOR_MOST);
}

/* Priorities of QOS that jobs have. Priorities of QOS come from sacctmgr: without its
 * list they are not known. */
static void params_add_qos(struct params_list *list, uint32_t most)
{
	struct eqt_simulate_input *sim = &list->tune->sim;
	bool used[EQT_SIMULATE_QOS_MAX] = { false };
	int count = 0;

	for (size_t i = 0; i < sim->count; i++)
		if (sim->jobs[i].qos)
			used[sim->jobs[i].qos - sim->qos] = true;
	for (int i = 0; i < sim->qos_count; i++)
		count += used[i];
	if (count < 2 || !sim->qos_known)
		return;
	params_add_weight(list, "PriorityWeightQOS",
			  &list->tune->policy.policy.weights.qos, most);
	for (int i = 0; i < sim->qos_count; i++)
		if (used[i])
			params_add_number(
				list,
				param_named("Priority of QOS", sim->qos[i].name,
					    EQT_TUNE_WEIGHT, EQT_TUNE_QOS),
				&sim->qos[i].priority, 1, FACTOR_MOST);
}

/* Words of SchedulerParameters, where there is backfill. Words that decide how much
 * backfill looks at, and how far ahead. */
static void params_add_backfill(struct params_list *list)
{
	struct eqt_simulation_policy *policy = &list->tune->policy.policy;
	struct eqt_tune_param window =
		param_named("bf_window", NULL, EQT_TUNE_TIME, EQT_TUNE_SCHED);

	if (!policy->backfill_s)
		return;
	window.unit = 60;
	params_add_number(list,
			  param_named("bf_interval", NULL, EQT_TUNE_COUNT,
				      EQT_TUNE_SCHED),
			  &policy->backfill_s, 15, 300);
	params_add_number(list,
			  param_named("bf_max_job_test", NULL, EQT_TUNE_COUNT,
				      EQT_TUNE_SCHED),
			  &policy->backfill_depth, 50, 5000);
	params_add_number(list,
			  param_named("bf_job_part_count_reserve", NULL,
				      EQT_TUNE_WEIGHT, EQT_TUNE_SCHED),
			  &policy->backfill_reserve, 1, 500);
	params_add_number(list, window, &policy->backfill_window_s, DAY_S,
			  14 * DAY_S);
}

/* Half-life and MaxAge; without decay there is no half-life to change. In whole hours,
 * as people write them. */
static void params_add_times(struct params_list *list)
{
	struct eqt_simulation_policy *policy = &list->tune->policy.policy;
	struct eqt_tune_param half = param_named("PriorityDecayHalfLife", NULL,
						 EQT_TUNE_TIME,
						 EQT_TUNE_KEY_LINE);
	struct eqt_tune_param age = param_named(
		"PriorityMaxAge", NULL, EQT_TUNE_TIME, EQT_TUNE_KEY_LINE);

	half.unit = age.unit = HOUR_S;
	if (policy->half_life_s)
		params_add_number(list, half, &policy->half_life_s, 6 * HOUR_S,
				  60 * DAY_S);
	if (policy->max_age_s)
		params_add_number(list, age, &policy->max_age_s, 6 * HOUR_S,
				  30 * DAY_S);
}

/* Keys of equitree.conf. Of the section priority; a key that is not set has the value
 * 0. */
static void params_add_conf(struct params_list *list, uint32_t most)
{
	struct eqt_simulation_policy *policy = &list->tune->policy.policy;
	struct eqt_tune_param access = param_named(
		"access_weight", NULL, EQT_TUNE_WEIGHT, EQT_TUNE_CONF);
	struct eqt_tune_param now = param_named("allocated_now", NULL,
						EQT_TUNE_WEIGHT, EQT_TUNE_CONF);

	access.to64 = &policy->priority.access_weight;
	access.high = most;
	access.low = most > WEIGHT_RANGE ? most / (double) WEIGHT_RANGE : 1;
	now.to64 = &policy->priority.allocated_now;
	now.low = HOUR_S;
	now.high = 7 * DAY_S;
	params_add(list, access);
	params_add(list, now);
}

/* -1 with err filled: there are more than a search can have, or none to change. */
int eqt_tune_params_make(struct eqt_tune *tune, const char *only,
			 const char *keep, struct eqt_error *err)
{
	struct params_list list = { tune, only, keep, false };
	struct eqt_simulation_policy *policy = &tune->policy.policy;
	struct eqt_factor_weights *weights = &policy->weights;
	const uint32_t most = weights_most(weights);

	params_add_weight(&list, "PriorityWeightAge", &weights->age, most);
	params_add_weight(&list, "PriorityWeightFairShare", &weights->fairshare,
			  most);
	params_add_weight(&list, "PriorityWeightJobSize", &weights->size, most);
	if (tune->sim.priorities && tune->sim.priority_max)
		params_add_weight(&list, "PriorityWeightAssoc", &weights->assoc,
				  most);
	params_add_switch(&list, "PriorityFavorSmall", EQT_TUNE_KEY_LINE,
			  &policy->favor_small);
	params_add_switch(&list, "SMALL_RELATIVE_TO_TIME", EQT_TUNE_FLAG,
			  &policy->relative_to_time);
	params_add_times(&list);
	params_add_partitions(&list, most);
	params_add_qos(&list, most);
	params_add_backfill(&list);
	params_add_conf(&list, most);
	if (list.full)
		return eqt_error_set(
			err, "more than %d parameters; keep some (--keep)",
			EQT_TUNE_PARAMS_MAX);
	if (tune->params == 0)
		return eqt_error_set(err, "no parameter is left to change");
	return 0;
}
