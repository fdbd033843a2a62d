/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scene: a cluster at one moment as the simulation takes it: nodes, jobs that run and
 * wait, limits, reservations, shares, the policy, and the jobs of the last days. */
#ifndef EQT_SCENE_H
#define EQT_SCENE_H

#include "sim/forecast.h"
#include "sim/stored_jobs.h"
#include "sim/workload.h"
#include "cli/arena.h"
#include "cli/names.h"
#include "slurm/conf/cluster.h"
#include "slurm/limits.h"
#include "slurm/live_cluster.h"
#include "slurm/sshare.h"

#define EQT_SCENE_NONE UINT32_MAX
#define EQT_SCENE_QOS_MAX 128
#define EQT_SCENE_DAYS 14 /* of history */
#define EQT_SCENE_TASKS_MAX 500 /* of one array */
#define EQT_SCENE_GROUPS_MAX 64 /* --cluster options */

struct eqt_scene_node_set;
struct eqt_scene_limit;

/* Owns its memory; {0} is empty. */
struct eqt_scene {
	struct eqt_simulation now;
	/* Borrowed. What cannot be simulated of a live cluster is left out; elsewhere it is
	 * an error. */
	const struct eqt_live_cluster *live;

	/* The share tree: sshare's, and behind it users that it does not name. */
	struct eqt_sshare shares;
	struct eqt_sshare_index index;
	struct eqt_tree_input *tree;
	long double *usage;
	const char **users, **accounts; /* of its nodes; NULL: no user */
	uint32_t tree_space;
	struct eqt_names users_known;

	struct eqt_simulation_partition
		partitions[EQT_SIMULATION_PARTITIONS_MAX];
	int partition_qos
		[EQT_SIMULATION_PARTITIONS_MAX]; /* 1 + index; 0: none */
	struct eqt_simulation_node *nodes;
	struct eqt_names
		node_names; /* their numbers; EQT_SCENE_NONE: left out */
	struct eqt_simulation_reservation *reservations;
	struct eqt_names reservation_names; /* numbers from 1 on */
	struct eqt_scene_node_set *node_sets;

	struct eqt_simulation_qos qos[EQT_SCENE_QOS_MAX];
	int qos_count;
	bool qos_known; /* priorities and usage factors were read */
	uint32_t *priorities; /* per association; NULL: not known */

	struct eqt_limit_numbers limits; /* those that a job is under */
	struct eqt_names limit_sets; /* by user, account, partition and QOS */
	const struct eqt_scene_limit *qos_limits[EQT_SCENE_QOS_MAX];
	const struct eqt_scene_limit **assoc_limits; /* by node of the tree */

	struct eqt_simulation_job *jobs;
	struct eqt_stored_jobs *stored; /* instead of jobs, if asked for */
	struct eqt_arena kept; /* memory that lives as long as the scene */

	/* What was left out, or is not as it was. */
	uint64_t away; /* unavailable nodes */
	uint64_t never_ran, unknown, homeless, unfinished; /* jobs; cut jobs */
	uint64_t damaged; /* lines */
	uint64_t beyond; /* jobs larger than a limit, which leaves them alone */

	/* Of a live cluster. */
	struct eqt_simulation_policy policy;
	struct eqt_cluster_allocation allocation;
	const char *cluster_name; /* "" if not known */
	const struct eqt_conf *conf; /* owned; NULL: none */
	struct eqt_simulation_needs *needs; /* of each job */
	size_t space; /* of jobs and needs */
	uint32_t *job_of; /* of each live job its first one, or NONE */
	const char *
		*held_for; /* of each live job why it is left out, or NULL */
	size_t cut; /* tasks of arrays that are left out */
	struct eqt_simulation_job *past;
	size_t past_count;
	int64_t past_from;
};

/* What a simulation of the past is made of; a plain value, strings are borrowed. */
struct eqt_scene_input {
	const char *groups[EQT_SCENE_GROUPS_MAX];
	int group_count;
	const char *nodes_path, *partitions_path, *shares_path, *jobs_path;
	const char *swf_path; /* Standard Workload Format */
	const char *reservations_path, *qos_path, *assocs_path;
	struct eqt_workload made; /* jobs == 0: jobs are read from a file */
	bool skip_unknown, skip_damaged;
	bool stored; /* jobs are read once in each run, from little memory */
};

/*
 * Fill an empty one with the jobs and the cluster of files, or of Slurm. weighed: the
 * priorities and limits of sacctmgr are needed, too. Returns 0, or -1 with err filled;
 * eqt_scene_free() frees it either way.
 */
int eqt_scene_read_files(struct eqt_scene *scene,
			 const struct eqt_scene_input *input, bool weighed,
			 struct eqt_error *err);

/* A request that is not submitted; strings are borrowed, "" for none. */
struct eqt_scene_request {
	/* qos: NULL if not named; qos_default: NULL if not known */
	const char *user, *account, *partition, *qos, *features, *nodelist;
	const char *qos_default;
	const char *exclude, *licenses, *reservation;
	uint64_t nodes, cpus, mem_mib, gpus; /* of a task, on all its nodes */
	char model[EQT_NAME_SIZE];
	uint64_t limit_s; /* 0: none */
	bool exclusive;
	bool nodes_given; /* no other number of nodes will do */
	int64_t begin_s;
	uint64_t tasks; /* of an array; 0: it is none */
	uint64_t tasks_most; /* that run together; 0: any number */
};

/* Where a request is in the scene. */
struct eqt_scene_place {
	uint32_t first, last; /* of its tasks */
	const struct eqt_live_job *as; /* what a live job of it would be */
};

/* Fill it from a cluster, and from Slurm or, with a folder, from the folder's config.txt,
 * shares.txt and history.txt. What may not be read is left out. Returns 0, or -1 with err
 * filled. */
int eqt_scene_read(struct eqt_scene *out, const struct eqt_live_cluster *live,
		   const char *folder, struct eqt_error *err);

/* Free what *scene owns. *scene is empty afterwards. */
void eqt_scene_free(struct eqt_scene *scene);

/* Add a waiting job, or an array of at most EQT_SCENE_TASKS_MAX tasks. Returns 0, or -1
 * with err filled. Possible errors: no such partition, reservation or node, nothing that
 * could run it. */
int eqt_scene_queue_add(struct eqt_scene_place *out, struct eqt_scene *scene,
			const struct eqt_scene_request *request,
			struct eqt_error *err);

/* Give a job another size, limit or partition, whose limits count then. Its needs are
 * made anew; of: the live job that it is of. */
void eqt_scene_queue_resize(struct eqt_scene *scene, uint32_t index,
			    const struct eqt_simulation_job *as,
			    const struct eqt_live_job *of);

/* How a forecast is made; a plain value. */
struct eqt_scene_effort {
	uint64_t seed;
	uint32_t futures; /* at most */
	double seconds; /* no further future after this time */
	uint32_t least; /* futures that may take longer */
	double most; /* seconds for them, too */
	bool paired; /* all futures, in their order; no time ends them */
	const char *what; /* of the progress bar; NULL: none */
};

/* Forecast jobs of the scene. Returns 0, or -1 with err filled. */
int eqt_scene_forecast(struct eqt_forecast_starts *out,
		       const struct eqt_scene *scene, const uint32_t *targets,
		       uint32_t count, const struct eqt_scene_effort *effort,
		       struct eqt_error *err);

#define EQT_SCENE_LINE 256

/* One line about when a waiting job will start, "" where nothing can be said: what is
 * needed may not be read, or the job cannot start. */
void eqt_scene_line(char line[EQT_SCENE_LINE],
		    const struct eqt_live_cluster *cluster,
		    const struct eqt_live_job *job, const char *folder);

/* The price of a job in equivalent-hours to its limit; NAN: it has none. */
double eqt_scene_hours(const struct eqt_scene *scene,
		       const struct eqt_simulation_job *job);

#endif
