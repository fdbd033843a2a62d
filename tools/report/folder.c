/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Links are not followed, and only files with the mark are removed. Flushing each of ten
 * thousand pages would take minutes on a disk. Instead syncfs() flushes them together,
 * once before the first rename and once after the last. After a crash each page is
 * complete, either old or new.
 */
#define _GNU_SOURCE /* for syncfs() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/atomic_file.h"
#include "report/folder.h"

#define NEW ".new"
#define MARK_LENGTH (sizeof(EQT_FOLDER_MARK) - 1)

/* Fill err with the path and errno's text. Returns -1. */
static int folder_error(const struct eqt_folder *folder, const char *name,
			struct eqt_error *err)
{
	return eqt_error_set(err, "%s%s%s: %s", folder->path,
			     name[0] ? "/" : "", name, strerror(errno));
}

/* The folder itself is locked. The system releases the lock when the process ends. */
int eqt_folder_open(struct eqt_folder *out, const char *path,
		    struct eqt_error *err)
{
	*out = (struct eqt_folder){ .path = path, .fd = -1 };
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return folder_error(out, "", err);
	out->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (out->fd < 0)
		return folder_error(out, "", err);
	if (flock(out->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	(void) close(out->fd);
	out->fd = -1;
	if (errno != EWOULDBLOCK)
		return folder_error(out, "", err);
	return eqt_error_set(err, "%s: another report is being written there",
			     path);
}

/* ---- Pages ---------------------------------------------------------------- */

/* Create the folders of a name. Their mode follows the umask, so a site must protect the
 * folder of the report. */
static int name_make_folders(const struct eqt_folder *folder, const char *name,
			     struct eqt_error *err)
{
	const char *slash = strchr(name, '/');
	char above[PATH_MAX];

	for (; slash; slash = strchr(slash + 1, '/')) {
		(void) snprintf(above, sizeof(above), "%.*s",
				(int) (slash - name), name);
		if (mkdirat(folder->fd, above, 0777) < 0 && errno != EEXIST)
			return folder_error(folder, above, err);
	}
	return 0;
}

int eqt_folder_write(struct eqt_folder *folder, const char *name,
		     const char *text, size_t length, struct eqt_error *err)
{
	char beside[PATH_MAX];
	int fd, rc;

	EQT_ALLOC_ROOM(folder->page, folder->count);
	folder->page[folder->count++] = eqt_alloc_text(name);
	(void) snprintf(beside, sizeof(beside), "%s" NEW, name);
	if (name_make_folders(folder, name, err) < 0)
		return -1;
	fd = openat(folder->fd, beside,
		    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		    0666);
	if (fd < 0)
		return folder_error(folder, beside, err);
	rc = eqt_atomic_file_write_all(fd, EQT_FOLDER_MARK, MARK_LENGTH) < 0 ||
			     eqt_atomic_file_write_all(fd, text, length) < 0
		     ? folder_error(folder, beside, err)
		     : 0;
	if (close(fd) < 0 && rc == 0)
		rc = folder_error(folder, beside, err);
	return rc;
}

/* ---- Pages of earlier reports --------------------------------------------- */

static int page_compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

/* Does a file begin with the mark, or with a part of it? A full disk may have cut off a
 * file within the mark. */
static bool page_is_ours(const struct eqt_folder *folder, const char *name)
{
	char begin[MARK_LENGTH];
	int fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, begin, sizeof(begin));
	(void) close(fd);
	return length >= 0 &&
	       memcmp(begin, EQT_FOLDER_MARK, (size_t) length) == 0;
}

/* Remove the pages of an earlier report in the folder of a name, such as "user/ada".
 * Remove the folder too if it is then empty. */
static void name_clear(const struct eqt_folder *folder, const char *name)
{
	static const char *const pages[] = { "index.html", "users.html",
					     "index.html" NEW,
					     "users.html" NEW };
	char path[PATH_MAX + 32], *key = path;
	bool kept = false;

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		(void) snprintf(path, sizeof(path), "%s/%s", name, pages[i]);
		if (bsearch(&key, folder->page, folder->count, sizeof(key),
			    page_compare_names))
			kept = true;
		else if (page_is_ours(folder, path))
			(void) unlinkat(folder->fd, path, 0);
	}
	if (!kept)
		(void) unlinkat(folder->fd, name, AT_REMOVEDIR);
}

/* Clear all folders KIND/NAME. A folder that cannot be opened stays. */
static void folder_clear(const struct eqt_folder *folder, const char *kind)
{
	int fd = openat(folder->fd, kind, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	char name[PATH_MAX];
	struct dirent *one;

	if (!dir) {
		if (fd >= 0)
			(void) close(fd);
		return;
	}
	while ((one = readdir(dir)) != NULL) {
		if (one->d_name[0] == '.')
			continue;
		(void) snprintf(name, sizeof(name), "%s/%s", kind, one->d_name);
		name_clear(folder, name);
	}
	(void) closedir(dir);
}

/* ---- Commit --------------------------------------------------------------- */

int eqt_folder_commit(struct eqt_folder *folder, struct eqt_error *err)
{
	char beside[PATH_MAX];

	if (syncfs(folder->fd) < 0)
		return folder_error(folder, "", err);
	folder->committed = true;
	for (size_t i = 0; i < folder->count; i++) {
		(void) snprintf(beside, sizeof(beside), "%s" NEW,
				folder->page[i]);
		if (renameat(folder->fd, beside, folder->fd, folder->page[i]) <
		    0)
			return folder_error(folder, folder->page[i], err);
	}
	if (folder->count > 0)
		qsort(folder->page, folder->count, sizeof(*folder->page),
		      page_compare_names);
	folder_clear(folder, "account");
	folder_clear(folder, "user");
	return syncfs(folder->fd) < 0 ? folder_error(folder, "", err) : 0;
}

/* fd is -1 if the folder is closed already. */
void eqt_folder_close(struct eqt_folder *folder)
{
	char beside[PATH_MAX];

	for (size_t i = 0; i < folder->count; i++) {
		(void) snprintf(beside, sizeof(beside), "%s" NEW,
				folder->page[i]);
		if (!folder->committed)
			(void) unlinkat(folder->fd, beside, 0);
		free(folder->page[i]);
	}
	free(folder->page);
	if (folder->fd >= 0)
		(void) close(folder->fd);
	*folder = (struct eqt_folder){ .fd = -1 };
}
