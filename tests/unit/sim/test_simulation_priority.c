/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include <stdio.h>

#include "simulation_fixture.h"

START_TEST(a_qos_has_points_and_a_usage_factor)
{
	static const struct eqt_simulation_qos low = { "low", 1, 1 };
	static const struct eqt_simulation_qos high = { "high", 9, 3 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, ANN, 20, 4, HOUR) };

	policy.weights = (struct eqt_factor_weights){ .qos = 1000 };
	jobs[1].qos = &low;
	jobs[2].qos = &high;
	qos_priority_max = 9;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
	ck_assert_int_eq(jobs[1].start, 2 * HOUR);
	qos_priority_max = 0;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
	policy.raw_qos = true;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
}
END_TEST

START_TEST(an_association_has_points)
{
	uint32_t of[TREE] = { 0 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, BOB, 20, 4, HOUR) };

	policy.weights = (struct eqt_factor_weights){ .assoc = 1000 };
	of[ANN] = 2;
	of[BOB] = 3;
	priorities = of;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
	priorities = NULL;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
}
END_TEST

/* 2 of 4 CPUs weigh 500, 4000 of 16000 MiB 750. */
START_TEST(tres_have_points_by_their_part_of_the_partition)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 2, HOUR),
					 job(3, ANN, 20, 1, HOUR) };

	policy.weights = (struct eqt_factor_weights){ 0 };
	policy.tres = (struct eqt_simulation_tres){
		.any = true, .cpus = 1000, .mem_mib = 3000
	};
	jobs[1].all.mem_mib = 10;
	jobs[2].all = (struct eqt_simulation_amount){ 1, 16000, 0 };
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
	ck_assert_int_eq(jobs[1].start, 2 * HOUR);
	policy.tres.mem_mib = 0;
	jobs[2].all.mem_mib = 15999;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
	ck_assert_int_eq(jobs[2].start, 2 * HOUR);
}
END_TEST

/* A user who pays nine times as much has used nine times as much. */
START_TEST(a_usage_factor_counts_in_the_shares)
{
	static const struct eqt_simulation_qos dear = { "dear", 0, 9 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, BOB, 0, 4, 2 * HOUR),
					 job(3, ANN, 10, 8, HOUR),
					 job(4, BOB, 10, 8, HOUR) };

	run(jobs, 4, 2);
	ck_assert_int_eq(jobs[2].start, 2 * HOUR);
	jobs[0].qos = &dear;
	run(jobs, 4, 2);
	ck_assert_int_eq(jobs[3].start, 2 * HOUR);
}
END_TEST

/* Bob's hour is free, and one of ann's two. */
START_TEST(a_factor_of_the_week_counts_in_the_shares)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, 2 * HOUR),
					 job(2, BOB, 0, 4, HOUR),
					 job(3, ANN, 10, 8, HOUR),
					 job(4, BOB, 10, 8, HOUR) };

	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	run(jobs, 4, 2);
	ck_assert_int_eq(jobs[2].start, 2 * HOUR);
	/* Time begins on a Thursday. */
	ck_assert_int_eq(eqt_week_parse(&conf.week, "0 Thu 00:00-01:00"), 0);
	run(jobs, 4, 2);
	ck_assert_int_eq(jobs[3].start, 2 * HOUR);
}
END_TEST

START_TEST(the_largest_job_is_impossible_and_not_refused)
{
	struct eqt_simulation_job one = job(1, ANN, 0, UINT32_MAX, HOUR);

	one.nodes = UINT32_MAX / 2;
	ck_assert_uint_eq(run(&one, 1, 1).impossible, 1);
}
END_TEST

/* ann's 3 CPUs run since 0; her large job waits before bob's small one, until she has
 * used three times his 100 seconds: between the passes at 60 and at 120. */
START_TEST(a_pass_starts_a_job_that_has_come_to_be_first)
{
	static const long double usage[TREE] = { 100, 0, 100, 0, 100 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					     job(2, ANN, 10, 8, HOUR),
					     job(3, BOB, 20, 1, HOUR) };
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 2,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.usage = usage,
		.jobs = jobs,
		.count = 3,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err;

	policy.half_life_s = 0;
	policy.backfill_s = 0;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), 0);
	ck_assert_int_eq(jobs[2].start, 120);
	ck_assert_int_eq(jobs[1].start, 120 + HOUR);
}
END_TEST

START_TEST(a_share_tree_that_is_none_is_refused)
{
	static const struct eqt_tree_input bad[] = {
		{ .parent = EQT_TREE_NONE },
		{ .parent = 2, .shares = 1, .user = true },
		{ .parent = 1, .shares = 1 },
	};
	struct eqt_simulation_job one = job(1, 1, 0, 1, HOUR);
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = bad,
		.tree_count = 3,
		.jobs = &one,
		.count = 1,
	};
	struct eqt_simulation_sum sum = { .started = 99 };
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), -1);
	ck_assert(err.text[0] != '\0');
	ck_assert_uint_eq(sum.started, 99);
}
END_TEST

/* ann's second job is before bob's until a ranking sees what her first one has used, when
 * that ends. Rankings are at 0 and so many whole seconds after the last one. */
START_TEST(ranks_are_computed_in_whole_seconds)
{
	static const struct {
		uint64_t every_ms;
		uint32_t end;
		bool ranked;
	} rows[] = {
		{ 10000, 9, false },  { 10000, 10, true },
		{ 10001, 10, false }, { 10001, 11, true },
		{ 9001, 9, false },   { 9001, 10, true },
		{ 1, 1, true },	      { 1000, 1, true },
		{ 1001, 1, false },   { 1001, 2, true },
		{ 600000, 59, false }, { 600000, 60, true },
		{ 0, 59, false },     { 0, 60, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct eqt_simulation_job jobs[] = {
			job(1, ANN, 0, 4, rows[i].end),
			job(2, ANN, 0, 4, HOUR), job(3, BOB, 0, 4, HOUR)
		};

		policy.priority.rank_every_ms = rows[i].every_ms;
		run(jobs, 3, 1);
		ck_assert_msg((jobs[2].start < jobs[1].start) == rows[i].ranked,
			      "every %llu ms, at %u s",
			      (unsigned long long) rows[i].every_ms,
			      rows[i].end);
	}
}
END_TEST

/* The price of all its memory has more than 64 bits: of a job that comes, that runs
 * when the simulation begins, or that waits then. */
START_TEST(a_job_that_cannot_be_priced_is_refused)
{
	static const uint32_t node[] = { 0 };
	const struct eqt_simulation_needs on = { .on = node };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 10, 1, HOUR),
					     job(2, ANN, 10, 1, HOUR),
					     job(3, ANN, 20, 1, HOUR) };
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = 3,
		.from = 15,
	};
	struct eqt_simulation_sum sum = { .started = 99 };

	conf.prices.cores.mem_mib_u = 1;
	nodes[0].has.mem_mib = INT64_MAX;
	jobs[0].needs = &on;
	jobs[0].start = 12;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL), 0);
	ck_assert_uint_eq(sum.started, 2);
	for (int i = 0; i < 3; i++) {
		struct eqt_error err = { "" };
		char wanted[20];

		jobs[i].all.mem_mib = INT64_MAX;
		sum.started = 99;
		ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err),
				 -1);
		snprintf(wanted, sizeof(wanted), "job %d: ", i + 1);
		ck_assert_msg(strncmp(err.text, wanted, strlen(wanted)) == 0,
			      "%s", err.text);
		ck_assert_uint_eq(sum.started, 99);
		jobs[i].all.mem_mib = 100;
	}
}
END_TEST

START_TEST(without_jobs_nothing_happens)
{
	struct eqt_simulation_job none = job(1, ANN, 0, 1, HOUR);
	const struct eqt_simulation_sum sum = run(&none, 0, 1);

	ck_assert_uint_eq(sum.started, 0);
	ck_assert_uint_eq(sum.passes, 0);
	ck_assert_int_eq(none.start, 0);
}
END_TEST

static void keep_charge(void *with, const struct eqt_simulation_job *ended,
			int64_t end, double equivalents)
{
	(void) ended;
	(void) end;
	*(double *) with = equivalents;
}

/* The bundle has a name of the longest kind, the model one character more. */
START_TEST(a_model_is_not_priced_by_the_beginning_of_its_name)
{
	struct eqt_bundle bundle = { .cores_u = EQT_MICRO,
				     .weight_u = 7 * EQT_MICRO };
	char name[EQT_NAME_SIZE + 1];
	double charged = 0;
	struct eqt_simulation_job one = job(1, ANN, 0, 1, HOUR);
	struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 1,
			     .models = { name },
			     .model_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = &one,
		.count = 1,
		.watch = { .with = &charged, .ran = keep_charge },
	};
	struct eqt_simulation_sum sum;

	memset(name, 'x', sizeof(name));
	memset(bundle.name, 'x', sizeof(bundle.name) - 1);
	conf.prices.gpu = &bundle;
	conf.prices.gpu_count = 1;
	nodes[0].has.gpus = one.all.gpus = 1;
	nodes[0].model = one.model = 0;
	for (size_t length = sizeof(name) - 2; length < sizeof(name);
	     length++) {
		name[length] = '\0';
		ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL),
				 0);
		ck_assert_double_eq(charged, length == EQT_NAME_SIZE - 1 ? 7
									 : 1);
		name[length] = 'x';
	}
}
END_TEST

/* ann has all the usage of before, so that bob's younger job is first. */
START_TEST(usage_from_before_counts)
{
	static const long double usage[TREE] = { 100, 100, 0, 100, 0 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					     job(2, BOB, 0, 4, HOUR) };
	const struct eqt_simulation in = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.usage = usage,
		.jobs = jobs,
		.count = 2,
	};
	struct eqt_simulation_sum sum;

	policy.stock.ties = _i == 1;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, NULL), 0);
	ck_assert_int_eq(jobs[1].start, 0);
	ck_assert_int_eq(jobs[0].start, HOUR);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("replay_points");
	TCase *tc = tcase_create("replay_points");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, a_qos_has_points_and_a_usage_factor);
	tcase_add_test(tc, an_association_has_points);
	tcase_add_test(tc, tres_have_points_by_their_part_of_the_partition);
	tcase_add_test(tc, a_usage_factor_counts_in_the_shares);
	tcase_add_test(tc, a_factor_of_the_week_counts_in_the_shares);
	tcase_add_test(tc, the_largest_job_is_impossible_and_not_refused);
	tcase_add_test(tc, a_pass_starts_a_job_that_has_come_to_be_first);
	tcase_add_test(tc, a_share_tree_that_is_none_is_refused);
	tcase_add_test(tc, ranks_are_computed_in_whole_seconds);
	tcase_add_test(tc, a_job_that_cannot_be_priced_is_refused);
	tcase_add_test(tc, without_jobs_nothing_happens);
	tcase_add_loop_test(tc, usage_from_before_counts, 0, 2);
	tcase_add_test(tc, a_model_is_not_priced_by_the_beginning_of_its_name);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
