/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_walk: all associations, in the order of assoc_mgr's list, with their
 * memory asked for ahead of the visit.
 *
 * The list is chained one by one, which costs more than all that a pass does to
 * its members. So where they are is kept in an array from one walk to the next,
 * as long as it can be shown that the list is still the same
 * (docs/design/0028).
 *
 * assoc_mgr's association lock is held by every caller but for
 * eqt_assoc_walk_clear(). The pass thread's own, and init's and fini's while that
 * does not run.
 */
#ifndef EQT_ASSOC_WALK_H
#define EQT_ASSOC_WALK_H

#include "slurm/compat.h"

/* Where an association is. Both pointers are those of its record as long as it
 * lives, and so is whether it is a user. */
struct eqt_assoc_walk_at {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_assoc_usage_t *usage;
	uint32_t id;
	bool user; /* leaf_usage is usage */
};

typedef void eqt_assoc_walk_visit(const struct eqt_assoc_walk_at *at,
				  void *arg);

/* What is at hand at a visit, besides what eqt_assoc_walk_at has. */
enum eqt_assoc_walk_parts {
	EQT_ASSOC_USED, /* usage_raw and grp_used_wall; usage_tres_raw of whom
			   has some; of an account its leaf_usage */
	EQT_ASSOC_RAW, /* usage_raw */
	EQT_ASSOC_RANK, /* all of usage that a ranking reads and writes */
	EQT_ASSOC_PARTS
};

/* Visit all. */
void eqt_assoc_walk_each(enum eqt_assoc_walk_parts parts,
			 eqt_assoc_walk_visit *visit, void *arg);

/* Numbers that change when the associations do. */
struct eqt_assoc_walk_state {
	uint64_t order; /* others, or in another order */
	uint64_t shape; /* other shares or parents, too; also when it cannot be
			   shown that they are not */
};

/* To be asked for in the hold of the lock in which it is used. */
struct eqt_assoc_walk_state eqt_assoc_walk_states(void);

/*
 * From now on it can be shown that the list is the same. To be called in the
 * hold of the lock, for writing, in which the root's level_fs was set to NO_VAL:
 * the record of the next list's root has 0.
 */
void eqt_assoc_walk_keep(void);

/* Free what is kept (at fini). Takes assoc_mgr's assoc lock for reading. */
void eqt_assoc_walk_clear(void);

#endif
