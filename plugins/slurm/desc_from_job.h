/* SPDX-License-Identifier: GPL-2.0-or-later */
/* desc_from_job: makes a job description from a job record, as if the job were
 * submitted now. */
#ifndef EQT_DESC_FROM_JOB_H
#define EQT_DESC_FROM_JOB_H

#include "slurm/compat.h"

/*
 * Copy the request of a job as it was at the submission or the last update. The
 * record must have details.
 *
 * The description equals the one that the submission plugin saw, except for the
 * number of array tasks and for --core-spec and --spread-job, which slurmctld
 * stores in other members. The QOS is left out, because a record may have
 * several. *desc borrows its strings from the record, so the caller frees
 * nothing. slurmctld's job lock is held for reading.
 */
void eqt_desc_from_job(job_desc_msg_t *desc, const job_record_t *job);

#endif
