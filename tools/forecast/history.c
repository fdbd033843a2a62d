/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the last days: sacct's that ran, and those that wait now, whose lengths
 * are not known yet. Users may be allowed to see their own jobs alone. */
#include <stdlib.h>
#include <string.h>

#include "forecast/parts.h"
#include "slurm/sacct.h"
#include "slurm/text/tres_list.h"

#define NEEDED                                                               \
	(EQT_SACCT_BIT(EQT_SACCT_USER) | EQT_SACCT_BIT(EQT_SACCT_ACCOUNT) |  \
	 EQT_SACCT_BIT(EQT_SACCT_PARTITION) |                                \
	 EQT_SACCT_BIT(EQT_SACCT_ELIGIBLE) |                                 \
	 EQT_SACCT_BIT(EQT_SACCT_ELAPSED) | EQT_SACCT_BIT(EQT_SACCT_LIMIT) | \
	 EQT_SACCT_BIT(EQT_SACCT_STATE) | EQT_SACCT_BIT(EQT_SACCT_TRES))
#define PAST_MIN_S 21600
#define NO_LIMIT_S ((uint32_t) 366 * 86400)

/* "gpu:p100" with a count. */
struct history_gpus {
	const struct eqt_scene *scene;
	struct eqt_simulation_job *job;
};

/* A callback of eqt_treslist_parse(). name is not NUL-terminated. */
static int history_take_gpus(const char *name, size_t length, uint64_t count,
			     void *with)
{
	const struct history_gpus *into = with;
	char model[EQT_NAME_SIZE];

	if (strncmp(name, "gpu:", 4) != 0 || length >= sizeof(model))
		return 0;
	memcpy(model, name, length);
	model[length] = '\0';
	into->job->model = eqt_scene_model(into->scene, model);
	into->job->all.gpus = count;
	return 0;
}

/* False: a row that no simulation can use. A job with less than a CPU on each node is a
 * record that was never complete. */
static bool history_take_tres(const struct eqt_scene *scene,
			      struct eqt_simulation_job *job, const char *text)
{
	struct history_gpus into = { scene, job };
	struct eqt_treslist list;

	job->model = EQT_SIMULATION_NO_MODEL;
	if (eqt_treslist_parse(&list, text, strlen(text), history_take_gpus,
			       &into) != 0)
		return false;
	job->nodes = list.nodes && list.nodes < UINT32_MAX / 2
			     ? (uint32_t) list.nodes
			     : 1;
	job->all.cpus = list.cpus;
	job->all.mem_mib = list.mem_mib;
	if (!job->all.gpus)
		job->all.gpus = list.gpus;
	return job->all.cpus >= job->nodes && job->all.cpus <= UINT32_MAX;
}

/* A job that came would be at the same limits as one now. Jobs that no limit counts
 * share no memory for it. */
static int history_take_needs(struct eqt_scene *scene,
			      struct eqt_simulation_job *job,
			      const struct eqt_scene_claim *claim)
{
	struct eqt_simulation_needs needs = { .begin = 0 }, *kept;

	if (eqt_scene_limits(&needs, scene, claim) < 0)
		return -1;
	if (needs.use_count == 0)
		return 0;
	kept = eqt_scene_keep(scene, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = needs;
	job->needs = kept;
	return 0;
}

/* 1: a job, 0: nothing to draw from, -1 with err filled. Steps are rows of their own,
 * and left out; so are jobs that did not run. */
static int history_read_row(struct eqt_simulation_job *job,
			    struct eqt_scene *scene,
			    const struct eqt_sacct *sacct, size_t row,
			    struct eqt_error *err)
{
	const char *tres = eqt_sacct_cell(sacct, row, EQT_SACCT_TRES);
	const struct eqt_scene_claim claim = {
		.user = eqt_sacct_cell(sacct, row, EQT_SACCT_USER),
		.account = eqt_sacct_cell(sacct, row, EQT_SACCT_ACCOUNT),
		.partition = eqt_sacct_cell(sacct, row, EQT_SACCT_PARTITION),
		.qos = eqt_sacct_cell(sacct, row, EQT_SACCT_QOS),
		.tres = tres,
		.licenses = "",
		.array = "",
	};
	const int partition = eqt_scene_partition(scene, claim.partition);
	const char *limit = eqt_sacct_cell(sacct, row, EQT_SACCT_LIMIT);
	const uint64_t minutes = strtoull(limit, NULL, 10);
	uint64_t elapsed;

	if (eqt_sacct_is_step(sacct, row) || tres[0] == '\0' || partition < 0)
		return 0;
	*job = (struct eqt_simulation_job){ .start = EQT_SIMULATION_NEVER };
	if (eqt_sacct_time(&job->at, sacct, row, EQT_SACCT_ELIGIBLE, err) < 0 ||
	    eqt_sacct_number(&elapsed, sacct, row, EQT_SACCT_ELAPSED,
			     NO_LIMIT_S, err) < 0)
		return -1;
	if (!history_take_tres(scene, job, tres) || !job->at ||
	    job->at >= scene->live->now_s)
		return 0;
	job->partition = (uint16_t) partition;
	job->limit_s = minutes && minutes < NO_LIMIT_S / 60
			       ? (uint32_t) minutes * 60
			       : NO_LIMIT_S;
	/* A running job's length is not known. */
	if (strncmp(eqt_sacct_cell(sacct, row, EQT_SACCT_STATE), "RUNNING",
		    7) != 0)
		job->run_s = elapsed ? (uint32_t) elapsed : 1;
	if (job->limit_s < job->run_s)
		job->limit_s = job->run_s;
	job->user = job->person =
		eqt_scene_user(scene, claim.user, claim.account);
	if (job->user == EQT_SCENE_NONE ||
	    history_take_needs(scene, job, &claim) < 0)
		return eqt_error_set(err, "out of memory");
	return 1;
}

/* By time, as a draw wants them. Equal times in any order: nothing depends on it. */
static int history_compare(const void *a, const void *b)
{
	const struct eqt_simulation_job *left = a, *right = b;

	return left->at < right->at ? -1 : left->at > right->at;
}

/* Those that wait now came, too. Their lengths are not known, but that they came is:
 * days without a job that ran would look idle. */
static void history_add_waiting(struct eqt_scene *scene)
{
	for (size_t i = 0; i < scene->now.count; i++) {
		const struct eqt_simulation_job *job = &scene->jobs[i];
		struct eqt_simulation_needs *needs;

		if ((job->needs && job->needs->on) ||
		    job->at < scene->past_from || job->at >= scene->live->now_s)
			continue;
		needs = eqt_scene_keep(scene, sizeof(*needs));
		if (!needs)
			continue;
		needs->uses = job->needs->uses;
		needs->use_count = job->needs->use_count;
		needs->nodes = job->needs->nodes;
		needs->exclusive = job->needs->exclusive;
		scene->past[scene->past_count] = *job;
		scene->past[scene->past_count].needs = needs;
		scene->past[scene->past_count++].run_s = 0;
	}
}

/* Users see their own jobs alone on some sites, which is then all that is drawn from. */
int eqt_scene_make_history(struct eqt_scene *scene, const char *folder,
			   struct eqt_error *err)
{
	const int64_t earliest =
		scene->live->now_s - (int64_t) EQT_SCENE_DAYS * 86400;
	char path[EQT_LIVE_PATH];
	struct eqt_sacct sacct = { .rows = 0 };
	struct eqt_error why;
	int rc = 0;

	/* Without accounting there is no history; lengths are guessed then. */
	if (eqt_sacct_read(&sacct,
			   eqt_live_cluster_path(path, folder, "history.txt"),
			   EQT_LIVE_HISTORY_COMMAND, NEEDED, &why) < 0)
		sacct = (struct eqt_sacct){ .rows = 0 };
	scene->past = calloc(sacct.table.rows + scene->now.count + 1,
			     sizeof(*scene->past));
	if (!scene->past)
		rc = eqt_error_set(err, "out of memory");
	for (size_t row = 0; rc >= 0 && row < sacct.table.rows; row++) {
		rc = history_read_row(&scene->past[scene->past_count], scene,
				      &sacct, row, err);
		if (rc > 0 && scene->past[scene->past_count].at >= earliest)
			scene->past_count++;
	}
	eqt_sacct_free(&sacct);
	if (rc < 0)
		return -1;
	/* A young cluster may go on as it began, or not. Some busy minutes without an end would
	 * be more jobs than anything could run; a day with quiet hours never was. */
	scene->past_from = scene->live->now_s - PAST_MIN_S;
	for (size_t i = 0; i < scene->past_count; i++)
		if (scene->past[i].at < scene->past_from)
			scene->past_from = scene->past[i].at;
	history_add_waiting(scene);
	if (scene->past_count > 1)
		qsort(scene->past, scene->past_count, sizeof(*scene->past),
		      history_compare);
	return 0;
}
