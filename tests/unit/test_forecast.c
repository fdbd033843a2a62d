/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs need beside their size, simulations that begin with running jobs, and
 * forecasts from them. */
#include <stdlib.h>

#include "sim/forecast.h"
#include "simulation_fixture.h"

#define NOW 1000000

static uint64_t limits[2];
static struct eqt_simulation_reservation reservations[1];
static const uint32_t first_node[] = { 0 }, second_node[] = { 1 };

static struct eqt_simulation simulation(struct eqt_simulation_job *jobs,
					size_t count, uint32_t node_count)
{
	return (struct eqt_simulation){
		.cluster = { .nodes = nodes,
			     .node_count = node_count,
			     .partitions = partitions,
			     .partition_count = 2 },
		.tree = tree,
		.tree_count = TREE,
		.jobs = jobs,
		.count = count,
		.from = NOW,
		.limits = limits,
		.limit_count = 2,
		.reservations = reservations,
		.reservation_count = reservations[0].to ? 1 : 0,
	};
}

static struct eqt_simulation_sum run_now(struct eqt_simulation_job *jobs,
					 size_t count, uint32_t node_count,
					 bool anchored)
{
	struct eqt_simulation in = simulation(jobs, count, node_count);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	in.anchored = anchored;
	ck_assert_msg(eqt_simulation_run(&sum, &in, &policy, &err) == 0, "%s",
		      err.text);
	return sum;
}

static void setup_now(void)
{
	setup();
	limits[0] = limits[1] = UINT64_MAX;
	reservations[0] = (struct eqt_simulation_reservation){ .to = 0 };
}

START_TEST(without_a_beginning_it_begins_with_the_first_job)
{
	struct eqt_simulation_job jobs[] = { job(1, ANN, 5, 4, HOUR) };

	run(jobs, 1, 1);
	ck_assert_int_eq(jobs[0].start, 5);
}
END_TEST

START_TEST(a_running_job_keeps_its_node_to_its_end)
{
	const struct eqt_simulation_needs on = { .on = second_node };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 2000, 4, HOUR),
		job(2, BOB, NOW - 500, 8, HOUR),
	};

	jobs[0].needs = &on;
	jobs[0].start = NOW - 1000;
	run_now(jobs, 2, 2, false);
	ck_assert_int_eq(jobs[0].start, NOW - 1000);
	ck_assert_int_eq(jobs[1].start, NOW - 1000 + HOUR);
}
END_TEST

START_TEST(more_running_than_a_node_has_is_no_room)
{
	const struct eqt_simulation_needs on = { .on = first_node };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 9, 4, HOUR),
		job(2, ANN, NOW - 9, 4, HOUR),
		job(3, BOB, NOW - 5, 1, HOUR),
	};

	jobs[0].needs = jobs[1].needs = &on;
	jobs[0].start = NOW - 100;
	jobs[1].start = NOW;
	run_now(jobs, 3, 1, false);
	/* When the first has ended, the second still fills the node. */
	ck_assert_int_eq(jobs[2].start, NOW + HOUR);
}
END_TEST

START_TEST(a_job_at_a_limit_waits_and_keeps_nobody_waiting)
{
	const struct eqt_simulation_use use = { 0, 4 };
	const struct eqt_simulation_needs needs = { .uses = &use,
						    .use_count = 1 };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 4, HOUR),
		job(3, ANN, NOW - 1, 4, 2 * HOUR),
	};

	limits[0] = 6;
	jobs[0].needs = jobs[1].needs = &needs;
	run_now(jobs, 3, 4, false);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + HOUR);
	ck_assert_int_eq(jobs[2].start, NOW);
}
END_TEST

START_TEST(a_job_beyond_a_limit_never_starts)
{
	const struct eqt_simulation_use use = { 1, 4 };
	const struct eqt_simulation_needs needs = { .uses = &use,
						    .use_count = 1 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 3, 4, HOUR) };

	limits[1] = 3;
	jobs[0].needs = &needs;
	run_now(jobs, 1, 4, false);
	ck_assert(jobs[0].start == EQT_SIMULATION_NEVER);
}
END_TEST

START_TEST(a_dependent_job_waits_for_the_end_or_the_start)
{
	const uint32_t after[] = { 0 };
	const struct eqt_simulation_needs needs = {
		.after = after,
		.after_count = 1,
		.after_start = _i == 1,
	};
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 1, HOUR),
	};

	jobs[1].needs = &needs;
	run_now(jobs, 2, 4, false);
	if (_i == 1)
		ck_assert_int_lt(jobs[1].start, NOW + HOUR + 1);
	else
		ck_assert_int_eq(jobs[1].start, NOW + HOUR);
}
END_TEST

START_TEST(a_job_does_not_begin_before_its_time)
{
	const struct eqt_simulation_needs needs = { .begin = NOW + 777 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 3, 4, HOUR) };

	jobs[0].needs = &needs;
	run_now(jobs, 1, 1, false);
	ck_assert_int_eq(jobs[0].start, NOW + 777);
}
END_TEST

/* The reservation has node 0 from NOW + 600 to NOW + 1600. */
START_TEST(a_reservation_keeps_others_off)
{
	static const uint64_t bits[] = { 1 };
	const struct eqt_simulation_needs inside = { .reservation = 1,
						     .nodes = bits };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, 500), /* ends before it */
		job(2, ANN, NOW - 2, 4, HOUR), /* does not */
		job(3, BOB, NOW - 1, 4, 900), /* is of it */
	};

	jobs[2].needs = &inside;
	reservations[0] = (struct eqt_simulation_reservation){ NOW + 600,
							       NOW + 1600,
							       bits };
	run_now(jobs, 3, 1, false);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + 1600);
	ck_assert_int_eq(jobs[2].start, NOW + 600);
}
END_TEST

START_TEST(a_job_takes_only_the_nodes_that_will_do)
{
	static const uint64_t bits[] = { 2 };
	const struct eqt_simulation_needs needs = { .nodes = bits };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 4, HOUR),
		job(3, ANN, NOW - 1, 4, HOUR),
	};

	jobs[0].needs = jobs[1].needs = &needs;
	run_now(jobs, 3, 2, false);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + HOUR);
}
END_TEST

START_TEST(a_whole_node_is_an_empty_one)
{
	const struct eqt_simulation_needs whole = { .exclusive = true };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 1, 600),
		job(2, ANN, NOW - 2, 1, HOUR),
		job(3, ANN, NOW - 1, 1, 2 * HOUR),
	};

	jobs[1].needs = &whole;
	run_now(jobs, 3, 1, false);
	ck_assert_int_eq(jobs[1].start, NOW + 600);
	ck_assert_int_eq(jobs[2].start, NOW + 600 + HOUR);
}
END_TEST

/* Node 0 has 2 CPUs of the 4 that job 1 asks for. */
START_TEST(a_whole_node_that_is_too_small_is_not_planned)
{
	const struct eqt_simulation_needs whole = { .exclusive = true };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR), /* on node 1 */
		job(2, ANN, NOW - 2, 4, HOUR),
		job(3, ANN, NOW - 1, 2, HOUR), /* on node 0, in the way of none */
	};

	nodes[0].has.cpus = 2;
	jobs[1].needs = &whole;
	run_now(jobs, 3, 2, false);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + HOUR);
	ck_assert_int_eq(jobs[2].start, NOW);
}
END_TEST

START_TEST(a_job_whose_reservation_is_over_does_not_run_on_for_ever)
{
	static const uint64_t bits[] = { 1 };
	const struct eqt_simulation_needs late = { .reservation = 1 };
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 3, 4, HOUR) };

	jobs[0].needs = &late;
	reservations[0] = (struct eqt_simulation_reservation){ NOW - 60, NOW + 9,
							       bits };
	ck_assert_uint_eq(run_now(jobs, 1, 1, false).started, 0);
	ck_assert(jobs[0].start == EQT_SIMULATION_NEVER);
}
END_TEST

/* Room for 1024 jobs doubles, and doubles again: 3000 wait at once, four run. */
START_TEST(thousands_of_jobs_wait_at_once)
{
	static struct eqt_simulation_job many[3000];
	struct eqt_simulation_sum sum;

	policy.weights.fairshare = 0;
	policy.backfill_s = 0;
	for (uint32_t i = 0; i < 3000; i++)
		many[i] = job(i, ANN, NOW - 3, 1, 60);
	sum = run_now(many, 3000, 1, false);
	ck_assert_uint_eq(sum.live_max, 3000);
	for (uint32_t i = 0; i < 3000; i++)
		ck_assert_int_eq(many[i].start, NOW + 60 * (i / 4));
}
END_TEST

/* By fair share bob would be first; slurmctld says that ann is. */
START_TEST(jobs_keep_the_order_of_the_priorities_that_they_have)
{
	const struct eqt_simulation_needs high = { .priority = 5000 },
					  low = { .priority = 1000 };
	static const long double usage[TREE] = { 9000, 9000, 0, 9000, 0 };
	struct eqt_simulation_job jobs[] = {
		job(1, BOB, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 4, HOUR),
	};
	struct eqt_simulation in = simulation(jobs, 2, 1);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	in.usage = usage;
	in.anchored = true;
	jobs[0].needs = &low;
	jobs[1].needs = &high;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), 0);
	ck_assert_int_eq(jobs[1].start, NOW);
	ck_assert_int_eq(jobs[0].start, NOW + HOUR);
}
END_TEST

START_TEST(needs_that_point_nowhere_are_refused)
{
	static const struct eqt_simulation_use use = { 2, 1 };
	static const uint32_t far[] = { 9 };
	static const struct eqt_simulation_needs rows[] = {
		{ .uses = &use, .use_count = 1 },
		{ .after = far, .after_count = 1 },
		{ .on = far },
		{ .on = first_node }, /* it has ended */
		{ .reservation = 1 },
	};
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 3, 4, 1) };
	struct eqt_simulation in = simulation(jobs, 1, 1);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	jobs[0].start = NOW - 2;
	jobs[0].needs = &rows[_i];
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), -1);
	ck_assert(err.text[0] != '\0');
}
END_TEST

/* ---- Forecasts --------------------------------------------------------------- */

#define PAST 40

/* ann's jobs run a tenth of an hour's limit, bob's all of it. */
static void past_make(struct eqt_simulation_job *past)
{
	for (int i = 0; i < PAST; i++) {
		past[i] = job((uint32_t) i, i % 2 ? ANN : BOB,
			      NOW - 86400 + i * 60, 1, i % 2 ? 360 : HOUR);
		past[i].limit_s = HOUR;
	}
}

static bool enough_after_ten(void *with, uint32_t done)
{
	(void) with;
	return done < 10;
}

/* A job of bob runs since 1000 s, and all of his ran to their limit; or a job of ann, who
 * has no history, so that it ends at any time up to its limit. */
START_TEST(the_start_is_the_end_of_what_runs)
{
	const struct eqt_simulation_needs on = { .on = first_node };
	const uint32_t target = 1;
	struct eqt_simulation_job past[PAST], jobs[] = {
		job(1, _i ? BOB : ANN, NOW - 2000, 4, HOUR),
		job(2, ANN, NOW - 500, 4, HOUR),
	};
	struct eqt_simulation now = simulation(jobs, 2, 1);
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.past = past,
		.past_count = _i ? PAST : 0,
		.past_from = NOW - 86400,
		.targets = &target,
		.target_count = 1,
		.seed = 7,
		.futures = _i ? 200 : 400,
		.look_s = 864000,
		.go_on = _i == 2 ? enough_after_ten : NULL,
	};
	struct eqt_forecast_starts starts;
	struct eqt_error err = { "" };

	past_make(past);
	for (int i = 0; i < PAST; i++)
		past[i].partition = 1; /* others are not in the way */
	nodes[1].partitions = 2;
	now.cluster.node_count = 2;
	jobs[0].needs = &on;
	jobs[0].start = NOW - 1000;
	ck_assert_msg(eqt_forecast_run(&starts, &in, &err) == 0, "%s",
		      err.text);
	if (_i) {
		ck_assert_uint_eq(starts.futures, _i == 2 ? 10 : 200);
		ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.1),
				 NOW - 1000 + HOUR);
		ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.9),
				 NOW - 1000 + HOUR);
	} else {
		const int64_t left = HOUR - 1000;
		const int64_t median = eqt_forecast_quantile(&starts, 0, 0.5);

		ck_assert_uint_eq(starts.futures, 400);
		ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.9),
				 NOW + left);
		/* Half of the time, since a quarter run to their limit. */
		ck_assert_int_gt(median, NOW + left / 2);
		ck_assert_int_lt(median, NOW + left * 5 / 6);
	}
	eqt_forecast_starts_free(&starts);
}
END_TEST

START_TEST(a_job_that_cannot_start_is_later_than_all)
{
	const struct eqt_simulation_use use = { 0, 4 };
	const struct eqt_simulation_needs needs = { .uses = &use,
						    .use_count = 1 };
	const uint32_t target = 0;
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 500, 4, HOUR) };
	struct eqt_simulation now = simulation(jobs, 1, 1);
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.targets = &target,
		.target_count = 1,
		.futures = 5,
		.look_s = 86400,
	};
	struct eqt_forecast_starts starts;
	struct eqt_error err = { "" };

	limits[0] = 3;
	jobs[0].needs = &needs;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, &err), 0);
	ck_assert(eqt_forecast_quantile(&starts, 0, 0.1) ==
		  EQT_FORECAST_LATER);
	eqt_forecast_starts_free(&starts);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("forecast");
	TCase *tc = tcase_create("forecast");

	tcase_add_checked_fixture(tc, setup_now, NULL);
	tcase_add_test(tc,
		       without_a_beginning_it_begins_with_the_first_job);
	tcase_add_test(tc, a_running_job_keeps_its_node_to_its_end);
	tcase_add_test(tc, more_running_than_a_node_has_is_no_room);
	tcase_add_test(tc, a_job_at_a_limit_waits_and_keeps_nobody_waiting);
	tcase_add_test(tc, a_job_beyond_a_limit_never_starts);
	tcase_add_loop_test(tc, a_dependent_job_waits_for_the_end_or_the_start,
			    0, 2);
	tcase_add_test(tc, a_job_does_not_begin_before_its_time);
	tcase_add_test(tc, a_reservation_keeps_others_off);
	tcase_add_test(tc, a_job_takes_only_the_nodes_that_will_do);
	tcase_add_test(tc, a_whole_node_is_an_empty_one);
	tcase_add_test(tc, a_whole_node_that_is_too_small_is_not_planned);
	tcase_add_test(
		tc, a_job_whose_reservation_is_over_does_not_run_on_for_ever);
	tcase_add_test(tc, thousands_of_jobs_wait_at_once);
	tcase_add_test(tc, jobs_keep_the_order_of_the_priorities_that_they_have);
	tcase_add_loop_test(tc, needs_that_point_nowhere_are_refused, 0, 5);
	tcase_add_loop_test(tc, the_start_is_the_end_of_what_runs, 0, 3);
	tcase_add_test(tc, a_job_that_cannot_start_is_later_than_all);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
