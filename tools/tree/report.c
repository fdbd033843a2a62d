/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text shows the first differences only; the JSON has all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "tree/report.h"

#define DIFFERENCES_SHOWN 20

static const struct {
	const char *name; /* for programs */
	const char *text;
} rules[] = {
	[EQT_VERIFY_DOCUMENTED] = { "documented",
				    "Fair Tree with tied accounts merged" },
	[EQT_VERIFY_STOCK] = { "stock",
			       "Fair Tree without tied accounts merged, as "
			       "Slurm's own plugin ranks" },
	[EQT_VERIFY_BOTH] = { "both", "Fair Tree; with tied accounts merged "
				      "or not, its ranks are the same" },
	[EQT_VERIFY_CLASSIC] = { "classic",
				 "classic fair share (NO_FAIR_TREE)" },
	[EQT_VERIFY_OBLIVIOUS] = { "depth_oblivious",
				   "classic fair share (DEPTH_OBLIVIOUS)" },
};

/* "line" is that of the file, for editors. */
static json_object *difference_json(const struct eqt_verify_difference *one)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "file", json_object_new_string(one->file));
	eqt_json_add(object, "line",
		     json_object_new_int64((int64_t) one->line));
	eqt_json_add(object, "of", json_object_new_string(one->who));
	eqt_json_add(object, "column", json_object_new_string(one->column));
	eqt_json_add(object, "printed", json_object_new_string(one->printed));
	eqt_json_add(object, "expected", json_object_new_string(one->expected));
	return object;
}

/* json-c has no size_t. */
static void add_count(json_object *object, const char *key, size_t count)
{
	eqt_json_add(object, key, json_object_new_int64((int64_t) count));
}

/* "rules" says which formulas were compared. */
static void verify_print_json(const struct eqt_verify *verify, bool jobs)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();

	eqt_json_add(object, "rules",
		     json_object_new_string(rules[verify->rules].name));
	add_count(object, "associations", verify->associations);
	add_count(object, "users", verify->users);
	add_count(object, "newer_usage", verify->newer);
	add_count(object, "ambiguous", verify->ambiguous);
	if (jobs) {
		add_count(object, "jobs", verify->jobs);
		add_count(object, "jobs_set", verify->direct);
	}
	for (size_t i = 0; i < verify->count; i++)
		(void) json_object_array_add(
			array, difference_json(&verify->differences[i]));
	eqt_json_add(object, "differences", array);
	eqt_json_print(object);
}

/* What is no difference, but keeps a comparison from being exact. */
static void verify_print_notes(const struct eqt_verify *verify)
{
	if (verify->newer > 0)
		printf("%zu rows have more RawUsage than when they were "
		       "ranked: their LevelFS fits\nEffectvUsage. Right after "
		       "a pass RawUsage fits, too.\n",
		       verify->newer);
	if (verify->ambiguous > 0)
		printf("%zu pairs of users have the same six digits of "
		       "LevelFS: any order of them fits.\n",
		       verify->ambiguous);
	if (verify->direct > 0)
		printf("%zu jobs have a priority that an operator has set.\n",
		       verify->direct);
}

/* FILE:LINE first, as compilers print it. */
static void verify_print_text(const struct eqt_verify *verify,
			      const char *shares, const char *priorities)
{
	for (size_t i = 0; i < verify->count && i < DIFFERENCES_SHOWN; i++) {
		const struct eqt_verify_difference *one =
			&verify->differences[i];

		printf("%s:%zu: %s: %s is %s, expected %s\n", one->file,
		       one->line, one->who, one->column,
		       one->printed[0] ? one->printed : "empty", one->expected);
	}
	if (verify->count > DIFFERENCES_SHOWN)
		printf("and %zu more\n", verify->count - DIFFERENCES_SHOWN);
	printf("%s: %zu associations, %zu users\n", shares,
	       verify->associations, verify->users);
	if (priorities)
		printf("%s: %zu jobs%s\n", priorities, verify->jobs,
		       verify->points ? ""
				      : ", FAIRSHARE not compared (--weights)");
	printf("Rules: %s\n", rules[verify->rules].text);
	verify_print_notes(verify);
	printf("%zu differences\n", verify->count);
}

/* priorities NULL: jobs were not compared. */
int eqt_verify_print(const struct eqt_verify *verify, const char *shares,
		     const char *priorities, bool json)
{
	if (json)
		verify_print_json(verify, priorities != NULL);
	else
		verify_print_text(verify, shares, priorities);
	/* For scripts: differences are a failure, not a wrong use. */
	return verify->count ? EXIT_FAILURE : EXIT_SUCCESS;
}
