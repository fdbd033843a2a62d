/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic: fair share by the formula that Slurm used before Fair Tree (NO_FAIR_TREE and
 * DEPTH_OBLIVIOUS), computed once a pass.
 */
#ifndef EQT_RANK_CLASSIC_H
#define EQT_RANK_CLASSIC_H

#include "slurm/compat.h"
#include "configuration.h"

/*
 * Set an association's normalised usage, effective usage and factor from its own usage
 * and that of its fair-share parent, which must be set. assoc_mgr's assoc lock is held,
 * for writing unless nobody else can see this association.
 */
void eqt_rank_classic_set(const struct eqt_config *config,
			  slurmdb_assoc_rec_t *assoc);

/* Set these for all associations: the counterpart of eqt_share_tree_update(). Takes
 * assoc_mgr's assoc lock for writing. Returns the number of users; cannot fail. */
int eqt_rank_classic_update(const struct eqt_config *config);

/*
 * Let assoc_mgr normalise all shares again, for the kind of fair share that
 * slurm.conf now asks for. Takes assoc_mgr's assoc lock for writing.
 */
void eqt_rank_classic_renormalise(void);

#endif
