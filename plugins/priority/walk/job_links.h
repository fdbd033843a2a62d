/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_links: the associations and the QOS to which job records point, and
 * splitting tasks off arrays. A slurmctld that starts sets the QOS pointers of
 * running and waiting jobs. The records of ended jobs have the id only.
 */
#ifndef EQT_JOB_LINKS_H
#define EQT_JOB_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/compat.h"

/* The association with this id, or NULL if it was removed. assoc_mgr's assoc
 * lock is held. */
slurmdb_assoc_rec_t *eqt_job_links_assoc(uint32_t id);

/* The association of an account itself, with its name as Slurm spells it, or
 * NULL if there is none. assoc_mgr's assoc lock is held. */
slurmdb_assoc_rec_t *eqt_job_links_account(const char *account);

/*
 * Does each job with an association point to assoc_mgr's current record of that
 * association? The function takes slurmctld's job lock and assoc_mgr's assoc
 * and user locks for reading. It does not follow the pointers.
 */
bool eqt_job_links_fit(void);

/* The QOS with this id, or NULL if there is none. The caller holds assoc_mgr's
 * QOS lock, and the QOS is valid as long as the lock is held. */
slurmdb_qos_rec_t *eqt_job_links_qos_of_id(uint32_t id);

/* The QOS of a job, including one that ended before slurmctld started. Returns
 * NULL if the job has none. The caller holds assoc_mgr's QOS lock, and the QOS
 * is valid as long as the lock is held. */
slurmdb_qos_rec_t *eqt_job_links_qos(const job_record_t *job);

/* UsageFactor of the job's QOS, or 1 without a QOS. assoc_mgr's QOS lock is
 * held. */
double eqt_job_links_usage_factor(const job_record_t *job);

/* The QOS of the job's partition. Returns NULL if there is none, or if it is
 * the job's own QOS, which is charged anyway. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_job_links_partition_qos(const job_record_t *job);

/* Can one task of a waiting array be split off, so that it gets its own record
 * and another task is left? The job lock is held. */
bool eqt_split_is_possible(const job_record_t *job);

/* Split off the first task of an array. The record becomes that task's record,
 * with a new job id. Returns the new record of the remaining array, which keeps
 * the array's id, or NULL after a failure. The job lock is held for writing. */
job_record_t *eqt_split_take(job_record_t *array);

#endif
