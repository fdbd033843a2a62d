/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assoc_at: an association as a walk shows it to its visitor. */
#ifndef EQT_ASSOC_AT_H
#define EQT_ASSOC_AT_H

#include "slurm/compat.h"

/* An association during its visit. The pointers, and whether it is a user, stay the same
 * as long as the record lives. */
struct eqt_assoc_at {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_assoc_usage_t *usage;
	uint32_t id;
	bool user; /* leaf_usage is usage */
};

typedef void eqt_assoc_visit(const struct eqt_assoc_at *at, void *arg);

/* Fields that a visit uses besides struct eqt_assoc_at; they are prefetched. */
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
