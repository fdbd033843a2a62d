/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "sim/workload.h"
#include "simulation_fixture.h"

START_TEST(a_job_starts_when_it_comes_and_nothing_is_in_its_way)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 100, 4, HOUR),
					 job(2, ANN, 200, 4, HOUR) };
	struct eqt_simulation_sum sum = run(jobs, 2, 2);

	ck_assert_int_eq(jobs[0].start, 100);
	ck_assert_int_eq(jobs[1].start, 200);
	ck_assert_uint_eq(sum.started, 2);
	ck_assert_int_eq(sum.end, 200 + HOUR);
}
END_TEST

START_TEST(the_next_starts_when_one_ends)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 0, 1, 10) };

	run(jobs, 2, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
}
END_TEST

/* ann has run; then bob, who has a third of her shares, submits. */
START_TEST(user_with_less_usage_per_share_is_first)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, BOB, 20, 4, HOUR),
					 job(4, BOB, 30, 4, HOUR),
					 job(5, ANN, 40, 4, HOUR) };

	run(jobs, 5, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
	/* bob has now used as much, but has a third of her shares. */
	ck_assert_int_eq(jobs[1].start, 2 * HOUR);
	ck_assert_int_eq(jobs[4].start, 3 * HOUR);
	ck_assert_int_eq(jobs[3].start, 4 * HOUR);
}
END_TEST

/* bob's hour of yesterday weighs less than ann's recent ten minutes. */
START_TEST(usage_decays_between_jobs)
{
	const int64_t later = 20 * HOUR;
	struct eqt_simulation_job jobs[] = { job(1, BOB, 0, 4, HOUR),
					 job(2, ANN, later, 4, 600),
					 job(3, ANN, later + 10, 4, HOUR),
					 job(4, BOB, later + 20, 4, HOUR) };

	policy.half_life_s = HOUR;
	run(jobs, 4, 1);
	ck_assert_int_eq(jobs[3].start, later + 600);
	ck_assert_int_eq(jobs[2].start, later + 600 + HOUR);
}
END_TEST

START_TEST(without_weights_the_older_job_is_first)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, BOB, 20, 4, HOUR) };

	policy.weights.fairshare = 0;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
	ck_assert_int_eq(jobs[2].start, 2 * HOUR);
}
END_TEST

/* Job 2 waits for both nodes until 3600. The free node has time for job 3
 * before that, but not for job 4. */
START_TEST(backfill_delays_no_reservation)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 8, HOUR),
					 job(3, ANN, 20, 4, HOUR / 2),
					 job(4, ANN, 30, 4, 2 * HOUR) };
	struct eqt_simulation_sum sum = run(jobs, 4, 2);

	ck_assert_int_eq(jobs[1].start, HOUR);
	ck_assert_int_lt(jobs[2].start, 60);
	ck_assert_int_eq(jobs[3].start, 2 * HOUR);
	ck_assert_uint_eq(sum.backfilled, 1);
}
END_TEST

/* One of two nodes is free in 1 h, for job 3; the other one is half full, and
 * free in 2 h. Only a reservation for job 4 keeps job 5 from that half. */
START_TEST(nodes_are_held_for_as_many_as_asked_for)
{
	const struct {
		uint32_t reserve;
		int64_t fourth, fifth;
	} rows[] = { { 0, 3 * HOUR, 0 },
		     { 1, 3 * HOUR, 0 },
		     { 2, 2 * HOUR, 3 * HOUR },
		     { 9, 2 * HOUR, 3 * HOUR } };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 0, 2, 2 * HOUR),
					 job(3, ANN, 10, 4, 2 * HOUR),
					 job(4, ANN, 20, 4, HOUR),
					 job(5, ANN, 30, 2, 4 * HOUR) };

	policy.backfill_reserve = rows[_i].reserve;
	run(jobs, 5, 2);
	ck_assert_int_eq(jobs[2].start, HOUR);
	ck_assert_int_eq(jobs[3].start, rows[_i].fourth);
	ck_assert_int_eq(jobs[4].start / HOUR * HOUR, rows[_i].fifth);
}
END_TEST

/* Job 2 is planned for the whole node from 3600 on. Half an hour fits before it, and
 * half a node from 3600 on is not shared with it. */
START_TEST(a_planned_job_has_its_node_whole)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					 job(2, ANN, 10, 2, HOUR),
					 job(3, ANN, 20, 1, HOUR / 2),
					 job(4, ANN, 30, 1, 2 * HOUR) };

	run(jobs, 4, 1);
	ck_assert_int_eq(jobs[1].start, HOUR);
	ck_assert_int_lt(jobs[2].start, 60);
	ck_assert_int_eq(jobs[3].start, HOUR);
}
END_TEST

/* What is beyond bf_window is not planned, so that job 3 delays job 2. */
START_TEST(beyond_the_window_nothing_is_planned)
{
	const struct {
		uint32_t window_s;
		int64_t second;
	} rows[] = { { 3600, HOUR }, { 3000, 2 * HOUR + 20 } };
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, ANN, 20, 1, 2 * HOUR) };

	policy.backfill_window_s = rows[_i].window_s;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[1].start / 60 * 60, rows[_i].second / 60 * 60);
}
END_TEST

/* Passes that could start nothing are left out, and change nothing: with a pass every
 * second jobs start as with one just in time. */
START_TEST(passes_that_start_nothing_are_left_out)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, 100 * HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, BOB, 20, 4, HOUR) };
	struct eqt_simulation_sum sum;

	policy.period_s = 1;
	sum = run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, 100 * HOUR);
	ck_assert_int_eq(jobs[1].start, 101 * HOUR);
	/* One when it begins, one for job 2 at 10, then one each second while a
	 * job waits, and one at the end. */
	ck_assert_uint_eq(sum.passes, 1 + 1 + 101 * HOUR - 10 + 1);
}
END_TEST

START_TEST(without_backfill_nobody_overtakes)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 8, HOUR),
					 job(3, ANN, 20, 4, HOUR / 2) };

	policy.backfill_s = 0;
	run(jobs, 3, 2);
	ck_assert_int_eq(jobs[2].start, 2 * HOUR);
}
END_TEST

/* Three of four CPUs of each node are in use: four are free, but no node has
 * two. */
START_TEST(a_job_needs_its_cpus_on_one_node)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 3, HOUR),
					 job(2, ANN, 0, 3, HOUR),
					 job(3, ANN, 0, 2, HOUR) };

	run(jobs, 3, 2);
	ck_assert_int_eq(jobs[2].start, HOUR);
}
END_TEST

START_TEST(a_job_too_large_never_starts)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 12, HOUR),
					 job(2, ANN, 0, 4, HOUR) };
	struct eqt_simulation_sum sum = run(jobs, 2, 2);

	ck_assert_uint_eq(sum.impossible, 1);
	ck_assert(jobs[0].start == EQT_SIMULATION_NEVER);
	ck_assert_int_eq(jobs[1].start, 0);
}
END_TEST

START_TEST(a_higher_tier_is_first)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, HOUR),
					 job(2, ANN, 10, 4, HOUR),
					 job(3, ANN, 20, 4, HOUR) };

	nodes[0].partitions = 3;
	partitions[1].tier = 2;
	jobs[2].partition = 1;
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[2].start, HOUR);
	ck_assert_int_eq(jobs[1].start, 2 * HOUR);
}
END_TEST

/* Many short jobs of two users who always have more: each gets its share. */
START_TEST(delivered_time_follows_the_shares)
{
	enum { JOBS = 4000 };
	static struct eqt_simulation_job jobs[JOBS];
	double got[TREE] = { 0 };

	for (uint32_t i = 0; i < JOBS; i++)
		jobs[i] = job(i + 1, i % 2 ? ANN : BOB, 0, 1, 600);
	run(jobs, JOBS, 4);
	for (int i = 0; i < JOBS; i++)
		if (jobs[i].start < 20 * HOUR)
			got[jobs[i].user] += 1;
	ck_assert_msg(got[ANN] / (got[ANN] + got[BOB]) > 0.72 &&
			      got[ANN] / (got[ANN] + got[BOB]) < 0.78,
		      "%g of %g", got[ANN], got[ANN] + got[BOB]);
}
END_TEST

/* With places each start counts at once: far fewer jobs are enough. */
START_TEST(places_divide_what_starts_together)
{
	struct eqt_simulation_job jobs[41];
	int ann = 0, bob = 0;

	policy.priority.order = EQT_ORDER_JOBS;
	policy.priority.allocated_now = 86400;
	jobs[0] = job(1, ANN, 0, 16, 600);
	for (uint32_t i = 1; i < 41; i++)
		jobs[i] = job(i + 1, i % 2 ? ANN : BOB, 1, 1, HOUR);
	run(jobs, 41, 4);
	for (int i = 1; i < 41; i++) {
		ann += jobs[i].start == 600 && jobs[i].user == ANN;
		bob += jobs[i].start == 600 && jobs[i].user == BOB;
	}
	ck_assert_int_eq(ann + bob, 16);
	ck_assert_int_eq(ann, 12);
}
END_TEST

/* Both users have as much per share, and ann's usage is a little larger. The job of hers
 * that has ended is taken off her usage, so that the next place is hers. */
START_TEST(places_expect_that_jobs_end_where_jobs_have_ended)
{
	struct eqt_simulation_job jobs[15];

	policy.priority.order = EQT_ORDER_JOBS;
	policy.priority.allocated_now = 86400;
	nodes[3].has.cpus = 1;
	for (uint32_t i = 0; i < 13; i++)
		jobs[i] = job(i + 1, i < 10 ? ANN : BOB, 0, 1,
			      i ? 10 * HOUR : 600);
	jobs[13] = job(14, BOB, 1, 1, HOUR);
	jobs[14] = job(15, ANN, 2, 1, HOUR);
	run(jobs, 15, 4);
	ck_assert_int_eq(jobs[14].start, 600);
	ck_assert_int_eq(jobs[13].start, 600 + HOUR);
}
END_TEST

/* ann's short job starts after the ranking at 541 and ends before the next one, so no
 * ranking has counted it as running, and nothing is taken off for it. */
START_TEST(places_expect_no_end_of_a_job_that_no_ranking_has_seen)
{
	struct eqt_simulation_job jobs[15];

	policy.priority.order = EQT_ORDER_JOBS;
	policy.priority.allocated_now = 86400;
	nodes[3].has.cpus = 1;
	for (uint32_t i = 0; i < 12; i++)
		jobs[i] = job(i + 1, i < 9 ? ANN : BOB, 0, 1, 10 * HOUR);
	jobs[12] = job(13, ANN, 541, 1, 59);
	jobs[13] = job(14, BOB, 542, 1, HOUR);
	jobs[14] = job(15, ANN, 543, 1, HOUR);
	run(jobs, 15, 4);
	ck_assert_int_eq(jobs[13].start, 600);
	ck_assert_int_eq(jobs[14].start, 600 + HOUR);
}
END_TEST

static double charged;

static void add_charge(void *with, const struct eqt_simulation_job *ended,
		       int64_t end, double equivalents)
{
	(void) with;
	charged += equivalents * (double) (end - ended->start);
}

START_TEST(each_run_is_reported_once)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 4, 1000),
					 job(2, BOB, 0, 2, 500),
					 job(3, BOB, 7, 1, 0) };
	const struct eqt_simulation replay = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = 3,
		.watch.ran = add_charge,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err;

	charged = 0;
	ck_assert_int_eq(eqt_simulation_run(&sum, &replay, &policy, &err), 0);
	ck_assert_double_eq(charged, 5000);
	ck_assert_uint_eq(sum.started, 3);
}
END_TEST

static const struct {
	const char *name;
	const char *text;
	struct eqt_simulation_job job;
} refused[] = {
	{ "an account for a user", "job 7: no user of the share tree",
	  { .id = 7, .user = A, .nodes = 1, .all.cpus = 1 } },
	{ "a partition beyond the last", "job 7: no such partition",
	  { .id = 7, .user = ANN, .nodes = 1, .all.cpus = 1, .partition = 2 } },
	{ "no CPU", "job 7: less than a CPU on a node",
	  { .id = 7, .user = ANN, .nodes = 2, .all.cpus = 1 } },
	{ "too many nodes", "job 7: too large",
	  { .id = 7, .user = ANN, .nodes = UINT32_MAX / 2 + 1,
	    .all.cpus = UINT32_MAX } },
	{ "beyond its limit", "job 7: runs beyond its time limit",
	  { .id = 7, .user = ANN, .nodes = 1, .all.cpus = 1, .run_s = 1 } },
	{ "a model beyond the last", "job 7: no such model of GPUs",
	  { .id = 7, .user = ANN, .nodes = 1, .all.cpus = 1, .model = 3 } },
};

START_TEST(a_wrong_job_is_refused)
{
	struct eqt_simulation_job one = refused[_i].job;
	const struct eqt_simulation replay = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 2,
			     .models = { "gpu" },
			     .model_count = 1 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = &one,
		.count = 1,
	};
	struct eqt_simulation_sum sum = { .started = 99 };
	struct eqt_error err;

	ck_assert_int_eq(eqt_simulation_run(&sum, &replay, &policy, &err), -1);
	ck_assert_str_eq(err.text, refused[_i].text);
	ck_assert_uint_eq(sum.started, 99);
}
END_TEST

/* Each change of the input or of the policy is refused before anything is read. */
START_TEST(an_input_that_is_too_large_or_has_no_time_is_refused)
{
	static const struct {
		size_t count;
		uint32_t partitions, period_s;
		int64_t from;
		const char *text; /* NULL: it runs */
	} rows[] = {
		{ 1, 2, 60, 0, NULL },
		{ 1, 2, 60, 5, NULL },
		{ 1, EQT_SIMULATION_PARTITIONS_MAX, 60, 0, NULL },
		{ 0, 2, 60, 5, NULL },
		{ UINT32_MAX, 2, 60, 0, "too many jobs" },
		{ 1, EQT_SIMULATION_PARTITIONS_MAX + 1, 60, 0,
		  "more than 64 partitions" },
		{ 1, 2, 0, 0, "a period of no time" },
		{ 1, 2, 60, 4, "begins before the first job" },
	};
	static struct eqt_simulation_partition many
		[EQT_SIMULATION_PARTITIONS_MAX + 1];

	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++)
		many[i] = partitions[0];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct eqt_simulation_job one = job(1, ANN, 5, 1, HOUR);
		const struct eqt_simulation replay = {
			.cluster = { .nodes = nodes,
				     .node_count = 1,
				     .partitions = many,
				     .partition_count = rows[i].partitions },
			.tree = tree,
			.tree_count = TREE,
			.jobs = &one,
			.count = rows[i].count,
			.from = rows[i].from,
		};
		struct eqt_simulation_sum sum = { .started = 99 };
		struct eqt_error err = { "" };

		policy.period_s = rows[i].period_s;
		ck_assert_int_eq(eqt_simulation_run(&sum, &replay, &policy,
						    &err),
				 rows[i].text ? -1 : 0);
		ck_assert_str_eq(err.text, rows[i].text ? rows[i].text : "");
		ck_assert_uint_eq(sum.started,
				  rows[i].text ? 99 : rows[i].count);
	}
}
END_TEST

START_TEST(jobs_come_in_the_order_of_time)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 0, 1, HOUR),
					 job(2, ANN, 20, 1, HOUR),
					 job(3, ANN, 10, 1, HOUR) };
	const struct eqt_simulation replay = {
		.cluster = { .nodes = nodes,
			     .node_count = 1,
			     .partitions = partitions,
			     .partition_count = 2 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = 3,
	};
	struct eqt_simulation_sum sum;
	struct eqt_error err;

	ck_assert_int_eq(eqt_simulation_run(&sum, &replay, &policy, &err), -1);
	ck_assert_str_eq(err.text, "job 3: not in the order of time");
}
END_TEST

/* The same seed gives the same starts, another seed gives others, and no node
 * ever has more than its resources. */
enum { MADE = 3000 };

static void make(struct eqt_simulation_job *jobs, uint64_t seed)
{
	const struct eqt_workload wanted = {
		.seed = seed, .jobs = MADE, .span_s = 3 * 86400, .load = 1.2
	};
	const struct eqt_simulation on = {
		.cluster = { .nodes = nodes,
			     .node_count = 4,
			     .partitions = partitions,
			     .partition_count = 2 },
		.tree = tree,
		.tree_count = TREE,
	};
	struct eqt_error err;

	ck_assert_int_eq(eqt_workload_make(jobs, &wanted, &on, &err), 0);
}

START_TEST(a_seed_makes_one_workload)
{
	static struct eqt_simulation_job first[MADE], again[MADE];
	int differ = 0;

	make(first, 5);
	make(again, 5);
	run(first, MADE, 4);
	run(again, MADE, 4);
	for (int i = 0; i < MADE; i++)
		ck_assert(first[i].id == again[i].id &&
			  first[i].start == again[i].start);
	make(again, 6);
	for (int i = 0; i < MADE; i++)
		differ += first[i].run_s != again[i].run_s;
	ck_assert_int_gt(differ, MADE / 2);
}
END_TEST

START_TEST(the_load_is_what_was_asked_for)
{
	static struct eqt_simulation_job jobs[MADE];
	double cpu_s = 0;

	make(jobs, 9);
	for (int i = 0; i < MADE; i++) {
		ck_assert_uint_ge(jobs[i].limit_s, jobs[i].run_s);
		cpu_s += (double) jobs[i].all.cpus * jobs[i].run_s;
	}
	cpu_s /= 16.0 * 3 * 86400;
	ck_assert_msg(cpu_s > 1.15 && cpu_s < 1.25, "%g", cpu_s);
}
END_TEST

static int compare_times(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1)
			    : (a[1] < b[1] ? -1 : a[1] > b[1]);
}

START_TEST(the_cluster_is_never_more_than_full)
{
	static struct eqt_simulation_job jobs[MADE];
	static int64_t events[2 * MADE][2];
	int64_t used = 0;
	int most = 0;

	make(jobs, 11);
	run(jobs, MADE, 4);
	for (int i = 0; i < MADE; i++) {
		events[2 * i][0] = jobs[i].start;
		events[2 * i][1] = (int64_t) jobs[i].all.cpus;
		events[2 * i + 1][0] = jobs[i].start + jobs[i].run_s;
		events[2 * i + 1][1] = -(int64_t) jobs[i].all.cpus;
		ck_assert_int_ge(jobs[i].start, jobs[i].at);
	}
	qsort(events, 2 * MADE, sizeof(events[0]), compare_times);
	for (int i = 0; i < 2 * MADE; i++) {
		used += events[i][1];
		ck_assert_int_le(used, 16);
		most += used == 16;
	}
	ck_assert_int_gt(most, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("replay");
	TCase *tc = tcase_create("replay");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc,
		       a_job_starts_when_it_comes_and_nothing_is_in_its_way);
	tcase_add_test(tc, the_next_starts_when_one_ends);
	tcase_add_test(tc, user_with_less_usage_per_share_is_first);
	tcase_add_test(tc, usage_decays_between_jobs);
	tcase_add_test(tc, without_weights_the_older_job_is_first);
	tcase_add_test(tc, backfill_delays_no_reservation);
	tcase_add_loop_test(tc, nodes_are_held_for_as_many_as_asked_for, 0, 4);
	tcase_add_test(tc, a_planned_job_has_its_node_whole);
	tcase_add_loop_test(tc, beyond_the_window_nothing_is_planned, 0, 2);
	tcase_add_test(tc, passes_that_start_nothing_are_left_out);
	tcase_add_test(tc, without_backfill_nobody_overtakes);
	tcase_add_test(tc, a_job_needs_its_cpus_on_one_node);
	tcase_add_test(tc, a_job_too_large_never_starts);
	tcase_add_test(tc, a_higher_tier_is_first);
	tcase_add_test(tc, delivered_time_follows_the_shares);
	tcase_add_test(tc, places_divide_what_starts_together);
	tcase_add_test(tc, places_expect_that_jobs_end_where_jobs_have_ended);
	tcase_add_test(
		tc, places_expect_no_end_of_a_job_that_no_ranking_has_seen);
	tcase_add_test(tc, each_run_is_reported_once);
	tcase_add_loop_test(tc, a_wrong_job_is_refused, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc,
		       an_input_that_is_too_large_or_has_no_time_is_refused);
	tcase_add_test(tc, jobs_come_in_the_order_of_time);
	tcase_add_test(tc, a_seed_makes_one_workload);
	tcase_add_test(tc, the_load_is_what_was_asked_for);
	tcase_add_test(tc, the_cluster_is_never_more_than_full);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
