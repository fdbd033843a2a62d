/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words go to execvp() unchanged. Names of accounts may hold quotes, blanks and dollar
 * signs, which a shell would interpret.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/alloc.h"
#include "cli/remote.h"
#include "slurm/text/command.h"

/* ---- A question to slurmctld --------------------------------------------------------
 * A test submission asks equitree's plugins in slurmctld a question. Its comment is the
 * question. The plugins refuse the submission, and the text of the refusal is the answer
 * (docs/design/0050). */

#define PREFIX "sbatch: error: "

/* The lines with sbatch's prefix, without that prefix: the plugin's answer. If there are
 * none, the first line, which tells what sbatch did without the plugin. */
static char *answer_lines(const char *printed)
{
	char *out = eqt_alloc(strlen(printed) + 1, 1);
	size_t length = 0;

	while (*printed) {
		const bool ours =
			strncmp(printed, PREFIX, sizeof(PREFIX) - 1) == 0;
		const char *text = printed + (ours ? sizeof(PREFIX) - 1 : 0);
		const size_t size = strcspn(text, "\n");

		if (ours || length == 0) {
			memcpy(out + length, text, size);
			length += size;
			out[length++] = '\n';
		}
		printed = text + size + (text[size] == '\n');
	}
	return out;
}

char *eqt_command_ask(const char *comment, struct eqt_error *err)
{
	/* A slurmctld without the plugin makes no job, because of --test-only. */
	const char *words[] = { "sbatch",    "--test-only", "--export=NONE",
				"--comment", comment,	    "--wrap=true",
				NULL };
	struct eqt_listing out;
	char *lines;

	if (eqt_command_answer(&out, "sbatch", words, err) < 0)
		return NULL;
	lines = answer_lines(out.text ? out.text : "");
	eqt_listing_free(&out);
	return lines;
}

/* ---- Command -------------------------------------------------------------- */

/* Where the command's stderr goes. */
enum command_stderr { COMMAND_SHARES, COMMAND_QUIET, COMMAND_MERGED };

/* In the child process: run the command with its output going to the pipe. */
static void command_exec(const char *const *words, const int pipe_fds[2],
			 enum command_stderr quiet)
{
	const char *cluster = eqt_remote_word(words);
	size_t count = 0;
	char **argv;
	int nowhere = quiet == COMMAND_QUIET ? open("/dev/null", O_WRONLY) : -1;

	while (words[count])
		count++;
	argv = eqt_alloc(count + 2, sizeof(*argv));

	/* The type of execvp() lacks a const, but execvp() does not change the words. */
	memcpy(argv, words, count * sizeof(*argv));
	/* NULL, unless sacctmgr is asked about another cluster. */
	argv[count] = (char *) (uintptr_t) cluster;
	if (dup2(pipe_fds[1], STDOUT_FILENO) < 0 ||
	    (nowhere >= 0 && dup2(nowhere, STDERR_FILENO) < 0) ||
	    (quiet == COMMAND_MERGED && dup2(pipe_fds[1], STDERR_FILENO) < 0))
		_exit(127);
	(void) close(pipe_fds[0]);
	(void) close(pipe_fds[1]);
	(void) execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Read until the end of the pipe. */
static int command_collect(struct eqt_listing *out, int fd,
			   struct eqt_error *err)
{
	FILE *stream = eqt_alloc_stream(&out->text, &out->length);
	char buf[4096];
	ssize_t got = 1;

	while (got > 0) {
		got = read(fd, buf, sizeof(buf));
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			(void) fwrite(buf, 1, (size_t) got, stream);
	}
	eqt_alloc_stream_close(stream);
	if (got < 0)
		return eqt_error_set(err, "%s: cannot read its output",
				     out->name);
	return 0;
}

/* Read the pipe to its end before waiting for the child. Otherwise a long output would
 * block both processes. */
static int command_run(struct eqt_listing *out, const char *name,
		       const char *const *words, enum command_stderr quiet,
		       struct eqt_error *err)
{
	int pipe_fds[2], status = -1, rc;
	pid_t child;

	*out = (struct eqt_listing){ .name = name };
	(void) fflush(NULL);
	if (pipe(pipe_fds) < 0)
		return eqt_error_set(err, "%s: %s", name, strerror(errno));
	child = fork();
	if (child == 0)
		command_exec(words, pipe_fds, quiet);
	(void) close(pipe_fds[1]);
	rc = child < 0 ? eqt_error_set(err, "%s: %s", name, strerror(errno))
		       : command_collect(out, pipe_fds[0], err);
	(void) close(pipe_fds[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (rc == 0 && quiet != COMMAND_MERGED &&
	    (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
		rc = eqt_error_set(err, "\"%s\" failed", name);
	if (rc < 0)
		eqt_listing_free(out);
	return rc;
}

int eqt_command_run(struct eqt_listing *out, const char *name,
		    const char *const *words, struct eqt_error *err)
{
	return command_run(out, name, words, COMMAND_SHARES, err);
}

int eqt_command_try(struct eqt_listing *out, const char *name,
		    const char *const *words)
{
	struct eqt_error err;

	return command_run(out, name, words, COMMAND_QUIET, &err);
}

/* In a federation, sbatch --test-only asks all clusters unless one is named. Each of them
 * would carry out a request, and each would print a price. So name the cluster of
 * slurm.conf, which scontrol prints in "Self: NAME:HOST:...". */
static void command_choose_own(void)
{
	static const char *const words[] = { "scontrol", "show", "federation",
					     NULL };
	static bool asked;
	struct eqt_listing out;
	const char *self;
	char name[128];

	if (asked || eqt_remote_chosen() || getenv("SLURM_CLUSTERS"))
		return;
	asked = true;
	if (eqt_command_try(&out, "scontrol", words) < 0)
		return;
	self = out.text ? strstr(out.text, "Self:") : NULL;
	if (self && sscanf(self, "Self: %127[^:]", name) == 1)
		(void) eqt_remote_choose(name);
	eqt_listing_free(&out);
}

int eqt_command_answer(struct eqt_listing *out, const char *name,
		       const char *const *words, struct eqt_error *err)
{
	if (strcmp(words[0], "sbatch") == 0)
		command_choose_own();
	return command_run(out, name, words, COMMAND_MERGED, err);
}
