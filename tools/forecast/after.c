/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that a waiting job depends on. One that has left the queue is over. */
#include <stdlib.h>
#include <string.h>

#include "forecast/parts.h"

/* The jobs of the scene that a text such as "12" or "12_3" names, into to. A job that
 * waits but is left out sets *never. */
static uint32_t depended_jobs(const struct eqt_scene *scene, const char *id,
			      uint32_t *to, uint32_t most, bool *never)
{
	const struct eqt_live_jobs *jobs = &scene->live->jobs;
	const size_t length = strlen(id);
	uint32_t count = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		const struct eqt_live_job *one = &jobs->jobs[i];
		const uint32_t first = scene->job_of[i];

		if (strcmp(one->id, id) != 0 && strcmp(one->name, id) != 0 &&
		    (strncmp(one->name, id, length) != 0 ||
		     one->name[length] != '_'))
			continue;
		if (first == EQT_SCENE_NONE) {
			*never = *never || one->pending;
			continue;
		}
		for (uint32_t j = first;
		     j < scene->now.count && count < most &&
		     (j == first || scene->jobs[j].id == scene->jobs[first].id);
		     j++)
			to[count++] = j;
	}
	return count;
}

/* "afterok:1(unfulfilled),after:5_*(unfulfilled)": alternatives, separated by a question
 * mark, count as if all were wanted. */
int eqt_scene_take_after(struct eqt_scene *scene, uint32_t index, size_t live)
{
	const char *names = scene->live->jobs.jobs[live].dependency;
	struct eqt_simulation_needs *needs = &scene->needs[index];
	uint32_t list[256], count = 0, *kept;
	struct eqt_live_dependency one;
	bool never = false, ends = false;

	while (eqt_live_dependency_next(&one, &names)) {
		if (one.id[0] == '\0')
			continue;
		ends = ends || strncmp(one.text, "after:", 6) != 0;
		count += depended_jobs(scene, one.id, list + count, 256 - count,
				       &never);
	}
	if (never)
		scene->held_for[live] = "it waits for a job that is held, or "
					"cannot start";
	if (count == 0)
		return 0;
	kept = eqt_scene_keep(scene, count * sizeof(*kept));
	if (!kept)
		return -1;
	memcpy(kept, list, count * sizeof(*kept));
	needs->after = kept;
	needs->after_count = count;
	needs->after_start = !ends;
	return 0;
}
