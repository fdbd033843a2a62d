/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Make a workload from a seed: bursts of similar jobs, sizes in powers of 2, run times
 * that are even on a logarithmic scale, and limits that are guesses. At the end the run
 * times are scaled to the wanted load of each partition.
 */
#include <math.h>
#include <stdlib.h>

#include "base/whole.h"
#include "sim/workload.h"

#define SHORTEST_S 60
/* The longest run time divided by the shortest one, before scaling. */
#define LONGEST 1000.0
/* The longest run time after scaling, about three years. */
#define LONGEST_S 1e8
#define BURST_MAX 20
/* A limit is at most 1 + this number times the run time. */
#define GUESS_MAX 3.0

/* The state while jobs are made: users with their weights, and partitions. */
struct making {
	const struct eqt_workload *wanted;
	const struct eqt_simulation *on;
	uint64_t random;
	uint32_t *users;
	double *sums; /* running sums of the weights of users */
	uint32_t user_count;
	/* The smallest node of each partition. */
	struct eqt_simulation_amount least[EQT_SIMULATION_PARTITIONS_MAX];
	uint64_t cpus[EQT_SIMULATION_PARTITIONS_MAX];
	uint64_t cpus_all;
};

/* Return a random number. It comes from a linear congruential generator, whose better
 * high bits are mixed into the low ones. That is good enough for a workload, and the
 * same on every machine. */
static uint64_t random_next(struct making *making)
{
	uint64_t mixed;

	making->random = making->random * UINT64_C(6364136223846793005) +
			 UINT64_C(1442695040888963407);
	mixed = making->random ^ (making->random >> 33);
	mixed *= UINT64_C(0xff51afd7ed558ccd);
	return mixed ^ (mixed >> 33);
}

/* Return a random number from 0 up to but not including 1. */
static double random_unit(struct making *making)
{
	return (double) (random_next(making) >> 11) / 9007199254740992.0;
}

static int workload_find_users(struct making *making, struct eqt_error *err)
{
	const struct eqt_simulation *on = making->on;
	double sum = 0;

	making->users = calloc((size_t) on->tree_count + 1, sizeof(uint32_t));
	making->sums = calloc((size_t) on->tree_count + 1, sizeof(double));
	if (!making->users || !making->sums)
		return eqt_error_set(err, "out of memory");
	for (uint32_t i = 0; i < on->tree_count; i++) {
		if (!on->tree[i].user)
			continue;
		/* A few users want much: their weights differ by a factor of up to a
		 * hundred. */
		sum += pow(100, random_unit(making));
		making->users[making->user_count] = i;
		making->sums[making->user_count++] = sum;
	}
	return making->user_count ? 0 : eqt_error_set(err, "no users");
}

/* Find the smallest node of each partition, so that jobs fit on any node. */
static int workload_find_nodes(struct making *making, struct eqt_error *err)
{
	const struct eqt_simulation_cluster *cluster = &making->on->cluster;

	for (uint32_t i = 0; i < cluster->node_count; i++) {
		const struct eqt_simulation_node *node = &cluster->nodes[i];

		for (uint32_t p = 0; p < cluster->partition_count; p++) {
			struct eqt_simulation_amount *least = &making->least[p];

			if (!(node->partitions >> p & 1) || !node->has.cpus)
				continue;
			if (!making->cpus[p])
				*least = node->has;
			least->cpus =
				eqt_whole_min(least->cpus, node->has.cpus);
			least->mem_mib = eqt_whole_min(least->mem_mib,
						       node->has.mem_mib);
			least->gpus =
				eqt_whole_min(least->gpus, node->has.gpus);
			making->cpus[p] += node->has.cpus;
			making->cpus_all += node->has.cpus;
		}
	}
	return making->cpus_all ? 0
				: eqt_error_set(err, "no partition has nodes");
}

/* Pick a user by weight, with a binary search in the sums. */
static uint32_t job_pick_user(struct making *making)
{
	double at = random_unit(making) * making->sums[making->user_count - 1];
	uint32_t low = 0, high = making->user_count - 1;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (making->sums[mid] > at)
			high = mid;
		else
			low = mid + 1;
	}
	return making->users[low];
}

/* Pick a partition in proportion to its CPUs. */
static uint16_t job_pick_partition(struct making *making)
{
	uint64_t at = random_next(making) % making->cpus_all;
	uint16_t p = 0;

	while (at >= making->cpus[p])
		at -= making->cpus[p++];
	return p;
}

/* Pick a power of 2 up to `most`. Each power is half as likely as the previous one. */
static uint64_t job_pick_size(struct making *making, uint64_t most)
{
	uint64_t size = 1;

	while (size * 2 <= most && random_unit(making) < 0.5)
		size *= 2;
	return size;
}

/* Pick the resources of a job. A job with GPUs takes the same part of a node's CPUs and
 * memory as of its GPUs. For other jobs, the part of the memory is half to one and a
 * half of the part of the CPUs. */
static void job_pick_shape(struct making *making,
			   struct eqt_simulation_job *job)
{
	const struct eqt_simulation_amount *least =
		&making->least[job->partition];
	double part;

	job->nodes = 1;
	if (least->gpus) {
		job->all.gpus = job_pick_size(making, least->gpus);
		part = (double) job->all.gpus / (double) least->gpus;
		job->all.cpus = (uint64_t) ((double) least->cpus * part);
	} else {
		job->all.cpus = job_pick_size(making, least->cpus);
		part = (double) job->all.cpus / (double) least->cpus;
		part *= 0.5 + random_unit(making);
		part = part > 1 ? 1 : part;
	}
	job->all.mem_mib = (uint64_t) ((double) least->mem_mib * part);
	if (!job->all.cpus)
		job->all.cpus = 1;
}

/* Pick a run time from SHORTEST_S to LONGEST times SHORTEST_S, even on a logarithmic
 * scale. */
static uint32_t job_pick_length(struct making *making)
{
	return (uint32_t) (SHORTEST_S * pow(LONGEST, random_unit(making)));
}

/* Sort by the time of submission, which is the order that eqt_simulation_run()
 * requires. */
int eqt_workload_compare(const void *a, const void *b)
{
	const struct eqt_simulation_job *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Make a burst: several jobs of one shape that one user submits at one moment. */
static void burst_make(struct making *making, struct eqt_simulation_job *jobs,
		       size_t from, size_t count)
{
	struct eqt_simulation_job job = {
		.start = EQT_SIMULATION_NEVER,
		.model = EQT_SIMULATION_NO_MODEL,
	};
	uint32_t typical_s;

	/* Each draw is a statement of its own, because C does not define the order of
	 * calls within an initialiser. */
	job.at = (int64_t) (random_unit(making) * making->wanted->span_s);
	job.user = job_pick_user(making);
	job.person = job.user;
	job.partition = job_pick_partition(making);
	typical_s = job_pick_length(making);
	job_pick_shape(making, &job);
	for (size_t i = from; i < from + count; i++) {
		job.id = (uint32_t) i + 1;
		job.run_s =
			(uint32_t) (typical_s * (0.5 + random_unit(making))) +
			1;
		job.limit_s =
			(uint32_t) (1.5 * typical_s *
				    (1 + GUESS_MAX * random_unit(making))) +
			60;
		if (job.limit_s < job.run_s)
			job.limit_s = job.run_s;
		jobs[i] = job;
	}
}

/* Return a whole number of seconds from 1 to `most`. A NaN becomes 1. */
static uint32_t seconds_scaled(double seconds, double most)
{
	if (!(seconds > 1))
		return 1;
	return (uint32_t) (seconds < most ? seconds : most);
}

/* Make the jobs of each partition longer or shorter, so that the partition has the
 * wanted load. */
static void load_scale(struct making *making, struct eqt_simulation_job *jobs)
{
	const struct eqt_workload *wanted = making->wanted;
	double totals[EQT_SIMULATION_PARTITIONS_MAX] = { 0 };

	for (size_t i = 0; i < wanted->jobs; i++)
		totals[jobs[i].partition] +=
			(double) jobs[i].all.cpus * jobs[i].run_s;
	for (size_t i = 0; i < wanted->jobs; i++) {
		uint16_t p = jobs[i].partition;
		double factor = wanted->load * (double) making->cpus[p] *
				wanted->span_s / totals[p];

		jobs[i].run_s =
			seconds_scaled(jobs[i].run_s * factor, LONGEST_S);
		jobs[i].limit_s = seconds_scaled(jobs[i].limit_s * factor + 1,
						 2 * LONGEST_S);
	}
}

/* Make bursts until there are enough jobs. The last burst may be cut. */
static void jobs_make(struct making *making, struct eqt_simulation_job *jobs)
{
	const size_t all = making->wanted->jobs;

	for (size_t i = 0, count; i < all; i += count) {
		count = 1 + random_next(making) % BURST_MAX;
		eqt_whole_lower(&count, all - i);
		burst_make(making, jobs, i, count);
	}
	load_scale(making, jobs);
	if (all)
		qsort(jobs, all, sizeof(*jobs), eqt_workload_compare);
}

int eqt_workload_make(struct eqt_simulation_job *jobs,
		      const struct eqt_workload *wanted,
		      const struct eqt_simulation *on, struct eqt_error *err)
{
	struct making making = {
		.wanted = wanted,
		.on = on,
		.random = wanted->seed,
	};
	int rc = 0;

	if (!(wanted->load > 0) || !wanted->span_s)
		rc = eqt_error_set(err, "a load and a time above 0 are needed");
	if (rc == 0 && (workload_find_nodes(&making, err) < 0 ||
			workload_find_users(&making, err) < 0))
		rc = -1;
	if (rc == 0)
		jobs_make(&making, jobs);
	free(making.users);
	free(making.sums);
	return rc;
}
