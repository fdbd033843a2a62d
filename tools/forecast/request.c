/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request that is not submitted becomes a live job, and is treated like one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "forecast/parts.h"

/* The live job that a request would be; NULL: out of memory. The id is one that no job
 * of Slurm has. */
static const struct eqt_live_job *request_as_job(
	struct eqt_scene *scene, const struct eqt_scene_request *request)
{
	const struct eqt_simulation_amount all = { .cpus = request->cpus,
						   .mem_mib = request->mem_mib,
						   .gpus = request->gpus };
	struct eqt_live_job *job = eqt_scene_keep(scene, sizeof(*job));
	char text[96];

	if (!job)
		return NULL;
	*job = (struct eqt_live_job){
		.id = "4294967294",
		.user = request->user,
		.account = request->account,
		.partition = request->partition,
		.qos = request->qos,
		.state = "PENDING",
		.dependency = "",
		.licenses = request->licenses,
		.reservation = request->reservation,
		.nodelist = "",
		.features = request->features,
		.reason = "",
		.req_nodes = request->nodelist,
		.nodes = request->nodes,
		.tres = { .any = true,
			  .cpus = request->cpus,
			  .mem_mib = request->mem_mib,
			  .gpus = request->gpus },
		.limit_s = request->limit_s,
		.submit_s = scene->live->now_s,
		.eligible_s = request->begin_s,
		.whole_nodes = request->exclusive,
		.pending = true,
	};
	(void) snprintf(job->model, sizeof(job->model), "%.60s",
			request->model);
	(void) snprintf(text, sizeof(text), "gpu:%.60s", request->model);
	job->tres_text = eqt_scene_tres_text(scene, request->nodes, &all,
					     request->model[0] ? text : "");
	(void) snprintf(text, sizeof(text),
			request->tasks_most ? "%s_[%%%" PRIu64 "]" : "%s",
			job->id, request->tasks_most);
	job->name = eqt_scene_text(scene, text, strlen(text));
	return job->tres_text && job->name ? job : NULL;
}

/* Does the scene have what the request names? 0, or -1 with err filled. sbatch would
 * refuse these, too. */
static int request_check(const struct eqt_scene *scene,
			 const struct eqt_scene_request *request,
			 struct eqt_error *err)
{
	if (eqt_scene_partition(scene, request->partition) < 0)
		return eqt_error_set(err,
				     "partition \"%.64s\" is not there, "
				     "or not up",
				     request->partition);
	if (request->reservation[0] &&
	    eqt_scene_reservation(scene, request->reservation) < 0)
		return eqt_error_set(err,
				     "--reservation %.64s: no such reservation",
				     request->reservation);
	return 0;
}

/* A task of an array is a job of its own, as of those that wait. */
int eqt_scene_add(struct eqt_scene_place *out, struct eqt_scene *scene,
		  const struct eqt_scene_request *request,
		  struct eqt_error *err)
{
	uint64_t tasks = request->tasks ? request->tasks : 1;

	if (request_check(scene, request, err) < 0)
		return -1;
	if (tasks > EQT_SCENE_TASKS_MAX)
		tasks = EQT_SCENE_TASKS_MAX;
	out->as = request_as_job(scene, request);
	out->first = (uint32_t) scene->now.count;
	if (!out->as || scene->space - scene->now.count < tasks)
		return eqt_error_set(err, "out of memory");
	for (; tasks > 0; tasks--) {
		struct eqt_simulation_needs *needs =
			&scene->needs[scene->now.count];
		int rc = eqt_scene_append(scene, out->as);

		if (rc <= 0)
			return eqt_error_set(err, "%s",
					     rc < 0 ? "out of memory"
						    : EQT_SCENE_NO_NODE_UP);
		if (request->exclude[0])
			rc = eqt_scene_nodes_exclude(scene, needs,
						     request->exclude);
		if (rc <= 0)
			return eqt_error_set(
				err,
				rc < 0 ? "out of memory"
				       : "--exclude %.64s: no such node",
				request->exclude);
	}
	out->last = (uint32_t) scene->now.count - 1;
	return 0;
}
