/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partitions: the defaults and limits of partitions, from the output of "scontrol show
 * partition". */
#ifndef EQT_SLURM_PARTITIONS_H
#define EQT_SLURM_PARTITIONS_H

#include "job/job_spec.h"
#include "slurm/scontrol/nodes.h"

/* Apply a partition's defaults and its OverSubscribe to the request; blocks as
 * eqt_scontrol_partition_whole() has it. 0, or -1 with err filled: an invalid time or
 * number. */
int eqt_scontrol_partition_apply(struct eqt_job_spec *ask,
				 const struct eqt_scontrol_record *partition,
				 bool blocks, struct eqt_error *err);

/* The record of that name (NULL: of the default partition), or NULL. */
const struct eqt_scontrol_record *eqt_scontrol_partition_find(
	const struct eqt_scontrol_records *partitions, const char *name);

/* Does each job of the partition get whole nodes? blocks: the topology has blocks that a job
 * can keep others off, as topology/block has. */
bool eqt_scontrol_partition_whole(const struct eqt_scontrol_record *partition,
				  bool blocks);

#endif
