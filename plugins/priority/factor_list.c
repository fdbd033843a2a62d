/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <time.h>

#include "factor_list.h"
#include "guard.h"
#include "points.h"

/* One walk over the jobs. */
struct query {
	const struct eqt_settings *settings;
	const priority_factors_request_msg_t *request;
	List partitions; /* part_record_t *; NULL: all */
	List result;
	time_t now;
	uid_t uid;
};

static int is_number(void *x, void *key)
{
	return *(uint32_t *) x == *(uint32_t *) key;
}

static int is_pointer(void *x, void *key)
{
	return x == key;
}

static bool asked_for(const struct query *query, job_record_t *job)
{
	if (query->request->job_id_list &&
	    !list_find_first(query->request->job_id_list, is_number,
			     &job->job_id))
		return false;
	return !query->request->uid_list ||
	       list_find_first(query->request->uid_list, is_number,
			       &job->user_id);
}

/* Pending, eligible, not held, not a federation's copy elsewhere. */
static bool has_rank(const struct query *query, const job_record_t *job)
{
	uint32_t flags = query->settings->flags;
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

static bool may_see(const struct query *query, const job_record_t *job)
{
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS) ||
	    job->user_id == query->uid || validate_operator(query->uid))
		return true;
	if (slurm_mcs_get_privatedata())
		return mcs_g_check_mcs_label(query->uid, job->mcs_label,
					     false) == 0;
	return assoc_mgr_is_user_acct_coord(acct_db_conn, query->uid,
					    job->account);
}

/* Stock leaves the points of the first partition, weighted again, where this
 * one has nothing of a TRES. */
static void set_tres_points(const struct eqt_settings *settings,
			    const job_record_t *job, const part_record_t *part,
			    priority_factors_object_t *object)
{
	if (!settings->stock.sprio)
		memset(object->priority_tres, 0,
		       object->tres_cnt * sizeof(*object->priority_tres));
	(void) eqt_points_tres(settings, job, part, object->priority_tres);
}

static void add(const struct query *query, job_record_t *job,
		part_record_t *part)
{
	priority_factors_object_t *object;

	if (query->partitions &&
	    !list_find_first(query->partitions, is_pointer, part))
		return;
	object = xmalloc(sizeof(*object));
	if (job->direct_set_prio &&
	    !(job->part_ptr_list && query->settings->stock.sprio)) {
		object->direct_prio = job->priority;
	} else if (job->prio_factors) {
		slurm_copy_priority_factors_object(object, job->prio_factors);
		if (job->part_ptr_list)
			object->priority_part =
				eqt_points_partition(query->settings, part);
		if (job->part_ptr_list && object->priority_tres)
			set_tres_points(query->settings, job, part, object);
	}
	object->job_id = job->job_id;
	object->partition = part->name;
	object->user_id = job->user_id;
	list_append(query->result, object);
}

static int visit(void *item, void *arg)
{
	job_record_t *job = item;
	const struct query *query = arg;
	ListIterator iterator;
	part_record_t *part;

	if (!eqt_guard_ok(job) || !has_rank(query, job) ||
	    !asked_for(query, job) || !may_see(query, job))
		return 0;
	if (!job->part_ptr_list) {
		if (job->part_ptr)
			add(query, job, job->part_ptr);
		return 0;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((part = list_next(iterator)))
		add(query, job, part);
	list_iterator_destroy(iterator);
	return 0;
}

/* The partitions named in a comma list; unknown names match nothing. */
static List find_partitions(const char *names)
{
	List found;
	char *copy, *name, *last = NULL;
	part_record_t *part;

	if (!names)
		return NULL;
	found = list_create(NULL);
	copy = xstrdup(names);
	for (name = strtok_r(copy, ",", &last); name;
	     name = strtok_r(NULL, ",", &last))
		if ((part = find_part_record(name)))
			list_append(found, part);
	xfree(copy);
	return found;
}

List eqt_factor_list(const struct eqt_settings *settings,
		     priority_factors_request_msg_t *request, uid_t uid)
{
	slurmctld_lock_t locks = {
		.job = READ_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	struct query query = {
		.settings = settings,
		.request = request,
		.result = list_create(slurm_destroy_priority_factors_object),
		.now = time(NULL),
		.uid = uid,
	};

	lock_slurmctld(locks);
	query.partitions = find_partitions(request->partitions);
	if (job_list)
		list_for_each_ro(job_list, visit, &query);
	unlock_slurmctld(locks);
	FREE_NULL_LIST(query.partitions);
	if (!list_count(query.result))
		FREE_NULL_LIST(query.result);
	return query.result;
}
