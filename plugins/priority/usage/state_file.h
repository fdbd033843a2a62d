/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file: files in StateSaveLocation, replaced whole or not at all.
 */
#ifndef EQT_STATE_FILE_H
#define EQT_STATE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Take StateSaveLocation from slurm.conf; called by init, before all else. */
void eqt_state_file_init(void);

/* The path of a file in StateSaveLocation; returns buf, cut at size - 1. */
const char *eqt_state_file_path(char *buf, size_t size, const char *name);

/* The whole file, malloc'd, NUL added, its length in *length. NULL with err
 * filled; errno is ENOENT when there is no such file. */
char *eqt_state_file_read(const char *name, size_t *length,
			  struct eqt_error *err);

/* Put NAME.old in the place of a damaged file, which is kept as NAME.aside: it
 * must not become the one before the next. */
void eqt_state_file_put_back(const char *name);

/*
 * Write the file anew, sync it and put it in the place of the old one, which
 * is kept as NAME.old. 0, or -1 with err filled and the old file in place.
 */
int eqt_state_file_replace(const char *name, const void *data, size_t length,
			   struct eqt_error *err);

#endif
