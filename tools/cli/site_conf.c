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

/* equitree.conf beside slurm.conf. */
static const char *conf_path_beside(char path[PATH_MAX])
{
	const char *slurm_conf = getenv("SLURM_CONF"), *slash;

	if (!slurm_conf || slurm_conf[0] == '\0')
		slurm_conf = DEFAULT_SLURM_CONF;
	slash = strrchr(slurm_conf, '/');
	(void) snprintf(path, PATH_MAX, "%.*sequitree.conf",
			slash ? (int) (slash - slurm_conf + 1) : 0, slurm_conf);
	return path;
}

const char *eqt_site_conf_path(const char *path, char beside[PATH_MAX])
{
	return path ? path : conf_path_beside(beside);
}

int eqt_site_conf_try(const struct eqt_conf **out)
{
	char path[PATH_MAX];

	*out = NULL;
	if (access(conf_path_beside(path), F_OK) < 0)
		return 0;
	*out = eqt_site_conf_open(path);
	return *out ? 0 : -1;
}

const struct eqt_conf *eqt_site_conf_open(const char *path)
{
	const struct eqt_conf *conf;
	struct eqt_error err;
	char beside[PATH_MAX];

	if (!path)
		path = conf_path_beside(beside);
	conf = eqt_conf_read(path, &err);
	if (!conf)
		fprintf(stderr, "equitree: %s%s\n", err.text,
			path == beside && access(beside, F_OK) < 0
				? "; -f FILE reads another"
				: "");
	return conf;
}
