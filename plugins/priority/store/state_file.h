/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file: files in StateSaveLocation. A file is replaced as a whole or not
 * at all, and is renamed instead of removed. Callers hold no lock of slurmctld,
 * except at a start.
 */
#ifndef EQT_STATE_FILE_H
#define EQT_STATE_FILE_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "base/error.h"

/* The slurmctld that may write the files. Each slurmctld creates a new file
 * equitree_owner when it starts, and keeps it open. The owner is the one whose
 * file still has that name. When it ends, it writes "released" into its file. A
 * slurmctld that was replaced and still runs then becomes the owner again. */
struct eqt_state_owner {
	/* Protects the other members. No other lock is taken while it is held.
	 */
	pthread_mutex_t lock;
	/* The descriptor of our equitree_owner, or -1 if the file was not
	   created yet. */
	int fd;
	/* The moment from which on equitree_owner may be created. */
	struct timespec from;
};

#define EQT_STATE_OWNER                                      \
	{                                                    \
		.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, \
	}

/* The time after its start, in milliseconds, before a slurmctld becomes the
 * owner. In some releases slurmctld loads its plugins before it notices that
 * another slurmctld uses its port, and then ends. */
#define EQT_STATE_OWNER_MS 2000

/* A copy of StateSaveLocation, which changes only at a start. slurmctld frees
 * and reads its own string at each reconfigure. */
struct eqt_state_folder {
	char path[PATH_MAX - NAME_MAX];
	/* Borrowed; if NULL, ownership is not checked. */
	struct eqt_state_owner *owner;
};

/* Copy StateSaveLocation from slurm.conf. init() calls this before any other
 * function of this file. */
void eqt_state_file_init(struct eqt_state_folder *folder);

/*
 * May this slurmctld write? The function makes it the owner if it has run for
 * EQT_STATE_OWNER_MS. Returns 0, or -1 with err filled and errno ESTALE if
 * another slurmctld has become the owner since, as a backup does while this one
 * is paused. Any thread may call this function, without a lock of slurmctld.
 */
int eqt_state_file_own(const struct eqt_state_folder *folder,
		       struct eqt_error *err);

/* Release the ownership and close the owner's file when the plugin is
 * unloaded. */
void eqt_state_file_disown(struct eqt_state_folder *folder);

/* Write the path of a file in StateSaveLocation. Returns path. */
const char *eqt_state_file_path(char path[PATH_MAX],
				const struct eqt_state_folder *folder,
				const char *name);

/* Write the path of a file whose name gets this ending. Returns path. */
const char *eqt_state_file_tagged(char path[PATH_MAX],
				  const struct eqt_state_folder *folder,
				  const char *name, const char *ending);

/* Read a whole file. Returns its content, to which a NUL is added, and sets
 * *length to its length. The caller frees the content with free(). Returns NULL
 * with err filled after an error; errno is ENOENT only if there is no such
 * file. After a temporary error, such as too many open files, the function
 * tries again for a second. */
char *eqt_state_file_read(const struct eqt_state_folder *folder,
			  const char *name, size_t *length,
			  struct eqt_error *err);

/* Is there a file of that name? */
bool eqt_state_file_exists(const struct eqt_state_folder *folder,
			   const char *name);

/* Does the name still belong to this open file? Returns 0 if so, EEXIST if the
 * name belongs to another file, or the errno of an error. */
int eqt_state_file_named(const struct eqt_state_folder *folder,
			 const char *name, int fd);

/* Close a file without changing errno. fd may be -1. */
void eqt_state_file_close(int fd);

/* Remove a new file that is not used, and close it, without changing errno. */
void eqt_state_file_discard(int fd, const char *path);

/* Write all bytes. Returns 0, or -1 with errno set. */
int eqt_state_file_write(int fd, const char *data, size_t length);

/* Sync a folder, so that new and changed names are on the disk. Returns 0, or
 * -1 with errno set. */
int eqt_state_file_sync_folder(const char *path);

/* Rename a file to NAME.aside or, if that exists, to NAME.aside.2 up to .9.
 * Returns 0, also if there is no such file, or -1 with err filled. */
int eqt_state_file_set_aside(const struct eqt_state_folder *folder,
			     const char *name, struct eqt_error *err);

/* Put NAME.old in the place of a damaged file. The damaged file is set aside,
 * so that it does not become the next NAME.old. Returns 0, or -1 with err
 * filled. */
int eqt_state_file_put_back(const struct eqt_state_folder *folder,
			    const char *name, struct eqt_error *err);

/* Give the file a second name, NAME.old, before the caller puts a new file in
 * its place. On a file system without hard links the file is renamed instead.
 * Returns 0, also if there is no such file, or -1 with errno set. */
int eqt_state_file_keep_old(const struct eqt_state_folder *folder,
			    const char *name);

/*
 * Write a new file, sync it, and put it in the place of the old file, which is
 * kept as NAME.old. At every moment one of the two exists. Returns 0; or -1
 * with err filled if the old file is still in place; or 1 with err filled if
 * the new file is in place but a power failure can still undo this.
 */
int eqt_state_file_replace(const struct eqt_state_folder *folder,
			   const char *name, const void *data, size_t length,
			   struct eqt_error *err);

/* Rename a synced file, replacing a file of the new name. Returns 0, or -1 with
 * err filled. */
int eqt_state_file_rename(const struct eqt_state_folder *folder,
			  const char *from, const char *to,
			  struct eqt_error *err);

#endif
