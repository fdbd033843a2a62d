/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy as slurmctld has it, from "scontrol show config", and equitree.conf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "slurm/conf/site_conf.h"
#include "forecast/parts.h"
#include "slurm/conf/config.h"
#include "slurm/conf/scheduler.h"
#include "slurm/text/duration.h"

#define VALUE 4096

/* Without an equitree.conf a job costs its cores. */
static struct eqt_conf policy_plain_conf(void)
{
	return (struct eqt_conf){
		.prices.cores = { .name = "cores",
				  .cores_u = EQT_MICRO,
				  .weight_u = EQT_MICRO },
		.billing_scale = 1,
		.priority = { .idle_shares = true },
	};
}

/* 0 where the key is missing or names something else. */
static uint32_t config_number(const char *text, const char *key)
{
	char value[VALUE];

	eqt_cluster_config_get(text, key, value, sizeof(value));
	return (uint32_t) strtoul(value, NULL, 10);
}

/* A time; without one what "without" says. */
static uint32_t config_time(const char *text, const char *key, uint32_t without)
{
	char value[VALUE];
	uint64_t seconds;

	eqt_cluster_config_get(text, key, value, sizeof(value));
	if (eqt_duration_parse(&seconds, value) < 0 || seconds > UINT32_MAX)
		return without;
	return (uint32_t) seconds;
}

/* slurm.conf as slurmctld has read it; keys that a release lacks have defaults. */
static void policy_take_config(struct eqt_simulation_policy *policy,
			       const char *text)
{
	char value[VALUE], type[VALUE];

	policy->weights = (struct eqt_factor_weights){
		.age = config_number(text, "PriorityWeightAge"),
		.fairshare = config_number(text, "PriorityWeightFairShare"),
		.size = config_number(text, "PriorityWeightJobSize"),
		.partition = config_number(text, "PriorityWeightPartition"),
	};
	policy->max_age_s = config_time(text, "PriorityMaxAge", 7 * 86400);
	policy->half_life_s = config_time(text, "PriorityDecayHalfLife", 0);
	policy->period_s = config_time(text, "PriorityCalcPeriod", 300);
	if (!policy->period_s)
		policy->period_s = 300;
	eqt_cluster_config_get(text, "PriorityFavorSmall", value,
			       sizeof(value));
	policy->favor_small = strcasecmp(value, "Yes") == 0;
	eqt_cluster_config_get(text, "PriorityFlags", value, sizeof(value));
	policy->relative_to_time = strstr(value, "SMALL_RELATIVE_TO_TIME");
	policy->raw_partition = strstr(value, "NO_NORMAL_PART") ||
				strstr(value, "NO_NORMAL_ALL");
	eqt_cluster_config_get(text, "SchedulerParameters", value,
			       sizeof(value));
	eqt_cluster_config_get(text, "SchedulerType", type, sizeof(type));
	(void) eqt_scheduler_read(policy, type, value);
}

int eqt_scene_make_policy(struct eqt_scene *scene, const char *folder,
			  struct eqt_error *err)
{
	struct eqt_simulation_policy *policy = &scene->policy;
	char path[EQT_LIVE_PATH];
	struct eqt_listing text;
	struct eqt_conf *plain;
	struct eqt_error why;

	if (eqt_listing_read(&text,
			     eqt_live_cluster_path(path, folder, "config.txt"),
			     "scontrol show config", err) < 0)
		return -1;
	policy_take_config(policy, text.text);
	/* What is not known there stays as it is without it. */
	(void) eqt_cluster_allocation_parse(&scene->allocation, text.text,
					    &why);
	eqt_listing_free(&text);
	if (!folder && eqt_site_conf_try(&scene->conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be used");
	if (folder &&
	    access(eqt_live_cluster_path(path, folder, "equitree.conf"),
		   R_OK) == 0 &&
	    !(scene->conf = eqt_conf_read(path, err)))
		return -1;
	policy->conf = scene->conf;
	if (!policy->conf) {
		plain = eqt_scene_keep(scene, sizeof(*plain));
		if (!plain)
			return eqt_error_set(err, "out of memory");
		*plain = policy_plain_conf();
		policy->conf = plain;
	}
	policy->priority = policy->conf->priority;
	/* They change what is in order within seconds; a forecast is coarser. */
	policy->priority.rank_every_ms = 0;
	return 0;
}
