/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when: the forecasts that one call prints. */
#ifndef EQT_WHEN_WHEN_H
#define EQT_WHEN_WHEN_H

#include "scene/scene.h"

#define EQT_WHEN_JOBS_MAX 1000
#define EQT_WHEN_SOONER_MAX 5
#define EQT_WHEN_WORDS 160

/* A job or a request with its forecast; strings are borrowed. */
struct eqt_when_row {
	const char *name, *user, *account, *partition;
	const struct eqt_live_job *job; /* or what the request would be */
	bool request; /* it is not submitted */
	uint32_t index; /* in the scene, or EQT_SCENE_NONE */
	uint32_t target; /* number of its forecast */
	const char *stuck; /* why there is no forecast, or NULL */
	const char *waits_for; /* the same, or Slurm's reason */
	int64_t early_s, median_s, late_s; /* 0: none */
};

/* Something that would start a job sooner. */
struct eqt_when_sooner {
	char words[EQT_WHEN_WORDS];
	int64_t median_s;
	double part; /* of the futures in which it helps */
	double hours, hours_before; /* price; NAN: not known */
};

/* All that is printed; borrowed. */
struct eqt_when_report {
	const struct eqt_scene *scene;
	const struct eqt_when_row *rows;
	size_t count;
	const struct eqt_when_sooner *sooner;
	size_t sooner_count;
	uint32_t futures;
	int64_t until; /* nothing after it was simulated in all of them; 0: all */
	uint32_t levels[EQT_DRAW_LEVELS + 1];
	bool asked_sooner;
	uint32_t
		sooner_futures; /* in which changes were tried; few: none were */
};

/* Print it. */
void eqt_when_print(const struct eqt_when_report *report, bool headings);
void eqt_when_json(const struct eqt_when_report *report);

/* How changes are tried; a plain value. */
struct eqt_when_effort {
	uint64_t seed;
	uint64_t work; /* of one future of the job as it is */
	uint32_t
		futures; /* result: 0 to 9 are too few, and nothing was tried */
};

/* Try changes of a job, and list those that help, best first. Returns how many, or -1
 * with err filled. */
int eqt_when_sooner_find(struct eqt_when_sooner *out, struct eqt_scene *scene,
			 const struct eqt_when_row *row,
			 struct eqt_when_effort *effort, struct eqt_error *err);

#endif
