/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points of the search: a place between 0 and 1 for each parameter, and the value that
 * belongs to it. Values are rounded to two digits, as people write them. Near the place
 * of the present value a parameter stays as it is, so that searches change few.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/conf/slurm_conf.h"
#include "tune/tune.h"

#define ZERO_BELOW 0.05 /* places of the weight 0 */
#define STAY_WITHIN 0.02 /* of the present place */

/* Round to two digits, in units. 1 of the unit at least: 0 would be another meaning of
 * the parameter. */
static double value_round(double value, double unit)
{
	double step = 1;

	value /= unit;
	while (value / step >= 100)
		step *= 10;
	value = floor(value / step + 0.5) * step;
	return (value < 1 ? 1 : value) * unit;
}

/* Weights and times cover several powers of ten, so places are on a logarithmic scale;
 * the lowest places are the weight 0. */
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

/* The reverse; a value outside the range is at its end. */
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

/* What the files say that were read. */
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

/* Parameters are set where the simulation reads them, which is why processes each have
 * their own copy. The highest priority of a QOS decides the factor of the others. */
void eqt_tune_point_apply(struct eqt_tune *tune,
			  const struct eqt_tune_point *point)
{
	struct eqt_simulate_input *sim = &tune->sim;

	for (int i = 0; i < tune->params; i++) {
		const struct eqt_tune_param *param = &tune->param[i];

		if (param->to32)
			*param->to32 = (uint32_t) point->value[i];
		if (param->to64)
			*param->to64 = (uint64_t) point->value[i];
		if (param->to_flag)
			*param->to_flag = point->value[i] > 0;
	}
	sim->qos_priority_max = 0;
	for (int i = 0; i < sim->qos_count; i++)
		if (sim->qos[i].priority > sim->qos_priority_max)
			sim->qos_priority_max = sim->qos[i].priority;
}

/* ---- Lines ----------------------------------------------------------------------- */

/* PriorityMaxAge and PriorityDecayHalfLife take days and times; PriorityCalcPeriod
 * takes minutes. */
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

/* A list of slurm.conf without a word, and with it at its end. */
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

/* Print the line of a list with its words as the point has them, if one changed.
 * PriorityFlags and SchedulerParameters are lists with words of others, which stay. */
static void lines_print_list(const struct eqt_tune *tune,
			     const struct eqt_tune_point *point,
			     const struct eqt_slurmconf *conf,
			     enum eqt_tune_place place, const char *before)
{
	const char *key = place == EQT_TUNE_FLAG ? "PriorityFlags"
						 : "SchedulerParameters";
	const char *now = eqt_slurmconf_get(conf, key, NULL);
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
		printf("%s%s=%s\n", before, key, list);
}

/* QOS have their priority in the database: it is set by sacctmgr, and printed as a
 * command. */
static void line_print(const struct eqt_tune_param *param, double value,
		       const char *before)
{
	char text[EQT_TABLE_CELL];

	(void) eqt_tune_param_text(param, value, text);
	switch (param->place) {
	case EQT_TUNE_KEY_LINE:
		printf("%s%s=%s\n", before, param->name, text);
		break;
	case EQT_TUNE_PARTITION:
		printf("%sPartitionName=%s PriorityJobFactor=%s\n", before,
		       param->of, text);
		break;
	case EQT_TUNE_QOS:
		printf("%ssacctmgr modify qos %s set Priority=%s\n", before,
		       param->of, text);
		break;
	case EQT_TUNE_CONF:
		printf("%spriority { %s = %s }   # equitree.conf\n", before,
		       param->name, text);
		break;
	case EQT_TUNE_FLAG:
	case EQT_TUNE_SCHED:
		break;
	}
}

/* before: what each line begins with. */
int eqt_tune_lines_print(const struct eqt_tune *tune,
			 const struct eqt_tune_point *point,
			 const char *slurm_conf, const char *before,
			 struct eqt_error *err)
{
	struct eqt_slurmconf conf;

	if (eqt_slurmconf_read(&conf, slurm_conf, err) < 0)
		return -1;
	for (int i = 0; i < tune->params; i++)
		if (point->value[i] != tune->param[i].now)
			line_print(&tune->param[i], point->value[i], before);
	lines_print_list(tune, point, &conf, EQT_TUNE_FLAG, before);
	lines_print_list(tune, point, &conf, EQT_TUNE_SCHED, before);
	eqt_slurmconf_free(&conf);
	return 0;
}
