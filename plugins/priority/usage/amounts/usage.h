/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: operations on the usage of all associations and QOS at once. */
#ifndef EQT_USAGE_H
#define EQT_USAGE_H

#include "base/error.h"
#include "slurm/compat.h"
#include "ledger/ledger.h"
#include "walk/walk.h"

/* A decay in slices. Charges are made between two slices, and each one first decays the
 * associations that it changes: `decayed` has a bit for each id. Under assoc_mgr's assoc write
 * lock. */
struct eqt_usage_slices {
	bool on;
	uint32_t next; /* position in the list of associations */
	uint8_t *decayed;
	size_t ids, space; /* bits and bytes of it */
	/* The root's usage after the last slice or charge; another value means that somebody
	 * else has changed usage. */
	long double root_raw;
	double root_wall;
	bool moved; /* somebody else has changed usage */
};

/* Initialize to 0 and set walk; eqt_usage_clear() frees the rest. Only the pass thread uses it,
 * and init() and fini() while it does not run; a hook calls eqt_usage_decay_owner() and
 * eqt_usage_decay_charged(). */
struct eqt_usage {
	struct eqt_walk *walk;

	/* No association without usage has TRES usage. After a start there may
	 * be some, because slurmctld's own files round each number by itself. */
	bool no_tres_residue;
	bool residue; /* the present decay has found such TRES usage */
	/* Number of decays since the last eqt_usage_decayed(). */
	unsigned int decays;
	long double factor; /* of the last decay */
	struct eqt_usage_slices slices;
};

/* Multiply all usage (except of QOS with NoDecay) by factor. assoc_mgr's assoc and QOS locks
 * are held for writing. */
void eqt_usage_decay(struct eqt_usage *usage, long double factor);

/*
 * Do the same in slices. eqt_usage_decay_prepare() is called first, without locks; it takes
 * assoc_mgr's assoc lock for reading. eqt_usage_decay_begin() decays all QOS. Then call
 * eqt_usage_decay_some() until it returns false; the locks may be released between two calls.
 * If associations were changed between two slices, or the usage of one was set to 0, the rest
 * decays at once, and accounts get the sum of their users.
 */
void eqt_usage_decay_prepare(struct eqt_usage *usage);
void eqt_usage_decay_begin(struct eqt_usage *usage, long double factor);
bool eqt_usage_decay_some(struct eqt_usage *usage);

/* Called before and after a charge that a pass does not make. The first decays the association
 * (NULL is fine) and its ancestors, if the pass has not yet. assoc_mgr's assoc lock is held for
 * writing. */
void eqt_usage_decay_owner(struct eqt_usage *usage, slurmdb_assoc_rec_t *assoc);
void eqt_usage_decay_charged(struct eqt_usage *usage);

/* Free what it holds (at fini). */
void eqt_usage_clear(struct eqt_usage *usage);

/* The usage of an association after a decay. A factor of 0 gives 0, even for infinity. */
long double eqt_usage_scaled(long double usage, long double factor);

/* Set *factor to the factor of the decay since the last call, 1 without one. Returns false
 * if there was more than one. */
bool eqt_usage_decayed(struct eqt_usage *usage, long double *factor);

/* One equivalent in the two numbers that have a unit. */
struct eqt_usage_scale {
	long double raw;
	long double billing;
};

/* Convert RawUsage, and the usage of the billing TRES, of all associations and QOS, from
 * one unit to another. Locks as eqt_usage_decay(). */
void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_scale *from,
		       const struct eqt_usage_scale *to);

/* Set all usage, QOS included, to 0. Locks as eqt_usage_decay(). */
void eqt_usage_reset(struct eqt_usage *usage);

/*
 * Make a snapshot of all usage; its times and sequence are 0. Returns NULL with err filled
 * when memory is short. The caller frees it. assoc_mgr's assoc, QOS and TRES locks are held
 * for reading.
 */
struct eqt_snapshot *eqt_usage_save(struct eqt_usage *usage,
				    struct eqt_error *err);

/* The association that has the usage of this id now: the same one or, if it was removed, its
 * nearest remaining ancestor, as when slurmctld removes one. NULL: the id is unknown.
 * assoc_mgr's assoc lock is held. */
slurmdb_assoc_rec_t *eqt_usage_owner(const struct eqt_snapshot *snapshot,
				     uint32_t id);

/*
 * Replace all usage by that of a snapshot. Usage of removed associations goes to
 * eqt_usage_owner(), removed QOS are skipped, TRES are matched by id.
 * assoc_mgr's assoc and QOS locks are held for writing, TRES for reading.
 */
void eqt_usage_restore(struct eqt_usage *usage,
		       const struct eqt_snapshot *snapshot);

/*
 * The first time after last (seconds since the epoch) at which a period
 * (PRIORITY_RESET_*) begins in local time: midnight, Sunday, or the first day of a month,
 * a quarter (January, April, July, October) or a year. 0 for PRIORITY_RESET_NONE and
 * _NOW, and if local time is unknown.
 */
time_t eqt_usage_next_reset(uint16_t period, time_t last);

/*
 * The same as stock computes it at now: a day always has 86400 seconds; if several days
 * or weeks have passed since last, only one reset is made up. Missed months are all made
 * up.
 */
time_t eqt_usage_next_reset_stock(uint16_t period, time_t last, time_t now);

#endif
