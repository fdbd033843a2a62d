/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Budgets and --exclude come only from a live Slurm: saved answers do not have
 * them. Data that a user may not see, or a site does not have, is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/json.h"
#include "slurm/conf/site_conf.h"
#include "forecast/scene.h"
#include "slurm/conf/config.h"
#include "slurm/text/command.h"
#include "why/job_page.h"
#include "why/page.h"

/* --exclude of a job, which squeue prints with a short format alone; NULL: none. The id
 * stands at both ends of the line: a list with a bar in it would be seen. "" for a job
 * without --exclude. */
static char *excluded_read(const struct eqt_live_job *job)
{
	const char *words[] = { "squeue", "-h", "--local",  "-j",
				job->id,  "-o", "%A|%x|%A", NULL };
	struct eqt_listing out;
	char *list = NULL, *bar;

	if (eqt_command_try(&out, "squeue", words) < 0)
		return NULL;
	bar = out.text ? strchr(out.text, '|') : NULL;
	if (bar && bar[1] != '|')
		list = strndup(bar + 1, strcspn(bar + 1, "|"));
	eqt_listing_free(&out);
	if (list && strcmp(list, "(null)") == 0)
		list[0] = '\0';
	return list;
}

/* Billing units of one equivalent; 1 without an equitree.conf. A folder of saved
 * answers has the site's equitree.conf beside them, if it was readable when they were
 * saved. A host without Slurm's configuration has none, which is no error here. */
static uint64_t site_scale(const char *folder)
{
	char path[EQT_LIVE_PATH];
	const struct eqt_conf *conf = NULL;
	uint64_t scale = 1;

	if (!folder)
		(void) eqt_site_conf_try(&conf);
	else if (access(eqt_live_cluster_path(path, folder, "equitree.conf"),
			R_OK) == 0)
		conf = eqt_site_conf_open(path);
	if (conf) {
		scale = conf->billing_scale;
		eqt_conf_free(conf);
	}
	return scale;
}

/* The points of a waiting job; none if sprio has no such job. sprio lists jobs that
 * wait and are not held, so a job of priority 0 is not asked for. An answer with other
 * jobs only is dropped, so that the page does not show weights alone. */
static void points_read(struct eqt_sprio *points, const char *folder,
			const struct eqt_live_job *job)
{
	char jobs[EQT_LIVE_PATH], weights[EQT_LIVE_PATH];
	struct eqt_error err;
	size_t i;

	*points = (struct eqt_sprio){ .count = 0 };
	if (!job->pending || job->priority == 0 ||
	    eqt_sprio_read(
		    points, eqt_live_cluster_path(jobs, folder, "sprio.txt"),
		    eqt_live_cluster_path(weights, folder, "weights.txt"),
		    &err) < 0)
		return;
	for (i = 0; i < points->count; i++) {
		if (strcmp(points->jobs[i].id, job->id) == 0)
			return;
	}
	eqt_sprio_free(points);
}

/* AccountingStorageEnforce; "" where the configuration is not known. */
static void enforce_find(char enforce[256], const char *folder)
{
	char path[EQT_LIVE_PATH];
	struct eqt_listing config;
	struct eqt_error quiet;

	enforce[0] = '\0';
	if (eqt_listing_read(&config,
			     eqt_live_cluster_path(path, folder, "config.txt"),
			     "scontrol show config", &quiet) < 0)
		return;
	eqt_cluster_config_get(config.text, "AccountingStorageEnforce", enforce,
			       256);
	eqt_listing_free(&config);
}

/* What may fail without harm (budgets, sprio, the forecast) fails in silence: the page
 * shows what is known, and a user may see less than an operator. */
static int page_show(const struct eqt_live_cluster *cluster,
		     const struct eqt_live_job *job, const char *folder,
		     bool json, struct eqt_error *err)
{
	struct eqt_rows budgets = { .count = 0 };
	char *exclude = folder ? NULL : excluded_read(job);
	struct eqt_error quiet;
	struct eqt_sprio points;
	struct eqt_why_wait wait;
	char forecast[EQT_SCENE_LINE];
	const struct eqt_why_page page = { &wait, &points, &budgets, forecast };
	char enforce[256];
	int rc;

	enforce_find(enforce, folder);
	rc = eqt_why_wait_make(&wait, cluster, job, enforce, exclude,
			       site_scale(folder));

	free(exclude);
	if (rc < 0)
		return eqt_error_set(err, "out of memory");
	if (!folder && job->pending && eqt_balances_read(&budgets, &quiet) < 0)
		eqt_balances_free(&budgets);
	points_read(&points, folder, job);
	eqt_scene_line(forecast, cluster, job, folder);
	if (json)
		eqt_json_print(eqt_why_page_json(&page));
	else
		eqt_why_page_print(&page);
	eqt_sprio_free(&points);
	eqt_balances_free(&budgets);
	return 0;
}

int eqt_why_job_page(const char *id, const char *folder, bool json,
		     struct eqt_error *err)
{
	struct eqt_live_cluster cluster;
	const struct eqt_live_job *job;
	int rc;

	if (eqt_live_cluster_read(&cluster, folder, err) < 0)
		return -1;
	job = eqt_live_jobs_find(&cluster.jobs, id);
	if (job)
		rc = page_show(&cluster, job, folder, json, err);
	else
		rc = eqt_error_set(err,
				   "no job %s runs or waits; equitree bill "
				   "--job %s says what it cost",
				   id, id);
	eqt_live_cluster_free(&cluster);
	return rc;
}
