/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers are years, and hours beside them. Nothing is rounded:
 * programs that add up lines get the sum of the jobs. */
#include <math.h>
#include <stdio.h>

#include "cli/json.h"
#include "usage/years.h"

/* The suffixes of JSON keys. */
static const char *const keys[EQT_YEAR_UNITS] = {
	[EQT_YEAR_CORE] = "core_years",
	[EQT_YEAR_GPU] = "gpu_years",
	[EQT_YEAR_RGU] = "rgu_years",
};

static void line_add_json(json_object *object, const char *what, int unit,
			  double value)
{
	char key[64];

	(void) snprintf(key, sizeof(key), "%s%s", what, keys[unit]);
	eqt_json_add(object, key, eqt_json_number(value));
}

/* The record has charges, and not what was allocated; null then. */
static double line_allocated(const struct eqt_year *usage,
			     const struct eqt_year_line *line, int unit)
{
	return usage->sum.by_source[EQT_COST_RECORD]
		       ? NAN
		       : eqt_year_amount_years(usage, line->used[unit]);
}

/* Hours beside years: "core_hours". */
static void line_add_hours(json_object *object, int unit, long double seconds)
{
	static const char *const hours[EQT_YEAR_UNITS] = {
		[EQT_YEAR_CORE] = "core_hours",
		[EQT_YEAR_GPU] = "gpu_hours",
		[EQT_YEAR_RGU] = "rgu_hours",
	};

	eqt_json_add(object, hours[unit],
		     eqt_json_number((double) (seconds / 3600)));
}

static json_object *line_json(const struct eqt_year *usage,
			      const struct eqt_year_line *line)
{
	json_object *object = json_object_new_object();
	size_t i;
	int unit;

	for (i = 0; i < usage->sum.key_count; i++)
		eqt_json_add(object, eqt_year_key_name(usage->sum.keys[i]),
			     json_object_new_string(line->key[i]));
	if (usage->titles.table.rows > 0) {
		const char *account =
			line->key[eqt_year_sum_account_at(&usage->sum)];

		eqt_json_add(object, "title",
			     json_object_new_string(
				     eqt_year_title(&usage->titles, account)));
		eqt_json_add(object, "owner",
			     json_object_new_string(
				     eqt_year_owner(&usage->titles, account)));
	}
	eqt_json_add(object, "jobs",
		     json_object_new_int64((int64_t) line->jobs));
	eqt_json_add(
		object, "allocated_cores_core_years",
		eqt_json_number(line_allocated(usage, line, EQT_YEAR_CORES)));
	eqt_json_add(
		object, "allocated_gpus_gpu_years",
		eqt_json_number(line_allocated(usage, line, EQT_YEAR_GPUS)));
	if (usage->names.currency) {
		eqt_json_add(object, "core_money",
			     eqt_json_number(eqt_year_money(
				     line->used, EQT_YEAR_CORE_MONEY)));
		eqt_json_add(object, "gpu_money",
			     eqt_json_number(eqt_year_money(
				     line->used, EQT_YEAR_GPU_MONEY)));
	}
	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		double used = eqt_year_amount_years(usage, line->used[unit]);

		line_add_json(object, "", unit, used);
		line_add_hours(object, unit, line->used[unit]);
		if (eqt_year_is_projected(usage))
			line_add_json(object, "projected_", unit,
				      eqt_year_projected(usage,
							 line->used[unit]));
		if (!usage->allocations)
			continue;
		line_add_json(object, "target_", unit, line->allocated[unit]);
		line_add_json(object, "percent_of_target_", unit,
			      eqt_year_percent(used, line->allocated[unit]));
	}
	return object;
}

void eqt_year_json(const struct eqt_year *usage)
{
	const struct eqt_year_sum *sum = &usage->sum;
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();
	json_object *sources = json_object_new_object();
	int source;
	size_t i;

	eqt_json_add(object, "from_s",
		     json_object_new_int64(usage->period.from_s));
	eqt_json_add(object, "until_s",
		     json_object_new_int64(usage->period.until_s));
	eqt_json_add(object, "seen_s",
		     json_object_new_int64(usage->period.seen_s));
	eqt_json_add(object, "jobs",
		     json_object_new_int64((int64_t) sum->jobs));
	eqt_json_add(object, "listed_twice",
		     json_object_new_int64((int64_t) sum->doubled));
	eqt_json_add(object, "uncertain",
		     json_object_new_int64((int64_t) sum->uncertain));
	eqt_json_add(object, "unpriced",
		     json_object_new_int64((int64_t) sum->unpriced));
	eqt_json_add(object, "core_unit",
		     json_object_new_string(usage->names.years[EQT_YEAR_CORE]));
	for (source = 0; source < EQT_COST_SOURCES; source++)
		eqt_json_add(
			sources,
			eqt_cost_source_name((enum eqt_cost_source) source),
			json_object_new_uint64(sum->by_source[source]));
	eqt_json_add(object, "sources", sources);
	eqt_json_add(
		object, "gpu_unit",
		json_object_new_string(
			usage->names.years[usage->weights ? EQT_YEAR_RGU
							  : EQT_YEAR_GPU]));
	if (usage->names.currency)
		eqt_json_add(object, "currency",
			     json_object_new_string(usage->names.currency));
	for (i = 0; i < usage->lines.count; i++)
		(void) json_object_array_add(
			array, line_json(usage, &usage->lines.line[i]));
	eqt_json_add(object, "usage", array);
	eqt_json_print(object);
}
