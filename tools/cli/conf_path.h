/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CONF_PATH_H
#define EQT_CONF_PATH_H

#include "conf/conf.h"

/*
 * Read equitree.conf at path or, for NULL, beside the slurm.conf that
 * $SLURM_CONF names, else in /etc/slurm. NULL after a message on stderr; the
 * caller frees with eqt_conf_free().
 */
const struct eqt_conf *eqt_conf_open(const char *path);

#endif
