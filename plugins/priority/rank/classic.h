/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic: fair share without Fair Tree, for NO_FAIR_TREE and DEPTH_OBLIVIOUS.
 */
#ifndef EQT_RANK_CLASSIC_H
#define EQT_RANK_CLASSIC_H

#include "slurm/compat.h"
#include "configuration.h"

/*
 * Set an association's normalised and effective usage and, where it is kept (with
 * stock_classic from 25.11 on only), its factor from its own usage and its
 * fair-share parent's, which must be set. assoc_mgr's assoc lock is held, for
 * writing unless nobody else looks at this association.
 */
void eqt_rank_classic_set(const struct eqt_config *config,
			  slurmdb_assoc_rec_t *assoc);

/* The same for all associations. Takes assoc_mgr's assoc lock for writing.
 * Returns how many users there are. */
int eqt_rank_classic_update(const struct eqt_config *config);

/* Whether settings ask for it. */
bool eqt_rank_classic_is_on(const struct eqt_config *config);

/*
 * stock_classic: effective usage is worked out as stock does it. A pass begins
 * with that of accounts and leaves that of users open (NO_VAL); the first job
 * of a user that is looked at, or the first client that asks, has it set from
 * what usage is by then. Up to 25.05 factors are not kept; later they are, and
 * are as old as the effective usage.
 */
bool eqt_rank_classic_is_lazy(const struct eqt_config *config);

/* The beginning of such a pass. assoc_mgr's assoc lock is held for writing. */
void eqt_rank_classic_accounts(const struct eqt_config *config);

/* The end of such a pass: where factors are kept, those of all that have jobs; of
 * one whose effective usage nobody has asked for it is 0. Takes slurmctld's job
 * and part locks for reading and assoc_mgr's assoc lock for writing. */
void eqt_rank_classic_settle(const struct eqt_config *config);

/* Set the effective usage that an association's factor is of (its own, or up to
 * 25.05 its parent's with Fairshare=parent), if it was left open. assoc_mgr's
 * assoc lock is held for writing. */
void eqt_rank_classic_fill(const struct eqt_config *config,
			   slurmdb_assoc_rec_t *assoc);

/* The same, and its factor. */
double eqt_rank_classic_lazy_factor(const struct eqt_config *config,
				    slurmdb_assoc_rec_t *assoc);

/*
 * Let assoc_mgr normalise all shares anew, for the kind of fair share that
 * slurm.conf now asks for. Takes assoc_mgr's assoc lock for writing.
 */
void eqt_rank_classic_renormalise(void);

#endif
