/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_memory: what of slurmctld's records a visit of a job reads or writes, to be
 * asked for ahead, as pointer leads to pointer. What is forgotten here costs time
 * and nothing else.
 *
 * The items are job records. slurmctld's job lock is held, and assoc_mgr's assoc
 * lock, for reading at least.
 */
#ifndef EQT_JOB_PREFETCH_H
#define EQT_JOB_PREFETCH_H

#include "walk/prefetch.h"

/* To give it a priority. */
extern const struct eqt_prefetch_plan eqt_job_memory_ranked;

/* To charge it. */
extern const struct eqt_prefetch_plan eqt_job_memory_charged;

#endif
