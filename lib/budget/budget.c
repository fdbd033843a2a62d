/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fraction.h"
#include "budget/budget.h"

static const char *const pool_words[EQT_BUDGET_POOLS] = { "all", "cores",
							  "gpus" };
const char *const eqt_budget_way_words[EQT_BUDGET_WAYS + 1] = { "hold",
								"refuse",
								"bonus", NULL };
static const char *const every_words[EQT_BUDGET_EVERYS] = { "never", "month",
							    "quarter", "dates",
							    "limit" };

/* The result is never below 0, even with the numbers of a damaged file. */
uint64_t eqt_budget_left(const struct eqt_budget *budget)
{
	uint64_t used =
		budget->spent_u + budget->committed_u + budget->frozen_u;

	return used < budget->amount_u ? budget->amount_u - used : 0;
}

/* A budget is not in force any more in the second of its end. */
bool eqt_budget_in_force(const struct eqt_budget *budget, uint64_t now)
{
	return !budget->closed && budget->terms.start <= now &&
	       (budget->terms.end == 0 || now < budget->terms.end);
}

bool eqt_budget_has_pool(const struct eqt_budget *budget,
			 enum eqt_budget_pool pool)
{
	return budget->terms.pool == EQT_BUDGET_ALL ||
	       budget->terms.pool == (uint64_t) pool;
}

bool eqt_budget_counts(const struct eqt_budget *budget,
		       enum eqt_budget_pool pool, const char *qos)
{
	const struct eqt_budget_terms *terms = &budget->terms;

	if (terms->way == EQT_BUDGET_BONUS && qos &&
	    strcmp(terms->bonus, qos) == 0)
		return false;
	return !budget->lifted && eqt_budget_has_pool(budget, pool);
}

/* A budget with an amount of 0 is used up. */
uint64_t eqt_budget_percent(const struct eqt_budget *budget)
{
	uint64_t used = budget->spent_u + budget->committed_u;

	if (budget->terms.joint)
		return 0;
	if (budget->amount_u == 0)
		return 100;
	return (uint64_t) ((eqt_u128) used * 100 / budget->amount_u);
}

/* Return the first date after a time, or 0. A text that is not a list of numbers has no
 * dates. */
static uint64_t refill_next_date(const struct eqt_budget_terms *terms,
				 uint64_t after)
{
	const char *at = terms->dates;

	while (*at) {
		char *end;
		uint64_t date = strtoull(at, &end, 10);

		if (end == at)
			break;
		if (date > after)
			return date;
		at = *end == ',' ? end + 1 : end;
	}
	return 0;
}

/* Return midnight at the beginning of the next month, or of the next quarter. */
static uint64_t refill_next_month(uint64_t after, int months)
{
	time_t at = (time_t) after;
	struct tm tm;

	if (!localtime_r(&at, &tm))
		return 0;
	tm.tm_mon += months - tm.tm_mon % months;
	tm.tm_mday = 1;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	/* mktime() decides whether that day is in summer time. The flag of today could
	 * be wrong by an hour. mktime() also turns a 13th month into January of the
	 * next year. */
	tm.tm_isdst = -1;
	at = mktime(&tm);
	return at > (time_t) after ? (uint64_t) at : 0;
}

uint64_t eqt_budget_next_refill(const struct eqt_budget_terms *terms,
				uint64_t after)
{
	switch (terms->every) {
	case EQT_BUDGET_MONTH:
		return refill_next_month(after, 1);
	case EQT_BUDGET_QUARTER:
		return refill_next_month(after, 3);
	case EQT_BUDGET_DATES_LISTED:
		return refill_next_date(terms, after);
	default:
		return 0;
	}
}

/* The value may come from a damaged file, so it must be checked before its use as an
 * index. */
static const char *word_of(const char *const *words, uint64_t count,
			   uint64_t value)
{
	return value < count ? words[value] : "?";
}

static int word_parse(uint64_t *out, const char *const *words, uint64_t count,
		      const char *word)
{
	for (uint64_t i = 0; i < count; i++) {
		if (strcmp(words[i], word) == 0) {
			*out = i;
			return 0;
		}
	}
	return -1;
}

const char *eqt_budget_pool_word(uint64_t pool)
{
	return word_of(pool_words, EQT_BUDGET_POOLS, pool);
}

const char *eqt_budget_way_word(uint64_t way)
{
	return word_of(eqt_budget_way_words, EQT_BUDGET_WAYS, way);
}

const char *eqt_budget_every_word(uint64_t every)
{
	return word_of(every_words, EQT_BUDGET_EVERYS, every);
}

int eqt_budget_pool_parse(uint64_t *out, const char *word)
{
	return word_parse(out, pool_words, EQT_BUDGET_POOLS, word);
}

int eqt_budget_way_parse(uint64_t *out, const char *word)
{
	return word_parse(out, eqt_budget_way_words, EQT_BUDGET_WAYS, word);
}

int eqt_budget_every_parse(uint64_t *out, const char *word)
{
	return word_parse(out, every_words, EQT_BUDGET_EVERYS, word);
}
