/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load the configuration, and count the references to it. A pass or a hook
 * keeps the configuration with which it began, even if slurmctld reconfigures
 * meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "price/gres.h"
#include "slurm/conf_load.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "slurm/spec_partition.h"
#include "configuration.h"

/* Free a configuration and everything it owns. The configuration may be
 * incomplete. */
static void config_free(struct eqt_config *config)
{
	if (!config)
		return;
	eqt_node_sets_close(&config->nodes);
	eqt_conf_free(config->conf);
	free(config->gpu_tres);
	free(config->tres_scratch);
	free(config->charged);
	xfree(config->tres_weights);
	free(config);
}

const struct eqt_config *eqt_config_get(struct eqt_config_store *store)
{
	struct eqt_config *config;

	pthread_mutex_lock(&store->lock);
	config = store->now;
	if (config)
		config->references++;
	pthread_mutex_unlock(&store->lock);
	return config;
}

/* Release a reference. A pass may still use a configuration that a reconfigure
 * has replaced, so the thread that releases the last reference frees it,
 * without holding the lock. */
static void config_drop_reference(struct eqt_config *config)
{
	struct eqt_config_store *store;
	bool last;

	if (!config)
		return;
	store = config->store;
	pthread_mutex_lock(&store->lock);
	last = --config->references == 0;
	pthread_mutex_unlock(&store->lock);
	if (last)
		config_free(config);
}

void eqt_config_put(const struct eqt_config *config)
{
	config_drop_reference((struct eqt_config *) config);
}

/* Put a configuration in force. If `config` is NULL, no configuration is in
 * force. The store holds one reference to the configuration. */
static void config_swap_in(struct eqt_config_store *store,
			   struct eqt_config *config)
{
	struct eqt_config *old;

	if (config)
		config->references = 1;
	pthread_mutex_lock(&store->lock);
	if (config)
		config->serial = ++store->serial;
	old = store->now;
	store->now = config;
	pthread_mutex_unlock(&store->lock);
	config_drop_reference(old);
}

/* Keep a configuration, or none if it is NULL, for another start in this
 * process. */
static void config_keep_last(struct eqt_config_store *store,
			     struct eqt_config *config)
{
	struct eqt_config *old;

	pthread_mutex_lock(&store->lock);
	old = store->last;
	store->last = config;
	pthread_mutex_unlock(&store->lock);
	config_drop_reference(old);
}

bool eqt_config_has_tree(const struct eqt_config *config)
{
	return config->fairshare && (config->flags & PRIORITY_FLAGS_FAIR_TREE);
}

bool eqt_config_is_classic(const struct eqt_config *config)
{
	return !(config->flags & PRIORITY_FLAGS_FAIR_TREE);
}

bool eqt_config_place_jobs(const struct eqt_config *config)
{
	return config->priority.order == EQT_ORDER_JOBS &&
	       eqt_config_has_tree(config);
}

void eqt_config_unload(struct eqt_config_store *store)
{
	config_keep_last(store, (struct eqt_config *) eqt_config_get(store));
	config_swap_in(store, NULL);
}

/* Take the equitree.conf of the previous start, which the caller then owns.
 * Returns NULL if there is none, or if another thread has a reference to that
 * configuration, because it loses its equitree.conf. */
static const struct eqt_conf *conf_take_last(struct eqt_config_store *store)
{
	const struct eqt_conf *conf = NULL;

	pthread_mutex_lock(&store->lock);
	if (!store->now && store->last && store->last->references == 1) {
		conf = store->last->conf;
		store->last->conf = NULL;
	}
	pthread_mutex_unlock(&store->lock);
	return conf;
}

/* Load equitree.conf. If that fails and this process has started before, use
 * the previous settings, because a broken file must not end a running
 * slurmctld. */
static const struct eqt_conf *conf_load_or_keep(struct eqt_config_store *store,
						struct eqt_error *err)
{
	const struct eqt_conf *conf = eqt_conf_load(err);

	if (conf)
		return conf;
	conf = conf_take_last(store);
	if (conf)
		eqt_log_error("%s; keeping the previous configuration",
			      err->text);
	return conf;
}

/* Does a TRES such as "gres/gpu:p100" count GPUs? If so, fill all members
 * except its position, including the model of the price table. */
static bool gpu_tres_read(struct eqt_gpu_tres *gpu,
			  const struct eqt_bundle_table *prices,
			  const slurmdb_tres_rec_t *tres)
{
	char gres[EQT_NAME_SIZE];
	const char *colon;
	int model;

	if (!tres->type || !tres->name || strcmp(tres->type, "gres"))
		return false;
	colon = strchr(tres->name, ':');
	(void) snprintf(gres, sizeof(gres), "%s", tres->name);
	gres[strcspn(gres, ":")] = '\0';
	model = eqt_bundle_table_find(prices, gres, colon ? colon + 1 : NULL);
	if (!colon && !strcmp(gres, "gpu")) {
		*gpu = (struct eqt_gpu_tres){ .all = true };
		return true;
	}
	if (model >= 0) {
		*gpu = (struct eqt_gpu_tres){
			.model = (uint32_t) model,
			.share = eqt_gres_is_share(gres),
		};
		return true;
	}
	if (!strcmp(gres, "gpu"))
		eqt_log_error("no bundle for gres/%s in equitree.conf: such "
			      "GPUs are priced as if they were not there",
			      tres->name);
	return false;
}

/* Does a TRES count local disk? Only the TRES without a type does, because it
 * counts all types. */
static bool tres_is_disk(const struct eqt_bundle_table *prices,
			 const slurmdb_tres_rec_t *tres)
{
	return tres->type && tres->name && strcmp(tres->type, "gres") == 0 &&
	       eqt_bundle_table_is_disk(prices, tres->name);
}

/* Look up the names of all TRES once, so that a pass compares no strings:
 * slurmctld's TRES arrays have positions but no names. */
static int config_map_tres(struct eqt_config *config, struct eqt_error *err)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	uint32_t count;

	assoc_mgr_lock(&locks);
	count = g_tres_count;
	config->gpu_tres = calloc(count ? count : 1, sizeof(*config->gpu_tres));
	config->disk_tres = count;
	for (uint32_t i = 0; config->gpu_tres && i < count; i++) {
		const slurmdb_tres_rec_t *tres = assoc_mgr_tres_array[i];
		struct eqt_gpu_tres gpu;

		if (gpu_tres_read(&gpu, &config->conf->prices, tres)) {
			gpu.tres = i;
			config->gpu_tres[config->gpu_tres_count++] = gpu;
		}
		if (tres_is_disk(&config->conf->prices, tres))
			config->disk_tres = i;
	}
	assoc_mgr_unlock(&locks);
	config->tres_count = count;
	config->tres_scratch = calloc(count ? count : 1, sizeof(double));
	config->charged = calloc(count ? count : 1, sizeof(*config->charged));
	return config->gpu_tres && config->tres_scratch && config->charged
		       ? 0
		       : eqt_error_set(err, "out of memory");
}

/* Read PriorityParameters: the period, and the behaviour that is kept as in
 * Slurm's own plugin. */
static int config_read_params(struct eqt_config *config, struct eqt_error *err)
{
	struct eqt_params params;

	if (eqt_params_parse(&params, slurm_conf.priority_params, err) < 0)
		return -1;
	config->stock = params.stock;
	config->plain_walk = params.plain_walk;
	config->period_s = slurm_conf.priority_calc_period;
	if (params.period_s && !params.stock.extras)
		config->period_s = params.period_s;
	if (!config->period_s)
		config->period_s = 300;
	return 0;
}

/* Read the options that Slurm's own plugin does not have. stock_compat turns
 * them off. */
static void config_read_extras(struct eqt_config *config)
{
	bool none = config->stock.extras;

	config->charge_suspended = none || config->conf->charge_suspended;
	config->charge_completing = !none && config->conf->charge_completing;
	config->priority = config->conf->priority;
	if (none)
		config->priority = (struct eqt_conf_priority){
			.idle_shares = true,
			.expansion_full_u =
				config->conf->priority.expansion_full_u,
		};
}

/* Copy the settings of slurm_conf. They may change while a pass runs, because a
 * pass does not hold the lock of slurm_conf. */
static void config_read_slurm_conf(struct eqt_config *config)
{
	config->weights = (struct eqt_factor_weights){
		.age = slurm_conf.priority_weight_age,
		.assoc = slurm_conf.priority_weight_assoc,
		.fairshare = slurm_conf.priority_weight_fs,
		.size = slurm_conf.priority_weight_js,
		.partition = slurm_conf.priority_weight_part,
		.qos = slurm_conf.priority_weight_qos,
	};
	config->linear = eqt_spec_partition_linear();
	config->flags = slurm_conf.priority_flags;
	config->max_age_s = slurm_conf.priority_max_age;
	config->half_life_s = slurm_conf.priority_decay_hl;
	config->reset_period = slurm_conf.priority_reset_period;
	config->dampening = slurm_conf.fs_dampening_factor;
	config->favor_small = slurm_conf.priority_favor_small;
	config->limits = slurm_conf.accounting_storage_enforce &
			 ACCOUNTING_ENFORCE_LIMITS;
	config->min_job_age_s = slurm_conf.min_job_age;
	config->max_array_size = slurm_conf.max_array_sz;
	config->fairshare = slurm_with_slurmdbd() && assoc_mgr_root_assoc;
	if (!slurm_with_slurmdbd()) {
		if (config->weights.age || config->weights.fairshare)
			eqt_log_error("PriorityWeightAge and "
				      "PriorityWeightFairshare need slurmdbd: "
				      "taken as 0");
		config->weights.age = 0;
		config->weights.fairshare = 0;
	}
}

/* Log an error if equitree.conf sets keys that need the share tree and there is
 * no share tree. */
static void config_log_unused_keys(const struct eqt_config *config)
{
	const struct eqt_conf_priority *conf = &config->priority;

	if (eqt_config_has_tree(config))
		return;
	if (conf->rank_by != EQT_RANK_BY_USAGE || conf->allocated_now ||
	    conf->order != EQT_ORDER_USERS || !conf->idle_shares)
		eqt_log_error("equitree.conf: rank_by, allocated_now, order "
			      "and idle_shares need Fair Tree and slurmdbd: "
			      "they have no effect");
}

int eqt_config_load(struct eqt_config_store *store, struct eqt_error *err)
{
	struct eqt_config *config = calloc(1, sizeof(*config));

	/* Store the flag even if the rest fails, because an operator may have
	   set the flag to find the reason. */
	atomic_store(&store->traced,
		     (slurm_conf.debug_flags & DEBUG_FLAG_PRIO) != 0);
	if (!config)
		return eqt_error_set(err, "out of memory");
	config->store = store;
	config->conf = conf_load_or_keep(store, err);
	if (!config->conf ||
	    eqt_node_sets_open(&config->nodes, &config->conf->prices, err) <
		    0 ||
	    config_read_params(config, err) < 0 ||
	    config_map_tres(config, err) < 0) {
		config_free(config);
		return -1;
	}
	config_read_extras(config);
	config_read_slurm_conf(config);
	config_log_unused_keys(config);
	config->tres_weights =
		slurm_get_tres_weight_array(slurm_conf.priority_weight_tres,
					    (int) config->tres_count, false);
	config_swap_in(store, config);
	config_keep_last(store, NULL);
	return 0;
}
