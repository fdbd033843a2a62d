/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scene is made of what Slurm's commands print, in steps that need those before them;
 * a forecast simulates it many times, with other lengths of the jobs. */
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
#include "slurm/sacct.h"
#include "slurm/text/tres_list.h"
#include "slurm/conf/site_conf.h"
#include "slurm/text/timestamp.h"

/* ---- Policy -------------------------------------------------------------------------
 * The policy as slurmctld has it, from "scontrol show config", and equitree.conf. */

#define PERIOD_MIN_S \
	60 /* a forecast is coarser than PriorityParameters may be */

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

/* What slurmctld has read; what is not known there stays as it is without it. */
static int policy_take_config(struct eqt_scene *scene,
			      struct eqt_scene_policy *policy,
			      const char *folder, struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];
	struct eqt_listing text;
	struct eqt_slurmconf conf;
	struct eqt_error why;
	int rc;

	if (eqt_listing_read(&text,
			     eqt_live_cluster_path(path, folder, "config.txt"),
			     "scontrol show config", err) < 0)
		return -1;
	rc = eqt_slurm_conf_cut(&conf, text.name, text.text, err);
	if (rc == 0)
		rc = eqt_scene_policy_take(policy, &conf, err);
	eqt_slurm_conf_free(&conf);
	(void) eqt_cluster_allocation_parse(&scene->allocation, text.text,
					    &why);
	eqt_listing_free(&text);
	return rc;
}

/*
 * The parts of a scene, in this order: each needs those before it. folder has saved
 * output of Slurm's commands; NULL: the commands are asked. Each returns 0, or -1 with
 * err filled; eqt_scene_free() frees what was made till then.
 *
 * The policy, from "scontrol show config" and equitree.conf, which need not be there.
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
	plain = eqt_scene_keep(scene, sizeof(*plain));
	if (!plain)
		return eqt_error_set(err, "out of memory");
	*plain = policy_plain_conf();
	eqt_scene_policy_set_conf(&policy, scene->conf ? scene->conf : plain);
	scene->policy = policy.policy;
	/* They change what is in order within seconds. */
	scene->policy.priority.rank_every_ms = 0;
	if (scene->policy.period_s < PERIOD_MIN_S)
		scene->policy.period_s = PERIOD_MIN_S;
	return 0;
}

/* ---- Tree ---------------------------------------------------------------------------
 * The share tree: sshare's, and behind it users that it does not name, with a share of
 * their own; all of them, where sshare may not be asked. Users that sshare does not
 * show to the caller are added to the tree: their jobs compete as well. */

/* Four arrays grow together; those that have grown stay so after a failure. */
static int tree_grow(struct eqt_scene *scene)
{
	const uint32_t space = scene->tree_space ? 2 * scene->tree_space : 256;
	void *tree = realloc(scene->tree, space * sizeof(*scene->tree));
	void *usage, *users, *accounts;

	if (tree)
		scene->tree = tree;
	usage = realloc(scene->usage, space * sizeof(*scene->usage));
	if (usage)
		scene->usage = usage;
	users = realloc(scene->users, space * sizeof(*scene->users));
	if (users)
		scene->users = users;
	accounts = realloc(scene->accounts, space * sizeof(*scene->accounts));
	if (accounts)
		scene->accounts = accounts;
	if (!tree || !usage || !users || !accounts)
		return -1;
	scene->tree_space = space;
	return 0;
}

/* Append a node; its index, or EQT_SCENE_NONE. */
static uint32_t tree_append(struct eqt_scene *scene, uint32_t parent,
			    const char *user, const char *account)
{
	const uint32_t i = scene->now.tree_count;

	if (i == scene->tree_space && tree_grow(scene) < 0)
		return EQT_SCENE_NONE;
	scene->tree[i] = (struct eqt_tree_input){
		.parent = parent,
		.shares = 1,
		.user = user != NULL,
	};
	scene->usage[i] = 0;
	scene->users[i] = user;
	scene->accounts[i] = account;
	scene->now.tree = scene->tree;
	scene->now.usage = scene->usage;
	scene->now.tree_count++;
	return i;
}

/* The share tree, from sshare; the root alone where sshare cannot be read. */
static int scene_make_tree(struct eqt_scene *scene, const char *folder,
			   struct eqt_error *err)
{
	char path[EQT_LIVE_PATH];
	const struct eqt_sshare_options options = {
		.path = eqt_live_cluster_path(path, folder, "shares.txt"),
		.any_norms = true,
	};
	const struct eqt_sshare *shares = &scene->shares;
	struct eqt_error why;

	scene->shares_known =
		eqt_sshare_read(&scene->shares, &options, &why) == 0 &&
		eqt_sshare_index_make(&scene->index, shares, &why) == 0;
	if (!scene->shares_known) {
		eqt_sshare_free(&scene->shares);
		return tree_append(scene, EQT_TREE_NONE, NULL, "root") ==
				       EQT_SCENE_NONE
			       ? eqt_error_set(err, "out of memory")
			       : 0;
	}
	for (uint32_t i = 0; i < shares->count; i++) {
		const struct eqt_sshare_assoc *assoc = &shares->assocs[i];

		if (tree_append(scene, assoc->parent, assoc->user,
				assoc->account) == EQT_SCENE_NONE)
			return eqt_error_set(err, "out of memory");
		scene->tree[i].shares = assoc->shares;
		scene->tree[i].parent_shares = assoc->parent_shares;
		scene->usage[i] = (long double) assoc->usage;
	}
	return 0;
}

/* Find or make the node, the slow way. */
static uint32_t user_find(struct eqt_scene *scene, const char *user,
			  const char *account)
{
	uint32_t i, above = 0;

	if (scene->shares_known) {
		i = eqt_sshare_index_find(&scene->index,
					  eqt_scontrol_value_of(user),
					  eqt_scontrol_value_of(account));
		if (i != EQT_TREE_NONE)
			return i;
	}
	for (i = scene->shares.count; i < scene->now.tree_count; i++) {
		if (scene->users[i] && strcmp(scene->users[i], user) == 0 &&
		    strcmp(scene->accounts[i], account) == 0)
			return i;
		if (!scene->users[i] &&
		    strcmp(scene->accounts[i], account) == 0)
			above = i;
	}
	if (above == 0)
		above = tree_append(scene, 0, NULL,
				    eqt_scene_text(scene, account,
						   strlen(account)));
	return above == EQT_SCENE_NONE
		       ? above
		       : tree_append(scene, above,
				     eqt_scene_text(scene, user, strlen(user)),
				     eqt_scene_text(scene, account,
						    strlen(account)));
}

/* A user that has been found, by name and account; a thing of names.h. */
struct known_user {
	const char *name;
	uint32_t node;
};

uint32_t eqt_scene_user(struct eqt_scene *scene, const char *user,
			const char *account)
{
	struct known_user *one;
	char name[1024];
	int new;

	/* Longer names than Slurm takes are looked for each time. */
	if (snprintf(name, sizeof(name), "%s\n%s", user, account) >=
	    (int) sizeof(name))
		return user_find(scene, user, account);
	one = eqt_names_get(&scene->users_known, name, sizeof(*one), &new);
	if (!one)
		return EQT_SCENE_NONE;
	if (new)
		one->node = user_find(scene, user, account);
	return one->node;
}

/* ---- History ------------------------------------------------------------------------
 * The jobs of the last days: sacct's that ran, and those that wait now, whose lengths
 * are not known yet. Users may be allowed to see their own jobs alone. */

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

/* A callback of eqt_tres_list_parse(). name is not NUL-terminated. */
static int history_take_gpus(const char *name, size_t length, uint64_t count,
			     void *with)
{
	const struct history_gpus *into = with;
	char model[EQT_NAME_SIZE];

	if (strncmp(name, "gpu:", 4) != 0 || length >= sizeof(model))
		return 0;
	memcpy(model, name, length);
	model[length] = '\0';
	into->job->model =
		eqt_simulation_model(&into->scene->now.cluster, model);
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
	if (eqt_tres_list_parse(&list, text, strlen(text), history_take_gpus,
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
	const int partition = eqt_simulation_partition_first(
		&scene->now.cluster, claim.partition);
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

/* The jobs of the last EQT_SCENE_DAYS days, from sacct; none without accounting.
 * Users see their own jobs alone on some sites, which is then all that is drawn
 * from. */
static int scene_make_history(struct eqt_scene *scene, const char *folder,
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

/* ---- Line ---------------------------------------------------------------------------
 * The forecast of one job as a sentence, for pages about it. One line for equitree why,
 * whose page has other things to say: a quick forecast with few futures. */

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

/* ---- Scene ---------------------------------------------------------------- */

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
	if (scene_make_policy(out, folder, err) == 0 &&
	    eqt_scene_make_nodes(out, err) == 0 &&
	    scene_make_tree(out, folder, err) == 0 &&
	    eqt_scene_make_jobs(out, err) == 0 &&
	    scene_make_history(out, folder, err) == 0)
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
