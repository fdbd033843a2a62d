/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_priority_property: waiting jobs of random clusters, of which one runs at a time,
 * must start in the order of points that are added up here from the nodes.
 */
#include "../unit/unit.h"
#include "prio/factors.h"
#include "random.h"
#include "sim/simulation.h"

#define HISTORIES 4000
#define BEGIN 1000000
#define JOBS 7
#define NODES 6
#define PARTITIONS 3
#define MODELS 3

/* A random history; pointers of in go into it. */
struct history {
	struct eqt_random random;
	struct eqt_simulation in;
	struct eqt_simulation_policy policy;
	struct eqt_simulation_node nodes[NODES];
	struct eqt_simulation_partition partitions[PARTITIONS];
	struct eqt_simulation_job jobs[JOBS];
	uint32_t priorities[3]; /* of associations */
	struct eqt_simulation_needs needs[JOBS];
};

/* One running job uses up the limit. */
static const struct eqt_simulation_use use = { .limit = 0, .amount = 1 };
static const uint64_t limit = 1;
static const struct eqt_conf conf = {
	.prices = { .cores = { .name = "cores",
			       .cores_u = EQT_MICRO,
			       .mem_mib_u = UINT64_C(10) * EQT_MICRO,
			       .weight_u = EQT_MICRO },
		    .gpu = (const struct eqt_bundle[]){
			    { .name = "gpu:b",
			      .cores_u = 2 * EQT_MICRO,
			      .mem_mib_u = UINT64_C(9) * EQT_MICRO,
			      .weight_u = 3 * EQT_MICRO },
			    { .name = "gpu:a",
			      .cores_u = EQT_MICRO,
			      .weight_u = 2 * EQT_MICRO },
		    },
		    .gpu_count = 2 },
};
static const char *const models[MODELS] = { "gpu:a", "gpu:b", "gpu:c" };
static const int bundles[MODELS] = { 1, 0, -1 };
static const struct eqt_tree_input tree[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 1, .user = true },
	{ .parent = 0, .shares = 2, .user = true },
};
static const struct eqt_simulation_qos qos[] = { { "low", 3, 1 },
						 { "high", 7, 2 } };

static uint32_t below(struct history *history, uint32_t n)
{
	return (uint32_t) eqt_random_below(&history->random, n);
}

/* ---- The points ------------------------------------------------------------------ */

static double ref_tres_points(const struct history *history,
			      const struct eqt_simulation_job *job)
{
	const struct eqt_simulation_tres *tres = &history->policy.tres;
	const bool raw = history->policy.raw_tres;
	uint64_t cpus = 0, mem_mib = 0, nodes = 0, gpus = 0, of_model = 0;
	double points;

	for (uint32_t i = 0; i < history->in.cluster.node_count; i++) {
		const struct eqt_simulation_node *node = &history->nodes[i];

		if (!(node->partitions & UINT64_C(1) << job->partition))
			continue;
		cpus += node->has.cpus;
		mem_mib += node->has.mem_mib;
		gpus += node->has.gpus;
		of_model += node->model == job->model ? node->has.gpus : 0;
		nodes++;
	}
	if (!tres->any)
		return 0;
	points = eqt_factors_tres(job->all.cpus, cpus, raw, 0) * tres->cpus +
		 eqt_factors_tres(job->all.mem_mib, mem_mib, raw, 0) *
			 tres->mem_mib +
		 eqt_factors_tres(job->nodes, nodes, raw, 0) * tres->nodes +
		 eqt_factors_tres(job->all.gpus, gpus, raw, 0) * tres->gpus;
	for (int i = 0; job->model >= 0 && i < tres->model_count; i++)
		if (strcmp(tres->model[i].name, models[job->model]) == 0)
			points += eqt_factors_tres(job->all.gpus, of_model, raw,
						   0) *
				  tres->model[i].weight;
	return points;
}

/* The equivalents of a demand; *gpu_pool: GPUs decide in which unit. */
static double ref_equivalents(const struct eqt_demand *demand, bool *gpu_pool)
{
	struct eqt_price low, high;

	if (eqt_price_range(&low, &high, &conf.prices, demand, NULL) < 0)
		return 0;
	*gpu_pool = high.gpu_pool;
	return eqt_frac_double(high.equivalents);
}

static void ref_add_gpus(struct eqt_demand *demand, int model, uint64_t gpus)
{
	if (model < 0)
		demand->gpus_untyped += gpus;
	else if (bundles[model] >= 0)
		demand->gpus[bundles[model]] += gpus;
}

static double ref_size(const struct history *history,
		       const struct eqt_simulation_job *job)
{
	const uint64_t threads = history->partitions[job->partition].threads;
	struct eqt_demand one = { .mem_mib = job->all.mem_mib }, cores = { 0 },
			  gpus = { .placed = true };
	struct eqt_factor_size size = {
		.cpus = (uint32_t) job->all.cpus,
		.nodes = job->nodes,
		.time_limit_min = (job->limit_s + 59) / 60,
		.cluster_nodes = history->in.cluster.node_count,
		.favor_small = history->policy.favor_small,
		.relative_to_time = history->policy.relative_to_time,
		.by_equivalents = history->policy.priority.size_by ==
				  EQT_SIZE_BY_EQUIVALENTS,
	};
	bool gpu_pool = false, unused;

	one.cores = threads == 2 ? (job->all.cpus + 1) / 2 : job->all.cpus;
	ref_add_gpus(&one, job->model, job->all.gpus);
	for (uint32_t i = 0; i < history->in.cluster.node_count; i++) {
		const struct eqt_simulation_node *node = &history->nodes[i];

		cores.cores += node->has.cpus;
		cores.mem_mib += node->has.mem_mib;
		ref_add_gpus(&gpus, node->model, node->has.gpus);
	}
	size.cluster_cpus = (uint32_t) cores.cores;
	size.equivalents = ref_equivalents(&one, &gpu_pool);
	size.cluster_equivalents =
		ref_equivalents(gpu_pool ? &gpus : &cores, &unused);
	return eqt_factors_size(&size);
}

static double ref_partition(const struct history *history, uint32_t partition)
{
	uint32_t most = 1;

	if (history->policy.raw_partition)
		return history->partitions[partition].job_factor;
	for (uint32_t i = 0; i < history->in.cluster.partition_count; i++)
		if (history->partitions[i].job_factor > most)
			most = history->partitions[i].job_factor;
	return (double) history->partitions[partition].job_factor / most;
}

/* The points of a job at a time. */
static double ref_points(const struct history *history,
			 const struct eqt_simulation_job *job, int64_t now)
{
	const struct eqt_simulation_policy *policy = &history->policy;
	const double limit_min = (job->limit_s + 59) / 60;
	const uint32_t of_qos = job->qos ? job->qos->priority : 0;
	const uint32_t of_assoc = history->in.priorities
					  ? history->priorities[job->user]
					  : 0;
	struct eqt_factors points = {
		.age = eqt_factors_age(now, job->at, policy->max_age_s),
		.assoc = policy->raw_assoc ? of_assoc
					   : eqt_factors_part(of_assoc, 9),
		.qos = policy->raw_qos ? of_qos : eqt_factors_part(of_qos, 10),
		.size = ref_size(history, job),
		.partition = ref_partition(history, job->partition),
		.site = eqt_factors_site(
			0, 0,
			(double) policy->priority.expansion_weight *
				eqt_factors_expansion(now, job->at,
						      (uint32_t) limit_min,
						      1.5)),
		.nice = job->nice,
	};

	eqt_factors_weigh(&points, &policy->weights);
	points.tres = ref_tres_points(history, job);
	return eqt_factors_sum(&points);
}

/* ---- Histories -------------------------------------------------------------------- */

static void cluster_make(struct history *history)
{
	struct eqt_simulation_cluster *cluster = &history->in.cluster;

	cluster->nodes = history->nodes;
	cluster->partitions = history->partitions;
	cluster->partition_count = 1 + below(history, PARTITIONS);
	cluster->node_count = 3 + below(history, NODES - 2);
	cluster->model_count = MODELS;
	memcpy(cluster->models, models, sizeof(models));
	for (uint32_t i = 0; i < PARTITIONS; i++)
		history->partitions[i] = (struct eqt_simulation_partition){
			.name = "p",
			.tier = 1,
			.job_factor = below(history, 4),
			.threads = below(history, 3)
		};
	for (uint32_t i = 0; i < NODES; i++) {
		const bool gpus = below(history, 2) > 0;

		history->nodes[i] = (struct eqt_simulation_node){
			.has = { 1 + below(history, 6), below(history, 90),
				 gpus ? 1 + below(history, 4) : 0 },
			.model = gpus ? (int) below(history, 4) - 1 : -1,
			/* The first three are in one partition each. */
			.partitions = (i < 3 ? 1u << i : 0) |
				      1u << below(history, 3)
		};
	}
}

static void policy_make(struct history *history)
{
	static const char *const named[] = { "gpu:c", "gpu:a", "gpu:b" };
	struct eqt_simulation_policy *policy = &history->policy;

	*policy = (struct eqt_simulation_policy){
		.conf = &conf,
		.priority = { .idle_shares = true,
			      .size_by = below(history, 2)
						 ? EQT_SIZE_BY_EQUIVALENTS
						 : EQT_SIZE_BY_RESOURCES,
			      .expansion_weight = below(history, 2) * 500,
			      .expansion_full_u = 3 * EQT_MICRO / 2 },
		.weights = { .age = below(history, 2) * 1000,
			     .assoc = below(history, 2) * 900,
			     .size = below(history, 2) * 2000,
			     .partition = below(history, 2) * 800,
			     .qos = below(history, 2) * 700 },
		.tres = { .any = below(history, 2) > 0,
			  .cpus = below(history, 2) * 600,
			  .mem_mib = below(history, 2) * 500,
			  .nodes = below(history, 2) * 300,
			  .gpus = below(history, 2) * 400,
			  .model_count = (int) below(history, 3) },
		.max_age_s = 1000,
		.period_s = 1000000,
		.favor_small = below(history, 2) > 0,
		.relative_to_time = below(history, 4) == 0,
		.raw_partition = below(history, 3) == 0,
		.raw_qos = below(history, 3) == 0,
		.raw_assoc = below(history, 3) == 0,
		.raw_tres = below(history, 3) == 0,
	};
	/* One more is there than counts. */
	for (int i = 0; i <= policy->tres.model_count; i++) {
		strcpy(policy->tres.model[i].name, named[i]);
		policy->tres.model[i].weight = 1 + below(history, 700);
	}
}

/* A job that fits on one of the first nodes, or with a CPU each on several. */
static void job_make(struct history *history, uint32_t i)
{
	struct eqt_simulation_job *job = &history->jobs[i];
	const uint32_t partition =
		below(history, history->in.cluster.partition_count);
	const struct eqt_simulation_node *node = &history->nodes[partition];

	*job = (struct eqt_simulation_job){
		.at = BEGIN - 1400 + 200 * (int64_t) i,
		.id = i,
		.user = 1 + below(history, 2),
		.run_s = 30,
		.limit_s = 30 + below(history, 400),
		.nodes = 1,
		.all = { 1 + below(history, (uint32_t) node->has.cpus),
			 below(history, (uint32_t) node->has.mem_mib + 1),
			 below(history, (uint32_t) node->has.gpus + 1) },
		.model = (int16_t) (below(history, 3) ? node->model : -1),
		.qos = below(history, 3) ? &qos[below(history, 2)] : NULL,
		.needs = &history->needs[i],
		.nice = (int32_t) below(history, 3) * 50 - 50,
		.partition = (uint16_t) partition,
	};
	history->needs[i] = (struct eqt_simulation_needs){
		.uses = &use,
		.use_count = 1,
		.priority = below(history, 2) ? 1 + below(history, 5000) : 0,
	};
	for (uint32_t k = 3; k < history->in.cluster.node_count; k++)
		if (below(history, 2) &&
		    history->nodes[k].partitions >> partition & 1) {
			job->nodes = 2;
			job->all = (struct eqt_simulation_amount){ 2, 0, 0 };
		}
}

static void history_make(struct history *history, uint64_t seed)
{
	memset(history, 0, sizeof(*history));
	history->random.s = seed;
	cluster_make(history);
	policy_make(history);
	for (uint32_t i = 0; i < JOBS; i++)
		job_make(history, i);
	for (uint32_t i = 0; i < 3; i++)
		history->priorities[i] = below(history, 10);
	history->in.tree = tree;
	history->in.tree_count = 3;
	history->in.jobs = history->jobs;
	history->in.count = JOBS;
	history->in.from = BEGIN;
	history->in.limits = &limit;
	history->in.limit_count = 1;
	history->in.priorities = below(history, 4) ? history->priorities : NULL;
	history->in.priority_max = 9;
	history->in.anchored = below(history, 2) > 0;
	/* The last one comes while the first one runs. */
	history->jobs[JOBS - 1].at = BEGIN + 15;
	history->in.qos_priority_max = 10;
}

/* The upper one of the two in the middle, if there are two. */
static double ref_median(double *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t less = 0, equal = 0;

		for (size_t k = 0; k < count; k++) {
			less += all[k] < all[i];
			equal += all[k] == all[i];
		}
		if (less <= count / 2 && count / 2 < less + equal)
			return all[i];
	}
	return 0;
}

/* The priorities of all jobs. Those that wait at the beginning with one of their own
 * keep it; the others are moved by the median of what these differ by. */
static void ref_priorities(const struct history *history, uint32_t *priority)
{
	double bias[JOBS], moved;
	size_t count = 0;

	for (uint32_t i = 0; i < JOBS - 1; i++)
		if (history->in.anchored && history->needs[i].priority)
			bias[count++] =
				(double) history->needs[i].priority -
				eqt_factors_clamp(ref_points(
					history, &history->jobs[i], BEGIN));
	moved = ref_median(bias, count);
	count = 0;
	for (uint32_t i = 0; i < JOBS; i++) {
		const bool own = i < JOBS - 1 && history->in.anchored &&
				 history->needs[i].priority;

		priority[i] = eqt_factors_clamp(
			ref_points(history, &history->jobs[i],
				   i < JOBS - 1 ? BEGIN : BEGIN + 15) +
			(own ? bias[count++] : moved));
	}
}

/* The job that starts next, of which none has started before: the one of the highest
 * priority; of equal ones the oldest. */
static uint32_t ref_next(const uint32_t *priority, uint32_t started,
			 uint32_t come)
{
	uint32_t best = JOBS;

	for (uint32_t i = 0; i < come; i++)
		if (!(started >> i & 1) &&
		    (best == JOBS || priority[i] > priority[best]))
			best = i;
	return best;
}

START_TEST(jobs_start_in_the_order_of_their_points)
{
	static struct history history;
	size_t moved = 0;

	for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
		struct eqt_simulation_sum sum;
		uint32_t priority[JOBS], started = 0;

		history_make(&history, seed);
		ref_priorities(&history, priority);
		ck_assert_int_eq(eqt_simulation_run(&sum, &history.in,
						    &history.policy, NULL),
				 0);
		for (uint32_t place = 0; place < JOBS; place++) {
			const uint32_t next = ref_next(
				priority, started, place ? JOBS : JOBS - 1);

			ck_assert_msg(history.jobs[next].start ==
					      BEGIN + 30 * (int64_t) place,
				      "seed %llu: job %u of %u points starts "
				      "at %lld, not as number %u",
				      (unsigned long long) seed, next,
				      priority[next],
				      (long long) history.jobs[next].start,
				      place);
			started |= UINT32_C(1) << next;
			moved += place != next;
		}
	}
	/* Points make a difference. */
	ck_assert_uint_gt(moved, HISTORIES * JOBS / 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("priority_property");
	TCase *tc = tcase_create("priority_property");

	tcase_set_timeout(tc, 600);
	tcase_add_test(tc, jobs_start_in_the_order_of_their_points);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
