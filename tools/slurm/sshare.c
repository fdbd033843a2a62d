/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree is rebuilt from the indentation of accounts and ranked by the code that the
 * plugin uses. Slurm computes NormShares from the whole tree, so NormShares show whether
 * rows are missing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/sshare.h"
#include "cli/alloc.h"

/* ---- Index --------------------------------------------------------------------------
 * A queue of 100,000 jobs looks up its users in a tree of 10,000 users. Users are
 * therefore sorted once and found by binary search. */

/* Compare by user, then by account, then by row. */
static int user_compare(const void *x, const void *y)
{
	const struct eqt_sshare_user *a = x, *b = y;
	int order = strcmp(a->user, b->user);

	if (order == 0)
		order = strcmp(a->account, b->account);
	if (order == 0)
		order = a->assoc < b->assoc ? -1 : a->assoc > b->assoc;
	return order;
}

void eqt_sshare_index_make(struct eqt_sshare_index *out,
			   const struct eqt_sshare *shares)
{
	*out = (struct eqt_sshare_index){ .count = 0 };
	out->users = eqt_alloc(shares->count + 1, sizeof(*out->users));
	for (uint32_t i = 0; i < shares->count; i++) {
		if (shares->assocs[i].user)
			out->users[out->count++] = (struct eqt_sshare_user){
				shares->assocs[i].user,
				shares->assocs[i].account, i
			};
	}
	qsort(out->users, out->count, sizeof(*out->users), user_compare);
}

void eqt_sshare_index_free(struct eqt_sshare_index *index)
{
	free(index->users);
	*index = (struct eqt_sshare_index){ .count = 0 };
}

/* The first position at or after user and account. "" sorts before all accounts. */
static uint32_t index_position(const struct eqt_sshare_index *index,
			       const char *user, const char *account)
{
	uint32_t low = 0, high = index->count;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct eqt_sshare_user *at = &index->users[mid];
		int order = strcmp(at->user, user);

		if (order == 0)
			order = strcmp(at->account, account);
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t eqt_sshare_index_find(const struct eqt_sshare_index *index,
			       const char *user, const char *account)
{
	const uint32_t at = index_position(index, user, account);

	if (at == index->count || strcmp(index->users[at].user, user) != 0 ||
	    strcmp(index->users[at].account, account) != 0)
		return EQT_TREE_NONE;
	return index->users[at].assoc;
}

uint32_t eqt_sshare_index_person(const struct eqt_sshare_index *index,
				 const char *user)
{
	return index_position(index, user, "");
}

/* ---- Shares --------------------------------------------------------------- */

/* NormShares has six decimals, so larger differences are real. */
#define NORM_SHARES_FAR 2e-6

/* Larger numbers are Slurm's INFINITE and NO_VAL. */
#define SHARES_MAX (UINT32_MAX - 3)

enum column {
	ACCOUNT,
	USER,
	RAW_SHARES,
	RAW_USAGE,
	NORM_SHARES, /* this column and those below are optional */
	LEVEL_FS,
	TRES_RAW,
	COLUMNS
};

/* The columns from NORM_SHARES on depend on the options of sshare and may be missing. */
static const char *const names[COLUMNS] = {
	[ACCOUNT] = "Account",	      [USER] = "User",
	[RAW_SHARES] = "RawShares",   [RAW_USAGE] = "RawUsage",
	[NORM_SHARES] = "NormShares", [LEVEL_FS] = "LevelFS",
	[TRES_RAW] = "GrpTRESRaw",
};

/* Fill err with "FILE: line N: TEXT". Returns -1. */
static int sshare_row_error(const struct eqt_sshare *shares, size_t row,
			    const char *text, struct eqt_error *err)
{
	const struct eqt_columns *table = &shares->table;

	return eqt_error_set(err, "%s: line %zu: %s", table->text.name,
			     table->lines[row + 1], text);
}

/* Read RawShares: a number, or "parent". */
static int assoc_read_shares(struct eqt_sshare_assoc *assoc,
			     const struct eqt_sshare *shares, size_t column,
			     struct eqt_error *err)
{
	const char *cell = eqt_columns_cell(&shares->table, assoc->row, column);
	uint64_t value = 0;

	assoc->parent_shares = strcmp(cell, "parent") == 0;
	/* sshare prints no shares for the root, because the root has no siblings. */
	if (assoc->parent_shares || (assoc->row == 0 && cell[0] == '\0'))
		return 0;
	if (eqt_columns_number(&value, &shares->table, assoc->row, column,
			       SHARES_MAX, err) < 0)
		return -1;
	assoc->shares = (uint32_t) value;
	return 0;
}

/* Set the parent of an association. An account is indented by one space more than its
 * parent, and a user by one more than the account. open[] has the last account at each
 * depth; "opened" is the number of depths. */
static int assoc_find_parent(struct eqt_sshare *shares, uint32_t i,
			     size_t depth, const uint32_t *open, size_t *opened,
			     struct eqt_error *err)
{
	struct eqt_sshare_assoc *assoc = &shares->assocs[i];

	if ((i == 0) != (depth == 0) || (i == 0 && assoc->user))
		return sshare_row_error(
			shares, assoc->row,
			i == 0 ? "the first row is not the root: the list is "
				 "not complete, or PrivateData hides accounts "
				 "from you: ask as root, SlurmUser or an "
				 "operator"
			       : "a second root",
			err);
	if (depth > *opened || depth > EQT_TREE_DEPTH_MAX)
		return sshare_row_error(
			shares, assoc->row,
			"indented deeper than the rows above allow", err);
	assoc->parent = i == 0 ? EQT_TREE_NONE : open[depth - 1];
	if (assoc->user &&
	    strcmp(assoc->account, shares->assocs[assoc->parent].account) != 0)
		return sshare_row_error(shares, assoc->row,
					"a user that is not below its account",
					err);
	if (!assoc->user)
		*opened = depth + 1;
	return 0;
}

/* Read all rows. The indentation of an account is its depth in the tree. */
static int sshare_read_rows(struct eqt_sshare *shares, const size_t *at,
			    struct eqt_error *err)
{
	uint32_t open[EQT_TREE_DEPTH_MAX + 1] = { 0 };
	size_t opened = 0, depth;

	for (uint32_t i = 0; i < shares->count; i++) {
		struct eqt_sshare_assoc *assoc = &shares->assocs[i];
		const struct eqt_columns *table = &shares->table;

		assoc->row = i;
		assoc->account = eqt_columns_cell(table, i, at[ACCOUNT]);
		depth = strspn(assoc->account, " ");
		assoc->account += depth;
		assoc->user = eqt_columns_cell(table, i, at[USER]);
		if (assoc->user[0] == '\0')
			assoc->user = NULL;
		if (assoc_find_parent(shares, i, depth, open, &opened, err) <
			    0 ||
		    assoc_read_shares(assoc, shares, at[RAW_SHARES], err) < 0 ||
		    eqt_columns_number(&assoc->usage, table, i, at[RAW_USAGE],
				       UINT64_MAX, err) < 0)
			return -1;
		assoc->tres = eqt_columns_cell(table, i, at[TRES_RAW]);
		if (!assoc->user)
			open[depth] = i;
	}
	return 0;
}

/* The associations in the form that a share tree takes. The caller frees them with
 * free(). */
static struct eqt_tree_input *sshare_inputs(const struct eqt_sshare *shares)
{
	struct eqt_tree_input *nodes = eqt_alloc(shares->count, sizeof(*nodes));

	for (uint32_t i = 0; i < shares->count; i++)
		nodes[i] = (struct eqt_tree_input){
			.parent = shares->assocs[i].parent,
			.shares = shares->assocs[i].shares,
			.user = shares->assocs[i].user != NULL,
			.parent_shares = shares->assocs[i].parent_shares,
		};
	return nodes;
}

/* Make the tree, in place of an earlier one, and rank it. With "stock", rank like Slurm's
 * own plugin, which does not merge tied accounts. */
static int sshare_make_tree(struct eqt_sshare *shares, bool stock,
			    struct eqt_error *err)
{
	struct eqt_tree_input *nodes = sshare_inputs(shares);

	eqt_tree_free(shares->tree);
	shares->tree = eqt_tree_new(nodes, shares->count, err);
	free(nodes);
	if (!shares->tree)
		return -1;
	for (uint32_t i = 0; i < shares->count; i++)
		eqt_tree_usage_set(shares->tree, i,
				   (long double) shares->assocs[i].usage);
	eqt_tree_rank(shares->tree,
		      stock ? EQT_TREE_STOCK : EQT_TREE_DOCUMENTED);
	return 0;
}

/*
 * Compare each row's NormShares with the shares of its level. They differ if sshare was
 * run without -a, or if the file was cut off between two lines. Without Fair Tree (no
 * LevelFS) NormShares have another meaning and are not checked.
 */
static int sshare_check_complete(const struct eqt_sshare *shares,
				 const size_t *at, bool any_norms,
				 struct eqt_error *err)
{
	if (eqt_tree_users(shares->tree) == 0)
		return eqt_error_set(
			err,
			"%s: no users: expected the output of \"sshare -alP\"",
			shares->table.text.name);
	if (any_norms || at[LEVEL_FS] == EQT_COLUMNS_NONE ||
	    at[NORM_SHARES] == EQT_COLUMNS_NONE)
		return 0;
	for (uint32_t i = 1; i < shares->count; i++) {
		const char *cell =
			eqt_columns_cell(&shares->table, i, at[NORM_SHARES]);
		double norm = eqt_tree_node(shares->tree, i).shares_norm;

		if (cell[0] != '\0' && !shares->assocs[i].parent_shares &&
		    !(fabs(strtod(cell, NULL) - norm) < NORM_SHARES_FAR))
			return eqt_error_set(
				err,
				"%s: line %zu: NormShares is %.32s, but the "
				"rows of its level make it %.6f: is the list "
				"complete (\"sshare -alP\")?",
				shares->table.text.name,
				shares->table.lines[i + 1], cell, norm);
	}
	return 0;
}

/* Apply "account[/user]=SHARES"; names may contain a '='. */
static int sshare_apply_set(struct eqt_sshare *shares, const char *set,
			    struct eqt_error *err)
{
	const char *value = strrchr(set, '=');
	bool parent = value && strcmp(value, "=parent") == 0;
	struct eqt_sshare_assoc *assoc;
	uint64_t number = 0;
	char end;
	uint32_t i;

	if (!value ||
	    (!parent && (sscanf(value, "=%10lu%c", &number, &end) != 1 ||
			 value[1] == '-' || number > SHARES_MAX)))
		return eqt_error_set(
			err, "--set %s: expected ACCOUNT[/USER]=SHARES", set);
	for (i = eqt_sshare_find(shares, set, (size_t) (value - set), 0);
	     i != EQT_TREE_NONE;
	     i = eqt_sshare_find(shares, set, (size_t) (value - set), i + 1)) {
		assoc = &shares->assocs[i];
		/* The name of a user alone could mean several associations. */
		if (assoc->user &&
		    strlen(assoc->user) == (size_t) (value - set))
			continue;
		assoc->parent_shares = parent;
		assoc->shares = (uint32_t) number;
		return 0;
	}
	return eqt_error_set(err, "--set %s: no such account or account/user",
			     set);
}

/* With --set the tree is ranked twice, because the first ranking checks that the list is
 * complete. Of sshare's options, -a lists all users, -l prints all columns, and -P puts
 * bars between cells. */
static int sshare_load(struct eqt_sshare *shares,
		       const struct eqt_sshare_options *options,
		       struct eqt_error *err)
{
	static const char with_tres[] =
		"sshare -alP -o Account,User,RawShares,RawUsage,NormShares,"
		"LevelFS,GrpTRESRaw";
	size_t at[COLUMNS], i;

	if (eqt_columns_read(
		    &shares->table, EQT_COLUMNS_ACCOUNTS, options->path,
		    options->tres ? with_tres : "sshare -alP", err) < 0 ||
	    eqt_columns_find_all(at, &shares->table, names, NORM_SHARES,
				 COLUMNS, err) < 0)
		return -1;
	if (shares->table.rows >= EQT_TREE_NONE)
		return eqt_error_set(err, "%s: too many rows",
				     shares->table.text.name);
	shares->count = (uint32_t) shares->table.rows;
	shares->assocs = eqt_alloc(shares->count, sizeof(*shares->assocs));
	if (sshare_read_rows(shares, at, err) < 0 ||
	    sshare_make_tree(shares, options->stock, err) < 0 ||
	    sshare_check_complete(shares, at, options->any_norms, err) < 0)
		return -1;
	for (i = 0; i < options->set_count; i++) {
		if (sshare_apply_set(shares, options->sets[i], err) < 0)
			return -1;
	}
	return options->set_count
		       ? sshare_make_tree(shares, options->stock, err)
		       : 0;
}

int eqt_sshare_read(struct eqt_sshare *out,
		    const struct eqt_sshare_options *options,
		    struct eqt_error *err)
{
	*out = (struct eqt_sshare){ .count = 0 };
	if (sshare_load(out, options, err) < 0) {
		eqt_sshare_free(out);
		return -1;
	}
	return 0;
}

void eqt_sshare_free(struct eqt_sshare *shares)
{
	eqt_tree_free(shares->tree);
	free(shares->assocs);
	eqt_columns_free(&shares->table);
	*shares = (struct eqt_sshare){ .count = 0 };
}

static bool assoc_text_is(const char *text, const char *name, size_t length)
{
	return strlen(text) == length && memcmp(text, name, length) == 0;
}

/* Is this the association of a name on the command line: ACCOUNT, USER, or
 * ACCOUNT/USER? */
static bool assoc_is_named(const struct eqt_sshare_assoc *assoc,
			   const char *name, size_t length)
{
	size_t account = strlen(assoc->account);

	if (!assoc->user)
		return assoc_text_is(assoc->account, name, length);
	if (assoc_text_is(assoc->user, name, length))
		return true;
	return length > account && name[account] == '/' &&
	       memcmp(assoc->account, name, account) == 0 &&
	       assoc_text_is(assoc->user, name + account + 1,
			     length - account - 1);
}

uint32_t eqt_sshare_find(const struct eqt_sshare *shares, const char *name,
			 size_t length, uint32_t from)
{
	for (uint32_t i = from; i < shares->count; i++) {
		if (assoc_is_named(&shares->assocs[i], name, length))
			return i;
	}
	return EQT_TREE_NONE;
}

uint32_t eqt_sshare_account(const struct eqt_sshare *shares, const char *name)
{
	for (uint32_t i = 0; i < shares->count; i++) {
		if (!shares->assocs[i].user &&
		    strcmp(shares->assocs[i].account, name) == 0)
			return i;
	}
	return EQT_TREE_NONE;
}

/* Accounts with Fairshare=parent have no level of their own. */
uint32_t eqt_sshare_above(const struct eqt_sshare *shares, uint32_t i)
{
	do {
		i = shares->assocs[i].parent;
	} while (i != EQT_TREE_NONE && i != 0 &&
		 shares->assocs[i].parent_shares);
	return i;
}
