/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when: the forecasts that one call prints. */
#ifndef EQT_WHEN_WHEN_H
#define EQT_WHEN_WHEN_H

#include "scene/scene.h"

#define EQT_WHEN_JOBS_MAX 1000
#define EQT_WHEN_SOONER_MAX 5
#define EQT_WHEN_WORDS 160
#define EQT_WHEN_FUTURES_FEW 10 /* from fewer futures an interval is a guess */

/* A job or a request, with its forecast. Strings are borrowed. */
struct eqt_when_row {
	const char *name, *user, *account, *partition;
	/* the job, or the job that the request would become */
	const struct eqt_live_job *job;
	bool request; /* a request that is not submitted */
	uint32_t index; /* index in the scene, or EQT_SCENE_NONE */
	uint32_t target; /* number of its forecast */
	const char *stuck; /* why there is no forecast, or NULL */
	const char *waits_for; /* the text of "stuck", or Slurm's reason */
	struct eqt_forecast_interval at; /* 0: not known */
};

/* A change that would start a job sooner. */
struct eqt_when_sooner {
	char words[EQT_WHEN_WORDS];
	int64_t median_s;
	double part; /* the part of the futures in which the change helps */
	/* price after and before the change; NAN: not known */
	double hours, hours_before;
};

/* Everything that is printed. Borrowed. */
struct eqt_when_report {
	const struct eqt_scene *scene;
	const struct eqt_when_row *rows;
	size_t count;
	const struct eqt_when_sooner *sooner;
	size_t sooner_count;
	uint32_t futures;
	/* no future was simulated beyond this time; 0: all ended before */
	int64_t until;
	uint32_t levels[EQT_DRAW_LEVELS + 1];
	bool asked_sooner;
	/* futures in which changes were tried; if too few, none was tried */
	uint32_t sooner_futures;
};

/* Print a report. */
void eqt_when_print(const struct eqt_when_report *report, bool headings);
void eqt_when_json(const struct eqt_when_report *report);

/* How much work goes into trying changes. A plain value. */
struct eqt_when_effort {
	uint64_t seed;
	uint64_t work; /* work of one future of the unchanged job */
	/* result: number of futures; up to 9 are too few, and nothing was
		 * tried */
	uint32_t futures;
};

/* Try changes of a job, and list those that help, the best first. Returns how many there
 * are, or -1 with err filled. */
int eqt_when_sooner_find(struct eqt_when_sooner *out, struct eqt_scene *scene,
			 const struct eqt_when_row *row,
			 struct eqt_when_effort *effort, struct eqt_error *err);

#endif
