/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: what is done to the usage of all associations and QOS at once. */
#ifndef EQT_USAGE_H
#define EQT_USAGE_H

#include "base/error.h"
#include "slurm/compat.h"
#include "usage/assoc_index.h"
#include "ledger/ledger.h"

/* Multiply all usage (but that of QOS with NoDecay) by factor. assoc_mgr's
 * assoc and qos locks are held for writing. */
void eqt_usage_decay(long double factor);

/* What a decay makes of an association's usage; a factor of 0 clears whatever was
 * there, an infinity too. */
long double eqt_usage_scaled(long double usage, long double factor);

/* The factor of the decay since the last time that this was asked, 1 without
 * one; false if there was more than one. The pass thread's own. */
bool eqt_usage_decayed(long double *factor);

/* Forget what is known of usage (at fini); it may be read anew. */
void eqt_usage_clear(void);

/* Set all usage, QOS included, to 0. Locks as eqt_usage_decay(). */
void eqt_usage_reset(void);

/*
 * A snapshot of all usage (its times and sequence left at 0). NULL with err
 * filled when memory is short. assoc_mgr's assoc, qos and TRES locks are held
 * for reading.
 */
struct eqt_snapshot *eqt_usage_save(struct eqt_error *err);

/*
 * Replace all usage by that of a snapshot. That of associations that are gone
 * goes where the index says, QOS that are gone are passed over, TRES are found
 * by their ids. assoc_mgr's assoc and qos locks are held for writing, TRES for
 * reading.
 */
void eqt_usage_restore(const struct eqt_snapshot *snapshot,
		       const struct eqt_assoc_index *index);

/*
 * The usage that is an account's own, of users removed below it; made when
 * there is none yet. NULL for a user, who has but one usage. assoc_mgr's assoc
 * lock is held for writing, TRES for reading; the association owns it.
 */
slurmdb_assoc_usage_t *eqt_usage_own_leaf(slurmdb_assoc_rec_t *assoc);

/* The QOS of an id; NULL for 0 and when there is none. assoc_mgr's QOS lock is
 * held, at least for reading, as long as the pointer is used. */
slurmdb_qos_rec_t *eqt_usage_qos(uint32_t id);

#endif
