/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pwd.h>
#include <stdio.h>

#include "../tests/host/assocs.h"
#include "../tests/host/clock.h"
#include "../tests/host/fail.h"
#include "../tests/host/plugin.h"
#include "../tests/property/random.h"
#include "judge.h"
#include "median.h"
#include "slurm/budget_link.h"

#define CALLS 10000
#define TURNS 9

/* A user of the crowd in the account that it has. */
struct applicant {
	uint32_t uid;
	char account[16];
};

static struct {
	const struct eqt_budget_link *link;
	struct applicant applicant[CALLS];
} judge;

/* In front of libc's: assoc_mgr finds associations by the ids of their users. */
int getpwnam_r(const char *name, struct passwd *entry, char *buf, size_t size,
	       struct passwd **result)
{
	(void) buf;
	(void) size;
	*entry = (struct passwd){ .pw_uid = assocs_uid(name) };
	*result = entry;
	return 0;
}

/* The first ones are one of each account, the others any. */
static void applicants_draw(const struct crowd *crowd)
{
	struct eqt_random random = { 88172645u };
	const uint32_t users = crowd_users(crowd);
	const uint32_t accounts = crowd_accounts(crowd);

	for (uint32_t i = 0; i < CALLS; i++) {
		struct applicant *one = &judge.applicant[i];
		uint32_t user = (uint32_t) eqt_random_below(&random, users);
		char name[16];

		if (i < accounts)
			user += i - user % accounts;
		if (user >= users)
			user -= accounts;

		(void) snprintf(name, sizeof(name), "u%u", user);
		one->uid = assocs_uid(name);
		(void) snprintf(one->account, sizeof(one->account), "a%u",
				user % accounts);
	}
}

static void look_up(const struct applicant *one)
{
	static char partition[] = "main";
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	slurmdb_assoc_rec_t want = { .uid = one->uid,
				     .acct = (char *) (uintptr_t) one->account,
				     .partition = partition };
	slurmdb_assoc_rec_t *found = NULL;

	assoc_mgr_lock(&locks);
	(void) assoc_mgr_fill_in_assoc(acct_db_conn, &want, 0, &found, true);
	assoc_mgr_unlock(&locks);
	if (!found)
		fail("there is no association of %u in %s", one->uid,
		     one->account);
}

static void call(const struct applicant *one)
{
	const struct eqt_budget_applicant applicant = {
		.uid = one->uid,
		.account = one->account,
		.partition = "main",
		.qos = "normal",
		.need_u = EQT_BUDGET_HOUR_U,
		.tasks = 1,
	};
	struct eqt_budget_verdict verdict;

	judge.link->judge(&verdict, &applicant);
	if (verdict.answer != EQT_BOOK_FITS)
		fail("a submission of %u in %s does not fit (%d): %s", one->uid,
		     one->account, (int) verdict.answer, verdict.text.text);
}

/* The budgets remember an account for a second, or for two. */
static double time_of(void (*what)(const struct applicant *one), int calls,
		      bool remembered)
{
	double took[TURNS];

	for (int turn = 0; turn < TURNS; turn++) {
		double start;

		if (!remembered)
			clock_advance(2);
		start = median_clock();
		for (int i = 0; i < calls; i++)
			what(&judge.applicant[i]);
		took[turn] = (median_clock() - start) / calls;
	}
	return median_of(took, TURNS);
}

struct judge_times judge_measure(const struct crowd *crowd)
{
	const uint32_t accounts = crowd_accounts(crowd);

	judge.link = host_plugin_symbol(EQT_BUDGET_LINK_SYMBOL);
	if (judge.link->version != EQT_BUDGET_LINK_VERSION ||
	    !judge.link->active())
		fail("the plugin has no budgets");
	applicants_draw(crowd);
	return (struct judge_times){
		.lookup = time_of(look_up, CALLS, true),
		.first = time_of(
			call, accounts < CALLS ? (int) accounts : CALLS, false),
		.call = time_of(call, CALLS, true),
	};
}
