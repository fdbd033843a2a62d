/* SPDX-License-Identifier: GPL-2.0-or-later */
/* visit: what a walk shows to its visitor, and how long it holds locks while others wait. */
#ifndef EQT_VISIT_H
#define EQT_VISIT_H

#include "slurm/compat.h"

/* ---- How long locks are held while others wait ------------------------------------- */

/* slurmctld's locks to visit jobs that are changed. */
#define EQT_WALK_JOB_LOCKS                                              \
	{                                                               \
		.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK \
	}

/* slurmctld's locks are released after this time, so that an RPC hardly waits. The whole
 * hold should stay below 2 ms, including the jobs until the next look at the clock and the
 * jobs already prefetched. */
#define EQT_WALK_HOLD_NS 1700000L

/* Within that, assoc_mgr's write lock is released after this time. For comparison:
 * Slurm's own ranking of a thousand associations holds it about as long. */
#define EQT_WALK_POST_NS 30000L
#define EQT_WALK_CLOCK_EVERY 8 /* jobs between two looks at the clock */

/* A walk over associations in slices releases the write lock after this time, so that no job
 * waits for the whole walk. Shorter slices would spend most of their time waiting for memory,
 * because the first associations of a slice are not prefetched yet. */
#define EQT_WALK_ASSOC_NS 700000L

/* ---- Associations as a walk shows them ---------------------------------------------- */

/* An association during its visit. The pointers, and whether it is a user, stay the same
 * as long as the record lives. */
struct eqt_assoc_at {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_assoc_usage_t *usage;
	uint32_t id;
	bool user; /* leaf_usage is usage */
};

typedef void eqt_assoc_visit(const struct eqt_assoc_at *at, void *arg);

/* Fields that a visit uses besides struct eqt_assoc_at, which are prefetched for it. */
enum eqt_assoc_parts {
	EQT_ASSOC_USED, /* usage_raw and grp_used_wall; usage_tres_raw if
			   there is usage; leaf_usage of an account */
	EQT_ASSOC_RAW, /* usage_raw */
	EQT_ASSOC_RANK, /* the fields of usage that a ranking uses */
	EQT_ASSOC_PARTS
};

/* Version numbers of the list of associations. */
struct eqt_assoc_state {
	uint64_t order; /* changes with the members or their order */
	uint64_t shape; /* changes with shares and parents, too; the cached walk
			   also changes it if it cannot prove them equal */
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
