/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule for the place of equitree.conf is that of the plugins: beside
 * slurm.conf.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/site_conf.h"

#define DEFAULT_SLURM_CONF "/etc/slurm/slurm.conf"

const struct eqt_conf *eqt_site_conf_open(const char *path)
{
	const char *slurm_conf = getenv("SLURM_CONF"), *slash;
	const struct eqt_conf *conf;
	struct eqt_error err;
	char beside[PATH_MAX];

	if (!slurm_conf || slurm_conf[0] == '\0')
		slurm_conf = DEFAULT_SLURM_CONF;
	if (!path) {
		slash = strrchr(slurm_conf, '/');
		(void) snprintf(beside, sizeof(beside), "%.*sequitree.conf",
				slash ? (int) (slash - slurm_conf + 1) : 0,
				slurm_conf);
		path = beside;
	}
	conf = eqt_conf_read(path, &err);
	if (!conf)
		fprintf(stderr, "equitree: %s%s\n", err.text,
			path == beside && access(beside, F_OK) < 0
				? "; -f FILE reads another"
				: "");
	return conf;
}
