/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "slurm/compat.h"
#include "slurm/conf_load.h"
#include "slurm/log.h"
#include "conf_swap.h"

static void shared_conf_free(struct eqt_shared_conf *shared)
{
#ifdef EQT_HAVE_INTERNAL
	eqt_node_sets_close(&shared->nodes);
#endif
	eqt_conf_free(shared->conf);
	free(shared->text);
	free(shared);
}

static struct eqt_shared_conf *shared_conf_new(struct eqt_conf_swap *swap,
					       struct eqt_error *err)
{
	struct eqt_shared_conf *shared = calloc(1, sizeof(*shared));

	if (!shared) {
		eqt_error_set(err, "out of memory");
		return NULL;
	}
	shared->swap = swap;
	shared->references = 1;
	shared->conf = eqt_conf_load_with_text(&shared->text, err);
	if (!shared->conf) {
		free(shared);
		return NULL;
	}
#ifdef EQT_HAVE_INTERNAL
	if (eqt_node_sets_open(&shared->nodes, &shared->conf->prices, err) <
	    0) {
		shared_conf_free(shared);
		return NULL;
	}
#endif
	return shared;
}

/* Release a reference. The last release frees the configuration, after the lock
 * is released. */
static void shared_conf_drop(struct eqt_shared_conf *shared)
{
	struct eqt_conf_swap *swap;
	bool last;

	if (!shared)
		return;
	swap = shared->swap;
	pthread_mutex_lock(&swap->lock);
	last = --shared->references == 0;
	pthread_mutex_unlock(&swap->lock);
	if (last)
		shared_conf_free(shared);
}

/* Put a configuration in force, or none if `shared` is NULL. The swap takes
 * over the caller's reference. */
static void conf_swap_in(struct eqt_conf_swap *swap,
			 struct eqt_shared_conf *shared)
{
	struct eqt_shared_conf *old;

	pthread_mutex_lock(&swap->lock);
	old = swap->now;
	swap->now = shared;
	pthread_mutex_unlock(&swap->lock);
	shared_conf_drop(old);
}

/* Could slurmctld be reconfigured again in the second in which the file was
 * read? The time of slurm.conf, in whole seconds, does not show this, so each
 * submission of that second, and the first one after it, looks at the file. The
 * lock is held. */
static bool conf_swap_is_doubtful(const struct eqt_conf_swap *swap)
{
	return swap->read <= swap->seen;
}

/* Must this caller read the file? The lock is held. */
static bool conf_swap_is_outdated(struct eqt_conf_swap *swap)
{
	const bool is_new = swap->seen != slurm_conf.last_update;
	struct timespec before, now;

	if (!is_new && !conf_swap_is_doubtful(swap))
		return false;
	before = swap->changed;
	now = eqt_conf_load_changed();
	swap->seen = slurm_conf.last_update;
	swap->read = time(NULL);
	swap->changed = now;
	return is_new || now.tv_sec != before.tv_sec ||
	       now.tv_nsec != before.tv_nsec;
}

int eqt_conf_swap_init(struct eqt_conf_swap *swap, struct eqt_error *err)
{
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&swap->lock);
	/* Store the times before the file is read, so that a later change is
	   noticed. */
	(void) conf_swap_is_outdated(swap);
	pthread_mutex_unlock(&swap->lock);
	shared = shared_conf_new(swap, err);
	if (!shared)
		return -1;
	conf_swap_in(swap, shared);
	return 0;
}

/* Read the file. Other submissions use the previous configuration meanwhile. */
static void conf_swap_reload(struct eqt_conf_swap *swap)
{
	struct eqt_error err;
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&swap->reading);
	shared = shared_conf_new(swap, &err);
	if (shared)
		conf_swap_in(swap, shared);
	pthread_mutex_unlock(&swap->reading);
	if (shared)
		eqt_log_info("configuration read");
	else
		eqt_log_error("%s; keeping the previous configuration",
			      err.text);
}

const struct eqt_shared_conf *eqt_conf_swap_get(struct eqt_conf_swap *swap)
{
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&swap->lock);
	if (swap->now && conf_swap_is_outdated(swap)) {
		pthread_mutex_unlock(&swap->lock);
		conf_swap_reload(swap);
		pthread_mutex_lock(&swap->lock);
	}
	shared = swap->now;
	if (shared)
		shared->references++;
	pthread_mutex_unlock(&swap->lock);
	return shared;
}

void eqt_conf_swap_put(const struct eqt_shared_conf *shared)
{
	shared_conf_drop((struct eqt_shared_conf *) shared);
}

void eqt_conf_swap_fini(struct eqt_conf_swap *swap)
{
	conf_swap_in(swap, NULL);
}
