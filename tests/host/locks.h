/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locks: slurmctld's own locks, one read-write lock for each of its five
 * structures, taken in slurmctld's order. locks.c defines lock_slurmctld(),
 * unlock_slurmctld(), lock_state_files() and unlock_state_files(), and
 * assoc_mgr_lock() before libslurmfull's own.
 */
#ifndef EQT_HOST_LOCKS_H
#define EQT_HOST_LOCKS_H

#include "../../plugins/slurm/compat.h"

/* The locks of slurmctld while an RPC changes jobs. */
#define LOCKS_JOBS                                                         \
	((slurmctld_lock_t){                                               \
		.conf = READ_LOCK,                                         \
		.job = WRITE_LOCK,                                         \
		.node = WRITE_LOCK,                                        \
		.part = READ_LOCK,                                         \
	})

/* Set a function that a thread calls before it asks for slurmctld's locks, if
 * it holds none. */
void locks_call(void (*hook)(void));

/* Set a function that a thread calls before it asks for assoc_mgr's locks; NULL: none. */
void locks_call_assocs(void (*hook)(const assoc_mgr_lock_t *levels));

/* Does the calling thread hold slurmctld's locks? */
bool locks_held(void);

#endif
