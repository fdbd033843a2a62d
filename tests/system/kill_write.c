/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload: the process kills itself at a step of writing a file of budgets.
 * The file EQT_KILL_AT says which, and is removed: "write before", "write half",
 * "fdatasync before", "fdatasync after", and so with fsync and rename, and "end before",
 * "end after" with the rename of the file that knows the end.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload.h"

#define BUDGETS "/equitree_budgets"

/* Is this the step? Its control file goes, so that the next start lives. */
static int step_is(const char *step)
{
	const char *control = getenv("EQT_KILL_AT");
	char wanted[64] = "";
	FILE *file = control ? fopen(control, "re") : NULL;

	if (!file)
		return 0;
	if (!fgets(wanted, sizeof(wanted), file))
		wanted[0] = '\0';
	(void) fclose(file);
	wanted[strcspn(wanted, "\n")] = '\0';
	if (strcmp(wanted, step) != 0)
		return 0;
	(void) unlink(control);
	return 1;
}

static void die_at(const char *step)
{
	if (step_is(step))
		(void) raise(SIGKILL);
}

ssize_t write(int fd, const void *data, size_t length)
{
	static ssize_t (*next)(int, const void *, size_t);
	const int ours = preload_fd_has(fd, BUDGETS);

	if (!next)
		preload_next(&next, "write");
	if (ours)
		die_at("write before");
	if (ours && step_is("write half")) {
		(void) next(fd, data, length / 2);
		(void) raise(SIGKILL);
	}
	return next(fd, data, length);
}

/* Either of the two functions that write a file to the disk. */
static int sync_step(int (*next)(int), int fd, const char *before,
		     const char *after)
{
	const int ours = preload_fd_has(fd, BUDGETS);
	int rc;

	if (ours)
		die_at(before);
	rc = next(fd);
	if (ours)
		die_at(after);
	return rc;
}

int fsync(int fd)
{
	static int (*next)(int);

	if (!next)
		preload_next(&next, "fsync");
	return sync_step(next, fd, "fsync before", "fsync after");
}

int fdatasync(int fd)
{
	static int (*next)(int);

	if (!next)
		preload_next(&next, "fdatasync");
	return sync_step(next, fd, "fdatasync before", "fdatasync after");
}

int rename(const char *from, const char *to)
{
	static int (*next)(const char *, const char *);
	const int ours = strstr(from, BUDGETS) != NULL;
	const int end = strstr(to, ".end") != NULL;
	int rc;

	if (!next)
		preload_next(&next, "rename");
	if (ours)
		die_at(end ? "end before" : "rename before");
	rc = next(from, to);
	if (ours)
		die_at(end ? "end after" : "rename after");
	return rc;
}
