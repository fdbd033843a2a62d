/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The advice for programs. */
#include "cli/json.h"
#include "tune/tune.h"

/* In the order of the aims; null where a run has no job for one. */
static json_object *measures_json(const struct eqt_tune *tune,
				  const struct eqt_tune_run *run)
{
	json_object *list = json_object_new_array();

	for (int i = 0; run && i < tune->aims.count; i++)
		json_object_array_add(list, eqt_json_number(run->measure[i]));
	return list;
}

/* Waits are seconds, shares and utilisation parts of 1. What was held out is null
 * without --hold-out. */
static json_object *aims_json(const struct eqt_tune *tune,
			      const struct eqt_tune_result *result)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < tune->aims.count; i++) {
		const struct eqt_tune_aim *aim = &tune->aims.aim[i];
		json_object *one = json_object_new_object();

		eqt_json_add(one, "aim", json_object_new_string(aim->text));
		eqt_json_add(one, "target", eqt_json_number(aim->target));
		eqt_json_add(one, "now",
			     eqt_json_number(result->now->measure[i]));
		eqt_json_add(one, "best",
			     eqt_json_number(result->best->measure[i]));
		eqt_json_add(one, "best_alone",
			     eqt_json_number(result->of_aim[i]->measure[i]));
		eqt_json_add(
			one, "now_held",
			result->now_held
				? eqt_json_number(result->now_held->measure[i])
				: NULL);
		eqt_json_add(
			one, "best_held",
			result->best_held
				? eqt_json_number(result->best_held->measure[i])
				: NULL);
		eqt_json_add(one, "met",
			     json_object_new_boolean(eqt_tune_aim_met(
				     aim, result->best->measure[i])));
		json_object_array_add(list, one);
	}
	return list;
}

/* Values are texts as slurm.conf and equitree.conf have them. */
static json_object *changes_json(const struct eqt_tune *tune,
				 const struct eqt_tune_result *result)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < result->changes; i++) {
		const struct eqt_tune_change *change = &result->change[i];
		const struct eqt_tune_param *param =
			&tune->param[change->param];
		json_object *one = json_object_new_object();
		char text[EQT_TABLE_CELL];

		eqt_json_add(one, "parameter",
			     json_object_new_string(param->name));
		eqt_json_add(one, "from",
			     json_object_new_string(eqt_tune_param_text(
				     param, param->now, text)));
		eqt_json_add(one, "to",
			     json_object_new_string(eqt_tune_param_text(
				     param, result->point.value[change->param],
				     text)));
		eqt_json_add(one, "without",
			     measures_json(tune, change->without));
		json_object_array_add(list, one);
	}
	return list;
}

/* Pairs of aims, by their texts. */
static json_object *conflicts_json(const struct eqt_tune *tune)
{
	uint32_t pairs[EQT_TUNE_AIMS_MAX * EQT_TUNE_AIMS_MAX];
	const int count = eqt_tune_conflicts(tune, pairs);
	json_object *list = json_object_new_array();

	for (int i = 0; i < count; i++) {
		json_object *pair = json_object_new_array();

		for (uint32_t left = pairs[i]; left; left &= left - 1)
			json_object_array_add(
				pair,
				json_object_new_string(
					tune->aims.aim[__builtin_ctz(left)]
						.text));
		json_object_array_add(list, pair);
	}
	return list;
}

int eqt_tune_json(const struct eqt_tune *tune,
		  const struct eqt_tune_result *result, struct eqt_error *err)
{
	json_object *object = json_object_new_object();
	json_object *kept = json_object_new_array();

	if (!object || !kept)
		return eqt_error_set(err, "out of memory");
	for (int i = 0; i < tune->fixed_count; i++)
		json_object_array_add(
			kept, json_object_new_string(tune->fixed[i].name));
	eqt_json_add(object, "settings",
		     json_object_new_uint64(eqt_tune_settings(tune)));
	eqt_json_add(object, "met", json_object_new_boolean(result->met));
	eqt_json_add(object, "aims", aims_json(tune, result));
	eqt_json_add(object, "changes", changes_json(tune, result));
	eqt_json_add(object, "conflicts",
		     result->met ? json_object_new_array()
				 : conflicts_json(tune));
	eqt_json_add(object, "kept", kept);
	eqt_json_print(object);
	return 0;
}
