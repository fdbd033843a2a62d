/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configuration: the settings of slurm.conf and equitree.conf for the priority
 * plugin, in one const struct. A reconfigure builds a new struct and exchanges
 * the pointer. A caller with a reference keeps the old struct until it releases
 * the reference.
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
	uint32_t tres; /* The position in slurmctld's TRES arrays. */
	uint32_t model; /* The index into the price table. */
	/* gres/gpu, which counts all models, with and without a bundle. */
	bool all;
	/* The TRES counts shares of GPUs. The same GPUs are also counted as
	   whole GPUs. */
	bool share;
};

/* What a charge adds for one TRES to each of its owners. */
struct eqt_charged_tres {
	uint32_t tres; /* its position in slurmctld's arrays */
	uint64_t run_secs; /* to release from limits */
	/* count of the TRES, to be multiplied by the seconds of the charge */
	long double count;
};

struct eqt_config;

/* The configuration in force. Initialize it with EQT_CONFIG_STORE. Outside of
 * configuration.c only `traced` is read, and any thread may read it. */
struct eqt_config_store {
	/* Protects the members below and all reference counts. */
	pthread_mutex_t lock;
	struct eqt_config *now;
	/* The configuration that was in force until eqt_config_unload(). */
	struct eqt_config *last;
	uint32_t serial;

	/* DebugFlags=Priority. This is a copy, because slurm_conf may only be
	   read under a lock. */
	atomic_bool traced;
};

#define EQT_CONFIG_STORE                           \
	{                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, \
	}

struct eqt_config {
	/* Only configuration.c uses this reference count. */
	uint32_t references;
	struct eqt_config_store *store;
	/* Counts the configurations that this process has loaded. */
	uint32_t serial;
	/* This struct owns the parsed equitree.conf. */
	const struct eqt_conf *conf;
	/* An owned array of gpu_tres_count elements. */
	struct eqt_gpu_tres *gpu_tres;
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
	uint32_t half_life_s; /* 0 means no decay. */
	uint32_t period_s; /* The seconds between two passes, at least 1. */
	uint16_t reset_period; /* PRIORITY_RESET_* */
	uint16_t dampening;
	bool favor_small;
	bool limits; /* AccountingStorageEnforce includes limits. */
	uint32_t min_job_age_s; /* MinJobAge */
	/* MaxArraySize, which is above all task numbers. */
	uint32_t max_array_size;
	bool fairshare; /* Shares are known, because there is a slurmdbd. */
	/* The behaviour that is kept as in Slurm's own plugin. */
	struct eqt_stock stock;
	bool plain_walk; /* This setting is read only when the plugin starts. */
	/* Options of equitree.conf. stock.extras turns these options off. */
	bool charge_suspended;
	bool charge_completing;
	struct eqt_conf_priority priority;
};

/*
 * Build a configuration from slurm_conf and equitree.conf, and put it in force.
 * Returns 0, or -1 with err filled; the previous configuration, if any, stays
 * in force then.
 *
 * After eqt_config_unload(), an error in equitree.conf is only logged and the
 * previous configuration is used: a slurmctld that was running with it must not
 * end because of the error. The function takes assoc_mgr's TRES lock for
 * reading, so the caller must hold no lock of assoc_mgr.
 */
int eqt_config_load(struct eqt_config_store *store, struct eqt_error *err);

/* Return a reference to the configuration in force, or NULL before the first
 * load. The caller releases it with eqt_config_put(), which accepts NULL. The
 * function never waits long, and the caller may hold any lock. */
const struct eqt_config *eqt_config_get(struct eqt_config_store *store);
void eqt_config_put(const struct eqt_config *config);

/* Does the share tree (Fair Tree) decide fair share, and are there shares? */
bool eqt_config_has_tree(const struct eqt_config *config);

/* Is fair share computed by the classic formula (NO_FAIR_TREE)? */
bool eqt_config_is_classic(const struct eqt_config *config);

/* Does each waiting job have its own fair-share factor (order = jobs)? */
bool eqt_config_place_jobs(const struct eqt_config *config);

/* Release the configuration in force when the plugin is unloaded, but keep the
 * settings of equitree.conf for another start in this process. */
void eqt_config_unload(struct eqt_config_store *store);

#endif
