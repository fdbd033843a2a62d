/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/whole.h"
#include "slurm/compat.h"
#include "slurm/desc_from_job.h"
#include "slurm/spec_field.h"
#include "decide.h"
#include "modify.h"
#include "reading.h"

/* May the author change the job? Slurm checks the same, but only after this
 * call. */
static bool change_is_allowed(const job_record_t *job,
			      const struct eqt_change *change)
{
	if (change->uid == job->user_id)
		return true;
	return eqt_is_coordinator(change->uid, job->account) &&
	       (!change->desc->account ||
		eqt_is_coordinator(change->uid, change->desc->account));
}

bool eqt_modify_is_hold(const job_record_t *job,
			const struct eqt_change *change)
{
	return change->desc->priority == 0 && (validate_operator(change->uid) ||
					       change_is_allowed(job, change));
}

/* Each of these functions copies a field if the field is given, and returns
 * whether it is. */
static bool field_take16(uint16_t *to, uint16_t value)
{
	if (value == NO_VAL16)
		return false;
	*to = value;
	return true;
}

static bool field_take32(uint32_t *to, uint32_t value)
{
	if (value == NO_VAL)
		return false;
	*to = value;
	return true;
}

static bool field_take64(uint64_t *to, uint64_t value)
{
	if (value == NO_VAL64)
		return false;
	*to = value;
	return true;
}

static bool field_take_text(char **to, char *value)
{
	if (!value)
		return false;
	*to = value;
	return true;
}

static bool desc_merge_texts(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool any = field_take_text(&out->account, change->account);

	any |= field_take_text(&out->qos, change->qos);
	any |= field_take_text(&out->clusters, change->clusters);
	any |= field_take_text(&out->partition, change->partition);
	any |= field_take_text(&out->features, change->features);
	any |= field_take_text(&out->prefer, change->prefer);
	any |= field_take_text(&out->req_nodes, change->req_nodes);
	any |= field_take_text(&out->exc_nodes, change->exc_nodes);
	any |= field_take_text(&out->reservation, change->reservation);
	any |= field_take_text(&out->tres_per_job, change->tres_per_job);
	any |= field_take_text(&out->tres_per_node, change->tres_per_node);
	any |= field_take_text(&out->tres_per_socket, change->tres_per_socket);
	any |= field_take_text(&out->tres_per_task, change->tres_per_task);
	any |= field_take_text(&out->cpus_per_tres, change->cpus_per_tres);
	any |= field_take_text(&out->mem_per_tres, change->mem_per_tres);
	return any;
}

static bool desc_merge_counts(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool any = field_take64(&out->pn_min_memory, change->pn_min_memory);

	any |= field_take32(&out->time_limit, change->time_limit);
	any |= field_take32(&out->num_tasks, change->num_tasks);
	any |= field_take32(&out->min_cpus, change->min_cpus);
	any |= field_take32(&out->min_nodes, change->min_nodes);
	any |= field_take32(&out->max_nodes, change->max_nodes);
	any |= field_take16(&out->pn_min_cpus, change->pn_min_cpus);
	any |= field_take16(&out->cpus_per_task, change->cpus_per_task);
	any |= field_take16(&out->ntasks_per_node, change->ntasks_per_node);
	any |= field_take16(&out->ntasks_per_tres, change->ntasks_per_tres);
	any |= field_take16(&out->ntasks_per_core, change->ntasks_per_core);
	any |= field_take16(&out->threads_per_core, change->threads_per_core);
	any |= field_take16(&out->cores_per_socket, change->cores_per_socket);
	any |= field_take16(&out->sockets_per_node, change->sockets_per_node);
	any |= field_take16(&out->shared, change->shared);
	any |= field_take16(&out->contiguous, change->contiguous);
	return any;
}

/* Lower the tasks to those that a new number of CPUs is enough for: up to
 * 24.11.0, slurmctld gives a job these CPUs, whatever its number of tasks
 * says. */
static void desc_lower_tasks(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	const uint64_t each =
		eqt_whole_max(eqt_spec_field16(out->cpus_per_task), 1);
	const uint64_t cpus = eqt_spec_field32(change->min_cpus);

	if (EQT_TASKS_COUNTED == EQT_TASKS_OF_CPUS && cpus > 0 &&
	    change->num_tasks == NO_VAL && out->overcommit != 1 &&
	    eqt_spec_field16(out->ntasks_per_node) == 0 &&
	    eqt_spec_field32(out->num_tasks) > eqt_whole_divide_up(cpus, each))
		out->num_tasks = (uint32_t) eqt_whole_divide_up(cpus, each);
}

/* Apply the change to all fields on which rules and prices depend. Returns
 * false if the change sets none of them. */
static bool desc_merge(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool texts = desc_merge_texts(out, change);
	bool counts = desc_merge_counts(out, change);

	desc_lower_tasks(out, change);
	return counts || texts;
}

/* The job as if it were submitted now. The strings are borrowed from the
 * record, except for the QOS. Numbers that slurmctld filled in as defaults are
 * left out, because the change may lead to other defaults. */
static void desc_from_record(job_desc_msg_t *out, const job_record_t *job,
			     char *qos)
{
	eqt_desc_from_job(out, job);
	out->qos = qos;
	if (!(job->bit_flags & JOB_NTASKS_SET))
		out->num_tasks = NO_VAL;
	if (!(job->bit_flags & JOB_CPUS_SET))
		out->cpus_per_task = NO_VAL16;
}

/* Add the name of a QOS to a list separated by commas, if it fits. */
static int qos_add(void *item, void *list)
{
	const slurmdb_qos_rec_t *qos = item;
	struct eqt_text *text = list;

	if (!qos->name || strlen(qos->name) >= EQT_QOS_SIZE)
		return 0;
	if (text->length > 0)
		eqt_text_put(text, ",");
	eqt_text_put(text, qos->name);
	return 0;
}

/* Copy the names of the record's QOS, separated by commas. The text is empty if
 * the record has none. */
static void qos_copy(struct eqt_text *qos, const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	list_t *several = eqt_job_qos_list(job);

	qos->data[0] = '\0';
	assoc_mgr_lock(&locks);
	if (several && list_count(several) <= EQT_QOS_LIST_MAX)
		(void) list_for_each_ro(several, qos_add, qos);
	else if (job->qos_ptr)
		(void) qos_add(job->qos_ptr, qos);
	assoc_mgr_unlock(&locks);
}

/* Judge the job as the change would leave it. slurmctld's job lock is held, and
 * the strings are borrowed from the record, so nothing is freed. */
static int job_judge(struct eqt_decision *out,
		     const struct eqt_shared_conf *shared,
		     const job_record_t *job, const job_desc_msg_t *change)
{
	char qos[EQT_QOS_LIST_MAX * EQT_QOS_SIZE];
	struct eqt_text names = { .data = qos, .space = sizeof(qos) };
	job_desc_msg_t desc;
	int rc;

	qos_copy(&names, job);
	desc_from_record(&desc, job, qos);
	(void) desc_merge(&desc, change);
	rc = eqt_decide(out, shared, &desc, job->job_id, false);
	if (rc != SLURM_SUCCESS ||
	    !eqt_decide_gives_whole(out, shared->conf, &desc))
		return rc;
	/* Slurm lets only operators change --exclusive of a job. */
	(void) eqt_error_set(&out->refusal,
			     "a job on %" PRIu64 " nodes gets whole ones: "
			     "submit it with --exclusive",
			     out->quote.totals.nodes);
	return ESLURM_ACCOUNTING_POLICY;
}

/* If judging a change took more work than this, the unchanged job is not judged
 * as well. So both together take no longer than the most expensive
 * submission. */
#define WORK_TWICE 3000

/* Would the unchanged job be refused for the same reason? */
static bool job_breaks_same(const struct eqt_shared_conf *shared,
			    const job_record_t *job,
			    const struct eqt_error *refusal)
{
	struct eqt_decision before;
	job_desc_msg_t nothing;

	slurm_init_job_desc_msg(&nothing);
	return job_judge(&before, shared, job, &nothing) != SLURM_SUCCESS &&
	       strcmp(before.refusal.text, refusal->text) == 0;
}

int eqt_modify(struct eqt_decision *out, bool *told,
	       const struct eqt_shared_conf *shared, const job_record_t *job,
	       const struct eqt_change *change)
{
	job_desc_msg_t nothing;
	int rc;

	/* A change cannot affect the price of a running job, and operators may
	   change anything. Slurm alone judges changes on which no rule and no
	   price depends. */
	*told = false;
	slurm_init_job_desc_msg(&nothing);
	if (!IS_JOB_PENDING(job) || !job->details ||
	    !desc_merge(&nothing, change->desc) ||
	    validate_operator(change->uid) || !change_is_allowed(job, change))
		return SLURM_SUCCESS;
	/* Only the change is checked, because Slurm has checked the strings of
	   the record and may have made them longer. */
	if (eqt_reading_too_long(change->desc, &out->refusal)) {
		*told = true;
		return ESLURM_PATHNAME_TOO_LONG;
	}
	rc = job_judge(out, shared, job, change->desc);
	if (rc != SLURM_SUCCESS && out->work <= WORK_TWICE &&
	    job_breaks_same(shared, job, &out->refusal))
		return SLURM_SUCCESS;
	*told = true;
	return rc;
}
