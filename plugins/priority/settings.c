/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/conf_load.h"
#include "../common/log.h"
#include "../common/slurm_compat.h"
#include "settings.h"

/* The settings in force; the mutex also covers every reference count. */
static struct {
	pthread_mutex_t lock;
	struct eqt_settings *now;
	uint32_t serial;
} current = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void settings_free(struct eqt_settings *settings)
{
	if (!settings)
		return;
	eqt_node_sets_close(&settings->nodes);
	eqt_conf_free(settings->conf);
	free(settings->tres_map);
	free(settings->tres_scratch);
	xfree(settings->tres_weights);
	free(settings);
}

const struct eqt_settings *eqt_settings_get(void)
{
	struct eqt_settings *settings;

	pthread_mutex_lock(&current.lock);
	settings = current.now;
	if (settings)
		settings->references++;
	pthread_mutex_unlock(&current.lock);
	return settings;
}

static void drop_reference(struct eqt_settings *settings)
{
	bool last;

	if (!settings)
		return;
	pthread_mutex_lock(&current.lock);
	last = --settings->references == 0;
	pthread_mutex_unlock(&current.lock);
	if (last)
		settings_free(settings);
}

void eqt_settings_put(const struct eqt_settings *settings)
{
	drop_reference((struct eqt_settings *) settings);
}

/* Put settings (NULL: none) in force, with one reference of our own. */
static void swap_in(struct eqt_settings *settings)
{
	struct eqt_settings *old;

	if (settings)
		settings->references = 1;
	pthread_mutex_lock(&current.lock);
	if (settings)
		settings->serial = ++current.serial;
	old = current.now;
	current.now = settings;
	pthread_mutex_unlock(&current.lock);
	drop_reference(old);
}

bool eqt_settings_has_tree(const struct eqt_settings *settings)
{
	return settings->fairshare &&
	       (settings->flags & PRIORITY_FLAGS_FAIR_TREE);
}

bool eqt_settings_place_jobs(const struct eqt_settings *settings)
{
	return settings->conf->priority.order == EQT_ORDER_JOBS &&
	       eqt_settings_has_tree(settings);
}

void eqt_settings_unload(void)
{
	swap_in(NULL);
}

/* Which model of the price table a TRES "gres/gpu:p100" counts, if any. */
static struct eqt_tres_map map_one(const struct eqt_prices *prices,
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
	model = eqt_prices_find(prices, gres, colon ? colon + 1 : NULL);
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

static int map_tres(struct eqt_settings *settings, struct eqt_error *err)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	uint32_t count;

	assoc_mgr_lock(&locks);
	count = g_tres_count;
	settings->tres_map =
		calloc(count ? count : 1, sizeof(*settings->tres_map));
	for (uint32_t i = 0; settings->tres_map && i < count; i++)
		settings->tres_map[i] = map_one(&settings->conf->prices,
						assoc_mgr_tres_array[i]);
	assoc_mgr_unlock(&locks);
	settings->tres_count = count;
	settings->tres_scratch = calloc(count ? count : 1, sizeof(double));
	return settings->tres_map && settings->tres_scratch
		       ? 0
		       : eqt_error_set(err, "out of memory");
}

/* "period=SECONDS" in PriorityParameters, for less than Slurm's one minute. */
static int parse_period(struct eqt_settings *settings, struct eqt_error *err)
{
	const char *params = slurm_conf.priority_params;
	const char *text = params ? strcasestr(params, "period=") : NULL;
	char *end;
	unsigned long period;

	settings->period_s = slurm_conf.priority_calc_period;
	if (text) {
		errno = 0;
		period = strtoul(text + strlen("period="), &end, 10);
		if (errno || (*end && *end != ',') || period < 1 ||
		    period > 86400)
			return eqt_error_set(err,
					     "PriorityParameters=%s: "
					     "period must be 1 to 86400 "
					     "seconds",
					     params);
		settings->period_s = (uint32_t) period;
	}
	if (!settings->period_s)
		settings->period_s = 300;
	return 0;
}

static void read_slurm_conf_keys(struct eqt_settings *settings)
{
	settings->weights = (struct eqt_weights){
		.age = slurm_conf.priority_weight_age,
		.assoc = slurm_conf.priority_weight_assoc,
		.fairshare = slurm_conf.priority_weight_fs,
		.size = slurm_conf.priority_weight_js,
		.partition = slurm_conf.priority_weight_part,
		.qos = slurm_conf.priority_weight_qos,
	};
	settings->flags = slurm_conf.priority_flags;
	settings->max_age_s = slurm_conf.priority_max_age;
	settings->half_life_s = slurm_conf.priority_decay_hl;
	settings->reset_period = slurm_conf.priority_reset_period;
	settings->dampening = slurm_conf.fs_dampening_factor;
	settings->favor_small = slurm_conf.priority_favor_small;
	settings->limits = slurm_conf.accounting_storage_enforce &
			   ACCOUNTING_ENFORCE_LIMITS;
	settings->fairshare = slurm_with_slurmdbd() && assoc_mgr_root_assoc;
	if (!slurm_with_slurmdbd()) {
		if (settings->weights.age || settings->weights.fairshare)
			eqt_log_error("PriorityWeightAge and "
				      "PriorityWeightFairshare need slurmdbd: "
				      "taken as 0");
		settings->weights.age = 0;
		settings->weights.fairshare = 0;
	}
}

/* What needs the share tree is told of when there is none. */
static void tell_without_tree(const struct eqt_settings *settings)
{
	const struct eqt_conf_priority *conf = &settings->conf->priority;

	if (eqt_settings_has_tree(settings))
		return;
	if (conf->rank_by != EQT_RANK_BY_USAGE || conf->allocated_now ||
	    conf->order != EQT_ORDER_USERS || !conf->idle_shares)
		eqt_log_error("equitree.conf: rank_by, allocated_now, order "
			      "and idle_shares need Fair Tree and slurmdbd: "
			      "they have no effect");
}

int eqt_settings_load(struct eqt_error *err)
{
	struct eqt_settings *settings = calloc(1, sizeof(*settings));

	if (!settings)
		return eqt_error_set(err, "out of memory");
	settings->conf = eqt_conf_load(err);
	if (!settings->conf ||
	    eqt_node_sets_open(&settings->nodes, &settings->conf->prices, err) <
		    0 ||
	    parse_period(settings, err) < 0 || map_tres(settings, err) < 0) {
		settings_free(settings);
		return -1;
	}
	read_slurm_conf_keys(settings);
	tell_without_tree(settings);
	settings->tres_weights =
		slurm_get_tres_weight_array(slurm_conf.priority_weight_tres,
					    (int) settings->tres_count, false);
	swap_in(settings);
	return 0;
}
