/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge_qos: the QOS that a job is charged to, and their UsageFactor. */
#ifndef EQT_CHARGE_QOS_H
#define EQT_CHARGE_QOS_H

#include "slurm/compat.h"

/* UsageFactor of the job's QOS; 1 without one. assoc_mgr's QOS lock is held. */
double eqt_charge_qos_factor(const job_record_t *job);

/* The QOS of the job's partition; NULL when it has none, or when it is the
 * job's own and counts already. assoc_mgr's QOS lock is held. */
slurmdb_qos_rec_t *eqt_charge_qos_of_partition(const job_record_t *job);

#endif
