/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch_file: a file with a path but without a name in any folder, so that a
 * test that fails or is killed leaves nothing behind.
 */
#ifndef EQT_TESTS_SCRATCH_FILE_H
#define EQT_TESTS_SCRATCH_FILE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCRATCH_PATH_SIZE 32

/* Create an empty file below TMPDIR and remove its name at once. The path is
 * valid until the returned descriptor is closed. */
static inline int scratch_file(char path[SCRATCH_PATH_SIZE])
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s/eqt_test.XXXXXX",
		 folder && *folder ? folder : "/tmp");
	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	unlink(name);
	snprintf(path, SCRATCH_PATH_SIZE, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
