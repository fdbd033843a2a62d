/* SPDX-License-Identifier: GPL-2.0-or-later */
/* desc_from_job: makes the description of a job from its record, as if it were submitted now. */
#ifndef EQT_DESC_FROM_JOB_H
#define EQT_DESC_FROM_JOB_H

#include "slurm/compat.h"

/*
 * Copy the request of a job (with details) at its submission or last update. It is the same
 * that the submission plugin saw, except for the number of array tasks, and for --core-spec
 * and --spread-job, which slurmctld has put into other members. The QOS is left out, since
 * a record may have several. The strings of *desc are borrowed from the record, so nothing
 * is to be freed. slurmctld's jobs are locked for reading.
 */
void eqt_desc_from_job(job_desc_msg_t *desc, const job_record_t *job);

#endif
