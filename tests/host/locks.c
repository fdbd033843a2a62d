/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "fail.h"
#include "locks.h"

enum { CONF, JOB, NODE, PART, FED, LOCK_COUNT };

static pthread_rwlock_t locks[LOCK_COUNT] = {
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
	PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
	PTHREAD_RWLOCK_INITIALIZER,
};

static void (*totals)(void);
static void (*assocs)(const assoc_mgr_lock_t *levels);
static _Thread_local int held; /* how often this thread has them */

static pthread_mutex_t state_files = PTHREAD_MUTEX_INITIALIZER;

static void take(int which, lock_level_t level)
{
	if (level == READ_LOCK)
		pthread_rwlock_rdlock(&locks[which]);
	else if (level == WRITE_LOCK)
		pthread_rwlock_wrlock(&locks[which]);
}

static void release(int which, lock_level_t level)
{
	if (level != NO_LOCK)
		pthread_rwlock_unlock(&locks[which]);
}

void locks_call(void (*hook)(void))
{
	totals = hook;
}

void locks_call_assocs(void (*hook)(const assoc_mgr_lock_t *levels))
{
	assocs = hook;
}

bool locks_held(void)
{
	return held > 0;
}

/* libslurmfull's own, behind the one of the same name below. Found before there are threads. */
static void (*assocs_lock)(assoc_mgr_lock_t *);

__attribute__((constructor)) static void assocs_lock_find(void)
{
	void *symbol = dlsym(RTLD_NEXT, "assoc_mgr_lock");

	memcpy(&assocs_lock, &symbol, sizeof(assocs_lock));
}

void assoc_mgr_lock(assoc_mgr_lock_t *levels)
{
	if (!assocs_lock)
		fail("libslurmfull has no assoc_mgr_lock");
	if (assocs)
		assocs(levels);
	assocs_lock(levels);
}

void lock_slurmctld(slurmctld_lock_t levels)
{
	if (totals)
		totals();
	held++;
	take(CONF, levels.conf);
	take(JOB, levels.job);
	take(NODE, levels.node);
	take(PART, levels.part);
	take(FED, levels.fed);
}

void unlock_slurmctld(slurmctld_lock_t levels)
{
	release(FED, levels.fed);
	release(PART, levels.part);
	release(NODE, levels.node);
	release(JOB, levels.job);
	release(CONF, levels.conf);
	held--;
}

void lock_state_files(void)
{
	pthread_mutex_lock(&state_files);
}

void unlock_state_files(void)
{
	pthread_mutex_unlock(&state_files);
}
