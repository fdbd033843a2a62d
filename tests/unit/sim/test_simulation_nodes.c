/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation by the nodes: which of them a job gets, what keeps it off, and what it
 * is charged.
 */
#include "sim/sim_nodes.h"
#include "sim/shape.h"
#include "simulation_fixture.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The first node of each start, and the equivalents of each end, by the job's id. */
static uint32_t first_node[8];
static double charged[8];

static void note_placed(void *with, const struct eqt_simulation_job *started,
			const uint32_t *on)
{
	(void) with;
	first_node[started->id] = on[0];
}

static void note_ran(void *with, const struct eqt_simulation_job *ended,
		     int64_t end, double equivalents)
{
	(void) with;
	ck_assert_int_eq(end, ended->start + ended->run_s);
	charged[ended->id] = equivalents;
}

/* GPUs are of two models. */
static struct eqt_simulation_sum simulate(struct eqt_simulation_job *jobs,
					  size_t count, uint32_t node_count)
{
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = node_count,
			     .partitions = partitions,
			     .partition_count = 2,
			     .models = { "gpu:p100", "gpu:v100" },
			     .model_count = 2 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = count,
		.watch = { .placed = note_placed, .ran = note_ran },
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_simulation_run(&sum, &in, &policy, &err) == 0, "%s",
		      err.text);
	return sum;
}

static void give_gpus(int node, uint64_t gpus, int model)
{
	nodes[node].has.gpus = gpus;
	nodes[node].model = model;
}

/* Two nodes of 4 CPUs and 16,000 MiB, of which jobs of two hours leave a CPU and
 * some memory each. A job of two CPUs takes both if it may, and gives both back. */
static const struct spread_row {
	const char *name;
	bool spread;
	uint64_t mem_mib, gpus;
	int64_t start;
} spreads[] = {
	{ "it spreads", true, 4000, 0, 1 },
	{ "it has asked for a number of nodes", false, 4000, 0, 2 * HOUR },
	{ "its memory has no room", true, 32000 - 20000 + 2, 0, 2 * HOUR },
	{ "it has a GPU", true, 4000, 1, 2 * HOUR },
};

START_TEST(a_job_that_may_spread_takes_what_several_nodes_have_left)
{
	const struct spread_row *row = &spreads[_i];
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, 0, 3, 2 * HOUR), job(2, ANN, 0, 3, 2 * HOUR),
		job(3, ANN, 1, 2, HOUR), job(4, ANN, 4 * HOUR, 4, HOUR),
		job(5, ANN, 4 * HOUR, 4, HOUR)
	};

	give_gpus(0, 2, 0);
	give_gpus(1, 2, 0);
	jobs[0].all.mem_mib = jobs[1].all.mem_mib = 10000;
	jobs[2].spread = row->spread;
	jobs[2].all.mem_mib = row->mem_mib;
	jobs[2].all.gpus = row->gpus;
	simulate(jobs, 5, 2);
	ck_assert_msg(jobs[2].start == row->start, "%s: %lld", row->name,
		      (long long) jobs[2].start);
	/* All is free again. */
	ck_assert_int_eq(jobs[3].start, 4 * HOUR);
	ck_assert_int_eq(jobs[4].start, 4 * HOUR);
}
END_TEST

static void note_three(void *with, const struct eqt_simulation_job *started,
		       const uint32_t *on)
{
	if (started->spread)
		memcpy(with, on, 3 * sizeof(*on));
}

/* Of three nodes, the first has one CPU left, and the others have two. */
START_TEST(a_job_that_spreads_takes_no_more_than_a_node_has_left)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					     job(2, ANN, 0, 2, HOUR),
					     job(3, ANN, 0, 2, HOUR),
					     job(4, ANN, 1, 3, HOUR) };
	uint32_t on[3] = { 9, 9, 9 };
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 3,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = 4,
		.watch = { .with = on, .placed = note_three },
	};
	struct eqt_simulation_sum sum;

	jobs[1].all.mem_mib = jobs[2].all.mem_mib = 9000;
	jobs[0].all.mem_mib = 9000;
	jobs[3].spread = true;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL), 0);
	ck_assert_int_eq(jobs[3].start, 1);
	ck_assert_uint_eq(on[0], 0);
	ck_assert_uint_eq(on[1], 1);
	ck_assert_uint_eq(on[2], 1);
}
END_TEST

/* A node of 4 CPUs, 16000 MiB and 2 GPUs: two jobs run together, or one after the
 * other. */
static const struct pair_row {
	const char *name;
	struct eqt_simulation_amount first, second;
	bool together;
} pairs[] = {
	{ "all CPUs", { 3, 10, 0 }, { 1, 10, 0 }, true },
	{ "a CPU too many", { 3, 10, 0 }, { 2, 10, 0 }, false },
	{ "all memory", { 1, 10000, 0 }, { 1, 6000, 0 }, true },
	{ "a MiB too many", { 1, 10000, 0 }, { 1, 6001, 0 }, false },
	{ "all GPUs", { 1, 10, 1 }, { 1, 10, 1 }, true },
	{ "a GPU too many", { 1, 10, 1 }, { 1, 10, 2 }, false },
};

START_TEST(two_jobs_share_a_node_that_has_enough_of_each_resource)
{
	const struct pair_row *row = &pairs[_i];
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 1, HOUR),
					     job(2, ANN, 0, 1, HOUR),
					     job(3, ANN, 3 * HOUR, 4, HOUR) };

	give_gpus(0, 2, 0);
	jobs[0].all = row->first;
	jobs[1].all = row->second;
	jobs[2].all = nodes[0].has;
	simulate(jobs, 3, 1);
	ck_assert_int_eq(jobs[0].start, 0);
	ck_assert_msg(jobs[1].start == (row->together ? 0 : HOUR), "%s",
		      row->name);
	/* All that they had is free again. */
	ck_assert_int_eq(jobs[2].start, 3 * HOUR);
}
END_TEST

START_TEST(a_cluster_may_have_as_many_partitions_as_there_is_room_for)
{
	enum { MOST = EQT_SIMULATION_PARTITIONS_MAX };
	static struct eqt_simulation_partition many[MOST];
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					     job(2, ANN, 0, 4, HOUR) };
	struct eqt_simulation in = {
		.cluster = { .nodes = nodes, .node_count = 1,
			     .partitions = many, .partition_count = MOST },
		.tree = tree, .tree_count = TREE, .jobs = jobs, .count = 2,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	for (size_t i = 0; i < MOST; i++)
		many[i] = partitions[0];
	nodes[0].partitions = UINT64_MAX;
	jobs[1].partition = MOST - 1;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), 0);
	ck_assert_int_eq(jobs[0].start, 0);
	ck_assert_int_eq(jobs[1].start, HOUR);
}
END_TEST

START_TEST(what_a_job_takes_of_each_node_is_rounded_up)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					     job(2, ANN, 0, 2, HOUR),
					     job(3, ANN, 0, 2, HOUR),
					     job(4, ANN, 0, 1, HOUR) };

	/* 3 CPUs on two nodes: 2 of each; so each of both has 2 left. */
	jobs[0].nodes = 2;
	simulate(jobs, 4, 2);
	ck_assert_int_eq(jobs[1].start, 0);
	ck_assert_int_eq(jobs[2].start, 0);
	ck_assert_int_eq(jobs[3].start, HOUR);
}
END_TEST

START_TEST(gpus_are_of_the_model_that_a_job_names)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 1, HOUR),
					     job(2, ANN, 2 * HOUR, 1, HOUR),
					     job(3, ANN, 4 * HOUR, 1, HOUR),
					     job(4, ANN, 6 * HOUR, 1, HOUR) };

	give_gpus(0, 2, 0);
	give_gpus(1, 2, 1);
	jobs[0].all.gpus = jobs[1].all.gpus = jobs[2].all.gpus = 1;
	jobs[1].model = 0;
	jobs[2].model = 1;
	jobs[3].model = 1; /* without GPUs the model is nothing to it */
	simulate(jobs, 4, 2);
	ck_assert_uint_eq(first_node[1], 0);
	ck_assert_uint_eq(first_node[2], 0);
	ck_assert_uint_eq(first_node[3], 1);
	ck_assert_uint_eq(first_node[4], 0);
}
END_TEST

START_TEST(a_job_runs_on_nodes_of_its_partition)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 1, HOUR),
					     job(2, ANN, 0, 1, HOUR),
					     job(3, ANN, 0, 4, HOUR) };

	nodes[1].partitions = 3;
	nodes[2].partitions = 2;
	jobs[1].partition = jobs[2].partition = 1;
	simulate(jobs, 3, 3);
	ck_assert_uint_eq(first_node[1], 0);
	ck_assert_uint_eq(first_node[2], 1);
	ck_assert_uint_eq(first_node[3], 2);
	ck_assert_int_eq(jobs[2].start, 0);
}
END_TEST

START_TEST(too_few_nodes_of_a_kind_never_start_a_job)
{
	static const struct {
		struct eqt_simulation_amount all;
		uint32_t nodes;
		int16_t model;
		bool possible;
	} rows[] = {
		{ { 8, 10, 0 }, 2, EQT_SIMULATION_NO_MODEL, true },
		{ { 9, 10, 0 }, 2, EQT_SIMULATION_NO_MODEL, false },
		{ { 2, 32000, 0 }, 2, EQT_SIMULATION_NO_MODEL, true },
		{ { 2, 32001, 0 }, 2, EQT_SIMULATION_NO_MODEL, false },
		{ { 1, 10, 2 }, 1, 1, true },
		{ { 1, 10, 3 }, 1, 1, false },
		{ { 2, 10, 2 }, 2, 1, false },
		{ { 3, 10, 0 }, 3, EQT_SIMULATION_NO_MODEL, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct eqt_simulation_job one = job(1, ANN, 0, 1, HOUR);
		struct eqt_simulation_sum sum;

		setup();
		give_gpus(0, 2, 0);
		give_gpus(1, 2, 1);
		one.all = rows[i].all;
		one.nodes = rows[i].nodes;
		one.model = rows[i].model;
		sum = simulate(&one, 1, 2);
		ck_assert_msg(sum.impossible == !rows[i].possible, "row %zu",
			      i);
		ck_assert_uint_eq(sum.started, rows[i].possible);
		ck_assert_int_eq(one.start,
				 rows[i].possible ? 0 : EQT_SIMULATION_NEVER);
	}
}
END_TEST

/* Half of the node is taken. The second job waits for more of it, and the third wants
 * less of one resource. */
START_TEST(a_smaller_job_is_not_held_by_a_larger_one_of_the_same_length)
{
	static const struct eqt_simulation_amount smaller[] = {
		{ 2, 9000, 2 }, { 3, 8000, 2 }, { 3, 9000, 1 },
	};

	for (size_t i = 0; i < COUNT(smaller); i++) {
		struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 1, HOUR),
						     job(2, ANN, 10, 1, 600),
						     job(3, ANN, 20, 1, 600) };
		struct eqt_simulation_amount half = { 2, 8000, 1 };

		setup();
		give_gpus(0, 2, 0);
		/* The one resource of which the third wants less is short. */
		half.cpus = i == 0 ? 2 : 1;
		half.mem_mib = i == 1 ? 8000 : 7000;
		half.gpus = i == 2 ? 1 : 0;
		jobs[0].all = half;
		jobs[1].all = (struct eqt_simulation_amount){ 3, 9000, 2 };
		jobs[2].all = smaller[i];
		simulate(jobs, 3, 1);
		ck_assert_int_eq(jobs[1].start, HOUR);
		ck_assert_int_lt(jobs[2].start, 100);
	}
}
END_TEST

START_TEST(a_job_is_charged_what_its_largest_share_costs)
{
	static const struct eqt_bundle models[] = {
		{ .name = "gpu:p100", .cores_u = 2 * EQT_MICRO,
		  .weight_u = 3 * EQT_MICRO },
		{ .name = "gpu:v100", .cores_u = 2 * EQT_MICRO,
		  .weight_u = 5 * EQT_MICRO },
	};
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 2, HOUR),
					     job(2, ANN, 0, 2, HOUR),
					     job(3, ANN, 0, 1, HOUR),
					     job(4, ANN, 0, 1, HOUR),
					     job(5, ANN, 0, 1, HOUR) };

	conf.prices.cores.mem_mib_u = UINT64_C(4000) * EQT_MICRO;
	conf.prices.gpu = models;
	conf.prices.gpu_count = 2;
	give_gpus(0, 4, 0);
	give_gpus(1, 4, 1);
	jobs[1].all.mem_mib = 10000;
	jobs[2].all.gpus = jobs[3].all.gpus = jobs[4].all.gpus = 1;
	jobs[2].model = 0;
	jobs[3].model = 1;
	simulate(jobs, 5, 3);
	ck_assert_double_eq(charged[1], 2);
	ck_assert_double_eq(charged[2], 2.5);
	ck_assert_double_eq(charged[3], 3);
	ck_assert_double_eq(charged[4], 5);
	ck_assert_double_eq(charged[5], 5); /* of any model: the dearest */
}
END_TEST

START_TEST(cpus_of_hyper_threads_are_charged_as_cores)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					     job(2, ANN, HOUR, 4, HOUR) };

	partitions[0].threads = 2;
	simulate(jobs, 2, 1);
	ck_assert_double_eq(charged[1], 2);
	ck_assert_double_eq(charged[2], 2);
}
END_TEST

START_TEST(gpus_that_have_no_price_are_not_charged)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					     job(2, ANN, 0, 1, HOUR) };

	give_gpus(0, 4, 0);
	jobs[0].all.gpus = jobs[1].all.gpus = 1;
	jobs[1].model = 0;
	simulate(jobs, 2, 1);
	ck_assert_double_eq(charged[1], 3);
	ck_assert_double_eq(charged[2], 1);
}
END_TEST

static const uint64_t some_nodes[] = { 1 }, other_nodes[] = { 2 };
static const struct eqt_simulation_needs on_some = { .nodes = some_nodes },
					 on_some_too = { .nodes = some_nodes,
							 .begin = 9 },
					 on_others = { .nodes = other_nodes },
					 whole = { .exclusive = true },
					 reserved = { .reservation = 1 },
					 no_nodes = { .begin = 9 };

static const struct {
	const char *name;
	struct eqt_simulation_job job;
	bool same;
} shape_rows[] = {
	{ "another user and time", { .user = 1, .at = 9, .nodes = 2 }, true },
	{ "needs that are not of nodes", { .needs = &no_nodes, .nodes = 2 },
	  true },
	{ "nodes of a list", { .needs = &on_some, .nodes = 2 }, false },
	{ "whole nodes", { .needs = &whole, .nodes = 2 }, false },
	{ "a reservation", { .needs = &reserved, .nodes = 2 }, false },
	{ "more nodes", { .nodes = 3 }, false },
	{ "more CPUs", { .nodes = 2, .all.cpus = 1 }, false },
	{ "more memory", { .nodes = 2, .all.mem_mib = 1 }, false },
	{ "more GPUs", { .nodes = 2, .all.gpus = 1 }, false },
	{ "another model", { .nodes = 2, .model = 1 }, false },
	{ "another partition", { .nodes = 2, .partition = 1 }, false },
};

START_TEST(jobs_are_alike_that_want_the_same_of_the_same_nodes)
{
	const struct eqt_simulation_job *job = &shape_rows[_i].job;
	const struct eqt_simulation_job plain = { .nodes = 2 };

	ck_assert_msg(eqt_shape_is_same(&plain, job) ==
			      shape_rows[_i].same,
		      "%s", shape_rows[_i].name);
	ck_assert_msg(eqt_shape_is_same(job, &plain) ==
			      shape_rows[_i].same,
		      "%s", shape_rows[_i].name);
}
END_TEST

START_TEST(jobs_with_lists_of_nodes_are_alike_if_it_is_one_list)
{
	struct eqt_simulation_job jobs[] = { { .needs = &on_some },
					     { .needs = &on_some_too },
					     { .needs = &on_others } };

	ck_assert(eqt_shape_is_same(&jobs[0], &jobs[1]));
	ck_assert(!eqt_shape_is_same(&jobs[0], &jobs[2]));
}
END_TEST

START_TEST(the_first_known_name_of_a_list_is_found)
{
	static const struct eqt_simulation_partition named[] = {
		{ .name = "one" }, { .name = "two" }
	};
	static const struct eqt_simulation_cluster cluster = {
		.partitions = named,
		.partition_count = 2,
		.models = { "gpu:a", "gpu:b" },
		.model_count = 2,
	};
	static const struct {
		const char *list;
		int found;
	} rows[] = { { "two", 1 },     { "two,one", 1 }, { "none,two", 1 },
		     { ",,one", 0 },   { "on,one", 0 },  { "ones", -1 },
		     { "none,", -1 },  { "", -1 },	 { "wo", -1 } };

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_sim_nodes_partition_first(
				      &cluster, rows[i].list) == rows[i].found,
			      "%s", rows[i].list);
	ck_assert_int_eq(eqt_sim_nodes_model(&cluster, "gpu:a"), 0);
	ck_assert_int_eq(eqt_sim_nodes_model(&cluster, "gpu:b"), 1);
	ck_assert_int_eq(eqt_sim_nodes_model(&cluster, "gpu"),
			 EQT_SIMULATION_NO_MODEL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation nodes");
	TCase *tc = tcase_create("simulation nodes");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(
		tc, two_jobs_share_a_node_that_has_enough_of_each_resource, 0,
		(int) COUNT(pairs));
	tcase_add_loop_test(
		tc, a_job_that_may_spread_takes_what_several_nodes_have_left, 0,
		(int) COUNT(spreads));
	tcase_add_test(tc,
		       a_job_that_spreads_takes_no_more_than_a_node_has_left);
	tcase_add_test(
		tc, a_cluster_may_have_as_many_partitions_as_there_is_room_for);
	tcase_add_test(tc, what_a_job_takes_of_each_node_is_rounded_up);
	tcase_add_test(tc, gpus_are_of_the_model_that_a_job_names);
	tcase_add_test(tc, a_job_runs_on_nodes_of_its_partition);
	tcase_add_test(tc, too_few_nodes_of_a_kind_never_start_a_job);
	tcase_add_test(
		tc,
		a_smaller_job_is_not_held_by_a_larger_one_of_the_same_length);
	tcase_add_test(tc, a_job_is_charged_what_its_largest_share_costs);
	tcase_add_test(tc, cpus_of_hyper_threads_are_charged_as_cores);
	tcase_add_test(tc, gpus_that_have_no_price_are_not_charged);
	tcase_add_loop_test(
		tc, jobs_are_alike_that_want_the_same_of_the_same_nodes, 0,
		(int) COUNT(shape_rows));
	tcase_add_test(tc,
		       jobs_with_lists_of_nodes_are_alike_if_it_is_one_list);
	tcase_add_test(tc, the_first_known_name_of_a_list_is_found);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
