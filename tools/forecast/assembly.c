/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scene is made of what Slurm's commands print, in steps that need those before them;
 * a forecast simulates it many times, with other lengths of the jobs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/progress.h"
#include "forecast/parts.h"

#define LOOK_S (30 * 86400)

/* Memory that lives as long as the scene, so that nothing in it is freed alone. NULL:
 * out of memory. */
void *eqt_scene_keep(struct eqt_scene *scene, size_t size)
{
	return eqt_keep_new(&scene->kept, size);
}

/* A copy with a NUL behind it. */
const char *eqt_scene_text(struct eqt_scene *scene, const char *text,
			   size_t length)
{
	return eqt_keep_text(&scene->kept, text, length);
}

/* What was made till an error is freed. The moment is that of the cluster, which may be
 * a saved one. */
int eqt_scene_read(struct eqt_scene *out, const struct eqt_live_cluster *live,
		   const char *folder, struct eqt_error *err)
{
	*out = (struct eqt_scene){ .live = live };
	out->now.from = live->now_s;
	out->now.anchored = true;
	if (eqt_scene_make_policy(out, folder, err) == 0 &&
	    eqt_scene_make_nodes(out, err) == 0 &&
	    eqt_scene_make_tree(out, folder, err) == 0 &&
	    eqt_scene_make_jobs(out, err) == 0 &&
	    eqt_scene_make_history(out, folder, err) == 0)
		return 0;
	eqt_scene_free(out);
	return -1;
}

/* {0} is empty as well. The cluster stays its owner's. */
void eqt_scene_free(struct eqt_scene *scene)
{
	eqt_keep_free(&scene->kept);
	eqt_sshare_index_free(&scene->index);
	eqt_sshare_free(&scene->shares);
	eqt_conf_free(scene->conf);
	free(scene->nodes);
	free(scene->node_of);
	free(scene->jobs);
	free(scene->needs);
	free(scene->job_of);
	free(scene->held_for);
	free(scene->tree);
	free(scene->usage);
	free(scene->users);
	free(scene->accounts);
	free(scene->reservations);
	eqt_limit_numbers_free(&scene->limits);
	eqt_names_free(&scene->limit_sets);
	eqt_names_free(&scene->users_known);
	free(scene->past);
	*scene = (struct eqt_scene){ .live = NULL };
}

/* ---- A forecast --------------------------------------------------------------- */

/* How long a forecast has taken, and its progress bar. */
struct scene_clock {
	const struct eqt_scene_effort *effort;
	struct eqt_progress progress;
	struct timespec began;
};

/* Since the forecast began. CLOCK_MONOTONIC, so that a change of the wall clock does
 * not end a forecast. */
static double clock_seconds(const struct scene_clock *clock)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - clock->began.tv_sec) +
	       (double) (now.tv_nsec - clock->began.tv_nsec) / 1e9;
}

/* The callback of a forecast. The first futures take what they take, within a bound. */
static bool clock_goes_on(void *with, uint32_t done)
{
	struct scene_clock *clock = with;

	if (clock->effort->what)
		eqt_progress_update(&clock->progress, done);
	if (clock->effort->paired)
		return true;
	if (done < clock->effort->least)
		return clock_seconds(clock) < clock->effort->most;
	return clock_seconds(clock) < clock->effort->seconds;
}

/* The number of futures that were simulated is in *out: a busy machine does fewer. */
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

/* The factors of partition and QOS are in it, UsageFactor is not. */
double eqt_scene_hours(const struct eqt_scene *scene,
		       const struct eqt_simulation_job *job)
{
	struct eqt_price price;
	struct eqt_error err;

	if (!scene->conf ||
	    eqt_simulation_job_price(&price, scene->conf, &scene->now.cluster,
				     job, &err) < 0)
		return NAN;
	return eqt_frac_double(price.charge) * job->limit_s / 3600;
}
