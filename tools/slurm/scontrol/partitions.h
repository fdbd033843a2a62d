/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partitions: the defaults and limits of partitions, from the output of "scontrol show
 * partition". */
#ifndef EQT_SLURM_PARTITIONS_H
#define EQT_SLURM_PARTITIONS_H

#include "job/job_spec.h"
#include "slurm/scontrol/nodes.h"

/* Apply a partition's defaults and its OverSubscribe to a request. "blocks" is passed to
 * eqt_scontrol_partition_whole(). Returns 0, or -1 with err filled if a time or number is
 * invalid. */
int eqt_scontrol_partition_apply(struct eqt_job_spec *spec,
				 const struct eqt_scontrol_record *partition,
				 bool blocks, struct eqt_error *err);

/* The record of the partition with this name, or of the default partition if name is
 * NULL. NULL if there is none. */
const struct eqt_scontrol_record *eqt_scontrol_partition_find(
	const struct eqt_scontrol_records *partitions, const char *name);

/* Does each job of the partition get whole nodes? "blocks" tells whether the topology has
 * blocks from which a job can exclude others, as topology/block has. */
bool eqt_scontrol_partition_whole(const struct eqt_scontrol_record *partition,
				  bool blocks);

/* The CPUs of each GPU by the partition's DefCpuPerGPU, or "otherwise" if it has none. */
uint64_t eqt_scontrol_partition_gpu_cpus(
	const struct eqt_scontrol_record *partition, uint64_t otherwise);

/* The partition's PriorityTier. Slurm's default, 1, if scontrol prints none. */
uint64_t eqt_scontrol_partition_tier(
	const struct eqt_scontrol_record *partition);

#endif
