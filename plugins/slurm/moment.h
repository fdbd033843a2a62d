/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment: moments to wait for, on the clock that nobody sets. */
#ifndef EQT_MOMENT_H
#define EQT_MOMENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The moment in so many milliseconds. */
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

/* A condition whose waits are until such a moment: setting the wall clock must not
 * stop a thread. To be called before anybody may signal it. */
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

/* Milliseconds that the calling thread has computed. */
static inline uint64_t eqt_moment_thread_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

#endif
