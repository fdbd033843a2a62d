/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three kinds of lines: the sums as they are, accounts with targets, or the
 * whole tree with usage summed upwards. Shares become years of the cluster's
 * cores and GPUs; with pools, each pool divides its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "usage/lines.h"

#define TARGET_MAX 1e12

/* ---- Targets -------------------------------------------------------------- */

static const char *const names[EQT_YEAR_UNITS] = {
	[EQT_YEAR_CORE] = "CoreYears",
	[EQT_YEAR_GPU] = "GPUYears",
	[EQT_YEAR_RGU] = "RGUYears",
};

/* The years in a cell; NAN for an empty one. -1: not a number. */
static int targets_read_years(double *out,
			      const struct eqt_year_targets *targets,
			      size_t row, enum eqt_year_unit unit)
{
	const char *text =
		eqt_columns_cell(&targets->table, row, targets->columns[unit]);
	uint64_t micro;

	*out = NAN;
	if (text[0] == '\0')
		return 0;
	if (eqt_frac_micro_parse(&micro, text) < 0)
		return -1;
	*out = (double) micro / (double) EQT_MICRO;
	return *out < TARGET_MAX ? 0 : -1;
}

static size_t targets_find(const struct eqt_year_targets *targets,
			   const char *account, size_t rows)
{
	size_t row;

	for (row = 0; row < rows; row++) {
		if (strcmp(eqt_columns_cell(&targets->table, row,
					    targets->account),
			   account) == 0)
			break;
	}
	return row;
}

static int targets_check_row(const struct eqt_year_targets *targets, size_t row,
			     struct eqt_error *err)
{
	const struct eqt_columns *table = &targets->table;
	const char *account = eqt_columns_cell(table, row, targets->account);
	double years;
	int unit;

	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		if (targets_read_years(&years, targets, row,
				       (enum eqt_year_unit) unit) < 0)
			return eqt_error_set(
				err,
				"%s: line %zu: %s: \"%.64s\": expected a "
				"number",
				table->text.name, table->lines[row + 1],
				names[unit],
				eqt_columns_cell(table, row,
						 targets->columns[unit]));
	}
	if (targets_find(targets, account, row) < row)
		return eqt_error_set(
			err, "%s: line %zu: duplicate account \"%.64s\"",
			table->text.name, table->lines[row + 1], account);
	return 0;
}

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

void eqt_year_targets_free(struct eqt_year_targets *targets)
{
	eqt_columns_free(&targets->table);
	*targets = (struct eqt_year_targets){ .account = 0 };
}

static void line_put_target(struct eqt_year_line *line,
			    const struct eqt_year_targets *targets)
{
	size_t row = targets_find(targets, line->key[0], targets->table.rows);
	int unit;

	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
		line->allocated[unit] = NAN;
		if (row < targets->table.rows)
			(void) targets_read_years(&line->allocated[unit],
						  targets, row,
						  (enum eqt_year_unit) unit);
	}
}

/* ---- Shares --------------------------------------------------------------- */

/* An account's part of the whole tree; NAN if it has no shares of its own. */
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

/* Cores are the CPU pool's and GPUs the GPU pool's; without pools an account
 * has a part of both. */
static void line_put_share(struct eqt_year_line *line,
			   const struct eqt_year_basis *basis, uint32_t i,
			   const double parts[EQT_POOLS])
{
	double part = assoc_part_of_tree(basis->shares, i);
	enum eqt_pool pool = EQT_POOLS, own;
	int unit;

	if (eqt_pools_any(basis->pools))
		pool = basis_pool(basis, i);
	for (unit = EQT_YEAR_CORE; unit <= EQT_YEAR_RGU; unit++) {
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
	int unit;

	for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
		line->used[unit] += row->of[unit];
	line->jobs += row->jobs;
}

/* Make a line for each row. */
static int lines_make_flat(struct eqt_year_lines *out,
			   const struct eqt_year_basis *basis)
{
	const struct eqt_year_sum *sum = basis->sum;
	struct eqt_year_line *line;
	size_t i, k;
	int unit;

	out->line = calloc(sum->count + 1, sizeof(*out->line));
	for (i = 0; out->line && i < sum->count; i++) {
		line = &out->line[out->count++];
		for (k = 0; k < sum->key_count; k++)
			line->key[k] = sum->rows[i]->key[k];
		line_put_used(line, sum->rows[i]);
		for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
			line->allocated[unit] = NAN;
		if (basis->targets)
			line_put_target(line, basis->targets);
	}
	return out->line ? 0 : -1;
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
	uint32_t i;

	pools_sum_parts(basis, parts);
	for (i = 0; i < shares->count; i++) {
		lines[i] = EQT_TREE_NONE;
		if (shares->assocs[i].user)
			continue;
		lines[i] = (uint32_t) out->count;
		line = &out->line[out->count++];
		line->key[0] = shares->assocs[i].account;
		line->depth = assoc_depth(shares, i);
		if (basis->targets)
			line_put_target(line, basis->targets);
		else
			line_put_share(line, basis, i, parts);
	}
}

/* The account of that name in the tree, or EQT_TREE_NONE. */
static uint32_t sshare_find_account(const struct eqt_sshare *shares,
				    const char *name)
{
	uint32_t i;

	for (i = 0; i < shares->count; i++) {
		if (!shares->assocs[i].user &&
		    strcmp(shares->assocs[i].account, name) == 0)
			return i;
	}
	return EQT_TREE_NONE;
}

/* Add usage to its account and to all above it. An account that no longer
 * exists gets its own line, and counts for the root. */
static void lines_add_up(struct eqt_year_lines *out, const uint32_t *lines,
			 const struct eqt_year_basis *basis)
{
	const struct eqt_sshare *shares = basis->shares;
	const struct eqt_year_sum *sum = basis->sum;
	struct eqt_year_line *stray;
	size_t row;
	uint32_t i;
	int unit;

	for (row = 0; row < sum->count; row++) {
		i = sshare_find_account(shares, sum->rows[row]->key[0]);
		if (i == EQT_TREE_NONE) {
			stray = &out->line[out->count++];
			stray->key[0] = sum->rows[row]->key[0];
			stray->depth = 1;
			line_put_used(stray, sum->rows[row]);
			for (unit = 0; unit < EQT_YEAR_UNITS; unit++)
				stray->allocated[unit] = NAN;
			i = 0;
		}
		for (; i != EQT_TREE_NONE; i = shares->assocs[i].parent)
			line_put_used(&out->line[lines[i]], sum->rows[row]);
	}
}

static int lines_make_tree(struct eqt_year_lines *out,
			   const struct eqt_year_basis *basis)
{
	size_t count = basis->shares->count;
	uint32_t *lines = calloc(count + 1, sizeof(*lines));

	out->line = calloc(count + basis->sum->count + 1, sizeof(*out->line));
	if (lines && out->line) {
		lines_add_accounts(out, lines, basis);
		lines_add_up(out, lines, basis);
	}
	free(lines);
	return lines && out->line ? 0 : -1;
}

int eqt_year_lines_make(struct eqt_year_lines *out,
			const struct eqt_year_basis *basis)
{
	const struct eqt_year_targets *targets = basis->targets;
	const char *key[EQT_YEAR_KEYS_MAX] = { NULL };
	size_t row;

	*out = (struct eqt_year_lines){ .count = 0 };
	for (row = 0; targets && !basis->shares && row < targets->table.rows;
	     row++) {
		key[0] = eqt_columns_cell(&targets->table, row,
					  targets->account);
		if (!eqt_year_row_get(basis->sum, key))
			return -1;
	}
	eqt_year_sum_sort(basis->sum);
	return basis->shares ? lines_make_tree(out, basis)
			     : lines_make_flat(out, basis);
}
