/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forecasts from the jobs that run and wait, and from those of the past. */
#include <stdlib.h>

#include "sim/forecast.h"
#include "simulation_now.h"

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
		ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.99),
				 NOW + left);
		/* A quarter of the time: most limits are too long. */
		ck_assert_int_gt(median, NOW + left / 6);
		ck_assert_int_lt(median, NOW + left / 3);
	}
	eqt_forecast_starts_free(&starts);
}
END_TEST

/* Others come and go on other nodes, at far more than 64 moments, until the job that runs
 * has ended. */
START_TEST(a_future_of_many_moments_goes_on_to_the_start)
{
	enum { MANY = 400 };
	const struct eqt_simulation_needs on = { .on = first_node };
	const uint32_t target = 1;
	struct eqt_simulation_job past[MANY], jobs[] = {
		job(1, ANN, NOW - 2000, 4, 20 * HOUR),
		job(2, ANN, NOW - 500, 4, HOUR),
	};
	struct eqt_simulation now = simulation(jobs, 2, 2);
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.past = past,
		.past_count = MANY,
		.past_from = NOW - 86400,
		.targets = &target,
		.target_count = 1,
		.futures = 5,
		.look_s = 864000,
	};
	struct eqt_forecast_starts starts;

	for (int i = 0; i < MANY; i++) {
		past[i] = job((uint32_t) i, BOB, NOW - 86400 + i * 200, 1, 60);
		past[i].partition = 1;
	}
	nodes[1].partitions = 2;
	jobs[0].needs = &on;
	jobs[0].start = NOW - 1000;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, NULL), 0);
	ck_assert_uint_eq(starts.futures, 5);
	ck_assert_int_le(eqt_forecast_quantile(&starts, 0, 0.9),
			 NOW - 1000 + 20 * HOUR);
	eqt_forecast_starts_free(&starts);
}
END_TEST

/* Another size of the target changes nothing else that is drawn: where it does not matter,
 * each future is the same. Without like jobs all lengths are guesses. */
START_TEST(paired_futures_differ_by_the_change_alone)
{
	const struct eqt_simulation_needs on = { .on = first_node };
	const uint32_t target = 1;
	int64_t before[9];

	nodes[1].partitions = 2;
	for (int changed = 0; changed < 2; changed++) {
		struct eqt_simulation_job jobs[] = {
			job(1, BOB, NOW - 9000, 4, HOUR),
			job(2, BOB, NOW - 500, 4, HOUR),
			job(3, BOB, NOW - 400, 4, HOUR),
		};
		struct eqt_simulation now = simulation(jobs, 3, 2);
		struct eqt_forecast in = {
			.now = &now,
			.policy = &policy,
			.past_from = NOW - 86400,
			.targets = &target,
			.target_count = 1,
			.futures = 9,
			.look_s = 300000,
			.paired = true,
		};
		struct eqt_forecast_starts starts;
		bool differ = false;

		jobs[0].needs = &on;
		jobs[0].start = NOW - 500;
		jobs[1].limit_s /= changed ? 2 : 1;
		jobs[1].run_s = jobs[1].limit_s;
		ck_assert_int_eq(eqt_forecast_run(&starts, &in, NULL), 0);
		ck_assert_uint_eq(starts.futures, 9);
		ck_assert_int_eq(starts.until, 0);
		ck_assert_uint_gt(starts.work, 0);
		for (int i = 0; i < 9; i++) {
			differ = differ || starts.starts[i] != starts.starts[0];
			if (changed)
				ck_assert_int_eq(starts.starts[i], before[i]);
			before[i] = starts.starts[i];
		}
		ck_assert(differ);
		eqt_forecast_starts_free(&starts);
	}
}
END_TEST

/* Job 1 of bob runs for 500 s yet. Then the first target starts, and the second one when
 * the first has run its hour; a third one needs more than there is. */
START_TEST(each_target_has_its_starts)
{
	const struct eqt_simulation_use use = { .limit = 0, .amount = 4 };
	const struct eqt_simulation_needs on = { .on = first_node };
	const struct eqt_simulation_needs over = { .uses = &use,
						   .use_count = 1 };
	const uint32_t targets[] = { 3, 1, 2 };
	struct eqt_simulation_job past[PAST], jobs[] = {
		job(1, BOB, NOW - 9000, 4, HOUR),
		job(2, BOB, NOW - 500, 4, HOUR),
		job(3, BOB, NOW - 400, 4, HOUR),
		job(4, BOB, NOW - 300, 4, HOUR),
	};
	struct eqt_simulation now = simulation(jobs, 4, 2);
	struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.past = past,
		.past_count = PAST,
		.past_from = NOW - 86400,
		.targets = targets,
		.target_count = _i ? 3 : 2,
		.futures = 7,
		.look_s = 300000,
		.go_on = enough_after_ten,
	};
	struct eqt_forecast_starts starts;
	struct eqt_error err = { "" };

	past_make(past);
	for (int i = 0; i < PAST; i++)
		past[i].partition = 1;
	nodes[1].partitions = 2;
	limits[0] = 3;
	jobs[0].needs = &on;
	jobs[0].start = NOW - HOUR + 500;
	jobs[2].needs = &over;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, &err), 0);
	ck_assert_uint_eq(starts.futures, 7);
	ck_assert_uint_eq(starts.targets, _i ? 3 : 2);
	ck_assert_uint_eq(starts.levels[EQT_DRAW_USER], 4);
	for (int i = 1; i <= 7; i++) {
		const double part = i / 8.0;

		ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, part),
				 NOW + 500 + HOUR);
		ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, part),
				 NOW + 500);
		if (_i)
			ck_assert(eqt_forecast_quantile(&starts, 2, part) ==
				  EQT_FORECAST_LATER);
	}
	eqt_forecast_starts_free(&starts);
	ck_assert_ptr_null(starts.starts);
}
END_TEST

/* Times 10, 20, ... 50: the parts of five futures lie at sixths. */
START_TEST(quantiles_lie_between_the_futures)
{
	static int64_t times[] = { 7, 7, 7, 7, 7, 10, 20, 30, 40, 50 };
	const struct eqt_forecast_starts starts = { .futures = 5,
						    .targets = 2,
						    .starts = times };

	ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.5), 7);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 0), 10);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 0.24), 10);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 0.26), 20);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 0.5), 30);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 0.9), 50);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 1, 1), 50);
}
END_TEST

/* Waits of 100, 200, ... s. The logarithm of the wait and a minute is 2.25 times as far from
 * the median with five futures. */
START_TEST(few_futures_have_a_wider_interval)
{
	static int64_t times[20];
	struct eqt_forecast_starts starts = { .futures = _i ? 20 : 5,
					      .now_s = NOW,
					      .end_s = NOW + 2000,
					      .targets = 1,
					      .starts = times };
	struct eqt_forecast_interval at;

	for (int i = 0; i < 20; i++)
		times[i] = NOW + 100 * (i + 1);
	at = eqt_forecast_interval(&starts, 0);
	ck_assert_int_eq(at.median_s, NOW + (_i ? 1100 : 300));
	ck_assert_int_eq(at.early_s, NOW + (_i ? 100 : 0));
	ck_assert_int_eq(at.late_s, NOW + (_i ? 2000 : 913));
	if (_i)
		return;
	times[4] = NOW + 1000; /* it would be beyond the end */
	ck_assert(eqt_forecast_interval(&starts, 0).late_s ==
		  EQT_FORECAST_LATER);
	times[4] = EQT_FORECAST_LATER;
	ck_assert(eqt_forecast_interval(&starts, 0).late_s ==
		  EQT_FORECAST_LATER);
}
END_TEST

/* Jobs are drawn for a day at first, and for more when a target starts later. */
START_TEST(a_start_beyond_a_day_is_found)
{
	const struct eqt_simulation_needs needs = { .begin = NOW + 200000 };
	const uint32_t target = 0;
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 500, 4, HOUR) };
	struct eqt_simulation now = simulation(jobs, 1, 1);
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.targets = &target,
		.target_count = 1,
		.futures = 3,
		.look_s = 864000,
	};
	struct eqt_forecast_starts starts;
	struct eqt_error err = { "" };

	jobs[0].needs = &needs;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, &err), 0);
	ck_assert_int_eq(eqt_forecast_quantile(&starts, 0, 0.5), NOW + 200000);
	eqt_forecast_starts_free(&starts);
}
END_TEST

/* The first future takes just the work that is allowed, or more. */
START_TEST(futures_that_take_too_much_work_do_not_count)
{
	const struct eqt_simulation_needs needs = { .begin = NOW + 200000 };
	const uint32_t target = 0;
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 500, 4, HOUR) };
	struct eqt_simulation now = simulation(jobs, 1, 1);
	struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.targets = &target,
		.target_count = 1,
		.futures = 3,
		.look_s = 864000,
		.paired = true,
	};
	struct eqt_forecast_starts starts;
	uint64_t work;

	jobs[0].needs = &needs;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, NULL), 0);
	work = starts.work;
	eqt_forecast_starts_free(&starts);
	for (uint32_t i = 0; i < 2; i++) {
		in.work_most = work - 1 + i;
		ck_assert_int_eq(eqt_forecast_run(&starts, &in, NULL), 0);
		ck_assert_uint_eq(starts.futures, i);
		if (i)
			ck_assert_int_eq(starts.starts[0], NOW + 200000);
		eqt_forecast_starts_free(&starts);
	}
}
END_TEST

static bool known_for_longer(void *with, uint32_t done)
{
	int *calls = with;

	ck_assert(done == 0);
	return ++*calls < 15;
}

/* A job that does not start on the first day is simulated again for three. That ends at
 * the 896th moment of both, in its first hours; but the first one knew the whole day. */
START_TEST(a_future_is_known_as_far_as_its_longest_simulation)
{
	enum { MANY = 1200, DAYS = 3 * 86400 };
	const struct eqt_simulation_needs on = { .on = first_node };
	/* Something happens on the second day. */
	const struct eqt_simulation_needs later = { .begin = NOW + 90000 };
	const uint32_t target = 1;
	struct eqt_simulation_job past[MANY], jobs[] = {
		job(1, ANN, NOW - 2000, 4, 8000 * HOUR),
		job(2, ANN, NOW - 500, 4, HOUR),
		job(3, BOB, NOW - 400, 1, HOUR),
	};
	struct eqt_simulation now = simulation(jobs, 3, 2);
	int calls = 0;
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.past = past,
		.past_count = MANY,
		.past_from = NOW - DAYS,
		.targets = &target,
		.target_count = 1,
		.futures = 5,
		.look_s = 864000,
		.go_on = known_for_longer,
		.with = &calls,
	};
	struct eqt_forecast_starts starts;

	for (int i = 0; i < MANY; i++) {
		past[i] = job((uint32_t) i, BOB, NOW - DAYS + i * 216, 1, 60);
		past[i].partition = 1;
	}
	nodes[1].partitions = 2;
	jobs[0].needs = &on;
	jobs[0].start = NOW - 1000;
	jobs[2].needs = &later;
	jobs[2].partition = 1;
	ck_assert_int_eq(eqt_forecast_run(&starts, &in, NULL), 0);
	ck_assert_int_eq(calls, 15);
	ck_assert_uint_eq(starts.futures, 1);
	ck_assert(starts.starts[0] == EQT_FORECAST_LATER);
	ck_assert_int_ge(starts.until, NOW + 86400);
	eqt_forecast_starts_free(&starts);
}
END_TEST

START_TEST(a_job_that_cannot_start_is_later_than_all)
{
	const struct eqt_simulation_use use = { .limit = 0, .amount = 4 };
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
	tcase_add_loop_test(tc, the_start_is_the_end_of_what_runs, 0, 3);
	tcase_add_test(tc,
		       a_future_of_many_moments_goes_on_to_the_start);
	tcase_add_test(tc,
		       a_future_is_known_as_far_as_its_longest_simulation);
	tcase_add_test(tc, paired_futures_differ_by_the_change_alone);
	tcase_add_loop_test(tc, each_target_has_its_starts, 0, 2);
	tcase_add_test(tc, quantiles_lie_between_the_futures);
	tcase_add_loop_test(tc, few_futures_have_a_wider_interval, 0, 2);
	tcase_add_test(tc, a_start_beyond_a_day_is_found);
	tcase_add_test(tc, futures_that_take_too_much_work_do_not_count);
	tcase_add_test(tc, a_job_that_cannot_start_is_later_than_all);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
