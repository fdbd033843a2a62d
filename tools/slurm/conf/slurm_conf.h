/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_conf: a file in the form of slurm.conf or gres.conf, as lines of
 * KEY=VALUE with their places. Does not need libslurm.
 *
 * Understands comments, continued lines, quotes, "Include FILE" (relative to
 * the first file; %c is the cluster's name), and keys in any case.
 */
#ifndef EQT_SLURM_SLURM_CONF_H
#define EQT_SLURM_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct eqt_slurmconf_pair {
	char *key;
	char *value; /* without quotes */
};

/* One line; the first pair says which kind it is. */
struct eqt_slurmconf_line {
	const char *file; /* the path of its file */
	unsigned int number; /* its line number, from 1 */
	struct eqt_slurmconf_pair *pairs;
	size_t count; /* at least 1 */
	size_t defaults; /* index of the DEFAULT line before it; its own index: none */
};

/* Owned; {0} is empty. */
struct eqt_slurmconf {
	struct eqt_slurmconf_line *lines;
	size_t count;
	char **files; /* all files read; lines point to them */
	size_t file_count;
};

/*
 * Read the file at path and all files that it includes. 0, or -1 with err
 * filled ("FILE:LINE: why"): a file that cannot be read, a line without
 * KEY=VALUE, a NUL byte, an unclosed quote, a continued last line, files that
 * include each other, more than 16 MiB.
 */
int eqt_slurm_conf_read(struct eqt_slurmconf *out, const char *path,
			struct eqt_error *err);

/* The same from the output of "scontrol show config"; name is its origin, borrowed.
 * eqt_slurm_conf_free() frees either. */
void eqt_slurm_conf_cut(struct eqt_slurmconf *out, const char *name,
			const char *text);

/* Free what *conf owns; it is empty then. */
void eqt_slurm_conf_free(struct eqt_slurmconf *conf);

/* The value of a global key (not on NodeName lines and the like) or NULL; the
 * last line is in force. *line, unless NULL, is set to that line, or NULL. */
const char *eqt_slurm_conf_get(const struct eqt_slurmconf *conf,
			       const char *key,
			       const struct eqt_slurmconf_line **line);

/* The value of a key on one line, or NULL. */
const char *eqt_slurm_conf_line_get(const struct eqt_slurmconf_line *line,
				    const char *key);

/* Does the line's first key have that name? */
bool eqt_slurm_conf_line_is(const struct eqt_slurmconf_line *line,
			    const char *first);

/* The value of a key for line i: its own, else that of the last preceding
 * DEFAULT line of the same kind that has one, or NULL. */
const char *eqt_slurm_conf_entity_get(const struct eqt_slurmconf *conf,
				      size_t i, const char *key);

#endif
