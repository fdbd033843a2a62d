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

/* ---- Targets -------------------------------------------------------------- */

/* The position of a key among those of the report, or key_count. A key is there once at
 * most. */
static size_t sum_key_at(const struct eqt_year_sum *sum, enum eqt_year_key key)
{
	size_t at;

	for (at = 0; at < sum->key_count; at++) {
		if (sum->keys[at] == key)
			break;
	}
	return at;
}

/* key_count: no key is an account. */
size_t eqt_year_sum_account_at(const struct eqt_year_sum *sum)
{
	size_t at = sum_key_at(sum, EQT_YEAR_BY_ACCOUNT);

	return at < sum->key_count ? at : sum_key_at(sum, EQT_YEAR_BY_PROJECT);
}

/* Of the cluster of the line, or of all clusters together. */
static void line_put_target(struct eqt_year_line *line,
			    const struct eqt_year_basis *basis)
{
	size_t cluster = sum_key_at(basis->sum, EQT_YEAR_BY_CLUSTER);

	eqt_year_targets_of(
		basis->targets, line->key[eqt_year_sum_account_at(basis->sum)],
		cluster < basis->sum->key_count ? line->key[cluster] : NULL,
		line->allocated);
}

/* A row for each target, so that accounts without usage have a line. 0, or -1: out of
 * memory. */
static int basis_add_targets(const struct eqt_year_basis *basis)
{
	const struct eqt_year_targets *targets = basis->targets;
	size_t cluster = sum_key_at(basis->sum, EQT_YEAR_BY_CLUSTER), row;
	const char *key[EQT_YEAR_KEYS_MAX] = { NULL };

	for (row = 0; row < targets->table.rows; row++) {
		key[eqt_year_sum_account_at(basis->sum)] = eqt_columns_cell(
			&targets->table, row, targets->account);
		if (cluster < basis->sum->key_count)
			key[cluster] = eqt_columns_cell(&targets->table, row,
							targets->cluster);
		if (!eqt_year_row_get(basis->sum, key))
			return -1;
	}
	return 0;
}

/* ---- Shares --------------------------------------------------------------- */

/* An account's part of the whole tree; NAN if it has no shares itself. The product of
 * its parts on all levels. */
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
		line->used[unit] += eqt_year_amount_value(row->of[unit]);
	line->jobs += row->jobs;
	line->sources |= row->sources;
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
			line_put_target(line, basis);
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
			line_put_target(line, basis);
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
	*out = (struct eqt_year_lines){ .count = 0 };
	if (basis->targets && !basis->shares && basis_add_targets(basis) < 0)
		return -1;
	eqt_year_sum_sort(basis->sum);
	return basis->shares ? lines_make_tree(out, basis)
			     : lines_make_flat(out, basis);
}
