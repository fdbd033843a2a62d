/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallback: a reconfigure that fails because equitree.conf is broken.
 *
 * From 23.11 on the plugin has ended by then, and a new slurmctld refuses to
 * start. The old one reads all associations anew, loads the plugin again, and
 * only afterwards lets its jobs point to the new records. Until then they point
 * to memory that is gone: here it is a page that nobody may read, so that
 * following such a pointer ends the program.
 */
#ifndef EQT_HOST_FALLBACK_H
#define EQT_HOST_FALLBACK_H

#include "words.h"

/* "refused": it takes two seconds until the jobs' pointers are right again. Up to
 * 23.2 it is the plugin's own reconfigure. */
void fallback_run(const struct words *words);

#endif
