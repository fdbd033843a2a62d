/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's locks as tests/host/locks.c has them, and assoc_mgr's, each with
 * the time for which a plugin's thread holds it. */
#include <dlfcn.h>
#include <string.h>

#include "../tests/host/fail.h"
#include "../tests/host/locks.h"
#include "meter.h"

#undef lock_slurmctld
#undef unlock_slurmctld
void lock_slurmctld(slurmctld_lock_t levels);
void unlock_slurmctld(slurmctld_lock_t levels);
#undef assoc_mgr_lock
void assoc_mgr_lock(assoc_mgr_lock_t *levels);

/* When this thread took what it holds. */
static _Thread_local int64_t job_ns, assoc_ns;

static void end(int64_t *began_ns, lock_level_t level, enum meter_lock write,
		enum meter_lock read)
{
	if (*began_ns)
		meter_hold(level == WRITE_LOCK ? write : read, *began_ns);
	*began_ns = 0;
}

static int64_t begin(lock_level_t level, enum meter_watch watch)
{
	return level != NO_LOCK && meter_watches(watch) ? meter_now_ns() : 0;
}

void lock_slurmctld(slurmctld_lock_t levels)
{
	host_lock_slurmctld(levels);
	job_ns = begin(levels.job, METER_JOB_LOCKS);
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	end(&job_ns, levels.job, METER_JOB_WRITE, METER_JOB_READ);
	host_unlock_slurmctld(levels);
	meter_unlocked();
}

/* libslurmfull's own function behind one of the same name in this program. */
static void (*behind(const char *name))(assoc_mgr_lock_t *)
{
	void (*function)(assoc_mgr_lock_t *);
	void *symbol = dlsym(RTLD_NEXT, name);

	if (!symbol)
		fail("libslurmfull has no %s", name);
	memcpy(&function, &symbol, sizeof(function));
	return function;
}

void assoc_mgr_lock(assoc_mgr_lock_t *levels)
{
	host_assoc_mgr_lock(levels);
	assoc_ns = begin(levels->assoc, METER_ASSOC_LOCKS);
}

void assoc_mgr_unlock(assoc_mgr_lock_t *levels)
{
	static void (*real)(assoc_mgr_lock_t *);

	if (!real)
		real = behind("assoc_mgr_unlock");
	end(&assoc_ns, levels->assoc, METER_ASSOC_WRITE, METER_ASSOC_READ);
	real(levels);
}
