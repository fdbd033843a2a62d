/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library to preload: each write to a file of equitree's, and each sync of
 * one, takes as many seconds as the file EQT_SLOW_WRITE says; none if there is
 * no such file.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd_is_slow(int fd)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	(void) snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return 0;
	path[length] = '\0';
	return strstr(path, "/equitree_") != NULL;
}

static void be_slow(int fd)
{
	const char *control = getenv("EQT_SLOW_WRITE");
	unsigned int seconds = 0;
	FILE *file;

	if (!control || !fd_is_slow(fd))
		return;
	file = fopen(control, "re");
	if (!file)
		return;
	if (fscanf(file, "%u", &seconds) != 1)
		seconds = 0;
	(void) fclose(file);
	(void) sleep(seconds);
}

/* ISO C has no way from an object pointer to a function's. */
static void next_symbol(void *to, const char *name)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	memcpy(to, &symbol, sizeof(symbol));
}

ssize_t write(int fd, const void *data, size_t length)
{
	static ssize_t (*next)(int fd, const void *data, size_t length);

	if (!next)
		next_symbol(&next, "write");
	be_slow(fd);
	return next(fd, data, length);
}

int fsync(int fd)
{
	static int (*next)(int fd);

	if (!next)
		next_symbol(&next, "fsync");
	be_slow(fd);
	return next(fd);
}

int fdatasync(int fd)
{
	static int (*next)(int fd);

	if (!next)
		next_symbol(&next, "fdatasync");
	be_slow(fd);
	return next(fd);
}
