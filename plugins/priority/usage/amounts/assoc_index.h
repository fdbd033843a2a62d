/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_index: associations by id, for the recovery of usage. The snapshot has the
 * parent of each association: the usage of a removed one goes to its nearest
 * remaining ancestor, as it does when slurmctld sees the removal.
 *
 * The index and its pointers are valid while the caller holds assoc_mgr's assoc lock.
 */
#ifndef EQT_ASSOC_INDEX_H
#define EQT_ASSOC_INDEX_H

#include "slurm/compat.h"
#include "ledger/ledger.h"

struct eqt_assoc_index; /* opaque */

/* Index assoc_mgr's associations, and the removed ones in the snapshot. The snapshot may
 * be freed before the index. */
struct eqt_assoc_index *eqt_assoc_index_new(
	const struct eqt_snapshot *snapshot);
void eqt_assoc_index_free(struct eqt_assoc_index *index); /* NULL is fine */

/* The association with that id or, if it was removed, the one that has its usage now.
 * NULL if the id is unknown. */
slurmdb_assoc_rec_t *eqt_assoc_index_find(const struct eqt_assoc_index *index,
					  uint32_t id);

#endif
