/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Budgets as an allocation portal writes them: in a file, or as limits of accounts. They
 * are compared with the budgets that there are, so they can be imported again each night,
 * or each minute: what does not differ is left alone. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/entry.h"
#include "budget/hours.h"
#include "budget/import.h"
#include "balance/balances.h"
#include "balance/send.h"
#include "slurm/conf/cluster.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/columns.h"
#include "slurm/text/command.h"
#include "slurm/text/timestamp.h"
#include "slurm/text/tres_list.h"

enum import_column {
	COLUMN_ACCOUNT,
	COLUMN_USER,
	COLUMN_POOL,
	COLUMN_AMOUNT,
	COLUMN_START,
	COLUMN_END,
	COLUMNS
};

static const char *const column_names[COLUMNS] = { "account", "user",  "pool",
						   "amount",  "start", "end" };

#define FIELDS_MOST 32

/* A table being read. */
struct import {
	const struct eqt_import_how *how;
	struct eqt_balances rows;
	int place[COLUMNS]; /* of each column; -1: it has none */
	unsigned int line;
	unsigned int done;
};

/* Cut a line of CSV in place; quotes may enclose a field. Returns the fields. A quote
 * within quotes is doubled. Fields beyond the most are left out. */
static int csv_cut(char *line, char *field[FIELDS_MOST])
{
	int count = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (count < FIELDS_MOST) {
		char *out = line;
		bool quoted = *line == '"';

		field[count++] = out;
		for (line += quoted; *line && (quoted || *line != ',');
		     line++) {
			if (quoted && *line == '"' && line[1] != '"') {
				quoted = false;
				continue;
			}
			line += *line == '"' && line[1] == '"';
			*out++ = *line;
		}
		if (!*line) {
			*out = '\0';
			break;
		}
		line++;
		*out = '\0';
	}
	return count;
}

/* Columns may be in any order, with others among them. */
static int import_headings(struct import *import, char *line,
			   struct eqt_error *err)
{
	char *field[FIELDS_MOST];
	int count = csv_cut(line, field);

	for (int i = 0; i < COLUMNS; i++) {
		import->place[i] = -1;
		for (int j = 0; j < count; j++) {
			if (strcmp(field[j], column_names[i]) == 0)
				import->place[i] = j;
		}
		if (import->place[i] < 0 && i != COLUMN_USER)
			return eqt_error_set(err, "line 1: no column \"%s\"",
					     column_names[i]);
	}
	return 0;
}

/* A row may be shorter than the first line. */
static const char *import_field(const struct import *import,
				char *field[FIELDS_MOST], int count, int column)
{
	int place = import->place[column];

	return place >= 0 && place < count ? field[place] : "";
}

/* "" and "-": no date. Local time. */
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

/* What a row does not say is that of the command line. */
static int import_terms(const struct import *import, char *line,
			struct eqt_budget_terms *terms, struct eqt_error *err)
{
	char *field[FIELDS_MOST];
	int count = csv_cut(line, field);
	const char *pool = import_field(import, field, count, COLUMN_POOL);
	const char *account =
		import_field(import, field, count, COLUMN_ACCOUNT);

	*terms = *import->how->like;
	if (!*account || strlen(account) >= EQT_BUDGET_NAME)
		return eqt_error_set(err, "expected an account");
	(void) snprintf(terms->account, sizeof(terms->account), "%s", account);
	(void) snprintf(terms->user, sizeof(terms->user), "%s",
			import_field(import, field, count, COLUMN_USER));
	if (*pool && eqt_budget_pool_parse(&terms->pool, pool) < 0)
		return eqt_error_set(err, "%.60s: expected all, cores or gpus",
				     pool);
	if (eqt_hours_parse(&terms->amount_u,
			    import_field(import, field, count, COLUMN_AMOUNT),
			    err) < 0)
		return -1;
	if (import_date(&terms->start,
			import_field(import, field, count, COLUMN_START),
			err) < 0)
		return -1;
	return import_date(&terms->end,
			   import_field(import, field, count, COLUMN_END), err);
}

/* A row is the budget with the same owner, pool and dates. A closed budget is not
 * opened again: the row is then a new one. */
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

/* The entry that a row needs; its kind is EQT_ENTRY_BASE if the row does not
 * differ. */
static struct eqt_entry import_entry(const struct import *import,
				     const struct eqt_budget_terms *terms)
{
	const struct eqt_budget *budget = import_find(import, terms);
	struct eqt_entry entry = { .kind = EQT_ENTRY_BASE,
				   .request = eqt_send_id() };

	(void) snprintf(entry.why, sizeof(entry.why), "%s", import->how->why);
	if (!budget) {
		entry.kind = EQT_ENTRY_GRANT;
		entry.state.terms = *terms;
		return entry;
	}
	entry.budget = entry.other = 0;
	/* A part of a grant on several clusters has what it was given last. */
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

/* Print what is done, or would be done. In the words of the verbs that would do the
 * same. */
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

/* Print a change, and make it unless it is a trial. */
static int import_apply(struct import *import, const struct eqt_entry *entry,
			const struct eqt_budget_terms *terms,
			struct eqt_error *err)
{
	char *answer;

	if (entry->kind == EQT_ENTRY_BASE)
		return 0;
	import_print(entry, terms);
	import->done++;
	if (import->how->dry_run)
		return 0;
	answer = eqt_send_entry(entry, err);
	free(answer);
	return answer ? 0 : -1;
}

/* The first error ends the import; rows before it are done, and a second run passes
 * over them. */
static int import_row(struct import *import, char *line, struct eqt_error *err)
{
	struct eqt_budget_terms terms;
	struct eqt_entry entry;

	if (import_terms(import, line, &terms, err) < 0)
		return -1;
	entry = import_entry(import, &terms);
	return import_apply(import, &entry, &terms, err);
}

/*
 * Rows before a wrong one stay applied: the next import continues after them.
 */
static int import_lines(struct import *import, FILE *file,
			struct eqt_error *err)
{
	struct eqt_error why;
	char line[2048];

	while (fgets(line, sizeof(line), file)) {
		int rc;

		import->line++;
		if (!strchr(line, '\n') && !feof(file))
			return eqt_error_set(err, "line %u: too long",
					     import->line);
		if (line[0] == '#' || line[strspn(line, " \r\n")] == '\0')
			continue;
		rc = import->line == 1 ? import_headings(import, line, err)
				       : import_row(import, line, &why);
		if (rc < 0)
			return import->line == 1
				       ? -1
				       : eqt_error_set(err, "line %u: %.400s",
						       import->line, why.text);
	}
	return import->line ? 0 : eqt_error_set(err, "the table is empty");
}

/* ---- Limits of accounts ----------------------------------------------------------- */

/* What a limit of billing-minutes is as an amount. 0: there is none, or it is 0. */
static int limit_amount(uint64_t *out_u, const char *cell, uint64_t scale,
			struct eqt_error *err)
{
	struct eqt_treslist_item item;
	char number[32], *end;
	uint64_t minutes;

	*out_u = 0;
	if (!eqt_tres_list_find(&item, cell, strlen(cell), "billing") ||
	    item.value_length >= sizeof(number))
		return 0;
	(void) snprintf(number, sizeof(number), "%.*s", (int) item.value_length,
			item.value);
	minutes = strtoull(number, &end, 10);
	if (*end ||
	    __builtin_mul_overflow(minutes, EQT_BUDGET_HOUR_U / 60, out_u))
		return eqt_error_set(err, "billing=%s: the limit is too large",
				     number);
	*out_u /= scale;
	return *out_u <= EQT_BUDGET_MOST_U
		       ? 0
		       : eqt_error_set(err,
				       "billing=%s: the limit is too large",
				       number);
}

/* What is spent and committed stays: an amount below it is reached as jobs end. */
static void limit_spare(const struct import *import, struct eqt_entry *entry)
{
	const struct eqt_budget *budget;

	if (entry->kind != EQT_ENTRY_TRANSFER || !entry->budget)
		return;
	budget = eqt_balances_find(&import->rows, entry->budget);
	if (budget && entry->amount_u > eqt_budget_left(budget))
		entry->amount_u = eqt_budget_left(budget);
	if (entry->amount_u == 0)
		entry->kind = EQT_ENTRY_BASE;
}

static int limit_row(struct import *import, const char *account,
		     const char *cell, uint64_t scale, struct eqt_error *err)
{
	struct eqt_budget_terms terms = *import->how->like;
	struct eqt_entry entry;
	struct eqt_error why;

	if (strlen(account) >= sizeof(terms.account))
		return eqt_error_set(err, "%.60s...: the name is too long",
				     account);
	(void) snprintf(terms.account, sizeof(terms.account), "%s", account);
	if (limit_amount(&terms.amount_u, cell, scale, &why) < 0)
		return eqt_error_set(err, "account %.60s: GrpTRESMins: %.200s",
				     account, why.text);
	if (terms.amount_u == 0)
		return 0;
	entry = import_entry(import, &terms);
	limit_spare(import, &entry);
	return import_apply(import, &entry, &terms, err);
}

/* Associations of users have limits of their own, which are no grants of an account. */
static int import_accounts(struct import *import,
			   const struct eqt_columns *assocs, uint64_t scale,
			   struct eqt_error *err)
{
	const size_t accounts = eqt_columns_find(assocs, "Account", err);
	const size_t users = eqt_columns_find(assocs, "User", err);
	const size_t limits = eqt_columns_find(assocs, "GrpTRESMins", err);

	if (accounts == EQT_COLUMNS_NONE || users == EQT_COLUMNS_NONE ||
	    limits == EQT_COLUMNS_NONE)
		return -1;
	for (size_t i = 0; i < assocs->rows; i++) {
		if (eqt_columns_cell(assocs, i, users)[0] == '\0' &&
		    limit_row(import, eqt_columns_cell(assocs, i, accounts),
			      eqt_columns_cell(assocs, i, limits), scale,
			      err) < 0)
			return -1;
	}
	return 0;
}

/* sacctmgr prints the accounts of all clusters unless it is told one. */
static int limits_read(struct eqt_columns *out, struct eqt_error *err)
{
	char name[EQT_CLUSTER_NAME], where[EQT_CLUSTER_NAME + 16];
	const char *const words[] = {
		"sacctmgr", "-P",  "show",
		"assoc",    where, "format=Account,User,GrpTRESMins",
		NULL
	};
	struct eqt_listing text;

	if (eqt_cluster_name(name, sizeof(name), err) < 0)
		return -1;
	(void) snprintf(where, sizeof(where), "cluster=%s", name);
	if (eqt_command_run(&text, "sacctmgr", words, err) < 0)
		return -1;
	return eqt_columns_cut(out, &text, err);
}

int eqt_import_limits(const struct eqt_import_how *how, struct eqt_error *err)
{
	struct import import = { .how = how };
	struct eqt_columns assocs = { .rows = 0 };
	const struct eqt_conf *conf = NULL;
	int rc = eqt_site_conf_try(&conf);

	if (rc < 0)
		(void) eqt_error_set(err, "equitree.conf cannot be read");
	else if (!conf)
		rc = eqt_error_set(err, "billing_scale is not known without "
					"equitree.conf");
	if (rc == 0)
		rc = limits_read(&assocs, err);
	if (rc == 0)
		rc = eqt_balances_read(&import.rows, err);
	if (rc == 0)
		rc = import_accounts(&import, &assocs, conf->billing_scale,
				     err);
	eqt_conf_free(conf);
	eqt_columns_free(&assocs);
	eqt_balances_free(&import.rows);
	if (rc == 0 && !import.done)
		puts("nothing differs");
	return rc;
}

/* ---- A file ------------------------------------------------------------------------ */

/* "-" is standard input. 0, or -1 with err filled. */
int eqt_import_file(const char *path, const struct eqt_import_how *how,
		    struct eqt_error *err)
{
	struct import import = { .how = how };
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	int rc;

	if (!file)
		return eqt_error_set(err, "cannot open %s: %s", path,
				     strerror(errno));
	rc = eqt_balances_read(&import.rows, err);
	if (rc == 0)
		rc = import_lines(&import, file, err);
	if (file != stdin)
		(void) fclose(file);
	eqt_balances_free(&import.rows);
	if (rc == 0 && !import.done)
		puts("nothing differs");
	return rc;
}
