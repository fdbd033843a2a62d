/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage: operations on the usage of all associations and QOS at once. */
#ifndef EQT_USAGE_H
#define EQT_USAGE_H

#include "base/error.h"
#include "slurm/compat.h"
#include "ledger/ledger.h"
#include "walk/walk.h"

/* A decay in slices. Charges are made between two slices, and each charge first
 * decays the associations that it changes. `decayed` has a bit for each id.
 * assoc_mgr's assoc lock is held for writing. */
struct eqt_usage_slices {
	bool on;
	uint32_t next; /* The position in the list of associations. */
	uint8_t *decayed;
	/* The number of bits of `decayed`, and its size in bytes. */
	size_t ids, space;
	/* The root's usage after the last slice or charge. Another value means
	   that another thread has changed usage. */
	long double root_raw;
	double root_wall;
	bool moved; /* Another thread has changed usage. */
};

/* The state of decays. Initialize it to 0 and set walk; eqt_usage_clear() frees
 * the other members. Only the pass thread uses it, and init() and fini() while
 * that thread does not run. Hooks call eqt_usage_decay_owner() and
 * eqt_usage_decay_charged(). */
struct eqt_usage {
	struct eqt_walk *walk;

	/* No association without usage has TRES usage. After a start some may
	   have, because slurmctld's own files round each number separately. */
	bool no_tres_residue;
	/* The present decay has found an association that has TRES usage but no
	   other usage. */
	bool residue;
	/* The number of decays since the last eqt_usage_decayed(). */
	unsigned int decays;
	long double factor; /* The factor of the last decay. */
	struct eqt_usage_slices slices;
};

/* Multiply all usage by a factor, except that of QOS with NoDecay. assoc_mgr's
 * assoc and QOS locks are held for writing. */
void eqt_usage_decay(struct eqt_usage *usage, long double factor);

/*
 * Decay usage in slices. eqt_usage_decay_prepare() is called first, without
 * locks; it takes assoc_mgr's assoc lock for reading. eqt_usage_decay_begin()
 * decays all QOS. Then call eqt_usage_decay_some() until it returns false; the
 * caller may release the locks between two calls.
 *
 * If associations were changed between two slices, or the usage of one was set
 * to 0, the remaining associations decay at once, and accounts get the sum of
 * their users.
 */
void eqt_usage_decay_prepare(struct eqt_usage *usage);
void eqt_usage_decay_begin(struct eqt_usage *usage, long double factor);
bool eqt_usage_decay_some(struct eqt_usage *usage);

/* Called before and after a charge that a pass does not make. The first
 * function decays the association, which may be NULL, and its ancestors, unless
 * the pass has done so. assoc_mgr's assoc lock is held for writing. */
void eqt_usage_decay_owner(struct eqt_usage *usage, slurmdb_assoc_rec_t *assoc);
void eqt_usage_decay_charged(struct eqt_usage *usage);

/* Free the members when the plugin is unloaded. */
void eqt_usage_clear(struct eqt_usage *usage);

/* The usage of an association after a decay. A factor of 0 gives 0, even for an
 * infinite usage. */
static inline long double eqt_usage_scaled(long double usage,
					   long double factor)
{
	return factor > 0 ? usage * factor : 0;
}

/* Set *factor to the factor of the decay since the last call, or to 1 if there
 * was none. Returns false if there was more than one decay. */
bool eqt_usage_decayed(struct eqt_usage *usage, long double *factor);

/* The amount of one equivalent in the two numbers that have a unit. */
struct eqt_usage_scale {
	long double raw;
	long double billing;
};

/* Convert RawUsage and the usage of the TRES billing of all associations and
 * QOS from one unit to another. assoc_mgr's assoc and QOS locks are held for
 * writing. */
void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_scale *from,
		       const struct eqt_usage_scale *to);

/* Set the usage of all associations and QOS to 0. assoc_mgr's assoc and QOS
 * locks are held for writing. */
void eqt_usage_reset(struct eqt_usage *usage);

/*
 * Make a snapshot of all usage, whose times and sequence are those of before or
 * 0. *snapshot is NULL or the last snapshot, whose memory is used again, so
 * that little is allocated under the locks; the caller frees it in the end.
 * Returns 0, or -1 with err filled if memory is short: *snapshot then is NULL or
 * incomplete. assoc_mgr's assoc, QOS and TRES locks are held for reading.
 */
int eqt_usage_save(struct eqt_usage *usage, struct eqt_snapshot **snapshot,
		   struct eqt_error *err);

/* The association that has the usage of this id now. That is the same
 * association or, if it was removed, its nearest remaining ancestor, as when
 * slurmctld removes an association. Returns NULL if the id is unknown.
 * assoc_mgr's assoc lock is held. */
slurmdb_assoc_rec_t *eqt_usage_owner(const struct eqt_snapshot *snapshot,
				     uint32_t id);

/*
 * Replace all usage by that of a snapshot. Usage of removed associations goes
 * to eqt_usage_owner(), removed QOS are skipped, and TRES are matched by id.
 * assoc_mgr's assoc and QOS locks are held for writing, and its TRES lock for
 * reading.
 */
void eqt_usage_restore(struct eqt_usage *usage,
		       const struct eqt_snapshot *snapshot);

/*
 * The first time after `last`, in seconds since the epoch, at which a period
 * (PRIORITY_RESET_*) begins in local time: midnight, Sunday, or the first day
 * of a month, a quarter (January, April, July, October) or a year. Returns 0
 * for PRIORITY_RESET_NONE and _NOW, and if local time is not known.
 */
time_t eqt_usage_next_reset(uint16_t period, time_t last);

/*
 * Compute the next reset as Slurm's own plugin does at `now`. A day always has
 * 86400 seconds. If several days or weeks have passed since `last`, only one
 * reset is made up for; missed months are all made up for.
 */
time_t eqt_usage_next_reset_stock(uint16_t period, time_t last, time_t now);

#endif
