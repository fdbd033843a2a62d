/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accounts in pairs, such as def-x_cpu and def-x_gpu. */
#include <stdio.h>
#include <string.h>

#include "init/plan.h"

/* The account of a row, without the indentation of sshare. */
static const char *account_of(const struct eqt_columns *accounts, size_t row,
			      size_t column)
{
	const char *cell = eqt_columns_cell(accounts, row, column);

	return cell + strspn(cell, " ");
}

static bool accounts_have(const struct eqt_columns *accounts, size_t column,
			  const char *name)
{
	for (size_t row = 0; row < accounts->rows; row++) {
		if (strcmp(account_of(accounts, row, column), name) == 0)
			return true;
	}
	return false;
}

/* The suffix of an account that ends in a separator and a word; NULL: none. */
static const char *account_suffix(const char *account, const char *word)
{
	size_t length = strlen(account), size = strlen(word);
	const char *at = account + length - size;

	if (length < size + 2 || strcmp(at, word) != 0 ||
	    !strchr("_-.", at[-1]))
		return NULL;
	return at - 1;
}

/* The account with the other word at its end; buf has 256 bytes. */
static const char *account_counterpart(const char *account, const char *word,
				       char *buf)
{
	/* Both words have three letters. */
	(void) snprintf(buf, 256, "%.*s%s", (int) strlen(account) - 3, account,
			word);
	return buf;
}

/* Take the suffixes of the first pair; keep the first account without one. */
static void row_look(struct eqt_init_plan *plan,
		     const struct eqt_columns *accounts, size_t row,
		     size_t column, bool gpu)
{
	const char *account = account_of(accounts, row, column);
	const char *suffix = account_suffix(account, gpu ? "gpu" : "cpu");
	char other[256];

	if (!suffix || strlen(account) >= sizeof(other))
		return;
	(void) account_counterpart(account, gpu ? "cpu" : "gpu", other);
	if (!accounts_have(accounts, column, other)) {
		if (!plan->lonely[0])
			(void) snprintf(plan->lonely, sizeof(plan->lonely),
					"%s", account);
		return;
	}
	/* A pair is found twice: take it once, from its account for cores. */
	if (gpu || plan->suffix[EQT_POOL_CPU][0])
		return;
	(void) snprintf(plan->suffix[EQT_POOL_CPU], EQT_NAME_SIZE, "%.1scpu",
			suffix);
	(void) snprintf(plan->suffix[EQT_POOL_GPU], EQT_NAME_SIZE, "%.1sgpu",
			suffix);
}

void eqt_init_pools_find(struct eqt_init_plan *plan,
			 const struct eqt_columns *accounts)
{
	size_t column = eqt_columns_find(accounts, "Account", NULL);

	for (size_t row = 0; row < accounts->rows; row++) {
		row_look(plan, accounts, row, column, false);
		row_look(plan, accounts, row, column, true);
	}
}
