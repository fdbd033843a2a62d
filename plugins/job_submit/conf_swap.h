/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_swap: the configuration in force, which all submissions share.
 *
 * Slurm does not report a reconfigure to a submission plugin. So each submission
 * compares the time of the last reading of slurm.conf with the one that it knows.
 * That time is in whole seconds: if the file was read in the same second, a later
 * submission looks whether the file has changed since.
 */
#ifndef EQT_CONF_SWAP_H
#define EQT_CONF_SWAP_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "conf/conf.h"
#include "base/error.h"
#ifdef EQT_HAVE_INTERNAL
#include "slurm/node_sets.h"
#endif

/* One configuration, which its users only read. */
struct eqt_shared_conf {
	const struct eqt_conf *conf; /* owned */
	char *text; /* owned; without comments; NULL: not for all to read */
#ifdef EQT_HAVE_INTERNAL
	struct eqt_node_sets nodes; /* owned; the nodes of its bundles */
#endif
	uint32_t references; /* conf_swap.c only */
	struct eqt_conf_swap *swap;
};

/* Starts as EQT_CONF_SWAP; eqt_conf_swap_fini() frees what it holds. The lock
 * protects all of it, and every reference count. A caller that reads the file holds
 * reading until the file is in force: if a second reconfigure makes another caller
 * read, the older file must not replace the newer one. */
struct eqt_conf_swap {
	pthread_mutex_t lock;
	pthread_mutex_t reading; /* taken before lock */
	struct eqt_shared_conf *now;
	time_t seen; /* slurm_conf.last_update when now was read */
	time_t read; /* when `seen` was set */
	struct timespec changed; /* of the file that was read */
};

#define EQT_CONF_SWAP                                 \
	{                                             \
		.lock = PTHREAD_MUTEX_INITIALIZER,    \
		.reading = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Read equitree.conf for the first time. 0, or -1 with err filled. */
int eqt_conf_swap_init(struct eqt_conf_swap *swap, struct eqt_error *err);

/*
 * A reference to the configuration in force: after a reconfigure the new one or, if
 * that has an error, the previous one, with a line in the log.
 * NULL before eqt_conf_swap_init(). Give it back with eqt_conf_swap_put(). Slurm's
 * conf lock is held for reading; several threads may call at once.
 */
const struct eqt_shared_conf *eqt_conf_swap_get(struct eqt_conf_swap *swap);
void eqt_conf_swap_put(const struct eqt_shared_conf *shared);

/* Drop the configuration in force (at fini). */
void eqt_conf_swap_fini(struct eqt_conf_swap *swap);

#endif
