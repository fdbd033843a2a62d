/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_conf: a file in the form of slurm.conf or gres.conf, as lines of
 * KEY=VALUE that know where they stand. Nothing of libslurm is needed.
 *
 * Comments, lines that go on after a backslash, quotes, "Include FILE" (beside
 * the first file unless it has a path of its own, %c being the cluster's name)
 * and keys in any case are understood.
 */
#ifndef EQT_SLURM_SLURM_CONF_H
#define EQT_SLURM_SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct eqt_slurmconf_pair {
	char *key;
	char *value; /* without its quotes */
};

/* One line; the first pair says what it is about. */
struct eqt_slurmconf_line {
	const char *file; /* the path that it was read from */
	unsigned int number; /* where it begins, from 1 */
	struct eqt_slurmconf_pair *pairs;
	size_t count; /* 1 at least */
	size_t defaults; /* the line before it that has defaults for it; its
			    own number: none */
};

/* Owned; {0} is an empty one. */
struct eqt_slurmconf {
	struct eqt_slurmconf_line *lines;
	size_t count;
	char **files; /* all that were read; lines point to them */
	size_t file_count;
};

/*
 * Read the file at path and all that it includes. 0, or -1 with err filled
 * ("FILE:LINE: why"): one that cannot be read, no KEY=VALUE, a NUL byte, a
 * quote that is not closed, a last line that goes on, files that include each
 * other, more than 16 MiB.
 */
int eqt_slurmconf_read(struct eqt_slurmconf *out, const char *path,
		       struct eqt_error *err);

/* Free what *conf owns; it is empty then. */
void eqt_slurmconf_free(struct eqt_slurmconf *conf);

/*
 * The value of a key of the whole cluster (not of NodeName lines and the like)
 * or NULL; the last line counts. *line, unless NULL, is that line, or NULL.
 */
const char *eqt_slurmconf_get(const struct eqt_slurmconf *conf, const char *key,
			      const struct eqt_slurmconf_line **line);

/* The value of a key on one line alone, or NULL. */
const char *eqt_slurmconf_line_get(const struct eqt_slurmconf_line *line,
				   const char *key);

/* Is it a line about nodes, partitions or the like, whose first key is it? */
bool eqt_slurmconf_line_is(const struct eqt_slurmconf_line *line,
			   const char *first);

/*
 * The value that holds on line i, which begins with the key "first": its own,
 * else that of the last "first=DEFAULT" line before it that has one, or NULL.
 */
const char *eqt_slurmconf_entity_get(const struct eqt_slurmconf *conf, size_t i,
				     const char *key);

/* Does a list with commas have the word, in any case? NULL has none. */
bool eqt_slurmconf_list_has(const char *list, const char *word);

#endif
