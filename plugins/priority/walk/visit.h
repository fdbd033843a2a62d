/* SPDX-License-Identifier: GPL-2.0-or-later */
/* visit: what a walk passes to its visitor, and how long a walk holds locks
 * while other threads wait. */
#ifndef EQT_VISIT_H
#define EQT_VISIT_H

#include "slurm/compat.h"

/* ---- How long locks are held while other threads wait ---- */

/* The locks of slurmctld for visiting jobs that are changed. */
#define EQT_WALK_JOB_LOCKS                                              \
	{                                                               \
		.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK \
	}

/* slurmctld's locks are released after this time, in nanoseconds, so that an
 * RPC hardly waits. The whole hold should stay below 2 ms, including the jobs
 * until the next reading of the clock and the jobs that are already
 * prefetched. */
#define EQT_WALK_HOLD_NS 1700000L

/* While slurmctld's locks are held, assoc_mgr's write lock is released after
 * this time, in nanoseconds. Slurm's own ranking of a thousand associations
 * holds it about as long. */
#define EQT_WALK_POST_NS 30000L
/* The number of jobs between two readings of the clock. */
#define EQT_WALK_CLOCK_EVERY 8

/* A walk over associations in slices releases assoc_mgr's write lock after this
 * time, in nanoseconds, so that no job waits for the whole walk. Shorter slices
 * would spend most of their time waiting for memory, because the first
 * associations of a slice are not prefetched yet. */
#define EQT_WALK_ASSOC_NS 700000L

/* ---- Associations in a walk ---- */

/* An association during its visit. As long as the record lives, the pointers
 * stay the same, and a user's association stays a user's. */
struct eqt_assoc_at {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_assoc_usage_t *usage;
	uint32_t id;
	/* The association is a user's, whose leaf_usage equals usage. */
	bool user;
};

typedef void eqt_assoc_visit(const struct eqt_assoc_at *at, void *arg);

/* The fields that a visit uses in addition to struct eqt_assoc_at. The walk
 * prefetches them. */
enum eqt_assoc_parts {
	/* usage_raw and grp_used_wall, usage_tres_raw if there is usage, and
	   leaf_usage of an account. */
	EQT_ASSOC_USED,
	EQT_ASSOC_SAVED, /* EQT_ASSOC_USED and parent_assoc_ptr */
	EQT_ASSOC_RAW, /* usage_raw */
	EQT_ASSOC_RANK, /* The fields of usage that a ranking uses. */
	EQT_ASSOC_PARTS
};

/* The version numbers of the list of associations. */
struct eqt_assoc_state {
	/* A number that changes when the members of the list or their order
	   change. */
	uint64_t order;
	/* A number that also changes when shares or parents change. The cached
	   walk also changes the number if shares or parents may have
	   changed. */
	uint64_t shape;
};

static inline struct eqt_assoc_at eqt_assoc_at_of(slurmdb_assoc_rec_t *assoc)
{
	return (struct eqt_assoc_at){
		.assoc = assoc,
		.usage = assoc->usage,
		.id = assoc->id,
		.user = assoc->user != NULL,
	};
}

#endif
