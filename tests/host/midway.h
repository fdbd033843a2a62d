/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * midway: an event in the middle of a pass. The plugin's thread meets it when it
 * asks for slurmctld's locks, which it then takes afterwards, as it would take
 * them after another thread of slurmctld.
 */
#ifndef EQT_HOST_MIDWAY_H
#define EQT_HOST_MIDWAY_H

#include "words.h"

/* "midway N EVENT...": at the Nth time from now on, one job's event. */
void midway_set(const struct words *words);

#endif
