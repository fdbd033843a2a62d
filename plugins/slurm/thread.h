/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread: starts a thread with a small stack, as Slurm's own threads have.
 * glibc keeps the stacks of ended threads in a cache of 40 MB. When our threads
 * had stacks of 8 MB, the cache was full sooner, and glibc unmapped the stack of
 * an ended thread of Slurm. Slurm's slurmdbd plugin still points to that stack
 * when a backup slurmctld gives up control.
 */
#ifndef EQT_THREAD_H
#define EQT_THREAD_H

#include <pthread.h>
#include <stddef.h>

#define EQT_THREAD_STACK ((size_t) 1024 * 1024) /* In bytes. */

/* Start a thread. Returns 0 or an errno. */
static inline int eqt_thread_start(pthread_t *thread, void *(*run)(void *),
				   void *arg)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error)
		return error;
	(void) pthread_attr_setstacksize(&attr, EQT_THREAD_STACK);
	error = pthread_create(thread, &attr, run, arg);
	(void) pthread_attr_destroy(&attr);
	return error;
}

#endif
