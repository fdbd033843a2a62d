/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: operations on the usage of all associations and QOS at once. */
#ifndef EQT_USAGE_H
#define EQT_USAGE_H

#include "base/error.h"
#include "slurm/compat.h"
#include "usage/assoc_index.h"
#include "ledger/ledger.h"
#include "walk/walk.h"

/* {0} but for walk is a good start; nothing to free. The pass thread's own, and
 * init's and fini's while that does not run. */
struct eqt_usage {
	struct eqt_walk *walk;

	/* Whoever has no usage has no TRES either. slurmctld's own files round
	 * each number by itself: after a start a millionth can be left. */
	bool no_tres_residue;
	/* Decays since eqt_usage_decayed() was called. */
	unsigned int decays;
	long double factor; /* of the last one */
};

/* Multiply all usage (but that of QOS with NoDecay) by factor. assoc_mgr's
 * assoc and qos locks are held for writing. */
void eqt_usage_decay(struct eqt_usage *usage, long double factor);

/* The usage of an association after a decay; a factor of 0 clears everything,
 * an infinity too. */
long double eqt_usage_scaled(long double usage, long double factor);

/* The factor of the decay since the last call of this, 1 without one; false if
 * there was more than one. */
bool eqt_usage_decayed(struct eqt_usage *usage, long double *factor);

/* A number is multiplied by to and divided by from. */
struct eqt_usage_ratio {
	long double to, from;
};

/* Convert RawUsage, and the usage of the billing TRES, of all associations and QOS.
 * Locks as eqt_usage_decay(). */
void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_ratio *raw,
		       const struct eqt_usage_ratio *billing);

/* Set all usage, QOS included, to 0. Locks as eqt_usage_decay(). */
void eqt_usage_reset(struct eqt_usage *usage);

/*
 * A snapshot of all usage (its times and sequence left at 0). NULL with err
 * filled when memory is short. assoc_mgr's assoc, qos and TRES locks are held
 * for reading.
 */
struct eqt_snapshot *eqt_usage_save(struct eqt_usage *usage,
				    struct eqt_error *err);

/*
 * Replace all usage by that of a snapshot. That of associations that are gone
 * goes where the index says, QOS that are gone are passed over, TRES are found
 * by their ids. assoc_mgr's assoc and qos locks are held for writing, TRES for
 * reading.
 */
void eqt_usage_restore(struct eqt_usage *usage,
		       const struct eqt_snapshot *snapshot,
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
