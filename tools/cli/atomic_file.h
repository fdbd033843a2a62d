/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomic_file: files that are complete at any moment, also after a crash. */
#ifndef EQT_CLI_ATOMIC_FILE_H
#define EQT_CLI_ATOMIC_FILE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Replace the file at path by these bytes, readable for all: written to a
 * temporary file beside it, flushed, renamed, and the folder flushed. 0, or -1
 * with err filled and the old file unchanged.
 */
int eqt_atomic_file_write(const char *path, const char *text, size_t length,
			  struct eqt_error *err);

/* Write length bytes of a text, in several calls if needed. 0, or -1 with errno. */
int eqt_atomic_file_write_all(int fd, const char *text, size_t length);

/* Remove a file and flush its folder; a missing file is no error. 0, or -1 with
 * err filled. */
int eqt_atomic_file_remove(const char *path, struct eqt_error *err);

#endif
