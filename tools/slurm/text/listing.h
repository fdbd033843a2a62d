/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listing: the output of one of Slurm's commands, live or from a file. */
#ifndef EQT_SLURM_LISTING_H
#define EQT_SLURM_LISTING_H

#include <stdio.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/progress.h"

/* 256 MiB is more than any cluster prints. */
#define EQT_LISTING_MAX ((size_t) 1 << 28)

/* A text and its origin. Owned; free with eqt_listing_free(). {0} is empty. */
struct eqt_listing {
	const char *name; /* borrowed: the path or the command, for messages */
	char *text; /* NUL-terminated, without other NUL bytes */
	size_t length;
};

/*
 * Fill *out from the file at path ("-": stdin) or, if path is NULL, from the
 * command. 0, or -1 with err filled: a file that cannot be read, a command that
 * fails, a NUL byte, more than EQT_LISTING_MAX, an empty text, a last line
 * without an end.
 */
int eqt_listing_read(struct eqt_listing *out, const char *path,
		     const char *command, struct eqt_error *err);

/* The number of line ends. */
size_t eqt_listing_count(const struct eqt_listing *text);

/* Free what *text owns; it is empty then. */
void eqt_listing_free(struct eqt_listing *text);

/* Owned; eqt_listing_lines_close() frees it. */
struct eqt_listing_lines {
	const char *name; /* borrowed: the path or the command, for messages */
	size_t line; /* the number of the line that was read last */
	int fd;
	FILE *command; /* NULL: a file */
	char *text;
	size_t room; /* size of text */
	size_t from, until; /* the part of text that is not yet passed on */
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
 * Read the next line with text, NUL-terminated, without CR and line end; the caller may
 * write to it until the next call. 1 with *line and *length filled; 0 at the end; -1
 * with err filled: a text that is empty or cannot be read, a NUL byte, a last line
 * without an end, a line that is too long.
 */
int eqt_listing_lines_next(struct eqt_listing_lines *reader, char **line,
			   size_t *length, struct eqt_error *err);

/* Close and free. 0, or -1 with err filled: the command failed. err may be NULL. */
int eqt_listing_lines_close(struct eqt_listing_lines *reader,
			    struct eqt_error *err);

#endif
