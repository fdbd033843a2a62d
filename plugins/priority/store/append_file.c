/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "store/append_file.h"

#define END ".end"
#define NEW ".new"

/* A line of NAME.end has the word "end", three hexadecimal numbers, and a
 * checksum of these. */
#define END_LINE 64
#define END_SUMMED (END_LINE - 9)

/* Close a descriptor and replace it by another one. */
static void fd_replace(int *fd, int fresh)
{
	eqt_state_file_close(*fd);
	*fd = fresh;
}

/* ---- NAME.end ------------------------------------------------------------------ */

static uint32_t end_sum(const char *line)
{
	return (uint32_t) crc32(0, (const Bytef *) line, END_SUMMED);
}

/* `line` has room for END_LINE bytes and a NUL. */
static void end_write(char *line, const struct eqt_append_end *end)
{
	(void) snprintf(line, END_SUMMED + 1,
			"end %016" PRIx64 " %016" PRIx64 " %016" PRIx32 " ",
			end->seq, end->size, end->crc);
	(void) snprintf(line + END_SUMMED, END_LINE - END_SUMMED + 1,
			"%08" PRIx32 "\n", end_sum(line));
}

static bool end_read(const char *line, struct eqt_append_end *end)
{
	struct eqt_append_end found = { 0 };
	char again[END_LINE + 1];

	if (sscanf(line, "end %16" SCNx64 " %16" SCNx64 " %16" SCNx32,
		   &found.seq, &found.size, &found.crc) != 3)
		return false;
	end_write(again, &found);
	if (memcmp(line, again, END_LINE) != 0)
		return false;
	*end = found;
	return true;
}

static const char *append_path(char path[PATH_MAX],
			       const struct eqt_append_file *file,
			       const char *ending)
{
	return eqt_state_file_tagged(path, file->folder, file->name, ending);
}

int eqt_append_file_ends(const struct eqt_append_file *file,
			 struct eqt_append_end end[EQT_APPEND_ENDS],
			 size_t *count, struct eqt_error *err)
{
	char name[NAME_MAX], *text;
	size_t length;

	*count = 0;
	(void) snprintf(name, sizeof(name), "%s" END, file->name);
	text = eqt_state_file_read(file->folder, name, &length, err);
	if (!text)
		return errno == ENOENT ? 0 : -1;
	for (size_t i = 0; i < EQT_APPEND_ENDS; i++) {
		if (length >= (i + 1) * END_LINE &&
		    end_read(text + i * END_LINE, &end[*count]))
			(*count)++;
	}
	free(text);
	if (!*count)
		return eqt_error_set(err, "%s is damaged", name);
	return 0;
}

/* Write both ends in one write. Returns 0 or -1. */
static int end_put(int fd, const struct eqt_append_end *before,
		   const struct eqt_append_end *now)
{
	char lines[EQT_APPEND_ENDS * END_LINE + 1];

	end_write(lines, before);
	end_write(lines + END_LINE, now);
	return pwrite(fd, lines, sizeof(lines) - 1, 0) ==
			       (ssize_t) sizeof(lines) - 1
		       ? 0
		       : -1;
}

/* ---- The start ----------------------------------------------------------------- */

char *eqt_append_file_read(struct eqt_append_file *file, size_t *length,
			   struct eqt_error *err)
{
	char path[PATH_MAX], *text;

	/* The file is opened before it is read, so that lines appended after
	   the reading are found through this descriptor. */
	file->previous_fd =
		open(append_path(path, file, ""), O_RDONLY | O_CLOEXEC);
	text = eqt_state_file_read(file->folder, file->name, length, err);
	file->read = text ? (off_t) *length : 0;
	return text;
}

char *eqt_append_file_rest(struct eqt_append_file *file, size_t *length)
{
	const int fd = file->previous_fd;
	char *text = NULL;
	ssize_t got = 0;
	struct stat st;

	*length = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size > file->read)
		text = malloc((size_t) (st.st_size - file->read) + 1);
	if (text)
		got = pread(fd, text, (size_t) (st.st_size - file->read),
			    file->read);
	fd_replace(&file->previous_fd, -1);
	if (got <= 0) {
		free(text);
		return NULL;
	}
	text[got] = '\0';
	*length = (size_t) got;
	return text;
}

/* ---- One writer ---------------------------------------------------------------- */

static int file_fail(const struct eqt_append_file *file, const char *what,
		     int error, struct eqt_error *err)
{
	return eqt_error_set(err, "cannot %s %s: %s", what, file->name,
			     strerror(error));
}

/* If the file was removed, the next eqt_append_file_begin() writes it again. If
 * another file has the name, another slurmctld has taken over. */
int eqt_append_file_check(struct eqt_append_file *file, struct eqt_error *err)
{
	int error = EEXIST;

	if (file->fd < 0)
		return eqt_error_set(err, "%s is not open", file->name);
	if (!file->taken)
		error = eqt_state_file_named(file->folder, file->name,
					     file->fd);
	if (!error)
		return 0;
	if (error != EEXIST)
		return file_fail(file, "find", error, err);
	file->taken = true;
	return eqt_error_set(err,
			     "%s is written by another slurmctld now, which "
			     "has taken over: this one writes it no more. If "
			     "no other one is in charge, restart this one",
			     file->name);
}

bool eqt_append_file_is_taken(struct eqt_append_file *file,
			      struct eqt_error *err)
{
	return file->fd >= 0 && eqt_append_file_check(file, err) < 0 &&
	       file->taken;
}

/* Write and sync a file beside the present one. Returns its descriptor, or -1
 * with errno set. */
static int file_write_new(const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
		      0600);

	if (fd < 0)
		return -1;
	if (eqt_state_file_write(fd, text, length) == 0 && fsync(fd) == 0)
		return fd;
	eqt_state_file_discard(fd, path);
	return -1;
}

/* Replace NAME.end by a file with the ends of the present file and of the new
 * file. Returns its descriptor, or -1 with errno set. */
static int file_begin_end(struct eqt_append_file *file,
			  const struct eqt_append_end *now)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	int fd;

	append_path(path, file, END);
	append_path(fresh, file, END NEW);
	(void) unlink(fresh);
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (end_put(fd, &file->end, now) == 0 && fsync(fd) == 0 &&
	    rename(fresh, path) == 0 &&
	    eqt_state_file_sync_folder(file->folder->path) == 0)
		return fd;
	eqt_state_file_close(fd);
	return -1;
}

int eqt_append_file_begin(struct eqt_append_file *file, const char *text,
			  size_t length, const struct eqt_append_end *end,
			  struct eqt_error *err)
{
	char path[PATH_MAX], fresh[PATH_MAX];
	int fd, end_fd;

	append_path(path, file, "");
	append_path(fresh, file, NEW);
	if (eqt_append_file_is_taken(file, err))
		return -1;
	/* A paused slurmctld may have the old NAME.new open, so that file is
	   removed instead of overwritten. */
	(void) unlink(fresh);
	fd = file_write_new(fresh, text, length);
	if (fd < 0)
		return file_fail(file, "write", errno, err);
	if (eqt_append_file_is_taken(file, err))
		goto fail;
	end_fd = file_begin_end(file, end);
	if (end_fd >= 0)
		fd_replace(&file->end_fd, end_fd);
	if (end_fd < 0 || rename(fresh, path) < 0) {
		(void) file_fail(file, "write", errno, err);
		goto fail;
	}
	(void) eqt_state_file_sync_folder(file->folder->path);
	fd_replace(&file->fd, fd);
	file->size = (off_t) length;
	file->end = *end;
	return 0;
fail:
	eqt_state_file_discard(fd, fresh);
	return -1;
}

/* Append to the present file, which counts as synced from now on. If a kill has
 * cut its last line, even by the newline only, append a mark to that line: this
 * start did not read the line, so no later start may read it. Returns -1 with
 * errno set after an error. */
static int file_open_present(struct eqt_append_file *file, int fd)
{
	static const char cut[] = { EQT_APPEND_CUT, '\n' };
	char path[PATH_MAX], last = '\n';
	const off_t size = lseek(fd, 0, SEEK_END);

	if (size < 0 ||
	    (size > 0 && (pread(fd, &last, 1, size - 1) != 1 ||
			  (last != '\n' &&
			   eqt_state_file_write(fd, cut, sizeof(cut)) < 0))) ||
	    fdatasync(fd) < 0)
		return -1;
	file->size = size + (last != '\n' ? (off_t) sizeof(cut) : 0);
	file->end = (struct eqt_append_end){ file->end.seq,
					     (uint64_t) file->size, 0 };
	file->end_fd = open(append_path(path, file, END),
			    O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	return file->end_fd < 0 ? -1
				: end_put(file->end_fd, &file->end, &file->end);
}

int eqt_append_file_open(struct eqt_append_file *file, struct eqt_error *err)
{
	const struct eqt_append_end none = { .seq = file->end.seq };
	char path[PATH_MAX];

	if (eqt_state_file_own(file->folder, err) < 0)
		return -1;
	if (file->fd >= 0 &&
	    eqt_state_file_named(file->folder, file->name, file->fd) == 0)
		return 0;
	eqt_append_file_close(file);
	file->fd = open(append_path(path, file, ""),
			O_RDWR | O_APPEND | O_CLOEXEC);
	if (file->fd < 0 && errno == ENOENT)
		return eqt_append_file_begin(file, "", 0, &none, err);
	if (file->fd >= 0 && file_open_present(file, file->fd) == 0)
		return 0;
	(void) file_fail(file, "write", errno, err);
	eqt_append_file_close(file);
	return -1;
}

int eqt_append_file_put(struct eqt_append_file *file, const char *text,
			size_t length, struct eqt_error *err)
{
	if ((file->shared ? eqt_append_file_open(file, err)
			  : eqt_append_file_check(file, err)) < 0)
		return -1;
	if (file->shared)
		file->size = lseek(file->fd, 0, SEEK_END);
	if (eqt_state_file_write(file->fd, text, length) < 0) {
		int error = errno;

		/* The caller begins a new file after an error, so this file
		   need not be read again. */
		if (ftruncate(file->fd, file->size) < 0)
			error = errno;
		return file_fail(file, "write", error, err);
	}
	file->size += (off_t) length;
	return 0;
}

int eqt_append_file_sync(struct eqt_append_file *file, uint64_t seq,
			 uint32_t crc, struct eqt_error *err)
{
	struct stat st;

	if (fdatasync(file->fd) < 0 || fstat(file->fd, &st) < 0)
		return file_fail(file, "sync", errno, err);
	/* Check the name after the sync. A slurmctld that takes over gets the
	   name first and then reads our file. So it reads each line that was
	   synced while we still had the name. */
	if (file->shared)
		file->size = st.st_size;
	else if (eqt_append_file_check(file, err) < 0)
		return -1;
	if (st.st_size != file->size)
		return eqt_error_set(err, "%s was changed by somebody else",
				     file->name);
	file->end = (struct eqt_append_end){ seq, (uint64_t) file->size, crc };
	if (end_put(file->end_fd, &file->end, &file->end) < 0)
		return file_fail(file, "write the end of", errno, err);
	return 0;
}

void eqt_append_file_close(struct eqt_append_file *file)
{
	int *const fds[] = { &file->fd, &file->end_fd, &file->previous_fd };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		fd_replace(fds[i], -1);
	file->taken = false;
}
