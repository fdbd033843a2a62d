/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition: slurmctld's record of a partition. Needs Slurm's internal headers;
 * a build without them has only the defaults of the cluster.
 */
#ifndef EQT_PARTITION_RECORD_H
#define EQT_PARTITION_RECORD_H

#include "slurm/compat.h"

/*
 * The partition of that name, or NULL: Slurm refuses the job. The part lock is
 * held for reading, until its last use. Takes time in proportion to all
 * partitions, unless it is the default one.
 */
const part_record_t *eqt_partition_find(const char *name);

/* The default partition's name, or NULL. Lives as long as the part lock is
 * held. */
const char *eqt_partition_default(void);

#endif
