/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scene: a cluster at one moment, as input of the simulation: nodes, jobs that run and
 * wait, limits, reservations, shares, the policy, and the jobs of the last days. */
#ifndef EQT_SCENE_H
#define EQT_SCENE_H

#include "sim/forecast.h"
#include "sim/stored_jobs.h"
#include "sim/workload.h"
#include "balance/balances.h"
#include "cli/arena.h"
#include "cli/names.h"
#include "scene/past_forecasts.h"
#include "slurm/conf/cluster.h"
#include "slurm/limits.h"
#include "slurm/live_cluster.h"
#include "slurm/sshare.h"

#define EQT_SCENE_NONE UINT32_MAX
#define EQT_SCENE_QOS_MAX 128
#define EQT_SCENE_DAYS 14 /* days of history */
#define EQT_SCENE_TASKS_MAX 500 /* most tasks of an array */
#define EQT_SCENE_GROUPS_MAX 64 /* most --cluster options */

struct eqt_scene_node_set;
struct eqt_scene_limit;
struct eqt_scene_level;

/* A cluster at one moment. Owns its memory; {0} is empty. */
struct eqt_scene {
	struct eqt_simulation now;
	/* Borrowed. Parts of a live cluster that cannot be simulated are left out.
	 * Without a live cluster they are an error. */
	const struct eqt_live_cluster *live;

	/* The share tree of sshare, followed by users that sshare does not list. */
	struct eqt_sshare shares;
	struct eqt_sshare_index index;
	struct eqt_tree_input *tree;
	long double *usage;
	/* names of each node of the tree; user NULL: an account */
	const char **users, **accounts;
	uint32_t tree_space;
	struct eqt_names users_known;

	struct eqt_simulation_partition
		partitions[EQT_SIMULATION_PARTITIONS_MAX];
	int partition_qos
		[EQT_SIMULATION_PARTITIONS_MAX]; /* 1 plus an index; 0: none */
	struct eqt_simulation_node *nodes;
	/* numbers of nodes by name; EQT_SCENE_NONE: the node is left out */
	struct eqt_names node_names;
	struct eqt_simulation_reservation *reservations;
	struct eqt_names reservation_names; /* numbers from 1 on, by name */
	struct eqt_scene_node_set *node_sets;

	struct eqt_simulation_qos qos[EQT_SCENE_QOS_MAX];
	int qos_count;
	bool qos_known; /* priorities and usage factors were read */
	uint32_t *priorities; /* by association; NULL: not known */

	/* limits against which some job counts */
	struct eqt_limit_numbers limits;
	/* sets of limits by user, account, partition and QOS */
	struct eqt_names limit_sets;
	const struct eqt_scene_limit *qos_limits[EQT_SCENE_QOS_MAX];
	const struct eqt_scene_limit **assoc_limits; /* by node of the tree */

	/* The budgets that the caller may see, and the accounts and users that have them;
	 * renewals has their refills. */
	struct eqt_balances budgets;
	bool has_budgets; /* slurmctld has the plugin that answers */
	uint64_t over_s; /* OverTimeLimit of the cluster, in seconds */
	struct eqt_scene_level *levels;
	size_t level_count;
	struct eqt_simulation_renewal *renewals;

	struct eqt_simulation_job *jobs;
	struct eqt_stored_jobs *stored; /* used instead of jobs, if requested */
	struct eqt_arena kept; /* memory that lives as long as the scene */

	/* Counts of what was left out or changed. */
	uint64_t away; /* nodes that are unavailable */
	/* jobs that were left out, and jobs that were cut */
	uint64_t never_ran, unknown, homeless, unfinished;
	uint64_t damaged; /* damaged lines */
	/* jobs that are larger than a limit, which then does not count */
	uint64_t beyond;

	/* Used only for a live cluster. */
	struct eqt_simulation_policy policy;
	struct eqt_cluster_allocation allocation;
	const char *cluster_name; /* "" if not known */
	const struct eqt_conf *conf; /* owned; NULL: none */
	struct eqt_simulation_needs *needs; /* needs of each job */
	size_t space; /* allocated elements of jobs and needs */
	/* for each live job, the index of its first job, or NONE */
	uint32_t *job_of;
	const char *
		*held_for; /* for each live job, why it is left out, or NULL */
	size_t cut; /* tasks of arrays that are left out */
	struct eqt_simulation_job *past;
	size_t past_count;
	int64_t past_from;
	/* the record of past forecasts, and how it corrects intervals */
	struct eqt_past_forecasts forecasts;
	struct eqt_forecast_correction correction;
};

/* The input of a simulation of the past. A plain value; strings are borrowed. */
struct eqt_scene_input {
	const char *groups[EQT_SCENE_GROUPS_MAX];
	int group_count;
	const char *nodes_path, *partitions_path, *shares_path, *jobs_path;
	const char *swf_path; /* a file in the Standard Workload Format */
	const char *reservations_path, *qos_path, *assocs_path;
	/* if its jobs are 0, jobs are read from a file */
	struct eqt_workload made;
	bool skip_unknown, skip_damaged;
	bool stored; /* jobs are read once per run, which needs little memory */
};

/*
 * Fill an empty scene with the jobs and the cluster, from files or from Slurm. "weighed"
 * means that the priorities and limits of sacctmgr are needed as well. Returns 0, or -1
 * with err filled. In both cases the caller must call eqt_scene_free().
 */
int eqt_scene_read_files(struct eqt_scene *scene,
			 const struct eqt_scene_input *input, bool weighed,
			 struct eqt_error *err);

/* A request that is not submitted. Strings are borrowed; "" means none. */
struct eqt_scene_request {
	/* qos: NULL if not named; qos_default: NULL if not known */
	const char *user, *account, *partition, *qos, *features, *nodelist;
	const char *qos_default;
	const char *exclude, *licenses, *reservation;
	/* amounts of a task, on all its nodes together */
	uint64_t nodes, cpus, mem_mib, gpus;
	char model[EQT_NAME_SIZE];
	uint64_t limit_s; /* 0: no limit */
	bool exclusive;
	bool nodes_given; /* no other number of nodes is allowed */
	int64_t begin_s;
	uint64_t tasks; /* tasks of an array; 0: not an array */
	/* how many tasks may run together; 0: any number */
	uint64_t tasks_most;
};

/* Where a request is in the scene. */
struct eqt_scene_place {
	uint32_t first, last; /* indexes of the request's first and last task */
	/* the live job that the request would become */
	const struct eqt_live_job *as;
};

/* Fill a scene from a cluster. The rest comes from Slurm or, with a folder, from its
 * files config.txt, shares.txt and history.txt. Parts that the caller may not read are
 * left out. Returns 0, or -1 with err filled. */
int eqt_scene_read(struct eqt_scene *out, const struct eqt_live_cluster *live,
		   const char *folder, struct eqt_error *err);

/* Free what *scene owns. *scene is empty afterwards. */
void eqt_scene_free(struct eqt_scene *scene);

/* Add a waiting job, or an array of at most EQT_SCENE_TASKS_MAX tasks. Returns 0, or -1
 * with err filled if the partition, the reservation or a node does not exist, or if no
 * node could run the job. */
int eqt_scene_queue_add(struct eqt_scene_place *out, struct eqt_scene *scene,
			const struct eqt_scene_request *request,
			struct eqt_error *err);

/* Change the size, limit or partition of a job. The limits of the new partition then
 * count, and the needs of the job are made again. "of" is the live job that the job was
 * made from. */
void eqt_scene_queue_resize(struct eqt_scene *scene, uint32_t index,
			    const struct eqt_simulation_job *as,
			    const struct eqt_live_job *of);

/* How much work goes into a forecast. A plain value. */
struct eqt_scene_effort {
	uint64_t seed;
	uint32_t futures; /* most futures */
	double seconds; /* seconds after which no further future begins */
	uint32_t least; /* number of futures that may take longer */
	double most; /* seconds for these futures */
	/* simulate all futures, in order, however long they take */
	bool paired;
	uint64_t work_most; /* as in struct eqt_forecast */
	const char *what; /* text of the progress bar; NULL: no bar */
};

/* Forecast jobs of the scene. Returns 0, or -1 with err filled. */
int eqt_scene_forecast(struct eqt_forecast_starts *out,
		       const struct eqt_scene *scene, const uint32_t *targets,
		       uint32_t count, const struct eqt_scene_effort *effort,
		       struct eqt_error *err);

/* The interval of a target, as the record of past forecasts corrects it. */
struct eqt_forecast_interval eqt_scene_interval(
	const struct eqt_scene *scene, const struct eqt_forecast_starts *starts,
	uint32_t target);

/* Write on how many past forecasts an interval is based; "" if there are none. */
#define EQT_SCENE_RECORD 160
void eqt_scene_record_words(char words[EQT_SCENE_RECORD],
			    const struct eqt_scene *scene);

#define EQT_SCENE_LINE 256

/* Write one line about when a waiting job will start. The line is "" if the caller may
 * not read what is needed, or if the job cannot start. */
void eqt_scene_line(char line[EQT_SCENE_LINE],
		    const struct eqt_live_cluster *cluster,
		    const struct eqt_live_job *job, const char *folder);

/* Save the output of Slurm's commands for eqt_scene_read(). Returns 0, or -1 with err
 * filled. */
int eqt_scene_budgets_save(const char *folder, struct eqt_error *err);

/* Read the budgets that the caller may see, from slurmctld or from a folder. Without an
 * answer there are none. The caller frees them with eqt_balances_free(). */
void eqt_scene_budgets_ask(struct eqt_balances *out, const char *folder);

/* Will a budget keep a waiting job from starting for days, even if all other jobs give
 * back what they can? If so, *words says that, with the next refill if there is one. */
bool eqt_scene_budgets_never(char words[EQT_SCENE_LINE],
			     const struct eqt_scene *scene, uint32_t index);

#define EQT_SCENE_WORDS 512

/* Write what keeps a waiting job from starting soon: the fullest of its limits, or the jobs
 * of its partition that go first. "" if neither does. */
void eqt_scene_limits_ahead(char words[EQT_SCENE_WORDS],
			    const struct eqt_scene *scene, uint32_t index);

/* Write what a waiting job lacks of a budget, and when that may come. Returns false if
 * the job lacks nothing. */
bool eqt_scene_budgets_words(char words[EQT_SCENE_WORDS],
			     const struct eqt_scene *scene, uint32_t index);

/* The price of a job in equivalent-hours for its whole time limit. NAN if it has no
 * price. */
double eqt_scene_hours(const struct eqt_scene *scene,
		       const struct eqt_simulation_job *job);

#endif
