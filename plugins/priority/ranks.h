/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranks: the associations as a share tree, ranked on a copy.
 */
#ifndef EQT_RANKS_H
#define EQT_RANKS_H

#include "settings.h"

/*
 * Copy the associations, add what running jobs hold (allocated_now), rank them and write Level FS, Fair Share factor,
 * effective and normalised usage back. Takes assoc_mgr's assoc lock twice,
 * for reading to copy and for writing to write back; ranks without a lock.
 * Returns how many users were ranked, -1 when that failed (logged). Called by
 * the pass thread only.
 */
int eqt_ranks_update(const struct eqt_settings *settings);

/* Free the copy (at fini, when the thread is gone). */
void eqt_ranks_clear(void);

#endif
