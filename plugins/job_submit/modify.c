/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "slurm/desc_from_job.h"
#include "modify.h"
#include "reading.h"

/* Whether a change is Slurm's to take: its own check comes after ours. */
static bool has_say(const job_record_t *job, const struct eqt_change *change)
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
	return change->desc->priority == 0 &&
	       (validate_operator(change->uid) || has_say(job, change));
}

/* Each takes over a field that is given, and tells whether it was. */
static bool take16(uint16_t *to, uint16_t value)
{
	if (value == NO_VAL16)
		return false;
	*to = value;
	return true;
}

static bool take32(uint32_t *to, uint32_t value)
{
	if (value == NO_VAL)
		return false;
	*to = value;
	return true;
}

static bool take64(uint64_t *to, uint64_t value)
{
	if (value == NO_VAL64)
		return false;
	*to = value;
	return true;
}

static bool take_text(char **to, char *value)
{
	if (!value)
		return false;
	*to = value;
	return true;
}

static bool merge_texts(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool any = take_text(&out->account, change->account);

	any |= take_text(&out->qos, change->qos);
	any |= take_text(&out->clusters, change->clusters);
	any |= take_text(&out->partition, change->partition);
	any |= take_text(&out->features, change->features);
	any |= take_text(&out->prefer, change->prefer);
	any |= take_text(&out->req_nodes, change->req_nodes);
	any |= take_text(&out->exc_nodes, change->exc_nodes);
	any |= take_text(&out->reservation, change->reservation);
	any |= take_text(&out->tres_per_job, change->tres_per_job);
	any |= take_text(&out->tres_per_node, change->tres_per_node);
	any |= take_text(&out->tres_per_socket, change->tres_per_socket);
	any |= take_text(&out->tres_per_task, change->tres_per_task);
	any |= take_text(&out->cpus_per_tres, change->cpus_per_tres);
	any |= take_text(&out->mem_per_tres, change->mem_per_tres);
	return any;
}

static bool merge_counts(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool any = take64(&out->pn_min_memory, change->pn_min_memory);

	any |= take32(&out->time_limit, change->time_limit);
	any |= take32(&out->num_tasks, change->num_tasks);
	any |= take32(&out->min_cpus, change->min_cpus);
	any |= take32(&out->min_nodes, change->min_nodes);
	any |= take32(&out->max_nodes, change->max_nodes);
	any |= take16(&out->pn_min_cpus, change->pn_min_cpus);
	any |= take16(&out->cpus_per_task, change->cpus_per_task);
	any |= take16(&out->ntasks_per_node, change->ntasks_per_node);
	any |= take16(&out->ntasks_per_tres, change->ntasks_per_tres);
	any |= take16(&out->ntasks_per_core, change->ntasks_per_core);
	any |= take16(&out->threads_per_core, change->threads_per_core);
	any |= take16(&out->cores_per_socket, change->cores_per_socket);
	any |= take16(&out->sockets_per_node, change->sockets_per_node);
	any |= take16(&out->shared, change->shared);
	any |= take16(&out->contiguous, change->contiguous);
	return any;
}

/* Put the change over the job, of all that rules and prices are about; false
 * when it changes nothing of that. */
static bool merge(job_desc_msg_t *out, const job_desc_msg_t *change)
{
	bool texts = merge_texts(out, change);

	return merge_counts(out, change) || texts;
}

/* The job as if it were submitted now; the strings are the record's, but for the QOS.
 * What a default has filled in nobody has said, and the change may make it another. */
static void from_record(job_desc_msg_t *out, const job_record_t *job, char *qos)
{
	eqt_desc_from_job(out, job);
	out->qos = qos;
	if (!(job->bit_flags & JOB_NTASKS_SET))
		out->num_tasks = NO_VAL;
	if (!(job->bit_flags & JOB_CPUS_SET))
		out->cpus_per_task = NO_VAL16;
}

/* Add a QOS to a list with commas, if it fits. */
static int add_qos(void *item, void *list)
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

/* The record's QOS, or several with commas; "" where it has none. */
static void copy_qos(struct eqt_text *qos, const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	list_t *several = eqt_job_qos_list(job);

	qos->data[0] = '\0';
	assoc_mgr_lock(&locks);
	if (several && list_count(several) <= EQT_QOS_LIST_MAX)
		(void) list_for_each_ro(several, add_qos, qos);
	else if (job->qos_ptr)
		(void) add_qos(job->qos_ptr, qos);
	assoc_mgr_unlock(&locks);
}

/* Decide about the job as the change would leave it. slurmctld's job lock is held, and the
 * strings of desc are the record's: nothing is freed. */
static int judge(struct eqt_decision *out, const struct eqt_shared_conf *shared,
		 const job_record_t *job, const job_desc_msg_t *change)
{
	char qos[EQT_QOS_LIST_MAX * EQT_QOS_SIZE];
	struct eqt_text names = { .data = qos, .space = sizeof(qos) };
	job_desc_msg_t desc;
	int rc;

	copy_qos(&names, job);
	from_record(&desc, job, qos);
	(void) merge(&desc, change);
	rc = eqt_decide(out, shared, &desc, job->job_id, false);
	if (rc != SLURM_SUCCESS ||
	    !eqt_decide_gives_whole(out, shared->conf, &desc))
		return rc;
	/* Slurm lets operators alone change that of a job. */
	(void) eqt_error_set(&out->refusal,
			     "a job on %" PRIu64 " nodes gets whole ones: "
			     "submit it with --exclusive",
			     out->quote.totals.nodes);
	return ESLURM_ACCOUNTING_POLICY;
}

/* Judging a change of any job takes no longer than judging the dearest submission:
 * beyond this the job as it is is not judged, too. */
#define WORK_TWICE 3000

/* Whether the job, as it is, would be refused for the very same. */
static bool was_so(const struct eqt_shared_conf *shared,
		   const job_record_t *job, const struct eqt_error *refusal)
{
	struct eqt_decision before;
	job_desc_msg_t nothing;

	slurm_init_job_desc_msg(&nothing);
	return judge(&before, shared, job, &nothing) != SLURM_SUCCESS &&
	       strcmp(before.refusal.text, refusal->text) == 0;
}

int eqt_modify(struct eqt_decision *out, bool *told,
	       const struct eqt_shared_conf *shared, const job_record_t *job,
	       const struct eqt_change *change)
{
	job_desc_msg_t nothing;
	int rc;

	/* A running job cannot be repriced by a change of its request, and operators may change
	 * what they like. What is not of rules and prices is Slurm's alone. */
	*told = false;
	slurm_init_job_desc_msg(&nothing);
	if (!IS_JOB_PENDING(job) || !job->details ||
	    !merge(&nothing, change->desc) || validate_operator(change->uid) ||
	    !has_say(job, change))
		return SLURM_SUCCESS;
	/* Those of the record Slurm has checked; its own may be a little longer. */
	if (eqt_reading_too_long(change->desc, &out->refusal)) {
		*told = true;
		return ESLURM_PATHNAME_TOO_LONG;
	}
	rc = judge(out, shared, job, change->desc);
	if (rc != SLURM_SUCCESS && out->work <= WORK_TWICE &&
	    was_so(shared, job, &out->refusal))
		return SLURM_SUCCESS;
	*told = true;
	return rc;
}
