/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equitree.conf is in the same folder as slurm.conf, as for the plugins. Some hosts have
 * no such file, because they belong to another cluster or get slurm.conf from slurmctld.
 * They ask the plugin in slurmctld for the configuration.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/remote.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/command.h"

#define SERVED_SLURM_CONF "/run/slurm/conf/slurm.conf"

const char *eqt_site_conf_slurm(void)
{
	const char *named = getenv("SLURM_CONF");

	if (named && named[0] != '\0')
		return named;
	return access(EQT_SLURM_CONF, F_OK) != 0 &&
			       access(SERVED_SLURM_CONF, F_OK) == 0
		       ? SERVED_SLURM_CONF
		       : EQT_SLURM_CONF;
}

const char *eqt_site_conf_beside(char path[PATH_MAX], const char *other,
				 const char *name)
{
	const char *slash = strrchr(other, '/');

	(void) snprintf(path, PATH_MAX, "%.*s%s",
			slash ? (int) (slash + 1 - other) : 0, other, name);
	return path;
}

/* The path of equitree.conf on this host. */
static const char *conf_path(char path[PATH_MAX])
{
	return eqt_site_conf_beside(path, eqt_site_conf_slurm(),
				    "equitree.conf");
}

/* Does this host have a slurm.conf? Without one Slurm's commands would wait for a
 * minute. */
static bool conf_has_slurm(void)
{
	return access(eqt_site_conf_slurm(), F_OK) == 0;
}

/* The plugin answers "ok" and then the text of its file, which the caller frees with
 * free(). Returns NULL with err filled for any other answer, such as that of a slurmctld
 * without the plugin. */
static char *conf_ask(struct eqt_error *err)
{
	char *answer = eqt_command_ask(EQT_CONF_COMMENT, err);

	if (answer && strncmp(answer, "ok\n", 3) == 0) {
		memmove(answer, answer + 3, strlen(answer + 3) + 1);
		return answer;
	}
	if (answer) {
		answer[strcspn(answer, "\n")] = '\0';
		(void) eqt_error_set(err, "%.400s", answer);
	}
	free(answer);
	return NULL;
}

const struct eqt_conf *eqt_site_conf_ask(struct eqt_error *err)
{
	const struct eqt_conf *conf = NULL;
	char *text = NULL;

	if (conf_has_slurm())
		text = conf_ask(err);
	else
		(void) eqt_error_set(err, "there is no slurm.conf");

	if (text)
		conf = eqt_conf_parse("slurmctld's equitree.conf", text, err);
	free(text);
	return conf;
}

bool eqt_site_conf_is_away(void)
{
	char beside[PATH_MAX];

	return eqt_remote_chosen() || access(conf_path(beside), F_OK) < 0;
}

int eqt_site_conf_try(const struct eqt_conf **out)
{
	struct eqt_error err;

	if (eqt_site_conf_is_away()) {
		*out = eqt_site_conf_ask(&err);
		return 0;
	}
	*out = eqt_site_conf_open(NULL);
	return *out ? 0 : -1;
}

const struct eqt_conf *eqt_site_conf_open(const char *path)
{
	const struct eqt_conf *conf;
	struct eqt_error err, why;
	char beside[PATH_MAX];

	if (!path)
		(void) conf_path(beside);
	if (path || !eqt_site_conf_is_away()) {
		conf = eqt_conf_read(path ? path : beside, &err);
		if (!conf)
			fprintf(stderr, "equitree: %s\n", err.text);
		return conf;
	}
	conf = eqt_site_conf_ask(&why);
	if (conf)
		return conf;
	/* The message names both sources, because the reader knows which of them should
	 * work. */
	if (eqt_remote_chosen())
		fprintf(stderr,
			"equitree: cluster %s does not tell its prices: %s; -f "
			"FILE reads them\n",
			eqt_remote_chosen(), why.text);
	else if (!conf_has_slurm())
		fprintf(stderr, "equitree: %s: %s; -f FILE reads another\n",
			beside, strerror(ENOENT));
	else
		fprintf(stderr,
			"equitree: %s: %s, and slurmctld does not tell its "
			"prices: %s; -f FILE reads another\n",
			beside, strerror(ENOENT), why.text);
	return NULL;
}
