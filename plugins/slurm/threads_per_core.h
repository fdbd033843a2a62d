/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_THREADS_PER_CORE_H
#define EQT_THREADS_PER_CORE_H

#include <stdint.h>

#include "slurm/compat.h"

/*
 * How many of Slurm's CPUs make a core on the nodes of a partition, as its
 * first node has it; 1 where a CPU is a core, and for NULL. slurmctld's
 * partitions and nodes are locked for reading.
 */
uint64_t eqt_threads_per_core(const part_record_t *part);

#endif
