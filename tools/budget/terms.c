/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a grant, as an operator writes them, become its terms. What is not given
 * comes from the section budget of equitree.conf. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "budget/terms.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/timestamp.h"

/* strtoull() would accept a minus sign. Budgets and jobs are numbers above 0. */
int eqt_terms_word_number(uint64_t *out, const char *word, const char *what,
			  struct eqt_error *err)
{
	char *end;

	*out = strtoull(word, &end, 10);
	if (end == word || *end || *out == 0 || word[0] == '-')
		return eqt_error_set(err, "%.60s: expected the number of %s",
				     word, what);
	return 0;
}

/* 0, or -1 with err filled: no account, or names that are too long. */
int eqt_terms_word_owner(struct eqt_budget_terms *terms, const char *word,
			 struct eqt_error *err)
{
	/* A budget of an account has no user; one of ACCOUNT/USER pays for that user only. */
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

/* "2027-01-01,2027-04-01" as ascending seconds. At these moments a budget is filled
 * again; each is midnight unless it has a time. */
static int terms_dates(struct eqt_budget_terms *terms, const char *dates,
		       struct eqt_error *err)
{
	size_t length = 0;
	int64_t last = 0;

	while (*dates) {
		char word[40];
		size_t size = strcspn(dates, ",");
		int64_t at;

		if (size >= sizeof(word))
			return eqt_error_set(err, "%.60s: expected dates",
					     dates);
		memcpy(word, dates, size);
		word[size] = '\0';
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
		dates += size + (dates[size] == ',');
	}
	return 0;
}

/* A budget keeps its own terms: a later change of equitree.conf does not change it. */
int eqt_terms_site(struct eqt_budget_options *options, struct eqt_error *err)
{
	/* For a machine without an equitree.conf. */
	static const struct eqt_thresholds usual = { 3, { 50, 75, 90 } };
	const struct eqt_conf *conf;

	if (eqt_site_conf_try(&conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be read");
	if (!options->thresholds_given)
		options->thresholds = conf ? conf->budget.warn : usual;
	if (conf && !options->way_given)
		options->terms.way = conf->budget.when_spent;
	if (conf && !options->qos && options->terms.way == EQT_BUDGET_BONUS)
		(void) snprintf(options->terms.bonus,
				sizeof(options->terms.bonus), "%s",
				conf->budget.bonus);
	eqt_conf_free(conf);
	return 0;
}

/* 0, or -1 with err filled: words that do not go together. */
int eqt_terms_finish(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_budget_terms *terms = &options->terms;

	if (options->qos)
		(void) snprintf(terms->bonus, sizeof(terms->bonus), "%s",
				options->qos);
	if (terms->way == EQT_BUDGET_BONUS && !terms->bonus[0])
		return eqt_error_set(err, "--when-spent=bonus needs --qos");
	if (terms->every == EQT_BUDGET_DATES_LISTED && !options->dates)
		return eqt_error_set(err, "--refill=dates needs --dates");
	if (options->dates && terms_dates(terms, options->dates, err) < 0)
		return -1;
	if (!terms->start)
		terms->start = (uint64_t) time(NULL);
	if (terms->end && terms->end <= terms->start)
		return eqt_error_set(err, "it would end before it starts");
	/* Refilled to what it began with, unless the operator says otherwise. */
	if (terms->every && !terms->refill_u)
		terms->refill_u = terms->amount_u;
	terms->carry = options->carry;
	return 0;
}
