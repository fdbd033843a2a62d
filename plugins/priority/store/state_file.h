/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state_file: files in StateSaveLocation. They are replaced as a whole or not at all, and
 * renamed instead of removed. No lock of slurmctld is held, except at a start.
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

/* Which slurmctld may write the files. Each one makes a new file equitree_owner when it
 * starts, and keeps it open: the owner is the one whose file still has that name. When it
 * ends, it writes "released" into the file. A slurmctld that was replaced and still runs then
 * becomes the owner again. */
struct eqt_state_owner {
	pthread_mutex_t
		lock; /* covers the rest; no other lock is taken under it */
	int fd; /* of our equitree_owner; -1: not made yet */
	struct timespec from; /* the moment from which on it is made */
};

#define EQT_STATE_OWNER                                      \
	{                                                    \
		.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, \
	}

/* A slurmctld becomes the owner only this long after its start: in some releases it loads its
 * plugins before it notices that another slurmctld has its port, and then ends. */
#define EQT_STATE_OWNER_MS 2000

/* A copy of StateSaveLocation, which changes only at a start. slurmctld's own string is freed
 * and read again at each reconfigure. A plain value. */
struct eqt_state_folder {
	char path[PATH_MAX - NAME_MAX];
	/* Not owned; NULL: ownership is not checked */
	struct eqt_state_owner *owner;
};

/* Copy StateSaveLocation from slurm.conf; init calls this before everything else. */
void eqt_state_file_init(struct eqt_state_folder *folder);

/*
 * May this slurmctld write? Makes it the owner if it has run for EQT_STATE_OWNER_MS.
 * Returns 0; or -1 with err filled and errno ESTALE: another one has become the owner
 * since, as a backup does while this one is paused. Any thread, no lock of slurmctld.
 */
int eqt_state_file_own(const struct eqt_state_folder *folder,
		       struct eqt_error *err);

/* Close the owner's file (at fini). */
void eqt_state_file_disown(struct eqt_state_folder *folder);

/* The path of a file in StateSaveLocation; returns path. */
const char *eqt_state_file_path(char path[PATH_MAX],
				const struct eqt_state_folder *folder,
				const char *name);

/* The path of a file whose name has this ending added; returns path. */
const char *eqt_state_file_tagged(char path[PATH_MAX],
				  const struct eqt_state_folder *folder,
				  const char *name, const char *ending);

/* Read a whole file. Returns its content with a NUL added, to be freed with free(), and its
 * length in *length; or NULL with err filled. errno is ENOENT only if there is no such
 * file. Temporary errors (too many open files, no memory) are tried again for a second. */
char *eqt_state_file_read(const struct eqt_state_folder *folder,
			  const char *name, size_t *length,
			  struct eqt_error *err);

/* Is there a file of that name? */
bool eqt_state_file_exists(const struct eqt_state_folder *folder,
			   const char *name);

/* Does the name still belong to this open file? 0: yes; EEXIST: it is another file's name
 * now; or the errno of a failure. */
int eqt_state_file_named(const struct eqt_state_folder *folder,
			 const char *name, int fd);

/* Close a file; errno stays as it is. -1 is fine. */
void eqt_state_file_close(int fd);

/* Remove a new file that is not used, then close it; errno stays as it is. */
void eqt_state_file_discard(int fd, const char *path);

/* Write all bytes. 0, or -1 with errno. */
int eqt_state_file_write(int fd, const char *data, size_t length);

/* Sync a folder, so that new and changed names are on the disk. 0, or -1 with errno. */
int eqt_state_file_sync_folder(const char *path);

/* Rename a file to NAME.aside or, if that exists, to NAME.aside.2 up to .9. Returns 0, also
 * if there is no such file, or -1 with err filled. */
int eqt_state_file_set_aside(const struct eqt_state_folder *folder,
			     const char *name, struct eqt_error *err);

/* Put NAME.old in the place of a damaged file, which is set aside so that it does not become
 * the next .old. Returns 0, or -1 with err filled. */
int eqt_state_file_put_back(const struct eqt_state_folder *folder,
			    const char *name, struct eqt_error *err);

/* Give the file the second name NAME.old; the caller then puts a new file in its place.
 * Without hard links it is renamed. Returns 0, also if there is no such file, or -1 with
 * errno. */
int eqt_state_file_keep_old(const struct eqt_state_folder *folder,
			    const char *name);

/*
 * Write a new file, sync it and put it in the place of the old one, which is kept as
 * NAME.old; at every moment one of them exists. Returns 0; -1 with err filled and the old
 * file in place; or 1 with err filled and the new file in place, which a power failure
 * can still undo.
 */
int eqt_state_file_replace(const struct eqt_state_folder *folder,
			   const char *name, const void *data, size_t length,
			   struct eqt_error *err);

/* Rename a file that was synced; it replaces a file of the new name. Returns 0, or -1 with
 * err filled. */
int eqt_state_file_rename(const struct eqt_state_folder *folder,
			  const char *from, const char *to,
			  struct eqt_error *err);

#endif
