/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files in StateSaveLocation. A file is written under another name, synced and
 * renamed, and then the folder is synced. So after a crash the file has either
 * the old content or the new content.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "slurm/moment.h"
#include "store/state_file.h"

#define LOCK_TRIES 1000 /* Each try waits 2 ms. */

/* libslurmfull defines this variable, and its type is public. */
extern slurm_conf_t slurm_conf;

void eqt_state_file_init(struct eqt_state_folder *folder)
{
	(void) snprintf(folder->path, sizeof(folder->path), "%s",
			slurm_conf.state_save_location);
	if (folder->owner)
		folder->owner->from = eqt_moment_in_ms(EQT_STATE_OWNER_MS);
}

const char *eqt_state_file_path(char path[PATH_MAX],
				const struct eqt_state_folder *folder,
				const char *name)
{
	(void) snprintf(path, PATH_MAX, "%s/%s", folder->path, name);
	return path;
}

const char *eqt_state_file_tagged(char path[PATH_MAX],
				  const struct eqt_state_folder *folder,
				  const char *name, const char *ending)
{
	(void) snprintf(path, PATH_MAX, "%s/%s%s", folder->path, name, ending);
	return path;
}

/* Read up to `length` bytes. Returns how many the file had, or -1. */
static ssize_t state_file_read_all(int fd, char *data, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got = read(fd, data + done, length - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t) got;
	}
	return (ssize_t) done;
}

void eqt_state_file_close(int fd)
{
	const int error = errno;

	if (fd >= 0)
		(void) close(fd);
	errno = error;
}

void eqt_state_file_discard(int fd, const char *path)
{
	const int error = errno;

	(void) unlink(path);
	(void) close(fd);
	errno = error;
}

/* Read the file without trying again. Returns NULL with errno set after an
 * error. */
static char *state_file_read_once(const char *path, size_t *length)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;
	char *data = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0)
		data = malloc((size_t) st.st_size + 1);
	if (data)
		got = state_file_read_all(fd, data, (size_t) st.st_size);
	eqt_state_file_close(fd);
	if (got < 0) {
		free(data);
		return NULL;
	}
	*length = (size_t) got;
	data[got] = '\0';
	return data;
}

/* ENOTDIR means that StateSaveLocation is not a folder and has no files, as in
 * Slurm's own test programs. */
static bool file_is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/* Is this an error that may go away by itself within a second? */
static bool error_may_pass(int error)
{
	return error == ENFILE || error == EMFILE || error == ENOMEM ||
	       error == EAGAIN;
}

char *eqt_state_file_read(const struct eqt_state_folder *folder,
			  const char *name, size_t *length,
			  struct eqt_error *err)
{
	const struct timespec moment = { .tv_nsec = 250000000L };
	char path[PATH_MAX], *data;
	int error;

	eqt_state_file_path(path, folder, name);
	data = state_file_read_once(path, length);
	error = errno;
	for (int i = 0; !data && error_may_pass(error) && i < 4; i++) {
		(void) nanosleep(&moment, NULL);
		data = state_file_read_once(path, length);
		error = errno;
	}
	if (!data && file_is_absent(error))
		error = ENOENT;
	if (!data)
		eqt_error_set(err, "cannot read %s: %s", path, strerror(error));
	errno = error;
	return data;
}

bool eqt_state_file_exists(const struct eqt_state_folder *folder,
			   const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return lstat(eqt_state_file_path(path, folder, name), &st) == 0;
}

int eqt_state_file_sync_folder(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -1;
	rc = fsync(fd);
	eqt_state_file_close(fd);
	/* A file system that cannot sync folders returns EINVAL, which is not
	   an error. */
	return rc < 0 && errno != EINVAL ? -1 : 0;
}

int eqt_state_file_write(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t put = write(fd, data, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		data += put;
		length -= (size_t) put;
	}
	return 0;
}

/* Does the name still belong to the open file? On a network file system this
 * asks the server, because another host may have replaced the file. */
static int state_file_named(int fd, const char *path)
{
	struct statx ours, named;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO, &ours) < 0 ||
	    statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_INO, &named) < 0)
		return errno;
	return ours.stx_ino == named.stx_ino &&
			       ours.stx_dev_major == named.stx_dev_major &&
			       ours.stx_dev_minor == named.stx_dev_minor
		       ? 0
		       : EEXIST;
}

int eqt_state_file_named(const struct eqt_state_folder *folder,
			 const char *name, int fd)
{
	char path[PATH_MAX];

	return state_file_named(fd, eqt_state_file_path(path, folder, name));
}

/* ---- The owner ----------------------------------------------------------------- */

#define OWNER "equitree_owner"
#define RELEASED "released\n"

/* Make this slurmctld the owner by replacing the owner's file. Returns -1 with
 * errno set after an error. */
static int owner_make(const struct eqt_state_folder *folder)
{
	char path[PATH_MAX], fresh[PATH_MAX], name[64], text[64];
	int fd, length;

	eqt_state_file_path(path, folder, OWNER);
	(void) snprintf(name, sizeof(name), OWNER ".%ld", (long) getpid());
	eqt_state_file_path(fresh, folder, name);
	(void) unlink(fresh);
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return -1;
	length = snprintf(text, sizeof(text), "slurmctld %ld\n",
			  (long) getpid());
	if (eqt_state_file_write(fd, text, (size_t) length) == 0 &&
	    rename(fresh, path) == 0) {
		eqt_state_file_close(folder->owner->fd);
		folder->owner->fd = fd;
		return 0;
	}
	eqt_state_file_discard(fd, fresh);
	return -1;
}

/* Did the last owner write RELEASED, as an owner does that ends in an orderly
 * way? */
static bool owner_is_released(const struct eqt_state_folder *folder)
{
	char path[PATH_MAX];
	size_t length;
	char *text = state_file_read_once(
		eqt_state_file_path(path, folder, OWNER), &length);
	bool released = text && strcmp(text, RELEASED) == 0;

	free(text);
	return released;
}

/* Has another slurmctld become the owner? A full disk or a removed file does
 * not mean that. The lock is held. */
static bool owner_is_lost(const struct eqt_state_folder *folder)
{
	struct eqt_state_owner *owner = folder->owner;
	const struct timespec now = eqt_moment_in_ms(0);
	int error = ENOENT;

	if (eqt_moment_is_before(&now, &owner->from))
		return false;
	if (owner->fd >= 0)
		error = eqt_state_file_named(folder, OWNER, owner->fd);
	if (error == EEXIST)
		return !owner_is_released(folder) || owner_make(folder) < 0;
	if (error == ENOENT)
		(void) owner_make(folder);
	return false;
}

int eqt_state_file_own(const struct eqt_state_folder *folder,
		       struct eqt_error *err)
{
	struct eqt_state_owner *owner = folder->owner;
	bool lost;

	if (!owner)
		return 0;
	pthread_mutex_lock(&owner->lock);
	lost = owner_is_lost(folder);
	pthread_mutex_unlock(&owner->lock);
	if (!lost)
		return 0;
	(void) eqt_error_set(err, "another slurmctld has taken over, and saves "
				  "to StateSaveLocation now: this one does not "
				  "any more. If no other one is in charge, "
				  "restart this one");
	errno = ESTALE;
	return -1;
}

void eqt_state_file_disown(struct eqt_state_folder *folder)
{
	struct eqt_state_owner *owner = folder->owner;

	pthread_mutex_lock(&owner->lock);
	if (owner->fd >= 0) {
		/* The descriptor belongs to the file that we made, even if its
		   name belongs to another file now. */
		if (ftruncate(owner->fd, 0) == 0)
			(void) eqt_state_file_write(owner->fd, RELEASED,
						    sizeof(RELEASED) - 1);
		(void) close(owner->fd);
	}
	owner->fd = -1;
	pthread_mutex_unlock(&owner->lock);
}

/* ---- Replacing ----------------------------------------------------------------- */

/* Wait for another writer to close the file, but only for a short time: a file
 * system may not support locks, or a machine that holds a lock may be gone. */
static void state_file_lock(int fd)
{
	const struct timespec moment = { .tv_nsec = 2000000L };

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return;
		(void) nanosleep(&moment, NULL);
	}
}

/*
 * Open an empty file that only this process writes. While a backup controller
 * takes over or gives way, the other slurmctld may still write its last files.
 * Two writers of one file would mix their data, or rename the file away from
 * each other.
 */
static int state_file_open_new(const char *path)
{
	for (int i = 0; i < 8; i++) {
		const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		bool named;

		if (fd < 0)
			return -1;
		state_file_lock(fd);
		named = state_file_named(fd, path) == 0;
		/* For a device, which has no length, ftruncate() fails with
		   EINVAL. */
		if (named && (ftruncate(fd, 0) == 0 || errno == EINVAL))
			return fd;
		eqt_state_file_close(fd);
		if (named)
			return -1;
	}
	errno = EBUSY;
	return -1;
}

/* Write and sync a new file. Returns the file, open and locked, or -1 with
 * errno set. */
static int state_file_write_new(const char *path, const void *data,
				size_t length)
{
	int fd = state_file_open_new(path);

	if (fd < 0)
		return -1;
	if (eqt_state_file_write(fd, data, length) == 0 && fsync(fd) == 0)
		return fd;
	/* The file is removed before the lock is released. */
	eqt_state_file_discard(fd, path);
	return -1;
}

/* Find a free name for a file that is set aside. If all names are used, the
 * last one, .aside.9, is overwritten. */
static void state_file_aside_path(char path[PATH_MAX],
				  const struct eqt_state_folder *folder,
				  const char *name)
{
	char ending[] = ".aside.2";
	struct stat st;

	eqt_state_file_tagged(path, folder, name, ".aside");
	for (char n = '2'; n <= '9' && lstat(path, &st) == 0; n++) {
		ending[sizeof(ending) - 2] = n;
		eqt_state_file_tagged(path, folder, name, ending);
	}
}

/* Rename a file. Returns 0, or -1 with err filled. If is_optional is set, a
 * missing file is not an error. */
static int state_file_move(const char *from, const char *to, bool is_optional,
			   struct eqt_error *err)
{
	if (rename(from, to) == 0 || (is_optional && file_is_absent(errno)))
		return 0;
	return eqt_error_set(err, "cannot rename %s to %s: %s", from, to,
			     strerror(errno));
}

int eqt_state_file_set_aside(const struct eqt_state_folder *folder,
			     const char *name, struct eqt_error *err)
{
	char path[PATH_MAX], aside[PATH_MAX];

	eqt_state_file_path(path, folder, name);
	state_file_aside_path(aside, folder, name);
	return state_file_move(path, aside, true, err);
}

int eqt_state_file_put_back(const struct eqt_state_folder *folder,
			    const char *name, struct eqt_error *err)
{
	char path[PATH_MAX], old[PATH_MAX], aside[PATH_MAX];

	eqt_state_file_path(path, folder, name);
	eqt_state_file_tagged(old, folder, name, ".old");
	state_file_aside_path(aside, folder, name);
	/* A link is made instead of a rename, so that a kill in between leaves
	   the file under both names. */
	if (link(path, aside) < 0 && !file_is_absent(errno) &&
	    eqt_state_file_set_aside(folder, name, err) < 0)
		return -1;
	if (state_file_move(old, path, true, err) < 0)
		return -1;
	(void) eqt_state_file_sync_folder(folder->path);
	return 0;
}

int eqt_state_file_keep_old(const struct eqt_state_folder *folder,
			    const char *name)
{
	char path[PATH_MAX], old[PATH_MAX], keep[PATH_MAX];

	eqt_state_file_path(path, folder, name);
	eqt_state_file_tagged(old, folder, name, ".old");
	eqt_state_file_tagged(keep, folder, name, ".keep");
	(void) unlink(keep);
	if (link(path, keep) < 0) {
		if (errno == ENOENT)
			return 0;
		/* The file system has no hard links. Until the caller puts the
		   new file in place, only NAME.old exists. */
		return rename(path, old);
	}
	if (rename(keep, old) < 0)
		return -1;
	/* rename() does nothing if both names belong to the same file. */
	(void) unlink(keep);
	return 0;
}

int eqt_state_file_replace(const struct eqt_state_folder *folder,
			   const char *name, const void *data, size_t length,
			   struct eqt_error *err)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	int fd;
	bool replaced;

	if (eqt_state_file_own(folder, err) < 0)
		return -1;
	eqt_state_file_path(path, folder, name);
	eqt_state_file_tagged(fresh, folder, name, ".new");
	fd = state_file_write_new(fresh, data, length);
	if (fd < 0)
		return eqt_error_set(err, "cannot write %s: %s", fresh,
				     strerror(errno));
	/* Another slurmctld may have become the owner while the disk was
	   slow. */
	if (eqt_state_file_own(folder, err) < 0) {
		eqt_state_file_close(fd);
		return -1;
	}
	replaced = eqt_state_file_keep_old(folder, name) == 0 &&
		   rename(fresh, path) == 0;
	if (!replaced)
		eqt_error_set(err, "cannot replace %s: %s", path,
			      strerror(errno));
	/* The file is closed only now, because the lock also protects the
	   names. */
	(void) close(fd);
	if (!replaced)
		return -1;
	if (eqt_state_file_sync_folder(folder->path) < 0) {
		eqt_error_set(err, "cannot sync %s: %s", folder->path,
			      strerror(errno));
		return 1;
	}
	return 0;
}

int eqt_state_file_rename(const struct eqt_state_folder *folder,
			  const char *from, const char *to,
			  struct eqt_error *err)
{
	char path[PATH_MAX], named[PATH_MAX];

	if (eqt_state_file_own(folder, err) < 0)
		return -1;
	eqt_state_file_path(path, folder, from);
	eqt_state_file_path(named, folder, to);
	return state_file_move(path, named, false, err);
}
