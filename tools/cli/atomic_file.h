/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomic_file: files that are complete at any moment, even after a crash. */
#ifndef EQT_CLI_ATOMIC_FILE_H
#define EQT_CLI_ATOMIC_FILE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Replace the file at path by length bytes of text. The new file is readable for all
 * users. The text goes into a temporary file in the same folder, which is flushed and
 * then renamed. Returns 0, or -1 with err filled; the old file is then unchanged.
 */
int eqt_atomic_file_write(const char *path, const char *text, size_t length,
			  struct eqt_error *err);

/* Write length bytes of a text, in several calls if needed. Returns 0, or -1 with errno
 * set. */
int eqt_atomic_file_write_all(int fd, const char *text, size_t length);

/* Remove a file and flush its folder. A missing file is no error. Returns 0, or -1 with
 * err filled. */
int eqt_atomic_file_remove(const char *path, struct eqt_error *err);

#endif
