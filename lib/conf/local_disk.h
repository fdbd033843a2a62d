/* SPDX-License-Identifier: GPL-2.0-or-later */
/* local_disk: the local disk of bundles, and of the partitions that have a bundle of
 * their own. Private to lib/conf. */
#ifndef EQT_LOCAL_DISK_H
#define EQT_LOCAL_DISK_H

#include "conf/conf.h"
#include "conf/source.h"

/*
 * At the end of the file: check that the GRES has a name if a bundle counts it, and turn
 * Slurm's counts into those of the price table. 0, or -1 with the source's error set.
 */
int eqt_local_disk_close(struct eqt_conf *conf, struct eqt_source *source);

#endif
