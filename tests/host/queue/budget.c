/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../plugins/slurm/budget_link.h"
#include "budget.h"
#include "budget/entry.h"
#include "../clock.h"
#include "../fail.h"
#include "../plugin.h"

#define MICRO 1000000

static uint64_t last_request;

/* NULL: the plugin that is loaded has no budgets. */
static const struct eqt_budget_link *find_link(void)
{
	return host_plugin_loaded() ? host_plugin_find(EQT_BUDGET_LINK_SYMBOL)
				    : NULL;
}

static bool is_active(const struct eqt_budget_link *link)
{
	return link && link->active();
}

static bool operates(uid_t uid)
{
	return uid == 0;
}

/* The answer to a text; the caller frees it. */
static char *spec(const struct eqt_budget_link *link, const char *text)
{
	const struct eqt_budget_caller caller = { .operates = operates };
	char *answer = link->request(text, &caller);

	if (!answer)
		fail("no memory for an answer of the budgets");
	return answer;
}

/* ---- Requests --------------------------------------------------------------- */

static uint64_t amount_u(const struct words *words, const char *key)
{
	return (uint64_t) words_int(words, key, 0) * MICRO;
}

/* Times in a history are seconds from its start on. */
static uint64_t moment(const struct words *words, const char *key)
{
	int64_t at = words_int(words, key, -1);

	return at < 0 ? 0 : (uint64_t) (CLOCK_START + at);
}

static void fill_grant(struct eqt_entry *entry, const struct words *words)
{
	struct eqt_budget_terms *terms = &entry->state.terms;

	entry->kind = EQT_ENTRY_GRANT;
	(void) snprintf(terms->account, sizeof(terms->account), "%s",
			words_text(words, "account", "root"));
	(void) snprintf(terms->user, sizeof(terms->user), "%s",
			words_text(words, "user", ""));
	terms->amount_u = amount_u(words, "amount");
	terms->refill_u = amount_u(words, "refill");
	terms->carry = (uint64_t) words_int(words, "carry", 0);
	terms->start = moment(words, "start");
	terms->end = moment(words, "end");
	(void) snprintf(terms->bonus, sizeof(terms->bonus), "%s",
			words_text(words, "bonus", ""));
	if (eqt_budget_way_parse(&terms->way,
				 words_text(words, "way", "hold")) < 0 ||
	    eqt_budget_pool_parse(&terms->pool,
				  words_text(words, "pool", "all")) < 0 ||
	    eqt_budget_every_parse(&terms->every,
				   words_text(words, "every", "never")) < 0)
		fail("the words of the budget are unknown");
}

static void fill_transfer(struct eqt_entry *entry, const struct words *words)
{
	entry->kind = EQT_ENTRY_TRANSFER;
	entry->budget = (uint64_t) words_int(words, "from", 0);
	entry->other = (uint64_t) words_int(words, "to", 0);
	entry->amount_u = amount_u(words, "amount");
}

static void fill_refund(struct eqt_entry *entry, const struct words *words)
{
	entry->kind = EQT_ENTRY_REFUND;
	entry->job = (uint64_t) words_int(words, "job", 0);
	entry->part[0].spent_u = amount_u(words, "amount");
	entry->parts = entry->part[0].spent_u > 0;
}

static void fill_close(struct eqt_entry *entry, const struct words *words)
{
	entry->kind = EQT_ENTRY_CLOSE;
	entry->budget = (uint64_t) words_int(words, "id", 0);
	entry->amount_u = (uint64_t) words_int(words, "lift", 0);
}

static const struct {
	const char *word;
	void (*fill)(struct eqt_entry *entry, const struct words *words);
} requests[] = {
	{ "grant", fill_grant },
	{ "transfer", fill_transfer },
	{ "refund", fill_refund },
	{ "close", fill_close },
};

/* In the form in which the command sends it: a line of the file of budgets. */
static void request_text(char *text, size_t size, const struct words *words)
{
	const char *word = words_at(words, 1, "the request");
	struct eqt_entry entry = { .request = last_request };
	uint32_t crc = 0;
	size_t i = 0;
	int length;

	if (!strcmp(word, "verify")) {
		(void) snprintf(text, size, "verify %llu",
				(unsigned long long) last_request);
		return;
	}
	while (i < sizeof(requests) / sizeof(*requests) &&
	       strcmp(requests[i].word, word) != 0)
		i++;
	if (i == sizeof(requests) / sizeof(*requests))
		fail("unknown request \"%s\"", word);
	requests[i].fill(&entry, words);
	length = eqt_entry_body(&entry, text, size);
	if (length < 0 ||
	    eqt_entry_seal(0, &crc, text, (size_t) length, size) < 0)
		fail("the request is too long");
}

/* What the submission plugin asks. */
static void judge(const struct eqt_budget_link *link, const struct words *words)
{
	static const char *const answers[] = {
		[EQT_BOOK_FREE] = "free",
		[EQT_BOOK_FITS] = "fits",
		[EQT_BOOK_LACKS] = "lacks",
		[EQT_BOOK_NEVER] = "never",
	};
	/* assoc_mgr finds users that this machine has. */
	const struct passwd *user = getpwnam(words_text(words, "user", "root"));
	const bool has_end = words_int(words, "need", -1) >= 0;
	struct eqt_budget_verdict verdict;
	struct eqt_budget_applicant applicant = {
		.uid = user ? user->pw_uid : 0,
		.account = words_text(words, "account", NULL),
		.partition = words_text(words, "partition", "main"),
		.qos = words_text(words, "qos", NULL),
		.job = (uint32_t) words_int(words, "job", 0),
		.need_u = has_end ? amount_u(words, "need") : UINT64_MAX,
		.endless = words_text(words, "endless", NULL),
		.tasks = (uint64_t) words_int(words, "tasks", 1),
		.gpus = words_int(words, "gpus", 0) != 0,
	};

	applicant.least_u = words_int(words, "least", -1) >= 0
				    ? amount_u(words, "least")
				    : applicant.need_u;
	link->judge(&verdict, &applicant);
	printf("budget judge: %s", answers[verdict.answer]);
	if (verdict.answer == EQT_BOOK_LACKS ||
	    verdict.answer == EQT_BOOK_NEVER)
		printf(", %s %s", eqt_budget_way_word(verdict.way),
		       verdict.bonus);
	printf(": %s\n", verdict.text.text);
}

void budget_request(const struct words *words)
{
	const struct eqt_budget_link *link = find_link();
	char text[EQT_ENTRY_TEXT], status[64], *answer;

	if (!link)
		fail("the plugin has no budgets");
	if (strcmp(words_at(words, 1, "the request"), "judge") == 0) {
		judge(link, words);
		return;
	}
	last_request++;
	request_text(text, sizeof(text), words);
	answer = spec(link, text);
	/* The first request starts a thread; any thread that it woke may work. */
	clock_plugin_started();
	(void) snprintf(status, sizeof(status), "status %llu",
			(unsigned long long) last_request);
	for (int i = 0; strncmp(answer, "wait", 4) == 0; i++) {
		free(answer);
		/* The disk may not work: it is tried again each second. */
		if (i)
			clock_advance(1);
		answer = spec(link, status);
	}
	printf("budget %s: %s\n", words->word[1], answer);
	free(answer);
}

/* ---- Balances --------------------------------------------------------------- */

static double seconds(uint64_t amount)
{
	return (double) amount / MICRO;
}

static void print_one(const struct eqt_budget *budget)
{
	printf("budget=%llu owner=%s%s%s amount=%.16g spent=%.16g "
	       "committed=%.16g refunded=%.16g overrun=%.16g period=%llu "
	       "closed=%llu\n",
	       (unsigned long long) budget->id, budget->terms.account,
	       budget->terms.user[0] ? "/" : "", budget->terms.user,
	       seconds(budget->amount_u), seconds(budget->spent_u),
	       seconds(budget->committed_u), seconds(budget->refunded_u),
	       seconds(budget->overrun_u), (unsigned long long) budget->period,
	       (unsigned long long) budget->closed);
}

static void check_one(const struct eqt_budget *budget)
{
	if (budget->spent_u + budget->committed_u > budget->amount_u)
		fail("budget %llu: %.10g spent and %.10g committed of %.10g",
		     (unsigned long long) budget->id, seconds(budget->spent_u),
		     seconds(budget->committed_u), seconds(budget->amount_u));
}

/* Visit one page of the list; returns the first id of the next page, or 0. */
static uint64_t each_of_page(const struct eqt_budget_link *link, uint64_t from,
			     void (*visit)(const struct eqt_budget *budget))
{
	struct eqt_error err;
	struct eqt_entry entry;
	char text[32], *answer, *line;
	uint64_t next;

	(void) snprintf(text, sizeof(text), "list %llu",
			(unsigned long long) from);
	answer = spec(link, text);
	/* With when_damaged = hold they have no balances. */
	if (strncmp(answer, "error equitree_budgets is", 25) == 0) {
		free(answer);
		return 0;
	}
	if (strncmp(answer, "ok ", 3) != 0)
		fail("the budgets answer \"%s\"", answer);
	next = strtoull(answer + 3, NULL, 10);
	line = strchr(answer, '\n');
	while (line && line[1]) {
		uint32_t crc = 0;

		if (eqt_entry_parse(&entry, &crc, line + 1, &err) < 0)
			fail("a row of the list: %s", err.text);
		visit(&entry.state);
		line = strchr(line + 1, '\n');
	}
	free(answer);
	return next;
}

static void each(void (*visit)(const struct eqt_budget *budget))
{
	const struct eqt_budget_link *link = find_link();
	uint64_t next = 1;

	while (is_active(link) && next)
		next = each_of_page(link, next, visit);
}

void budget_print(void)
{
	each(print_one);
}

void budget_check(void)
{
	each(check_one);
}

/* ---- What the submission plugin reports -------------------------------------- */

void budget_announce(uint64_t tasks)
{
	const struct eqt_budget_link *link = find_link();

	if (is_active(link))
		link->announce(tasks);
}

void budget_job_changed(uint32_t job_id)
{
	const struct eqt_budget_link *link = find_link();

	if (is_active(link))
		link->changed(job_id);
}

void budget_job_held(uint32_t job_id, bool by_user)
{
	const struct eqt_budget_link *link = find_link();

	if (is_active(link))
		link->held(job_id, by_user);
}
