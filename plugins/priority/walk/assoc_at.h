/* SPDX-License-Identifier: GPL-2.0-or-later */
/* assoc_at: an association as a walk shows it to its visitor. */
#ifndef EQT_ASSOC_AT_H
#define EQT_ASSOC_AT_H

#include "slurm/compat.h"

/* An association at its visit. Both pointers stay those of its record as long
 * as it lives, and so does whether it is a user. */
struct eqt_assoc_at {
	slurmdb_assoc_rec_t *assoc;
	slurmdb_assoc_usage_t *usage;
	uint32_t id;
	bool user; /* leaf_usage is usage */
};

typedef void eqt_assoc_visit(const struct eqt_assoc_at *at, void *arg);

/* Fields that a visit reads and writes besides struct eqt_assoc_at: they are
 * prefetched before it. */
enum eqt_assoc_parts {
	EQT_ASSOC_USED, /* usage_raw and grp_used_wall; usage_tres_raw where
			   there is some; leaf_usage of an account */
	EQT_ASSOC_RAW, /* usage_raw */
	EQT_ASSOC_RANK, /* all of usage that a ranking reads and writes */
	EQT_ASSOC_PARTS
};

/* Numbers that change when the associations do. */
struct eqt_assoc_state {
	uint64_t order; /* others, or in another order */
	uint64_t shape; /* other shares or parents, too; the cached walk also
			   changes it when it cannot show that they are not */
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
