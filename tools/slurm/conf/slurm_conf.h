/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_conf: a file in the form of slurm.conf or gres.conf, as lines of KEY=VALUE and
 * their places in the file. Does not need libslurm.
 *
 * The reader understands comments, continued lines, quotes and keys in any case. It also
 * follows "Include FILE", where the path is relative to the first file and %c is the name
 * of the cluster.
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

/* One line. Its first pair tells which kind of line it is. */
struct eqt_slurmconf_line {
	const char *file; /* path of its file */
	unsigned int number; /* its line number, from 1 */
	struct eqt_slurmconf_pair *pairs;
	size_t count; /* at least 1 */
	/* index of the DEFAULT line that applies; its own index: none applies */
	size_t defaults;
};

/* Owns its memory; {0} is empty. */
struct eqt_slurmconf {
	struct eqt_slurmconf_line *lines;
	size_t count;
	char **files; /* paths of all files that were read; lines borrow them */
	size_t file_count;
};

/*
 * Read the file at path and all files that it includes. Returns 0, or -1 with err filled
 * ("FILE:LINE: why"). Possible errors: a file that cannot be read, a line without
 * KEY=VALUE, a NUL byte, an unclosed quote, a continued last line, files that include
 * each other, more than 16 MiB.
 */
int eqt_slurm_conf_read(struct eqt_slurmconf *out, const char *path,
			struct eqt_error *err);

/* Read the output of "scontrol show config" in the same form. "name" tells where the text
 * comes from, and is borrowed. eqt_slurm_conf_free() frees *out. */
void eqt_slurm_conf_cut(struct eqt_slurmconf *out, const char *name,
			const char *text);

/* Free what *conf owns. *conf is empty afterwards. */
void eqt_slurm_conf_free(struct eqt_slurmconf *conf);

/* The value of a global key, or NULL if there is none. Keys on NodeName lines and the
 * like are not global. If the key occurs several times, the last line counts. *line,
 * unless line is NULL, is set to that line, or to NULL. */
const char *eqt_slurm_conf_get(const struct eqt_slurmconf *conf,
			       const char *key,
			       const struct eqt_slurmconf_line **line);

/* The value of a key on one line, or NULL if the line does not have it. */
const char *eqt_slurm_conf_line_get(const struct eqt_slurmconf_line *line,
				    const char *key);

/* Does the first key of the line have this name? */
bool eqt_slurm_conf_line_is(const struct eqt_slurmconf_line *line,
			    const char *first);

/* The value of a key for line i. If the line does not have the key, the value is that of
 * the last preceding DEFAULT line of the same kind that has it. NULL if there is none. */
const char *eqt_slurm_conf_entity_get(const struct eqt_slurmconf *conf,
				      size_t i, const char *key);

#endif
