/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * There are three kinds of lines: the sums as they are, accounts with targets, and the
 * whole tree with usage summed upwards. Shares are printed as core-years and GPU-years of
 * the cluster. With pools, the shares of a pool divide only its own cores or GPUs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "usage/lines.h"
#include "cli/alloc.h"

/* ---- Targets ------------------------------------------------------------------------
 * The yearly allocations of accounts, and the titles of their projects, come from tables
 * that a site keeps. Both files have a line of names and then lines of cells between
 * bars, like the output of Slurm's commands with -P. They may name accounts that do not
 * exist yet. */

/* Years. A larger number must be a mistake, and would make sums lose digits. */
#define TARGET_MAX 1e12

static const char *const names[EQT_YEAR_UNITS] = {
	[EQT_YEAR_CORE] = "CoreYears",
	[EQT_YEAR_GPU] = "GPUYears",
	[EQT_YEAR_RGU] = "RGUYears",
};

static const char *targets_cell(const struct eqt_year_targets *targets,
				size_t row, size_t column)
{
	return eqt_columns_cell(&targets->table, row, column);
}

/* Read the years in a cell. An empty cell is NAN. Returns -1 with err filled if the cell
 * is not a number. */
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

/* Is the row about this account and this cluster? cluster NULL matches any cluster. */
static bool targets_row_is(const struct eqt_year_targets *targets, size_t row,
			   const char *account, const char *cluster)
{
	return strcmp(targets_cell(targets, row, targets->account), account) ==
		       0 &&
	       (!cluster || targets->cluster == EQT_COLUMNS_NONE ||
		strcmp(targets_cell(targets, row, targets->cluster), cluster) ==
			0);
}

/* Find the years of an account on a cluster, or the sum over all clusters if cluster is
 * NULL. NAN if there are none. All rows are searched for each account, because a file has
 * no more rows than the site has accounts. */
static void year_targets_of(const struct eqt_year_targets *targets,
			    const char *account, const char *cluster,
			    double out[EQT_YEAR_UNITS])
{
	double years;

	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
		out[unit] = NAN;
	for (size_t row = 0; row < targets->table.rows; row++) {
		if (!targets_row_is(targets, row, account, cluster))
			continue;
		/* An empty cell adds nothing. If all cells are empty, the target stays
		 * NAN. */
		for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
			if (targets_read_years(&years, targets, row, unit) <
				    0 ||
			    isnan(years))
				continue;
			out[unit] = isnan(out[unit]) ? years
						     : out[unit] + years;
		}
	}
}

/* Does an earlier row set the same targets? With a column Cluster an account may have a
 * row per cluster. */
static bool targets_row_repeats(const struct eqt_year_targets *targets,
				size_t row)
{
	const char *account = targets_cell(targets, row, targets->account);
	const char *cluster = targets_cell(targets, row, targets->cluster);

	for (size_t before = 0; before < row; before++) {
		if (targets_row_is(targets, before, account, cluster))
			return true;
	}
	return false;
}

/* The line number is that in the file, where comments and empty lines count. */
static int targets_check_row(const struct eqt_year_targets *targets, size_t row,
			     struct eqt_error *err)
{
	const struct eqt_columns *table = &targets->table;
	double years;

	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
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

/* Find the columns and read each cell once, so that an invalid cell is refused before any
 * report is made. */
static int targets_check(struct eqt_year_targets *targets,
			 struct eqt_error *err)
{
	const struct eqt_columns *table = &targets->table;
	bool any = false;

	targets->account = eqt_columns_find(table, "Account", err);
	if (targets->account == EQT_COLUMNS_NONE)
		return -1;
	targets->cluster = eqt_columns_find(table, "Cluster", NULL);
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		targets->columns[unit] =
			eqt_columns_find(table, names[unit], NULL);
		any = any || targets->columns[unit] != EQT_COLUMNS_NONE;
	}
	if (!any)
		return eqt_error_set(err,
				     "%s: line %zu: expected a column "
				     "CoreYears, GPUYears or RGUYears",
				     table->text.name, table->lines[0]);
	for (size_t row = 0; row < table->rows; row++) {
		if (targets_check_row(targets, row, err) < 0)
			return -1;
	}
	return 0;
}

int eqt_lines_targets_read(struct eqt_year_targets *out, const char *path,
			   struct eqt_error *err)
{
	*out = (struct eqt_year_targets){ .account = 0 };
	if (eqt_columns_read(&out->table, EQT_COLUMNS_BARS, path, NULL, err) <
		    0 ||
	    targets_check(out, err) < 0) {
		eqt_lines_targets_free(out);
		return -1;
	}
	return 0;
}

/* {0} may be freed as well. */
void eqt_lines_targets_free(struct eqt_year_targets *targets)
{
	eqt_columns_free(&targets->table);
	*targets = (struct eqt_year_targets){ .account = 0 };
}

/* ---- Titles --------------------------------------------------------------- */

/* The index of the account's row among the first "rows" rows, or "rows" if none of these
 * has the account. */
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
	for (size_t row = 0; row < table->rows; row++) {
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

int eqt_lines_titles_read(struct eqt_year_titles *out, const char *path,
			  struct eqt_error *err)
{
	*out = (struct eqt_year_titles){ .account = 0 };
	if (eqt_columns_read(&out->table, EQT_COLUMNS_BARS, path, NULL, err) <
		    0 ||
	    titles_check(out, err) < 0) {
		eqt_lines_titles_free(out);
		return -1;
	}
	return 0;
}

void eqt_lines_titles_free(struct eqt_year_titles *titles)
{
	eqt_columns_free(&titles->table);
	*titles = (struct eqt_year_titles){ .account = 0 };
}

/* A cell of the account's row, or "" if it has no row. */
static const char *titles_cell(const struct eqt_year_titles *titles,
			       const char *account, size_t column)
{
	size_t row = titles_find(titles, account, titles->table.rows);

	return row < titles->table.rows
		       ? eqt_columns_cell(&titles->table, row, column)
		       : "";
}

/* "" for an account without a title. Borrowed from the table. */
const char *eqt_lines_title(const struct eqt_year_titles *titles,
			    const char *account)
{
	return titles_cell(titles, account, titles->title);
}

const char *eqt_lines_owner(const struct eqt_year_titles *titles,
			    const char *account)
{
	return titles_cell(titles, account, titles->owner);
}

/* ---- Keys ----------------------------------------------------------------- */

/* The position of a key among the keys of the report, or key_count if it is not there. */
static size_t sum_key_at(const struct eqt_year_sum *sum, enum eqt_year_key key)
{
	size_t at;

	for (at = 0; at < sum->key_count; at++) {
		if (sum->keys[at] == key)
			break;
	}
	return at;
}

/* key_count means that no key is an account. */
size_t eqt_lines_account_at(const struct eqt_year_sum *sum)
{
	size_t at = sum_key_at(sum, EQT_YEAR_BY_ACCOUNT);

	return at < sum->key_count ? at : sum_key_at(sum, EQT_YEAR_BY_PROJECT);
}

/* Set the target for the cluster of the line. If lines have no cluster, set the target
 * for all clusters. */
static void line_put_target(struct eqt_year_line *line,
			    const struct eqt_year_basis *basis)
{
	size_t cluster = sum_key_at(basis->sum, EQT_YEAR_BY_CLUSTER);

	year_targets_of(
		basis->targets, line->key[eqt_lines_account_at(basis->sum)],
		cluster < basis->sum->key_count ? line->key[cluster] : NULL,
		line->allocated);
}

/* Add a row for each target, so that accounts without usage have a line. */
static void basis_add_targets(const struct eqt_year_basis *basis)
{
	const struct eqt_year_targets *targets = basis->targets;
	size_t cluster = sum_key_at(basis->sum, EQT_YEAR_BY_CLUSTER), row;
	const char *key[EQT_YEAR_KEYS_MAX] = { NULL };

	for (row = 0; row < targets->table.rows; row++) {
		key[eqt_lines_account_at(basis->sum)] = eqt_columns_cell(
			&targets->table, row, targets->account);
		if (cluster < basis->sum->key_count)
			key[cluster] = eqt_columns_cell(&targets->table, row,
							targets->cluster);
		(void) eqt_sum_row_get(basis->sum, key);
	}
}

/* ---- Shares --------------------------------------------------------------- */

/* An account's part of the whole tree, which is the product of its parts on all levels.
 * NAN if it has no shares of its own. */
static double assoc_part_of_tree(const struct eqt_sshare *shares, uint32_t i)
{
	double part = 1;

	if (shares->assocs[i].parent_shares)
		return NAN;
	for (; i != 0 && i != EQT_TREE_NONE; i = eqt_sshare_above(shares, i))
		part *= eqt_tree_node(shares->tree, i).shares_norm;
	return part;
}

static enum eqt_pool basis_pool(const struct eqt_year_basis *basis, uint32_t i)
{
	size_t length;

	return eqt_pools_of(basis->pools, basis->shares->assocs[i].account,
			    &length);
}

/* Sum the parts of the topmost accounts of each pool. */
static void pools_sum_parts(const struct eqt_year_basis *basis,
			    double parts[EQT_POOLS])
{
	const struct eqt_sshare *shares = basis->shares;
	enum eqt_pool pool;
	uint32_t i, above;
	double part;

	parts[EQT_POOL_CPU] = parts[EQT_POOL_GPU] = 0;
	for (i = 0; i < shares->count; i++) {
		pool = basis_pool(basis, i);
		part = assoc_part_of_tree(shares, i);
		if (shares->assocs[i].user || pool == EQT_POOLS || isnan(part))
			continue;
		above = shares->assocs[i].parent;
		while (above != EQT_TREE_NONE &&
		       basis_pool(basis, above) != pool)
			above = shares->assocs[above].parent;
		if (above == EQT_TREE_NONE)
			parts[pool] += part;
	}
}

/* Cores belong to the CPU pool, and GPUs to the GPU pool. Without pools an account has a
 * part of both. */
static void line_put_share(struct eqt_year_line *line,
			   const struct eqt_year_basis *basis, uint32_t i,
			   const double parts[EQT_POOLS])
{
	double part = assoc_part_of_tree(basis->shares, i);
	enum eqt_pool pool = EQT_POOLS, own;

	if (eqt_pools_any(basis->pools))
		pool = basis_pool(basis, i);
	for (int unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		own = unit == EQT_YEAR_CORE ? EQT_POOL_CPU : EQT_POOL_GPU;
		line->allocated[unit] = NAN;
		if (!eqt_pools_any(basis->pools))
			line->allocated[unit] = part * basis->capacity[unit];
		else if (pool == own && parts[own] > 0)
			line->allocated[unit] =
				part / parts[own] * basis->capacity[unit];
	}
}

/* ---- Lines ---------------------------------------------------------------- */

static void line_put_used(struct eqt_year_line *line,
			  const struct eqt_year_row *row)
{
	for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
		line->used[unit] += eqt_sum_amount_value(row->of[unit]);
	line->jobs += row->jobs;
	line->sources |= row->sources;
}

/* Make a line for each row. */
static void lines_make_flat(struct eqt_year_lines *out,
			    const struct eqt_year_basis *basis)
{
	const struct eqt_year_sum *sum = basis->sum;
	struct eqt_year_line *line;

	out->line = eqt_alloc(sum->rows.count + 1, sizeof(*out->line));
	for (size_t i = 0; i < sum->rows.count; i++) {
		const struct eqt_year_row *row = sum->rows.list[i];

		line = &out->line[out->count++];
		for (size_t k = 0; k < sum->key_count; k++)
			line->key[k] = row->key[k];
		line_put_used(line, row);
		for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
			line->allocated[unit] = NAN;
		if (basis->targets)
			line_put_target(line, basis);
	}
}

static unsigned int assoc_depth(const struct eqt_sshare *shares, uint32_t i)
{
	unsigned int depth = 0;

	for (; shares->assocs[i].parent != EQT_TREE_NONE;
	     i = shares->assocs[i].parent)
		depth++;
	return depth;
}

/* Make a line for each account of the tree. */
static void lines_add_accounts(struct eqt_year_lines *out, uint32_t *lines,
			       const struct eqt_year_basis *basis)
{
	const struct eqt_sshare *shares = basis->shares;
	double parts[EQT_POOLS];
	struct eqt_year_line *line;

	pools_sum_parts(basis, parts);
	for (uint32_t i = 0; i < shares->count; i++) {
		lines[i] = EQT_TREE_NONE;
		if (shares->assocs[i].user)
			continue;
		lines[i] = (uint32_t) out->count;
		line = &out->line[out->count++];
		line->key[0] = shares->assocs[i].account;
		line->depth = assoc_depth(shares, i);
		if (basis->targets)
			line_put_target(line, basis);
		else
			line_put_share(line, basis, i, parts);
	}
}

/* Add usage to its account and to all accounts above it. An account that no longer exists
 * gets a line of its own, and counts for the root. */
static void lines_add_up(struct eqt_year_lines *out, const uint32_t *lines,
			 const struct eqt_year_basis *basis)
{
	const struct eqt_sshare *shares = basis->shares;
	const struct eqt_year_sum *sum = basis->sum;
	struct eqt_year_line *stray;
	uint32_t i;

	for (size_t at = 0; at < sum->rows.count; at++) {
		const struct eqt_year_row *row = sum->rows.list[at];

		i = eqt_sshare_account(shares, row->key[0]);
		if (i == EQT_TREE_NONE) {
			stray = &out->line[out->count++];
			stray->key[0] = row->key[0];
			stray->depth = 1;
			line_put_used(stray, row);
			for (int unit = 0; unit < EQT_YEAR_UNITS; unit++)
				stray->allocated[unit] = NAN;
			i = 0;
		}
		for (; i != EQT_TREE_NONE; i = shares->assocs[i].parent)
			line_put_used(&out->line[lines[i]], row);
	}
}

static void lines_make_tree(struct eqt_year_lines *out,
			    const struct eqt_year_basis *basis)
{
	size_t count = basis->shares->count;
	uint32_t *lines = eqt_alloc(count + 1, sizeof(*lines));

	out->line = eqt_alloc(count + basis->sum->rows.count + 1,
			      sizeof(*out->line));
	lines_add_accounts(out, lines, basis);
	lines_add_up(out, lines, basis);
	free(lines);
}

void eqt_lines_make(struct eqt_year_lines *out,
		    const struct eqt_year_basis *basis)
{
	*out = (struct eqt_year_lines){ .count = 0 };
	if (basis->targets && !basis->shares)
		basis_add_targets(basis);
	eqt_sum_sort(basis->sum);
	if (basis->shares)
		lines_make_tree(out, basis);
	else
		lines_make_flat(out, basis);
}
