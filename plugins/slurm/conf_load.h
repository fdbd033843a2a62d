/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CONF_LOAD_H
#define EQT_CONF_LOAD_H

#include "conf/conf.h"
#include "base/error.h"

/*
 * Read equitree.conf, which lies beside the slurm.conf that this process has
 * read. Result, ownership and errors are eqt_conf_read()'s. May be called by
 * several threads and by several of our plugins in one process.
 */
const struct eqt_conf *eqt_conf_load(struct eqt_error *err);

#endif
