/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result of a simulation as JSON. */
#include <math.h>

#include "simulate/simulate.h"
#include "cli/json.h"

/* A short name, since there are many. */
static json_object *int_json(int64_t value)
{
	return json_object_new_int64(value);
}

/* In seconds; null without a job. */
static json_object *wait_json(int64_t wait_s)
{
	return wait_s < 0 ? NULL : int_json(wait_s);
}

/* Waits of jobs that have started. */
static void waits_add_json(json_object *to,
			   const struct eqt_simulate_line *line)
{
	eqt_json_add(to, "jobs", int_json((int64_t) line->jobs));
	eqt_json_add(to, "wait_median_s", wait_json(line->wait_median_s));
	eqt_json_add(to, "wait_p95_s", wait_json(line->wait_p95_s));
}

/* The part that an account got in each bin of time. Parts of 1; null for a bin in which
 * nothing ran. */
static json_object *history_json(const struct eqt_simulate_result *result,
				 uint32_t i)
{
	json_object *list = json_object_new_array();

	for (size_t bin = 0; bin < EQT_SIMULATE_BINS; bin++) {
		double all = result->bin_all[bin];

		(void) json_object_array_add(
			list,
			eqt_json_number(
				all > 0 ? (long double) (result->bins
								 [i * (size_t) EQT_SIMULATE_BINS +
								  bin] /
							 all)
					: (long double) NAN));
	}
	return list;
}

/* One object for each association that has jobs. Parts are those of the level, as in
 * the table. */
static json_object *accounts_json(const struct eqt_simulate_report *report,
				  const struct eqt_simulate_result *result)
{
	const struct eqt_sshare *shares = &report->sim->shares;
	json_object *list = json_object_new_array(), *one;

	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		const struct eqt_simulate_line *line = &result->accounts[i];

		if (!line->jobs)
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "account",
			     json_object_new_string(assoc->account));
		eqt_json_add(one, "user",
			     assoc->user ? json_object_new_string(assoc->user)
					 : NULL);
		eqt_json_add(one, "share", eqt_json_number(line->share));
		eqt_json_add(one, "asked", eqt_json_number(line->totals));
		eqt_json_add(one, "got", eqt_json_number(line->got));
		waits_add_json(one, line);
		if (!assoc->user)
			eqt_json_add(one, "got_over_time",
				     history_json(result, i));
		(void) json_object_array_add(list, one);
	}
	return list;
}

/* One object for each class of job size that has jobs. */
static json_object *classes_json(const struct eqt_simulate_result *result)
{
	json_object *list = json_object_new_array(), *one;

	for (int i = 0; i < EQT_SIMULATE_CLASSES; i++) {
		if (!result->classes[i].jobs)
			continue;
		one = json_object_new_object();
		eqt_json_add(
			one, "class",
			json_object_new_string(eqt_simulate_class_name(i)));
		waits_add_json(one, &result->classes[i]);
		(void) json_object_array_add(list, one);
	}
	return list;
}

/* All results of one policy. "end" is in seconds since the epoch, "distance" a part of
 * 1. */
static json_object *policy_json(const struct eqt_simulate_report *report, int i)
{
	const struct eqt_simulate_result *result = &report->results[i];
	const struct eqt_simulation_sum *sum = &result->sum;
	json_object *one = json_object_new_object();

	eqt_json_add(one, "policy",
		     json_object_new_string(report->policies[i].name));
	eqt_json_add(one, "notes",
		     json_object_new_string(report->policies[i].notes));
	eqt_json_add(one, "started", int_json((int64_t) sum->started));
	eqt_json_add(one, "backfilled", int_json((int64_t) sum->backfilled));
	eqt_json_add(one, "impossible", int_json((int64_t) sum->impossible));
	eqt_json_add(one, "passes", int_json((int64_t) sum->passes));
	eqt_json_add(one, "end", int_json(sum->end));
	eqt_json_add(one, "cpus_used", eqt_json_number(result->cpus_used));
	eqt_json_add(one, "distance", eqt_json_number(result->distance));
	eqt_json_add(one, "distance_over_time",
		     eqt_json_number(result->distance_over_time));
	waits_add_json(one, &result->all);
	eqt_json_add(one, "accounts", accounts_json(report, result));
	eqt_json_add(one, "classes", classes_json(result));
	return one;
}

/* Always 0, as eqt_simulate_print() when all went well. */
int eqt_simulate_json(const struct eqt_simulate_report *report)
{
	const struct eqt_simulate_result *first = &report->results[0];
	json_object *all = json_object_new_object();
	json_object *list = json_object_new_array();

	eqt_json_add(all, "jobs", int_json((int64_t) report->sim->count));
	eqt_json_add(all, "from", int_json(first->from));
	eqt_json_add(all, "window_s", int_json((int64_t) first->window_s));
	for (int i = 0; i < report->count; i++)
		(void) json_object_array_add(list, policy_json(report, i));
	eqt_json_add(all, "policies", list);
	eqt_json_print(all);
	return 0;
}
