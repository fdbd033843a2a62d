/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints balances as a table, as CSV, as JSON, and one budget in full. Amounts are stored
 * in millionths of an equivalent-second and shown in equivalent-hours. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/whole.h"
#include "budget/hours.h"
#include "budget/show.h"
#include "cli/json.h"
#include "cli/names.h"
#include "cli/table.h"
#include "slurm/sshare.h"
#include "slurm/text/timestamp.h"

#define DATE 24
#define DAY_S 86400

/* Write a local date, or "-" if there is none. The time is written unless it is midnight.
 * Returns buf. */
static char *budget_date_text(uint64_t at_s, char buf[DATE])
{
	char *midnight;

	(void) eqt_timestamp_text(buf, DATE, at_s ? "%Y-%m-%dT%H:%M:%S" : "-",
				  (int64_t) at_s);
	midnight = strstr(buf, "T00:00:00");
	if (midnight)
		*midnight = '\0';
	return buf;
}

/* The state in one word. "lifted" means that the budget is closed and that its owner's
 * jobs need no budget any more. */
static const char *budget_state(const struct eqt_budget *budget, uint64_t now)
{
	if (budget->lifted)
		return "lifted";
	if (budget->closed)
		return "closed";
	if (budget->terms.start > now)
		return "future";
	if (budget->terms.end && budget->terms.end <= now)
		return "ended";
	return eqt_budget_left(budget) ? "open" : "spent";
}

/* When the budget will be used up if spending goes on at the mean rate since its start.
 * 0 if it will never be used up, or if that is not known, as in the first day. */
static uint64_t budget_projected(const struct eqt_budget *budget, uint64_t now)
{
	const uint64_t since =
		eqt_whole_max(budget->terms.start, budget->granted);
	double rate, rest;

	if (now < since + DAY_S || !budget->spent_u ||
	    !eqt_budget_in_force(budget, now))
		return 0;
	rate = (double) budget->spent_u / (double) (now - since);
	rest = (double) (budget->amount_u - budget->spent_u) / rate;
	return rest < 3e9 ? now + (uint64_t) rest : 0;
}

/* Write ACCOUNT or ACCOUNT/USER, as in the command that grants a budget. */
static char *owner_text(const struct eqt_budget *budget, char *buf, size_t size)
{
	(void) snprintf(buf, size, "%s%s%s", budget->terms.account,
			budget->terms.user[0] ? "/" : "", budget->terms.user);
	return buf;
}

/* The cells are filled in the order of the columns. */
static void table_row_add(struct libscols_table *table,
			  const struct eqt_budget *budget, const char *unit,
			  uint64_t now)
{
	struct libscols_line *line = eqt_table_line(table, NULL);
	char text[2 * EQT_BUDGET_NAME], amount[EQT_HOURS_TEXT], date[DATE];
	const uint64_t amounts[] = { budget->amount_u, budget->spent_u,
				     budget->committed_u,
				     eqt_budget_left(budget) };
	size_t column = 0;

	/* A sum over several clusters has no number. */
	if (budget->id)
		eqt_table_cell_print(line, column, "%" PRIu64, budget->id);
	else
		eqt_table_cell(line, column, "-");
	column++;
	eqt_table_cell(line, column++, owner_text(budget, text, sizeof(text)));
	eqt_table_cell(line, column++,
		       eqt_budget_pool_word(budget->terms.pool));
	for (size_t i = 0; i < 4; i++)
		eqt_table_cell(line, column++,
			       eqt_hours_text(amounts[i], amount));
	eqt_table_cell(line, column++,
		       budget_date_text(budget->terms.end, date));
	eqt_table_cell(line, column++,
		       budget_date_text(budget_projected(budget, now), date));
	eqt_table_cell(line, column++, budget_state(budget, now));
	if (unit)
		eqt_table_cell(line, column++, unit);
	if (!budget->id)
		eqt_table_cell(line, column,
			       eqt_hours_text(budget->frozen_u, amount));
}

/* Does the site have a name for the unit of any of these budgets? */
static bool rows_have_unit(const struct eqt_balances *rows,
			   const struct eqt_bundle_table *prices)
{
	char unit[EQT_HOURS_UNIT], plain[EQT_HOURS_UNIT];

	(void) eqt_hours_unit(NULL, EQT_BUDGET_ALL, plain);
	for (size_t i = 0; i < rows->count; i++) {
		if (strcmp(eqt_hours_unit(prices, rows->row[i].terms.pool,
					  unit),
			   plain) != 0)
			return true;
	}
	return false;
}

void eqt_show_table(const struct eqt_balances *rows,
		    const struct eqt_bundle_table *prices, uint64_t now,
		    bool headings)
{
	const bool named = rows_have_unit(rows, prices);
	char unit[EQT_HOURS_UNIT];
	struct libscols_table *table = eqt_table_new(
		">ID|ACCOUNT|POOL|>AMOUNT|>SPENT|>COMMITTED|>LEFT|END|"
		"PROJECTED|STATE",
		headings);

	if (named)
		eqt_table_column(table, "UNIT", 0);
	/* Only sums over several clusters can have hours in transit. */
	if (rows->count > 0 && !rows->row[0].id)
		eqt_table_column(table, "TRANSIT", SCOLS_FL_RIGHT);
	for (size_t i = 0; i < rows->count; i++)
		table_row_add(table, &rows->row[i],
			      named ? eqt_hours_unit(prices,
						     rows->row[i].terms.pool,
						     unit)
				    : NULL,
			      now);
	eqt_table_print(table);
}

/* Times are in seconds since the epoch. 0 means that there is none. */
static json_object *json_budget(const struct eqt_budget *budget,
				const struct eqt_bundle_table *prices,
				uint64_t now)
{
	char unit[EQT_HOURS_UNIT];
	json_object *out = json_object_new_object();
	const struct {
		const char *key;
		uint64_t value;
	} amounts[] = { { "amount_hours", budget->amount_u },
			{ "spent_hours", budget->spent_u },
			{ "committed_hours", budget->committed_u },
			{ "left_hours", eqt_budget_left(budget) },
			{ "transit_hours", budget->frozen_u },
			{ "refunded_hours", budget->refunded_u },
			{ "overrun_hours", budget->overrun_u },
			{ "refill_hours", budget->terms.refill_u } },
	  numbers[] = { { "start_s", budget->terms.start },
			{ "end_s", budget->terms.end },
			{ "next_refill_s", budget->next },
			{ "projected_end_s", budget_projected(budget, now) },
			{ "percent", eqt_budget_percent(budget) } };

	eqt_json_add(out, "id", budget->id);
	eqt_json_add(out, "account", budget->terms.account);
	eqt_json_add(out, "user", budget->terms.user);
	eqt_json_add(out, "pool", eqt_budget_pool_word(budget->terms.pool));
	eqt_json_add(out, "unit",
		     eqt_hours_unit(prices, budget->terms.pool, unit));
	eqt_json_add(out, "when_spent", eqt_budget_way_word(budget->terms.way));
	eqt_json_add(out, "qos", budget->terms.bonus);
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
		eqt_json_add(out, amounts[i].key,
			     eqt_hours_double(amounts[i].value));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		eqt_json_add(out, numbers[i].key, numbers[i].value);
	eqt_json_add(out, "state", budget_state(budget, now));
	return out;
}

void eqt_show_json(const struct eqt_balances *rows,
		   const struct eqt_bundle_table *prices, uint64_t now)
{
	json_object *out = json_object_new_object();
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < rows->count; i++)
		eqt_json_append(list, json_budget(&rows->row[i], prices, now));
	eqt_json_add(out, "budgets", list);
	eqt_json_print(out);
}

/* Times are local, as in sacct. "-" means that there is no time, and "" that there is no
 * user. */
static void csv_row(const struct eqt_budget *budget,
		    const struct eqt_bundle_table *prices, uint64_t now)
{
	char unit[EQT_HOURS_UNIT];
	const uint64_t amounts[] = { budget->amount_u, budget->spent_u,
				     budget->committed_u,
				     eqt_budget_left(budget) };
	char date[DATE], amount[EQT_HOURS_TEXT];

	printf("%" PRIu64 ",", budget->id);
	eqt_table_csv_text(budget->terms.account);
	(void) putchar(',');
	eqt_table_csv_text(budget->terms.user);
	printf(",%s", eqt_budget_pool_word(budget->terms.pool));
	for (size_t i = 0; i < 4; i++)
		printf(",%s", eqt_hours_text(amounts[i], amount));
	printf(",%s", budget_date_text(budget->terms.start, date));
	printf(",%s", budget_date_text(budget->terms.end, date));
	printf(",%s", budget_date_text(budget_projected(budget, now), date));
	printf(",%s", budget_state(budget, now));
	printf(",%s,", eqt_hours_text(budget->frozen_u, amount));
	eqt_table_csv_text(eqt_hours_unit(prices, budget->terms.pool, unit));
	(void) putchar('\n');
}

void eqt_show_csv(const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now,
		  bool headings)
{
	if (headings)
		puts("id,account,user,pool,amount,spent,committed,left,start,"
		     "end,projected,state,transit,unit");
	for (size_t i = 0; i < rows->count; i++)
		csv_row(&rows->row[i], prices, now);
}

/* ---- Open OnDemand ------------------------------------------------------------------
 * The dashboard of Open OnDemand shows each user one number per account, in whole
 * hours. */

/* The hours left in all budgets of an account, or of a user in an account. */
struct balance_level {
	const char *name; /* ACCOUNT or ACCOUNT/USER */
	uint64_t left_u;
};

/* A budget that has ended or is closed leaves nothing to its owner. A lifted budget does
 * not count. */
static void levels_add(struct eqt_names *levels,
		       const struct eqt_balances *rows, uint64_t pool,
		       uint64_t now)
{
	char owner[2 * EQT_BUDGET_NAME];

	for (size_t i = 0; i < rows->count; i++) {
		const struct eqt_budget *budget = &rows->row[i];
		struct balance_level *level;

		if (budget->lifted ||
		    (pool != EQT_BUDGET_ALL &&
		     !eqt_budget_has_pool(budget, (enum eqt_budget_pool) pool)))
			continue;
		level = eqt_names_get(levels,
				      owner_text(budget, owner, sizeof(owner)),
				      sizeof(*level), NULL);
		if (eqt_budget_in_force(budget, now) &&
		    __builtin_add_overflow(level->left_u,
					   eqt_budget_left(budget),
					   &level->left_u))
			level->left_u = UINT64_MAX;
	}
}

/* Find the smallest amount that is left at an association or above it. A job needs enough
 * at each level that has a budget. Returns false if no level has a budget. */
static bool balance_of(uint64_t *left_u, const struct eqt_names *levels,
		       const struct eqt_sshare *shares, uint32_t assoc)
{
	const struct balance_level *level;
	char owner[2 * EQT_BUDGET_NAME];
	bool limited = false;

	*left_u = UINT64_MAX;
	for (; assoc != EQT_TREE_NONE; assoc = shares->assocs[assoc].parent) {
		const struct eqt_sshare_assoc *at = &shares->assocs[assoc];

		(void) snprintf(owner, sizeof(owner), "%s%s%s", at->account,
				at->user ? "/" : "", at->user ? at->user : "");
		level = eqt_names_find(levels, owner);
		limited = limited || level;
		if (level && level->left_u < *left_u)
			*left_u = level->left_u;
	}
	return limited;
}

static json_object *balances_json(const struct eqt_names *levels,
				  const struct eqt_sshare *shares,
				  const struct eqt_sshare_index *index)
{
	json_object *list = json_object_new_array(), *one;

	for (uint32_t i = 0; i < index->count; i++) {
		const struct eqt_sshare_user *user = &index->users[i];
		uint64_t left_u;

		/* An association for a single partition has the balance of its
		 * account. */
		if ((i > 0 && strcmp(user[-1].user, user->user) == 0 &&
		     strcmp(user[-1].account, user->account) == 0) ||
		    !balance_of(&left_u, levels, shares, user->assoc))
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "user", user->user);
		eqt_json_add(one, "project", user->account);
		eqt_json_add(one, "value", left_u / EQT_BUDGET_HOUR_U);
		eqt_json_append(list, one);
	}
	return list;
}

int eqt_show_ondemand(const struct eqt_balances *rows,
		      const struct eqt_bundle_table *prices, uint64_t pool,
		      uint64_t now, struct eqt_error *err)
{
	char unit[EQT_HOURS_UNIT];
	const struct eqt_sshare_options how = { .path = NULL };
	json_object *out, *config = json_object_new_object();
	struct eqt_names levels = { .count = 0 };
	struct eqt_sshare_index index = { .count = 0 };
	struct eqt_sshare shares = { .count = 0 };
	int rc = eqt_sshare_read(&shares, &how, err);

	if (rc == 0)
		eqt_sshare_index_make(&index, &shares);
	if (rc == 0)
		levels_add(&levels, rows, pool, now);
	eqt_json_add(config, "unit", eqt_hours_unit(prices, pool, unit));
	eqt_json_add(config, "project_type", "account");
	out = json_object_new_object();
	eqt_json_add(out, "version", 1);
	eqt_json_add(out, "timestamp", now);
	eqt_json_add(out, "config", config);
	if (rc == 0) {
		eqt_json_add(out, "balances",
			     balances_json(&levels, &shares, &index));
		eqt_json_print(out);
	} else {
		json_object_put(out);
	}
	eqt_names_free(&levels);
	eqt_sshare_index_free(&index);
	eqt_sshare_free(&shares);
	return rc;
}

/* Print a line of "equitree budget show ID". */
static void one_amount(const char *name, uint64_t amount_u)
{
	char text[EQT_HOURS_TEXT];

	printf("%-12s %s\n", name, eqt_hours_text(amount_u, text));
}

static void one_date(const char *name, uint64_t at_s)
{
	char text[DATE];

	printf("%-12s %s\n", name, budget_date_text(at_s, text));
}

/* Print the lines about a grant on several clusters, of which this budget is a part. */
static void one_joint(const struct eqt_budget *budget,
		      const struct eqt_balances *rows)
{
	char text[EQT_HOURS_TEXT];

	printf("%-12s %s\n", "clusters", budget->terms.clusters);
	one_amount("of", budget->terms.amount_u);
	for (size_t i = 0; i < rows->peers; i++) {
		const struct eqt_budget_peer *peer = &rows->peer[i];

		if (peer->budget == budget->id && peer->transit_u)
			printf("%-12s %s to %s\n", "in transit",
			       eqt_hours_text(peer->transit_u, text),
			       peer->cluster);
	}
}

void eqt_show_one(const struct eqt_budget *budget,
		  const struct eqt_balances *rows,
		  const struct eqt_bundle_table *prices, uint64_t now)
{
	char text[2 * EQT_BUDGET_NAME], unit[EQT_HOURS_UNIT];

	printf("%-12s %" PRIu64 "\n", "budget", budget->id);
	printf("%-12s %s\n", "account", owner_text(budget, text, sizeof(text)));
	printf("%-12s %s\n", "pool", eqt_budget_pool_word(budget->terms.pool));
	printf("%-12s %s\n", "unit",
	       eqt_hours_unit(prices, budget->terms.pool, unit));
	printf("%-12s %s\n", "state", budget_state(budget, now));
	if (budget->terms.joint)
		one_joint(budget, rows);
	one_amount("amount", budget->amount_u);
	one_amount("spent", budget->spent_u);
	one_amount("committed", budget->committed_u);
	one_amount("left", eqt_budget_left(budget));
	one_amount("refunded", budget->refunded_u);
	one_amount("overrun", budget->overrun_u);
	one_date("start", budget->terms.start);
	one_date("end", budget->terms.end);
	one_date("projected", budget_projected(budget, now));
	printf("%-12s %s%s%s\n", "when spent",
	       eqt_budget_way_word(budget->terms.way),
	       budget->terms.bonus[0] ? " " : "", budget->terms.bonus);
	printf("%-12s %s%s\n", "refill",
	       eqt_budget_every_word(budget->terms.every),
	       budget->terms.carry ? ", the rest is kept" : "");
	if (budget->terms.every == EQT_BUDGET_NEVER ||
	    budget->terms.every == EQT_BUDGET_LIMIT)
		return;
	one_amount("refill of", budget->terms.refill_u);
	one_date("next refill", budget->next);
}
