/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scene is made from the output of Slurm's commands, step by step, where each step
 * needs the steps before it. A forecast simulates the scene many times, with other
 * lengths of the jobs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/progress.h"
#include "scene/policy.h"
#include "scene/scene_impl.h"
#include "scene/scene.h"
#include "sim/draw.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/duration.h"
#include "slurm/text/timestamp.h"

/* ---- Policy -------------------------------------------------------------------------
 * The policy as slurmctld has it, from "scontrol show config" and equitree.conf. */

#define PERIOD_MIN_S 60 /* a forecast needs no finer period than this */

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

/* Read the settings that slurmctld has in force. Settings that it does not report keep
 * their defaults. */
static int policy_take_config(struct eqt_scene *scene,
			      struct eqt_scene_policy *policy,
			      const char *folder, struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];
	struct eqt_slurmconf conf;
	struct eqt_error why;
	const char *name;
	int rc;

	if (eqt_cluster_config_read(
		    &conf, eqt_live_cluster_path(path, folder, "config.txt"),
		    err) < 0)
		return -1;
	name = eqt_cluster_config_get(&conf, "ClusterName");
	scene->cluster_name = eqt_arena_copy(&scene->kept, name);
	rc = eqt_scene_policy_take(policy, &conf, err);
	(void) eqt_cluster_allocation_take(&scene->allocation, &conf, &why);
	eqt_scene_budgets_config(scene, &conf);
	eqt_slurm_conf_free(&conf);
	return rc;
}

/*
 * The functions below make the parts of a scene, in this order, because each part needs
 * those before it. "folder" has saved output of Slurm's commands; NULL means that the
 * commands are run. Each function returns 0, or -1 with err filled. eqt_scene_free()
 * frees what was made so far.
 *
 * This function makes the policy, from "scontrol show config" and, if there is one,
 * equitree.conf.
 */
static int scene_make_policy(struct eqt_scene *scene, const char *folder,
			     struct eqt_error *err)
{
	struct eqt_scene_policy policy = { .tolerant = true };
	char path[EQT_LIVE_PATH];
	struct eqt_conf *plain;

	if (policy_take_config(scene, &policy, folder, err) < 0)
		return -1;
	if (!folder && eqt_site_conf_try(&scene->conf) < 0)
		return eqt_error_set(err, "equitree.conf cannot be used");
	if (folder &&
	    access(eqt_live_cluster_path(path, folder, "equitree.conf"),
		   R_OK) == 0 &&
	    !(scene->conf = eqt_conf_read(path, err)))
		return -1;
	plain = eqt_arena_new(&scene->kept, sizeof(*plain));
	*plain = policy_plain_conf();
	eqt_scene_policy_set_conf(&policy, scene->conf ? scene->conf : plain);
	scene->policy = policy.policy;
	/* Ignore rank_every, which changes the order only within seconds. */
	scene->policy.priority.rank_every_ms = 0;
	if (scene->policy.period_s < PERIOD_MIN_S)
		scene->policy.period_s = PERIOD_MIN_S;
	return 0;
}

/* ---- Line ---------------------------------------------------------------------------
 * The forecast of one job as a sentence. It is one line of the page of equitree why,
 * which has much else to say, so it is a quick forecast with few futures. */

#define FUTURES 100
#define SECONDS 0.5
#define TIME_TEXT 40

static const char *line_time(char buf[TIME_TEXT], int64_t at_s)
{
	return at_s == EQT_FORECAST_LATER
		       ? "later than in 30 days"
		       : eqt_timestamp_text(buf, TIME_TEXT, "%Y-%m-%dT%H:%M",
					    at_s);
}

/* Forecast one job of a scene, and write the line. */
static void line_write(char line[EQT_SCENE_LINE], const struct eqt_scene *scene,
		       uint32_t target)
{
	const struct eqt_scene_effort effort = {
		.seed = 1,
		.futures = FUTURES,
		.seconds = SECONDS,
		.least = 5,
		.most = 3,
	};
	char early[TIME_TEXT], median[TIME_TEXT], late[TIME_TEXT];
	struct eqt_forecast_interval at = { .early_s = 0 };
	struct eqt_forecast_starts starts;
	struct eqt_error err;

	if (eqt_scene_forecast(&starts, scene, &target, 1, &effort, &err) < 0)
		return;
	if (starts.futures)
		at = eqt_scene_interval(scene, &starts, 0);
	if (at.median_s == EQT_FORECAST_LATER)
		(void) snprintf(
			line, EQT_SCENE_LINE,
			"starts within 30 days in less than half of %" PRIu32
			" futures",
			starts.futures);
	else if (starts.futures)
		(void) snprintf(
			line, EQT_SCENE_LINE,
			"starts between %s and %s with 80 %%, by %" PRIu32
			" futures; %s is the median%s; equitree when %" PRIu32
			" has more",
			line_time(early, at.early_s),
			line_time(late, at.late_s), starts.futures,
			line_time(median, at.median_s),
			scene->live->now_s - scene->past_from <
					EQT_ARRIVALS_YOUNG_S
				? " (a guess: there is little history)"
				: "",
			scene->jobs[target].id);
	eqt_forecast_starts_free(&starts);
}

void eqt_scene_line(char line[EQT_SCENE_LINE],
		    const struct eqt_live_cluster *cluster,
		    const struct eqt_live_job *job, const char *folder)
{
	const size_t live = (size_t) (job - cluster->jobs.jobs);
	struct eqt_scene scene;
	struct eqt_error err;

	line[0] = '\0';
	if (!job->pending || eqt_scene_read(&scene, cluster, folder, &err) < 0)
		return;
	if (!scene.held_for[live] && scene.job_of[live] != EQT_SCENE_NONE)
		line_write(line, &scene, scene.job_of[live]);
	eqt_scene_free(&scene);
}

/* ---- Scene ---------------------------------------------------------------- */

#define LOOK_S (30 * 86400)

/* After an error, free what was made so far. The present moment is that of the cluster,
 * which may be a saved one. */
int eqt_scene_read(struct eqt_scene *out, const struct eqt_live_cluster *live,
		   const char *folder, struct eqt_error *err)
{
	char shares[EQT_LIVE_PATH], history[EQT_LIVE_PATH];

	*out = (struct eqt_scene){ .live = live };
	out->now.from = live->now_s;
	out->now.anchored = true;
	if (scene_make_policy(out, folder, err) == 0 &&
	    eqt_scene_cluster_take(out, err) == 0 &&
	    eqt_scene_share_tree_read(
		    out, eqt_live_cluster_path(shares, folder, "shares.txt"),
		    err) == 0) {
		eqt_scene_budgets_read(out, folder);
		eqt_scene_queue_make(out);
		eqt_scene_trace_past(out,
				     eqt_live_cluster_path(history, folder,
							   "history.txt"),
				     err);
		eqt_scene_budgets_settle(out);
		eqt_past_forecasts_read(&out->forecasts, folder, out->conf,
					out->cluster_name);
		eqt_past_forecasts_learn(&out->correction, &out->forecasts,
					 live->now_s);
		return 0;
	}
	eqt_scene_free(out);
	return -1;
}

/* The order matters. Priorities and jobs name users of the tree, and a workload is made
 * for the nodes and users that exist. */
int eqt_scene_read_files(struct eqt_scene *scene,
			 const struct eqt_scene_input *input, bool weighed,
			 struct eqt_error *err)
{
	if (eqt_scene_share_tree_read(scene, input->shares_path, err) < 0 ||
	    eqt_scene_priorities_read(scene, input, weighed, err) < 0 ||
	    eqt_scene_cluster_read(scene, input, err) < 0)
		return -1;
	return input->made.jobs ? eqt_scene_trace_make(scene, input, err)
				: eqt_scene_trace_read(scene, input, err);
}

/* {0} may be freed as well. The cluster is borrowed, so it is not freed. */
void eqt_scene_free(struct eqt_scene *scene)
{
	eqt_arena_free(&scene->kept);
	eqt_sshare_index_free(&scene->index);
	eqt_sshare_free(&scene->shares);
	eqt_conf_free(scene->conf);
	free(scene->nodes);
	free(scene->jobs);
	eqt_stored_jobs_free(scene->stored);
	free(scene->needs);
	free(scene->job_of);
	free(scene->held_for);
	free(scene->tree);
	free(scene->usage);
	free(scene->users);
	free(scene->accounts);
	free(scene->priorities);
	free(scene->reservations);
	eqt_limit_numbers_free(&scene->limits);
	eqt_balances_free(&scene->budgets);
	free(scene->levels);
	free(scene->renewals);
	eqt_names_free(&scene->limit_sets);
	eqt_names_free(&scene->users_known);
	eqt_names_free(&scene->node_names);
	eqt_names_free(&scene->reservation_names);
	free(scene->past);
	eqt_past_forecasts_free(&scene->forecasts);
	*scene = (struct eqt_scene){ .live = NULL };
}

/* ---- A forecast --------------------------------------------------------------- */

/* How long a forecast has taken, and its progress bar. */
struct scene_clock {
	const struct eqt_scene_effort *effort;
	struct eqt_progress progress;
	struct timespec began;
};

/* Seconds since the forecast began. CLOCK_MONOTONIC is used, so that a change of the wall
 * clock does not end a forecast. */
static double clock_seconds(const struct scene_clock *clock)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - clock->began.tv_sec) +
	       (double) (now.tv_nsec - clock->began.tv_nsec) / 1e9;
}

/* The callback of a forecast. The first futures may take longer. */
static bool clock_goes_on(void *with, uint32_t done)
{
	struct scene_clock *clock = with;

	if (clock->effort->what)
		eqt_progress_update(&clock->progress, done);
	if (clock->effort->paired)
		return true;
	return clock_seconds(clock) < (done < clock->effort->least
					       ? clock->effort->most
					       : clock->effort->seconds);
}

/* *out has the number of futures that were simulated. On a busy machine there are
 * fewer. */
int eqt_scene_forecast(struct eqt_forecast_starts *out,
		       const struct eqt_scene *scene, const uint32_t *targets,
		       uint32_t count, const struct eqt_scene_effort *effort,
		       struct eqt_error *err)
{
	struct scene_clock clock = { .effort = effort };
	const struct eqt_forecast forecast = {
		.now = &scene->now,
		.policy = &scene->policy,
		.past = scene->past,
		.past_count = scene->past_count,
		.past_from = scene->past_from,
		.targets = targets,
		.target_count = count,
		.seed = effort->seed,
		.futures = effort->futures,
		.look_s = LOOK_S,
		.paired = effort->paired,
		.work_most = effort->work_most,
		.go_on = clock_goes_on,
		.with = &clock,
	};
	int rc;

	(void) clock_gettime(CLOCK_MONOTONIC, &clock.began);
	if (effort->what)
		eqt_progress_begin(&clock.progress, effort->what,
				   effort->futures);
	rc = eqt_forecast_run(out, &forecast, err);
	if (effort->what)
		eqt_progress_end(&clock.progress);
	return rc;
}

struct eqt_forecast_interval eqt_scene_interval(
	const struct eqt_scene *scene, const struct eqt_forecast_starts *starts,
	uint32_t target)
{
	struct eqt_forecast_interval out =
		eqt_forecast_interval(starts, target);

	eqt_forecast_correction_apply(&scene->correction, &out,
				      scene->live->now_s);
	return out;
}

void eqt_scene_record_words(char words[EQT_SCENE_RECORD],
			    const struct eqt_scene *scene)
{
	const struct eqt_forecast_correction *record = &scene->correction;
	char span[EQT_DURATION_WORDS];

	words[0] = '\0';
	if (record->forecasts > 0)
		(void) snprintf(
			words, EQT_SCENE_RECORD,
			"%s %zu forecast%s of the last %s, of which %.0f %% "
			"held%s.",
			eqt_forecast_correction_changes(record)
				? "Corrected by"
				: "The record has",
			record->forecasts, record->forecasts == 1 ? "" : "s",
			eqt_duration_words(span,
					   scene->live->now_s - record->from_s),
			100.0 * (double) record->held /
				(double) record->forecasts,
			record->parts == 0 ? ": too few to correct by"
			: eqt_forecast_correction_changes(record)
				? ""
				: ": no correction");
}

/* The hours include the factors of partition and QOS, but not UsageFactor. */
double eqt_scene_hours(const struct eqt_scene *scene,
		       const struct eqt_simulation_job *job)
{
	struct eqt_price price;
	struct eqt_error err;

	if (!scene->conf ||
	    eqt_sim_usage_job_price(&price, scene->conf, &scene->now.cluster,
				    job, &err) < 0)
		return NAN;
	return eqt_frac_double(price.charge) * job->limit_s / 3600;
}
