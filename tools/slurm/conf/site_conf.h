/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SITE_CONF_H
#define EQT_SITE_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "conf/conf.h"

#define EQT_SLURM_CONF "/etc/slurm/slurm.conf"

/* The path of this host's slurm.conf: $SLURM_CONF, EQT_SLURM_CONF or, if that does not exist,
 * the file that slurmd got from slurmctld (configless). No file may exist there. */
const char *eqt_site_conf_slurm(void);

/* The path of a file in the same folder as another file, such as slurm.conf. Returns
 * path. */
const char *eqt_site_conf_beside(char path[PATH_MAX], const char *other,
				 const char *name);

/*
 * Read equitree.conf at path or, for NULL, beside the slurm.conf of $SLURM_CONF, else in
 * /etc/slurm; where there is none, or with --clusters, ask slurmctld for its own. NULL
 * after a message on stderr; the caller frees with eqt_conf_free().
 */
const struct eqt_conf *eqt_site_conf_open(const char *path);

/* Is the cluster's equitree.conf missing on this host? */
bool eqt_site_conf_is_away(void);

/* Ask slurmctld for its equitree.conf. NULL with err filled: no answer, or an error in
 * it; the caller frees with eqt_conf_free(). */
const struct eqt_conf *eqt_site_conf_ask(struct eqt_error *err);

/* Read equitree.conf for a command that also works without one: 0, and *out is NULL
 * where there is none; -1 after a message on stderr. */
int eqt_site_conf_try(const struct eqt_conf **out);

#endif
