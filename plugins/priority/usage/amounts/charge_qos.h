/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge_qos: the QOS to which a job is charged, and their UsageFactor. */
#ifndef EQT_CHARGE_QOS_H
#define EQT_CHARGE_QOS_H

#include "slurm/compat.h"

/* UsageFactor of the job's QOS; 1 without one. assoc_mgr's QOS lock is held. */
double eqt_charge_qos_factor(const job_record_t *job);

/* The QOS of the job's partition. NULL if it has none, or if it is the job's own QOS,
 * which is charged anyway. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_charge_qos_of_partition(const job_record_t *job);

#endif
