/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SPEC_PARTITION_H
#define EQT_SPEC_PARTITION_H

#include "job/demand_most.h"
#include "job/job_spec.h"
#include "slurm/candidate_nodes.h"
#include "slurm/compat.h"

/*
 * Add a partition's settings to a request: its defaults, CPUs per core, whole nodes,
 * and the kinds of nodes that the request could get. Takes no lock; slurmctld's
 * partition and node locks are held for reading, and the strings of *spec are valid
 * while they are.
 */
void eqt_spec_partition_add(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates);

/* The time limit of a job without one in a partition: its default, or its longest;
 * EQT_AMOUNT_UNLIMITED, or 0: not known. */
uint64_t eqt_spec_partition_minutes(const part_record_t *part);

/* The minutes that a job may run beyond its time limit in a partition (NULL: by slurm.conf
 * alone), or INFINITE. */
uint32_t eqt_spec_partition_over_minutes(const part_record_t *part);

/* Does each request have the same price in both partitions? Only default time limits may differ.
 * Same locks as above. */
bool eqt_spec_partition_same(const part_record_t *a, const part_record_t *b);

/* For each resource, find the largest amount on any node of the cluster. Visits all nodes.
 * slurmctld's node lock is held for reading. */
void eqt_spec_partition_cluster_most(struct eqt_node_most *most,
				     const struct eqt_bundle_table *prices);

/*
 * The number of Slurm CPUs per core on the first node of a partition; 1 if a CPU is a
 * core, and for NULL. slurmctld's partition and node locks are held for reading.
 */
uint64_t eqt_spec_partition_threads(const part_record_t *part);

#endif
