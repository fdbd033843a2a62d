/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounts are added from the root down and removed from below, since sacctmgr
 * wants a parent to exist, and no children of what it removes.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shares/differences.h"

/* What is compared. */
struct comparison {
	const struct eqt_shares_rows *wanted, *now;
	const char *file;
	struct eqt_shares_steps *steps;
};

/* Always -1; the line is that of the file. */
static int row_refuse(const struct comparison *with,
		      const struct eqt_shares_row *row, const char *name,
		      const char *why, struct eqt_error *err)
{
	return eqt_error_set(err, "%s: line %zu: %s: %s", with->file, row->line,
			     name, why);
}

/* The word stands where shares do. */
static bool row_is_removed(const struct eqt_shares_row *row)
{
	return strcmp(row->shares, "remove") == 0;
}

/* The parent that an account will have; NULL: there is no such account. What the file
 * says goes before what is there now. */
static const char *account_parent(const struct comparison *with,
				  const char *account)
{
	const struct eqt_shares_row *row =
		eqt_shares_rows_find(with->wanted, account, "");

	if (row && row_is_removed(row))
		return NULL;
	if (row && row->parent[0] != '\0')
		return row->parent;
	row = eqt_shares_rows_find(with->now, account, "");
	return row ? row->parent : NULL;
}

/* The depth of an account below the root. 0 with *depth filled, or -1. A circle is
 * found by its length: no path is longer than all accounts. */
static int account_depth(const struct comparison *with,
			 const struct eqt_shares_row *row, unsigned int *depth,
			 struct eqt_error *err)
{
	const size_t limit = with->wanted->count + with->now->count;
	const char *at = row->account;

	for (*depth = 0; strcasecmp(at, "root") != 0; ++*depth) {
		const char *above = account_parent(with, at);

		if (!above || above[0] == '\0')
			return row_refuse(with, row, at,
					  at == row->account
						  ? "expected its parent"
						  : "no such account",
					  err);
		if (*depth > limit)
			return row_refuse(with, row, row->account,
					  "it would be below itself", err);
		at = above;
	}
	return 0;
}

/* There is room for a step of each row. Always 0. */
static int steps_add(const struct comparison *with,
		     enum eqt_shares_step_kind kind,
		     const struct eqt_shares_row *wanted,
		     const struct eqt_shares_row *now, unsigned int depth)
{
	with->steps->step[with->steps->count++] =
		(struct eqt_shares_step){ kind, wanted, now, depth };
	return 0;
}

/* Does an account stay, or come, below this one? An account is removed only when
 * nothing is left below it. */
static bool account_has_children(const struct comparison *with,
				 const char *account)
{
	const struct eqt_shares_rows *both[] = { with->wanted, with->now };
	size_t list, i;

	for (list = 0; list < 2; list++) {
		for (i = 0; i < both[list]->count; i++) {
			const struct eqt_shares_row *row = &both[list]->row[i];
			const char *above =
				row->user[0]
					? NULL
					: account_parent(with, row->account);

			if (above && strcasecmp(above, account) == 0)
				return true;
		}
	}
	return false;
}

/* The steps of an account: it may move and get other shares. */
static int compare_account(const struct comparison *with,
			   const struct eqt_shares_row *row,
			   struct eqt_error *err)
{
	const struct eqt_shares_row *now =
		eqt_shares_rows_find(with->now, row->account, "");
	unsigned int depth = 0;

	if (row_is_removed(row)) {
		if (now && account_has_children(with, row->account))
			return row_refuse(with, row, row->account,
					  "accounts are below it", err);
		return now ? steps_add(with, EQT_SHARES_REMOVE_ACCOUNT, row,
				       now, 0)
			   : 0;
	}
	if (account_depth(with, row, &depth, err) < 0)
		return -1;
	if (!now)
		return steps_add(with, EQT_SHARES_ADD_ACCOUNT, row, NULL,
				 depth);
	if (row->parent[0] != '\0' && strcasecmp(row->parent, now->parent) != 0)
		(void) steps_add(with, EQT_SHARES_MOVE_ACCOUNT, row, now,
				 depth);
	if (strcmp(row->shares, now->shares) != 0)
		(void) steps_add(with, EQT_SHARES_SET_ACCOUNT, row, now, depth);
	return 0;
}

/* The step of a user in an account. */
static int compare_user(const struct comparison *with,
			const struct eqt_shares_row *row, struct eqt_error *err)
{
	const struct eqt_shares_row *now =
		eqt_shares_rows_find(with->now, row->account, row->user);

	if (row_is_removed(row))
		return now ? steps_add(with, EQT_SHARES_REMOVE_USER, row, now,
				       0)
			   : 0;
	if (strcasecmp(row->account, "root") != 0 &&
	    !account_parent(with, row->account))
		return row_refuse(with, row, row->account, "no such account",
				  err);
	if (!now)
		return steps_add(with, EQT_SHARES_ADD_USER, row, NULL, 0);
	return strcmp(row->shares, now->shares) != 0
		       ? steps_add(with, EQT_SHARES_SET_USER, row, now, 0)
		       : 0;
}

/* By kind; accounts that come from above, accounts that go from below; else as
 * the file has them. */
static int step_compare(const void *a, const void *b)
{
	const struct eqt_shares_step *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	if (left->depth != right->depth)
		return left->depth < right->depth ? -1 : 1;
	return left->wanted->line < right->wanted->line ? -1 : 1;
}

int eqt_shares_steps_make(struct eqt_shares_steps *out,
			  const struct eqt_shares_rows *wanted,
			  const struct eqt_shares_rows *now, const char *file,
			  struct eqt_error *err)
{
	const struct comparison with = { wanted, now, file, out };
	size_t i;
	int rc = 0;

	*out = (struct eqt_shares_steps){ .count = 0 };
	/* An account may have two steps. */
	out->step = calloc(2 * wanted->count + 1, sizeof(*out->step));
	if (!out->step)
		return eqt_error_set(err, "out of memory");
	for (i = 0; i < wanted->count && rc == 0; i++)
		rc = wanted->row[i].user[0]
			     ? compare_user(&with, &wanted->row[i], err)
			     : compare_account(&with, &wanted->row[i], err);
	if (rc < 0) {
		eqt_shares_steps_free(out);
		return -1;
	}
	qsort(out->step, out->count, sizeof(*out->step), step_compare);
	return 0;
}

int eqt_shares_steps_back(struct eqt_shares_rows *out,
			  const struct eqt_shares_steps *steps)
{
	struct eqt_shares_row row;
	size_t i;

	*out = (struct eqt_shares_rows){ .count = 0 };
	for (i = steps->count; i > 0; i--) {
		const struct eqt_shares_step *step = &steps->step[i - 1];

		row = step->now ? *step->now : *step->wanted;
		if (!step->now) {
			row.parent[0] = '\0';
			memcpy(row.shares, "remove", sizeof("remove"));
		}
		/* An account may have two steps. */
		if (!eqt_shares_rows_find(out, row.account, row.user) &&
		    eqt_shares_rows_add(out, &row) < 0)
			return -1;
	}
	return 0;
}

const char *eqt_shares_step_name(enum eqt_shares_step_kind kind)
{
	static const char *const names[EQT_SHARES_STEPS] = {
		[EQT_SHARES_ADD_ACCOUNT] = "add account",
		[EQT_SHARES_MOVE_ACCOUNT] = "move account",
		[EQT_SHARES_SET_ACCOUNT] = "set account",
		[EQT_SHARES_ADD_USER] = "add user",
		[EQT_SHARES_SET_USER] = "set user",
		[EQT_SHARES_REMOVE_USER] = "remove user",
		[EQT_SHARES_REMOVE_ACCOUNT] = "remove account",
	};

	return names[kind];
}

void eqt_shares_steps_free(struct eqt_shares_steps *steps)
{
	free(steps->step);
	*steps = (struct eqt_shares_steps){ .count = 0 };
}
