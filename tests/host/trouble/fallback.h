/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallback: a reconfigure that fails because equitree.conf has an error.
 *
 * From 23.11 on the plugin has ended by then, and a new slurmctld refuses to
 * start. The old one reads all associations again, loads the plugin again, and
 * only afterwards sets the pointers of its jobs to the new records. Until then
 * they point to freed memory. Here it is a page that nobody may read, so that
 * following such a pointer ends the program.
 */
#ifndef EQT_HOST_FALLBACK_H
#define EQT_HOST_FALLBACK_H

#include "../words.h"

/* "refused": the jobs' pointers are right again after two seconds. Up to 23.02
 * it is the plugin's own reconfigure. */
void fallback_run(const struct words *words);

#endif
