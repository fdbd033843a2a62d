/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listing: what one of Slurm's commands printed, live or from a file. */
#ifndef EQT_SLURM_LISTING_H
#define EQT_SLURM_LISTING_H

#include <stddef.h>

#include "base/error.h"

/* 256 MiB is more than any cluster prints. */
#define EQT_LISTING_MAX ((size_t) 1 << 28)

/* A text and its origin. Owned; free with eqt_listing_free(). {0} is empty. */
struct eqt_listing {
	const char *name; /* borrowed: the path or the command, for messages */
	char *text; /* NUL-terminated, without other NUL bytes */
	size_t length;
};

/* What messages call a command: a long one by the name of its program. Lives as long as the
 * command. */
const char *eqt_listing_command_name(const char *command);

/*
 * Fill *out from the file at path ("-": stdin) or, if path is NULL, from the
 * command. 0, or -1 with err filled: a file that cannot be read, a command that
 * fails, a NUL byte, more than EQT_LISTING_MAX, an empty text, a last line
 * without an end.
 */
int eqt_listing_read(struct eqt_listing *out, const char *path,
		     const char *command, struct eqt_error *err);

/* Free what *text owns; it is empty then. */
void eqt_listing_free(struct eqt_listing *text);

#endif
