/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec_partition: what a partition adds to a request, and whether its jobs get
 * whole nodes. Needs Slurm's internal headers.
 */
#ifndef EQT_SPEC_PARTITION_H
#define EQT_SPEC_PARTITION_H

#include "job/demand_most.h"
#include "job/job_spec.h"
#include "slurm/candidate_nodes.h"
#include "slurm/compat.h"

/*
 * Add a partition's settings to a request: its defaults, the CPUs of a core,
 * whole nodes, and the kinds of nodes that the request could get. The function
 * takes no lock. slurmctld's part and node locks are held for reading, and the
 * strings of *spec are valid as long as they are held.
 */
void eqt_spec_partition_add(struct eqt_job_spec *spec,
			    const part_record_t *part,
			    struct eqt_candidate_nodes *candidates);

/* The time limit, in minutes, of a job that gives none: the partition's default
 * limit, or else its longest limit. Returns EQT_AMOUNT_UNLIMITED for no limit,
 * and 0 if the limit is not known. */
uint64_t eqt_spec_partition_minutes(const part_record_t *part);

/* The CPUs that each GPU brings by the partition's DefCpuPerGPU, or else by the
 * cluster's; 0 if there is none. */
uint64_t eqt_spec_partition_gpu_cpus(const part_record_t *part);

/* The minutes that a job may run beyond its time limit in a partition, or
 * INFINITE. If part is NULL, OverTimeLimit of slurm.conf decides. */
uint32_t eqt_spec_partition_over_minutes(const part_record_t *part);

/* Does every request have the same price in both partitions? The partitions may
 * differ in their default time limits. slurmctld's part and node locks are held
 * for reading. */
bool eqt_spec_partition_same(const part_record_t *a, const part_record_t *b);

/* Find the largest amount of each resource on any node of the cluster. The
 * function visits all nodes. slurmctld's node lock is held for reading. */
void eqt_spec_partition_cluster_most(struct eqt_node_most *most,
				     const struct eqt_bundle_table *prices);

/*
 * The number of Slurm CPUs in a core of the partition's first node. Returns 1
 * if a CPU is a core, and if part is NULL. slurmctld's part and node locks are
 * held for reading.
 */
uint64_t eqt_spec_partition_threads(const part_record_t *part);

/*
 * Does every job of a partition get whole nodes? True for OverSubscribe=EXCLUSIVE, for
 * select/linear (even if jobs share nodes, each is charged for whole ones), and for
 * eqt_spec_partition_keeps_block(). `linear` is the result of eqt_spec_partition_linear().
 */
bool eqt_spec_partition_whole_nodes(const part_record_t *part, bool linear);

/* Does every job of the partition keep other jobs off its block of the
 * topology, and so off the rest of its nodes? It does under
 * ExclusiveTopo=YES. */
bool eqt_spec_partition_keeps_block(const part_record_t *part);

/* Is SelectType=select/linear? It does not change while slurmctld runs. */
bool eqt_spec_partition_linear(void);

#endif
