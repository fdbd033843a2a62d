/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site's own factor, for site_factor.t. PrioritySiteFactorParameters is
 * SET,UPDATE: a job without a factor gets SET points, and each waiting job with
 * SET points gets UPDATE points at the next update. Other jobs keep their
 * points, so that an operator's are kept.
 */
#include <stdio.h>

#include "../../plugins/slurm/compat.h"

const char plugin_name[] = "a site factor to test with";
const char plugin_type[] = "site_factor/test";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
void site_factor_p_reconfig(void);
void site_factor_p_set(job_record_t *job);
void site_factor_p_update(void);

static struct {
	unsigned int set;
	unsigned int update;
} given;

static void read_parameters(const char *hook)
{
	const char *text = slurm_conf.site_factor_params;

	given.set = given.update = 0;
	if (!text || sscanf(text, "%u,%u", &given.set, &given.update) != 2)
		error("%s: PrioritySiteFactorParameters are two numbers",
		      plugin_type);
	info("%s: %s: %u,%u", plugin_type, hook, given.set, given.update);
}

int init(void)
{
	read_parameters("init");
	return SLURM_SUCCESS;
}

int fini(void)
{
	info("%s: fini", plugin_type);
	return SLURM_SUCCESS;
}

/* Only releases that can change the running slurmctld have this hook. */
void site_factor_p_reconfig(void)
{
	read_parameters("reconfig");
}

void site_factor_p_set(job_record_t *job)
{
	if (job->site_factor == NICE_OFFSET)
		job->site_factor = NICE_OFFSET + given.set;
}

static int update_one(void *item, void *unused)
{
	job_record_t *job = item;

	(void) unused;
	if (IS_JOB_PENDING(job) && job->site_factor == NICE_OFFSET + given.set)
		job->site_factor = NICE_OFFSET + given.update;
	return 0;
}

void site_factor_p_update(void)
{
	debug("%s: update", plugin_type);
	if (job_list)
		list_for_each(job_list, update_one, NULL);
}
