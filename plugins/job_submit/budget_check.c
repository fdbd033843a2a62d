/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "account.h"
#include "base/amount.h"
#include "base/text.h"
#include "base/whole.h"
#include "budget_check.h"
#include "slurm/budget_link.h"
#include "slurm/spec_partition.h"

/* ---- priority/equitree in the same process ------------------------------------- */

#define PRIORITY_PLUGIN "/priority_equitree.so"

/* A callback that copies the path of the priority plugin, if it is loaded. */
static int link_open(struct dl_phdr_info *info, size_t size, void *arg)
{
	const size_t tail = sizeof(PRIORITY_PLUGIN) - 1;
	const char *path = info->dlpi_name;
	size_t length = path ? strlen(path) : 0;
	char *found = arg;

	(void) size;
	if (length < tail || length >= PATH_MAX ||
	    strcmp(path + length - tail, PRIORITY_PLUGIN) != 0)
		return 0;
	memcpy(found, path, length + 1);
	return 1;
}

/* The priority plugin's table of functions, or NULL. Both plugins are built
 * together, but a site may have replaced only one of them, so a table of
 * another version is not used. */
static const struct eqt_budget_link *link_find(void)
{
	const struct eqt_budget_link *found;
	char path[PATH_MAX] = "";
	void *handle;

	if (!dl_iterate_phdr(link_open, path))
		return NULL;
	/* The handle stays open, because a submission may still run the
	   plugin's code while slurmctld unloads it. */
	handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY);
	if (!handle)
		return NULL;
	found = dlsym(handle, EQT_BUDGET_LINK_SYMBOL);
	return found && found->version == EQT_BUDGET_LINK_VERSION ? found
								  : NULL;
}

/* The table is searched for once, at the first submission, when the priority
 * plugin is already loaded. */
static struct {
	pthread_once_t once;
	const struct eqt_budget_link *link;
} budget_link = { .once = PTHREAD_ONCE_INIT };

static void link_find_once(void)
{
	budget_link.link = link_find();
}

/* The table of functions, or NULL if this slurmctld has no budgets. */
static const struct eqt_budget_link *link_get(void)
{
	pthread_once(&budget_link.once, link_find_once);
	return budget_link.link;
}

static bool link_is_active(void)
{
	const struct eqt_budget_link *found = link_get();

	return found && found->active();
}

/* ---- Submissions ------------------------------------------------------------- */

/* The need of one task in micro-equivalent-seconds: its highest price for its
 * time limit and the `over` minutes that it may run longer. Returns UINT64_MAX
 * for a job without a time limit, which fits into no budget, and 0 for a free
 * job. */
static uint64_t quote_need_u(uint64_t minutes, const struct eqt_price *most,
			     uint32_t over)
{
	uint64_t rate = eqt_frac_round(most->usage, EQT_MICRO, EQT_ROUND_CEIL);
	uint64_t need;

	if (rate == 0)
		return 0;
	if (minutes == 0 || minutes == EQT_AMOUNT_UNLIMITED ||
	    over == INFINITE ||
	    __builtin_mul_overflow(rate, (minutes + over) * 60, &need))
		return UINT64_MAX;
	return need;
}

void eqt_budget_check_note(struct eqt_decision *out,
			   const struct eqt_quote *quote,
			   const struct eqt_reading *reading, size_t number,
			   size_t several)
{
	const uint32_t least = reading->desc->time_min;
	const size_t end = number + several;
	const part_record_t *longest;
	struct eqt_price most, fewest;
	uint32_t over;
	uint64_t need;

	if (!link_is_active())
		return;
	/* The request may name no known partition. */
	longest = number < reading->partitions ? reading->of[number].part
					       : NULL;
	over = eqt_spec_partition_over_minutes(longest);
	for (size_t i = number + 1; i < end && i < reading->partitions; i++) {
		if (eqt_spec_partition_over_minutes(reading->of[i].part) >
		    over) {
			longest = reading->of[i].part;
			over = eqt_spec_partition_over_minutes(longest);
		}
	}
	most = eqt_quote_most(quote);
	need = quote_need_u(quote->minutes, &most, over);
	if (need < out->budget_need_u)
		return;
	out->budget_need_u = need;
	fewest = eqt_quote_most_with_number(quote);
	out->budget_numbered_u = quote_need_u(quote->minutes, &fewest, over);
	out->budget_least_u = need;
	if (least && least != NO_VAL && !reading->desc->array_inx)
		out->budget_least_u = quote_need_u(least, &most, over);
	out->budget_endless = NULL;
	if (over == INFINITE)
		out->budget_endless = longest ? longest->name : "slurm.conf";
	out->budget_gpus = quote->high.gpu_pool;
}

/* Apply the verdict to a request that does not fit: the job gets another QOS,
 * waits, or is refused. Returns SLURM_SUCCESS or the error with which the job
 * is refused. */
static int verdict_do(struct eqt_decision *out, const struct eqt_owner *owner,
		      const struct eqt_budget_verdict *verdict)
{
	char text[EQT_ERROR_SIZE];

	if (verdict->way == EQT_BUDGET_BONUS)
		return eqt_decision_move(out, owner, verdict->text.text,
					 verdict->bonus);
	if (verdict->way == EQT_BUDGET_HOLD &&
	    verdict->answer == EQT_BOOK_LACKS) {
		(void) snprintf(text, sizeof(text), "%.400s; the job waits",
				verdict->text.text);
		eqt_decision_note(out, text);
		return SLURM_SUCCESS;
	}
	out->refusal = verdict->text;
	return ESLURM_ACCOUNTING_POLICY;
}

/* If the request would fit with -N, add that to the text. */
static void number_try(const struct eqt_decision *out,
		       const struct eqt_budget_link *found,
		       const struct eqt_budget_applicant *applicant,
		       struct eqt_error *text)
{
	struct eqt_budget_applicant numbered = *applicant;
	struct eqt_budget_verdict verdict;

	numbered.need_u = numbered.least_u = out->budget_numbered_u;
	found->judge(&verdict, &numbered);
	if (verdict.answer == EQT_BOOK_FITS)
		eqt_decision_name_number(text, out->numbered_nodes);
}

int eqt_budget_check_judge(struct eqt_decision *out,
			   const struct eqt_partition_quote *part_quote)
{
	const struct eqt_budget_link *found;
	struct eqt_budget_applicant applicant;
	struct eqt_budget_verdict verdict;
	struct eqt_owner owner;

	if (!out->priced || !out->budget_need_u || !link_is_active())
		return SLURM_SUCCESS;
	found = link_get();
	owner = eqt_account_owner(out, part_quote);
	applicant = (struct eqt_budget_applicant){
		.uid = owner.uid,
		.account = owner.account,
		.partition = owner.partition,
		.qos = out->qos.name,
		.job = out->job,
		.need_u = out->budget_need_u,
		.least_u = out->budget_least_u,
		.endless = out->budget_endless,
		.tasks = out->quote.array_tasks ? out->quote.array_tasks : 1,
		.gpus = out->budget_gpus,
	};
	found->judge(&verdict, &applicant);
	if ((verdict.answer == EQT_BOOK_LACKS ||
	     verdict.answer == EQT_BOOK_NEVER) &&
	    out->numbered_nodes > 0)
		number_try(out, found, &applicant, &verdict.text);
	out->budgeted = verdict.answer != EQT_BOOK_FREE;
	if (verdict.answer == EQT_BOOK_FITS && verdict.text.text[0])
		eqt_decision_note(out, verdict.text.text);
	if (!out->budgeted || verdict.answer == EQT_BOOK_FITS)
		return SLURM_SUCCESS;
	return verdict_do(out, &owner, &verdict);
}

void eqt_budget_check_announce(job_desc_msg_t *desc,
			       const struct eqt_decision *decision)
{
	struct eqt_amount_tasks tasks = { .count = 1 };
	const struct eqt_budget_link *found = link_get();

	if (!found || !found->active())
		return;
	/* A quote has already counted the tasks. The tasks of a job without a
	   price are counted here, because the job may be held until it has a
	   price. */
	if (decision->priced && decision->quote.array_tasks)
		tasks.count = decision->quote.array_tasks;
	else if (desc->array_inx &&
		 eqt_amount_array_tasks(&tasks, desc->array_inx, 0) < 0)
		tasks.count = 1;
	found->announce(tasks.count);
	/* If the request has a priority, slurmctld does not ask the plugin for
	   one, and no budget would see the job. */
	if (decision->budgeted && desc->priority != NO_VAL && desc->priority)
		desc->priority = NO_VAL;
	eqt_budget_check_stay(desc, decision);
}

/* The pointer to the federation is only tested, never followed: the federation
 * has its own lock, which the caller may not hold. */
void eqt_budget_check_stay(job_desc_msg_t *desc,
			   const struct eqt_decision *decision)
{
	const char *name = slurm_conf.cluster_name;

	if (!decision->budgeted || !fed_mgr_fed_rec || !name)
		return;
	if (desc->clusters && desc->clusters[0] &&
	    !eqt_text_list_has(desc->clusters, name))
		return;
	xfree(desc->clusters);
	desc->clusters = xstrdup(name);
}

void eqt_budget_check_changed(uint32_t job)
{
	if (link_is_active())
		link_get()->changed(job);
}

void eqt_budget_check_held(uint32_t job, bool by_user)
{
	if (link_is_active())
		link_get()->held(job, by_user);
}

/* ---- Requests ------------------------------------------------------------------ */

#define LOOKUPS_MOST 16 /* of associations, in one answer */

/* Slurm finds an association in a hash table of a thousand lists, which are long
 * at a large site. The most records that the lookups of one answer may pass. */
#define LISTS 1000
#define RECORDS_MOST 1600

/* Does the caller have an association with the account of a budget? */
static bool caller_has(const struct eqt_budget_caller *caller,
		       const struct eqt_budget *budget)
{
	const struct eqt_owner owner = { caller->uid, budget->terms.account,
					 NULL };

	return eqt_associations_find(&owner) != NULL;
}

/* Accounts that were looked up for a list. */
struct looked_up {
	const char *account[LOOKUPS_MOST];
	bool has[LOOKUPS_MOST];
	size_t count, most;
};

/* How many accounts one answer may look up. The caller holds assoc_mgr's lock of
 * associations. */
static size_t lookups_most(void)
{
	const int all = assoc_mgr_assoc_list ? list_count(assoc_mgr_assoc_list)
					     : 0;
	const uint64_t each = eqt_whole_max((uint64_t) all / LISTS, 1);

	return eqt_whole_max(1,
			     eqt_whole_min(RECORDS_MOST / each, LOOKUPS_MOST));
}

/* Look up an account, unless it was looked up already. Returns false if there were too
 * many look-ups. */
static bool account_look_up(struct looked_up *looked,
			    const struct eqt_budget_caller *caller,
			    const struct eqt_budget *budget, bool *has)
{
	size_t i = 0;

	while (i < looked->count &&
	       strcmp(looked->account[i], budget->terms.account) != 0)
		i++;
	if (i == looked->most)
		return false;
	if (i == looked->count) {
		looked->account[i] = budget->terms.account;
		looked->has[i] = caller_has(caller, budget);
		looked->count++;
	}
	*has = looked->has[i];
	return true;
}

/* Set which budgets the caller may see as a user of the account. */
static size_t caller_sees(const struct eqt_budget_caller *caller,
			  const struct eqt_budget *budgets, size_t count,
			  bool *seen)
{
	assoc_mgr_lock_t locks = EQT_ASSOCIATIONS_LOCKS;
	struct looked_up looked = { .count = 0 };
	size_t i = 0;

	assoc_mgr_lock(&locks);
	looked.most = lookups_most();
	while (i < count && (seen[i] || account_look_up(&looked, caller,
							&budgets[i], &seen[i])))
		i++;
	assoc_mgr_unlock(&locks);
	return i;
}

bool eqt_budget_check_request(const job_desc_msg_t *desc, uint32_t uid,
			      char **answer)
{
	const size_t length = sizeof(EQT_BUDGET_COMMENT) - 1;
	const struct eqt_budget_link *found;
	const struct eqt_budget_caller caller = {
		.uid = uid,
		.operates = validate_operator,
		.sees = caller_sees,
	};

	if (!desc->comment ||
	    strncmp(desc->comment, EQT_BUDGET_COMMENT, length) != 0)
		return false;
	found = link_get();
	if (!found) {
		*answer = strdup("error slurmctld has no budgets: they need "
				 "PriorityType=priority/equitree");
		return true;
	}
	*answer = found->request(desc->comment + length, &caller);
	return true;
}
