/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CONF_LOAD_H
#define EQT_CONF_LOAD_H

#include <time.h>

#include "conf/conf.h"
#include "base/error.h"

/*
 * Read the equitree.conf in the folder of the slurm.conf that this process has read.
 * Result, ownership and errors are those of eqt_conf_read(). Several threads and
 * several of our plugins in one process may call it at once.
 */
const struct eqt_conf *eqt_conf_load(struct eqt_error *err);

/* The same, and its text without comments, for free(); NULL where the file is not for
 * all to read. */
const struct eqt_conf *eqt_conf_load_with_text(char **text,
					       struct eqt_error *err);

/* When that file was last changed, to the nanosecond; 0 where there is none. */
struct timespec eqt_conf_load_changed(void);

#endif
