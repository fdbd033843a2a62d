/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_SITE_CONF_H
#define EQT_SITE_CONF_H

#include <limits.h>
#include <stdbool.h>

#include "cli/options.h"
#include "conf/conf.h"

#define EQT_SLURM_CONF "/etc/slurm/slurm.conf"

/* The path of this host's slurm.conf: $SLURM_CONF, or EQT_SLURM_CONF. If EQT_SLURM_CONF
 * does not exist, it is the file that slurmd got from slurmctld (configless mode). The
 * path need not exist. */
const char *eqt_site_conf_slurm(void);

/* The path of a file in the folder of another file, such as slurm.conf. Returns path. */
const char *eqt_site_conf_beside(char path[PATH_MAX], const char *other,
				 const char *name);

/*
 * Read equitree.conf at path. If path is NULL, read the one in the folder of slurm.conf.
 * If there is none, or with --clusters, ask slurmctld for its configuration.
 * eqt_conf_free() frees the result. On an error, prints a message on stderr and returns
 * NULL.
 */
const struct eqt_conf *eqt_site_conf_open(const char *path);

/* Does this host lack the cluster's equitree.conf? */
bool eqt_site_conf_is_away(void);

/* Ask slurmctld for its equitree.conf. eqt_conf_free() frees the result. Returns NULL
 * with err filled if there is no answer or if the answer has an error. */
const struct eqt_conf *eqt_site_conf_ask(struct eqt_error *err);

/* Read equitree.conf for a command that also works without one. Returns 0, and *out is
 * NULL if there is none. On an error, prints a message on stderr and returns -1. */
int eqt_site_conf_try(const struct eqt_conf **out);

/* The option that names the file, for a table of options. */
#define EQT_SITE_CONF_OPTION(type, member, group)                        \
	{                                                                \
		"file", 'f', "FILE",                                     \
			"the equitree.conf to read, instead of the one " \
			"beside "                                        \
			"slurm.conf",                                    \
			group, EQT_TEXT_AT(type, member)                 \
	}

#endif
