/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences, and the formulas of Fair Tree for one row. sshare prints six digits, and
 * usage cut to seconds: a number is right if it lies in the range that these allow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/verify.h"
#include "cli/json.h"

/* Names of files are copies, since tables are freed before differences are printed. */
void eqt_verify_free(struct eqt_verify *verify)
{
	for (size_t i = 0; i < verify->count; i++)
		free((void *) (uintptr_t) verify->differences[i].file);
	free(verify->differences);
	*verify = (struct eqt_verify){ .count = 0 };
}

/* Room grows by doubling. 0, or -1 with err filled: out of memory. */
int eqt_verify_add(struct eqt_verify *verify, const struct eqt_columns *table,
		   size_t row, const struct eqt_verify_difference *difference,
		   struct eqt_error *err)
{
	struct eqt_verify_difference *list = verify->differences;
	size_t count = verify->count;

	if ((count & (count - 1)) == 0)
		list = realloc(list, (count ? count * 2 : 1) * sizeof(*list));
	if (!list)
		return eqt_error_set(err, "out of memory");
	verify->differences = list;
	list[count] = *difference;
	list[count].line = table->lines[row + 1];
	list[count].file = strdup(table->text.name);
	if (!list[count].file)
		return eqt_error_set(err, "out of memory");
	verify->count++;
	return 0;
}

/* "" for a column that is not there. */
static const char *assoc_cell(const struct eqt_sshare *shares, uint32_t i,
			      const char *column)
{
	return eqt_columns_cell(&shares->table, shares->assocs[i].row,
				eqt_columns_find(&shares->table, column, NULL));
}

/* Texts are kept as they were printed. */
int eqt_verify_add_assoc(struct eqt_verify *verify,
			 const struct eqt_sshare *shares, uint32_t i,
			 const char *column, const char *expected,
			 struct eqt_error *err)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_verify_difference difference = { .column = column };

	(void) snprintf(difference.who, sizeof(difference.who), "%s%s%s",
			assoc->account, assoc->user ? "/" : "",
			assoc->user ? assoc->user : "");
	(void) snprintf(difference.printed, sizeof(difference.printed), "%s",
			assoc_cell(shares, i, column));
	(void) snprintf(difference.expected, sizeof(difference.expected), "%s",
			expected);
	return eqt_verify_add(verify, &shares->table, assoc->row, &difference,
			      err);
}

/* NAN for a text that is no number, such as "parent". */
double eqt_verify_cell(const struct eqt_sshare *shares, uint32_t i,
		       const char *column)
{
	const char *cell = assoc_cell(shares, i, column);
	char *end;
	double value = strtod(cell, &end);

	return end == cell || *end != '\0' ? NAN : value;
}

/* Numbers that fit, both ends included. */
struct range {
	long double least, most;
};

/* 1e-9 allows for rounding in the sums, EQT_VERIFY_DIGIT for that of printed
 * numbers. */
static bool range_has(const struct range *range, double printed)
{
	if (isinf(printed))
		return isinf(range->most);
	return printed >= range->least * (1 - 1e-9L) - EQT_VERIFY_DIGIT &&
	       printed <= range->most * (1 + 1e-9L) + EQT_VERIFY_DIGIT;
}

/* In buf, with as many digits as sshare prints. */
static const char *range_text(const struct range *range, char *buf, size_t size)
{
	if (isinf(range->least))
		(void) snprintf(buf, size, "inf");
	else if (isinf(range->most))
		(void) snprintf(buf, size, "at least %.6Lf", range->least);
	else if (range->most - range->least < EQT_VERIFY_DIGIT)
		(void) snprintf(buf, size, "%.6Lf", range->most);
	else
		(void) snprintf(buf, size, "%.6Lf to %.6Lf", range->least,
				range->most);
	return buf;
}

/* The range of U: sshare cuts RawUsage off to whole seconds. Both numbers were cut: the
 * true quotient may be above or below that of the printed ones. */
static struct range usage_range(long double usage, long double above)
{
	struct range range = { usage / (above + 1),
			       above > 0 ? (usage + 1) / above : 1 };

	/* Less than one second of usage may be none. */
	if (above <= 0)
		range.least = 0;
	range.most = fminl(range.most, 1);
	return range;
}

/* The range of LevelFS = S / U, which is infinite without usage. A usage below a second
 * may be none at all. */
static struct range level_range(long double least_s, long double most_s,
				const struct range *u)
{
	struct range range = { INFINITY, INFINITY };

	if (u->most > 0)
		range.least = least_s / u->most;
	if (u->least > 0)
		range.most = most_s / u->least;
	return range;
}

/* Does LevelFS follow from the printed NormShares and EffectvUsage? Usage may
 * have grown since the ranking that both are from. */
static bool level_is_of_ranking(const struct eqt_sshare *shares, uint32_t i,
				double level)
{
	double s = eqt_verify_cell(shares, i, "NormShares");
	double u = eqt_verify_cell(shares, i, "EffectvUsage");
	struct range used = { fmax(u - EQT_VERIFY_DIGIT, 0),
			      u + EQT_VERIFY_DIGIT },
		     range;

	if (isnan(s) || isnan(u))
		return false;
	range = level_range(fmax(s - EQT_VERIFY_DIGIT, 0), s + EQT_VERIFY_DIGIT,
			    &used);
	return range_has(&range, level);
}

/*
 * RawUsage may be newer than LevelFS, which is that of the last ranking. A row
 * that agrees with its own EffectvUsage is counted as newer; it is not a
 * difference.
 */
static int level_verify(struct eqt_verify *verify,
			const struct eqt_sshare *shares, uint32_t i,
			struct eqt_error *err)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	double level = eqt_verify_cell(shares, i, "LevelFS");
	double effective = eqt_verify_cell(shares, i, "EffectvUsage");
	double norm = eqt_tree_node(shares->tree, i).shares_norm;
	struct range used = usage_range(
		(long double) assoc->usage,
		(long double) shares->assocs[eqt_sshare_above(shares, i)]
			.usage);
	struct range range = level_range(norm, norm, &used);
	bool level_fits, usage_fits;
	char text[64];

	if (!(norm > 0))
		range = (struct range){ 0, 0 };
	level_fits = assoc->parent_shares || range_has(&range, level);
	usage_fits = isnan(effective) || range_has(&used, effective);
	if (level_fits && usage_fits)
		return 0;
	if (assoc->parent_shares || level_is_of_ranking(shares, i, level)) {
		verify->newer++;
		return 0;
	}
	return eqt_verify_add_assoc(verify, shares, i, "LevelFS",
				    range_text(&range, text, sizeof(text)),
				    err);
}

/* Shares are whole numbers, so there is no range. */
static int norm_verify(struct eqt_verify *verify,
		       const struct eqt_sshare *shares, uint32_t i,
		       struct eqt_error *err)
{
	double norm = eqt_tree_node(shares->tree, i).shares_norm;
	char text[32];

	if (fabs(eqt_verify_cell(shares, i, "NormShares") - norm) <=
	    EQT_VERIFY_DIGIT)
		return 0;
	(void) snprintf(text, sizeof(text), "%.6f", norm);
	return eqt_verify_add_assoc(verify, shares, i, "NormShares", text, err);
}

/* Columns of sshare -l; without them there is nothing to compare. */
static bool shares_have(const struct eqt_sshare *shares, const char *column,
			struct eqt_error *err)
{
	return eqt_columns_find(&shares->table, column, err) !=
	       EQT_COLUMNS_NONE;
}

/* Without LevelFS the classic formula ranks users. */
int eqt_verify_shares(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, bool stock,
		      struct eqt_error *err)
{
	if (!shares_have(shares, "NormShares", err) ||
	    !shares_have(shares, "NormUsage", err) ||
	    !shares_have(shares, "EffectvUsage", err) ||
	    !shares_have(shares, "FairShare", err))
		return -1;
	verify->associations = shares->count;
	verify->users = eqt_tree_users(shares->tree);
	if (!shares_have(shares, "LevelFS", NULL))
		return eqt_verify_classic(verify, shares, err);
	for (uint32_t i = 1; i < shares->count; i++) {
		if (norm_verify(verify, shares, i, err) < 0 ||
		    level_verify(verify, shares, i, err) < 0)
			return -1;
	}
	return eqt_verify_ranks(verify, shares, stock, err);
}

/* The text shows the first differences only; the JSON has all of them. */

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
