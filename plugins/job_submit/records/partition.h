/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partition: slurmctld's record of a partition. Needs Slurm's internal headers;
 * a build without them has only the defaults of the cluster.
 */
#ifndef EQT_PARTITION_RECORD_H
#define EQT_PARTITION_RECORD_H

#include "slurm/compat.h"

/*
 * The partition of that name, or NULL: Slurm refuses the job. The caller holds the part
 * lock for reading until the last use of the result. Takes time in proportion to the
 * number of all partitions, unless it is the default one.
 */
const part_record_t *eqt_partition_find(const char *name);

/* The name of the partition of a job that names none: that of its reservation (NULL:
 * none), or the default one; or NULL. Lives as long as the part lock is held. */
const char *eqt_partition_default(const char *reservation);

/* One partition of an index; the owner of the index sets is_named. */
struct eqt_partition_entry {
	const part_record_t *part; /* NULL: an empty slot */
	bool is_named;
};

/* All partitions by their names, for many searches. {0} has none. */
struct eqt_partition_index {
	struct eqt_partition_entry *entry; /* owned */
	uint32_t slots; /* a power of two, or 0 */
};

/* Make an index, which the caller closes before it releases the part lock; false if memory
 * is short. Takes time in proportion to the number of all partitions. */
bool eqt_partition_index_open(struct eqt_partition_index *out);
void eqt_partition_index_close(struct eqt_partition_index *index);

/* The entry of a name, or NULL; in constant time. */
struct eqt_partition_entry *eqt_partition_index_find(
	const struct eqt_partition_index *index, const char *name);

#endif
