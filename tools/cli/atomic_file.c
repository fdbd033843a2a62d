/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The temporary file is in the same folder, so that rename() is atomic. The data is
 * flushed before the rename, and the folder after the rename. After a crash the file is
 * therefore complete: either the old or the new one.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/atomic_file.h"

static int atomic_file_error(const char *path, struct eqt_error *err)
{
	return eqt_error_set(err, "%s: %s", path, strerror(errno));
}

int eqt_atomic_file_write_all(int fd, const char *text, size_t length)
{
	ssize_t wrote;

	for (; length > 0; text += wrote, length -= (size_t) wrote) {
		wrote = write(fd, text, length);
		if (wrote < 0 && errno == EINTR)
			wrote = 0;
		else if (wrote < 0)
			return -1;
	}
	return 0;
}

/* A rename or a removal is on the disk only after its folder has been flushed. */
static int atomic_file_flush_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	int fd, rc;

	(void) snprintf(folder, sizeof(folder), "%.*s",
			slash ? (int) (slash - path + 1) : 1,
			slash ? path : ".");
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return -1;
	rc = fsync(fd);
	(void) close(fd);
	return rc;
}

int eqt_atomic_file_write(const char *path, const char *text, size_t length,
			  struct eqt_error *err)
{
	char beside[PATH_MAX];
	int fd, rc;

	if (snprintf(beside, sizeof(beside), "%s.XXXXXX", path) >=
	    (int) sizeof(beside))
		return eqt_error_set(err, "%.200s...: name too long", path);
	fd = mkstemp(beside);
	if (fd < 0)
		return atomic_file_error(path, err);
	rc = fchmod(fd, 0644) < 0 ||
			     eqt_atomic_file_write_all(fd, text, length) < 0 ||
			     fsync(fd) < 0
		     ? atomic_file_error(path, err)
		     : 0;
	if (close(fd) < 0 && rc == 0)
		rc = atomic_file_error(path, err);
	if (rc == 0 && rename(beside, path) < 0)
		rc = atomic_file_error(path, err);
	if (rc < 0)
		(void) unlink(beside);
	else if (atomic_file_flush_folder(path) < 0)
		rc = atomic_file_error(path, err);
	return rc;
}

int eqt_atomic_file_remove(const char *path, struct eqt_error *err)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return atomic_file_error(path, err);
	return atomic_file_flush_folder(path) < 0 ? atomic_file_error(path, err)
						  : 0;
}
