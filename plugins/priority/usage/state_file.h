/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file: files in StateSaveLocation, replaced whole or not at all, and set
 * aside rather than removed. No lock of slurmctld's is held but at a start.
 */
#ifndef EQT_STATE_FILE_H
#define EQT_STATE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* StateSaveLocation. Slurm takes another one only at a start, but frees and reads
 * again the text that it keeps at each reconfigure. A plain value. */
struct eqt_state_folder {
	char path[PATH_MAX - NAME_MAX];
};

/* Take StateSaveLocation from slurm.conf; called by init, before all else. */
void eqt_state_file_init(struct eqt_state_folder *folder);

/* The path of a file in StateSaveLocation; returns path. */
const char *eqt_state_file_path(char path[PATH_MAX],
				const struct eqt_state_folder *folder,
				const char *name);

/* The whole file, malloc'd, NUL added, its length in *length. NULL with err
 * filled; errno is ENOENT when there is no such file, and only then. What may
 * pass (too many open files, no memory) is tried for a second. */
char *eqt_state_file_read(const struct eqt_state_folder *folder,
			  const char *name, size_t *length,
			  struct eqt_error *err);

/* Whether there is a file of that name. */
bool eqt_state_file_exists(const struct eqt_state_folder *folder,
			   const char *name);

/* Names that were added or changed reach the disk. 0, or -1 with errno. */
int eqt_state_file_sync_folder(const struct eqt_state_folder *folder);

/* Rename a file to NAME.aside, or NAME.aside.2 to .9 where there are such ones. 0
 * (also where there is none), or -1 with err filled. */
int eqt_state_file_set_aside(const struct eqt_state_folder *folder,
			     const char *name, struct eqt_error *err);

/* Put NAME.old in the place of a damaged file, which is set aside: it must not
 * become the one before the next. 0, or -1 with err filled. */
int eqt_state_file_put_back(const struct eqt_state_folder *folder,
			    const char *name, struct eqt_error *err);

/* The file becomes NAME.old as well, until another one takes its place (which is
 * the caller's to do); where there are no hard links it has that name alone. 0 (also
 * where there is none), or -1 with errno. */
int eqt_state_file_keep_old(const struct eqt_state_folder *folder,
			    const char *name);

/*
 * Write a new file, sync it and put it in the place of the old one, which
 * is kept as NAME.old; at no moment is there neither. 0; or -1 with err filled
 * and the old file in place; or 1 with err filled and the new one in place, which
 * a power failure can still undo.
 */
int eqt_state_file_replace(const struct eqt_state_folder *folder,
			   const char *name, const void *data, size_t length,
			   struct eqt_error *err);

#endif
