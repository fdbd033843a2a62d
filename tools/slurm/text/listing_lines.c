/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks are those of listing.c: a last line without an end means that the
 * text was cut off, and sums of it would be wrong without any sign.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/remote.h"
#include "slurm/text/listing.h"
#include "slurm/text/listing_lines.h"

#define READ_SIZE ((size_t) 1 << 18)
#define TELL_MS 200

/* "-" is standard input, which is not closed later. */
static int reader_open_path(struct eqt_listing_lines *out, const char *path,
			    struct eqt_error *err)
{
	if (strcmp(path, "-") == 0) {
		out->name = "stdin";
		out->fd = STDIN_FILENO;
		return 0;
	}
	out->name = path;
	out->fd = open(path, O_RDONLY | O_CLOEXEC);
	return out->fd < 0 ? eqt_error_set(err, "%s: %s", path, strerror(errno))
			   : 0;
}

/* Through a shell, since commands set SLURM_TIME_FORMAT in front of them. */
static int reader_open_command(struct eqt_listing_lines *out,
			       const char *command, struct eqt_error *err)
{
	char there[EQT_REMOTE_COMMAND];

	out->name = eqt_listing_command_name(command);
	out->command =
		popen(eqt_remote_command(command, there, sizeof(there)), "r");
	if (!out->command)
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	out->fd = fileno(out->command);
	return 0;
}

/* The size of a file makes the bar a part of it; a command has no known end. */
int eqt_listing_lines_open(struct eqt_listing_lines *out, const char *path,
			   const char *command, struct eqt_error *err)
{
	struct stat there;
	bool sized;

	*out = (struct eqt_listing_lines){ .fd = -1 };
	if ((path ? reader_open_path(out, path, err)
		  : reader_open_command(out, command, err)) < 0)
		return -1;
	sized = fstat(out->fd, &there) == 0 && S_ISREG(there.st_mode);
	eqt_progress_begin(&out->progress, out->name,
			   sized ? (size_t) there.st_size : 0);
	return 0;
}

/* Make room for more behind what is not yet read. Lines are moved to the front, so that
 * the room is that of the longest line and one read. */
static int reader_make_room(struct eqt_listing_lines *reader,
			    struct eqt_error *err)
{
	size_t left = reader->until - reader->from, room = reader->room;
	char *larger;

	if (reader->from > 0)
		memmove(reader->text, reader->text + reader->from, left);
	reader->from = 0;
	reader->until = left;
	if (left > EQT_LISTING_LINE_MAX)
		return eqt_error_set(err, "%s: line %zu: more than %zu MiB",
				     reader->name, reader->line + 1,
				     EQT_LISTING_LINE_MAX >> 20);
	while (room < left + READ_SIZE + 1)
		room = room ? room * 2 : 2 * READ_SIZE;
	if (room == reader->room)
		return 0;
	larger = realloc(reader->text, room);
	if (!larger)
		return eqt_error_set(err, "out of memory");
	reader->text = larger;
	reader->room = room;
	return 0;
}

/* Wait for input, and keep the progress bar running: sacct may be slow. */
static void reader_wait(struct eqt_listing_lines *reader)
{
	struct pollfd waiting = { .fd = reader->fd, .events = POLLIN };

	do
		eqt_progress_update(&reader->progress, reader->done);
	while (eqt_progress_wanted() && poll(&waiting, 1, TELL_MS) == 0);
}

/* Read more; 1, 0 at the end, or -1. A signal, as that of the progress bar, does not
 * end a read. */
static int reader_fill(struct eqt_listing_lines *reader, struct eqt_error *err)
{
	ssize_t got;

	if (reader_make_room(reader, err) < 0)
		return -1;
	reader_wait(reader);
	do
		got = read(reader->fd, reader->text + reader->until, READ_SIZE);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return eqt_error_set(err, "%s: %s", reader->name,
				     strerror(errno));
	reader->until += (size_t) got;
	reader->done += (size_t) got;
	return got > 0;
}

/* The end of the text. An empty answer is an error: each list has a line of names at
 * least. */
static int reader_end(const struct eqt_listing_lines *reader,
		      struct eqt_error *err)
{
	if (reader->done == 0)
		return eqt_error_set(err, "%s: empty", reader->name);
	if (reader->from < reader->until)
		return eqt_error_set(err, "%s: line %zu: cut off: no line end",
				     reader->name, reader->line + 1);
	return 0;
}

/* Cut the line that ends there. 1, 0: it has no text, or -1. The line ends with NUL in
 * place of its end, and lives until the next one. */
static int reader_cut(struct eqt_listing_lines *reader, char *end, char **line,
		      size_t *length, struct eqt_error *err)
{
	*line = reader->text + reader->from;
	*length = (size_t) (end - *line);
	reader->from += *length + 1;
	reader->line++;
	if (memchr(*line, '\0', *length))
		return eqt_error_set(err, "%s: line %zu: a NUL byte",
				     reader->name, reader->line);
	if (*length > 0 && (*line)[*length - 1] == '\r')
		--*length;
	(*line)[*length] = '\0';
	return *length > 0;
}

/* Empty lines are passed over, and count for the line number. */
int eqt_listing_lines_next(struct eqt_listing_lines *reader, char **line,
			   size_t *length, struct eqt_error *err)
{
	size_t seen = 0; /* bytes that were searched for a line end */
	char *end;
	int rc;

	for (;;) {
		end = reader->text
			      ? memchr(reader->text + reader->from + seen, '\n',
				       reader->until - reader->from - seen)
			      : NULL;
		if (end) {
			seen = 0;
			rc = reader_cut(reader, end, line, length, err);
			if (rc != 0)
				return rc;
			continue;
		}
		seen = reader->until - reader->from;
		rc = reader_fill(reader, err);
		if (rc < 0)
			return -1;
		if (rc == 0)
			return reader_end(reader, err);
	}
}

/* A command that fails after it has printed lines is an error as well: lines may be
 * missing. */
int eqt_listing_lines_close(struct eqt_listing_lines *reader,
			    struct eqt_error *err)
{
	int rc = 0;

	eqt_progress_end(&reader->progress);
	free(reader->text);
	if (reader->command)
		rc = pclose(reader->command);
	else if (reader->fd > STDIN_FILENO)
		(void) close(reader->fd);
	if (rc != 0)
		rc = eqt_error_set(err,
				   "\"%s\" failed; its output can also be "
				   "read from a file",
				   reader->name);
	*reader = (struct eqt_listing_lines){ .fd = -1 };
	return rc;
}
