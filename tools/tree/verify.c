/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Differences, and the formulas of Fair Tree for one row. sshare prints six digits, and
 * usage cut to seconds: a number is right if it lies in the range that these allow. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/verify.h"

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
