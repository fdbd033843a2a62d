/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment: points in time that a thread waits for, on a clock that nobody can
 * set. */
#ifndef EQT_MOMENT_H
#define EQT_MOMENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The point in time that is `ms` milliseconds away. */
static inline struct timespec eqt_moment_in_ms(uint64_t ms)
{
	struct timespec moment;

	clock_gettime(CLOCK_MONOTONIC, &moment);
	moment.tv_sec += (time_t) (ms / 1000);
	moment.tv_nsec += (long) (ms % 1000) * 1000000L;
	if (moment.tv_nsec >= 1000000000L) {
		moment.tv_nsec -= 1000000000L;
		moment.tv_sec++;
	}
	return moment;
}

/* Initialise a condition whose timed waits use CLOCK_MONOTONIC, so that setting
 * the wall clock cannot stop a thread. Call this before any thread can signal
 * the condition. */
static inline void eqt_moment_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

static inline bool eqt_moment_is_before(const struct timespec *a,
					const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* The processor time of the calling thread, in milliseconds. */
static inline uint64_t eqt_moment_thread_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

#endif
