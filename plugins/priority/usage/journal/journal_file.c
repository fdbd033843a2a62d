/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal's file on disk: append, sync, rotate. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "usage/journal/journal_file.h"

/* Does the file end with a part of a line, from a process that was killed as it
 * wrote? */
static bool file_ends_with_piece(int fd)
{
	struct stat st;
	char last = '\n';

	return fstat(fd, &st) == 0 && st.st_size > 0 &&
	       pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n';
}

int eqt_journal_file_open(struct eqt_journal_file *file)
{
	char path[PATH_MAX];

	if (file->fd >= 0)
		return 0;
	file->fd = open(eqt_state_file_path(path, file->folder, EQT_JOURNAL),
			O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (file->fd < 0)
		return -1;
	file->torn = file_ends_with_piece(file->fd);
	/* A new name must survive a power failure as well. */
	if (eqt_state_file_sync_folder(file->folder) < 0) {
		int error = errno;

		eqt_journal_file_close(file);
		errno = error;
		return -1;
	}
	return 0;
}

static ssize_t journal_file_write(const struct eqt_journal_file *file,
				  const char *text, size_t length)
{
	ssize_t put;

	do
		put = write(file->fd, text, length);
	while (put < 0 && errno == EINTR);
	return put;
}

ssize_t eqt_journal_file_append(struct eqt_journal_file *file, const char *text,
				size_t length)
{
	if (eqt_state_file_own(file->folder, NULL) < 0 ||
	    eqt_journal_file_open(file) < 0)
		return -1;
	/* End the torn line, so that ours begins at the start of a line. */
	if (file->torn) {
		ssize_t put = journal_file_write(file, "\n", 1);

		if (put <= 0)
			return put;
		file->torn = false;
	}
	return journal_file_write(file, text, length);
}

int eqt_journal_file_sync(const struct eqt_journal_file *file)
{
	return file->fd < 0 ? 0 : fdatasync(file->fd);
}

void eqt_journal_file_rotate(struct eqt_journal_file *file)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	int fd;

	if (eqt_state_file_own(file->folder, NULL) < 0)
		return;
	(void) eqt_journal_file_sync(file);
	eqt_state_file_path(path, file->folder, EQT_JOURNAL);
	eqt_state_file_path(fresh, file->folder, EQT_JOURNAL ".new");
	fd = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return;
	/* If we are killed in between, both names belong to one file;
	 * line_set.h makes sure that its lines are read once. */
	if (eqt_state_file_keep_old(file->folder, EQT_JOURNAL) < 0 ||
	    rename(fresh, path) < 0) {
		(void) close(fd);
		return;
	}
	eqt_journal_file_close(file);
	file->fd = fd;
	file->torn = false;
	(void) eqt_state_file_sync_folder(file->folder);
}

void eqt_journal_file_close(struct eqt_journal_file *file)
{
	if (file->fd >= 0)
		(void) close(file->fd);
	file->fd = -1;
}
