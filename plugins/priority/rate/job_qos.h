/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_qos: the QOS of a job. A slurmctld that starts finds the QOS of jobs that run
 * or wait, but not of those that have ended: their records have its id alone.
 */
#ifndef EQT_JOB_QOS_H
#define EQT_JOB_QOS_H

#include <stdint.h>

#include "slurm/compat.h"

/* The QOS with this id; NULL if there is none. It is valid as long as assoc_mgr's QOS
 * lock, which the caller holds. */
slurmdb_qos_rec_t *eqt_job_qos_of_id(uint32_t id);

/* The QOS of a job, also of one that ended before slurmctld started; NULL: it has none.
 * Lock and life as above. */
slurmdb_qos_rec_t *eqt_job_qos(const job_record_t *job);

/* UsageFactor of the job's QOS; 1 without one. assoc_mgr's QOS lock is held. */
double eqt_job_qos_factor(const job_record_t *job);

/* The QOS of the job's partition. NULL if it has none, or if it is the job's own QOS,
 * which is charged anyway. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_job_qos_of_partition(const job_record_t *job);

#endif
