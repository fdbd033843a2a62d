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

/* Read the same file, and set *text to its text without comments, which the caller frees; NULL if
 * not everybody may read the file. */
const struct eqt_conf *eqt_conf_load_with_text(char **text,
					       struct eqt_error *err);

/* When that file was last changed, to the nanosecond; 0 if there is no file. */
struct timespec eqt_conf_load_changed(void);

#endif
