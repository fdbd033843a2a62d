/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request: the options of a job that is not submitted. */
#ifndef EQT_WHEN_REQUEST_H
#define EQT_WHEN_REQUEST_H

#include "forecast/scene.h"

/* As given; NULL or 0: not given. */
struct eqt_when_request {
	const char *partition, *account, *qos, *time, *memory, *memory_per_cpu;
	const char *gpus, *gres, *gpus_per_node; /* the last two on each node */
	const char *constraint, *nodelist, *exclude, *begin;
	uint64_t nodes, tasks, cpus_per_task;
	bool exclusive;
};

/* Is any option of a job given? */
bool eqt_when_request_any(const struct eqt_when_request *given);

/* Fill in what the partition and the user's associations say where nothing is given.
 * user: NULL for who asks. 0, or -1 with err filled: an option that cannot be read, no
 * partition. */
int eqt_when_request_make(struct eqt_scene_request *out,
			  struct eqt_scene *scene,
			  const struct eqt_when_request *given,
			  const char *user, struct eqt_error *err);

#endif
