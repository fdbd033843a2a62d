/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <unistd.h>

#include "base/hash.h"
#include "clock.h"

#define SECOND_NS INT64_C(1000000000)
#define READINGS_MOST 100

static int64_t clock_read_ns(clockid_t id)
{
	struct timespec now = { 0 };

	clock_gettime(id, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

/* The offset between the wall clock and CLOCK_BOOTTIME. If the thread was
 * delayed between two readings, it reads both clocks again, because the delay
 * would look like a step of the wall clock. */
static int64_t clock_wall_offset_ns(void)
{
	int64_t wall, before, after = clock_read_ns(CLOCK_BOOTTIME);

	for (int tries = 0; tries < READINGS_MOST; tries++) {
		before = after;
		wall = clock_read_ns(CLOCK_REALTIME_COARSE);
		after = clock_read_ns(CLOCK_BOOTTIME);
		if (after - before < SECOND_NS / 10)
			break;
	}
	return wall - after;
}

void eqt_clock_start(struct eqt_clock *clock, bool follows)
{
	*clock = (struct eqt_clock){
		.offset_ns = clock_wall_offset_ns(),
		.follows = follows,
	};
	clock->checked = eqt_clock_now(clock);
}

void eqt_clock_resume(struct eqt_clock *clock, int64_t offset_ns,
		      time_t checked)
{
	if (clock->follows || !eqt_clock_between(offset_ns, clock->offset_ns))
		return;
	clock->offset_ns = offset_ns;
	clock->checked = checked;
	clock->step = eqt_clock_step(clock);
}

/* The current time while the wall clock has a step that the charges do not
 * follow yet. */
static time_t clock_stepped_now(const struct eqt_clock *clock)
{
	return (time_t) ((clock_read_ns(CLOCK_BOOTTIME) + clock->offset_ns) /
			 SECOND_NS);
}

/* slurmctld takes its seconds from time(), which may lag by milliseconds.
 * Without a step, charges use the same seconds. Otherwise a job could end in a
 * second that this clock has not reached, and that second would not be
 * charged. */
time_t eqt_clock_now(const struct eqt_clock *clock)
{
	if (!eqt_clock_step(clock))
		return time(NULL);
	return clock_stepped_now(clock);
}

time_t eqt_clock_between(int64_t before_ns, int64_t after_ns)
{
	const int64_t ns = after_ns - before_ns;

	if (ns < SECOND_NS && ns > -SECOND_NS)
		return 0;
	return (time_t) ((ns + (ns > 0 ? SECOND_NS : -SECOND_NS) / 2) /
			 SECOND_NS);
}

time_t eqt_clock_step(const struct eqt_clock *clock)
{
	return clock->follows ? 0
			      : eqt_clock_between(clock->offset_ns,
						  clock_wall_offset_ns());
}

uint64_t eqt_clock_boot(void)
{
	const int fd =
		open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	char id[64];
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, id, sizeof(id));
	(void) close(fd);
	return length > 0 ? eqt_hash_bytes(EQT_HASH_START, id, (size_t) length)
			  : 0;
}

void eqt_clock_follow(struct eqt_clock *clock)
{
	clock->offset_ns += (int64_t) clock->step * SECOND_NS;
	clock->step = 0;
	/* The remainder is less than a second, unless the wall clock was set
	   again meanwhile. */
	if (!eqt_clock_step(clock))
		eqt_clock_start(clock, clock->follows);
}

time_t eqt_clock_check(struct eqt_clock *clock)
{
	/* The wall clock is read before its step is computed, because an
	   administrator may set the clock in between. */
	const time_t wall = time(NULL);

	clock->step = eqt_clock_step(clock);
	if (clock->step)
		return clock_stepped_now(clock);
	clock->checked = wall;
	return wall;
}

time_t eqt_clock_moment(const struct eqt_clock *clock, time_t noted)
{
	const time_t moment = noted - clock->step;

	/* The step is rounded, so a moment may lie in the same second as the
	   check. */
	if (!clock->step || moment < clock->checked - 1 ||
	    moment > eqt_clock_now(clock))
		return noted;
	return moment;
}

struct timespec eqt_clock_steady(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now;
}
