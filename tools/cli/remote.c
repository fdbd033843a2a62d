/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * squeue, sinfo, scontrol, sprio, sdiag and sbatch read SLURM_CLUSTERS. sacct and sshare
 * do not, so they get -M. The name of the cluster becomes part of a shell command, so
 * only characters that Slurm allows in names are accepted.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/alloc.h"
#include "cli/remote.h"

#define NAME_CHARACTERS              \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

#define NAME_MAX_LENGTH 128

static char word[sizeof("cluster=") + NAME_MAX_LENGTH];
static const char *chosen; /* points into word */

int eqt_remote_choose(const char *name)
{
	if (name[0] == '\0' || name[0] == '-' ||
	    strlen(name) > NAME_MAX_LENGTH ||
	    name[strspn(name, NAME_CHARACTERS)] != '\0' ||
	    setenv("SLURM_CLUSTERS", name, 1) < 0)
		return -1;
	(void) snprintf(word, sizeof(word), "cluster=%s", name);
	chosen = word + strlen("cluster=");
	return 0;
}

void eqt_remote_begin(void)
{
	static const char *const local[] = { "SACCT_LOCAL", "SCONTROL_LOCAL",
					     "SINFO_LOCAL", "SPRIO_LOCAL",
					     "SQUEUE_LOCAL" };

	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		(void) setenv(local[i], "1", 1);
}

int eqt_remote_next(const char **list)
{
	char name[NAME_MAX_LENGTH + 2];

	if (!eqt_text_next_name(name, sizeof(name), list))
		return 0;
	return eqt_remote_choose(name) < 0 ? -1 : 1;
}

const char *eqt_remote_chosen(void)
{
	return chosen;
}

/* Does sacctmgr show records of this type for all clusters unless a cluster is named? */
static bool word_is_of_clusters(const char *name)
{
	return strcmp(name, "assoc") == 0 || strcmp(name, "event") == 0 ||
	       strcmp(name, "user") == 0;
}

const char *eqt_remote_word(const char *const *words)
{
	bool wanted = false;

	/* A command that already names a cluster is left alone. */
	if (!chosen || strcmp(words[0], "sacctmgr") != 0)
		return NULL;
	for (; *words; words++) {
		if (strncmp(*words, "cluster=", 8) == 0)
			return NULL;
		wanted = wanted || word_is_of_clusters(*words);
	}
	return wanted ? word : NULL;
}

/* The text after a command's name. The name is the first word or follows settings such as
 * SLURM_TIME_FORMAT=%s. NULL if the text is another command. */
static const char *command_after_name(const char *command, const char *name)
{
	const size_t length = strlen(name);
	const char *at = strstr(command, name);

	return at && (at == command || at[-1] == ' ') && at[length] == ' '
		       ? at + length
		       : NULL;
}

char *eqt_remote_command(const char *command)
{
	const size_t size = strlen(command) + sizeof(" -M ") + sizeof(word);
	const char *rest = NULL;
	char *there;

	if (chosen && !strstr(command, " cluster=")) {
		rest = command_after_name(command, "sacct");
		if (!rest)
			rest = command_after_name(command, "sshare");
		if (strstr(command, "sacctmgr ") &&
		    (strstr(command, " assoc ") || strstr(command, " event ")))
			rest = command + strlen(command);
	}
	if (!rest)
		return eqt_alloc_text(command);
	there = eqt_alloc(size, 1);
	(void) snprintf(there, size, "%.*s %s%s%s", (int) (rest - command),
			command, *rest ? "-M " : "", *rest ? chosen : word,
			rest);
	return there;
}
