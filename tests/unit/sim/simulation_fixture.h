/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A replay: clusters so small that the right starts can be worked out by hand.
 */
#ifndef EQT_REPLAY_FIXTURE_H
#define EQT_REPLAY_FIXTURE_H

#include "sim/simulation.h"
#include "../unit.h"

#define HOUR 3600

/* root - a (3 shares): ann; b (1 share): bob. */
enum { ROOT, A, B, ANN, BOB, TREE };
static const struct eqt_tree_input tree[TREE] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = ROOT, .shares = 3 },
	{ .parent = ROOT, .shares = 1 },
	{ .parent = A, .shares = 1, .user = true },
	{ .parent = B, .shares = 1, .user = true },
};

static struct eqt_conf conf;
static struct eqt_simulation_policy policy;
static struct eqt_simulation_node nodes[4];
static struct eqt_simulation_partition partitions[2];

/* Arguments that run() passes on. */
static uint32_t qos_priority_max;
static const uint32_t *priorities;

static void setup(void)
{
	qos_priority_max = 0;
	priorities = NULL;
	conf = (struct eqt_conf){
		.prices.cores = { .name = "cores",
				  .cores_u = EQT_MICRO,
				  .weight_u = EQT_MICRO },
	};
	policy = (struct eqt_simulation_policy){
		.conf = &conf,
		.priority.idle_shares = true,
		.weights.fairshare = 1000000,
		.half_life_s = 7 * 86400,
		.max_age_s = 7 * 86400,
		.period_s = 60,
		.backfill_s = 30,
		.backfill_depth = 500,
	.backfill_window_s = 86400,
	};
	for (int i = 0; i < 4; i++)
		nodes[i] = (struct eqt_simulation_node){
			.has = { .cpus = 4, .mem_mib = 16000 },
			.model = EQT_SIMULATION_NO_MODEL,
			.partitions = 1,
		};
	partitions[0] = (struct eqt_simulation_partition){
		.name = "one", .tier = 1, .job_factor = 1
	};
	partitions[1] = partitions[0];
	partitions[1].name = "two";
}

static struct eqt_simulation_job job(uint32_t id, uint32_t user, int64_t at,
				 uint64_t cpus, uint32_t run_s)
{
	return (struct eqt_simulation_job){
		.id = id,
		.user = user,
		.person = user,
		.at = at,
		.run_s = run_s,
		.limit_s = run_s,
		.nodes = cpus > 4 ? (uint32_t) (cpus + 3) / 4 : 1,
		.all = { .cpus = cpus, .mem_mib = 100 * cpus },
		.model = EQT_SIMULATION_NO_MODEL,
	};
}

static inline struct eqt_simulation_sum run(struct eqt_simulation_job *jobs, size_t count,
				 uint32_t node_count)
{
	const struct eqt_simulation replay = {
		.cluster = { .nodes = nodes,
			     .node_count = node_count,
			     .partitions = partitions,
			     .partition_count = 2 },
		.tree = tree,
		.tree_count = TREE,
		.priorities = priorities,
		.priority_max = 3,
		.qos_priority_max = qos_priority_max,
		.jobs = jobs,
		.count = count,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };
	int rc = eqt_simulation_run(&sum, &replay, &policy, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	return sum;
}

#endif
