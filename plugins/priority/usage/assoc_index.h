/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_index: associations by id, while usage is recovered. Of one that is
 * gone the index knows, from the snapshot, below which it was: its usage goes
 * to the nearest that is left above it, as it does when slurmctld sees the
 * removal.
 *
 * Valid, and its pointers too, as long as the caller holds assoc_mgr's assoc
 * lock.
 */
#ifndef EQT_ASSOC_INDEX_H
#define EQT_ASSOC_INDEX_H

#include "slurm/compat.h"
#include "ledger/ledger.h"

struct eqt_assoc_index; /* opaque */

/* Index assoc_mgr's associations, and those of the snapshot that are gone.
 * The snapshot is not needed any more. */
struct eqt_assoc_index *eqt_assoc_index_new(
	const struct eqt_snapshot *snapshot);
void eqt_assoc_index_free(struct eqt_assoc_index *index); /* NULL is fine */

/* The association of that id or, when it is gone, the one that has its usage
 * now. NULL: nobody knows it. */
slurmdb_assoc_rec_t *eqt_assoc_index_find(const struct eqt_assoc_index *index,
					  uint32_t id);

#endif
