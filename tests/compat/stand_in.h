/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stand_in: differences between releases that only the stand-in slurmctld of the
 * tests needs. Only it includes this file, after compat.h. */
#ifndef EQT_COMPAT_STAND_IN_H
#define EQT_COMPAT_STAND_IN_H

#include "slurm/compat.h"

/* The hook that answers sprio, and a call of it for all jobs. */
typedef list_t *eqt_factors_hook_t(EQT_FACTORS_PARAMETERS);

#if EQT_HAVE_FACTORS_REQUEST
#define EQT_FACTORS_ASK(hook, uid) \
	(hook)(&(priority_factors_request_msg_t){ 0 }, uid)
#else
#define EQT_FACTORS_ASK(hook, uid) (hook)(uid)
#endif

static inline list_t *eqt_factors_ask(eqt_factors_hook_t *hook, uid_t uid)
{
#if EQT_FACTORS_LOCKED
	slurmctld_lock_t job_lock = {
		.job = READ_LOCK,
		.node = READ_LOCK,
		.part = READ_LOCK,
	};
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	list_t *answer;

	lock_slurmctld(job_lock);
	assoc_mgr_lock(&qos_lock);
	answer = EQT_FACTORS_ASK(hook, uid);
	assoc_mgr_unlock(&qos_lock);
	unlock_slurmctld(job_lock);
	return answer;
#else
	return EQT_FACTORS_ASK(hook, uid);
#endif
}

/* The hook that is called when a job changes, and a call of it. *text gets its message
 * for the user, if this release has one. */
typedef int eqt_job_modify_t(job_desc_msg_t *desc, job_record_t *job,
			     uint32_t uid EQT_JOB_MODIFY_TEXT);

static inline int eqt_job_modify_call(eqt_job_modify_t *hook,
				      job_desc_msg_t *desc, job_record_t *job,
				      uint32_t uid, char **text)
{
#if EQT_JOB_MODIFY_HAS_TEXT
	return hook(desc, job, uid, text);
#else
	(void) text;
	return hook(desc, job, uid);
#endif
}

/* The kind of update that assoc_mgr gets when the usage of a QOS is set to 0. */
#if EQT_HAVE_UPDATE_QOS_USAGE
#define EQT_QOS_USAGE_RESET SLURMDB_UPDATE_QOS_USAGE
#else
#define EQT_QOS_USAGE_RESET SLURMDB_REMOVE_QOS_USAGE
#endif

/* May a job name several QOS? */
#define EQT_HAS_QOS_LIST EQT_HAVE_JOB_QOS_LIST

/* Let the job run with each QOS of the list, which is sorted and belongs to the job
 * from now on; false if this release does not support that. */
static inline bool eqt_job_qos_list_set(job_record_t *job, list_t *list)
{
#if EQT_HAS_QOS_LIST
	list_sort(list, priority_sort_qos_desc);
	job->qos_list = list;
	return true;
#else
	(void) job;
	(void) list;
	return false;
#endif
}

static inline void eqt_slurm_node_count_set(int count)
{
#if EQT_HAVE_ACTIVE_NODES
	active_node_record_count = count;
#endif
	node_record_count = count;
}

/* Set the number of nodes, for tests in which only their number matters. In releases
 * where the plugin counts the slots of the table (eqt_slurm_node_count), each slot gets
 * a node. */
static inline void eqt_slurm_nodes_number(int count)
{
#if EQT_HAVE_ACTIVE_NODES && !EQT_SLURM_FROM(23, 11, 0)
	const int before = node_record_count;

	if (count > before)
		xrecalloc(node_record_table_ptr, (size_t) count,
			  sizeof(*node_record_table_ptr));
	for (int at = before; at < count; at++) {
		node_record_table_ptr[at] = xcalloc(1, sizeof(node_record_t));
		node_record_table_ptr[at]->index = (uint32_t) at;
	}
#endif
	eqt_slurm_node_count_set(count);
}

/* The run-seconds that a QOS counts for an account or a user; earlier releases have the
 * field, by another name, but do not fill it. */
#if EQT_HAVE_USED_RUN_SECS
#define EQT_USED_RUN_SECS(limits) ((limits)->tres_run_secs)
#else
#define EQT_USED_RUN_SECS(limits) ((limits)->tres_run_mins)
#endif

/* Set the folder of assoc_mgr's state; later releases read it from slurm_conf. */
static inline void eqt_assoc_args_set_location(assoc_init_args_t *args,
					       char **location)
{
#if EQT_HAVE_ASSOC_ARGS_LOCATION
	args->state_save_location = location;
#else
	(void) args;
	(void) location;
#endif
}

/* Set the position of an association in slurmdbd's order of the tree, in releases that
 * have it. */
static inline void eqt_assoc_set_left(slurmdb_assoc_rec_t *assoc, uint32_t left)
{
#if EQT_HAVE_ASSOC_LFT
	assoc->lft = left;
#else
	(void) assoc;
	(void) left;
#endif
}

/* job_array_split(): later releases say whether the new record goes into job_list. */
#if EQT_HAVE_ARRAY_SPLIT_LIST
#define EQT_ARRAY_SPLIT_PARAMETERS(job) \
	job_record_t *job, bool listed __attribute__((unused))
#else
#define EQT_ARRAY_SPLIT_PARAMETERS(job) job_record_t *job
#endif

/* Set the id of a new job. Job records also have a step id, which sprio's answer
 * contains from 26.05 on. */
static inline void eqt_job_set_id(job_record_t *job, uint32_t id)
{
	job->job_id = id;
#if EQT_HAVE_FACTORS_STEP_ID
	job->step_id.job_id = id;
	job->step_id.step_id = NO_VAL;
	job->step_id.step_het_comp = NO_VAL;
#endif
}

/* The value of slurm_daemon that makes running_in_slurmctld() true; earlier releases
 * compare the name in the log instead. */
#if EQT_HAVE_DAEMON_NAMES
#define EQT_IS_SLURMCTLD IS_SLURMCTLD
#else
#define EQT_IS_SLURMCTLD 0
#endif

/* From 23.11 on, a reconfigure ends the plugin and starts a new process. No header
 * shows it. */
#define EQT_RECONFIGURE_RESTARTS EQT_SLURM_FROM(23, 11, 0)

#endif
