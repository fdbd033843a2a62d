/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A saved text is checked more strictly than needed: a last line without an
 * end means that the file was cut off, and numbers from it would be wrong
 * without any sign.
 */
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
#include "cli/remote.h"
#include "slurm/text/listing.h"

#define CHUNK ((size_t) 1 << 16)
#define UPDATE_MS 200
#define NAME_MOST 40 /* of a command */

/* Wait for input, and keep the progress bar running: sacct may be slow. */
static void listing_wait(int fd, struct eqt_progress *progress, size_t done)
{
	struct pollfd waiting = { .fd = fd, .events = POLLIN };

	do
		eqt_progress_update(progress, done);
	while (eqt_progress_wanted() && poll(&waiting, 1, UPDATE_MS) == 0);
}

/* Read at most one chunk. Returns its size, 0 at the end, or -1. */
static ssize_t listing_read_chunk(struct eqt_listing *out, int fd)
{
	ssize_t got;

	do
		got = read(fd, out->text + out->length, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		out->length += (size_t) got;
	return got;
}

/* Append all input to *out. */
static int listing_append(struct eqt_listing *out, int fd,
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
		listing_wait(fd, progress, out->length);
		got = listing_read_chunk(out, fd);
		if (out->length > EQT_LISTING_MAX)
			return eqt_error_set(err, "%s: more than %zu MiB",
					     out->name, EQT_LISTING_MAX >> 20);
	} while (got > 0);
	out->text[out->length] = '\0';
	if (got < 0)
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	return 0;
}

/* Read all of a file or pipe; the length of a pipe is not known. */
static int listing_read_fd(struct eqt_listing *out, int fd,
			   struct eqt_error *err)
{
	struct eqt_progress progress;
	struct stat there;
	bool sized = fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
	int rc;

	eqt_progress_begin(&progress, out->name,
			   sized ? (size_t) there.st_size : 0);
	rc = listing_append(out, fd, &progress, err);
	eqt_progress_end(&progress);
	return rc;
}

/* Read a file, or stdin for "-". */
static int listing_read_file(struct eqt_listing *out, const char *path,
			     struct eqt_error *err)
{
	int fd, rc;

	if (strcmp(path, "-") == 0) {
		out->name = "stdin";
		return listing_read_fd(out, STDIN_FILENO, err);
	}
	out->name = path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return eqt_error_set(err, "%s: %s", path, strerror(errno));
	rc = listing_read_fd(out, fd, err);
	(void) close(fd);
	return rc;
}

/* With -M some of Slurm's commands name the cluster first, also without headings. */
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

/* A line of 600 letters says less than the name of the program. */
const char *eqt_listing_command_name(const char *command)
{
	static const char *const programs[] = { "sacctmgr", "sacct", "scontrol",
						"sdiag",    "sinfo", "sprio",
						"squeue",   "sshare" };
	const char *program = command;

	if (strlen(command) <= NAME_MOST)
		return command;
	/* Before it come variables of the environment. */
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

/* Read what a command prints. What it prints to stderr goes to the user. */
static int listing_read_command(struct eqt_listing *out, const char *command,
				struct eqt_error *err)
{
	char there[EQT_REMOTE_COMMAND];
	FILE *stream =
		popen(eqt_remote_command(command, there, sizeof(there)), "r");
	int rc;

	out->name = eqt_listing_command_name(command);
	if (!stream)
		return eqt_error_set(err, "%s: %s", out->name, strerror(errno));
	rc = listing_read_fd(out, fileno(stream), err);
	if (rc == 0)
		listing_cut_cluster(out);
	if (pclose(stream) != 0 && rc == 0)
		return eqt_error_set(err,
				     "\"%s\" failed; its output can also be "
				     "read from a file",
				     out->name);
	return rc;
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

/* The checks that all readers need: no NUL, and a complete last line. */
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

int eqt_listing_read(struct eqt_listing *out, const char *path,
		     const char *command, struct eqt_error *err)
{
	int rc;

	*out = (struct eqt_listing){ .name = "" };
	rc = path ? listing_read_file(out, path, err)
		  : listing_read_command(out, command, err);
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
