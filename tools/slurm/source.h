/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stock_text: what one of Slurm's commands printed, now or saved in a file. */
#ifndef EQT_SLURM_SOURCE_H
#define EQT_SLURM_SOURCE_H

#include <stddef.h>

#include "base/error.h"

/* More than any cluster prints: 256 MiB. */
#define EQT_SOURCE_MAX ((size_t) 1 << 28)

/* A text and where it comes from, for messages. Owned; free with
 * eqt_source_free(). {0} is an empty one. */
struct eqt_source {
	const char *name; /* borrowed: the path or the command */
	char *text; /* NUL-terminated, no NUL before its end */
	size_t length;
};

/*
 * Fill *out from the file at path ("-": stdin) or, when path is NULL, with
 * what the command line prints. 0, or -1 with err filled: a file that cannot
 * be read, a command that fails, a NUL byte, a text that is too long, that is
 * empty or whose last line has no end.
 */
int eqt_source_read(struct eqt_source *out, const char *path,
		    const char *command, struct eqt_error *err);

/* Free what *text owns; it is empty then. */
void eqt_source_free(struct eqt_source *text);

#endif
