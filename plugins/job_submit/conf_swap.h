/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_swap: the configuration in force, which all submissions share.
 *
 * Slurm does not report a reconfigure to a submission plugin. So each
 * submission compares the time at which slurm.conf was last read with the time
 * that it knows. That time is in whole seconds. If equitree.conf was read in
 * the same second, the submissions of that second and the first one after it
 * check whether the file has changed since.
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

/* One configuration, which submissions only read. */
struct eqt_shared_conf {
	const struct eqt_conf *conf; /* This struct owns the configuration. */
	/* The text of the file without its comments; NULL if the file is not
	   readable by everybody. This struct owns the text. */
	char *text;
#ifdef EQT_HAVE_INTERNAL
	/* The nodes that bundles name. This struct owns them. */
	struct eqt_node_sets nodes;
#endif
	uint32_t references; /* Only conf_swap.c uses this reference count. */
	struct eqt_conf_swap *swap;
};

/*
 * The configuration in force. Starts as EQT_CONF_SWAP, and eqt_conf_swap_fini()
 * frees the configuration.
 *
 * `lock` protects all members and every reference count. A caller that reads
 * the file holds `reading` until the file is in force, so that the older file
 * cannot replace the newer one after two reconfigures.
 */
struct eqt_conf_swap {
	pthread_mutex_t lock;
	pthread_mutex_t reading; /* Taken before `lock`. */
	struct eqt_shared_conf *now;
	time_t seen; /* slurm_conf.last_update when `now` was read. */
	time_t read; /* When `seen` was set. */
	/* The time at which the file in force was last changed. */
	struct timespec changed;
};

#define EQT_CONF_SWAP                                 \
	{                                             \
		.lock = PTHREAD_MUTEX_INITIALIZER,    \
		.reading = PTHREAD_MUTEX_INITIALIZER, \
	}

/* Read equitree.conf for the first time. Returns 0, or -1 with err filled. */
int eqt_conf_swap_init(struct eqt_conf_swap *swap, struct eqt_error *err);

/*
 * Return a reference to the configuration in force. After a reconfigure that is
 * the new configuration. If the new file has an error, the previous
 * configuration stays in force and the error is logged. Returns NULL before
 * eqt_conf_swap_init(). The caller releases the reference with
 * eqt_conf_swap_put(). Slurm's conf lock is held for reading. Several threads
 * may call this function at the same time.
 */
const struct eqt_shared_conf *eqt_conf_swap_get(struct eqt_conf_swap *swap);
void eqt_conf_swap_put(const struct eqt_shared_conf *shared);

/* Release the configuration in force, when the plugin is unloaded. */
void eqt_conf_swap_fini(struct eqt_conf_swap *swap);

#endif
