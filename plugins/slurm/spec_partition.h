/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SPEC_PARTITION_H
#define EQT_SPEC_PARTITION_H

#include "price/job_spec.h"
#include "slurm/candidate_nodes.h"
#include "slurm/compat.h"

/*
 * Add a partition's settings to a request: its defaults, CPUs per core, whole nodes,
 * and the kinds of nodes that the request could get. Takes no lock; slurmctld's
 * partition and node locks are held for reading, and the strings of *spec are valid
 * while they are.
 */
void eqt_spec_add_partition(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates);

#endif
