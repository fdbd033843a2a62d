/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/array.h"
#include "base/text.h"
#include "budget/request.h"
#include "budget/budgets_thread.h"
#include "budget/request_execution.h"
#include "slurm/compat.h"
#include "walk/job_links.h"

/* The most requests that wait or were answered recently. */
#define REQUESTS_MOST 256
#define ANSWER_KEPT_S 120
#define ROWS_AT_ONCE 100 /* The most rows of one answer. */

static char *answer_text(const char *word, const char *text)
{
	size_t size = strlen(word) + strlen(text) + 2;
	char *answer = malloc(size);

	if (answer)
		(void) snprintf(answer, size, "%s %s", word, text);
	return answer;
}

/* ---- Waiting requests ------------------------------------------------------------ */

static struct eqt_budget_request *request_find(
	const struct eqt_budgets *budgets, uint64_t id)
{
	struct eqt_budget_request *request = budgets->requests;

	while (request && request->entry.request != id)
		request = request->next;
	return request;
}

/* Drop requests that were answered long ago. Returns the number of the
 * remaining requests. */
static size_t requests_tidy(struct eqt_budgets *budgets, time_t now)
{
	struct eqt_budget_request **link = &budgets->requests;
	size_t count = 0;

	while (*link) {
		struct eqt_budget_request *request = *link;

		if (request->state == EQT_REQUEST_ANSWERED &&
		    now > request->answered + ANSWER_KEPT_S) {
			*link = request->next;
			free(request);
			continue;
		}
		link = &request->next;
		count++;
	}
	return count;
}

/* The answer so far. After a restart the book still has the request, but not
 * its answer. */
static char *request_answer(const struct eqt_budgets *budgets, uint64_t id)
{
	const struct eqt_budget_request *request = request_find(budgets, id);

	if (request && request->state == EQT_REQUEST_ANSWERED)
		return answer_text(request->failed ? "error" : "ok",
				   request->answer.text);
	if (request)
		return answer_text("wait", "");
	if (budgets->book && eqt_book_has_request(budgets->book, id))
		return answer_text("ok", "carried out before");
	return answer_text("unknown", "");
}

/* Create an empty book and start the thread, for the first request. */
static int request_begin(struct eqt_budgets *budgets, struct eqt_error *err)
{
	if (eqt_budgets_begin(budgets, err) < 0)
		return -1;
	return eqt_budgets_thread_begin(budgets) < 0
		       ? eqt_error_set(err, "the budget thread does not start")
		       : 0;
}

/* Add a request. A repeated request is not carried out again, but gets the
 * answer of the first one. */
static char *request_add(struct eqt_budgets *budgets,
			 const struct eqt_entry *entry, bool verify)
{
	struct eqt_budget_request *request, **link = &budgets->requests;
	struct eqt_error err;

	if (request_find(budgets, entry->request) ||
	    (budgets->book &&
	     eqt_book_has_request(budgets->book, entry->request)))
		return request_answer(budgets, entry->request);
	if (requests_tidy(budgets, time(NULL)) >= REQUESTS_MOST)
		return answer_text("error", "too many requests wait");
	if (request_begin(budgets, &err) < 0)
		return answer_text("error", err.text);
	request = calloc(1, sizeof(*request));
	if (!request)
		return answer_text("error", "out of memory");
	request->entry = *entry;
	request->verify = verify;
	while (*link)
		link = &(*link)->next;
	*link = request;
	eqt_budgets_wake(budgets);
	return answer_text("wait", "");
}

/* ---- Kinds of requests --------------------------------------------------------- */

static int user_is_named(void *item, void *key)
{
	const slurmdb_user_rec_t *user = item;

	return user->name && strcasecmp(user->name, key) == 0;
}

/* The name of a user as Slurm spells it, or NULL if there is no such user.
 * assoc_mgr's locks are held. */
static const char *user_name(char *user)
{
	const slurmdb_user_rec_t *found =
		assoc_mgr_user_list ? list_find_first(assoc_mgr_user_list,
						      user_is_named, user)
				    : NULL;

	return found ? found->name : NULL;
}

static int qos_is_named(void *item, void *key)
{
	const slurmdb_qos_rec_t *qos = item;

	return qos->name && strcmp(qos->name, key) == 0;
}

/* Jobs that a budget moves to a QOS that is not there would be refused. The locks are
 * held. */
static bool terms_qos_exists(struct eqt_budget_terms *terms)
{
	return terms->way != EQT_BUDGET_BONUS || !assoc_mgr_qos_list ||
	       list_find_first(assoc_mgr_qos_list, qos_is_named, terms->bonus);
}

/* Put Slurm's spelling into the terms, because jobs are compared with it: a budget of a
 * misspelled account would never be used. */
static int owner_check(struct eqt_budget_terms *terms, struct eqt_error *err)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK,
				   .qos = READ_LOCK,
				   .user = READ_LOCK };
	const slurmdb_assoc_rec_t *account;
	const char *user = "";
	int rc = 0;

	assoc_mgr_lock(&locks);
	account = eqt_job_links_account(terms->account);
	if (terms->user[0])
		user = user_name(terms->user);
	if (!account)
		rc = eqt_error_set(err, "account %s does not exist",
				   terms->account);
	else if (!user)
		rc = eqt_error_set(err, "user %s does not exist", terms->user);
	else if (!terms_qos_exists(terms))
		rc = eqt_error_set(err, "QOS %s does not exist", terms->bonus);
	else {
		(void) snprintf(terms->account, sizeof(terms->account), "%s",
				account->acct);
		(void) snprintf(terms->user, sizeof(terms->user), "%s", user);
	}
	assoc_mgr_unlock(&locks);
	return rc;
}

static int terms_check(const struct eqt_budget_terms *terms,
		       struct eqt_error *err)
{
	if (!terms->account[0])
		return eqt_error_set(err, "a budget needs an account");
	if (terms->pool >= EQT_BUDGET_POOLS || terms->way >= EQT_BUDGET_WAYS ||
	    terms->every >= EQT_BUDGET_LIMIT || terms->carry > 1)
		return eqt_error_set(err, "unknown terms");
	if (terms->amount_u == 0 || terms->amount_u > EQT_BUDGET_MOST_U ||
	    terms->refill_u > EQT_BUDGET_MOST_U)
		return eqt_error_set(err, "the amount must be above 0 and at "
					  "most 600000000 equivalent-hours");
	if (terms->end && terms->end <= terms->start)
		return eqt_error_set(err, "it would end before it starts");
	if (terms->way == EQT_BUDGET_BONUS && !terms->bonus[0])
		return eqt_error_set(err, "the way \"bonus\" needs a QOS");
	if (terms->joint &&
	    (!slurm_conf.cluster_name ||
	     !eqt_text_list_has(terms->clusters, slurm_conf.cluster_name)))
		return eqt_error_set(err, "the grant is for %s, this is %s",
				     terms->clusters, slurm_conf.cluster_name);
	return 0;
}

static int entry_check(struct eqt_entry *entry, struct eqt_error *err)
{
	if (!entry->request)
		return eqt_error_set(err, "a request needs an id");
	switch (entry->kind) {
	case EQT_ENTRY_GRANT:
		if (terms_check(&entry->state.terms, err) < 0)
			return -1;
		if (entry->state.amount_u > entry->state.terms.amount_u)
			return eqt_error_set(err, "a part is more than the "
						  "whole");
		return owner_check(&entry->state.terms, err);
	case EQT_ENTRY_TRANSFER:
	case EQT_ENTRY_SEND:
	case EQT_ENTRY_RECEIVE:
		return entry->amount_u
			       ? 0
			       : eqt_error_set(err, "the amount must be "
						    "above 0");
	case EQT_ENTRY_REFUND:
	case EQT_ENTRY_CLOSE:
	case EQT_ENTRY_NOTIFY:
	case EQT_ENTRY_ARRIVED:
		return 0;
	default:
		/* All other kinds, such as commitments, are reserved for the
		   plugin itself. */
		return eqt_error_set(err, "no operator can ask for this");
	}
}

static char *take_entry(struct eqt_budgets *budgets, const char *text,
			const struct eqt_budget_caller *caller)
{
	struct eqt_error err;
	struct eqt_entry entry;
	uint32_t crc = 0;
	char *answer;

	if (!caller->operates(caller->uid))
		return answer_text("error", "only root, SlurmUser and Slurm's "
					    "operators may change budgets");
	if (eqt_entry_parse(&entry, &crc, text, &err) < 0 ||
	    entry_check(&entry, &err) < 0)
		return answer_text("error", err.text);
	/* Slurm knows the caller, while a name in the request would be only a
	   claim. */
	(void) snprintf(entry.who, sizeof(entry.who), "%s(%u)",
			caller->uid ? "uid" : "root",
			(unsigned int) caller->uid);
	pthread_mutex_lock(&budgets->lock);
	answer = request_add(budgets, &entry, false);
	pthread_mutex_unlock(&budgets->lock);
	return answer;
}

/* Add a row of a list, in the form of a line of the file. */
static bool answer_row_add(struct eqt_bodies *rows,
			   const struct eqt_entry *entry)
{
	char line[EQT_ENTRY_TEXT];
	uint32_t crc = 0;
	int length = eqt_entry_body(entry, line, sizeof(line));
	if (length >= 0)
		length = eqt_entry_seal(0, &crc, line, (size_t) length,
					sizeof(line));
	if (length < 0)
		return false;
	if (EQT_ARRAY_RESERVE(rows->data, rows->space,
			      rows->length + (size_t) length + 1) < 0)
		return false;
	memcpy(rows->data + rows->length, line, (size_t) length + 1);
	rows->length += (size_t) length;
	return true;
}

/* The part of a list that one answer has. */
struct list_part {
	uint64_t from, next; /* the id after the last, or 0 */
	uint32_t uid; /* of the caller */
	bool all; /* the caller sees all budgets */
	bool seen[ROWS_AT_ONCE]; /* which budgets the caller sees */
	size_t budgets, peers, wants;
	/* The budgets with ids from `from` on. */
	struct eqt_budget budget[ROWS_AT_ONCE];
	/* The transfers of these budgets to and from other clusters. */
	struct eqt_budget_peer *peer;
	/* The first held jobs, each with its budget. */
	struct eqt_waiting_job want[ROWS_AT_ONCE];
};

/* Copy transfers to and from other clusters. If memory is short, the next list
 * has them. */
static void list_copy_peers(struct list_part *part, const struct eqt_book *book,
			    uint64_t id)
{
	const struct eqt_budget_peer *peer;

	for (size_t n = 0; (peer = eqt_book_transfers_peer(book, id, n)); n++) {
		if (EQT_ARRAY_ROOM(part->peer, part->peers) == 0)
			part->peer[part->peers++] = *peer;
	}
}

/* Copy held jobs, so that other clusters can move hours to them. */
static void list_copy_wants(struct list_part *part,
			    const struct eqt_waiting *waiting)
{
	for (size_t i = 0; i < waiting->count && part->wants < ROWS_AT_ONCE;
	     i++) {
		const struct eqt_waiting_job *job = &waiting->job[i];

		if (job->state == EQT_WAITING_HELD &&
		    job->budget >= part->from &&
		    job->budget < part->from + part->budgets)
			part->want[part->wants++] = *job;
	}
}

/* Note which budgets the caller may see as an operator or as a coordinator. The lock is held. */
static void list_note_seen(struct list_part *part, struct eqt_budgets *budgets)
{
	const struct eqt_coordinators *known = &budgets->coordinators;

	part->all = part->uid == 0 ||
		    part->uid == (uint32_t) slurm_conf.slurm_user_id ||
		    eqt_coordinators_operates(known, part->uid);
	for (size_t i = 0; i < part->budgets; i++)
		part->seen[i] =
			part->all ||
			eqt_coordinators_has(known, part->uid,
					     part->budget[i].terms.account);
	budgets->asked = true;
}

/* Copy the budgets from an id on. Held jobs matter for joint grants only. */
static void list_copy(struct eqt_budgets *budgets, struct list_part *part)
{
	uint64_t id = part->from, count = 0;
	bool joint = false;

	pthread_mutex_lock(&budgets->lock);
	if (budgets->book)
		count = eqt_book_count(budgets->book);
	for (; id <= count && part->budgets < ROWS_AT_ONCE; id++) {
		part->budget[part->budgets] =
			*eqt_book_budget(budgets->book, id);
		joint |= part->budget[part->budgets++].terms.joint != 0;
		list_copy_peers(part, budgets->book, id);
	}
	if (joint && budgets->waiting.held)
		list_copy_wants(part, &budgets->waiting);
	list_note_seen(part, budgets);
	pthread_mutex_unlock(&budgets->lock);
	part->next = id <= count ? id : 0;
}

/* Leave budgets to the next answer: this one has so many. */
static void list_cut(struct list_part *part, size_t budgets)
{
	if (budgets == part->budgets)
		return;
	part->budgets = budgets;
	part->next = part->from + budgets;
	memset(part->seen + budgets, 0, sizeof(part->seen) - budgets);
}

/* The rows of the budgets that the caller may see. */
static void list_rows(struct eqt_bodies *rows, const struct list_part *part)
{
	for (size_t i = 0; i < part->budgets; i++) {
		struct eqt_entry entry = { .kind = EQT_ENTRY_BUDGET,
					   .state = part->budget[i] };

		if (part->seen[i])
			(void) answer_row_add(rows, &entry);
	}
	for (size_t i = 0; i < part->peers; i++) {
		struct eqt_entry entry = { .kind = EQT_ENTRY_PEER,
					   .peer = part->peer[i] };

		if (part->seen[entry.peer.budget - part->from])
			(void) answer_row_add(rows, &entry);
	}
	for (size_t i = 0; i < part->wants; i++) {
		const struct eqt_waiting_job *job = &part->want[i];
		struct eqt_entry entry = {
			.kind = EQT_ENTRY_JOB,
			.job = job->id,
			.tasks = 1,
			.parts = 1,
			.part = { { .budget = job->budget,
				    .taken_u = job->need_u } }
		};

		if (part->seen[job->budget - part->from])
			(void) answer_row_add(rows, &entry);
	}
}

/* Answer "list FROM" with the budgets from that id on. The first line has the
 * id with which to continue, or 0. The last rows are held jobs, with the need
 * that each has of its budget. sees() takes locks that come before
 * budgets->lock, so that lock is not held meanwhile. */
static char *take_list(struct eqt_budgets *budgets, uint64_t from,
		       const struct eqt_budget_caller *caller)
{
	struct eqt_bodies rows = { .data = NULL };
	struct list_part *part;
	char *answer, first[32];

	if (budgets->unread.text[0])
		return answer_text("error", budgets->unread.text);
	part = calloc(1, sizeof(*part));
	if (!part)
		return NULL;
	part->from = from ? from : 1;
	part->uid = caller->uid;
	list_copy(budgets, part);
	if (!part->all)
		list_cut(part, caller->sees(caller, part->budget, part->budgets,
					    part->seen));
	list_rows(&rows, part);
	(void) snprintf(first, sizeof(first), "%" PRIu64 "\n", part->next);
	free(part->peer);
	free(part);
	answer = answer_text("ok", first);
	if (answer && rows.length) {
		char *whole = realloc(answer, strlen(answer) + rows.length + 1);

		if (whole)
			(void) strcat(whole, rows.data);
		else
			free(answer);
		answer = whole;
	}
	free(rows.data);
	return answer;
}

static char *take_verify(struct eqt_budgets *budgets, uint64_t id,
			 const struct eqt_budget_caller *caller)
{
	const struct eqt_entry entry = { .request = id };
	char *answer;

	if (!caller->operates(caller->uid))
		return answer_text("error",
				   "only root, SlurmUser and Slurm's operators "
				   "may verify budgets");
	pthread_mutex_lock(&budgets->lock);
	answer = budgets->book || request_find(budgets, id)
			 ? request_add(budgets, &entry, true)
			 : answer_text("ok", "there are no budgets");
	pthread_mutex_unlock(&budgets->lock);
	return answer;
}

/* Return the state of a request. The command repeats this until there is an
 * answer. */
static char *take_status(struct eqt_budgets *budgets, uint64_t id)
{
	char *answer;

	pthread_mutex_lock(&budgets->lock);
	answer = request_answer(budgets, id);
	pthread_mutex_unlock(&budgets->lock);
	return answer;
}

char *eqt_request_take(struct eqt_budgets *budgets, const char *text,
		       const struct eqt_budget_caller *caller)
{
	if (strncmp(text, "list ", 5) == 0)
		return take_list(budgets, strtoull(text + 5, NULL, 10), caller);
	if (strncmp(text, "status ", 7) == 0)
		return take_status(budgets, strtoull(text + 7, NULL, 10));
	if (strncmp(text, "verify ", 7) == 0)
		return take_verify(budgets, strtoull(text + 7, NULL, 10),
				   caller);
	return take_entry(budgets, text, caller);
}

void eqt_request_clear(struct eqt_budgets *budgets)
{
	while (budgets->requests) {
		struct eqt_budget_request *next = budgets->requests->next;

		free(budgets->requests);
		budgets->requests = next;
	}
}
