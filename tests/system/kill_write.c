/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload: the process kills itself at a step of writing a file of budgets.
 * The file EQT_KILL_AT says which, and is removed: "pwrite before", "pwrite half",
 * "fdatasync before", "fdatasync after", and so with fsync and rename.
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

ssize_t pwrite(int fd, const void *data, size_t length, off_t at)
{
	static ssize_t (*next)(int, const void *, size_t, off_t);
	const int ours = preload_fd_has(fd, BUDGETS);

	if (!next)
		preload_next(&next, "pwrite");
	if (ours)
		die_at("pwrite before");
	if (ours && step_is("pwrite half")) {
		(void) next(fd, data, length / 2, at);
		(void) raise(SIGKILL);
	}
	return next(fd, data, length, at);
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
	int rc;

	if (!next)
		preload_next(&next, "rename");
	if (ours)
		die_at("rename before");
	rc = next(from, to);
	if (ours)
		die_at("rename after");
	return rc;
}
