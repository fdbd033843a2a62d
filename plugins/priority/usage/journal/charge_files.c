/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The day files of the record of charges: opening, appending, compressing, and
 * removing them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>

#include "ledger/charge_record.h"
#include "slurm/log.h"
#include "store/state_file.h"
#include "usage/journal/charge_files.h"

/* The bytes of the disk that are left free for Slurm's own files. */
#define FREE_LEAST (UINT64_C(32) << 20)
#define COPY_SIZE 65536
#define GROUP_MOST ((size_t) 16 << 20)

void eqt_charge_files_day(char *day, size_t size, time_t moment)
{
	struct tm local;

	day[0] = '\0';
	if (localtime_r(&moment, &local))
		(void) strftime(day, size, "%Y-%m-%d", &local);
}

/* The filter for scandir(): is this the file of a day? */
static int file_is_of_day(const struct dirent *entry)
{
	return eqt_charge_file_is_of_day(entry->d_name);
}

/* Write the path of a file with an ending. Returns path. */
static const char *file_path(char path[PATH_MAX], const char *folder,
			     const char *name, const char *ending)
{
	(void) snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending);
	return path;
}

static bool line_is_head(const char *line)
{
	return strncmp(line, EQT_CHARGE_MAGIC " ", sizeof(EQT_CHARGE_MAGIC)) ==
	       0;
}

/* Read a file. A partial line at its end, which a killed process left, is
 * ignored, because it is cut off when the file is opened for writing. */
static int file_read(const char *path, const char *name,
		     struct eqt_charge_files_reader *reader)
{
	struct eqt_charge_record record;
	char line[EQT_CHARGE_TEXT];
	gzFile file = gzopen(path, "re");
	size_t length;

	if (!file)
		return -1;
	while (gzgets(file, line, sizeof(line))) {
		length = strcspn(line, "\n");
		if (line[length] != '\n' && gzeof(file))
			break;
		if (eqt_charge_record_parse(&record, line, length, NULL) == 0) {
			if (record.number > reader->last)
				reader->last = record.number;
			if (reader->line)
				reader->line(&record, reader->arg);
		} else if (!line_is_head(line)) {
			reader->damaged++;
			(void) snprintf(reader->file, sizeof(reader->file),
					"%.*s", (int) sizeof(reader->file) - 1,
					name);
		}
	}
	(void) gzclose(file);
	return 0;
}

int eqt_charge_files_read(const char *folder,
			  struct eqt_charge_files_reader *reader)
{
	struct dirent **names;
	int count = scandir(folder, &names, file_is_of_day, alphasort), rc = 0;
	char path[PATH_MAX], day[EQT_CHARGE_FILE_DAY + 1] = "";
	unsigned int days = 0;
	int first = count;

	reader->last = reader->damaged = 0;
	if (count < 0)
		return errno == ENOENT ? 0 : -1;
	/* Two days are read, because the clock may have been set back by a
	   day. */
	while (first > 0) {
		const char *its_day =
			names[first - 1]->d_name + sizeof(EQT_CHARGE_FILE) - 1;

		if (strncmp(day, its_day, EQT_CHARGE_FILE_DAY) != 0 &&
		    ++days > 2)
			break;
		memcpy(day, its_day, EQT_CHARGE_FILE_DAY);
		first--;
	}
	for (int i = 0; i < count; i++) {
		if (rc == 0 && i >= first)
			rc = file_read(file_path(path, folder, names[i]->d_name,
						 ""),
				       names[i]->d_name, reader);
		free(names[i]);
	}
	free(names);
	return rc;
}

/* Let the group read a file or a folder. Without a group, the permissions stay
 * as the site has set them. */
static int file_share(const struct eqt_charge_files_place *place,
		      const char *path, mode_t mode)
{
	if (!place->shared)
		return 0;
	return chown(path, (uid_t) -1, place->gid) < 0 ? -1 : chmod(path, mode);
}

/* Find the id of a group. The buffer grows up to GROUP_MOST bytes, because a
 * group may have thousands of members, whose names lie in it. */
static bool group_id_find(const char *name, gid_t *gid)
{
	struct group group, *found = NULL;
	int error = ERANGE;

	for (size_t size = 16384; error == ERANGE && size <= GROUP_MOST;
	     size *= 4) {
		char *text = malloc(size);

		error = text ? getgrnam_r(name, &group, text, size, &found)
			     : ENOMEM;
		if (found)
			*gid = found->gr_gid;
		free(text);
	}
	return found != NULL;
}

/* Look up the group, and give it access to the folder. */
static void folder_share(struct eqt_charge_files_place *place)
{
	place->shared = false;
	if (!place->group[0])
		return;
	if (!group_id_find(place->group, &place->gid)) {
		eqt_log_error("equitree.conf: there is no group %s, so it "
			      "cannot read the record of charges",
			      place->group);
		return;
	}
	place->shared = true;
	if (file_share(place, place->folder, 0750) == 0)
		return;
	eqt_log_error("cannot give %s to the group %s: %s; SlurmUser must be "
		      "a member of it",
		      place->folder, place->group, strerror(errno));
	place->shared = false;
}

/* Copy a file into a compressed file, and sync that. Returns 0, or -1 with
 * errno set. */
static int file_compress_to(int from, int to)
{
	char text[COPY_SIZE];
	const int copy = fcntl(to, F_DUPFD_CLOEXEC, 0);
	gzFile file = copy < 0 ? NULL : gzdopen(copy, "w");
	ssize_t got;

	if (!file) {
		if (copy >= 0)
			errno = ENOMEM;
		eqt_state_file_close(copy);
		return -1;
	}
	errno = 0;
	while ((got = read(from, text, sizeof(text))) > 0)
		if (gzwrite(file, text, (unsigned int) got) != (int) got)
			break;
	/* zlib may fail without setting errno. */
	if (gzclose(file) != Z_OK || got != 0) {
		errno = errno ? errno : EIO;
		return -1;
	}
	return fsync(to);
}

/* Copy a file unchanged; from is -1 if there is none. Returns 0, or -1 with
 * errno set. */
static int file_copy_to(int from, int to)
{
	char text[COPY_SIZE];
	ssize_t got = 0;

	while (from >= 0 && (got = read(from, text, sizeof(text))) > 0)
		if (eqt_state_file_write(to, text, (size_t) got) < 0)
			return -1;
	return got < 0 ? -1 : 0;
}

/* Compress the file of a past day. The plain file stays until the compressed
 * one is complete and on the disk, and readers count a line that is in both
 * files once. If the clock was set back, a day that was compressed already has
 * a plain file again, whose lines are added after the others. */
static int file_compress(const char *folder, const char *name)
{
	char path[PATH_MAX], made[PATH_MAX], done[PATH_MAX];
	const int from =
		open(file_path(path, folder, name, ""), O_RDONLY | O_CLOEXEC);
	const int to = open(file_path(made, folder, name,
				      EQT_CHARGE_FILE_ENDING ".new"),
			    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const int before =
		open(file_path(done, folder, name, EQT_CHARGE_FILE_ENDING),
		     O_RDONLY | O_CLOEXEC);
	int rc = -1;

	if (from >= 0 && to >= 0)
		rc = file_copy_to(before, to);
	if (rc == 0)
		rc = file_compress_to(from, to);
	if (rc == 0)
		rc = rename(made, done);
	if (rc == 0)
		rc = unlink(path);
	eqt_state_file_close(before);
	eqt_state_file_close(from);
	eqt_state_file_close(to);
	return rc;
}

/* The first day that is kept. The text is empty if all days are kept. */
static void place_first_day(const struct eqt_charge_files_place *place,
			    char *day, size_t size)
{
	day[0] = '\0';
	if (place->keep_days)
		eqt_charge_files_day(day, size,
				     time(NULL) -
					     (time_t) place->keep_days * 86400);
}

/* Compress, remove or share one file. */
static int file_tidy(const struct eqt_charge_files_place *place,
		     const char *name, const char *today)
{
	const char *day = name + sizeof(EQT_CHARGE_FILE) - 1;
	const bool plain = !day[EQT_CHARGE_FILE_DAY];
	char path[PATH_MAX], first[16];

	place_first_day(place, first, sizeof(first));
	file_path(path, place->folder, name, "");
	if (strncmp(day, first, strlen(first)) < 0) {
		eqt_log_info("the record of charges is kept for %llu days: "
			     "removing %s",
			     (unsigned long long) place->keep_days, name);
		return unlink(path);
	}
	if (plain && strcmp(day, today) < 0) {
		if (file_compress(place->folder, name) < 0)
			return -1;
		file_path(path, place->folder, name, EQT_CHARGE_FILE_ENDING);
	}
	return file_share(place, path, 0640);
}

int eqt_charge_files_tidy(struct eqt_charge_files_place *place,
			  const char *today)
{
	struct dirent **names;
	int count, rc = 0, error = 0;

	if (mkdir(place->folder, 0700) < 0 && errno != EEXIST)
		return -1;
	folder_share(place);
	count = scandir(place->folder, &names, file_is_of_day, alphasort);
	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		if (file_tidy(place, names[i]->d_name, today) < 0) {
			error = errno;
			rc = -1;
		}
		free(names[i]);
	}
	free(names);
	(void) eqt_state_file_sync_folder(place->folder);
	errno = error;
	return rc;
}

/* Cut off the text after the last newline. */
static int file_cut_torn(int fd)
{
	char text[EQT_CHARGE_TEXT];
	const off_t size = lseek(fd, 0, SEEK_END);
	const off_t from =
		size > (off_t) sizeof(text) ? size - (off_t) sizeof(text) : 0;
	ssize_t got;
	const char *last;

	if (size <= 0)
		return (int) size;
	got = pread(fd, text, (size_t) (size - from), from);
	if (got <= 0)
		return -1;
	last = memrchr(text, '\n', (size_t) got);
	if (last == text + got - 1)
		return 0;
	return ftruncate(fd, last ? from + (last - text) + 1 : from);
}

/* Cut off a partial line at the end, and write the first line of an empty
 * file. */
static int file_begin(const struct eqt_charge_files_place *place, int fd,
		      const char *day)
{
	struct eqt_charge_head head = { .cluster = "" };
	char line[EQT_CHARGE_TEXT];
	int length;

	if (file_cut_torn(fd) < 0)
		return -1;
	if (lseek(fd, 0, SEEK_END) != 0)
		return 0;
	(void) snprintf(head.cluster, sizeof(head.cluster), "%s",
			place->cluster);
	(void) snprintf(head.day, sizeof(head.day), "%s", day);
	length = eqt_charge_head_text(line, sizeof(line), &head);
	return length < 0 ? -1
			  : eqt_charge_files_append(fd, line, (size_t) length);
}

int eqt_charge_files_open(const struct eqt_charge_files_place *place,
			  const char *day)
{
	char name[32], path[PATH_MAX];
	int fd;

	(void) snprintf(name, sizeof(name), EQT_CHARGE_FILE "%s", day);
	file_path(path, place->folder, name, "");
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (file_begin(place, fd, day) < 0) {
		eqt_state_file_close(fd);
		return -1;
	}
	(void) file_share(place, path, 0640);
	(void) eqt_state_file_sync_folder(place->folder);
	return fd;
}

int eqt_charge_files_append(int fd, const char *text, size_t length)
{
	struct statvfs disk;
	const off_t size = lseek(fd, 0, SEEK_END);
	ssize_t put;
	int error;

	if (fstatvfs(fd, &disk) == 0 &&
	    (uint64_t) disk.f_bavail * disk.f_frsize < FREE_LEAST) {
		errno = ENOSPC;
		return -1;
	}
	put = write(fd, text, length);
	if (put == (ssize_t) length)
		return 0;
	error = put < 0 ? errno : ENOSPC;
	if (put > 0 && ftruncate(fd, size) < 0)
		error = errno;
	errno = error;
	return -1;
}

int eqt_charge_files_replace(const struct eqt_charge_files_place *place,
			     const char *name, const char *text, size_t length)
{
	char path[PATH_MAX], made[PATH_MAX];
	int fd, rc;

	file_path(path, place->folder, name, "");
	fd = open(file_path(made, place->folder, name, ".new"),
		  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	rc = eqt_charge_files_append(fd, text, length);
	eqt_state_file_close(fd);
	if (rc < 0)
		return -1;
	(void) file_share(place, made, 0640);
	return rename(made, path);
}
