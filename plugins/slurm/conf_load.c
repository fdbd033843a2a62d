/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "slurm/compat.h"
#include "slurm/conf_load.h"

/* The path of equitree.conf, which lies in the folder of slurm.conf. */
static void conf_path(char *buf, size_t size)
{
	const char *conf = slurm_conf.slurm_conf ? slurm_conf.slurm_conf : "";
	const char *slash = strrchr(conf, '/');

	(void) snprintf(buf, size, "%.*sequitree.conf",
			slash ? (int) (slash - conf + 1) : 0, conf);
}

struct timespec eqt_conf_load_changed(void)
{
	char path[PATH_MAX];
	struct stat st;

	conf_path(path, sizeof(path));
	return stat(path, &st) == 0 ? st.st_mtim : (struct timespec){ 0 };
}

const struct eqt_conf *eqt_conf_load(struct eqt_error *err)
{
	char path[PATH_MAX];

	conf_path(path, sizeof(path));
	return eqt_conf_read(path, err);
}

const struct eqt_conf *eqt_conf_load_with_text(char **text,
					       struct eqt_error *err)
{
	const struct eqt_conf *conf = NULL;
	char path[PATH_MAX], *whole;
	struct stat st;

	*text = NULL;
	conf_path(path, sizeof(path));
	whole = eqt_conf_text(path, err);
	if (!whole)
		return NULL;
	if (stat(path, &st) == 0 && (st.st_mode & S_IROTH))
		*text = strdup(whole);
	if (*text)
		eqt_conf_text_strip(*text);
	conf = eqt_conf_parse(path, whole, err);
	free(whole);
	if (!conf) {
		free(*text);
		*text = NULL;
	}
	return conf;
}
