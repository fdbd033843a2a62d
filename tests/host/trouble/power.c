/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../fail.h"
#include "power.h"

#define FILES_MOST 2048
#define NAMES_MOST 256
#define CHANGES_MOST 1024

/* A file, whatever its names are. It stays open, so that its number is not used again. */
struct disk_file {
	ino_t number;
	int fd;
	char *synced;
	size_t length;
};

/* A name and its file; NULL: there is none. */
struct disk_name {
	char path[PATH_MAX];
	struct disk_file *file;
	char *data; /* of an image */
	size_t length;
};

static struct {
	pthread_mutex_t lock; /* protects all variables below */
	_Atomic bool on;
	struct disk_file file[FILES_MOST];
	size_t files;
	struct disk_name name[NAMES_MOST]; /* that were synced */
	size_t names;
	struct disk_name change[CHANGES_MOST]; /* since, in their order */
	size_t changes;
	int64_t calls; /* until the power fails; 0: it does not */
	uint64_t random;
	struct disk_name image[NAMES_MOST]; /* what it leaves */
	size_t images;
	bool failed;
} disk = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t disk_random(size_t below)
{
	disk.random = disk.random * 6364136223846793005U + 1442695040888963407U;
	return below ? (size_t) ((disk.random >> 33) % below) : 0;
}

static bool path_is_watched(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && (strncmp(name, "/equitree_", 10) == 0 ||
			strncmp(name, "/priority_last_decay_ran", 24) == 0 ||
			strstr(path, "/equitree_charges/"));
}

/* ---- Files --------------------------------------------------------------------- */

static int file_open(const char *path, int flags)
{
	return (int) syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC,
			     0600);
}

/* All of a file; *length without the NUL. */
static char *file_read(int fd, size_t *length)
{
	struct stat st;
	char *data;

	if (fstat(fd, &st) < 0 || !(data = malloc((size_t) st.st_size + 1)))
		fail("a file of the disk cannot be read");
	*length = (size_t) pread(fd, data, (size_t) st.st_size, 0);
	return data;
}

/* The file of a path; NULL: there is none. The lock is held. */
static struct disk_file *file_at(const char *path)
{
	int fd = file_open(path, O_RDONLY);
	struct disk_file *file;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	for (size_t i = 0; i < disk.files; i++) {
		if (disk.file[i].number == st.st_ino) {
			(void) close(fd);
			return &disk.file[i];
		}
	}
	if (disk.files == FILES_MOST)
		fail("too many files for a power cut");
	file = &disk.file[disk.files++];
	*file = (struct disk_file){ .number = st.st_ino, .fd = fd };
	return file;
}

/* ---- Names --------------------------------------------------------------------- */

static void names_set(struct disk_name *names, size_t *count,
		      const struct disk_name *change)
{
	size_t i = 0;

	while (i < *count && strcmp(names[i].path, change->path) != 0)
		i++;
	if (i == NAMES_MOST)
		fail("too many names for a power cut");
	if (i == *count)
		(*count)++;
	names[i] = *change;
}

static void change_add(const char *path, struct disk_file *file)
{
	struct disk_name *change;

	if (disk.changes == CHANGES_MOST)
		fail("too many changes of names for a power cut");
	change = &disk.change[disk.changes++];
	*change = (struct disk_name){ .file = file };
	(void) snprintf(change->path, sizeof(change->path), "%s", path);
}

static bool path_is_in(const char *path, const char *folder)
{
	const size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && path[length] == '/' &&
	       !strchr(path + length + 1, '/');
}

/* All changes of names in that folder are on the disk. */
static void folder_sync(const char *folder)
{
	size_t kept = 0;

	for (size_t i = 0; i < disk.changes; i++) {
		if (path_is_in(disk.change[i].path, folder))
			names_set(disk.name, &disk.names, &disk.change[i]);
		else
			disk.change[kept++] = disk.change[i];
	}
	disk.changes = kept;
}

/* ---- The cut --------------------------------------------------------------------- */

/* What the power cut leaves of a file. */
static void image_fill(struct disk_name *image)
{
	const struct disk_file *file = image->file;
	size_t now;
	char *data = file_read(file->fd, &now);

	if (now >= file->length &&
	    (!file->length || memcmp(data, file->synced, file->length) == 0)) {
		image->data = data;
		image->length =
			file->length + disk_random(now - file->length + 1);
		/* The length may be on the disk before the bytes. */
		if (disk_random(6) == 0) {
			memset(data + image->length, 0, now - image->length);
			image->length = now;
		}
		return;
	}
	if (disk_random(2)) {
		image->data = data;
		image->length = now;
		return;
	}
	free(data);
	image->data = malloc(file->length + 1);
	image->length = file->length;
	if (!image->data)
		fail("out of memory");
	if (file->length)
		memcpy(image->data, file->synced, file->length);
}

static void disk_fail(void)
{
	const size_t changes = disk_random(disk.changes + 1);

	memcpy(disk.image, disk.name, sizeof(disk.name));
	disk.images = disk.names;
	for (size_t i = 0; i < changes; i++)
		names_set(disk.image, &disk.images, &disk.change[i]);
	for (size_t i = 0; i < disk.images; i++) {
		if (disk.image[i].file)
			image_fill(&disk.image[i]);
	}
	disk.failed = true;
}

/* A call is about to change something, or has. The lock is held. */
static void disk_count(void)
{
	if (disk.calls && --disk.calls == 0)
		disk_fail();
}

void power_arm(const struct words *words)
{
	pthread_mutex_lock(&disk.lock);
	disk.calls = words_int_at(words, 1, "the call");
	disk.random = (uint64_t) words_int_at(words, 2, "the seed");
	(void) disk_random(1);
	pthread_mutex_unlock(&disk.lock);
}

static void name_restore(const struct disk_name *image)
{
	int fd;

	if (!image->file)
		return;
	fd = file_open(image->path, O_WRONLY | O_CREAT | O_EXCL);
	if (fd < 0 || syscall(SYS_write, fd, image->data, image->length) !=
			      (long) image->length)
		fail("%s cannot be restored", image->path);
	(void) close(fd);
	free(image->data);
}

/* The files of now are those that are on the disk. */
static void disk_forget(void)
{
	for (size_t i = 0; i < disk.files; i++) {
		(void) close(disk.file[i].fd);
		free(disk.file[i].synced);
	}
	disk.files = disk.names = disk.changes = 0;
	for (size_t i = 0; i < disk.images; i++) {
		struct disk_name *name = &disk.image[i];

		if (!name->file)
			continue;
		name->file = file_at(name->path);
		name->data = NULL;
		name->file->synced =
			file_read(name->file->fd, &name->file->length);
		names_set(disk.name, &disk.names, name);
	}
	disk.images = 0;
	disk.failed = false;
	disk.calls = 0;
}

void power_restore(void)
{
	pthread_mutex_lock(&disk.lock);
	if (!disk.failed)
		disk_fail();
	for (size_t i = 0; i < disk.names; i++)
		(void) syscall(SYS_unlinkat, AT_FDCWD, disk.name[i].path, 0);
	for (size_t i = 0; i < disk.changes; i++)
		(void) syscall(SYS_unlinkat, AT_FDCWD, disk.change[i].path, 0);
	for (size_t i = 0; i < disk.images; i++)
		name_restore(&disk.image[i]);
	disk_forget();
	pthread_mutex_unlock(&disk.lock);
}

/* ---- What is done to the disk ------------------------------------------------------ */

void power_watch(const struct words *words)
{
	(void) words;
	disk.on = true;
}

/* Begin to note a change; false: nobody wants to know. */
static bool disk_begin(const char *path)
{
	if (!disk.on || (path && !path_is_watched(path)))
		return false;
	pthread_mutex_lock(&disk.lock);
	return true;
}

static void disk_end(void)
{
	disk_count();
	pthread_mutex_unlock(&disk.lock);
}

/* The latest file of a name. */
static struct disk_file *name_file(const char *path)
{
	for (size_t i = disk.changes; i-- > 0;) {
		if (strcmp(disk.change[i].path, path) == 0)
			return disk.change[i].file;
	}
	for (size_t i = 0; i < disk.names; i++) {
		if (strcmp(disk.name[i].path, path) == 0)
			return disk.name[i].file;
	}
	return NULL;
}

void power_created(const char *path)
{
	struct disk_file *file;

	if (!disk_begin(path))
		return;
	file = file_at(path);
	if (file && name_file(path) != file)
		change_add(path, file);
	disk_end();
}

void power_written(void)
{
	if (disk_begin(NULL))
		disk_end();
}

void power_synced(int fd)
{
	char link[64], path[PATH_MAX];
	struct disk_file *file;
	struct stat st;
	ssize_t length;

	if (!disk.on)
		return;
	(void) snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0 || fstat(fd, &st) < 0)
		return;
	path[length] = '\0';
	pthread_mutex_lock(&disk.lock);
	if (S_ISDIR(st.st_mode)) {
		folder_sync(path);
	} else if ((file = file_at(link))) {
		free(file->synced);
		file->synced = file_read(file->fd, &file->length);
	}
	disk_end();
}

void power_renamed(const char *from, const char *to)
{
	if (!disk_begin(to))
		return;
	change_add(to, file_at(to));
	change_add(from, NULL);
	disk_end();
}

void power_linked(const char *from, const char *to)
{
	(void) from;
	if (!disk_begin(to))
		return;
	change_add(to, file_at(to));
	disk_end();
}

void power_unlinked(const char *path)
{
	if (!disk_begin(path))
		return;
	if (name_file(path))
		change_add(path, NULL);
	disk_end();
}
