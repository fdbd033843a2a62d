/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "meter.h"

/* The C library's own, behind the names that this file takes. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *old);

static struct {
	_Atomic enum meter_watch watch;
	_Atomic uint64_t allocations;
	_Atomic int64_t live_bytes;
	_Atomic int64_t unlocked_ns; /* as others_ns() reads it */
	int64_t begin_ns; /* the same */
	clockid_t caller_clock;
	struct meter_hold hold[METER_LOCKS]; /* of one plugin thread */
} meter;

static _Thread_local bool caller;

/* ---- Memory --------------------------------------------------------------- */

static void *came(void *memory)
{
	if (memory && !caller) {
		atomic_fetch_add_explicit(&meter.allocations, 1,
					  memory_order_relaxed);
		atomic_fetch_add_explicit(&meter.live_bytes,
					  (int64_t) malloc_usable_size(memory),
					  memory_order_relaxed);
	}
	return memory;
}

static void goes(void *memory)
{
	if (memory && !caller)
		atomic_fetch_sub_explicit(&meter.live_bytes,
					  (int64_t) malloc_usable_size(memory),
					  memory_order_relaxed);
}

void *malloc(size_t size)
{
	return came(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	return came(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
	goes(old);
	return came(__libc_realloc(old, size));
}

void free(void *old)
{
	goes(old);
	__libc_free(old);
}

void meter_forget(void)
{
	atomic_store(&meter.live_bytes, 0);
}

/* ---- Time ----------------------------------------------------------------- */

/* The program's clock_gettime() is one that stands still. */
static int64_t clock_ns(clockid_t clock)
{
	struct timespec now = { 0 };

	(void) syscall(SYS_clock_gettime, clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t meter_now_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

bool meter_watches(enum meter_watch watch)
{
	return !caller && atomic_load(&meter.watch) == watch;
}

void meter_hold(enum meter_lock lock, int64_t began_ns)
{
	struct meter_hold *hold = &meter.hold[lock];
	int64_t took_ns = meter_now_ns() - began_ns;

	hold->count++;
	hold->sum_ns += took_ns;
	if (took_ns > hold->longest_ns)
		hold->longest_ns = took_ns;
}

/* The CPU time of all threads but the caller's, which only turns the clock. */
static int64_t others_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) -
	       clock_ns(meter.caller_clock);
}

void meter_unlocked(void)
{
	if (!caller)
		atomic_store(&meter.unlocked_ns, others_ns());
}

void meter_begin(enum meter_watch watch)
{
	caller = true;
	memset(meter.hold, 0, sizeof(meter.hold));
	atomic_store(&meter.allocations, 0);
	if (pthread_getcpuclockid(pthread_self(), &meter.caller_clock))
		abort();
	meter.begin_ns = others_ns();
	atomic_store(&meter.watch, watch);
}

struct meter meter_end(void)
{
	struct meter result = {
		.cpu_ns = others_ns() - meter.begin_ns,
		.locked_ns = atomic_load(&meter.unlocked_ns) - meter.begin_ns,
		.allocations = atomic_load(&meter.allocations),
		.live_bytes = atomic_load(&meter.live_bytes),
	};

	atomic_store(&meter.watch, METER_NO_LOCKS);
	memcpy(result.hold, meter.hold, sizeof(result.hold));
	return result;
}
