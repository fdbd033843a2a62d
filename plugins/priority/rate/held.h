/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held: the part of a job's allocation on some of its nodes. The nodes of a job that has
 * ended become free one by one.
 *
 * Locks: slurmctld's jobs and nodes for reading, assoc_mgr's TRES for reading.
 */
#ifndef EQT_HELD_H
#define EQT_HELD_H

#include <stdint.h>

#include "slurm/compat.h"

/* Set counts[size] to the TRES that the job has on these nodes. A TRES that belongs to no
 * node, such as a license, counts in full. The job must have an allocation
 * (tres_alloc_cnt). */
void eqt_held_counts(uint64_t *counts, uint32_t size, const job_record_t *job,
		     bitstr_t *nodes);

/* The cores that the job has on these nodes. It must have a core bitmap. */
uint64_t eqt_held_cores(const job_record_t *job, bitstr_t *nodes);

#endif
