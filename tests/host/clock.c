/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "fail.h"

#define STUCK_S 60

/* A thread that sleeps on a condition; lives on that thread's stack. */
struct waiter {
	struct waiter *next;
	const pthread_cond_t *cond;
	int64_t deadline; /* seconds of its clock */
	clockid_t clock;
	bool timed;
	bool expired;
	sem_t wake;
};

static struct {
	pthread_mutex_t lock; /* protects the list */
	struct waiter *waiters; /* in the order of their arrival */
	sem_t changed; /* posted for each new one */
	_Atomic int64_t monotonic; /* seconds */
	_Atomic int64_t ahead; /* the wall clock, of the monotonic one; constant
				* unless somebody sets it */
	int threads; /* of the plugin */
	pid_t *others; /* threads that are not the plugin's */
	int others_count;
	bool ready;
	bool hurry;
	bool busy;
	_Atomic int64_t lost_s; /* on a busy machine */
} state = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.monotonic = 1000,
	.ahead = CLOCK_START - 1000,
};

/* A second is one step of one counter, as in a machine: nobody sees one clock in the next
 * second and the other one not. */
static int64_t wall_now(void)
{
	return atomic_load(&state.monotonic) + atomic_load(&state.ahead);
}

/* ---- What everybody else calls ------------------------------------------- */

time_t time(time_t *out)
{
	time_t now = (time_t) wall_now();

	if (out)
		*out = now;
	return now;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	(void) zone;
	*out = (struct timeval){ .tv_sec = time(NULL) };
	return 0;
}

/* Durations are measured on the machine's own clocks. */
static bool is_virtual(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
	       clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
	       clock == CLOCK_BOOTTIME;
}

static int64_t now_on(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE
		       ? wall_now()
		       : atomic_load(&state.monotonic);
}

/* The C library's own function, which asks the kernel only if it must. */
static int real_clock_gettime(clockid_t clock, struct timespec *out)
{
	typedef int function(clockid_t clock, struct timespec *out);
	static function *_Atomic real;
	function *found = atomic_load_explicit(&real, memory_order_relaxed);

	if (!found) {
		*(void **) &found = dlsym(RTLD_NEXT, "clock_gettime");
		if (!found)
			fail("the C library has no clock_gettime()");
		atomic_store_explicit(&real, found, memory_order_relaxed);
	}
	return found(clock, out);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	if (!is_virtual(clock)) {
		int status = real_clock_gettime(clock, out);

		if (state.busy && clock == CLOCK_MONOTONIC_RAW)
			out->tv_sec += atomic_fetch_add(&state.lost_s, 1);
		return status;
	}
	*out = (struct timespec){ .tv_sec = (time_t) now_on(clock) };
	return 0;
}

/* All functions on conditions are ours, so their memory is ours, too: it holds
 * the clock. PTHREAD_COND_INITIALIZER is all 0, which is CLOCK_REALTIME. */
static clockid_t clock_of(const pthread_cond_t *cond)
{
	clockid_t clock;

	memcpy(&clock, cond, sizeof(clock));
	return clock;
}

int pthread_cond_init(pthread_cond_t *restrict cond,
		      const pthread_condattr_t *restrict attr)
{
	clockid_t clock = CLOCK_REALTIME;

	if (attr)
		(void) pthread_condattr_getclock(attr, &clock);
	memset(cond, 0, sizeof(*cond));
	memcpy(cond, &clock, sizeof(clock));
	return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond)
{
	(void) cond;
	return 0;
}

static void append(struct waiter *waiter)
{
	struct waiter **at = &state.waiters;

	while (*at)
		at = &(*at)->next;
	*at = waiter;
}

/* Sleep until somebody takes the waiter off the list. */
static bool sleep_on(struct waiter *waiter, pthread_mutex_t *mutex)
{
	(void) sem_init(&waiter->wake, 0, 0);
	pthread_mutex_lock(&state.lock);
	append(waiter);
	pthread_mutex_unlock(&state.lock);
	(void) sem_post(&state.changed);
	pthread_mutex_unlock(mutex);
	while (sem_wait(&waiter->wake) < 0)
		;
	/* Once we hold this, the thread that woke us does not use the waiter
	 * any more. */
	pthread_mutex_lock(&state.lock);
	pthread_mutex_unlock(&state.lock);
	(void) sem_destroy(&waiter->wake);
	pthread_mutex_lock(mutex);
	return waiter->expired;
}

int pthread_cond_wait(pthread_cond_t *restrict cond,
		      pthread_mutex_t *restrict mutex)
{
	struct waiter waiter = { .cond = cond };

	(void) sleep_on(&waiter, mutex);
	return 0;
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond,
			   pthread_mutex_t *restrict mutex, clockid_t clock,
			   const struct timespec *restrict until)
{
	struct waiter waiter = {
		.cond = cond,
		.clock = clock,
		.deadline = until->tv_sec + (until->tv_nsec > 0),
		.timed = true,
	};

	if (waiter.deadline <= now_on(waiter.clock))
		return ETIMEDOUT;
	return sleep_on(&waiter, mutex) ? ETIMEDOUT : 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond,
			   pthread_mutex_t *restrict mutex,
			   const struct timespec *restrict until)
{
	return pthread_cond_clockwait(cond, mutex, clock_of(cond), until);
}

/* A thread of the plugin that polls waits in our time; for a thread of the
 * program our time does not pass. */
int nanosleep(const struct timespec *length, struct timespec *rest_of_it)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec until;

	if (gettid() == getpid())
		return (int) syscall(SYS_nanosleep, length, rest_of_it);
	until = (struct timespec){
		.tv_sec = (time_t) now_on(CLOCK_MONOTONIC) + length->tv_sec,
		.tv_nsec = length->tv_nsec,
	};
	pthread_mutex_lock(&mutex);
	(void) pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &until);
	pthread_mutex_unlock(&mutex);
	return 0;
}

/* Take a waiter off the list and wake its thread. The list is locked. */
static void wake(struct waiter **at, bool expired)
{
	struct waiter *waiter = *at;

	*at = waiter->next;
	waiter->expired = expired;
	(void) sem_post(&waiter->wake);
}

static void wake_on(const pthread_cond_t *cond, bool all)
{
	struct waiter **at = &state.waiters;
	bool woken = false;

	pthread_mutex_lock(&state.lock);
	while (*at && (all || !woken)) {
		if ((*at)->cond != cond) {
			at = &(*at)->next;
			continue;
		}
		wake(at, false);
		woken = true;
	}
	pthread_mutex_unlock(&state.lock);
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	wake_on(cond, false);
	return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	wake_on(cond, true);
	return 0;
}

/* ---- What the program calls ---------------------------------------------- */

int64_t clock_elapsed(void)
{
	return wall_now() - CLOCK_START;
}

static bool is_other(pid_t thread)
{
	for (int i = 0; i < state.others_count; i++)
		if (state.others[i] == thread)
			return true;
	return false;
}

/* Call it for each thread that is not one of the others; returns their number. */
static int each_thread(void (*call)(pid_t thread))
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *entry;
	int count = 0;

	if (!tasks)
		fail("/proc/self/task cannot be read");
	while ((entry = readdir(tasks))) {
		pid_t thread = (pid_t) atoi(entry->d_name);

		if (thread <= 0 || is_other(thread))
			continue;
		if (call)
			call(thread);
		count++;
	}
	closedir(tasks);
	return count;
}

static void note_other(pid_t thread)
{
	pid_t *grown = realloc(state.others, (size_t) (state.others_count + 1) *
						     sizeof(*grown));

	if (!grown)
		fail("out of memory");
	grown[state.others_count++] = thread;
	state.others = grown;
}

static void *nothing(void *unused)
{
	return unused;
}

/* A sanitizer starts its own thread together with the first other one: make it
 * start before we count. */
static void get_ready(void)
{
	pthread_t thread;

	if (state.ready)
		return;
	(void) sem_init(&state.changed, 0, 0);
	if (pthread_create(&thread, NULL, nothing, NULL))
		fail("cannot start a thread");
	pthread_join(thread, NULL);
	state.ready = true;
}

static int count_waiters(void)
{
	int count = 0;

	pthread_mutex_lock(&state.lock);
	for (const struct waiter *waiter = state.waiters; waiter;
	     waiter = waiter->next)
		count++;
	pthread_mutex_unlock(&state.lock);
	return count;
}

/* The only place that needs the machine's own time. */
static struct timespec real_deadline(void)
{
	struct timespec moment = { 0 };

	(void) real_clock_gettime(CLOCK_REALTIME, &moment);
	moment.tv_sec += STUCK_S;
	return moment;
}

static void rest(void)
{
	struct timespec deadline = real_deadline();

	while (count_waiters() < state.threads)
		if (sem_timedwait(&state.changed, &deadline) < 0 &&
		    errno == ETIMEDOUT)
			fail("the plugin's threads do not come to rest");
}

void clock_hurry(bool hurry)
{
	state.hurry = hurry;
}

void clock_busy(void)
{
	state.busy = true;
}

void clock_settle(void)
{
	if (!state.hurry)
		rest();
}

/* A joined thread may still be listed for a moment, and on a busy machine for long: which
 * threads are others is noted, and not how many. */
void clock_plugin_starts(void)
{
	get_ready();
	(void) each_thread(note_other);
}

int clock_plugin_threads(void)
{
	return each_thread(NULL);
}

void clock_plugin_started(void)
{
	state.threads = clock_plugin_threads();
	clock_settle();
}

void clock_plugin_stopped(void)
{
	state.threads = 0;
}

void clock_plugin_killed(void)
{
	rest();
	pthread_mutex_lock(&state.lock);
	state.waiters = NULL;
	pthread_mutex_unlock(&state.lock);
	state.threads = 0;
}

/* Seconds from now until a waiter's time is up. */
static int64_t left(const struct waiter *waiter)
{
	int64_t seconds = waiter->deadline - now_on(waiter->clock);

	return seconds > 0 ? seconds : 0;
}

/* Wake the first of the waiters whose time is up. */
static bool expire_one(void)
{
	struct waiter **at = &state.waiters;
	bool found;

	pthread_mutex_lock(&state.lock);
	while (*at && !((*at)->timed && left(*at) == 0))
		at = &(*at)->next;
	found = *at != NULL;
	if (found)
		wake(at, true);
	pthread_mutex_unlock(&state.lock);
	return found;
}

static int64_t soonest(int64_t at_most)
{
	pthread_mutex_lock(&state.lock);
	for (const struct waiter *waiter = state.waiters; waiter;
	     waiter = waiter->next)
		if (waiter->timed && left(waiter) < at_most)
			at_most = left(waiter);
	pthread_mutex_unlock(&state.lock);
	return at_most;
}

void clock_advance(int64_t seconds)
{
	clock_settle();
	while (seconds > 0) {
		int64_t step = soonest(seconds);

		atomic_fetch_add(&state.monotonic, step);
		seconds -= step;
		while (expire_one())
			clock_settle();
	}
}

void clock_step(int64_t seconds)
{
	atomic_fetch_add(&state.ahead, seconds);
	while (expire_one())
		clock_settle();
}
