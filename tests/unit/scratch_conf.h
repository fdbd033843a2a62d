/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch_conf: a scratch file for each test of a case, from which equitree.conf is read. */
#ifndef EQT_TESTS_SCRATCH_CONF_H
#define EQT_TESTS_SCRATCH_CONF_H

#include "scratch_file.h"

static char scratch_conf_path[SCRATCH_PATH_SIZE];
static int scratch_conf_fd;

/* The two halves of a checked fixture. */
static inline void scratch_conf_make(void)
{
	scratch_conf_fd = scratch_file(scratch_conf_path);
}

static inline void scratch_conf_remove(void)
{
	close(scratch_conf_fd);
}

#endif
