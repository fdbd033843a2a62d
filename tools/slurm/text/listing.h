/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listing: the output of one of Slurm's commands, from the command or from a file. */
#ifndef EQT_SLURM_LISTING_H
#define EQT_SLURM_LISTING_H

#include <stdio.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/progress.h"

/* 256 MiB is more than Slurm's commands print on any cluster. */
#define EQT_LISTING_MAX ((size_t) 1 << 28)

/* A text and its origin. Owns its memory, which eqt_listing_free() frees; {0} is
 * empty. */
struct eqt_listing {
	const char *name; /* borrowed: the path or the command, for messages */
	char *text; /* NUL-terminated, without other NUL bytes */
	size_t length;
};

/*
 * Fill *out from the file at path ("-": stdin) or, if path is NULL, from the command.
 * Returns 0, or -1 with err filled. Possible errors: a file that cannot be read, a
 * command that fails, a NUL byte, more than EQT_LISTING_MAX bytes, an empty text, a last
 * line without a line end.
 */
int eqt_listing_read(struct eqt_listing *out, const char *path,
		     const char *command, struct eqt_error *err);

/* The number of line ends in a text. */
size_t eqt_listing_count(const struct eqt_listing *text);

/* Free what *text owns. *text is empty afterwards. */
void eqt_listing_free(struct eqt_listing *text);

/* Reads one line at a time. Owns its memory, which eqt_listing_lines_close() frees. */
struct eqt_listing_lines {
	const char *name; /* borrowed: the path or the command, for messages */
	size_t line; /* number of the last line that was read */
	int fd;
	FILE *command; /* NULL: the text comes from a file */
	char *text;
	size_t room; /* size of "text" */
	size_t from, until; /* the part of "text" that was not passed on yet */
	size_t done; /* all bytes read so far, for the progress bar */
	struct eqt_progress progress;
};

/*
 * Open the file at path ("-": stdin) or, if path is NULL, run the command. Returns 0, or
 * -1 with err filled and nothing to close.
 */
int eqt_listing_lines_open(struct eqt_listing_lines *out, const char *path,
			   const char *command, struct eqt_error *err);

/*
 * Read the next line that is not empty. It is NUL-terminated and has neither CR nor line
 * end. The caller may write to it until the next call. Returns 1 with *line and *length
 * filled, or 0 at the end. Returns -1 with err filled if the text is empty or cannot be
 * read, has a NUL byte, ends without a line end, or has a line that is too long.
 */
int eqt_listing_lines_next(struct eqt_listing_lines *reader, char **line,
			   size_t *length, struct eqt_error *err);

/* Close the reader and free its memory. Returns 0, or -1 with err filled if the command
 * failed. err may be NULL. */
int eqt_listing_lines_close(struct eqt_listing_lines *reader,
			    struct eqt_error *err);

#endif
