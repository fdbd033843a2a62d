/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload: each write to a file of equitree's, and each sync of
 * one, takes as many seconds as the file EQT_SLOW_WRITE says; none if there is
 * no such file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "preload.h"

static void be_slow(int fd)
{
	const char *control = getenv("EQT_SLOW_WRITE");
	unsigned int seconds = 0;
	FILE *file;

	if (!control || !preload_fd_has(fd, "/equitree_"))
		return;
	file = fopen(control, "re");
	if (!file)
		return;
	if (fscanf(file, "%u", &seconds) != 1)
		seconds = 0;
	(void) fclose(file);
	(void) sleep(seconds);
}

ssize_t write(int fd, const void *data, size_t length)
{
	static ssize_t (*next)(int fd, const void *data, size_t length);

	if (!next)
		preload_next(&next, "write");
	be_slow(fd);
	return next(fd, data, length);
}

int fsync(int fd)
{
	static int (*next)(int fd);

	if (!next)
		preload_next(&next, "fsync");
	be_slow(fd);
	return next(fd);
}

int fdatasync(int fd)
{
	static int (*next)(int fd);

	if (!next)
		preload_next(&next, "fdatasync");
	be_slow(fd);
	return next(fd);
}
