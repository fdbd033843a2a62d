/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "cli/progress.h"
#include "slurm/text.h"

#define CHUNK ((size_t) 1 << 16)
#define TELL_MS 200

/* Wait until there is something to read: sacct may take its time. */
static void wait_for(int fd, struct eqt_progress *progress, size_t done)
{
	struct pollfd waiting = { .fd = fd, .events = POLLIN };

	do
		eqt_progress_tell(progress, done);
	while (eqt_progress_wanted() && poll(&waiting, 1, TELL_MS) == 0);
}

/* At most a chunk, more of *out; how much, 0 at the end, -1. */
static ssize_t read_some(struct eqt_stock_text *out, int fd)
{
	ssize_t got;

	do
		got = read(fd, out->text + out->length, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		out->length += (size_t) got;
	return got;
}

/* Append all that comes to *out, whose text then is longer. */
static int append_all(struct eqt_stock_text *out, int fd,
		      struct eqt_progress *progress, struct eqt_error *err)
{
	size_t room = 0;
	ssize_t got;
	char *larger;

	do {
		if (room < out->length + CHUNK + 1) {
			room = room ? room * 2 : CHUNK * 2;
			larger = realloc(out->text, room);
			if (!larger)
				return eqt_error_set(err, "out of memory");
			out->text = larger;
		}
		wait_for(fd, progress, out->length);
		got = read_some(out, fd);
		if (out->length > EQT_STOCK_TEXT_MAX)
			return eqt_error_set(err, "%s: longer than %zu MiB",
					     out->name,
					     EQT_STOCK_TEXT_MAX >> 20);
	} while (got > 0);
	out->text[out->length] = '\0';
	if (got < 0)
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	return 0;
}

static int read_all(struct eqt_stock_text *out, int fd, struct eqt_error *err)
{
	struct eqt_progress progress;
	struct stat there;
	bool sized = fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
	int rc;

	eqt_progress_begin(&progress, out->name,
			   sized ? (size_t) there.st_size : 0);
	rc = append_all(out, fd, &progress, err);
	eqt_progress_end(&progress);
	return rc;
}

static int read_file(struct eqt_stock_text *out, const char *path,
		     struct eqt_error *err)
{
	int fd, rc;

	if (strcmp(path, "-") == 0) {
		out->name = "stdin";
		return read_all(out, STDIN_FILENO, err);
	}
	out->name = path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	rc = read_all(out, fd, err);
	(void) close(fd);
	return rc;
}

static int read_command(struct eqt_stock_text *out, const char *command,
			struct eqt_error *err)
{
	FILE *stream = popen(command, "r");
	int rc;

	out->name = command;
	if (!stream)
		return eqt_error_set(err, "%s: %s", command, strerror(errno));
	rc = read_all(out, fileno(stream), err);
	if (pclose(stream) != 0 && rc == 0)
		return eqt_error_set(err,
				     "\"%s\" failed; what it printed can "
				     "also be read from a file",
				     command);
	return rc;
}

/* The number of the line that has this byte. */
static size_t line_of(const struct eqt_stock_text *text, const char *byte)
{
	const char *at = text->text, *line;
	size_t number = 1;

	for (; (line = memchr(at, '\n', (size_t) (byte - at))); at = line + 1)
		number++;
	return number;
}

static int check(const struct eqt_stock_text *text, struct eqt_error *err)
{
	const char *nul, *end;

	if (text->length == 0)
		return eqt_error_set(err, "%s: empty", text->name);
	nul = memchr(text->text, '\0', text->length);
	if (nul)
		return eqt_error_set(err, "%s: line %zu: a NUL byte",
				     text->name, line_of(text, nul));
	end = text->text + text->length - 1;
	if (*end != '\n')
		return eqt_error_set(
			err, "%s: line %zu: cut off: the line has no end",
			text->name, line_of(text, end));
	return 0;
}

int eqt_stock_text_read(struct eqt_stock_text *out, const char *path,
			const char *command, struct eqt_error *err)
{
	int rc;

	*out = (struct eqt_stock_text){ .name = "" };
	rc = path ? read_file(out, path, err) : read_command(out, command, err);
	if (rc == 0)
		rc = check(out, err);
	if (rc < 0)
		eqt_stock_text_free(out);
	return rc;
}

void eqt_stock_text_free(struct eqt_stock_text *text)
{
	free(text->text);
	*text = (struct eqt_stock_text){ .name = "" };
}
