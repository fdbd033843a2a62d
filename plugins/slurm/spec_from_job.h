/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spec_from_job: the job specification of a job's record. */
#ifndef EQT_SPEC_FROM_JOB_H
#define EQT_SPEC_FROM_JOB_H

#include "slurm/compat.h"
#include "job/job_spec.h"

/*
 * Copy what a job (with details) asked for when it was submitted or updated
 * last: the same as the submission plugin saw, but for the partition's
 * defaults, which eqt_spec_add_partition() adds, and the number of array tasks. The
 * strings of *spec are borrowed from the record. slurmctld's jobs and conf are
 * locked for reading.
 */
void eqt_spec_from_job(struct eqt_job_spec *spec, const job_record_t *job);

#endif
