/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "budget/hours.h"
#include "budget/warning.h"
#include "slurm/log.h"

/* Write a text such as "budget 1 of physics/ada: 78 % spent and committed, 22
 * of 100 ... left". */
static void warning_print(struct eqt_error *out, const struct eqt_conf *conf,
			  const struct eqt_budget *budget)
{
	char left[EQT_HOURS_TEXT], amount[EQT_HOURS_TEXT], unit[EQT_HOURS_UNIT];

	(void) eqt_error_set(out,
			     "budget %" PRIu64 " of %s%s%s: %" PRIu64
			     " %% spent and committed, %s of %s %ss left",
			     budget->id, budget->terms.account,
			     budget->terms.user[0] ? "/" : "",
			     budget->terms.user, eqt_budget_percent(budget),
			     eqt_hours_short(eqt_budget_left(budget), left),
			     eqt_hours_short(budget->amount_u, amount),
			     eqt_hours_unit(&conf->prices, budget->terms.pool,
					    unit));
}

/*
 * Has the budget reached a higher threshold? Commitments rise and fall, so the
 * remembered threshold falls only when the amount changes by a refill or a
 * transfer. Otherwise the same warning would be logged again and again.
 */
static bool warning_is_new(struct eqt_budget_warned *warned,
			   const struct eqt_budget *budget, uint64_t reached)
{
	bool higher = reached > warned->percent;

	if (higher || budget->amount_u != warned->amount_u)
		warned->percent = reached;
	warned->amount_u = budget->amount_u;
	return higher;
}

/* Make room for all budgets. A new budget starts with its present threshold, so
 * that a restart logs nothing again. Returns -1 if memory is short. */
static int warnings_grow(struct eqt_budgets *budgets,
			 const struct eqt_thresholds *thresholds)
{
	uint64_t count = eqt_book_count(budgets->book);
	struct eqt_budget_warned *grown;

	if (count <= budgets->warned_count)
		return 0;
	grown = realloc(budgets->warned, count * sizeof(*grown));
	if (!grown)
		return -1;
	budgets->warned = grown;
	for (uint64_t i = budgets->warned_count; i < count; i++) {
		const struct eqt_budget *budget =
			eqt_book_budget(budgets->book, i + 1);

		grown[i] = (struct eqt_budget_warned){
			.amount_u = budget->amount_u,
			.percent = eqt_thresholds_reached(
				thresholds, eqt_budget_percent(budget)),
		};
	}
	budgets->warned_count = count;
	return 0;
}

void eqt_warning_log(struct eqt_budgets *budgets, const struct eqt_conf *conf)
{
	const struct eqt_thresholds *thresholds = &conf->budget.warn;
	const uint64_t now = (uint64_t) time(NULL);
	struct eqt_error text;
	uint64_t count = 0;

	pthread_mutex_lock(&budgets->lock);
	if (budgets->book && warnings_grow(budgets, thresholds) == 0)
		count = budgets->warned_count;
	for (uint64_t i = 0; i < count; i++) {
		const struct eqt_budget *budget =
			eqt_book_budget(budgets->book, i + 1);

		if (!eqt_budget_in_force(budget, now) ||
		    !warning_is_new(
			    &budgets->warned[i], budget,
			    eqt_thresholds_reached(thresholds,
						   eqt_budget_percent(budget))))
			continue;
		warning_print(&text, conf, budget);
		eqt_log_info("%s", text.text);
	}
	pthread_mutex_unlock(&budgets->lock);
}

void eqt_warning_text(struct eqt_error *out, const struct eqt_book *book,
		      const struct eqt_conf *conf,
		      const struct eqt_entry *commit, uint64_t instead_of)
{
	uint64_t most = 0;

	out->text[0] = '\0';
	for (uint64_t i = 0; i < commit->parts; i++) {
		struct eqt_budget then = eqt_book_budget_without(
			book, commit->part[i].budget, instead_of);
		uint64_t percent;

		then.committed_u += commit->part[i].taken_u;
		percent = eqt_budget_percent(&then);
		if (percent <= most ||
		    !eqt_thresholds_reached(&conf->budget.warn, percent))
			continue;
		most = percent;
		warning_print(out, conf, &then);
	}
}
