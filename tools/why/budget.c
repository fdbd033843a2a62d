/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that a budget holds has priority 0, so sprio does not list it. The plugin tells
 * why in the job's description, which squeue prints as its reason. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "balance/hours.h"
#include "balance/rows.h"
#include "cli/json.h"
#include "slurm/text/command.h"
#include "why/budget.h"

/* The description that a job has as long as a budget holds it. */
#define REASON "Budget "

/* A job that a budget holds. */
struct held_job {
	char account[EQT_BUDGET_NAME];
	char user[EQT_BUDGET_NAME];
	struct eqt_error reason;
};

/* Read "ACCOUNT|USER|REASON", the reason being the only text that could hold more.
 * False: no budget holds the job. */
static bool held_job_read(struct held_job *job, char *line)
{
	char *user = strchr(line, '|'), *reason;

	line[strcspn(line, "\n")] = '\0';
	if (!user)
		return false;
	*user++ = '\0';
	reason = strchr(user, '|');
	if (!reason)
		return false;
	*reason++ = '\0';
	if (strncmp(reason, REASON, sizeof(REASON) - 1) != 0)
		return false;
	(void) snprintf(job->account, sizeof(job->account), "%s", line);
	(void) snprintf(job->user, sizeof(job->user), "%s", user);
	(void) eqt_error_set(&job->reason, "%s", reason);
	return true;
}

/* Ask squeue; false as well when it does not know the job, which sprio then says. Users
 * may call squeue, so this needs no right of an operator. The field of the reason is
 * last, since it alone holds spaces. */
static bool held_job_find(struct held_job *job, const char *id)
{
	const char *words[] = { "squeue", "-h", "--local", "-t",       "PD",
				"-j",	  id,	"-o",	   "%a|%u|%r", NULL };
	struct eqt_listing out;
	bool held;

	if (eqt_command_try(&out, "squeue", words) < 0)
		return false;
	held = out.text && held_job_read(job, out.text);
	eqt_listing_free(&out);
	return held;
}

bool eqt_why_budget_is_of(const struct eqt_budget *budget, const char *reason,
			  const char *account, const char *user)
{
	/* By the reason, which names the budget's number, or else by its owner: a budget of the
	 * account itself, or of the user in it. */
	char mark[40];

	(void) snprintf(mark, sizeof(mark), REASON "%" PRIu64 " ", budget->id);
	if (strncmp(reason, mark, strlen(mark)) == 0)
		return true;
	return !budget->closed && strcmp(budget->terms.account, account) == 0 &&
	       (!budget->terms.user[0] ||
		strcmp(budget->terms.user, user) == 0);
}

static bool held_job_draws(const struct held_job *job,
			   const struct eqt_budget *budget)
{
	return eqt_why_budget_is_of(budget, job->reason.text, job->account,
				    job->user);
}

/* ", refilled on 2027-01-01", in local time; "" without a time. */
static void budget_day(char *out, size_t size, const char *word, uint64_t at_s)
{
	time_t at = (time_t) at_s;
	struct tm tm;

	out[0] = '\0';
	if (at_s && localtime_r(&at, &tm)) {
		int length = snprintf(out, size, ", %s ", word);

		(void) strftime(out + length, size - (size_t) length,
				"%Y-%m-%d", &tm);
	}
}

char *eqt_why_budget_text(char buf[EQT_WHY_BUDGET_TEXT],
			  const struct eqt_budget *budget)
{
	char left[EQT_HOURS_TEXT], all[EQT_HOURS_TEXT], spent[EQT_HOURS_TEXT],
		committed[EQT_HOURS_TEXT], refill[40], end[40];

	budget_day(refill, sizeof(refill), "refilled on", budget->next);
	budget_day(end, sizeof(end), "ends on", budget->terms.end);
	(void) snprintf(buf, EQT_WHY_BUDGET_TEXT,
			"%" PRIu64 " of %s%s%s: %s of %s equivalent-hours left "
			"(%s spent, %s committed)%s%s",
			budget->id, budget->terms.account,
			budget->terms.user[0] ? "/" : "", budget->terms.user,
			eqt_hours_short(eqt_budget_left(budget), left),
			eqt_hours_short(budget->amount_u, all),
			eqt_hours_short(budget->spent_u, spent),
			eqt_hours_short(budget->committed_u, committed), refill,
			end);
	return buf;
}

/* Those budgets that the job draws on, with what is left: one above it may be the one
 * that is empty. */
static void held_job_print(const char *id, const struct held_job *job,
			   const struct eqt_rows *rows)
{
	char text[EQT_WHY_BUDGET_TEXT];

	printf("Job %s is held until its budget has enough for it:\n  %s\n", id,
	       job->reason.text);
	for (size_t i = 0; i < rows->count; i++) {
		if (held_job_draws(job, &rows->row[i]))
			printf("  budget %s\n",
			       eqt_why_budget_text(text, &rows->row[i]));
	}
}

/* Hours are numbers without rounding; times are seconds since the epoch, and 0 stands
 * for none. */
static json_object *held_job_json(const char *id, const struct held_job *job,
				  const struct eqt_rows *rows)
{
	json_object *out = json_object_new_object();
	json_object *list = json_object_new_array();

	eqt_json_add(out, "job", json_object_new_string(id));
	eqt_json_add(out, "held_by_budget",
		     json_object_new_string(job->reason.text));
	for (size_t i = 0; i < rows->count; i++) {
		const struct eqt_budget *budget = &rows->row[i];
		json_object *one;

		if (!held_job_draws(job, budget))
			continue;
		one = json_object_new_object();
		eqt_json_add(one, "id",
			     json_object_new_int64((int64_t) budget->id));
		eqt_json_add(one, "left_hours",
			     eqt_json_number((double) eqt_budget_left(budget) /
					     (double) EQT_BUDGET_HOUR_U));
		eqt_json_add(one, "next_refill_s",
			     json_object_new_int64((int64_t) budget->next));
		(void) json_object_array_add(list, one);
	}
	eqt_json_add(out, "budgets", list);
	return out;
}

/* Returns how many of the jobs a budget holds, or -1 with err filled: who asks goes on
 * with sprio only where there are none. */
int eqt_why_budgets(const char *const *ids, int count, bool json,
		    struct eqt_error *err)
{
	json_object *list = json ? json_object_new_array() : NULL;
	struct eqt_rows rows = { .row = NULL };
	struct held_job job;
	int held = 0, rc = 0;

	for (int i = 0; i < count && rc == 0; i++) {
		if (!held_job_find(&job, ids[i]))
			continue;
		/* The balances are asked for once, and only if a budget holds a job at all. */
		if (held++ == 0)
			rc = eqt_balances_read(&rows, err);
		if (rc == 0 && json)
			(void) json_object_array_add(
				list, held_job_json(ids[i], &job, &rows));
		else if (rc == 0)
			held_job_print(ids[i], &job, &rows);
	}
	eqt_balances_free(&rows);
	if (json && held && rc == 0)
		eqt_json_print(list);
	else
		json_object_put(list);
	return rc < 0 ? -1 : held;
}
