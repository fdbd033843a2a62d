/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configuration: the settings of slurm.conf and equitree.conf for the priority plugin,
 * in one const struct. A reconfigure builds a new struct and swaps the pointer; a
 * caller with a reference keeps the old one until it gives the reference back.
 */
#ifndef EQT_CONFIG_H
#define EQT_CONFIG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "slurm/node_sets.h"
#include "conf/conf.h"
#include "base/error.h"
#include "prio/params.h"
#include "prio/factors.h"

/* A TRES that counts GPUs. */
struct eqt_gpu_tres {
	uint32_t tres; /* its position in slurmctld's arrays */
	uint32_t model; /* index into the price table */
	bool all; /* gres/gpu: all models, with a bundle or not */
	bool share; /* it counts shares of GPUs; nodes count these GPUs, too */
};

/* What a charge adds for one TRES to each of its owners. */
struct eqt_charged_tres {
	uint32_t tres; /* its position in slurmctld's arrays */
	uint64_t run_secs; /* to release from limits */
	long double count; /* times the seconds of the charge */
};

struct eqt_config;

/* The configuration in force. Initialize it with EQT_CONFIG_STORE. Outside
 * configuration.c only traced is read, by any thread. */
struct eqt_config_store {
	pthread_mutex_t lock; /* covers these, and all reference counts */
	struct eqt_config *now;
	struct eqt_config *last; /* in force until eqt_config_unload() */
	uint32_t serial;

	atomic_bool traced; /* DebugFlags=Priority; a copy, because slurm_conf
			       may be read only under a lock */
};

#define EQT_CONFIG_STORE                           \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

struct eqt_config {
	uint32_t references; /* configuration.c only */
	struct eqt_config_store *store;
	uint32_t serial; /* counts the loads of this process */
	const struct eqt_conf *conf; /* owned */
	struct eqt_gpu_tres *gpu_tres; /* owned, gpu_tres_count entries */
	uint32_t gpu_tres_count;
	uint32_t tres_count;
	uint32_t disk_tres; /* the position of local disk; tres_count: none */
	struct eqt_node_sets nodes; /* owned; the nodes of each bundle */
	double *tres_weights; /* owned; NULL: PriorityWeightTRES is
					   not set */
	double *tres_scratch; /* owned, tres_count; used under
					   slurmctld's job write lock */
	struct eqt_charged_tres *charged; /* owned, tres_count; used under
					     assoc_mgr's assoc write lock */
	bool linear; /* SelectType=select/linear */
	struct eqt_factor_weights weights;
	uint32_t flags; /* PRIORITY_FLAGS_* */
	uint32_t max_age_s;
	uint32_t half_life_s; /* 0: no decay */
	uint32_t period_s; /* between passes, at least 1 */
	uint16_t reset_period; /* PRIORITY_RESET_* */
	uint16_t dampening;
	bool favor_small;
	bool limits; /* AccountingStorageEnforce has limits */
	uint32_t min_job_age_s; /* MinJobAge */
	uint32_t max_array_size; /* MaxArraySize: above all task numbers */
	bool fairshare; /* shares are known: there is a slurmdbd */
	struct eqt_stock stock; /* behaviour kept as in stock */
	bool plain_walk; /* read at the start only */
	/* equitree.conf's options, as stock.extras leaves them */
	bool charge_suspended;
	bool charge_completing;
	struct eqt_conf_priority priority;
};

/*
 * Build a configuration from slurm_conf and equitree.conf and put it in force.
 * Returns 0, or -1 with err filled and the old one (if any) still in force.
 * After eqt_config_unload(), an error in equitree.conf is logged and the previous
 * configuration is used: a slurmctld that has run with it must not end because of
 * this. Takes assoc_mgr's TRES lock for reading: hold no assoc_mgr lock.
 */
int eqt_config_load(struct eqt_config_store *store, struct eqt_error *err);

/* A reference to the configuration in force; NULL before the first load. Give
 * it back with eqt_config_put(); NULL is fine. Never blocks for long; any lock
 * may be held. */
const struct eqt_config *eqt_config_get(struct eqt_config_store *store);
void eqt_config_put(const struct eqt_config *config);

/* Does fair share come from the share tree (Fair Tree), and are there shares? */
bool eqt_config_has_tree(const struct eqt_config *config);

/* Is fair share the classic one (NO_FAIR_TREE)? */
bool eqt_config_is_classic(const struct eqt_config *config);

/* Has each waiting job a fair-share factor of its own (order = jobs)? */
bool eqt_config_place_jobs(const struct eqt_config *config);

/* Drop the configuration in force (at fini), but keep the settings of equitree.conf for
 * another start in this process. */
void eqt_config_unload(struct eqt_config_store *store);

#endif
