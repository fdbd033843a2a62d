/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stand_in: what only the stand-in slurmctld of the tests needs to know of a
 * release. Included by it alone, after compat.h. */
#ifndef EQT_COMPAT_STAND_IN_H
#define EQT_COMPAT_STAND_IN_H

#include "slurm/compat.h"

/* The hook that answers sprio, and a question to it for all jobs. */
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

/* The hook that is asked when a job changes, and a call of it; text is where
 * its words for the user go, if it can have any. */
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

/* What assoc_mgr is told when the usage of a QOS is set to 0. */
#if EQT_HAVE_UPDATE_QOS_USAGE
#define EQT_QOS_USAGE_RESET SLURMDB_UPDATE_QOS_USAGE
#else
#define EQT_QOS_USAGE_RESET SLURMDB_REMOVE_QOS_USAGE
#endif

/* Whether a job may name several QOS. */
#define EQT_HAS_QOS_LIST EQT_HAVE_JOB_QOS_LIST

/* The job may run with each of the list, which is its own from now on and put
 * in order; false when this release knows no such thing. */
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

/* So many nodes of which nothing but their number is of interest. Where the
 * plugin counts the table's slots (eqt_slurm_node_count), each has a node. */
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

/* One more node of a line of slurm.conf, at the end of the table. */
static inline node_record_t *eqt_slurm_node_create(config_record_t *line,
						   char *name)
{
#if EQT_HAVE_NODE_CREATE_RESULT
	node_record_t *node = NULL;

	(void) create_node_record(line, name, &node);
	return node;
#else
	return create_node_record(line, name);
#endif
}

/* What a QOS counts for an account or a user; earlier releases have room for
 * it, by another name, but count nothing. */
#if EQT_HAVE_USED_RUN_SECS
#define EQT_USED_RUN_SECS(limits) ((limits)->tres_run_secs)
#else
#define EQT_USED_RUN_SECS(limits) ((limits)->tres_run_mins)
#endif

/* Where assoc_mgr keeps its state; later releases ask slurm_conf. */
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

/* Where an association stands in slurmdbd's order of the tree, for the releases
 * that ask. */
static inline void eqt_assoc_set_left(slurmdb_assoc_rec_t *assoc, uint32_t left)
{
#if EQT_HAVE_ASSOC_LFT
	assoc->lft = left;
#else
	(void) assoc;
	(void) left;
#endif
}

/* Name a new job: job records also have what names a step, and sprio's answer
 * has that from 26.05 on. */
static inline void eqt_job_set_id(job_record_t *job, uint32_t id)
{
	job->job_id = id;
#if EQT_HAVE_FACTORS_STEP_ID
	job->step_id.job_id = id;
	job->step_id.step_id = NO_VAL;
	job->step_id.step_het_comp = NO_VAL;
#endif
}

/* What slurmctld's variable slurm_daemon says, which makes
 * running_in_slurmctld() true; earlier releases go by the name in the log. */
#if EQT_HAVE_DAEMON_NAMES
#define EQT_IS_SLURMCTLD IS_SLURMCTLD
#else
#define EQT_IS_SLURMCTLD 0
#endif

/* From 23.11 on a reconfigure ends the plugin and begins a new process, which no
 * header shows. */
#define EQT_RECONFIGURE_RESTARTS EQT_SLURM_FROM(23, 11, 0)

#endif
