/* SPDX-License-Identifier: GPL-2.0-or-later */
/* median: the middle of several timings. */
#ifndef EQT_BENCH_MEDIAN_H
#define EQT_BENCH_MEDIAN_H

#include <stdlib.h>
#include <time.h>

/* Nanoseconds of processor time of this thread. */
static inline double median_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

static inline int median_compare(const void *x, const void *y)
{
	const double *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* Sorts the values. */
static inline double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), median_compare);
	return values[count / 2];
}

#endif
