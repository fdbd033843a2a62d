/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that run and wait. A waiting array becomes a job per task, up to a limit. A
 * job is left out if it is held, or if it is at a limit that does not become free when
 * jobs end. Jobs that wait for it are left out as well.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/whole.h"
#include "scene/scene_impl.h"
#include "base/text.h"
#include "cli/alloc.h"
#include "slurm/scontrol/partitions.h"
#include "slurm/text/duration.h"

/* ---- After --------------------------------------------------------------------------
 * The jobs on which a waiting job depends. A job that is no longer in the queue is
 * over. */

/* Write to "to" the jobs of the scene that a text such as "12" or "12_3" names. *never is
 * set if such a job waits but is left out. */
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
		if (first == EQT_SCENE_NONE || scene->held_for[i]) {
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

/* Find the jobs on which job "index" depends. "live" is the live job that it was made
 * from. In "afterok:1(unfulfilled),after:5_*(unfulfilled)" both are wanted. Alternatives,
 * which are separated by a question mark, count as if all were wanted. */
static void scene_take_after(struct eqt_scene *scene, uint32_t index,
			     size_t live)
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
		scene->held_for[live] =
			"it waits for a job that is held, or cannot start";
	if (count == 0)
		return;
	kept = eqt_arena_new(&scene->kept, count * sizeof(*kept));
	memcpy(kept, list, count * sizeof(*kept));
	needs->after = kept;
	needs->after_count = count;
	needs->after_start = !ends;
}

/* ---- Jobs ----------------------------------------------------------------- */

#define NO_LIMIT_S (UINT64_C(366) * 86400)
#define JOBS_MAX 30000 /* most waiting jobs */

/* Reasons, as squeue prints them, that remain however many jobs end. */
static const struct {
	const char *reason, *words;
} stuck[] = {
	{ "DependencyNeverSatisfied", "its dependency is never satisfied" },
	{ "BadConstraints", "no nodes have what it wants" },
	{ "Minutes", "the minutes of an account or a QOS are used up" },
	{ "PerJob", "it is beyond a limit of a job" },
	{ "PerNode", "it is beyond a limit of a node" },
	{ "MinCpu", "it is below a least size" },
	{ "MinMemory", "it is below a least size" },
	{ "MinGRES", "it is below a least size" },
	{ "MaxWallDuration", "its time limit is too long" },
	{ "GrpWall", "the minutes of an account or a QOS are used up" },
	{ "PartitionNodeLimit", "its partition allows no such size" },
	{ "PartitionTimeLimit", "its partition allows no such time limit" },
	{ "InvalidAccount", "its account may not be used" },
	{ "InvalidQOS", "its QOS may not be used" },
};

/* The reason why a waiting job is left out of the forecast, or NULL. Only squeue's
 * REASON tells it. Limits on RunMinutes are released as running jobs end; limits on
 * Minutes are not. */
static const char *job_stuck(const struct eqt_scene *scene,
			     const struct eqt_live_job *job)
{
	if (strstr(job->reason, "Held") || strstr(job->reason, "held"))
		return "it is held";
	/* That sentence has what is left, what the job needs and the next refill. */
	if (eqt_live_job_names_budget(job) &&
	    !eqt_balances_find(&scene->budgets, eqt_live_job_budget(job)))
		return job->reason;
	for (size_t i = 0; i < sizeof(stuck) / sizeof(stuck[0]); i++)
		if (strstr(job->reason, stuck[i].reason) &&
		    !strstr(job->reason, "RunMinutes"))
			return stuck[i].words;
	if (job->priority == 0 && !eqt_live_job_names_budget(job) &&
	    job->dependency[0] == '\0' &&
	    job->eligible_s <= scene->live->now_s &&
	    strcmp(job->reason, "BeginTime") != 0)
		return "it is held";
	if (eqt_sim_nodes_partition_first(&scene->now.cluster, job->partition) <
	    0)
		return "its partition is not up";
	return NULL;
}

/* ---- One job ---------------------------------------------------------------- */

/* The simulation needs a limit, so an UNLIMITED job gets one that no forecast reaches. */
static uint64_t job_limit(uint64_t limit_s)
{
	return limit_s && limit_s < NO_LIMIT_S ? limit_s : NO_LIMIT_S;
}

/* The number after the % in "12_[3-5%2]", also for a task of that array that runs, whose
 * own name lacks it. 0 if there is none. */
static uint64_t array_most(const struct eqt_scene *scene,
			   const struct eqt_live_job *job)
{
	const struct eqt_live_job *whole = job;
	const char *percent;
	char id[32];

	if (!job->pending && strchr(job->name, '_')) {
		(void) snprintf(id, sizeof(id), "%.*s",
				(int) strcspn(job->name, "_"), job->name);
		whole = eqt_live_jobs_find(&scene->live->jobs, id);
	}
	percent = whole ? strchr(whole->name, '%') : NULL;

	return percent ? strtoull(percent + 1, NULL, 10) : 0;
}

/* Set what a job takes. The simulation needs at least one CPU per node. */
static void job_take_size(const struct eqt_scene *scene,
			  struct eqt_simulation_job *job,
			  const struct eqt_live_job *from)
{
	char model[EQT_NAME_SIZE];

	job->nodes = from->nodes < UINT32_MAX / 2 ? (uint32_t) from->nodes : 1;
	job->all = (struct eqt_simulation_amount){
		.cpus = eqt_whole_max(from->tres.cpus, job->nodes),
		.mem_mib = from->tres.mem_mib,
		.gpus = from->tres.gpus,
	};
	/* squeue prints the smallest number of nodes, whether or not the job may use
	 * more. */
	job->spread = from->pending && job->nodes > 1 &&
		      from->req_nodes[0] == '\0';
	(void) snprintf(model, sizeof(model), "gpu:%.50s", from->model);
	job->model = from->model[0]
			     ? eqt_sim_nodes_model(&scene->now.cluster, model)
			     : EQT_SIMULATION_NO_MODEL;
}

/* Does the partition allocate whole nodes? It does with OverSubscribe=EXCLUSIVE, or if
 * the cluster's select plugin does. */
static bool partition_is_whole(const struct eqt_scene *scene, uint16_t i)
{
	const struct eqt_scontrol_record *record = eqt_scontrol_partition_find(
		&scene->live->partitions, scene->partitions[i].name);

	return record && eqt_scontrol_partition_whole(
				 record, eqt_cluster_allocation_blocks(
						 &scene->allocation));
}

/* Set everything that a waiting job needs except other jobs. Dependencies on other jobs
 * are added once all jobs are known. */
static void job_take_needs(struct eqt_scene *scene,
			   struct eqt_simulation_needs *needs,
			   const struct eqt_simulation_job *job,
			   const struct eqt_live_job *from)
{
	const size_t array = strcspn(from->name, "_");
	const struct eqt_scene_claim claim = {
		.user = from->user,
		.account = from->account,
		.partition = job->partition,
		.qos = from->qos,
		.tres = from->tres_text,
		.licenses = from->licenses,
		.array = eqt_arena_text(&scene->kept, from->name, array),
		.array_most = array_most(scene, from),
		.job = job,
		.held_by = eqt_live_job_budget(from),
	};
	const int reservation =
		eqt_scene_cluster_reservation(scene, from->reservation);

	needs->nodes = eqt_scene_nodes_allowed(scene, from->features,
					       from->req_nodes, from->nodes,
					       reservation);
	needs->reservation = reservation;
	needs->exclusive = from->whole_nodes ||
			   partition_is_whole(scene, job->partition);
	needs->priority = from->priority > UINT32_MAX
				  ? UINT32_MAX
				  : (uint32_t) from->priority;
	needs->begin = from->eligible_s > scene->live->now_s ? from->eligible_s
							     : 0;
	needs->paid = from->pending && !eqt_live_job_names_budget(from);
	eqt_scene_limits(needs, scene, &claim);
}

/* Set the nodes on which a running job is. Returns false if they are not known. Such a
 * job would hold nothing in the simulation, so it is left out. The start is moved into
 * the past if the clocks of the hosts differ. */
static bool job_take_place(struct eqt_scene *scene,
			   struct eqt_simulation_needs *needs,
			   struct eqt_simulation_job *job,
			   const struct eqt_live_job *from)
{
	uint32_t *on = eqt_arena_new(&scene->kept, job->nodes * sizeof(*on));

	needs->on = on;
	needs->begin = 0;
	needs->priority = 0;
	job->nodes =
		eqt_scene_nodes_listed(scene, from->nodelist, on, job->nodes);
	job->start = eqt_whole_earlier(from->start_s, scene->live->now_s);
	eqt_whole_raise(&job->all.cpus, job->nodes);
	return job->nodes > 0;
}

/* Append a live job. Returns false if it is left out. Times before now keep the order in
 * which jobs became eligible, from which their age follows. */
static bool scene_append(struct eqt_scene *scene,
			 const struct eqt_live_job *from)
{
	const int64_t now = scene->live->now_s;
	const int partition = eqt_sim_nodes_partition_first(&scene->now.cluster,
							    from->partition);
	struct eqt_simulation_job *job = &scene->jobs[scene->now.count];
	struct eqt_simulation_needs *needs = &scene->needs[scene->now.count];

	if (partition < 0)
		return false;
	*job = (struct eqt_simulation_job){
		.id = (uint32_t) strtoul(from->id, NULL, 10),
		.at = from->eligible_s && from->eligible_s < now
			      ? from->eligible_s
			      : from->submit_s,
		.start = EQT_SIMULATION_NEVER,
		.limit_s = (uint32_t) job_limit(from->limit_s),
		.partition = (uint16_t) partition,
		.qos = from->qos[0] ? eqt_scene_share_tree_qos(scene, from->qos)
				    : NULL,
		.needs = needs,
	};
	if (job->at <= 0 || job->at > now)
		job->at = now;
	job->user = job->person =
		eqt_scene_share_tree_user(scene, from->user, from->account);
	job_take_size(scene, job, from);
	*needs = (struct eqt_simulation_needs){ .begin = 0 };
	job_take_needs(scene, needs, job, from);
	if (from->pending &&
	    !eqt_scene_nodes_any(scene, needs->nodes, job->partition))
		return false;
	if (!from->pending && !job_take_place(scene, needs, job, from))
		return false;
	scene->now.count++;
	return true;
}

/* ---- All --------------------------------------------------------------------- */

/* A job and its index, which changes when jobs are sorted by time. */
struct sorted_job {
	struct eqt_simulation_job job;
	struct eqt_simulation_needs needs;
	size_t live;
};

/* The simulation needs ascending times. Live jobs are sorted by their ids as texts. */
static int sorted_compare(const void *a, const void *b)
{
	const struct sorted_job *left = a, *right = b;

	if (left->job.at != right->job.at)
		return left->job.at < right->job.at ? -1 : 1;
	if (left->job.id != right->job.id)
		return left->job.id < right->job.id ? -1 : 1;
	return left->live < right->live ? -1 : left->live > right->live;
}

/* Note the jobs for which their budget will not have enough. */
static void jobs_hold_short(struct eqt_scene *scene)
{
	char words[EQT_SCENE_LINE];

	for (size_t i = 0; i < scene->live->jobs.count; i++)
		if (scene->job_of[i] != EQT_SCENE_NONE &&
		    eqt_live_job_names_budget(&scene->live->jobs.jobs[i]) &&
		    eqt_scene_budgets_never(words, scene, scene->job_of[i]))
			scene->held_for[i] =
				eqt_arena_copy(&scene->kept, words);
}

/* Pointers into needs are set again, because both arrays have moved. */
static void jobs_sort(struct eqt_scene *scene, const size_t *live)
{
	struct sorted_job *all = eqt_alloc(scene->now.count + 1, sizeof(*all));

	for (size_t i = 0; i < scene->now.count; i++)
		all[i] = (struct sorted_job){ scene->jobs[i], scene->needs[i],
					      live[i] };
	qsort(all, scene->now.count, sizeof(*all), sorted_compare);
	for (size_t i = 0; i < scene->now.count; i++) {
		scene->jobs[i] = all[i].job;
		scene->needs[i] = all[i].needs;
		scene->jobs[i].needs = &scene->needs[i];
		if (scene->job_of[all[i].live] == EQT_SCENE_NONE)
			scene->job_of[all[i].live] = (uint32_t) i;
	}
	free(all);
	jobs_hold_short(scene);
	for (size_t i = 0; i < scene->live->jobs.count; i++) {
		const uint32_t first = scene->job_of[i];

		if (first == EQT_SCENE_NONE ||
		    scene->live->jobs.jobs[i].dependency[0] == '\0')
			continue;
		for (uint32_t j = first;
		     j < scene->now.count &&
		     scene->jobs[j].id == scene->jobs[first].id;
		     j++)
			scene_take_after(scene, j, i);
	}
}

/* Append each live job, and each task of a waiting array. live[] is set to the live job
 * that each was made from. Tasks that are cut off would wait behind the others. They are
 * counted for the text. */
static void jobs_append(struct eqt_scene *scene, size_t *live)
{
	const struct eqt_live_jobs *from = &scene->live->jobs;

	for (size_t i = 0; i < from->count; i++) {
		const struct eqt_live_job *one = &from->jobs[i];
		uint64_t tasks = one->pending ? eqt_live_job_tasks(one) : 1;

		scene->job_of[i] = EQT_SCENE_NONE;
		if (one->pending)
			scene->held_for[i] = job_stuck(scene, one);
		if (scene->held_for[i] ||
		    (!one->pending && one->nodelist[0] == '\0'))
			continue;
		if (tasks > EQT_SCENE_TASKS_MAX) {
			scene->cut += tasks - EQT_SCENE_TASKS_MAX;
			tasks = EQT_SCENE_TASKS_MAX;
		}
		for (; tasks > 0 && scene->now.count < scene->space - 64;
		     tasks--) {
			live[scene->now.count] = i;
			if (!scene_append(scene, one) && one->pending)
				scene->held_for[i] = EQT_SCENE_NO_NODE_UP;
		}
	}
}

#define COARSE_JOBS 10000

/* Slurm plans each job that its backfill considers. With a single planned job, small jobs
 * would start next to a queue that they keep waiting. More planned jobs than this change
 * little and cost time. */
#define PLANNED_JOBS 50

/* A long queue is considered less often. Its forecasts are hours or days away, and each
 * pass considers all of it. */
static void policy_fit(struct eqt_simulation_policy *policy, size_t jobs)
{
	const uint32_t times =
		jobs > COARSE_JOBS ? (uint32_t) (jobs / COARSE_JOBS) : 1;
	const uint32_t period_s = jobs > 2000 ? 1800 * times : 600;
	const uint32_t backfill_s = jobs > 2000 ? 300 : 60;

	if (jobs <= 500) {
		if (!policy->backfill_reserve)
			policy->backfill_reserve = PLANNED_JOBS;
		return;
	}
	if (policy->period_s < period_s)
		policy->period_s = period_s;
	if (policy->backfill_s && policy->backfill_s < backfill_s)
		policy->backfill_s = backfill_s;
}

/* Leave room for requests that may be added later, and for their tasks. */
void eqt_scene_queue_make(struct eqt_scene *scene)
{
	const size_t count = scene->live->jobs.count;
	size_t *live;

	scene->space = count + JOBS_MAX + 64;
	live = eqt_alloc(scene->space, sizeof(*live));
	scene->jobs = eqt_alloc(scene->space, sizeof(*scene->jobs));
	scene->needs = eqt_alloc(scene->space, sizeof(*scene->needs));
	scene->job_of = eqt_alloc(count + 1, sizeof(*scene->job_of));
	scene->held_for = eqt_alloc(count + 1, sizeof(*scene->held_for));
	jobs_append(scene, live);
	jobs_sort(scene, live);
	free(live);
	scene->now.jobs = scene->jobs;
	policy_fit(&scene->policy, scene->now.count);
}

/* The job keeps its place in the queue, because it keeps the time at which it came. */
void eqt_scene_queue_resize(struct eqt_scene *scene, uint32_t index,
			    const struct eqt_simulation_job *as,
			    const struct eqt_live_job *of)
{
	struct eqt_simulation_needs *needs = &scene->needs[index];
	char tres[EQT_SCENE_TRES];
	const struct eqt_scene_claim claim = {
		.user = of->user,
		.account = of->account,
		.partition = as->partition,
		.qos = of->qos,
		.tres = tres,
		.licenses = of->licenses,
		.array = eqt_arena_text(&scene->kept, of->name,
					strcspn(of->name, "_")),
		.array_most = array_most(scene, of),
		.job = as,
	};

	eqt_scene_limits_text(
		tres, as->nodes, &as->all,
		as->model >= 0 ? scene->now.cluster.models[as->model] : "");
	scene->jobs[index] = *as;
	scene->jobs[index].needs = needs;
	needs->uses = NULL;
	needs->use_count = 0;
	needs->exclusive = needs->exclusive ||
			   partition_is_whole(scene, as->partition);
	eqt_scene_limits(needs, scene, &claim);
}

/* ---- Request ------------------------------------------------------------------------
 * A request that is not submitted becomes a live job, and is treated like one. */

/* The live job that a request would become. Its id is one that no job of Slurm has. */
static const struct eqt_live_job *request_as_job(
	struct eqt_scene *scene, const struct eqt_scene_request *request)
{
	const struct eqt_simulation_amount all = { .cpus = request->cpus,
						   .mem_mib = request->mem_mib,
						   .gpus = request->gpus };
	struct eqt_live_job *job = eqt_arena_new(&scene->kept, sizeof(*job));
	char text[96], tres[EQT_SCENE_TRES];

	*job = (struct eqt_live_job){
		.id = "4294967294",
		.user = request->user,
		.account = request->account,
		.partition = request->partition,
		.qos = request->qos	      ? request->qos
		       : request->qos_default ? request->qos_default
					      : "normal",
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
		.eligible_s = request->begin_s > scene->live->now_s
				      ? request->begin_s
				      : 0,
		.whole_nodes = request->exclusive,
		.pending = true,
	};
	(void) snprintf(job->model, sizeof(job->model), "%.60s",
			request->model);
	(void) snprintf(text, sizeof(text), "gpu:%.60s", request->model);
	eqt_scene_limits_text(tres, request->nodes, &all,
			      request->model[0] ? text : "");
	job->tres_text = eqt_arena_copy(&scene->kept, tres);
	(void) snprintf(text, sizeof(text),
			request->tasks_most ? "%s_[%%%" PRIu64 "]" : "%s",
			job->id, request->tasks_most);
	job->name = eqt_arena_copy(&scene->kept, text);
	return job;
}

/* Does the cluster have as many licences as are requested? Returns 0, or -1 with err
 * filled. */
static int request_check_licenses(const struct eqt_live_cluster *cluster,
				  const char *list, struct eqt_error *err)
{
	struct eqt_live_license one;

	while (cluster->licenses.count &&
	       eqt_live_license_next(&one, cluster, &list))
		if (!one.there || (one.known && one.wants > one.total))
			return eqt_error_set(
				err,
				"--licenses %.*s: the cluster has %" PRIu64,
				(int) one.length, one.name, one.total);
	return 0;
}

/* Does the list have a reservation that the job may use? */
static bool request_reservation_is_open(const struct eqt_scene *scene,
					const struct eqt_live_job *job)
{
	const struct eqt_scontrol_records *all = &scene->live->reservations;

	for (size_t i = 0; i < all->count; i++)
		if (eqt_text_list_has_exact(
			    job->reservation,
			    eqt_record_text(&all->records[i],
					    "ReservationName")) &&
		    !eqt_limits_reservation_is_out(&scene->live->limits,
						   &all->records[i], job))
			return true;
	return false;
}

/* Is the user in this account? Assume yes if the caller may not read the user's
 * associations, and for root, who may ask about any account. */
static bool request_account_is_there(const struct eqt_scene *scene,
				     const struct eqt_live_job *job)
{
	bool any = false;

	if (strcmp(job->user, "root") == 0)
		return true;
	for (uint32_t i = 0; i < scene->index.count; i++) {
		if (strcmp(scene->index.users[i].user, job->user) != 0)
			continue;
		any = true;
		if (strcasecmp(scene->index.users[i].account, job->account) ==
		    0)
			return true;
	}
	return !any;
}

/* Check who may use the partition, and for how long. The QOS that a request names may
 * lift the partition's time limit. Returns 0, or -1 with err filled. */
static int request_check_partition(const struct eqt_scene *scene,
				   const struct eqt_live_job *job,
				   const struct eqt_scene_request *request,
				   struct eqt_error *err)
{
	const char *qos = request->qos;
	const struct eqt_limits *limits = &scene->live->limits;
	const struct eqt_scontrol_record *partition =
		eqt_scontrol_partition_find(&scene->live->partitions,
					    job->partition);
	const char *time = eqt_record_text(partition, "MaxTime"), *list;
	const char *key = eqt_limits_account_key(&list, limits, partition, job);
	uint64_t most;

	if (!request_account_is_there(scene, job))
		return eqt_error_set(err, "user %.64s has no account %.64s",
				     job->user, job->account);
	if (key)
		return eqt_error_set(err, "partition %.64s has %s=%.128s",
				     job->partition, key, list);
	if (qos && limits->qos_count && !eqt_limits_qos(limits, qos))
		return eqt_error_set(err, "--qos %.64s: no such QOS", qos);
	if ((qos || request->qos_default) &&
	    eqt_limits_qos_is_out(partition, job->qos))
		return eqt_error_set(err,
				     "partition %.64s does not allow QOS %.64s",
				     job->partition, job->qos);
	if (!qos && eqt_duration_parse(&most, time) == 0 &&
	    (!job->limit_s || job->limit_s > most))
		return eqt_error_set(err,
				     "--time: partition %.64s allows %.32s",
				     job->partition, time);
	return 0;
}

/* Does the scene have what the request names? Slurm would refuse other requests, or never
 * start them. Returns 0, or -1 with err filled. */
static int request_check(const struct eqt_scene *scene,
			 const struct eqt_live_job *job,
			 const struct eqt_scene_request *request,
			 struct eqt_error *err)
{
	if (eqt_sim_nodes_partition_first(&scene->now.cluster, job->partition) <
	    0)
		return eqt_error_set(
			err, "partition \"%.64s\" is not there, or not up",
			job->partition);
	if (job->reservation[0] &&
	    !eqt_scene_cluster_reservation(scene, job->reservation))
		return eqt_error_set(err,
				     "--reservation %.64s: no such reservation",
				     job->reservation);
	if (job->reservation[0] && !request_reservation_is_open(scene, job))
		return eqt_error_set(err, "--reservation %.64s is for others",
				     job->reservation);
	if (request_check_licenses(scene->live, job->licenses, err) < 0)
		return -1;
	return request_check_partition(scene, job, request, err);
}

/* Like each waiting task, each task of this array is a job of its own. */
int eqt_scene_queue_add(struct eqt_scene_place *out, struct eqt_scene *scene,
			const struct eqt_scene_request *request,
			struct eqt_error *err)
{
	uint64_t tasks = eqt_whole_max(request->tasks, 1);

	out->as = request_as_job(scene, request);
	if (request_check(scene, out->as, request, err) < 0)
		return -1;
	eqt_whole_lower(&tasks, EQT_SCENE_TASKS_MAX);
	out->first = (uint32_t) scene->now.count;
	if (scene->space - scene->now.count < tasks)
		eqt_alloc_failed();
	for (; tasks > 0; tasks--) {
		struct eqt_simulation_needs *needs =
			&scene->needs[scene->now.count];

		if (!scene_append(scene, out->as))
			return eqt_error_set(err, "%s", EQT_SCENE_NO_NODE_UP);
		/* Slurm has not seen the request yet, so nothing is paid. */
		needs->paid = false;
		if (request->nodes_given)
			scene->jobs[scene->now.count - 1].spread = false;
		if (request->exclude[0] &&
		    !eqt_scene_nodes_exclude(scene, needs, request->exclude))
			return eqt_error_set(err,
					     "--exclude %.64s: no such node",
					     request->exclude);
	}
	out->last = (uint32_t) scene->now.count - 1;
	return 0;
}
