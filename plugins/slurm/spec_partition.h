/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SPEC_PARTITION_H
#define EQT_SPEC_PARTITION_H

#include "price/job_spec.h"
#include "slurm/candidate_nodes.h"
#include "slurm/compat.h"

/*
 * Add what holds in a partition to what is asked for there: its defaults, CPUs
 * of a core, whole nodes, and the smallest of the nodes that the request could
 * get where one is taken whole. Strings of *ask then live as long as the locks are held: slurmctld's
 * partitions and nodes, for reading.
 */
void eqt_spec_add_partition(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates);

#endif
