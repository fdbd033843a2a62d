/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * midway: an event in the middle of a pass. The plugin's thread carries it out
 * when it asks for slurmctld's locks, and takes the locks afterwards. So it
 * seems that another thread of slurmctld had them before.
 */
#ifndef EQT_HOST_MIDWAY_H
#define EQT_HOST_MIDWAY_H

#include "../words.h"

/* "midway N EVENT...": an event of one job at the Nth request for locks from
 * now on. */
void midway_set(const struct words *words);

/* "midslice N EVENT...": the same where the plugin, without slurmctld's locks, asks for
 * assoc_mgr's associations for writing. */
void midway_set_charges(const struct words *words);

#endif
