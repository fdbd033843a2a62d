/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "balance/hours.h"
#include "budget/notify.h"
#include "balance/rows.h"
#include "balance/send.h"

/*
 * The highest threshold that a budget has reached; 0 if it was notified
 * already. The journal remembers notifications, so a command that fails is run
 * again the next time.
 */
static uint64_t notify_threshold(const struct eqt_budget_options *options,
				 const struct eqt_budget *budget)
{
	uint64_t reached = eqt_thresholds_reached(&options->thresholds,
						  eqt_budget_percent(budget));

	if (budget->closed)
		return 0;
	return reached > budget->notified ? reached : 0;
}

/* Run the site's command for one budget. The environment has the data of the
 * budget. */
static int notify_run(const struct eqt_budget_options *options,
		      const struct eqt_budget *budget, uint64_t threshold,
		      struct eqt_error *err)
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
	if (notify_run(options, budget, threshold, err) < 0)
		return -1;
	entry = (struct eqt_entry){ .kind = EQT_ENTRY_NOTIFY,
				    .request = eqt_send_id() };
	entry.budget = budget->id;
	entry.amount_u = threshold;
	answer = eqt_send_entry(&entry, err);
	free(answer);
	return answer ? 0 : -1;
}

int eqt_notify_run(struct eqt_budget_options *options, struct eqt_error *err)
{
	struct eqt_rows rows = { .row = NULL };
	int rc = eqt_balances_read(&rows, err);

	for (size_t i = 0; rc == 0 && i < rows.count; i++)
		rc = notify_one(options, &rows.row[i], err);
	eqt_balances_free(&rows);
	return rc;
}
