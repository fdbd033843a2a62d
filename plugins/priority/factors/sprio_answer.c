/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer to sprio: one object for each job, or one for each partition and
 * QOS that a job may run with. The factors come from the records, where the
 * last pass stored them. */
#include <string.h>
#include <time.h>

#include "factors/sprio_answer.h"
#include "factors/priority.h"
#include "walk/job_table.h"

/* The state of one walk over the jobs. `job` and `part` are those being added
 * to the result. */
struct sprio_query {
	struct eqt_guard *guard;
	const struct eqt_config *config;
	struct eqt_factors_request request;
	/* The request's job ids, and its user ids plus 1, as sets: a list may
	   be long, and each job is looked up in it. */
	struct eqt_job_table job_ids, user_ids;
	/* A list of part_record_t, or NULL for all partitions. */
	list_t *partitions;
	list_t *result;
	time_t now;
	uid_t uid;
	job_record_t *job;
	part_record_t *part;
};

static int number_add(void *number, void *table)
{
	eqt_job_table_set(table, *(uint32_t *) number, 0);
	return 0;
}

/* Add a user's id plus 1, because the table cannot hold the 0 of root. */
static int user_add(void *user, void *table)
{
	eqt_job_table_set(table, *(uint32_t *) user + 1, 0);
	return 0;
}

static int list_has_pointer(void *x, void *key)
{
	return x == key;
}

static bool query_wants(const struct sprio_query *query,
			const job_record_t *job)
{
	if (query->request.job_ids &&
	    !eqt_job_table_has(&query->job_ids, job->job_id))
		return false;
	return !query->request.user_ids ||
	       eqt_job_table_has(&query->user_ids, job->user_id + 1);
}

/* Does sprio show the job? As in Slurm's own plugin, the job must be eligible,
 * not held, not revoked by a federation, and pending. With CALCULATE_RUNNING
 * running jobs are shown as well. */
static bool query_has_rank(const struct sprio_query *query,
			   const job_record_t *job)
{
	uint32_t flags = query->config->flags;
	time_t eligible;

	if (!(flags & PRIORITY_FLAGS_CALCULATE_RUNNING) && !IS_JOB_PENDING(job))
		return false;
	if (IS_JOB_REVOKED(job) || !job->priority || !job->details)
		return false;
	eligible = flags & PRIORITY_FLAGS_ACCRUE_ALWAYS
			   ? job->details->submit_time
			   : job->details->begin_time;
	return eligible && eligible <= query->now;
}

/* May the user see the job? With PrivateData=jobs only its owner, operators,
 * coordinators of the account and holders of the MCS label may. */
static bool query_may_see(const struct sprio_query *query,
			  const job_record_t *job)
{
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS) ||
	    job->user_id == query->uid || validate_operator(query->uid))
		return true;
	if (slurm_mcs_get_privatedata())
		return mcs_g_check_mcs_label(query->uid, job->mcs_label,
					     false) == 0;
	return eqt_is_coordinator(query->uid, job->account);
}

/* Compute the points of TRES again for this partition. If the partition has
 * none of a TRES, stock_compat leaves the points of the first partition there
 * and weights them again, as Slurm does. */
static void factors_set_tres(const struct eqt_config *config,
			     const job_record_t *job, const part_record_t *part,
			     eqt_factors_t *factors)
{
	if (!config->stock.sprio)
		memset(factors->priority_tres, 0,
		       factors->tres_cnt * sizeof(*factors->priority_tres));
	(void) eqt_priority_tres(config, job, part, factors->priority_tres);
}

static void factors_set_choice(const struct sprio_query *query,
			       eqt_factors_t *factors,
			       const slurmdb_qos_rec_t *qos)
{
	const struct eqt_config *config = query->config;

	if (query->job->part_ptr_list) {
		factors->priority_part =
			eqt_priority_partition(config, query->part);
		if (factors->priority_tres)
			factors_set_tres(config, query->job, query->part,
					 factors);
	}
	if (qos)
		factors->priority_qos =
			eqt_priority_qos_of(config, query->job, qos);
}

/* Add the job in query->part with this QOS, or with its own QOS if item is
 * NULL. If an operator has set the priority, that is shown instead of
 * factors. */
static int query_add(void *item, void *arg)
{
	const struct sprio_query *query = arg;
	job_record_t *job = query->job;
	priority_factors_object_t *object =
		eqt_factors_object_new(job, query->part, item);

	if (job->direct_set_prio &&
	    !(EQT_STOCK_SPRIO_HIDES_DIRECT && job->part_ptr_list &&
	      query->config->stock.sprio))
		object->direct_prio = job->priority;
	else
		factors_set_choice(query, eqt_factors_object_copy(object, job),
				   item);
	list_append(query->result, object);
	return 0;
}

static int query_visit_partition(void *item, void *arg)
{
	struct sprio_query *query = arg;
	list_t *qos = eqt_job_qos_list(query->job);

	if (query->partitions &&
	    !list_find_first(query->partitions, list_has_pointer, item))
		return 0;
	query->part = item;
	if (qos)
		list_for_each_ro(qos, query_add, query);
	else
		(void) query_add(NULL, query);
	return 0;
}

static int query_visit_job(void *item, void *arg)
{
	struct sprio_query *query = arg;
	job_record_t *job = item;

	if (!eqt_guard_ok(query->guard, job) || !query_has_rank(query, job) ||
	    !query_wants(query, job) || !query_may_see(query, job))
		return 0;
	query->job = job;
	if (job->part_ptr_list)
		list_for_each_ro(job->part_ptr_list, query_visit_partition,
				 query);
	else if (job->part_ptr)
		(void) query_visit_partition(job->part_ptr, query);
	return 0;
}

/* The partitions in a list separated by commas. Unknown names are ignored. */
static list_t *partitions_named(const char *names)
{
	list_t *found;
	char *copy, *name, *last = NULL;
	part_record_t *part;

	if (!names)
		return NULL;
	found = list_create(NULL);
	copy = xstrdup(names);
	for (name = strtok_r(copy, ",", &last); name;
	     name = strtok_r(NULL, ",", &last))
		if ((part = find_part_record(name)) &&
		    !list_find_first(found, list_has_pointer, part))
			list_append(found, part);
	xfree(copy);
	return found;
}

/* Visit the only job of the request, without a walk over all jobs that would
 * delay other threads. A request for several jobs does walk, because they are
 * shown in the order of the walk. */
static void query_visit_only(struct sprio_query *query)
{
	const uint32_t *id = list_peek(query->request.job_ids);
	job_record_t *job = find_job_record(*id);

	if (job)
		(void) query_visit_job(job, query);
}

static void query_walk(struct sprio_query *query)
{
	query->partitions = partitions_named(query->request.partitions);
	if (query->request.job_ids && list_count(query->request.job_ids) == 1)
		query_visit_only(query);
	else if (job_list)
		list_for_each_ro(job_list, query_visit_job, query);
	FREE_NULL_LIST(query->partitions);
}

static void query_walk_locked(struct sprio_query *query)
{
	slurmctld_lock_t job_lock = {
		.job = READ_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&qos_lock);
	query_walk(query);
	assoc_mgr_unlock(&qos_lock);
	unlock_slurmctld(job_lock);
}

list_t *eqt_sprio_answer_list(struct eqt_guard *guard,
			      const struct eqt_config *config,
			      struct eqt_factors_request request, uid_t uid)
{
	struct sprio_query query = {
		.guard = guard,
		.config = config,
		.request = request,
		.result = list_create(eqt_factors_object_free),
		.now = time(NULL),
		.uid = uid,
	};

	if (request.job_ids)
		list_for_each_ro(request.job_ids, number_add, &query.job_ids);
	if (request.user_ids)
		list_for_each_ro(request.user_ids, user_add, &query.user_ids);
	if (EQT_FACTORS_LOCKED)
		query_walk(&query);
	else
		query_walk_locked(&query);
	eqt_job_table_free(&query.job_ids);
	eqt_job_table_free(&query.user_ids);
	if (!list_count(query.result))
		FREE_NULL_LIST(query.result);
	return query.result;
}
