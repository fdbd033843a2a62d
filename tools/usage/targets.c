/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both files are lines of cells between bars under a line of names, as Slurm's commands
 * print them with -P. Accounts that they name and nobody has are no error: accounts
 * come later. */
#include <math.h>
#include <string.h>

#include "usage/targets.h"

/* Years; beyond it a cell is a mistake, and sums would lose digits. */
#define TARGET_MAX 1e12

static const char *const names[EQT_YEAR_UNITS] = {
	[EQT_YEAR_CORE] = "CoreYears",
	[EQT_YEAR_GPU] = "GPUYears",
	[EQT_YEAR_RGU] = "RGUYears",
};

/* ---- Targets -------------------------------------------------------------- */

static const char *targets_cell(const struct eqt_year_targets *targets,
				size_t row, size_t column)
{
	return eqt_columns_cell(&targets->table, row, column);
}

/* The years in a cell; NAN for an empty one. -1: not a number. */
static int targets_read_years(double *out,
			      const struct eqt_year_targets *targets,
			      size_t row, int unit)
{
	const char *text = targets_cell(targets, row, targets->columns[unit]);
	uint64_t micro;

	*out = NAN;
	if (text[0] == '\0')
		return 0;
	if (eqt_frac_micro_parse(&micro, text) < 0)
		return -1;
	*out = (double) micro / (double) EQT_MICRO;
	return *out < TARGET_MAX ? 0 : -1;
}

/* Is a row about that account (and cluster)? cluster NULL: any. */
static bool targets_row_is(const struct eqt_year_targets *targets, size_t row,
			   const char *account, const char *cluster)
{
	return strcmp(targets_cell(targets, row, targets->account), account) ==
		       0 &&
	       (!cluster || targets->cluster == EQT_COLUMNS_NONE ||
		strcmp(targets_cell(targets, row, targets->cluster), cluster) ==
			0);
}

/* A row is read again for each account: files have as many rows as a site has accounts,
 * and each is asked for once. */
void eqt_year_targets_of(const struct eqt_year_targets *targets,
			 const char *account, const char *cluster,
			 double out[EQT_YEAR_UNITS])
{
	double years;
	size_t row;
	int unit;

	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		out[unit] = NAN;
	for (row = 0; row < targets->table.rows; row++) {
		if (!targets_row_is(targets, row, account, cluster))
			continue;
		/* Without a cluster the targets of all clusters add up. An empty cell adds nothing, and
		 * only empty cells leave a unit without a target (NAN). */
		for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
			if (targets_read_years(&years, targets, row, unit) <
				    0 ||
			    isnan(years))
				continue;
			out[unit] = isnan(out[unit]) ? years
						     : out[unit] + years;
		}
	}
}

/* Does a row before this one set the same targets? With a column Cluster an account may
 * have a row for each. */
static bool targets_row_repeats(const struct eqt_year_targets *targets,
				size_t row)
{
	const char *account = targets_cell(targets, row, targets->account);
	const char *cluster = targets_cell(targets, row, targets->cluster);
	size_t before;

	for (before = 0; before < row; before++) {
		if (targets_row_is(targets, before, account, cluster))
			return true;
	}
	return false;
}

/* The line number is that of the file, where comments and empty lines count. */
static int targets_check_row(const struct eqt_year_targets *targets, size_t row,
			     struct eqt_error *err)
{
	const struct eqt_columns *table = &targets->table;
	double years;
	int unit;

	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		if (targets_read_years(&years, targets, row, unit) < 0)
			return eqt_error_set(
				err,
				"%s: line %zu: %s: \"%.64s\": expected a "
				"number",
				table->text.name, table->lines[row + 1],
				names[unit],
				targets_cell(targets, row,
					     targets->columns[unit]));
	}
	if (targets_row_repeats(targets, row))
		return eqt_error_set(
			err, "%s: line %zu: duplicate account \"%.64s\"",
			table->text.name, table->lines[row + 1],
			targets_cell(targets, row, targets->account));
	return 0;
}

/* Find the columns and try each cell, so that a wrong one is refused before any report. */
static int targets_check(struct eqt_year_targets *targets,
			 struct eqt_error *err)
{
	const struct eqt_columns *table = &targets->table;
	bool any = false;
	size_t row;
	int unit;

	targets->account = eqt_columns_find(table, "Account", err);
	if (targets->account == EQT_COLUMNS_NONE)
		return -1;
	targets->cluster = eqt_columns_find(table, "Cluster", NULL);
	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		targets->columns[unit] =
			eqt_columns_find(table, names[unit], NULL);
		any = any || targets->columns[unit] != EQT_COLUMNS_NONE;
	}
	if (!any)
		return eqt_error_set(err,
				     "%s: line %zu: expected a column "
				     "CoreYears, GPUYears or "
				     "RGUYears",
				     table->text.name, table->lines[0]);
	for (row = 0; row < table->rows; row++) {
		if (targets_check_row(targets, row, err) < 0)
			return -1;
	}
	return 0;
}

int eqt_year_targets_read(struct eqt_year_targets *out, const char *path,
			  struct eqt_error *err)
{
	struct eqt_listing text;

	*out = (struct eqt_year_targets){ .account = 0 };
	if (eqt_listing_read(&text, path, NULL, err) < 0 ||
	    eqt_columns_cut(&out->table, &text, err) < 0)
		return -1;
	if (targets_check(out, err) < 0) {
		eqt_year_targets_free(out);
		return -1;
	}
	return 0;
}

/* {0} is empty as well. */
void eqt_year_targets_free(struct eqt_year_targets *targets)
{
	eqt_columns_free(&targets->table);
	*targets = (struct eqt_year_targets){ .account = 0 };
}

/* ---- Titles --------------------------------------------------------------- */

/* rows: as many of the first ones are searched; the result is rows if none of them has
 * it. */
static size_t titles_find(const struct eqt_year_titles *titles,
			  const char *account, size_t rows)
{
	size_t row;

	for (row = 0; row < rows; row++) {
		if (strcmp(eqt_columns_cell(&titles->table, row,
					    titles->account),
			   account) == 0)
			break;
	}
	return row;
}

/* Titles and owners are free text, and may be missing. */
static int titles_check(struct eqt_year_titles *titles, struct eqt_error *err)
{
	const struct eqt_columns *table = &titles->table;
	const char *account;
	size_t row;

	titles->account = eqt_columns_find(table, "Account", err);
	if (titles->account == EQT_COLUMNS_NONE)
		return -1;
	titles->title = eqt_columns_find(table, "Title", NULL);
	titles->owner = eqt_columns_find(table, "Owner", NULL);
	if (titles->title == EQT_COLUMNS_NONE &&
	    titles->owner == EQT_COLUMNS_NONE)
		return eqt_error_set(
			err, "%s: line %zu: expected a column Title or Owner",
			table->text.name, table->lines[0]);
	for (row = 0; row < table->rows; row++) {
		account = eqt_columns_cell(table, row, titles->account);
		if (titles_find(titles, account, row) < row)
			return eqt_error_set(
				err,
				"%s: line %zu: duplicate account \"%.64s\"",
				table->text.name, table->lines[row + 1],
				account);
	}
	return 0;
}

int eqt_year_titles_read(struct eqt_year_titles *out, const char *path,
			 struct eqt_error *err)
{
	struct eqt_listing text;

	*out = (struct eqt_year_titles){ .account = 0 };
	if (eqt_listing_read(&text, path, NULL, err) < 0 ||
	    eqt_columns_cut(&out->table, &text, err) < 0)
		return -1;
	if (titles_check(out, err) < 0) {
		eqt_year_titles_free(out);
		return -1;
	}
	return 0;
}

void eqt_year_titles_free(struct eqt_year_titles *titles)
{
	eqt_columns_free(&titles->table);
	*titles = (struct eqt_year_titles){ .account = 0 };
}

/* "" for an account without a row. */
static const char *titles_cell(const struct eqt_year_titles *titles,
			       const char *account, size_t column)
{
	size_t row = titles_find(titles, account, titles->table.rows);

	return row < titles->table.rows
		       ? eqt_columns_cell(&titles->table, row, column)
		       : "";
}

/* "" for an account without one. Borrowed from the table. */
const char *eqt_year_title(const struct eqt_year_titles *titles,
			   const char *account)
{
	return titles_cell(titles, account, titles->title);
}

const char *eqt_year_owner(const struct eqt_year_titles *titles,
			   const char *account)
{
	return titles_cell(titles, account, titles->owner);
}
