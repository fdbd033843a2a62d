/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A last line without a line end means that the text was cut off. That is an error,
 * because sums over the text would be wrong without any sign of it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/remote.h"
#include "slurm/text/listing.h"

/* ---- Line by line -------------------------------------------------------------------
 * Memory holds one line and a read-ahead, however long the text is. The checks are the
 * same as for a whole text. */

#define EQT_LISTING_LINE_MAX ((size_t) 1 << 24) /* most bytes of one line */

#define READ_SIZE ((size_t) 1 << 18)
#define UPDATE_MS 200
#define NAME_MOST 40 /* longest name of a command in messages */

/* How messages name a command. A long command is named by its program. Borrows from the
 * command. */
static const char *listing_command_name(const char *command)
{
	static const char *const programs[] = { "sacctmgr", "sacct", "scontrol",
						"sdiag",    "sinfo", "sprio",
						"squeue",   "sshare" };
	const char *program = command;

	if (strlen(command) <= NAME_MOST)
		return command;
	/* A command may begin with settings NAME=VALUE, so skip them. */
	while (strcspn(program, "=") < strcspn(program, " "))
		program += strcspn(program, " ") + 1;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		const size_t length = strlen(programs[i]);

		if (strncmp(program, programs[i], length) == 0 &&
		    program[length] == ' ')
			return programs[i];
	}
	return command;
}

/* "-" is standard input, which eqt_listing_lines_close() does not close. */
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

/* Use a shell, because commands begin with settings such as SLURM_TIME_FORMAT=%s. */
static int reader_open_command(struct eqt_listing_lines *out,
			       const char *command, struct eqt_error *err)
{
	char *there = eqt_remote_command(command);

	out->name = listing_command_name(command);
	out->command = popen(there, "r");
	free(there);
	if (!out->command)
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	out->fd = fileno(out->command);
	return 0;
}

/* The progress bar shows how much of a file has been read. The length of a command's
 * output is not known. */
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

/* Move the text that was not passed on yet to the front, and make room behind it for one
 * read. The buffer is therefore never larger than the longest line and one read. */
static void reader_make_room(struct eqt_listing_lines *reader)
{
	size_t left = reader->until - reader->from, room = reader->room;

	if (reader->from > 0)
		memmove(reader->text, reader->text + reader->from, left);
	reader->from = 0;
	reader->until = left;
	while (room < left + READ_SIZE + 1)
		room = room ? room * 2 : 2 * READ_SIZE;
	if (room > reader->room) {
		reader->text = eqt_alloc_again(reader->text, room, 1);
		reader->room = room;
	}
}

/* Wait for input, and keep the progress bar running, because sacct may be slow. */
static void reader_wait(struct eqt_listing_lines *reader)
{
	struct pollfd waiting = { .fd = reader->fd, .events = POLLIN };

	do
		eqt_progress_update(&reader->progress, reader->done);
	while (eqt_progress_wanted() && poll(&waiting, 1, UPDATE_MS) == 0);
}

/* Read more. Returns 1, 0 at the end, or -1 with err filled. */
static int reader_fill(struct eqt_listing_lines *reader, struct eqt_error *err)
{
	ssize_t got;

	reader_make_room(reader);
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

/* Check the end of the text. An empty text is an error, because each list has at least a
 * line of names. */
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

/* Cut out the line that ends at "end" by writing a NUL there. Returns 1, 0 if the line is
 * empty, or -1 with err filled. */
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

/* Empty lines are skipped, but they count as lines. */
int eqt_listing_lines_next(struct eqt_listing_lines *reader, char **line,
			   size_t *length, struct eqt_error *err)
{
	size_t seen = 0; /* bytes already searched for a line end */
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
		if (seen > EQT_LISTING_LINE_MAX)
			return eqt_error_set(err,
					     "%s: line %zu: more than %zu MiB",
					     reader->name, reader->line + 1,
					     EQT_LISTING_LINE_MAX >> 20);
		rc = reader_fill(reader, err);
		if (rc < 0)
			return -1;
		if (rc == 0)
			return reader_end(reader, err);
	}
}

/* Fill err: the command failed. Returns -1. */
static int listing_refuse_command(const char *command, struct eqt_error *err)
{
	const char *option = eqt_options_reader(command);

	return option ? eqt_error_set(err,
				      "\"%s\" failed; --%s reads its output "
				      "from a file",
				      command, option)
		      : eqt_error_set(err, "\"%s\" failed", command);
}

/* If a command fails after it printed lines, some lines may be missing. */
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
		rc = listing_refuse_command(reader->name, err);
	*reader = (struct eqt_listing_lines){ .fd = -1 };
	return rc;
}

/* ---- As a whole ------------------------------------------------------------- */

/* With -M some of Slurm's commands print a first line that names the cluster, even
 * without headings. Remove it. */
static void listing_cut_cluster(struct eqt_listing *out)
{
	const char *end;

	if (!eqt_remote_chosen() || strncmp(out->text, "CLUSTER: ", 9) != 0)
		return;
	end = memchr(out->text, '\n', out->length);
	if (!end)
		return;
	out->length -= (size_t) (++end - out->text);
	memmove(out->text, end, out->length + 1);
}

/* The line number of a byte. */
static size_t listing_line(const struct eqt_listing *text, const char *byte)
{
	const char *at = text->text, *line;
	size_t number = 1;

	for (; (line = memchr(at, '\n', (size_t) (byte - at))); at = line + 1)
		number++;
	return number;
}

/* The checks that all readers need: the text has no NUL, and its last line is
 * complete. */
static int listing_check(const struct eqt_listing *text, struct eqt_error *err)
{
	const char *nul, *end;

	if (text->length == 0)
		return eqt_error_set(err, "%s: empty", text->name);
	nul = memchr(text->text, '\0', text->length);
	if (nul)
		return eqt_error_set(err, "%s: line %zu: a NUL byte",
				     text->name, listing_line(text, nul));
	end = text->text + text->length - 1;
	if (*end != '\n')
		return eqt_error_set(err, "%s: line %zu: cut off: no line end",
				     text->name, listing_line(text, end));
	return 0;
}

/* Read everything as one text. */
static int listing_fill(struct eqt_listing *out,
			struct eqt_listing_lines *reader, struct eqt_error *err)
{
	int rc;

	while ((rc = reader_fill(reader, err)) > 0) {
		if (reader->until > EQT_LISTING_MAX)
			return eqt_error_set(err, "%s: more than %zu MiB",
					     out->name, EQT_LISTING_MAX >> 20);
	}
	if (rc < 0)
		return -1;
	out->text = reader->text;
	out->length = reader->until;
	out->text[out->length] = '\0';
	reader->text = NULL;
	if (reader->command)
		listing_cut_cluster(out);
	return 0;
}

int eqt_listing_read(struct eqt_listing *out, const char *path,
		     const char *command, struct eqt_error *err)
{
	struct eqt_listing_lines reader;
	int rc;

	*out = (struct eqt_listing){ .name = "" };
	if (eqt_listing_lines_open(&reader, path, command, err) < 0)
		return -1;
	out->name = reader.name;
	rc = listing_fill(out, &reader, err);
	if (eqt_listing_lines_close(&reader, rc < 0 ? NULL : err) < 0)
		rc = -1;
	if (rc == 0)
		rc = listing_check(out, err);
	if (rc < 0)
		eqt_listing_free(out);
	return rc;
}

void eqt_listing_free(struct eqt_listing *text)
{
	free(text->text);
	*text = (struct eqt_listing){ .name = "" };
}

size_t eqt_listing_count(const struct eqt_listing *text)
{
	size_t lines = 0;

	for (const char *at = text->text; (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}
