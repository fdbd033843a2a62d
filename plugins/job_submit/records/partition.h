/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition: slurmctld's record of a partition. Needs Slurm's internal headers;
 * a build without them knows only the defaults of the cluster.
 */
#ifndef EQT_PARTITION_RECORD_H
#define EQT_PARTITION_RECORD_H

#include "slurm/compat.h"

/*
 * The partition of that name, or NULL; Slurm refuses the job then. The caller
 * holds the part lock for reading until the last use of the result. Except for
 * the default partition, the time is proportional to the number of all
 * partitions.
 */
const part_record_t *eqt_partition_find(const char *name);

/* The name of the partition of a job that names none: the partition of its
 * reservation, or else the default one. Returns NULL if there is neither.
 * reservation may be NULL. The name is valid as long as the part lock is
 * held. */
const char *eqt_partition_default(const char *reservation);

/* One slot of an index. The owner of the index sets is_named. */
struct eqt_partition_entry {
	const part_record_t *part; /* NULL marks an empty slot. */
	bool is_named;
};

/* An index of all partitions by name, for many searches. A struct of zeros is
 * an empty index. */
struct eqt_partition_index {
	struct eqt_partition_entry *entry; /* Owned by the index. */
	uint32_t slots; /* A power of two, or 0. */
};

/* Make an index, which the caller closes before releasing the part lock.
 * Returns false if memory is short. The time is proportional to the number of
 * all partitions. */
bool eqt_partition_index_open(struct eqt_partition_index *out);
void eqt_partition_index_close(struct eqt_partition_index *index);

/* The slot that holds the name, or NULL. The search takes constant time. */
struct eqt_partition_entry *eqt_partition_index_find(
	const struct eqt_partition_index *index, const char *name);

#endif
