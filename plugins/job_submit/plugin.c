/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_equitree: print the price of each submission, refuse submissions
 * that break a rule, and choose the account of a pool.
 *
 * slurmctld calls job_submit() with its conf, job, node and part locks held at
 * least for reading. Later releases call it from several threads at the same
 * time. No error ends the daemon. The plugin changes only the account, the QOS,
 * --exclusive for whole nodes, and the priority and the clusters of jobs that
 * draw on budgets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/log.h"
#include "slurm/compat.h"
#include "budget_check.h"
#include "decide.h"
#include "message/het_sum.h"
#ifdef EQT_HAVE_INTERNAL
#include "modify.h"
#endif
#include "message/user_msg.h"
#include "account.h"
#include "reading.h"
#include "conf_swap.h"

const char plugin_name[] = "equitree: the price of a submission";
const char plugin_type[] = "job_submit/equitree";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

struct job_record;

/* All state that outlives a submission. It has file scope because slurmctld
 * passes no argument of ours to the hooks. */
static struct {
	struct eqt_conf_swap conf; /* the configuration in force */
	struct eqt_het_sums het_sums;
} state = { .conf = EQT_CONF_SWAP, .het_sums = EQT_HET_SUMS_NONE };

int init(void);
EQT_FINI_TYPE fini(void);
int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg);
int job_modify(job_desc_msg_t *job_desc, struct job_record *job_ptr,
	       uint32_t submit_uid EQT_JOB_MODIFY_TEXT);

/* Log an error for keys of equitree.conf that this build does not support. */
static void pools_warn(void)
{
#ifndef EQT_HAVE_INTERNAL
	const struct eqt_shared_conf *shared = eqt_conf_swap_get(&state.conf);

	if (eqt_pools_any(&shared->conf->pools))
		eqt_log_error("pools need a build with Slurm's internal "
			      "headers: accounts stay as they are");
	eqt_conf_swap_put(shared);
#endif
}

/* If equitree.conf has an error, slurmctld does not start. */
int init(void)
{
	struct eqt_error err;

	if (eqt_conf_swap_init(&state.conf, &err) < 0) {
		eqt_log_error("%s", err.text);
		return SLURM_ERROR;
	}
	pools_warn();
	return SLURM_SUCCESS;
}

EQT_FINI_TYPE fini(void)
{
	eqt_conf_swap_fini(&state.conf);
	return EQT_FINI_DONE;
}

/* Add the price of an accepted submission to the message. `sum` is the sum of
 * this component and the components before it. */
static void message_add_price(struct eqt_user_msg *notice,
			      const struct eqt_decision *decision,
			      const struct eqt_het_sum *sum,
			      enum eqt_message message)
{
	char text[EQT_ERROR_SIZE];
	const struct eqt_quote *quote = &decision->quote;

	if (message == EQT_MESSAGE_OFF)
		return;
	if (decision->priced)
		eqt_user_msg_add_price(notice, quote,
				       message == EQT_MESSAGE_FULL);
	/* Slurm will refuse a request that lacks nodes. The price gives the
	   reason, so nothing else is added. */
	if (decision->priced && quote->lack)
		return;
	/* Without a price the account is not printed, because Slurm usually
	   refuses such a request. */
	if (decision->priced && decision->account[0]) {
		(void) snprintf(text, sizeof(text), "charged to account %s",
				decision->account);
		eqt_user_msg_add(notice, text);
	}
	if (eqt_het_sum_text(sum, text, sizeof(text)))
		eqt_user_msg_add(notice, text);
	eqt_user_msg_add(notice, decision->note.text);
}

/*
 * Send the message to the user. The function is not inlined, so that it uses
 * the same pages of the stack as the judgement before it. slurmctld starts a
 * new thread for each submission, and each page of its stack that is touched
 * costs time.
 */
static __attribute__((noinline)) void message_send(
	const struct eqt_decision *decision, const struct eqt_het_sum *sum,
	int rc, enum eqt_message message, char **err_msg)
{
	struct eqt_user_msg notice;

	eqt_user_msg_start(&notice);
	if (rc != SLURM_SUCCESS)
		eqt_user_msg_add(&notice, decision->refusal.text);
	else
		message_add_price(&notice, decision, sum, message);
	eqt_user_msg_send(&notice, err_msg);
}

/* The text of equitree.conf, for hosts that do not have the file of this
 * cluster. */
static char *conf_answer(const struct eqt_shared_conf *shared)
{
	static const char ok[] = "ok\n";
	size_t length;
	char *answer;

	if (!shared->text)
		return strdup("error equitree.conf is not for all to read");
	length = strlen(shared->text);
	if (length > EQT_CONF_ANSWER_MAX)
		return strdup("error equitree.conf is too large to be sent");
	answer = malloc(sizeof(ok) + length);
	if (answer) {
		memcpy(answer, ok, sizeof(ok) - 1);
		memcpy(answer + sizeof(ok) - 1, shared->text, length + 1);
	}
	return answer;
}

/* Answer a request of the command equitree, which comes as a submission. The
 * submission is refused with the answer as its error text, so that no job is
 * created. */
static int plugin_answer(const struct eqt_shared_conf *shared,
			 const job_desc_msg_t *desc, uint32_t uid,
			 char **err_msg)
{
	char *answer = NULL;

	if (desc->comment && strcmp(desc->comment, EQT_CONF_COMMENT) == 0)
		answer = conf_answer(shared);
	else if (!eqt_budget_check_request(desc, uid, &answer))
		return SLURM_SUCCESS;
	eqt_user_msg_raw(answer ? answer : "error out of memory", err_msg);
	free(answer);
	return ESLURM_NOT_SUPPORTED;
}

/* Judge a submission. If it needs so many nodes that it gets whole ones, judge
 * it again with --exclusive. */
static int submission_judge(struct eqt_decision *decision,
			    const struct eqt_shared_conf *shared,
			    job_desc_msg_t *desc, bool advise)
{
	int rc = eqt_decide(decision, shared, desc, 0, advise);

	/* The second test is for requests that need more nodes than the first
	   partition has. */
	if (!decision->whole &&
	    (rc != SLURM_SUCCESS ||
	     !eqt_decide_gives_whole(decision, shared->conf, desc)))
		return rc;
	desc->shared = JOB_SHARED_NONE;
	return eqt_decide(decision, shared, desc, 0, advise);
}

int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg)
{
	const struct eqt_shared_conf *shared = eqt_conf_swap_get(&state.conf);
	struct eqt_het_sum sum = { .components = 0 };
	struct eqt_decision decision;
	enum eqt_message message;
	int rc;

	if (!shared)
		return SLURM_SUCCESS;
	rc = plugin_answer(shared, job_desc, submit_uid, err_msg);
	if (rc != SLURM_SUCCESS) {
		eqt_conf_swap_put(shared);
		return rc;
	}
	message = eqt_user_msg_choose(shared->conf, job_desc);
	rc = ESLURM_PATHNAME_TOO_LONG;
	if (!eqt_reading_too_long(job_desc, &decision.refusal))
		rc = submission_judge(&decision, shared, job_desc,
				      message != EQT_MESSAGE_OFF);
	if (rc == SLURM_SUCCESS) {
		eqt_account_apply(job_desc, &decision);
		eqt_budget_check_announce(job_desc, &decision);
		sum = eqt_het_sum_add(&state.het_sums, job_desc,
				      decision.priced ? &decision.quote : NULL);
	}
	message_send(&decision, &sum, rc, message, err_msg);
	eqt_conf_swap_put(shared);
	return rc;
}

/* Judge a change of a job. A build without Slurm's internal headers cannot read
 * job records and checks nothing. */
static int change_judge(job_desc_msg_t *job_desc,
			const struct job_record *job_ptr, uint32_t submit_uid,
			char **err_msg)
{
#ifdef EQT_HAVE_INTERNAL
	const struct eqt_change change = { job_desc, submit_uid };
	const struct eqt_shared_conf *shared = eqt_conf_swap_get(&state.conf);
	struct eqt_decision decision;
	struct eqt_user_msg notice;
	bool told;
	int rc;

	if (eqt_modify_is_hold(job_ptr, &change))
		eqt_budget_check_held(job_ptr->job_id,
				      !validate_operator(submit_uid));
	else
		eqt_budget_check_changed(job_ptr->job_id);
	if (!shared)
		return SLURM_SUCCESS;
	rc = eqt_modify(&decision, &told, shared, job_ptr, &change);
	if (told && rc != SLURM_SUCCESS) {
		eqt_log_info("a change of job %u is refused: %s",
			     job_ptr->job_id, decision.refusal.text);
		eqt_user_msg_start(&notice);
		eqt_user_msg_add(&notice, decision.refusal.text);
		if (err_msg)
			eqt_user_msg_send(&notice, err_msg);
	} else if (told) {
		eqt_account_apply(job_desc, &decision);
		/* Other changes do not affect the job's siblings on other
		   clusters. */
		if (job_ptr->fed_details &&
		    (job_desc->clusters || job_desc->account))
			eqt_budget_check_stay(job_desc, &decision);
	}
	eqt_conf_swap_put(shared);
	return rc;
#else
	(void) job_desc;
	(void) job_ptr;
	(void) submit_uid;
	(void) err_msg;
	return SLURM_SUCCESS;
#endif
}

/* In 22.05 the user gets only the number of an error, so the reason is
 * logged. */
int job_modify(job_desc_msg_t *job_desc, struct job_record *job_ptr,
	       uint32_t submit_uid EQT_JOB_MODIFY_TEXT)
{
	return change_judge(job_desc, job_ptr, submit_uid, EQT_JOB_MODIFY_TO);
}
