/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listing_lines: a file or what a command prints, line by line. Memory holds one
 * line and what was read ahead, whatever the length of the text. */
#ifndef EQT_SLURM_LISTING_LINES_H
#define EQT_SLURM_LISTING_LINES_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/progress.h"

#define EQT_LISTING_LINE_MAX ((size_t) 1 << 24) /* bytes of one line */

/* Owned; eqt_listing_lines_close() frees it. */
struct eqt_listing_lines {
	const char *name; /* borrowed: the path or the command, for messages */
	size_t line; /* the number of the line that was read last */
	int fd;
	FILE *command; /* NULL: a file */
	char *text;
	size_t room, from,
		until; /* of text; what is not yet read lies between */
	size_t done; /* bytes read in all, for the progress bar */
	struct eqt_progress progress;
};

/*
 * Open the file at path ("-": stdin) or, if path is NULL, run the command. 0, or
 * -1 with err filled; nothing is to be closed then.
 */
int eqt_listing_lines_open(struct eqt_listing_lines *out, const char *path,
			   const char *command, struct eqt_error *err);

/*
 * The next line with text, NUL-terminated, without CR and line end; the caller may
 * write to it until the next call. 1 with *line and *length filled; 0 at the end; -1
 * with err filled: a text that is empty or cannot be read, a NUL byte, a last line
 * without an end, a line that is too long, out of memory.
 */
int eqt_listing_lines_next(struct eqt_listing_lines *reader, char **line,
			   size_t *length, struct eqt_error *err);

/* Close and free. 0, or -1 with err filled: the command failed. err may be NULL. */
int eqt_listing_lines_close(struct eqt_listing_lines *reader,
			    struct eqt_error *err);

#endif
