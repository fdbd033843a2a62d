/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static int read_all(int fd, char *data, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t got = read(fd, data + done, length - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		done += (size_t) got;
	}
	return 0;
}

char *eqt_state_file_read(const char *name, size_t *length,
			  struct eqt_error *err)
{
	char path[PATH_MAX], *data = NULL;
	struct stat st;
	int fd = open(eqt_state_file_path(path, sizeof(path), name),
		      O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		eqt_error_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (fstat(fd, &st) == 0)
		data = malloc((size_t) st.st_size + 1);
	if (!data || read_all(fd, data, (size_t) st.st_size) < 0) {
		eqt_error_set(err, "%s: cannot be read", path);
		free(data);
		close(fd);
		errno = EIO;
		return NULL;
	}
	close(fd);
	*length = (size_t) st.st_size;
	data[*length] = '\0';
	return data;
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

void eqt_state_file_put_back(const char *name)
{
	char path[PATH_MAX], old[PATH_MAX], aside[PATH_MAX], tag[NAME_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	(void) snprintf(tag, sizeof(tag), "%s.old", name);
	eqt_state_file_path(old, sizeof(old), tag);
	(void) snprintf(tag, sizeof(tag), "%s.aside", name);
	eqt_state_file_path(aside, sizeof(aside), tag);
	(void) unlink(aside);
	(void) link(path, aside);
	(void) rename(old, path);
}

int eqt_state_file_replace(const char *name, const void *data, size_t length,
			   struct eqt_error *err)
{
	char path[PATH_MAX], fresh[PATH_MAX], old[PATH_MAX];
	char tag[NAME_MAX];

	eqt_state_file_path(path, sizeof(path), name);
	(void) snprintf(tag, sizeof(tag), "%s.new", name);
	eqt_state_file_path(fresh, sizeof(fresh), tag);
	(void) snprintf(tag, sizeof(tag), "%s.old", name);
	eqt_state_file_path(old, sizeof(old), tag);
	if (write_new(fresh, data, length) < 0) {
		eqt_error_set(err, "%s: %s", fresh, strerror(errno));
		(void) unlink(fresh);
		return -1;
	}
	/* A link first: at no moment is there no file of that name. */
	if (access(path, F_OK) == 0) {
		(void) unlink(old);
		(void) link(path, old);
	}
	if (rename(fresh, path) < 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	return 0;
}
