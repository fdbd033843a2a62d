/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_compat.h: Slurm's headers, and the one place that asks which release
 * they are of. Everything else is written against the names below, which are
 * those of the later release.
 *
 * Without EQT_HAVE_INTERNAL only the public headers are at hand.
 */
#ifndef EQT_SLURM_COMPAT_H
#define EQT_SLURM_COMPAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurmdb.h"
#include "slurm/slurm_version.h"

#define EQT_SLURM_IS(major, minor)                                     \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0) && \
	 SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(major, minor, 256))
#define EQT_SLURM_FROM(major, minor, micro) \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, micro))

/* job_modify() has a text for the user as well; EQT_JOB_MODIFY_TEXT ends its
 * list of parameters. */
#if EQT_SLURM_FROM(23, 2, 0)
#define EQT_JOB_MODIFY_TEXT , char **err_msg __attribute__((unused))
#else
#define EQT_JOB_MODIFY_TEXT
#endif

#ifdef EQT_HAVE_INTERNAL

#if !EQT_SLURM_IS(22, 5) && !EQT_SLURM_IS(24, 11)
#error "equitree knows the internals of Slurm 22.05 and 24.11; see docs/ARCHITECTURE.md"
#endif

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
#if EQT_SLURM_FROM(23, 2, 0)
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

/* ---- Types ---------------------------------------------------------------- */

#if !EQT_SLURM_FROM(24, 11, 0)
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
typedef struct job_details job_details_t;
#endif

/* The factors that a job record keeps. 22.05 has one type for these and for
 * what is sent to sprio. */
#if EQT_SLURM_FROM(23, 2, 0)
typedef priority_factors_t eqt_factors_t;
#else
typedef priority_factors_object_t eqt_factors_t;
#endif

/* ---- Data that only slurmctld defines -------------------------------------- */

/*
 * A client (sshare) loads the priority plugin too and has none of it: weak, so
 * that the load succeeds there; no code that touches it runs outside slurmctld.
 */
extern list_t *job_list __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern time_t last_part_update __attribute__((weak));
extern uint32_t cluster_cpus __attribute__((weak));
extern void *acct_db_conn __attribute__((weak));
extern uint16_t accounting_enforce __attribute__((weak));
extern int slurmctld_tres_cnt __attribute__((weak));

/* ---- Hooks ---------------------------------------------------------------- */

/*
 * 23.11 and later call priority_p_thread_start() when the plugin may start
 * threads, and init() before there are jobs, with all of slurmctld's locks
 * held. Before, init() is the only call.
 */
#define EQT_HAS_THREAD_START EQT_SLURM_FROM(23, 11, 0)

/*
 * What sprio asks for: up to 23.11 slurmctld's plugin chooses the jobs, later
 * sprio does it itself. EQT_FACTORS_PARAMETERS are those of the hook,
 * EQT_FACTORS_REQUEST is the request or NULL. Later releases call the hook
 * with slurmctld's job, node and part locks and assoc_mgr's QOS lock held for
 * reading (EQT_FACTORS_LOCKED), earlier ones with none.
 */
struct eqt_factors_request {
	list_t *job_ids; /* uint32_t *; NULL: all */
	list_t *user_ids; /* uint32_t *; NULL: all */
	const char *partitions; /* names, by comma; NULL: all */
};

#if EQT_SLURM_FROM(24, 5, 0)
#define EQT_FACTORS_PARAMETERS uid_t uid
#define EQT_FACTORS_REQUEST          \
	(struct eqt_factors_request) \
	{                            \
		0                    \
	}
#define EQT_FACTORS_LOCKED 1
#else
#define EQT_FACTORS_PARAMETERS \
	priority_factors_request_msg_t *request, uid_t uid
#define EQT_FACTORS_REQUEST                       \
	(struct eqt_factors_request)              \
	{                                         \
		.job_ids = request->job_id_list,  \
		.user_ids = request->uid_list,    \
		.partitions = request->partitions \
	}
#define EQT_FACTORS_LOCKED 0
#endif

/* ---- What is sent to sprio ------------------------------------------------- */

/*
 * An object of the list for sprio, of a job in a partition with a QOS (that of
 * the job: NULL). Its texts are the records' own; eqt_factors_object_free()
 * frees the rest.
 */
static inline priority_factors_object_t *eqt_factors_object_new(
	const job_record_t *job, const part_record_t *part,
	const slurmdb_qos_rec_t *qos)
{
	priority_factors_object_t *object = xmalloc(sizeof(*object));

	object->job_id = job->job_id;
	object->partition = part->name;
	object->user_id = job->user_id;
#if EQT_SLURM_FROM(24, 5, 0)
	if (!qos)
		qos = job->qos_ptr;
	object->account = job->account;
	object->qos = qos ? qos->name : NULL;
#else
	(void) qos;
#endif
	return object;
}

/* The object's factors, a copy of the job's; what is not there is all 0. */
static inline eqt_factors_t *eqt_factors_object_copy(
	priority_factors_object_t *object, const job_record_t *job)
{
#if EQT_SLURM_FROM(23, 2, 0)
	object->prio_factors = xmalloc(sizeof(*object->prio_factors));
	if (job->prio_factors)
		slurm_copy_priority_factors(object->prio_factors,
					    job->prio_factors);
	return object->prio_factors;
#else
	priority_factors_object_t own = *object;

	if (!job->prio_factors)
		return object;
	slurm_copy_priority_factors_object(object, job->prio_factors);
	object->job_id = own.job_id;
	object->partition = own.partition;
	object->user_id = own.user_id;
	return object;
#endif
}

static inline void eqt_factors_object_free(void *item)
{
#if EQT_SLURM_FROM(24, 5, 0)
	priority_factors_object_t *object = item;

	slurm_destroy_priority_factors(object->prio_factors);
	xfree(object);
#else
	slurm_destroy_priority_factors_object(item);
#endif
}

/* ---- Jobs in several partitions, or with several QOS ------------------------ */

/* The QOS that a job may run with, if it named several; from 24.05 on. */
static inline list_t *eqt_job_qos_list(const job_record_t *job)
{
#if EQT_SLURM_FROM(24, 5, 0)
	return job->qos_list;
#else
	(void) job;
	return NULL;
#endif
}

/* Put a job's partitions in the order of their tier, where slurmctld does not
 * do it. */
static inline void eqt_job_partitions_sort(const job_record_t *job)
{
#if !EQT_SLURM_FROM(23, 2, 0)
	list_sort(job->part_ptr_list, priority_sort_part_tier);
#else
	(void) job;
#endif
}

/*
 * The priorities that slurmctld's schedulers read of a job: one for each of
 * its partitions and, within it, for each of its QOS. There is room for count;
 * one that had less, or was made before the partitions changed, is made anew
 * with zeros. A job that has but one (count 0) has no array: NULL.
 */
static inline uint32_t *eqt_job_priorities(job_record_t *job, size_t count)
{
#if EQT_SLURM_FROM(24, 11, 7)
	priority_mult_t **kept = &job->prio_mult;
#elif EQT_SLURM_FROM(24, 5, 0)
	priority_mult_t **kept = &job->part_prio;
#endif
#if EQT_SLURM_FROM(24, 5, 0)
	if (count == 0) {
		if (*kept) {
			xfree((*kept)->priority_array);
			xfree((*kept)->priority_array_names);
			xfree(*kept);
		}
		return NULL;
	}
	if (!*kept)
		*kept = xmalloc(sizeof(**kept));
	if (!(*kept)->priority_array ||
	    (*kept)->last_update < last_part_update ||
	    xsize((*kept)->priority_array) < count * sizeof(uint32_t)) {
		xfree((*kept)->priority_array);
		xfree((*kept)->priority_array_names);
		if (job->part_ptr_list)
			(*kept)->priority_array_names =
				part_list_to_xstr(job->part_ptr_list);
		(*kept)->priority_array = xcalloc(count, sizeof(uint32_t));
		(*kept)->last_update = time(NULL);
	}
	return (*kept)->priority_array;
#else
	if (count == 0)
		return NULL;
	if (job->priority_array &&
	    xsize(job->priority_array) < count * sizeof(uint32_t))
		xfree(job->priority_array);
	if (!job->priority_array)
		job->priority_array = xcalloc(count + 1, sizeof(uint32_t));
	return job->priority_array;
#endif
}

/* ---- Limits ----------------------------------------------------------------- */

/*
 * A QOS also counts the run-seconds of each account and of each user, from
 * 24.05 on; before, both are NULL. The job's association is not NULL.
 * assoc_mgr's QOS lock is held for writing.
 */
struct eqt_run_secs {
	uint64_t *account;
	uint64_t *user;
};

static inline struct eqt_run_secs eqt_run_secs_of(slurmdb_qos_rec_t *qos,
						  const job_record_t *job)
{
	struct eqt_run_secs secs = { NULL, NULL };

#if EQT_SLURM_FROM(24, 5, 0)
	secs.account =
		acct_policy_get_acct_used_limits(&qos->usage->acct_limit_list,
						 job->assoc_ptr->acct)
			->tres_run_secs;
	secs.user = acct_policy_get_user_used_limits(
			    &qos->usage->user_limit_list, job->user_id)
			    ->tres_run_secs;
#else
	(void) qos;
	(void) job;
#endif
	return secs;
}

/* ---- Functions that changed their names or parameters ------------------------ */

/* Nodes that there are; later releases have slots without one. */
static inline uint32_t eqt_slurm_node_count(void)
{
#if EQT_SLURM_FROM(23, 2, 0)
	return (uint32_t) active_node_record_count;
#else
	return (uint32_t) node_record_count;
#endif
}

/* Takes assoc_mgr's user lock. */
static inline bool eqt_slurm_is_coordinator(uid_t uid, char *account)
{
#if EQT_SLURM_FROM(23, 11, 0)
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, false);
#else
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account);
#endif
}

#if EQT_SLURM_FROM(23, 2, 0)
#define eqt_slurm_site_init() ((void) site_factor_g_init())
#define eqt_slurm_site_fini() ((void) site_factor_g_fini())
#define eqt_slurm_site_reconfig() ((void) 0)
#else
#define eqt_slurm_site_init() ((void) site_factor_plugin_init())
#define eqt_slurm_site_fini() ((void) site_factor_plugin_fini())
#define eqt_slurm_site_reconfig() ((void) site_factor_g_reconfig())
#endif

#endif /* EQT_HAVE_INTERNAL */
#endif
