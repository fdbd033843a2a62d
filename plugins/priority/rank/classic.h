/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic: fair share by the formula that Slurm used before Fair Tree
 * (NO_FAIR_TREE and DEPTH_OBLIVIOUS). Each pass computes it once.
 */
#ifndef EQT_RANK_CLASSIC_H
#define EQT_RANK_CLASSIC_H

#include "slurm/compat.h"
#include "configuration.h"

/*
 * Set an association's normalised usage, effective usage and factor. They
 * follow from its own usage and that of its fair-share parent, which must be
 * set already. assoc_mgr's assoc lock is held, for writing unless no other
 * thread can see this association.
 */
void eqt_rank_classic_set(const struct eqt_config *config,
			  slurmdb_assoc_rec_t *assoc);

/* Set the usage values and factors of all associations, as
 * eqt_share_tree_update() does for Fair Tree. The function takes assoc_mgr's
 * assoc lock for writing. It returns the number of users and cannot fail. */
int eqt_rank_classic_update(const struct eqt_config *config);

/*
 * Let assoc_mgr normalise all shares again, for the kind of fair share that
 * slurm.conf selects now. The function takes assoc_mgr's assoc lock for
 * writing.
 */
void eqt_rank_classic_renormalise(void);

#endif
