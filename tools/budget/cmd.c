/* SPDX-License-Identifier: GPL-2.0-or-later */
/* equitree budget: grant budgets, show them and change them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "budget/hours.h"
#include "budget/import.h"
#include "budget/joint_grant.h"
#include "balance/budget_request.h"
#include "budget/show.h"
#include "cli/cmd.h"
#include "cli/print.h"
#include "cli/options.h"
#include "slurm/text/timestamp.h"
#include "slurm/conf/site_conf.h"
#include "base/text.h"
#include "budget/thresholds.h"

/* ---- Terms --------------------------------------------------------------------------
 * The words and options of a grant become the terms of a budget. Options that are not
 * given come from the section "budget" of equitree.conf. */

#define EQT_BUDGET_WORDS 4

struct eqt_budget_options {
	struct eqt_output_options common;
	const char *word[EQT_BUDGET_WORDS]; /* the first word is the verb */
	int words;
	struct eqt_budget_terms terms;
	const char *qos;
	const char *dates;
	const char *reason;
	const char *journal;
	struct eqt_thresholds thresholds;
	bool thresholds_given;
	bool way_given;
	bool carry;
	bool lift;
	bool csv;
	bool ondemand; /* --format=ondemand was given */
	bool dry_run;
	/* the site's configuration; NULL: not read, or there is none */
	const struct eqt_conf *conf;
};

/* Read the number of a budget or a job, which must be positive. "what" names it in the
 * error. Returns 0, or -1 with err filled, like all functions below. */
static int terms_word_number(uint64_t *out, const char *word, const char *what,
			     struct eqt_error *err)
{
	const char *at = word, *end = word + strlen(word);

	if (eqt_digits_read(out, &at, end) < 0 || at < end || *out == 0)
		return eqt_error_set(err, "%.60s: expected the number of %s",
				     word, what);
	return 0;
}

/* Read ACCOUNT or ACCOUNT/USER. A budget of the second form pays for that user only. */
static int terms_word_owner(struct eqt_budget_terms *terms, const char *word,
			    struct eqt_error *err)
{
	size_t account = strcspn(word, "/");
	const char *user = word[account] ? word + account + 1 : "";

	if (account == 0 || account >= EQT_BUDGET_NAME ||
	    strlen(user) >= EQT_BUDGET_NAME || (word[account] && !*user))
		return eqt_error_set(
			err, "%.60s: expected ACCOUNT or ACCOUNT/USER", word);
	memcpy(terms->account, word, account);
	terms->account[account] = '\0';
	(void) snprintf(terms->user, sizeof(terms->user), "%s", user);
	return 0;
}

/* Read "2027-01-01,2027-04-01", the times at which a budget is refilled, in ascending
 * order. A day without a time means its midnight. */
static int terms_dates(struct eqt_budget_terms *terms, const char *dates,
		       struct eqt_error *err)
{
	size_t length = 0;
	int64_t last = 0;
	char word[40];

	while (eqt_text_next_name(word, sizeof(word), &dates)) {
		int64_t at;

		if (eqt_timestamp_option(&at, word, err) < 0)
			return -1;
		if (at <= last)
			return eqt_error_set(err, "%s: dates must ascend",
					     word);
		last = at;
		length += (size_t) snprintf(terms->dates + length,
					    sizeof(terms->dates) - length,
					    "%s%" PRId64, length ? "," : "",
					    at);
		if (length >= sizeof(terms->dates))
			return eqt_error_set(err, "too many dates");
	}
	return 0;
}

/* Take options that were not given from the section "budget" of equitree.conf, if that
 * file exists. Later changes of the file do not change the budget. */
static int terms_site(struct eqt_budget_options *options, struct eqt_error *err)
{
	/* Used if there is no equitree.conf. */
	static const struct eqt_thresholds usual = { 3, { 50, 75, 90 } };
	const struct eqt_conf *conf;

	if (eqt_site_conf_try(&options->conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	conf = options->conf;
	if (!options->thresholds_given)
		options->thresholds = conf ? conf->budget.warn : usual;
	if (conf && !options->way_given)
		options->terms.way = conf->budget.when_spent;
	if (conf && !options->qos && options->terms.way == EQT_BUDGET_BONUS)
		(void) snprintf(options->terms.bonus,
				sizeof(options->terms.bonus), "%s",
				conf->budget.bonus);
	return 0;
}

/* Refuse an option that has no effect without another one. */
static int terms_check_options(const struct eqt_budget_options *options,
			       struct eqt_error *err)
{
	const struct eqt_budget_terms *terms = &options->terms;

	if (options->qos && terms->way != EQT_BUDGET_BONUS)
		return eqt_error_set(err, "--qos needs --when-spent=bonus");
	if (terms->way == EQT_BUDGET_BONUS && !terms->bonus[0])
		return eqt_error_set(err, "--when-spent=bonus needs --qos");
	if (terms->every == EQT_BUDGET_DATES_LISTED && !options->dates)
		return eqt_error_set(err, "--refill=dates needs --dates");
	if (options->dates && terms->every != EQT_BUDGET_DATES_LISTED)
		return eqt_error_set(err, "--dates needs --refill=dates");
	if (terms->refill_u && !terms->every)
		return eqt_error_set(err, "--refill-amount needs --refill");
	if (options->carry && !terms->every)
		return eqt_error_set(err, "--carry-over needs --refill");
	return 0;
}

/* Complete the terms once all options are known. Returns -1 if options contradict each
 * other. */
static int terms_finish(struct eqt_budget_options *options,
			struct eqt_error *err)
{
	struct eqt_budget_terms *terms = &options->terms;

	if (options->qos)
		(void) snprintf(terms->bonus, sizeof(terms->bonus), "%s",
				options->qos);
	if (terms_check_options(options, err) < 0)
		return -1;
	if (options->dates && terms_dates(terms, options->dates, err) < 0)
		return -1;
	if (!terms->start)
		terms->start = (uint64_t) time(NULL);
	if (terms->end && terms->end <= terms->start)
		return eqt_error_set(err, "it would end before it starts");
	/* Refill to the first amount, unless the operator gives another one. */
	if (terms->every && !terms->refill_u)
		terms->refill_u = terms->amount_u;
	terms->carry = options->carry;
	return 0;
}

/* ---- Notify -------------------------------------------------------------------------
 * The site's command runs once for each threshold that a budget reaches. */

/* The highest threshold that a budget has reached, or 0 if the journal says that the
 * command has run for it. A command that failed runs again. */
static uint64_t notify_threshold(const struct eqt_budget_options *options,
				 const struct eqt_budget *budget)
{
	uint64_t reached = eqt_thresholds_reached(&options->thresholds,
						  eqt_budget_percent(budget));

	if (budget->closed)
		return 0;
	return reached > budget->notified ? reached : 0;
}

/* Run the site's command for one budget. The environment has the data of the budget. */
static int notify_run_command(const struct eqt_budget_options *options,
			      const struct eqt_budget *budget,
			      uint64_t threshold, struct eqt_error *err)
{
	char number[32], left[EQT_HOURS_TEXT];
	int status;

	(void) snprintf(number, sizeof(number), "%" PRIu64, budget->id);
	(void) setenv("EQUITREE_BUDGET", number, 1);
	(void) setenv("EQUITREE_ACCOUNT", budget->terms.account, 1);
	(void) setenv("EQUITREE_USER", budget->terms.user, 1);
	(void) setenv("EQUITREE_LEFT",
		      eqt_hours_text(eqt_budget_left(budget), left), 1);
	(void) snprintf(number, sizeof(number), "%" PRIu64, threshold);
	(void) setenv("EQUITREE_THRESHOLD", number, 1);
	(void) fflush(NULL);
	status = system(options->word[1]);
	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return eqt_error_set(err,
				     "\"%.200s\" failed for budget %" PRIu64,
				     options->word[1], budget->id);
	return 0;
}

static int notify_one(struct eqt_budget_options *options,
		      const struct eqt_budget *budget, struct eqt_error *err)
{
	uint64_t threshold = notify_threshold(options, budget);
	struct eqt_entry entry;
	char *answer;

	if (!threshold)
		return 0;
	if (options->dry_run) {
		printf("budget %" PRIu64 " of %s is at %" PRIu64 " %%\n",
		       budget->id, budget->terms.account,
		       eqt_budget_percent(budget));
		return 0;
	}
	if (notify_run_command(options, budget, threshold, err) < 0)
		return -1;
	entry = eqt_budget_request_new(EQT_ENTRY_NOTIFY, NULL);
	entry.budget = budget->id;
	entry.amount_u = threshold;
	answer = eqt_budget_request_entry(&entry, err);
	free(answer);
	return answer ? 0 : -1;
}

/* The second word is the command. Run it for each budget that has reached a new
 * threshold. */
static int notify_run(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_balances rows = { .row = NULL };
	int rc = eqt_balances_read(&rows, err);

	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = notify_one(options, &rows.row[i], err);
	eqt_balances_free(&rows);
	return rc;
}

/* ---- Options ------------------------------------------------------------------ */

static int budget_take_pool(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	return eqt_budget_pool_parse(&options->terms.pool, arg) < 0
		       ? eqt_error_set(err, "%s: expected all, cores or gpus",
				       arg)
		       : 0;
}

/* --when-spent: what happens to a job that does not fit. */
static int budget_take_way(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	options->way_given = true;
	return eqt_budget_way_parse(&options->terms.way, arg) < 0
		       ? eqt_error_set(
				 err, "%s: expected hold, refuse or bonus", arg)
		       : 0;
}

/* --refill: when the budget is filled again. */
static int budget_take_every(void *into, const char *arg, struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	return eqt_budget_every_parse(&options->terms.every, arg) < 0 ||
			       options->terms.every == EQT_BUDGET_LIMIT
		       ? eqt_error_set(err,
				       "%s: expected month, quarter or dates",
				       arg)
		       : 0;
}

/* --refill-amount: in equivalent-hours, like all amounts of this command. */
static int budget_take_refill_amount(void *into, const char *arg,
				     struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	return eqt_hours_parse(&options->terms.refill_u, arg, err);
}

/* --thresholds: ascending percentages of the amount. notify runs its command when a
 * budget reaches one of them. */
static int budget_take_thresholds(void *into, const char *arg,
				  struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	options->thresholds_given = true;
	return eqt_thresholds_parse(&options->thresholds, arg) < 0
		       ? eqt_error_set(err,
				       "%s: expected percentages, as 50,75,90",
				       arg)
		       : 0;
}

/* --format=ondemand: write the file of Open OnDemand instead of a table. */
static int budget_take_format(void *into, const char *arg,
			      struct eqt_error *err)
{
	((struct eqt_budget_options *) into)->ondemand = true;
	return strcmp(arg, "ondemand") == 0
		       ? 0
		       : eqt_error_set(err, "%.60s: expected ondemand", arg);
}

/* Take the verb, or a word after the verb. */
static int budget_take_word(void *into, const char *word, struct eqt_error *err)
{
	struct eqt_budget_options *options = into;

	if (options->words == EQT_BUDGET_WORDS)
		return eqt_error_set(err, "%s: too many words", word);
	options->word[options->words++] = word;
	return 0;
}

static const struct eqt_option options_table[] = {
	{ "pool", 0, "all|cores|gpus", "the jobs that draw on it; default: all",
	  0, EQT_TAKEN_BY(budget_take_pool) },
	{ "start", 0, "TIME", "when it begins; default: now", 0,
	  EQT_PUT_AT(struct eqt_budget_options, terms.start, uint64_t,
		     eqt_timestamp_put) },
	{ "end", 0, "TIME", "when it ends; default: never", 0,
	  EQT_PUT_AT(struct eqt_budget_options, terms.end, uint64_t,
		     eqt_timestamp_put) },
	{ "when-spent", 0, "hold|refuse|bonus",
	  "what happens to a job that does not fit; default: that of "
	  "equitree.conf, else hold",
	  0, EQT_TAKEN_BY(budget_take_way) },
	{ "qos", 0, "NAME", "the QOS of --when-spent=bonus", 0,
	  EQT_TEXT_AT(struct eqt_budget_options, qos) },
	{ "refill", 0, "month|quarter|dates", "when it is filled up again", 0,
	  EQT_TAKEN_BY(budget_take_every) },
	{ "dates", 0, "DATE,...", "the days of --refill=dates", 0,
	  EQT_TEXT_AT(struct eqt_budget_options, dates) },
	{ "refill-amount", 0, "HOURS", "default: the amount", 0,
	  EQT_TAKEN_BY(budget_take_refill_amount) },
	{ "carry-over", 0, NULL, "a refill keeps what is left", 0,
	  EQT_FLAG_AT(struct eqt_budget_options, carry) },
	{ "reason", 0, "TEXT", "why, for the journal", 0,
	  EQT_TEXT_AT(struct eqt_budget_options, reason) },
	{ "lift", 0, NULL,
	  "close: the account needs no budget any more for its jobs", 0,
	  EQT_FLAG_AT(struct eqt_budget_options, lift) },
	{ "thresholds", 0, "PERCENT,...",
	  "notify: default that of equitree.conf, else 50,75,90", 0,
	  EQT_TAKEN_BY(budget_take_thresholds) },
	{ "dry-run", 'n', NULL, "say what would be done, and do nothing", 0,
	  EQT_FLAG_AT(struct eqt_budget_options, dry_run) },
	{ "journal", 0, "FILE",
	  "list, show: compute the balances from a journal, without slurmctld",
	  0, EQT_TEXT_AT(struct eqt_budget_options, journal) },
	{ "format", 0, "ondemand",
	  "list: the balance file of Open OnDemand's dashboard", 0,
	  EQT_TAKEN_BY(budget_take_format) },
	{ "csv", 0, NULL, "list: comma-separated values", 0,
	  EQT_FLAG_AT(struct eqt_budget_options, csv) },
	{ 0 }
};

/* ---- Verbs ---------------------------------------------------------------------- */

/* Send an entry or, with --dry-run, only print what it would do. "said" has the words for
 * that. The answer to a grant is the number of the budget. */
static int entry_send(const struct eqt_budget_options *options,
		      const struct eqt_entry *entry, const char *said,
		      struct eqt_error *err)
{
	char *answer;

	if (options->dry_run) {
		printf("would %s\n", said);
		return 0;
	}
	answer = eqt_budget_request_entry(entry, err);
	if (!answer)
		return -1;
	answer[strcspn(answer, "\n")] = '\0';
	if (entry->kind == EQT_ENTRY_GRANT && answer[0] >= '0' &&
	    answer[0] <= '9')
		printf("%s: budget %s\n", said, answer);
	else
		printf("%s: done\n", said);
	free(answer);
	return 0;
}

/* The site's units, borrowed from the options. NULL on a host without an
 * equitree.conf. */
static const struct eqt_bundle_table *site_prices(
	struct eqt_budget_options *options)
{
	if (!options->conf)
		(void) eqt_site_conf_try(&options->conf);
	return options->conf ? &options->conf->prices : NULL;
}

static struct eqt_joint_grant_how joint_how(struct eqt_budget_options *options,
					    const char *account)
{
	return (struct eqt_joint_grant_how){ .clusters =
						     options->common.clusters,
					     .account = account,
					     .why = options->reason,
					     .prices = site_prices(options),
					     .dry_run = options->dry_run };
}

/* Balance the grants that are split over several clusters. If an account is named, only
 * its grants. */
static int verb_balance(struct eqt_budget_options *options,
			struct eqt_error *err)
{
	const struct eqt_joint_grant_how how =
		joint_how(options, options->word[1]);

	return eqt_joint_grant_balance(&how, err);
}

/* Grant a budget on one cluster. */
static int grant_one(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_GRANT, options->reason);
	char said[600], amount[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];

	entry.state.terms = options->terms;
	(void) snprintf(said, sizeof(said), "grant %s %ss to %s",
			eqt_hours_text(options->terms.amount_u, amount),
			eqt_hours_unit(site_prices(options),
				       options->terms.pool, unit),
			options->word[1]);
	return entry_send(options, &entry, said, err);
}

static int verb_grant(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_joint_grant_how how;

	if (terms_word_owner(&options->terms, options->word[1], err) < 0 ||
	    eqt_hours_parse(&options->terms.amount_u, options->word[2], err) <
		    0 ||
	    terms_finish(options, err) < 0)
		return -1;
	if (!options->common.clusters)
		return grant_one(options, err);
	how = joint_how(options, NULL);
	return eqt_joint_grant_make(&options->terms, &how, err);
}

/* Read the number of a budget. "-" is 0 and means: outside all budgets. */
static int word_budget(uint64_t *out, const char *word, struct eqt_error *err)
{
	*out = 0;
	return strcmp(word, "-") == 0
		       ? 0
		       : terms_word_number(out, word, "a budget, or -", err);
}

/* One line of the journal changes both budgets, so either both change or none. */
static int verb_transfer(struct eqt_budget_options *options,
			 struct eqt_error *err)
{
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_TRANSFER, options->reason);
	char said[200], amount[EQT_HOURS_TEXT];

	if (word_budget(&entry.budget, options->word[1], err) < 0 ||
	    word_budget(&entry.other, options->word[2], err) < 0 ||
	    eqt_hours_parse(&entry.amount_u, options->word[3], err) < 0)
		return -1;
	if (entry.budget == entry.other)
		return eqt_error_set(err, "from and to are the same");
	(void) snprintf(said, sizeof(said),
			"transfer %s hours from %.40s to %.40s",
			eqt_hours_text(entry.amount_u, amount),
			options->word[1], options->word[2]);
	return entry_send(options, &entry, said, err);
}

/* slurmctld knows the charge of the job from its journal. Without a number of hours it
 * refunds the whole charge. */
static int verb_refund(struct eqt_budget_options *options,
		       struct eqt_error *err)
{
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_REFUND, options->reason);
	char said[100], amount[EQT_HOURS_TEXT];

	if (terms_word_number(&entry.job, options->word[1], "a job", err) < 0)
		return -1;
	(void) snprintf(said, sizeof(said), "refund job %" PRIu64, entry.job);
	if (options->words > 2) {
		if (eqt_hours_parse(&entry.part[0].spent_u, options->word[2],
				    err) < 0)
			return -1;
		entry.parts = 1;
		(void) snprintf(said, sizeof(said),
				"refund %s hours of job %" PRIu64,
				eqt_hours_text(entry.part[0].spent_u, amount),
				entry.job);
	}
	return entry_send(options, &entry, said, err);
}

/* Close a budget. Jobs keep the hours that they have committed. */
static int verb_close(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_entry entry =
		eqt_budget_request_new(EQT_ENTRY_CLOSE, options->reason);
	char said[100];

	if (terms_word_number(&entry.budget, options->word[1], "a budget",
			      err) < 0)
		return -1;
	entry.amount_u = options->lift ? 1 : 0;
	(void) snprintf(said, sizeof(said), "close budget %" PRIu64,
			entry.budget);
	return entry_send(options, &entry, said, err);
}

/* If an account is named, remove the budgets of other accounts from the list. */
static void rows_of_account(struct eqt_balances *rows, const char *account)
{
	size_t kept = 0;

	for (size_t i = 0; account && i < rows->count; i++) {
		if (strcmp(rows->row[i].terms.account, account) == 0)
			rows->row[kept++] = rows->row[i];
	}
	if (account)
		rows->count = kept;
}

/* Read budgets from slurmctld, from the slurmctlds of several clusters, or from a
 * journal. */
static int rows_get(struct eqt_balances *rows,
		    const struct eqt_budget_options *options,
		    struct eqt_error *err)
{
	if (options->common.clusters)
		return eqt_joint_grant_rows(rows, options->common.clusters,
					    err);
	return options->journal
		       ? eqt_balances_read_journal(rows, options->journal, err)
		       : eqt_balances_read(rows, err);
}

/* Users see the budgets of their own accounts, and operators see all. */
static int verb_list(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_balances rows = { .row = NULL };
	const bool headings = !options->common.no_headings;
	const struct eqt_bundle_table *prices;
	uint64_t now = (uint64_t) time(NULL);
	int rc = rows_get(&rows, options, err);

	if (rc == 0) {
		prices = site_prices(options);
		rows_of_account(&rows, options->word[1]);
		if (options->ondemand)
			rc = eqt_show_ondemand(&rows, prices,
					       options->terms.pool, now, err);
		else if (options->common.json)
			eqt_show_json(&rows, prices, now);
		else if (options->csv)
			eqt_show_csv(&rows, prices, now, headings);
		else
			eqt_show_table(&rows, prices, now, headings);
	}
	eqt_balances_free(&rows);
	return rc;
}

static int verb_show(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_balances rows = { .row = NULL };
	const struct eqt_budget *budget;
	uint64_t id;
	int rc;

	if (terms_word_number(&id, options->word[1], "a budget", err) < 0)
		return -1;
	rc = rows_get(&rows, options, err);
	budget = rc == 0 ? eqt_balances_find(&rows, id) : NULL;
	if (rc == 0 && !budget)
		rc = eqt_error_set(err,
				   "there is no budget %" PRIu64
				   " that you may see",
				   id);
	if (budget)
		eqt_show_one(budget, &rows, site_prices(options),
			     (uint64_t) time(NULL));
	eqt_balances_free(&rows);
	return rc;
}

/* "equitree usage --verify" verifies budgets as well, but needs the record of charges. */
static int verb_verify(struct eqt_budget_options *options,
		       struct eqt_error *err)
{
	char *answer = eqt_balances_verify(err);

	(void) options;
	if (!answer)
		return -1;
	(void) fputs(answer, stdout);
	free(answer);
	return 0;
}

/* Grant the budgets of a file, and change the budgets whose amount in the file is
 * different. */
static int verb_import(struct eqt_budget_options *options,
		       struct eqt_error *err)
{
	struct eqt_import_how how = {
		.like = &options->terms,
		.why = options->reason,
		.dry_run = options->dry_run,
	};
	uint64_t start = options->terms.start;

	if (terms_finish(options, err) < 0)
		return -1;
	/* Undo the default for the start: for rows without a start, the next import must
	 * find the same budgets. */
	options->terms.start = start;
	if (!how.why)
		how.why = "import";
	return eqt_import_file(options->word[1], &how, err);
}

/* ---- The command ------------------------------------------------------------ */

static const struct budget_verb {
	const char *name;
	const char *words; /* the words after the verb */
	int least, most;
	int (*run)(struct eqt_budget_options *options, struct eqt_error *err);
	bool uses_site; /* terms of the verb also come from equitree.conf */
} verbs[] = {
	{ "grant", "ACCOUNT[/USER] HOURS", 2, 2, verb_grant, true },
	{ "list", "[ACCOUNT]", 0, 1, verb_list, false },
	{ "balance", "[ACCOUNT]", 0, 1, verb_balance, false },
	{ "show", "ID", 1, 1, verb_show, false },
	{ "transfer", "FROM TO HOURS", 3, 3, verb_transfer, false },
	{ "refund", "JOB [HOURS]", 1, 2, verb_refund, false },
	{ "close", "ID", 1, 1, verb_close, false },
	{ "verify", "", 0, 0, verb_verify, false },
	{ "notify", "COMMAND", 1, 1, notify_run, true },
	{ "import", "FILE", 1, 1, verb_import, true },
};

#define VERBS (sizeof(verbs) / sizeof(*verbs))

/* NULL if there is no such verb, or if none was given. */
static const struct budget_verb *verb_find(const char *name)
{
	for (size_t i = 0; name && i < VERBS; i++) {
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	}
	return NULL;
}

/* The verb decides how many words follow it. */
static int budget_check(void *into, struct eqt_error *err)
{
	const struct eqt_budget_options *options = into;
	const struct budget_verb *verb = verb_find(options->word[0]);

	if (!verb)
		return eqt_error_set(err,
				     "expected grant, list, show, balance, "
				     "transfer, refund, close, verify, notify "
				     "or import");
	if (options->common.clusters &&
	    ((verb->run != verb_list && verb->run != verb_grant &&
	      verb->run != verb_balance) ||
	     options->ondemand || options->journal))
		return eqt_error_set(err, "several clusters: grant, list and "
					  "balance, without --format or "
					  "--journal");
	if (options->words - 1 < verb->least || options->words - 1 > verb->most)
		return eqt_error_set(err, "expected: %s %s", verb->name,
				     verb->words);
	return 0;
}

/* Does the command line have a negative amount, which argp would take for an option?
 * After an option, such a word is the argument of that option. */
static bool budget_is_negative(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' || argv[i][1] < '0' || argv[i][1] > '9' ||
		    argv[i - 1][0] == '-')
			continue;
		(void) fprintf(stderr,
			       "%s: %.60s: the amount must be above 0\n",
			       argv[0], argv[i]);
		return true;
	}
	return false;
}

int cmd_budget(int argc, char **argv)
{
	static const struct eqt_options_spec line = {
		.table = options_table,
		.common_at = offsetof(struct eqt_budget_options, common),
		.clusters = true,
		.words = "grant ACCOUNT[/USER] HOURS\nlist [ACCOUNT]\nshow ID\n"
			 "balance [ACCOUNT]\n"
			 "transfer FROM TO HOURS\nrefund JOB [HOURS]\nclose "
			 "ID\nverify\n"
			 "notify COMMAND\nimport FILE",
		.doc = "Grant budgets, show them and change them.\vAmounts are "
		       "equivalent-hours. Only root, SlurmUser and operators "
		       "of Slurm may change budgets.",
		.word = budget_take_word,
		.check = budget_check,
	};
	struct eqt_budget_options options = { .word = { NULL } };
	const struct budget_verb *verb;
	struct eqt_error err;
	int rc = 0;

	if (budget_is_negative(argc, argv))
		return EXIT_MISUSE;
	eqt_options_parse(&line, argc, argv, &options);
	verb = verb_find(options.word[0]);
	if (verb->uses_site)
		rc = terms_site(&options, &err);
	if (rc == 0)
		rc = verb->run(&options, &err);
	eqt_conf_free(options.conf);
	return eqt_print_status("budget", rc, &err);
}
