/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_THREADS_PER_CORE_H
#define EQT_THREADS_PER_CORE_H

#include <stdint.h>

#include "slurm/compat.h"

/*
 * The number of Slurm CPUs per core on the first node of a partition; 1 if a CPU is a
 * core, and for NULL. slurmctld's partition and node locks are held for reading.
 */
uint64_t eqt_threads_per_core(const part_record_t *part);

#endif
