/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which settings a search may change, and between which bounds. */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tune/tune.h"
#include "slurm/conf/slurm_conf.h"

/* ---- Point --------------------------------------------------------------------------
 * Points of the search. A point has for each parameter a place between 0 and 1, and a
 * value that belongs to the place. Values are rounded to two digits, as people write
 * them. Near the place of the present value a parameter stays unchanged, so that searches
 * change few parameters. */

#define ZERO_BELOW 0.05 /* places below this are the weight 0 */
#define STAY_WITHIN 0.02 /* distance from the present place */

/* Round to two digits, in units. The result is at least one unit, because 0 would give
 * the parameter another meaning. */
static double value_round(double value, double unit)
{
	double step = 1;

	value /= unit;
	while (value / step >= 100)
		step *= 10;
	value = floor(value / step + 0.5) * step;
	return (value < 1 ? 1 : value) * unit;
}

/* Weights and times cover several powers of ten, so places are on a logarithmic scale.
 * The lowest places are the weight 0. */
static double param_value_at(const struct eqt_tune_param *param, double x)
{
	double value;

	if (param->scale == EQT_TUNE_SWITCH)
		return x >= 0.5;
	if (param->scale == EQT_TUNE_WEIGHT) {
		if (x < ZERO_BELOW)
			return 0;
		x = (x - ZERO_BELOW) / (1 - ZERO_BELOW);
	}
	value = value_round(param->low * pow(param->high / param->low, x),
			    param->unit);
	return value > param->high ? param->high : value;
}

/* The reverse of param_value_at(). The place of a value outside the range is the nearest
 * end. */
static double param_place(const struct eqt_tune_param *param, double value)
{
	double x = 0;

	if (param->scale == EQT_TUNE_SWITCH)
		return value > 0 ? 0.75 : 0.25;
	if (value > 0 && param->high > param->low)
		x = log(value / param->low) / log(param->high / param->low);
	if (param->scale == EQT_TUNE_WEIGHT)
		x = value > 0 ? ZERO_BELOW + x * (1 - ZERO_BELOW) : 0;
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* The present setting comes from the files that were read. */
struct eqt_tune_point eqt_tune_point_now(const struct eqt_tune *tune)
{
	struct eqt_tune_point point = { { 0 } };

	for (int i = 0; i < tune->params; i++)
		point.value[i] = tune->param[i].now;
	return point;
}

struct eqt_tune_point eqt_tune_point_at(const struct eqt_tune *tune,
					const double *x)
{
	struct eqt_tune_point point = { { 0 } };

	for (int i = 0; i < tune->params; i++) {
		const struct eqt_tune_param *param = &tune->param[i];
		const double stay = param_place(param, param->now);

		point.value[i] = param->scale != EQT_TUNE_SWITCH &&
						 fabs(x[i] - stay) < STAY_WITHIN
					 ? param->now
					 : param_value_at(param, x[i]);
	}
	return point;
}

/* x has room for all parameters. */
void eqt_tune_point_places(const struct eqt_tune *tune, double *x,
			   const struct eqt_tune_point *point)
{
	for (int i = 0; i < tune->params; i++)
		x[i] = param_place(&tune->param[i], point->value[i]);
}

/* Parameters are set in the variables that the simulation reads, so each process has its
 * own copy of them. The priorities of QOS are divided by the highest one. */
void eqt_tune_point_apply(struct eqt_tune *tune,
			  const struct eqt_tune_point *point)
{
	struct eqt_scene *sim = &tune->sim;

	for (int i = 0; i < tune->params; i++) {
		const struct eqt_tune_param *param = &tune->param[i];

		if (param->to32)
			*param->to32 = (uint32_t) point->value[i];
		if (param->to64)
			*param->to64 = (uint64_t) point->value[i];
		if (param->to_flag)
			*param->to_flag = point->value[i] > 0;
	}
	sim->now.qos_priority_max = 0;
	for (int i = 0; i < sim->qos_count; i++)
		if (sim->qos[i].priority > sim->now.qos_priority_max)
			sim->now.qos_priority_max = sim->qos[i].priority;
}

/* ---- Lines ----------------------------------------------------------------------- */

/* PriorityMaxAge and PriorityDecayHalfLife take days and times. PriorityCalcPeriod takes
 * minutes. */
char *eqt_tune_param_text(const struct eqt_tune_param *param, double value,
			  char buf[EQT_TABLE_CELL])
{
	const long long n = (long long) value;

	if (param->scale == EQT_TUNE_SWITCH)
		(void) snprintf(buf, EQT_TABLE_CELL, "%s",
				value > 0 ? "YES" : "NO");
	else if (param->scale == EQT_TUNE_TIME && param->unit == 60)
		(void) snprintf(buf, EQT_TABLE_CELL, "%lld", n / 60);
	else if (param->scale == EQT_TUNE_TIME)
		(void) snprintf(buf, EQT_TABLE_CELL,
				"%lld-%02lld:%02lld:%02lld", n / 86400,
				n / 3600 % 24, n / 60 % 60, n % 60);
	else
		(void) snprintf(buf, EQT_TABLE_CELL, "%lld", n);
	return buf;
}

/* Remove a word from a list of slurm.conf and, unless "with" is NULL, append "with". */
static void list_set_word(char *list, size_t size, const char *word,
			  const char *with)
{
	const size_t length = strlen(word);
	char *at = list;
	size_t used;

	while (*at != '\0') {
		const size_t item = strcspn(at, ",");

		if (strncmp(at, word, length) == 0 &&
		    (item == length || at[length] == '=')) {
			const size_t cut = item + (at[item] == ',');

			memmove(at, at + cut, strlen(at + cut) + 1);
			continue;
		}
		at += item + (at[item] == ',');
	}
	used = strlen(list);
	if (used && list[used - 1] == ',')
		list[--used] = '\0';
	if (with)
		(void) snprintf(list + used, size - used, "%s%s",
				used ? "," : "", with);
}

/* Print the line of a list with its words as in the point, if a word changed.
 * PriorityFlags and SchedulerParameters are lists whose other words stay. */
static void lines_print_list(const struct eqt_tune *tune,
			     const struct eqt_tune_point *point,
			     const struct eqt_slurmconf *conf,
			     enum eqt_tune_place place)
{
	const char *key = place == EQT_TUNE_FLAG ? "PriorityFlags"
						 : "SchedulerParameters";
	const char *now = eqt_slurm_conf_get(conf, key, NULL);
	char list[4096], text[EQT_TABLE_CELL], word[160];
	bool changed = false;

	(void) snprintf(list, sizeof(list), "%s", now ? now : "");
	for (int i = 0; i < tune->params; i++) {
		const struct eqt_tune_param *param = &tune->param[i];

		if (param->place != place || point->value[i] == param->now)
			continue;
		changed = true;
		(void) snprintf(word, sizeof(word), "%s=%s", param->name,
				eqt_tune_param_text(param, point->value[i],
						    text));
		if (place == EQT_TUNE_FLAG)
			list_set_word(list, sizeof(list), param->name,
				      point->value[i] > 0 ? param->name : NULL);
		else
			list_set_word(list, sizeof(list), param->name, word);
	}
	if (changed)
		printf("    %s=%s\n", key, list);
}

/* The priority of a QOS is in the database, so its line is a command for sacctmgr. */
static void line_print(const struct eqt_tune_param *param, double value)
{
	char text[EQT_TABLE_CELL];

	(void) eqt_tune_param_text(param, value, text);
	switch (param->place) {
	case EQT_TUNE_KEY_LINE:
		printf("    %s=%s\n", param->name, text);
		break;
	case EQT_TUNE_PARTITION:
		printf("    PartitionName=%s PriorityJobFactor=%s\n", param->of,
		       text);
		break;
	case EQT_TUNE_QOS:
		printf("    sacctmgr modify qos %s set Priority=%s\n",
		       param->of, text);
		break;
	case EQT_TUNE_CONF:
		printf("    priority { %s = %s }   # equitree.conf\n",
		       param->name, text);
		break;
	case EQT_TUNE_FLAG:
	case EQT_TUNE_SCHED:
		break;
	}
}

int eqt_tune_lines_print(const struct eqt_tune *tune,
			 const struct eqt_tune_point *point,
			 const char *slurm_conf, struct eqt_error *err)
{
	struct eqt_slurmconf conf;

	if (eqt_slurm_conf_read(&conf, slurm_conf, err) < 0)
		return -1;
	for (int i = 0; i < tune->params; i++)
		if (point->value[i] != tune->param[i].now)
			line_print(&tune->param[i], point->value[i]);
	lines_print_list(tune, point, &conf, EQT_TUNE_FLAG);
	lines_print_list(tune, point, &conf, EQT_TUNE_SCHED);
	eqt_slurm_conf_free(&conf);
	return 0;
}

/* ---- Params --------------------------------------------------------------- */

#define WEIGHT_MOST 100000 /* largest weight, if all weights are 0 now */
#define WEIGHT_RANGE 1000 /* ratio of the largest to the smallest weight */
#define HOUR_S 3600
#define DAY_S 86400
#define FACTOR_MOST 1000 /* largest factor of partitions and QOS */

/* The state of making the list of parameters. */
struct params_list {
	struct eqt_tune *tune;
	const char *only, *keep;
	bool full;
};

/* Does a name match one of the patterns "PATTERN,PATTERN"? Patterns are those of a shell,
 * such as "PriorityWeight*". */
static bool patterns_match(const char *patterns, const char *name)
{
	char one[128];

	while (eqt_text_next_name(one, sizeof(one), &patterns)) {
		if (fnmatch(one, name, 0) == 0)
			return true;
	}
	return false;
}

/* Add a parameter, or remember that it is kept. Its bounds include the present value. A
 * kept parameter has its present value in each simulation and is named in the text. */
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

/* A parameter with the bounds and the unit of a count, which the caller may change. */
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

/* Add a weight. It may be between "most" and a small part of that, or 0. */
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

/* Add a number between bounds, on a logarithmic scale. A present value outside the bounds
 * is unusual but not wrong, so the bounds are extended to include it. */
static void params_add_number(struct params_list *list,
			      struct eqt_tune_param param, uint32_t *to,
			      double low, double high)
{
	param.to32 = to;
	param.low = low;
	param.high = high;
	params_add(list, param);
}

/* Add a parameter that is 0 or 1 and has no scale. */
static void params_add_switch(struct params_list *list, const char *name,
			      enum eqt_tune_place place, bool *to)
{
	struct eqt_tune_param param =
		param_named(name, NULL, EQT_TUNE_SWITCH, place);

	param.to_flag = to;
	params_add(list, param);
}

/* The largest present weight. Weights matter only relative to each other, so the largest
 * keeps its size. */
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

/* Add the factors of partitions, and the weight that they need. If all jobs are in one
 * partition, its factor changes nothing. */
static void params_add_partitions(struct params_list *list, uint32_t most)
{
	struct eqt_scene *sim = &list->tune->sim;
	uint64_t used = 0;

	for (size_t i = 0; i < sim->now.count; i++)
		used |= UINT64_C(1) << sim->jobs[i].partition;
	if ((used & (used - 1)) == 0)
		return;
	params_add_weight(list, "PriorityWeightPartition",
			  &list->tune->policy.policy.weights.partition, most);
	for (uint32_t i = 0; i < sim->now.cluster.partition_count; i++)
		if (used >> i & 1)
			params_add_number(
				list,
				param_named("PriorityJobFactor",
					    sim->partitions[i].name,
					    EQT_TUNE_COUNT, EQT_TUNE_PARTITION),
				&sim->partitions[i].job_factor, 1, FACTOR_MOST);
}

/* Add the priorities of the QOS that jobs have. They come from sacctmgr, and without its
 * list they are not known. */
static void params_add_qos(struct params_list *list, uint32_t most)
{
	struct eqt_scene *sim = &list->tune->sim;
	bool used[EQT_SCENE_QOS_MAX] = { false };
	int count = 0;

	for (size_t i = 0; i < sim->now.count; i++)
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

/* Add the words of SchedulerParameters that decide how many jobs backfill considers, and
 * how far ahead. They are added only if there is backfill. */
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

/* Add half-life and maximum age, in whole hours, as people write them. Without decay
 * there is no half-life to change. */
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

/* Add the keys of the section "priority" of equitree.conf. A key that is not set has the
 * value 0. */
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

/* Returns -1 with err filled if there are more parameters than a search can have, or none
 * to change. */
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
	if (tune->sim.priorities && tune->sim.now.priority_max)
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
