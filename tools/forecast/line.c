/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forecast of one job as a sentence, for pages about it. One line for equitree why,
 * whose page has other things to say: a quick forecast with few futures. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "forecast/scene.h"

#define FUTURES 100
#define SECONDS 0.5
#define TIME_TEXT 40

static const char *line_time(char buf[TIME_TEXT], int64_t at_s)
{
	const time_t at = (time_t) at_s;
	struct tm then;

	(void) snprintf(buf, TIME_TEXT, "later than in 30 days");
	if (at_s != EQT_FORECAST_LATER && localtime_r(&at, &then))
		(void) strftime(buf, TIME_TEXT, "%Y-%m-%dT%H:%M", &then);
	return buf;
}

/* Forecast a job of a scene. */
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
	struct eqt_forecast_starts starts;
	struct eqt_error err;

	if (eqt_scene_forecast(&starts, scene, &target, 1, &effort, &err) < 0)
		return;
	if (starts.futures &&
	    eqt_forecast_quantile(&starts, 0, 0.5) == EQT_FORECAST_LATER)
		(void) snprintf(line, EQT_SCENE_LINE,
				"starts within 30 days in less than half of "
				"%" PRIu32 " futures",
				starts.futures);
	else if (starts.futures)
		(void) snprintf(
			line, EQT_SCENE_LINE,
			"starts between %s and %s with 80 %%, by %" PRIu32
			" futures; %s is the median%s; equitree when %" PRIu32
			" has more",
			line_time(early,
				  eqt_forecast_quantile(&starts, 0,
							EQT_FORECAST_EARLY)),
			line_time(late, eqt_forecast_quantile(
						&starts, 0, EQT_FORECAST_LATE)),
			starts.futures,
			line_time(median,
				  eqt_forecast_quantile(&starts, 0, 0.5)),
			scene->live->now_s - scene->past_from <
					EQT_SCENE_GUESS_S
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
