/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Budgets from a file of an allocation portal. They are compared with the present
 * budgets, and only the differences are applied. The same file can therefore be imported
 * every night or every minute. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/entry.h"
#include "budget/hours.h"
#include "budget/import.h"
#include "balance/balances.h"
#include "balance/budget_request.h"
#include "slurm/text/columns.h"
#include "slurm/text/timestamp.h"

enum import_column {
	COLUMN_ACCOUNT,
	COLUMN_POOL,
	COLUMN_AMOUNT,
	COLUMN_START,
	COLUMN_END,
	COLUMN_USER, /* may be missing */
	COLUMNS
};

/* Columns may come in any order, with other columns between them. */
static const char *const column_names[COLUMNS] = { "account", "pool", "amount",
						   "start",   "end",  "user" };

/* A table while it is read. */
struct import {
	const struct eqt_import_how *how;
	struct eqt_balances rows;
	struct eqt_columns table;
	size_t place[COLUMNS];
	unsigned int done;
};

static const char *import_field(const struct import *import, size_t row,
				enum import_column column)
{
	return eqt_columns_cell(&import->table, row, import->place[column]);
}

/* Read a local time. "" and "-" mean that there is no date. */
static int import_date(uint64_t *out, const char *text, struct eqt_error *err)
{
	int64_t at;

	*out = 0;
	if (!*text || strcmp(text, "-") == 0)
		return 0;
	if (eqt_timestamp_option(&at, text, err) < 0)
		return -1;
	*out = (uint64_t) at;
	return 0;
}

/* The terms of a row. Terms that the row lacks come from the command line. */
static int import_terms(const struct import *import, size_t row,
			struct eqt_budget_terms *terms, struct eqt_error *err)
{
	const char *pool = import_field(import, row, COLUMN_POOL);
	const char *account = import_field(import, row, COLUMN_ACCOUNT);

	*terms = *import->how->like;
	if (!*account || strlen(account) >= EQT_BUDGET_NAME)
		return eqt_error_set(err, "expected an account");
	(void) snprintf(terms->account, sizeof(terms->account), "%s", account);
	(void) snprintf(terms->user, sizeof(terms->user), "%s",
			import_field(import, row, COLUMN_USER));
	if (*pool && eqt_budget_pool_parse(&terms->pool, pool) < 0)
		return eqt_error_set(err, "%.60s: expected all, cores or gpus",
				     pool);
	if (eqt_hours_parse(&terms->amount_u,
			    import_field(import, row, COLUMN_AMOUNT), err) < 0)
		return -1;
	if (import_date(&terms->start, import_field(import, row, COLUMN_START),
			err) < 0)
		return -1;
	return import_date(&terms->end, import_field(import, row, COLUMN_END),
			   err);
}

/* The budget of a row: the one with the same owner, pool and dates. NULL if there is
 * none. A closed budget is not opened again. */
static const struct eqt_budget *import_find(
	const struct import *import, const struct eqt_budget_terms *terms)
{
	for (size_t i = 0; i < import->rows.count; i++) {
		const struct eqt_budget *budget = &import->rows.row[i];

		if (!budget->closed && budget->terms.pool == terms->pool &&
		    budget->terms.start == terms->start &&
		    budget->terms.end == terms->end &&
		    strcmp(budget->terms.account, terms->account) == 0 &&
		    strcmp(budget->terms.user, terms->user) == 0)
			return budget;
	}
	return NULL;
}

/* The entry that applies a row. Its kind is EQT_ENTRY_BASE if the budget does not differ
 * from the row. */
static struct eqt_entry import_entry(const struct import *import,
				     const struct eqt_budget_terms *terms)
{
	const struct eqt_budget *budget = import_find(import, terms);
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_BASE, import->how->why);

	if (!budget) {
		entry.kind = EQT_ENTRY_GRANT;
		entry.state.terms = *terms;
		return entry;
	}
	/* The amount of a part of a grant on several clusters is left to balancing. */
	if (budget->terms.joint || budget->amount_u == terms->amount_u)
		return entry;
	entry.kind = EQT_ENTRY_TRANSFER;
	if (budget->amount_u < terms->amount_u) {
		entry.other = budget->id;
		entry.amount_u = terms->amount_u - budget->amount_u;
	} else {
		entry.budget = budget->id;
		entry.amount_u = budget->amount_u - terms->amount_u;
	}
	return entry;
}

/* Print what is done, or what would be done with --dry-run. */
static void import_print(const struct eqt_entry *entry,
			 const struct eqt_budget_terms *terms)
{
	char amount[EQT_HOURS_TEXT];

	if (entry->kind == EQT_ENTRY_GRANT)
		printf("grant %s%s%s %s\n", terms->account,
		       terms->user[0] ? "/" : "", terms->user,
		       eqt_hours_text(terms->amount_u, amount));
	else
		printf("%s budget %" PRIu64 " of %s by %s\n",
		       entry->other ? "raise" : "lower",
		       entry->other ? entry->other : entry->budget,
		       terms->account, eqt_hours_text(entry->amount_u, amount));
}

/* Print the change that a row needs. Apply it unless --dry-run was given. */
static int import_row(struct import *import, size_t row, struct eqt_error *err)
{
	struct eqt_budget_terms terms;
	struct eqt_entry entry;
	char *answer;

	if (import_terms(import, row, &terms, err) < 0)
		return -1;
	entry = import_entry(import, &terms);
	if (entry.kind == EQT_ENTRY_BASE)
		return 0;
	import_print(&entry, &terms);
	import->done++;
	if (import->how->dry_run)
		return 0;
	answer = eqt_budget_request_entry(&entry, err);
	free(answer);
	return answer ? 0 : -1;
}

/* Rows before an invalid one stay applied. The next import continues after them. */
static int import_rows(struct import *import, struct eqt_error *err)
{
	struct eqt_error why;

	for (size_t row = 0; row < import->table.rows; row++) {
		if (import_row(import, row, &why) < 0)
			return eqt_error_set(err, "%s: line %zu: %.400s",
					     import->table.text.name,
					     import->table.lines[row + 1],
					     why.text);
	}
	return 0;
}

/* ---- A file ----------------------------------------------------------------- */

/* "-" is standard input. Returns 0, or -1 with err filled. */
int eqt_import_file(const char *path, const struct eqt_import_how *how,
		    struct eqt_error *err)
{
	struct import import = { .how = how };
	int rc;

	if (eqt_columns_read(&import.table, EQT_COLUMNS_CSV, path, NULL, err) <
	    0)
		return -1;
	rc = eqt_columns_find_all(import.place, &import.table, column_names,
				  COLUMN_USER, COLUMNS, err);
	if (rc == 0)
		rc = eqt_balances_read(&import.rows, err);
	if (rc == 0)
		rc = import_rows(&import, err);
	eqt_columns_free(&import.table);
	eqt_balances_free(&import.rows);
	if (rc == 0 && !import.done)
		puts("nothing differs");
	return rc;
}
