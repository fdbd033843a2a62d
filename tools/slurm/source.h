/* SPDX-License-Identifier: GPL-2.0-or-later */
/* source: what one of Slurm's commands printed, live or from a file. */
#ifndef EQT_SLURM_SOURCE_H
#define EQT_SLURM_SOURCE_H

#include <stddef.h>

#include "base/error.h"

/* 256 MiB is more than any cluster prints. */
#define EQT_SOURCE_MAX ((size_t) 1 << 28)

/* A text and its origin. Owned; free with eqt_source_free(). {0} is empty. */
struct eqt_source {
	const char *name; /* borrowed: the path or the command, for messages */
	char *text; /* NUL-terminated, without other NUL bytes */
	size_t length;
};

/*
 * Fill *out from the file at path ("-": stdin) or, if path is NULL, from the
 * command. 0, or -1 with err filled: a file that cannot be read, a command that
 * fails, a NUL byte, more than EQT_SOURCE_MAX, an empty text, a last line
 * without an end.
 */
int eqt_source_read(struct eqt_source *out, const char *path,
		    const char *command, struct eqt_error *err);

/* Free what *text owns; it is empty then. */
void eqt_source_free(struct eqt_source *text);

#endif
