/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole_file: files that are whole at any moment, whatever dies when. */
#ifndef EQT_CLI_ATOMIC_FILE_H
#define EQT_CLI_ATOMIC_FILE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Put a file of these bytes, readable for all, in the place of the one at path:
 * written beside it, flushed to the disk, then renamed, and the folder flushed.
 * 0, or -1 with err filled and the old file as it was.
 */
int eqt_atomic_file_write(const char *path, const char *text, size_t length,
			  struct eqt_error *err);

/* Remove a file and flush its folder; one that is not there is fine. 0, or -1
 * with err filled. */
int eqt_atomic_file_remove(const char *path, struct eqt_error *err);

#endif
