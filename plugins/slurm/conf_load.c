/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm.h>

#include "slurm/conf_load.h"

/* The host's configuration; libslurmfull defines it, the type is public. */
extern slurm_conf_t slurm_conf;

static void conf_path(char *buf, size_t size)
{
	const char *conf = slurm_conf.slurm_conf ? slurm_conf.slurm_conf : "";
	const char *slash = strrchr(conf, '/');

	(void) snprintf(buf, size, "%.*sequitree.conf",
			slash ? (int) (slash - conf + 1) : 0, conf);
}

const struct eqt_conf *eqt_conf_load(struct eqt_error *err)
{
	char path[PATH_MAX];

	conf_path(path, sizeof(path));
	return eqt_conf_read(path, err);
}
