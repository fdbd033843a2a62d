/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulations, forecasts and workloads when memory is short: each gives the result that
 * it has with memory, or none. */
#include <stdlib.h>

#include "sim/draw.h"
#include "sim/forecast.h"
#include "sim/workload.h"
#include "../short_memory.h"
#include "simulation_now.h"

#define FEW 12
#define MANY 1100 /* more than the slots at first */
#define PAST 12

static const uint64_t second_node = 2;
static const uint32_t after[] = { 2 };
static const struct eqt_simulation_use use = { .limit = 0, .amount = 1 };
static const struct eqt_simulation_needs runs = { .on = first_node,
						  .uses = &use,
						  .use_count = 1 },
					 reserved = { .reservation = 1 },
					 later = { .begin = NOW + 500 },
					 follows = { .after = after,
						     .after_count = 1 },
					 known = { .priority = 5000 };

/* Jobs that run, that wait for nodes, for a time, for another job and for a
 * reservation; others come later. */
static void few_make(struct eqt_simulation_job *jobs)
{
	for (uint32_t i = 0; i < FEW; i++)
		jobs[i] = job(i + 1, i % 2 ? ANN : BOB,
			      NOW - 100 + (i < 8 ? 0 : 50 * (int64_t) i),
			      1 + i % 3 * 3, 300 + 10 * i);
	jobs[0].needs = &runs;
	jobs[0].start = NOW - 50;
	jobs[3].needs = &reserved;
	jobs[4].needs = &later;
	jobs[5].needs = &follows;
	jobs[6].needs = &known;
	reservations[0] = (struct eqt_simulation_reservation){
		.from = NOW + 400, .to = NOW + 4000, .nodes = &second_node
	};
}

static void all_wait_make(struct eqt_simulation_job *jobs)
{
	for (uint32_t i = 0; i < MANY; i++)
		jobs[i] = job(i + 1, i % 2 ? ANN : BOB, NOW - 100, 1, 300);
}

static bool stop_at_once(void *with, int64_t now)
{
	(void) with;
	(void) now;
	return true;
}

static const struct {
	void (*make)(struct eqt_simulation_job *jobs);
	size_t count;
	bool (*stop)(void *with, int64_t now);
	unsigned long most; /* allocations to let fail */
	unsigned long least; /* of them that are errors */
} simulations[] = {
	{ few_make, FEW, NULL, 1000, 30 },
	{ all_wait_make, MANY, stop_at_once, 60, 40 },
};

static void policy_set(void)
{
	setup_now();
	policy.priority.order = EQT_ORDER_JOBS;
	policy.priority.access_weight = 1000;
	policy.priority.allocated_now = 3600;
}

static bool is_short_of_memory(const struct eqt_error *err)
{
	return strncmp(err->text, "out of memory", 13) == 0;
}

/* Run it with the n-th allocation failing; true if it has failed. Then there is the
 * error and *sum stays, or the C library has sorted without memory. */
static bool simulation_fails(size_t row, unsigned long n, bool stays,
			     struct eqt_simulation_job *jobs,
			     struct eqt_simulation_sum *sum)
{
	struct eqt_simulation one = simulation(jobs, simulations[row].count, 2);
	struct eqt_error err = { "" };
	bool failed;
	int rc;

	simulations[row].make(jobs);
	one.reservation_count = reservations[0].to ? 1 : 0;
	one.anchored = true;
	one.watch.stop = simulations[row].stop;
	*sum = (struct eqt_simulation_sum){ .passes = 77 };
	short_memory_begin(n, stays);
	rc = eqt_simulation_run(sum, &one, &policy, &err);
	failed = short_memory_end();
	ck_assert_int_eq(short_memory.held, 0);
	ck_assert_msg(is_short_of_memory(&err) == (rc < 0), "%s", err.text);
	ck_assert(rc == 0 || (failed && sum->passes == 77));
	return failed;
}

START_TEST(a_simulation_without_memory_is_an_error)
{
	static struct eqt_simulation_job whole[MANY], jobs[MANY];
	const size_t row = (size_t) _i / SHORT_MEMORY_WAYS;
	struct eqt_simulation_sum wanted, sum;
	unsigned long n = 0, errors = 0;
	bool failed = true;

	ck_assert(!simulation_fails(row, 0, false, whole, &wanted));
	while (failed && ++n <= simulations[row].most) {
		failed = simulation_fails(row, n, _i % SHORT_MEMORY_WAYS, jobs,
					  &sum);
		errors += sum.passes == 77;
		if (sum.passes == 77)
			continue;
		ck_assert_mem_eq(&sum, &wanted, sizeof(sum));
		for (size_t i = 0; i < simulations[row].count; i++)
			ck_assert_int_eq(jobs[i].start, whole[i].start);
	}
	ck_assert_uint_ge(errors, simulations[row].least);
	/* The others are sorts. */
	ck_assert_uint_le(n - 1 - errors, 4);
}
END_TEST

static void past_make(struct eqt_simulation_job *past)
{
	for (uint32_t i = 0; i < PAST; i++) {
		past[i] = job(i, i % 2 ? ANN : BOB, NOW - 86400 + i * 60, 1,
			      i % 2 ? 360 : 0);
		past[i].limit_s = HOUR;
	}
}

START_TEST(a_forecast_without_memory_is_an_error)
{
	const uint32_t target = 1;
	struct eqt_simulation_job past[PAST], jobs[] = {
		job(1, ANN, NOW - 2000, 4, HOUR),
		job(2, ANN, NOW - 500, 4, HOUR),
	};
	const struct eqt_simulation now = simulation(jobs, 2, 2);
	const struct eqt_forecast in = {
		.now = &now,
		.policy = &policy,
		.past = past,
		.past_count = PAST,
		.past_from = NOW - 86400,
		.targets = &target,
		.target_count = 1,
		.futures = 3,
		.look_s = 864000,
	};
	int64_t whole[3];
	unsigned long n = 0;

	past_make(past);
	jobs[0].needs = &runs;
	jobs[0].start = NOW - 1000;
	/* The first run has memory, the second to last meets no failure. */
	for (bool failed = true; failed || n <= 1; n++) {
		struct eqt_forecast_starts starts;
		struct eqt_error err = { "" };
		int rc;

		short_memory_begin(n, _i);
		rc = eqt_forecast_run(&starts, &in, &err);
		failed = short_memory_end();
		ck_assert_int_eq(rc, failed ? -1 : 0);
		ck_assert_msg(is_short_of_memory(&err) == failed, "%s",
			      err.text);
		ck_assert_uint_eq(starts.futures, failed ? 0 : 3);
		ck_assert(failed == !starts.starts);
		if (n == 0)
			memcpy(whole, starts.starts, sizeof(whole));
		else if (!failed)
			ck_assert_mem_eq(whole, starts.starts, sizeof(whole));
		short_memory_begin(0, false);
		eqt_forecast_starts_free(&starts);
		(void) short_memory_end();
		ck_assert_int_eq(short_memory.held, 0);
	}
	ck_assert_uint_ge(n, 3 * 20);
}
END_TEST

START_TEST(nothing_is_drawn_without_memory)
{
	struct eqt_simulation_job past[PAST], *come;
	struct eqt_arrivals *arrivals;
	struct eqt_draw *draw;
	unsigned long n = 0;
	size_t count;
	bool failed;
	int rc;

	past_make(past);
	do {
		short_memory_begin(++n, _i);
		draw = eqt_draw_new(past, PAST, tree);
		failed = short_memory_end();
		ck_assert(failed == !draw);
		ck_assert(draw || short_memory.held == 0);
	} while (failed);
	/* Itself, a list and marks of each level. */
	ck_assert_uint_eq(n - 1, 1 + 2 * EQT_DRAW_LEVELS);
	n = 0;
	do {
		short_memory_begin(++n, _i);
		arrivals = eqt_arrivals_new(draw, past, PAST, NOW - 86400, NOW);
		failed = short_memory_end();
		ck_assert(failed == !arrivals);
	} while (failed);
	/* Itself, the like jobs, and jobs by user. */
	ck_assert_uint_eq(n - 1, 3);
	eqt_draw_begin(draw, 1, 1);
	short_memory_begin(1, _i);
	rc = eqt_arrivals_draw(arrivals, &come, &count, 8 * 86400);
	ck_assert(short_memory_end());
	ck_assert_int_eq(rc, -1);
	ck_assert_ptr_null(come);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &come, &count, 8 * 86400),
			 0);
	ck_assert_uint_gt(count, 0);
	free(come);
	short_memory_begin(0, false);
	eqt_arrivals_free(arrivals);
	eqt_draw_free(draw);
	(void) short_memory_end();
	ck_assert_int_eq(short_memory.held, 0);
}
END_TEST

START_TEST(no_workload_is_made_without_memory)
{
	const struct eqt_workload wanted = {
		.seed = 1, .jobs = FEW, .span_s = 1000, .load = 0.5
	};
	const struct eqt_simulation on = simulation(NULL, 0, 2);
	struct eqt_simulation_job jobs[FEW];
	unsigned long n = 0;
	bool failed;

	do {
		struct eqt_error err = { "" };
		int rc;

		short_memory_begin(++n, _i);
		rc = eqt_workload_make(jobs, &wanted, &on, &err);
		failed = short_memory_end();
		ck_assert_msg(rc == (failed ? -1 : 0), "%lu: %d %d", n, rc, failed);
		ck_assert_str_eq(err.text, failed ? "out of memory" : "");
		ck_assert_int_eq(short_memory.held, 0);
	} while (failed);
	ck_assert_uint_eq(n - 1, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation_memory");
	TCase *tc = tcase_create("simulation_memory");
	const int ways = SHORT_MEMORY_WAYS;

	tcase_add_checked_fixture(tc, policy_set, NULL);
	tcase_add_loop_test(tc, a_simulation_without_memory_is_an_error, 0,
			    2 * ways);
	tcase_add_loop_test(tc, a_forecast_without_memory_is_an_error, 0, ways);
	tcase_add_loop_test(tc, nothing_is_drawn_without_memory, 0, ways);
	tcase_add_loop_test(tc, no_workload_is_made_without_memory, 0, ways);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
