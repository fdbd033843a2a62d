/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_prefetch: the fields of slurmctld's records that a visit of a job uses, by levels
 * of pointers. A field that is missing here costs only time.
 *
 * The items are job records. slurmctld's job lock is held, and assoc_mgr's assoc
 * lock, for reading at least.
 */
#ifndef EQT_JOB_PREFETCH_H
#define EQT_JOB_PREFETCH_H

#include "walk/prefetch.h"

/* For a visit that sets the priority. */
extern const struct eqt_prefetch_plan eqt_job_prefetch_ranked;

/* For a visit that charges the job. */
extern const struct eqt_prefetch_plan eqt_job_prefetch_charged;

#endif
