/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h: Slurm's headers. Only this file and the files of compat/ that it
 * includes know the differences between releases. All other code uses the names
 * below, or the names of the latest release.
 *
 * configure tests the headers for features and writes 1 or 0 for each to
 * slurm/features.h (m4/eqt_slurm_features.m4). EQT_SLURM_FROM compares
 * versions. It is used only where a release changed its behaviour but not its
 * headers.
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

/* slurmctld's configuration, which libslurmfull defines. Its type is public. */
extern slurm_conf_t slurm_conf;

/* Bits of SelectTypeParameters, under the names that slurm.h has had since
 * 25.11. */
#if !EQT_HAVE_SELECT_NAMES
#define SELECT_CPU CR_CPU
#define SELECT_SOCKET CR_SOCKET
#define SELECT_LLN CR_LLN
#define SELECT_MEMORY CR_MEMORY
#define SELECT_ONE_TASK_PER_CORE CR_ONE_TASK_PER_CORE
#endif

/* The id of the job that a description changes, or NO_VAL if the description is
 * a submission. */
#if EQT_HAVE_DESC_STEP_ID
#define EQT_DESC_JOB_ID(desc) ((desc)->step_id.job_id)
#else
#define EQT_DESC_JOB_ID(desc) ((desc)->job_id)
#endif

/* The tasks for which slurmctld allocates CPUs, as an enum
 * eqt_job_spec_tasks. */
#define EQT_TASKS_COUNTED                                \
	(EQT_SLURM_FROM(25, 11, 0)   ? EQT_TASKS_OF_NODE \
	 : EQT_SLURM_FROM(24, 11, 1) ? EQT_TASKS_OF_JOB  \
				     : EQT_TASKS_OF_CPUS)

/* From 24.11.4 on, MaxMemPerCPU raises the CPUs of a task in the same way as
 * the CPUs of a node. */
#define EQT_MEMORY_RAISES_TASKS EQT_SLURM_FROM(24, 11, 4)

/* MaxCPUsPerSocket of a partition. 22.05 has no such limit. */
#if EQT_HAVE_MAX_CPUS_PER_SOCKET
#define EQT_MAX_CPUS_PER_SOCKET(part) (part)->max_cpus_per_socket
#else
#define EQT_MAX_CPUS_PER_SOCKET(part) INFINITE
#endif

/* Up to 23.11, slurmctld counts a node of a submission as often as --nodelist
 * names it. */
#define EQT_LIST_COUNTS_NAMES (!EQT_SLURM_FROM(24, 5, 0))

/* From 23.02 on, a job gets as many nodes as it wants of a --nodelist that names
 * more. Before, it gets all of them. */
#define EQT_LISTS_CHOOSE EQT_SLURM_FROM(23, 2, 0)

/* From 23.11 on, a job with --overcommit also gets the CPUs that come with its
 * GPUs. */
#define EQT_GPU_CPUS_STAY EQT_SLURM_FROM(23, 11, 0)

/* From 24.05 on, a job may get more nodes than it has tasks, because of its
 * GPUs: common_topo_choose_nodes() forgets the number of tasks after its first
 * attempt. Each node of a job with --gpus has at least one (gres_sched_add()). */
#define EQT_NODES_PASS_TASKS EQT_SLURM_FROM(24, 5, 0)

/* From 25.05 on, --spread-job takes a node of each weight
 * (_add_nodes_by_weight_spread()). */
#define EQT_SPREADS_BY_WEIGHT EQT_SLURM_FROM(25, 5, 0)

/* From 23.02 on, job_modify() can return a message for the user.
 * EQT_JOB_MODIFY_TEXT is the last parameter of that hook, and EQT_JOB_MODIFY_TO
 * is the pointer to the message, or NULL in 22.05. No public header declares
 * the hook. */
#define EQT_JOB_MODIFY_HAS_TEXT EQT_SLURM_FROM(23, 2, 0)
#if EQT_JOB_MODIFY_HAS_TEXT
#define EQT_JOB_MODIFY_TEXT , char **err_msg
#define EQT_JOB_MODIFY_TO err_msg
#else
#define EQT_JOB_MODIFY_TEXT
#define EQT_JOB_MODIFY_TO NULL
#endif

/* From 25.11 on, fini() returns nothing. EQT_FINI_TYPE is its return type, and
 * EQT_FINI_DONE is the value that it returns. No header declares fini(). */
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
 * Variables that sshare, which also loads the priority plugin, does not define.
 * They are weak so that sshare can load the plugin. No code that uses them runs
 * outside slurmctld.
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
 * The hook in which the plugin may start its thread.
 *
 * Releases with priority_p_thread_start() (from 23.11.6 on) call init() before
 * the jobs are read, while all of slurmctld's locks are held. 23.02 calls
 * init() as early, but has no such hook; there priority_p_recover() is the
 * first hook after the jobs are read. In 22.05 init() is the only hook.
 */
#define EQT_HAS_THREAD_START EQT_HAVE_THREAD_START
#define EQT_HAS_RECOVER EQT_HAVE_RECOVER

/* Up to 25.05, slurmctld and sshare call a hook for the classic fair-share
 * factor, and Slurm's own plugin does not store the factor. Later releases read
 * it from the association (usage->fs_factor). */
#define EQT_HAS_CALC_FS_FACTOR EQT_HAVE_CALC_FS_FACTOR

/* ---- Functions that changed their names or parameters ------------------------ */

/* The number of nodes. From 23.02 on, the table of nodes may have empty slots.
 * In 23.02 Slurm's own count grows with each reconfigure, so this function
 * counts the used slots instead. The node lock is held. */
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

/* The number of slots in the table of nodes, which is also the size of each
 * node bitmap. */
static inline int eqt_slurm_node_slots(void)
{
	return node_record_count;
}

/* Is the user a coordinator of the account? Returns false if account is NULL.
 * The function takes assoc_mgr's user lock, so the caller must not hold that
 * lock or one that comes after it. */
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

/* Split one task off an array. array_task_id of the record selects the task.
 * The record becomes that task's record, and the function returns a new record
 * with the rest of the array. The job lock is held for writing. */
static inline job_record_t *eqt_slurm_array_split(job_record_t *array)
{
#if EQT_HAVE_ARRAY_SPLIT_LIST
	return job_array_split(array, true);
#else
	return job_array_split(array);
#endif
}

/* Format again the text forms of a job's allocated TRES after their counts
 * changed. The job lock is held for writing, and assoc_mgr's TRES lock is
 * held. */
static inline void eqt_set_alloc_text(job_record_t *job)
{
#if EQT_HAVE_ASSOC_MGR_ALLOC_TEXT
	assoc_mgr_set_job_tres_alloc_str(job, true);
#else
	set_job_tres_alloc_str(job, true);
#endif
}

/* Load PrioritySiteFactorPlugin. Returns 0, or -1 if the plugin failed to load;
 * slurmctld must not go on then, because it would call that plugin. */
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
