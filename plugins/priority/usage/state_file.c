/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "usage/state_file.h"

/* libslurmfull defines it; the type is public. */
extern slurm_conf_t slurm_conf;

/* StateSaveLocation. Slurm takes another one only at a start, but frees and
 * reads anew the text that it keeps at each reconfigure. */
static char folder[PATH_MAX - NAME_MAX];

void eqt_state_file_init(void)
{
	(void) snprintf(folder, sizeof(folder), "%s",
			slurm_conf.state_save_location);
}

const char *eqt_state_file_path(char *buf, size_t size, const char *name)
{
	(void) snprintf(buf, size, "%s/%s", folder, name);
	return buf;
}

/* Bytes that were read, fewer where the file ends before; or -1. */
static ssize_t read_all(int fd, char *data, size_t length)
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

/* The file as it is now; NULL with errno. */
static char *read_once(const char *path, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	ssize_t got = -1;
	char *data = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0)
		data = malloc((size_t) st.st_size + 1);
	if (data)
		got = read_all(fd, data, (size_t) st.st_size);
	error = errno;
	(void) close(fd);
	if (got < 0) {
		free(data);
		errno = error;
		return NULL;
	}
	*length = (size_t) got;
	data[got] = '\0';
	return data;
}

static bool may_pass(int error)
{
	return error == ENFILE || error == EMFILE || error == ENOMEM ||
	       error == EAGAIN;
}

char *eqt_state_file_read(const char *name, size_t *length,
			  struct eqt_error *err)
{
	const struct timespec moment = { .tv_nsec = 250000000L };
	char path[PATH_MAX], *data;
	int error;

	eqt_state_file_path(path, sizeof(path), name);
	data = read_once(path, length);
	error = errno;
	for (int i = 0; !data && may_pass(error) && i < 4; i++) {
		(void) nanosleep(&moment, NULL);
		data = read_once(path, length);
		error = errno;
	}
	if (!data)
		eqt_error_set(err, "cannot read %s: %s", path, strerror(error));
	errno = error;
	return data;
}

bool eqt_state_file_exists(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return lstat(eqt_state_file_path(path, sizeof(path), name), &st) == 0;
}

int eqt_state_file_sync_folder(void)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc, error;

	if (fd < 0)
		return -1;
	rc = fsync(fd);
	error = errno;
	(void) close(fd);
	errno = error;
	/* A file system that cannot sync folders has nothing to sync. */
	return rc < 0 && error != EINVAL ? -1 : 0;
}

static int write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t put = write(fd, data, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		data += put;
		length -= (size_t) put;
	}
	return 0;
}

static int write_new(const char *path, const void *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool failed;

	if (fd < 0)
		return -1;
	failed = write_all(fd, data, length) < 0 || fsync(fd) < 0;
	if (close(fd) < 0)
		failed = true;
	return failed ? -1 : 0;
}

/* The path of NAME with an ending. */
static const char *tagged_path(char path[PATH_MAX], const char *name,
			       const char *ending)
{
	char tag[NAME_MAX];

	(void) snprintf(tag, sizeof(tag), "%s%s", name, ending);
	return eqt_state_file_path(path, PATH_MAX, tag);
}

/* A name that is free; the last one, where none is. */
static void aside_path(char path[PATH_MAX], const char *name)
{
	struct stat st;

	tagged_path(path, name, ".aside");
	for (char n = '2'; n <= '9' && lstat(path, &st) == 0; n++) {
		const char ending[] = { '.', 'a', 's', 'i', 'd',
					'e', '.', n,   '\0' };

		tagged_path(path, name, ending);
	}
}

int eqt_state_file_set_aside(const char *name, struct eqt_error *err)
{
	char path[PATH_MAX], aside[PATH_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	aside_path(aside, name);
	if (rename(path, aside) < 0 && errno != ENOENT)
		return eqt_error_set(err, "cannot rename %s to %s: %s", path,
				     aside, strerror(errno));
	return 0;
}

int eqt_state_file_put_back(const char *name, struct eqt_error *err)
{
	char path[PATH_MAX], old[PATH_MAX], aside[PATH_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	tagged_path(old, name, ".old");
	aside_path(aside, name);
	/* A link, so that a kill in between leaves both. */
	if (link(path, aside) < 0 && errno != ENOENT &&
	    eqt_state_file_set_aside(name, err) < 0)
		return -1;
	if (rename(old, path) < 0 && errno != ENOENT)
		return eqt_error_set(err, "cannot rename %s to %s: %s", old,
				     path, strerror(errno));
	(void) eqt_state_file_sync_folder();
	return 0;
}

int eqt_state_file_keep_old(const char *name)
{
	char path[PATH_MAX], old[PATH_MAX], keep[PATH_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	tagged_path(old, name, ".old");
	tagged_path(keep, name, ".keep");
	(void) unlink(keep);
	if (link(path, keep) < 0) {
		if (errno == ENOENT)
			return 0;
		/* No hard links here: for a moment .old alone is there. */
		return rename(path, old);
	}
	if (rename(keep, old) < 0)
		return -1;
	/* Two names of one file are not renamed. */
	(void) unlink(keep);
	return 0;
}

int eqt_state_file_replace(const char *name, const void *data, size_t length,
			   struct eqt_error *err)
{
	char path[PATH_MAX], fresh[PATH_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	tagged_path(fresh, name, ".new");
	if (write_new(fresh, data, length) < 0) {
		eqt_error_set(err, "cannot write %s: %s", fresh,
			      strerror(errno));
		(void) unlink(fresh);
		return -1;
	}
	if (eqt_state_file_keep_old(name) < 0 || rename(fresh, path) < 0)
		return eqt_error_set(err, "cannot replace %s: %s", path,
				     strerror(errno));
	if (eqt_state_file_sync_folder() < 0) {
		eqt_error_set(err, "cannot sync %s: %s", folder,
			      strerror(errno));
		return 1;
	}
	return 0;
}
