/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory_file: the bytes of a fuzzer as a file with a path. One file serves all
 * inputs; each input replaces the previous one.
 */
#ifndef EQT_FUZZ_MEMORY_FILE_H
#define EQT_FUZZ_MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The path. Ends the program if there can be none. */
static inline const char *memory_file(const uint8_t *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", 0);
		(void) snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (fd < 0 || ftruncate(fd, 0) < 0 ||
	    pwrite(fd, data, size, 0) != (ssize_t) size) {
		perror("memory file");
		exit(2);
	}
	return path;
}

#endif
