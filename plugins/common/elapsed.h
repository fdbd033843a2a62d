/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EQT_ELAPSED_H
#define EQT_ELAPSED_H

#include <time.h>

/* Nanoseconds since a moment of CLOCK_MONOTONIC. */
static inline long eqt_elapsed_ns(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000000000L +
	       (now.tv_nsec - since->tv_nsec);
}

#endif
