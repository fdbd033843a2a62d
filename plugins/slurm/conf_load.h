/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_CONF_LOAD_H
#define EQT_CONF_LOAD_H

#include <time.h>

#include "conf/conf.h"
#include "base/error.h"

/*
 * Read the equitree.conf that lies in the folder of the slurm.conf that this
 * process has read. The result, its owner and the errors are those of
 * eqt_conf_read(). Several threads and several of our plugins in one process
 * may call this function at the same time.
 */
const struct eqt_conf *eqt_conf_load(struct eqt_error *err);

/* Like eqt_conf_load(), but also set *text to the text of the file without its
 * comments. The caller frees *text. It is NULL if the file is not readable by
 * everybody. */
const struct eqt_conf *eqt_conf_load_with_text(char **text,
					       struct eqt_error *err);

/* The time at which equitree.conf was last changed, in nanoseconds, or 0 if
 * there is no such file. */
struct timespec eqt_conf_load_changed(void);

#endif
