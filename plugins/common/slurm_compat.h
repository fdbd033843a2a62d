/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_compat.h: Slurm's internal headers, and the one place that asks which
 * release they are of. Everything else is written against the names below.
 */
#ifndef EQT_SLURM_COMPAT_H
#define EQT_SLURM_COMPAT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurmdb.h"
#include "slurm/slurm_version.h"

#include "src/common/assoc_mgr.h"
#include "src/common/gres.h"
#include "src/common/hostlist.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/pack.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/site_factor.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_time.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) || \
	SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 6, 0)
#error "equitree supports Slurm 22.05; see docs/ARCHITECTURE.md"
#endif

/*
 * Data that only slurmctld defines. A client (sshare) loads the priority
 * plugin too and has none of it: weak, so that the load succeeds there; no
 * code that touches it runs outside slurmctld.
 */
extern List job_list __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern uint32_t cluster_cpus __attribute__((weak));
extern void *acct_db_conn __attribute__((weak));
extern uint16_t accounting_enforce __attribute__((weak));
extern int slurmctld_tres_cnt __attribute__((weak));

/* Whether a user is a coordinator of an account (NULL: no). No lock of
 * assoc_mgr is held. */
static inline bool eqt_is_coordinator(uint32_t uid, char *account)
{
	return account &&
	       assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account);
}

/* The job's own factors and what is sent to sprio are one type in 22.05. */
typedef priority_factors_object_t eqt_factors_t;

/* Make the texts of what a job holds from its counts, anew; assoc_mgr's TRES
 * lock is held, the job lock for writing. */
static inline void eqt_set_alloc_text(job_record_t *job)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	assoc_mgr_set_job_tres_alloc_str(job, true);
#else
	set_job_tres_alloc_str(job, true);
#endif
}

/* The run-seconds that a QOS counts for one user or account; NULL where it
 * counts none. */
static inline uint64_t *eqt_used_run_secs(slurmdb_used_limits_t *used)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return used->tres_run_secs;
#else
	(void) used;
	return NULL;
#endif
}

#endif
