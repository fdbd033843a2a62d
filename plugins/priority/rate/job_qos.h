/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_qos: the QOS of a job. A slurmctld that starts sets the QOS pointers of
 * running and waiting jobs. The records of ended jobs have the id only.
 */
#ifndef EQT_JOB_QOS_H
#define EQT_JOB_QOS_H

#include <stdint.h>

#include "slurm/compat.h"

/* The QOS with this id, or NULL if there is none. The caller holds assoc_mgr's
 * QOS lock, and the QOS is valid as long as the lock is held. */
slurmdb_qos_rec_t *eqt_job_qos_of_id(uint32_t id);

/* The QOS of a job, including one that ended before slurmctld started. Returns
 * NULL if the job has none. The caller holds assoc_mgr's QOS lock, and the QOS
 * is valid as long as the lock is held. */
slurmdb_qos_rec_t *eqt_job_qos(const job_record_t *job);

/* UsageFactor of the job's QOS, or 1 without a QOS. assoc_mgr's QOS lock is
 * held. */
double eqt_job_qos_factor(const job_record_t *job);

/* The QOS of the job's partition. Returns NULL if there is none, or if it is
 * the job's own QOS, which is charged anyway. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_job_qos_of_partition(const job_record_t *job);

#endif
