/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h: Slurm's headers. With the parts in compat/ that it includes, it is the one
 * place that knows the differences between releases. All other code uses the names
 * below, or those of the later release.
 *
 * configure tests the features of the headers; slurm/features.h has 1 or 0 for each
 * (m4/eqt_slurm_features.m4). A version is compared (EQT_SLURM_FROM) only for
 * differences that no header shows, and the comment there names them.
 *
 * Without EQT_HAVE_INTERNAL only the public headers are available.
 */
#ifndef EQT_COMPAT_H
#define EQT_COMPAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurmdb.h"
#include "slurm/slurm_version.h"

#include "slurm/features.h"

#define EQT_SLURM_FROM(major, minor, micro) \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, micro))

/* slurmctld's configuration. libslurmfull defines it; its type is public. */
extern slurm_conf_t slurm_conf;

/* SelectTypeParameters, by the names that slurm.h has since 25.11. */
#if !EQT_HAVE_SELECT_NAMES
#define SELECT_CPU CR_CPU
#define SELECT_SOCKET CR_SOCKET
#define SELECT_LLN CR_LLN
#define SELECT_MEMORY CR_MEMORY
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#endif

/* The id of the job that a description changes; NO_VAL: it is a submission. */
#if EQT_HAVE_DESC_STEP_ID
#define EQT_DESC_JOB_ID(desc) ((desc)->step_id.job_id)
#else
#define EQT_DESC_JOB_ID(desc) ((desc)->job_id)
#endif

/* The tasks that get CPUs, an enum eqt_job_spec_tasks. No header shows it. */
#define EQT_TASKS_COUNTED                                \
	(EQT_SLURM_FROM(25, 11, 0)   ? EQT_TASKS_OF_NODE \
	 : EQT_SLURM_FROM(24, 11, 1) ? EQT_TASKS_OF_JOB  \
				     : EQT_TASKS_OF_CPUS)

/* MaxMemPerCPU: from 24.11.4 on, the CPUs of tasks are raised like those of nodes. No
 * header shows it. */
#define EQT_MEMORY_RAISES_TASKS EQT_SLURM_FROM(24, 11, 4)

/* MaxCPUsPerSocket of a partition, which 22.05 does not know. */
#if EQT_HAVE_MAX_CPUS_PER_SOCKET
#define EQT_MAX_CPUS_PER_SOCKET(part) (part)->max_cpus_per_socket
#else
#define EQT_MAX_CPUS_PER_SOCKET(part) INFINITE
#endif

/* Up to 23.11 slurmctld counts a node as often as --nodelist names it at a submission. No
 * header shows it. */
#define EQT_LIST_COUNTS_NAMES (!EQT_SLURM_FROM(24, 5, 0))

/* From 23.11 on, GPUs have their CPUs for jobs of --overcommit, too. No header shows
 * it. */
#define EQT_GPU_CPUS_STAY EQT_SLURM_FROM(23, 11, 0)

/* A job may get more nodes than it has tasks, for its GPUs: common_topo_choose_nodes()
 * forgets the number of tasks after its first try. */
#define EQT_NODES_PASS_TASKS EQT_SLURM_FROM(24, 5, 0)

/* From 23.02 on, job_modify() can return a message for the user: EQT_JOB_MODIFY_TEXT
 * ends its list of parameters, EQT_JOB_MODIFY_TO is that parameter, or NULL. No public
 * header shows it. */
#define EQT_JOB_MODIFY_HAS_TEXT EQT_SLURM_FROM(23, 2, 0)
#if EQT_JOB_MODIFY_HAS_TEXT
#define EQT_JOB_MODIFY_TEXT , char **err_msg
#define EQT_JOB_MODIFY_TO err_msg
#else
#define EQT_JOB_MODIFY_TEXT
#define EQT_JOB_MODIFY_TO NULL
#endif

/* fini() has no result from 25.11 on: EQT_FINI_TYPE is its type,
 * EQT_FINI_DONE what it returns. No header shows it. */
#if EQT_SLURM_FROM(25, 11, 0)
#define EQT_FINI_TYPE void
#define EQT_FINI_DONE
#else
#define EQT_FINI_TYPE int
#define EQT_FINI_DONE SLURM_SUCCESS
#endif

#ifdef EQT_HAVE_INTERNAL

#include "src/common/assoc_mgr.h"
#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/pack.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_time.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#if EQT_HAVE_INTERFACES
#include "src/interfaces/gres.h"
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"
#else
#include "src/common/gres.h"
#include "src/common/site_factor.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#endif
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"
#if !EQT_HAVE_NODE_FEATURE_T
#include "src/common/node_features.h"
#endif

/* ---- Types ---------------------------------------------------------------- */

#if !EQT_HAVE_LIST_T
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
#endif
#if !EQT_HAVE_JOB_DETAILS_T
typedef struct job_details job_details_t;
#endif

/* ---- Data that only slurmctld defines -------------------------------------- */

/*
 * sshare also loads the priority plugin and does not define these. They are weak so
 * that the load succeeds there; no code that uses them runs outside slurmctld.
 */
extern list_t *job_list __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern time_t last_part_update __attribute__((weak));
extern uint32_t cluster_cpus __attribute__((weak));
extern slurmdb_federation_rec_t *fed_mgr_fed_rec __attribute__((weak));
extern void *acct_db_conn __attribute__((weak));
extern uint16_t accounting_enforce __attribute__((weak));
extern int slurmctld_tres_cnt __attribute__((weak));
extern list_t *active_feature_list __attribute__((weak));
extern list_t *resv_list __attribute__((weak));
extern time_t last_resv_update __attribute__((weak));
extern bitstr_t *avail_node_bitmap __attribute__((weak));
extern bitstr_t *idle_node_bitmap __attribute__((weak));

/* ---- Hooks ---------------------------------------------------------------- */

/*
 * The hook in which the plugin may start its thread. Releases with
 * priority_p_thread_start() (23.11.6) call init() before the jobs are read, with all of
 * slurmctld's locks held. From 23.02 on init() is as early; the first hook that is
 * called after the jobs are read is priority_p_recover(). In earlier releases init()
 * is the only hook.
 */
#define EQT_HAS_THREAD_START EQT_HAVE_THREAD_START
#define EQT_HAS_RECOVER EQT_HAVE_RECOVER

/* Up to 25.05 slurmctld and sshare call a hook for the classic factor, and Slurm's own
 * plugin stores none; later they read it from the association (usage->fs_factor). */
#define EQT_HAS_CALC_FS_FACTOR EQT_HAVE_CALC_FS_FACTOR

/* ---- Functions that changed their names or parameters ------------------------ */

/* The number of nodes. Releases that count them may have empty slots in the table. The
 * count of 23.02 grows with each reconfigure (no header shows it), so the used slots
 * are counted there. The node lock is held. */
static inline uint32_t eqt_slurm_node_count(void)
{
#if EQT_HAVE_ACTIVE_NODES && EQT_SLURM_FROM(23, 11, 0)
	return (uint32_t) active_node_record_count;
#elif EQT_HAVE_ACTIVE_NODES
	uint32_t count = 0;

	for (int at = 0; next_node(&at); at++)
		count++;
	return count;
#else
	return (uint32_t) node_record_count;
#endif
}

/* Slots of the table of nodes, which is also the size of bitmaps of nodes. */
static inline int eqt_slurm_node_slots(void)
{
	return node_record_count;
}

/* Is a user a coordinator of an account (NULL: no)? Takes assoc_mgr's user lock: do not
 * hold it, or one that comes after it. */
static inline bool eqt_is_coordinator(uid_t uid, char *account)
{
	if (!account)
		return false;
#if EQT_HAVE_COORDINATOR_LOCKED
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, false);
#else
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account);
#endif
}

/* Split a task off an array; array_task_id of the record says which. The record becomes
 * that task's, and a new record with the rest of the array is returned. The job lock
 * is held for writing. */
static inline job_record_t *eqt_slurm_array_split(job_record_t *array)
{
#if EQT_HAVE_ARRAY_SPLIT_LIST
	return job_array_split(array, true);
#else
	return job_array_split(array);
#endif
}

/* Format the texts of a job's allocated TRES again from their counts. assoc_mgr's TRES
 * lock is held, the job lock for writing. */
static inline void eqt_set_alloc_text(job_record_t *job)
{
#if EQT_HAVE_ASSOC_MGR_ALLOC_TEXT
	assoc_mgr_set_job_tres_alloc_str(job, true);
#else
	set_job_tres_alloc_str(job, true);
#endif
}

/* Load PrioritySiteFactorPlugin: 0, or -1 if slurmctld must not go on because it would
 * call a plugin that is not loaded. */
static inline int eqt_slurm_site_init(void)
{
#if EQT_HAVE_SITE_FACTOR_G_INIT
	return site_factor_g_init() == SLURM_SUCCESS ? 0 : -1;
#else
	(void) site_factor_plugin_init();
	return 0;
#endif
}

#if EQT_HAVE_SITE_FACTOR_G_INIT
#define eqt_slurm_site_fini() ((void) site_factor_g_fini())
#define eqt_slurm_site_reconfig() ((void) 0)
#else
#define eqt_slurm_site_fini() ((void) site_factor_plugin_fini())
#define eqt_slurm_site_reconfig() ((void) site_factor_g_reconfig())
#endif

#include "slurm/compat/choices.h"
#include "slurm/compat/request.h"
#include "slurm/compat/run_secs.h"
#include "slurm/compat/sprio.h"

#endif /* EQT_HAVE_INTERNAL */

#include "slurm/compat/topology.h"
#endif
