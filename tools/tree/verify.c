/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences, and the formulas of Fair Tree for one row. sshare prints six digits, and
 * usage cut to seconds. A number counts as right if it lies in the range that these
 * allow. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/verify.h"
#include "cli/alloc.h"
#include "cli/json.h"
#include "slurm/sprio.h"
#include "tree/classic.h"

/* ---- Classic -----------------------------------------------------------------
 * The classic fair share, which Slurm used before Fair Tree and uses with
 * PriorityFlags=NO_FAIR_TREE. NormShares and EffectvUsage are computed from the top of
 * the tree downwards, and FairShare from EffectvUsage. */

/* The recomputed values of one association. */
struct classic {
	long double norm; /* NormShares of the association */
	long double used; /* NormUsage of the association */
	long double effective, error; /* EffectvUsage, and its largest error */
	long double level_used; /* NormUsage of its children */
	uint64_t level_shares; /* shares of its children */
};

/* One second as a part of all usage. sshare cuts less than that from each RawUsage. */
static long double unit_of(const struct eqt_sshare *shares)
{
	uint64_t all = shares->assocs[0].usage;

	return all ? 1.0L / (long double) all : 1;
}

/* Fill NormUsage, and the sums over siblings by which classic_fill() divides. */
static void classic_begin(struct classic *nodes,
			  const struct eqt_sshare *shares)
{
	long double unit = unit_of(shares);

	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		uint32_t above = eqt_sshare_above(shares, i);

		nodes[i].used = fminl(1, (long double) assoc->usage * unit);
		if (i == 0 || assoc->parent_shares)
			continue;
		nodes[above].level_shares += assoc->shares;
		nodes[above].level_used += nodes[i].used;
	}
}

/* Compute EffectvUsage of a node that is not directly below the root. */
static void classic_effective(struct classic *node, const struct classic *above,
			      uint32_t shares, long double unit, bool oblivious)
{
	const struct eqt_oblivious asked = {
		.usage_norm = node->used,
		.shares_norm = (double) node->norm,
		.parent_efctv = above->effective,
		.parent_shares_norm = (double) above->norm,
		.siblings_norm = above->level_used,
	};

	if (!oblivious) {
		node->effective =
			eqt_classic_usage(node->used, above->effective, shares,
					  (uint32_t) above->level_shares);
		node->error = unit + above->error;
		return;
	}
	node->effective = eqt_classic_oblivious(&asked);
	node->error = unit;
	if (node->used > 0 && above->effective > 0 && above->level_used > 0)
		node->error += node->effective *
			       (unit / node->used + unit / above->level_used +
				20 * above->error / above->effective);
}

/* Fill all nodes, from the root downwards. Parents come before their children. */
static void classic_fill(struct classic *nodes, const struct eqt_sshare *shares,
			 bool oblivious)
{
	long double unit = unit_of(shares);

	nodes[0].norm = nodes[0].effective = 1;
	for (uint32_t i = 1; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		uint32_t at = eqt_sshare_above(shares, i);
		const struct classic *above = &nodes[at];

		nodes[i].norm = above->norm;
		nodes[i].error = unit;
		if (!assoc->parent_shares)
			nodes[i].norm =
				above->level_shares
					? above->norm * assoc->shares /
						  (long double)
							  above->level_shares
					: 0;
		if (at == 0)
			nodes[i].effective = nodes[i].used;
		else if (assoc->parent_shares)
			nodes[i].effective = above->effective,
			nodes[i].error = above->error;
		else
			classic_effective(&nodes[i], above, assoc->shares, unit,
					  oblivious);
	}
}

/* Does a printed factor agree with a printed EffectvUsage? */
static bool factor_fits(double printed, double effective, long double norm,
			uint16_t dampening)
{
	double most = eqt_classic_factor(fmax(0, effective - EQT_VERIFY_DIGIT),
					 norm, dampening);
	double least = eqt_classic_factor(effective + EQT_VERIFY_DIGIT, norm,
					  dampening);

	return printed >= least - EQT_VERIFY_DIGIT &&
	       printed <= most + EQT_VERIFY_DIGIT;
}

/* Find FairShareDampeningFactor d from F = 2^(-U / S / d), in the row whose F is nearest
 * to 0.4. There rounding of F changes d least. */
static uint16_t dampening_find(const struct classic *nodes,
			       const struct eqt_sshare *shares)
{
	double best = 1, found = 1;

	for (uint32_t i = 1; i < shares->count; i++) {
		double factor = eqt_verify_cell(shares, i, "FairShare");
		double used = eqt_verify_cell(shares, i, "EffectvUsage");

		if (!(factor > 0) || !(used > 0) || !(nodes[i].norm > 0) ||
		    fabs(factor - 0.4) >= best)
			continue;
		best = fabs(factor - 0.4);
		found = round(used / (double) nodes[i].norm / -log2(factor));
	}
	return found >= 1 && found <= UINT16_MAX ? (uint16_t) found : 1;
}

/* Add the differences of a row. */
static void classic_row(struct eqt_verify *verify,
			const struct eqt_sshare *shares, uint32_t i,
			const struct classic *node, uint16_t dampening)
{
	double norm = eqt_verify_cell(shares, i, "NormShares");
	double used = eqt_verify_cell(shares, i, "EffectvUsage");
	double factor = eqt_verify_cell(shares, i, "FairShare");

	if (!(fabsl(norm - node->norm) <= EQT_VERIFY_DIGIT))
		eqt_verify_add_assoc(verify, shares, i, "NormShares", "%.6Lf",
				     node->norm);
	if (!(fabsl(used - node->effective) <= node->error + EQT_VERIFY_DIGIT))
		eqt_verify_add_assoc(verify, shares, i, "EffectvUsage", "%.6Lf",
				     node->effective);
	/* Some releases print no factor for accounts. */
	if ((shares->assocs[i].user || !isnan(factor)) &&
	    !factor_fits(factor, used, node->norm, dampening))
		eqt_verify_add_assoc(verify, shares, i, "FairShare", "%.6f",
				     eqt_classic_factor(used, node->norm,
							dampening));
}

/* Compare all rows by one of the two rules. */
static void classic_rows(struct eqt_verify *verify,
			 const struct eqt_sshare *shares, bool oblivious)
{
	struct classic *nodes = eqt_alloc(shares->count, sizeof(*nodes));
	uint16_t dampening;

	classic_begin(nodes, shares);
	classic_fill(nodes, shares, oblivious);
	dampening = dampening_find(nodes, shares);
	for (uint32_t i = 1; i < shares->count; i++)
		classic_row(verify, shares, i, &nodes[i], dampening);
	free(nodes);
	verify->rules = oblivious ? EQT_VERIFY_OBLIVIOUS : EQT_VERIFY_CLASSIC;
}

/* The part of eqt_verify_shares() without Fair Tree. sshare does not print whether
 * DEPTH_OBLIVIOUS is set, so try both rules and keep the one with fewer differences. */
static void verify_classic(struct eqt_verify *verify,
			   const struct eqt_sshare *shares)
{
	struct eqt_verify other = *verify;

	classic_rows(verify, shares, false);
	if (verify->count == 0)
		return;
	classic_rows(&other, shares, true);
	if (other.count < verify->count) {
		eqt_verify_free(verify);
		*verify = other;
	} else {
		eqt_verify_free(&other);
	}
}

/* ---- Priorities --------------------------------------------------------------
 * PRIORITY is recomputed from the points of "sprio -l", and FAIRSHARE from FairShare of
 * sshare. */

/* How often a character occurs in a text. */
static size_t text_count(const char *text, char wanted)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += *text == wanted;
	return count;
}

/* Add a difference in a row of a table. The caller fills the texts. */
static struct eqt_verify_difference *verify_add(struct eqt_verify *verify,
						const struct eqt_columns *table,
						size_t row, const char *column)
{
	struct eqt_verify_difference *one;

	EQT_ALLOC_ROOM(verify->differences, verify->count);
	one = &verify->differences[verify->count++];
	*one = (struct eqt_verify_difference){
		.file = eqt_alloc_text(table->text.name),
		.line = table->lines[row + 1],
		.column = column,
	};
	return one;
}

/* Add a difference in a row of sprio. */
static void job_add(struct eqt_verify *verify, const struct eqt_sprio *pending,
		    size_t row, const char *column, int64_t printed,
		    const char *expected)
{
	struct eqt_verify_difference *one =
		verify_add(verify, &pending->table, row, column);

	(void) snprintf(one->who, sizeof(one->who), "job %s",
			pending->jobs[row].id);
	(void) snprintf(one->printed, sizeof(one->printed), "%" PRId64,
			printed);
	(void) snprintf(one->expected, sizeof(one->expected), "%s", expected);
}

/* PRIORITY is the sum of exact factors, but sprio prints rounded factors. */
static void sum_verify(struct eqt_verify *verify,
		       const struct eqt_sprio *pending, size_t row)
{
	const struct eqt_sprio_job *job = &pending->jobs[row];
	size_t column = eqt_columns_find(&pending->table, "TRES", NULL);
	double sum = 0, rounding = 1;
	bool any = false;
	char text[64];

	for (int i = 0; i < EQT_SPRIO_FACTORS; i++) {
		sum += (double) job->points[i];
		any = any || job->points[i] != 0;
		rounding += 0.5;
	}
	/* TRES is a list of numbers, each of which is rounded. */
	rounding += (double) text_count(
		eqt_columns_cell(&pending->table, row, column), '=');
	/* sprio prints no factors for a priority that an operator has set. */
	if (!any && job->priority > 1) {
		verify->direct++;
		return;
	}
	/* Slurm raises 0 to 1, because a priority of 0 would mean that the job is
	 * held. */
	sum = fmax(sum, 1);
	if (fabs((double) job->priority - sum) <= rounding ||
	    (sum > UINT32_MAX && job->priority == UINT32_MAX))
		return;
	(void) snprintf(text, sizeof(text), "%.0f", sum);
	job_add(verify, pending, row, "PRIORITY", job->priority, text);
}

/* May the job belong to the association? sprio cuts long names. */
static bool job_has_assoc(const struct eqt_sprio *pending, size_t row,
			  const struct eqt_sshare_assoc *assoc)
{
	size_t column = eqt_columns_find(&pending->table, "ACCOUNT", NULL);
	const char *account = eqt_columns_cell(&pending->table, row, column);
	const char *user = pending->jobs[row].user;

	return assoc->user && strncmp(assoc->user, user, strlen(user)) == 0 &&
	       strncmp(assoc->account, account, strlen(account)) == 0;
}

/* Up to 23.02 sprio prints no account. Any association of the user then fits. */
static void points_verify(struct eqt_verify *verify,
			  const struct eqt_sshare *shares,
			  const struct eqt_sprio *pending, size_t row)
{
	double weight = (double) pending->weights[EQT_SPRIO_FAIRSHARE];
	const struct eqt_sprio_job *job = &pending->jobs[row];
	double printed = (double) job->points[EQT_SPRIO_FAIRSHARE];
	char text[64] = "no association of that user";

	for (uint32_t i = 0; i < shares->count; i++) {
		double points =
			weight * eqt_verify_cell(shares, i, "FairShare");

		if (!job_has_assoc(pending, row, &shares->assocs[i]))
			continue;
		if (fabs(points - printed) <= weight * EQT_VERIFY_DIGIT + 1)
			return;
		(void) snprintf(text, sizeof(text), "%.0f", points);
	}
	job_add(verify, pending, row, "FAIRSHARE",
		job->points[EQT_SPRIO_FAIRSHARE], text);
}

int eqt_verify_priorities(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, const char *path,
			  const char *weights, struct eqt_error *err)
{
	struct eqt_sprio pending;
	size_t direct;

	if (eqt_sprio_read(&pending, path, weights, err) < 0)
		return -1;
	verify->jobs = pending.count;
	verify->points = weights != NULL;
	for (size_t row = 0; row < pending.count; row++) {
		direct = verify->direct;
		sum_verify(verify, &pending, row);
		if (weights && verify->direct == direct)
			points_verify(verify, shares, &pending, row);
	}
	eqt_sprio_free(&pending);
	return 0;
}

/* ---- Differences ---------------------------------------------------------- */

/* Names of files are copies, because tables are freed before differences are printed. */
void eqt_verify_free(struct eqt_verify *verify)
{
	for (size_t i = 0; i < verify->count; i++)
		free((void *) (uintptr_t) verify->differences[i].file);
	free(verify->differences);
	*verify = (struct eqt_verify){ .count = 0 };
}

/* The cell is "" if the column does not exist. */
static const char *assoc_cell(const struct eqt_sshare *shares, uint32_t i,
			      const char *column)
{
	return eqt_columns_cell(&shares->table, shares->assocs[i].row,
				eqt_columns_find(&shares->table, column, NULL));
}

void eqt_verify_add_assoc(struct eqt_verify *verify,
			  const struct eqt_sshare *shares, uint32_t i,
			  const char *column, const char *format, ...)
{
	const struct eqt_sshare_assoc *assoc = &shares->assocs[i];
	struct eqt_verify_difference *one =
		verify_add(verify, &shares->table, assoc->row, column);
	va_list list;

	(void) snprintf(one->who, sizeof(one->who), "%s%s%s", assoc->account,
			assoc->user ? "/" : "", assoc->user ? assoc->user : "");
	(void) snprintf(one->printed, sizeof(one->printed), "%s",
			assoc_cell(shares, i, column));
	va_start(list, format);
	(void) vsnprintf(one->expected, sizeof(one->expected), format, list);
	va_end(list);
}

/* NAN for a text that is not a number, such as "parent". */
double eqt_verify_cell(const struct eqt_sshare *shares, uint32_t i,
		       const char *column)
{
	const char *cell = assoc_cell(shares, i, column);
	char *end;
	double value = strtod(cell, &end);

	return end == cell || *end != '\0' ? NAN : value;
}

/* The numbers that are accepted, including both ends. */
struct range {
	long double least, most;
};

/* 1e-9 allows for the rounding of sums, and EQT_VERIFY_DIGIT for that of printed
 * numbers. */
static bool range_has(const struct range *range, double printed)
{
	if (isinf(printed))
		return isinf(range->most);
	return printed >= range->least * (1 - 1e-9L) - EQT_VERIFY_DIGIT &&
	       printed <= range->most * (1 + 1e-9L) + EQT_VERIFY_DIGIT;
}

/* Write a range with as many digits as sshare prints. Returns buf. */
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

/* The range of U, which is the quotient of two numbers that sshare has cut to whole
 * seconds. */
static struct range usage_range(long double usage, long double above)
{
	struct range range = { usage / (above + 1),
			       above > 0 ? (usage + 1) / above : 1 };

	/* Because of the cut, the account above may have up to a second of usage, or
	 * none. */
	if (above <= 0)
		range.least = 0;
	range.most = fminl(range.most, 1);
	return range;
}

/* The range of LevelFS = S / U, which is infinite without usage. */
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

/* Does LevelFS follow from the printed NormShares and EffectvUsage? Both are of the last
 * ranking, and usage may have grown since. */
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
 * RawUsage may be newer than LevelFS, which is of the last ranking. A row whose LevelFS
 * agrees with its EffectvUsage is counted as newer, and not as a difference.
 */
static void level_verify(struct eqt_verify *verify,
			 const struct eqt_sshare *shares, uint32_t i)
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
		return;
	if (assoc->parent_shares || level_is_of_ranking(shares, i, level)) {
		verify->newer++;
		return;
	}
	eqt_verify_add_assoc(verify, shares, i, "LevelFS", "%s",
			     range_text(&range, text, sizeof(text)));
}

/* Shares are whole numbers, so the expected value is exact. */
static void norm_verify(struct eqt_verify *verify,
			const struct eqt_sshare *shares, uint32_t i)
{
	double norm = eqt_tree_node(shares->tree, i).shares_norm;

	if (!(fabs(eqt_verify_cell(shares, i, "NormShares") - norm) <=
	      EQT_VERIFY_DIGIT))
		eqt_verify_add_assoc(verify, shares, i, "NormShares", "%.6f",
				     norm);
}

/* Does the answer of sshare have a column? err may be NULL. */
static bool shares_have(const struct eqt_sshare *shares, const char *column,
			struct eqt_error *err)
{
	return eqt_columns_find(&shares->table, column, err) !=
	       EQT_COLUMNS_NONE;
}

/* If there is no LevelFS, users are ranked by the classic formula. */
int eqt_verify_shares(struct eqt_verify *verify,
		      const struct eqt_sshare *shares, struct eqt_error *err)
{
	if (!shares_have(shares, "NormShares", err) ||
	    !shares_have(shares, "NormUsage", err) ||
	    !shares_have(shares, "EffectvUsage", err) ||
	    !shares_have(shares, "FairShare", err))
		return -1;
	verify->associations = shares->count;
	verify->users = eqt_tree_users(shares->tree);
	if (!shares_have(shares, "LevelFS", NULL)) {
		verify_classic(verify, shares);
		return 0;
	}
	for (uint32_t i = 1; i < shares->count; i++) {
		norm_verify(verify, shares, i);
		level_verify(verify, shares, i);
	}
	verify->fair_tree = true;
	return 0;
}

#define DIFFERENCES_SHOWN 20 /* shown in the text; JSON has all */

static const struct {
	const char *name; /* name for programs */
	const char *text;
} rules[] = {
	[EQT_VERIFY_DOCUMENTED] = { "documented",
				    "Fair Tree with tied accounts merged" },
	[EQT_VERIFY_STOCK] = { "stock", "Fair Tree without tied accounts "
					"merged, as Slurm's own plugin ranks" },
	[EQT_VERIFY_BOTH] = { "both", "Fair Tree; with tied accounts merged or "
				      "not, its ranks are the same" },
	[EQT_VERIFY_CLASSIC] = { "classic",
				 "classic fair share (NO_FAIR_TREE)" },
	[EQT_VERIFY_OBLIVIOUS] = { "depth_oblivious",
				   "classic fair share (DEPTH_OBLIVIOUS)" },
};

/* "line" is the line in the file, for editors. */
static json_object *difference_json(const struct eqt_verify_difference *one)
{
	json_object *object = json_object_new_object();

	eqt_json_add(object, "file", one->file);
	eqt_json_add(object, "line", one->line);
	eqt_json_add(object, "of", one->who);
	eqt_json_add(object, "column", one->column);
	eqt_json_add(object, "printed", one->printed);
	eqt_json_add(object, "expected", one->expected);
	return object;
}

static void verify_print_json(const struct eqt_verify *verify, bool jobs)
{
	json_object *object = json_object_new_object();
	json_object *array = json_object_new_array();

	eqt_json_add(object, "rules", rules[verify->rules].name);
	eqt_json_add(object, "associations", verify->associations);
	eqt_json_add(object, "users", verify->users);
	eqt_json_add(object, "newer_usage", verify->newer);
	eqt_json_add(object, "ambiguous", verify->ambiguous);
	if (jobs) {
		eqt_json_add(object, "jobs", verify->jobs);
		eqt_json_add(object, "jobs_set", verify->direct);
	}
	for (size_t i = 0; i < verify->count; i++)
		eqt_json_append(array,
				difference_json(&verify->differences[i]));
	eqt_json_add(object, "differences", array);
	eqt_json_print(object);
}

/* Print notes about numbers that agree but could not be compared exactly. */
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

/* Print FILE:LINE first, in the form that compilers use. */
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

int eqt_verify_print(const struct eqt_verify *verify, const char *shares,
		     const char *priorities, bool json)
{
	if (json)
		verify_print_json(verify, priorities != NULL);
	else
		verify_print_text(verify, shares, priorities);
	return verify->count ? EXIT_FAILURE : EXIT_SUCCESS;
}
