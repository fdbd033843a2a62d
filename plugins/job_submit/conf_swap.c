/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include <slurm/slurm.h>

#include "slurm/conf_load.h"
#include "slurm/log.h"
#include "conf_swap.h"

/* The host's configuration; libslurmfull defines it, the type is public. */
extern slurm_conf_t slurm_conf;

/* The lock covers all of it, and every reference count. Who reads the file
 * holds reading until it is in force: of two that a second reconfigure made
 * read, the later one must not be overtaken. */
static struct {
	pthread_mutex_t lock;
	pthread_mutex_t reading; /* taken before lock */
	struct eqt_shared_conf *now;
	time_t seen; /* slurm_conf.last_update when now was read */
} current = { .lock = PTHREAD_MUTEX_INITIALIZER,
	      .reading = PTHREAD_MUTEX_INITIALIZER };

static void shared_free(struct eqt_shared_conf *shared)
{
#ifdef EQT_HAVE_INTERNAL
	eqt_node_sets_close(&shared->nodes);
#endif
	eqt_conf_free(shared->conf);
	free(shared);
}

static struct eqt_shared_conf *shared_new(struct eqt_error *err)
{
	struct eqt_shared_conf *shared = calloc(1, sizeof(*shared));

	if (!shared) {
		eqt_error_set(err, "out of memory");
		return NULL;
	}
	shared->references = 1;
	shared->conf = eqt_conf_load(err);
	if (!shared->conf) {
		free(shared);
		return NULL;
	}
#ifdef EQT_HAVE_INTERNAL
	if (eqt_node_sets_open(&shared->nodes, &shared->conf->prices, err) <
	    0) {
		shared_free(shared);
		return NULL;
	}
#endif
	return shared;
}

static void drop_reference(struct eqt_shared_conf *shared)
{
	bool last;

	if (!shared)
		return;
	pthread_mutex_lock(&current.lock);
	last = --shared->references == 0;
	pthread_mutex_unlock(&current.lock);
	if (last)
		shared_free(shared);
}

/* Put shared (NULL: none) in force; its one reference is ours from now on. */
static void swap_in(struct eqt_shared_conf *shared)
{
	struct eqt_shared_conf *old;

	pthread_mutex_lock(&current.lock);
	old = current.now;
	current.now = shared;
	pthread_mutex_unlock(&current.lock);
	drop_reference(old);
}

/* Whether this caller is the first one after a reconfigure. The lock is held. */
static bool is_outdated(void)
{
	bool outdated = current.now && current.seen != slurm_conf.last_update;

	current.seen = slurm_conf.last_update;
	return outdated;
}

int eqt_conf_swap_init(struct eqt_error *err)
{
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&current.lock);
	(void) is_outdated();
	pthread_mutex_unlock(&current.lock);
	shared = shared_new(err);
	if (!shared)
		return -1;
	swap_in(shared);
	return 0;
}

static void reload(void)
{
	struct eqt_error err;
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&current.reading);
	shared = shared_new(&err);
	if (shared)
		swap_in(shared);
	pthread_mutex_unlock(&current.reading);
	if (shared)
		eqt_log_info("configuration read");
	else
		eqt_log_error("%s; the configuration of before stays in force",
			      err.text);
}

const struct eqt_shared_conf *eqt_conf_swap_get(void)
{
	struct eqt_shared_conf *shared;

	pthread_mutex_lock(&current.lock);
	if (is_outdated()) {
		pthread_mutex_unlock(&current.lock);
		reload();
		pthread_mutex_lock(&current.lock);
	}
	shared = current.now;
	if (shared)
		shared->references++;
	pthread_mutex_unlock(&current.lock);
	return shared;
}

void eqt_conf_swap_put(const struct eqt_shared_conf *shared)
{
	drop_reference((struct eqt_shared_conf *) shared);
}

void eqt_conf_swap_fini(void)
{
	swap_in(NULL);
}
