/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preload: what libraries share that are preloaded into slurmctld. */
#ifndef EQT_TESTS_PRELOAD_H
#define EQT_TESTS_PRELOAD_H

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Does the path of an open file have this part? */
static inline int preload_fd_has(int fd, const char *part)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	(void) snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return 0;
	path[length] = '\0';
	return strstr(path, part) != NULL;
}

/* The function of that name behind this library goes into *to, a pointer to it. ISO C
 * has no way from an object pointer to a function's. */
static inline void preload_next(void *to, const char *name)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	memcpy(to, &symbol, sizeof(symbol));
}

#endif
