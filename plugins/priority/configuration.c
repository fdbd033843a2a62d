/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/conf_load.h"
#include "slurm/log.h"
#include "slurm/compat.h"
#include "configuration.h"
#include "trace.h"

/* The settings in force; the mutex also covers every reference count. */
static struct {
	pthread_mutex_t lock;
	struct eqt_config *now;
	struct eqt_config *last; /* those of before eqt_config_unload() */
	uint32_t serial;
} current = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void settings_free(struct eqt_config *config)
{
	if (!config)
		return;
	eqt_node_sets_close(&config->nodes);
	eqt_conf_free(config->conf);
	free(config->tres_map);
	free(config->tres_scratch);
	xfree(config->tres_weights);
	free(config);
}

const struct eqt_config *eqt_config_get(void)
{
	struct eqt_config *config;

	pthread_mutex_lock(&current.lock);
	config = current.now;
	if (config)
		config->references++;
	pthread_mutex_unlock(&current.lock);
	return config;
}

static void drop_reference(struct eqt_config *config)
{
	bool last;

	if (!config)
		return;
	pthread_mutex_lock(&current.lock);
	last = --config->references == 0;
	pthread_mutex_unlock(&current.lock);
	if (last)
		settings_free(config);
}

void eqt_config_put(const struct eqt_config *config)
{
	drop_reference((struct eqt_config *) config);
}

/* Put settings (NULL: none) in force, with one reference of our own. */
static void swap_in(struct eqt_config *config)
{
	struct eqt_config *old;

	if (config)
		config->references = 1;
	pthread_mutex_lock(&current.lock);
	if (config)
		config->serial = ++current.serial;
	old = current.now;
	current.now = config;
	pthread_mutex_unlock(&current.lock);
	drop_reference(old);
}

/* Keep the settings in force (NULL: none) for another start. */
static void keep_last(struct eqt_config *config)
{
	struct eqt_config *old;

	pthread_mutex_lock(&current.lock);
	old = current.last;
	current.last = config;
	pthread_mutex_unlock(&current.lock);
	drop_reference(old);
}

bool eqt_config_has_tree(const struct eqt_config *config)
{
	return config->fairshare && (config->flags & PRIORITY_FLAGS_FAIR_TREE);
}

bool eqt_config_place_jobs(const struct eqt_config *config)
{
	return config->priority.order == EQT_ORDER_JOBS &&
	       eqt_config_has_tree(config);
}

void eqt_config_unload(void)
{
	keep_last((struct eqt_config *) eqt_config_get());
	swap_in(NULL);
}

/* The configuration of a start before this one, or NULL; now the caller's. */
static const struct eqt_conf *take_last_conf(void)
{
	const struct eqt_conf *conf = NULL;

	pthread_mutex_lock(&current.lock);
	if (!current.now && current.last && current.last->references == 1) {
		conf = current.last->conf;
		current.last->conf = NULL;
	}
	pthread_mutex_unlock(&current.lock);
	return conf;
}

static const struct eqt_conf *load_conf(struct eqt_error *err)
{
	const struct eqt_conf *conf = eqt_conf_load(err);

	if (conf)
		return conf;
	conf = take_last_conf();
	if (conf)
		eqt_log_error("%s; the configuration of before stays in force",
			      err->text);
	return conf;
}

/* Which model of the price table a TRES "gres/gpu:p100" counts, if any. */
static struct eqt_tres_map map_one(const struct eqt_bundle_table *prices,
				   const slurmdb_tres_rec_t *tres)
{
	struct eqt_tres_map map = { .use = EQT_TRES_NONE };
	char gres[EQT_NAME_SIZE];
	const char *colon;
	int model;

	if (!tres->type || !tres->name || strcmp(tres->type, "gres"))
		return map;
	colon = strchr(tres->name, ':');
	(void) snprintf(gres, sizeof(gres), "%s", tres->name);
	gres[strcspn(gres, ":")] = '\0';
	model = eqt_bundle_table_find(prices, gres, colon ? colon + 1 : NULL);
	if (!colon && !strcmp(gres, "gpu")) {
		map.use = EQT_TRES_GPU_ALL;
	} else if (model >= 0) {
		map.use = EQT_TRES_GPU_MODEL;
		map.model = (uint32_t) model;
	} else if (!strcmp(gres, "gpu")) {
		eqt_log_error("no bundle for gres/%s in equitree.conf: such "
			      "GPUs are priced as if they were not there",
			      tres->name);
	}
	return map;
}

static int map_tres(struct eqt_config *config, struct eqt_error *err)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	uint32_t count;

	assoc_mgr_lock(&locks);
	count = g_tres_count;
	config->tres_map = calloc(count ? count : 1, sizeof(*config->tres_map));
	for (uint32_t i = 0; config->tres_map && i < count; i++)
		config->tres_map[i] =
			map_one(&config->conf->prices, assoc_mgr_tres_array[i]);
	assoc_mgr_unlock(&locks);
	config->tres_count = count;
	config->tres_scratch = calloc(count ? count : 1, sizeof(double));
	return config->tres_map && config->tres_scratch
		       ? 0
		       : eqt_error_set(err, "out of memory");
}

/* PriorityParameters: the period, and what is to be as stock does it. */
static int read_params(struct eqt_config *config, struct eqt_error *err)
{
	struct eqt_params params;

	if (eqt_params_parse(&params, slurm_conf.priority_params, err) < 0)
		return -1;
	config->stock = params.stock;
	config->period_s = slurm_conf.priority_calc_period;
	if (params.period_s && !params.stock.extras)
		config->period_s = params.period_s;
	if (!config->period_s)
		config->period_s = 300;
	return 0;
}

/* Options that stock has not, unless they are to have no effect. */
static void read_extras(struct eqt_config *config)
{
	bool none = config->stock.extras;

	config->charge_suspended = none || config->conf->charge_suspended;
	config->priority = config->conf->priority;
	if (none)
		config->priority = (struct eqt_conf_priority){
			.idle_shares = true,
			.expansion_full_u =
				config->conf->priority.expansion_full_u,
		};
}

static void read_slurm_conf_keys(struct eqt_config *config)
{
	config->weights = (struct eqt_factor_weights){
		.age = slurm_conf.priority_weight_age,
		.assoc = slurm_conf.priority_weight_assoc,
		.fairshare = slurm_conf.priority_weight_fs,
		.size = slurm_conf.priority_weight_js,
		.partition = slurm_conf.priority_weight_part,
		.qos = slurm_conf.priority_weight_qos,
	};
	config->flags = slurm_conf.priority_flags;
	config->max_age_s = slurm_conf.priority_max_age;
	config->half_life_s = slurm_conf.priority_decay_hl;
	config->reset_period = slurm_conf.priority_reset_period;
	config->dampening = slurm_conf.fs_dampening_factor;
	config->favor_small = slurm_conf.priority_favor_small;
	config->limits = slurm_conf.accounting_storage_enforce &
			 ACCOUNTING_ENFORCE_LIMITS;
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

/* What needs the share tree is told of when there is none. */
static void tell_without_tree(const struct eqt_config *config)
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

int eqt_config_load(struct eqt_error *err)
{
	struct eqt_config *config = calloc(1, sizeof(*config));

	eqt_trace_read_flag();
	if (!config)
		return eqt_error_set(err, "out of memory");
	config->conf = load_conf(err);
	if (!config->conf ||
	    eqt_node_sets_open(&config->nodes, &config->conf->prices, err) <
		    0 ||
	    read_params(config, err) < 0 || map_tres(config, err) < 0) {
		settings_free(config);
		return -1;
	}
	read_extras(config);
	read_slurm_conf_keys(config);
	tell_without_tree(config);
	config->tres_weights =
		slurm_get_tres_weight_array(slurm_conf.priority_weight_tres,
					    (int) config->tres_count, false);
	eqt_trace_settings(config);
	swap_in(config);
	keep_last(NULL);
	return 0;
}
