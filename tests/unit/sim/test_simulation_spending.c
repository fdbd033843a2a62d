/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of which jobs take an amount for good, such as the hours of a budget. */
#include <string.h>

#include "simulation_now.h"

/* Limit 1 is spent: an hour of a job takes HOUR of it. Limit 0 is none. */
static const struct eqt_simulation_use one_hour[] = { { 0, 0, 1 },
						      { 1, HOUR, HOUR } };
static const struct eqt_simulation_use three_hours[] = {
	{ 1, 3 * HOUR, 3 * HOUR }
};
static const struct eqt_simulation_needs short_needs = { .uses = one_hour,
							 .use_count = 2 };
static const struct eqt_simulation_needs long_needs = { .uses = three_hours,
							.use_count = 1 };
static struct eqt_simulation_renewal renewals[2];
static uint32_t renewal_count;

static struct eqt_simulation_sum run_spending(struct eqt_simulation_job *jobs,
					      size_t count, uint64_t left,
					      uint64_t *work)
{
	static struct eqt_simulation_job copies[1000];
	struct eqt_simulation in = simulation(copies, count, 4);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	/* A run changes the times of jobs that wait. */
	memcpy(copies, jobs, count * sizeof(*copies));
	limits[1] = left;
	in.renewals = renewals;
	in.renewal_count = renewal_count;
	in.watch.work = work;
	ck_assert_msg(eqt_simulation_run(&sum, &in, &policy, &err) == 0, "%s",
		      err.text);
	for (size_t i = 0; i < count; i++)
		jobs[i].start = copies[i].start;
	return sum;
}

static void setup_spending(void)
{
	setup_now();
	renewal_count = 0;
}

/* Jobs with a limit of an hour that run for 1000 s. */
static struct eqt_simulation_job hour_job(uint32_t id, int64_t at)
{
	struct eqt_simulation_job one = job(id, ANN, at, 1, HOUR);

	one.run_s = 1000;
	one.needs = &short_needs;
	return one;
}

START_TEST(what_a_job_does_not_use_comes_back_when_it_ends)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 3),
					     hour_job(2, NOW - 2),
					     hour_job(3, NOW - 1) };

	/* Two hours, then 2 * 2600 s come back, then 1600 + 2600 s. */
	run_spending(jobs, 3, HOUR, NULL);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, EQT_SIMULATION_NEVER);
	run_spending(jobs, 3, HOUR + 1000, NULL);
	ck_assert_int_eq(jobs[1].start, NOW + 1000);
	ck_assert_int_eq(jobs[2].start, EQT_SIMULATION_NEVER);
	run_spending(jobs, 3, HOUR + 2000, NULL);
	ck_assert_int_eq(jobs[1].start, NOW + 1000);
	ck_assert_int_eq(jobs[2].start, NOW + 2000);
}
END_TEST

/* What ordinary limits do as jobs end is not done to those that are spent. */
START_TEST(a_job_that_ran_to_its_limit_gives_nothing_back)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 3),
					     hour_job(2, NOW - 2) };

	jobs[0].run_s = HOUR;
	run_spending(jobs, 2, 2 * HOUR - 1, NULL);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, EQT_SIMULATION_NEVER);
}
END_TEST

/* The limit is what is left beside them. */
START_TEST(jobs_that_have_paid_only_give_back)
{
	const struct eqt_simulation_needs on = { .uses = one_hour,
						 .use_count = 2,
						 .on = first_node };
	const struct eqt_simulation_needs paid = { .uses = one_hour,
						   .use_count = 2,
						   .paid = true };
	struct eqt_simulation_job jobs[] = {
		hour_job(1, NOW - 2000),
		hour_job(2, NOW - 3), /* has to wait */
		hour_job(3, NOW - 2),
	};

	jobs[0].needs = &on;
	jobs[0].start = NOW - 500;
	jobs[2].needs = &paid;
	run_spending(jobs, 3, 1000, NULL);
	ck_assert_int_eq(jobs[2].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + 500);
	run_spending(jobs, 3, 999, NULL);
	ck_assert_int_eq(jobs[1].start, NOW + 1000);
}
END_TEST

/* The long one is the older, but for the short one there is enough first. */
START_TEST(jobs_wait_for_what_is_spent_and_keep_nobody_waiting)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4),
					     hour_job(2, NOW - 3),
					     hour_job(3, NOW - 2) };

	jobs[1].limit_s = 3 * HOUR;
	jobs[1].needs = &long_needs;
	run_spending(jobs, 3, 3 * HOUR, NULL);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[2].start, NOW);
	ck_assert_int_eq(jobs[1].start, EQT_SIMULATION_NEVER);
	run_spending(jobs, 3, 3 * HOUR + 2000, NULL);
	ck_assert_int_eq(jobs[1].start, NOW + 1000);
}
END_TEST

START_TEST(the_oldest_job_is_tried_first_when_something_comes_back)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4),
					     hour_job(2, NOW - 3),
					     hour_job(3, NOW - 2) };

	jobs[1].user = jobs[1].person = BOB; /* of a lower priority */
	jobs[0].run_s = 1;
	run_spending(jobs, 3, HOUR + 1, NULL);
	ck_assert_int_eq(jobs[1].start, NOW + 1);
	ck_assert_int_eq(jobs[2].start, EQT_SIMULATION_NEVER);
}
END_TEST

START_TEST(a_refill_lets_jobs_go_on)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4) };

	renewals[0] = (struct eqt_simulation_renewal){
		.at = NOW + 50, .limit = 1, .adds = HOUR - 1
	};
	renewals[1] = (struct eqt_simulation_renewal){
		.at = NOW + 70,
		.limit = 1,
		.keeps = _i ? EQT_SIMULATION_KEEPS_ALL : 0,
		.adds = 1
	};
	renewal_count = 2;
	run_spending(jobs, 1, 0, NULL);
	ck_assert_int_eq(jobs[0].start,
			 _i ? NOW + 70 : EQT_SIMULATION_NEVER);
	renewals[0].adds = HOUR;
	run_spending(jobs, 1, 5, NULL);
	ck_assert_int_eq(jobs[0].start, NOW + 50);
}
END_TEST

/* As a period of a budget ends, what its jobs return lapses. */
START_TEST(a_job_of_before_a_refill_gives_nothing_back)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4),
					     hour_job(2, NOW - 3),
					     hour_job(3, NOW - 2) };

	renewals[0] = (struct eqt_simulation_renewal){
		.at = NOW + 50,
		.limit = 1,
		.keeps = _i ? EQT_SIMULATION_KEEPS_ALL : 0,
		.adds = HOUR
	};
	renewal_count = 1;
	/* The second job pays from the refill, the third from what both return. */
	run_spending(jobs, 3, HOUR, NULL);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + 50);
	ck_assert_int_eq(jobs[2].start,
			 _i ? NOW + 1050 : EQT_SIMULATION_NEVER);
}
END_TEST

START_TEST(a_job_that_has_paid_waits_for_its_time)
{
	const struct eqt_simulation_needs later = { .uses = one_hour,
						    .use_count = 2,
						    .begin = NOW + 5000 };
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4),
					     hour_job(2, NOW - 3) };

	jobs[0].needs = &later;
	run_spending(jobs, 2, HOUR, NULL);
	ck_assert_int_eq(jobs[0].start, NOW + 5000);
	/* It gives back 2600 s. */
	ck_assert_int_eq(jobs[1].start, EQT_SIMULATION_NEVER);
}
END_TEST

/* Ends of jobs that return too little for any are no reason to look at all who wait. */
START_TEST(jobs_that_wait_for_what_is_spent_take_no_work)
{
	enum { MANY = 1000 };
	static struct eqt_simulation_job jobs[MANY];
	uint64_t work = 0;

	for (int i = 0; i < MANY; i++) {
		jobs[i] = hour_job((uint32_t) i, NOW - MANY + i);
		jobs[i].run_s = HOUR - 1;
	}
	run_spending(jobs, MANY, 10 * HOUR, &work);
	ck_assert_int_eq(jobs[9].start, NOW);
	ck_assert_int_eq(jobs[10].start, EQT_SIMULATION_NEVER);
	ck_assert_uint_lt(work, 2 * MANY);
}
END_TEST

/* Once the small job has paid, an end that returns one second is enough for nobody. */
START_TEST(a_job_that_has_paid_is_no_reason_to_look_again)
{
	enum { MANY = 1000 };
	static const struct eqt_simulation_use one_second[] = { { 0, 1, 1 } };
	static const struct eqt_simulation_use an_hour[] = {
		{ 0, HOUR, HOUR }
	};
	static const struct eqt_simulation_needs small = {
		.uses = one_second, .use_count = 1
	};
	static const struct eqt_simulation_needs large = { .uses = an_hour,
							   .use_count = 1 };
	static struct eqt_simulation_job jobs[MANY];
	uint64_t work = 0;

	for (int i = 0; i < MANY; i++) {
		jobs[i] = hour_job((uint32_t) i, NOW - MANY + i);
		jobs[i].run_s = HOUR - 1;
		jobs[i].needs = i ? &large : &small;
	}
	limits[0] = 0;
	renewals[0] = (struct eqt_simulation_renewal){
		.at = NOW + 50, .limit = 0, .adds = 10 * HOUR + 1
	};
	renewal_count = 1;
	run_spending(jobs, MANY, 0, &work);
	ck_assert_int_eq(jobs[0].start, NOW + 50);
	ck_assert_int_eq(jobs[10].start, NOW + 50);
	ck_assert_int_eq(jobs[11].start, EQT_SIMULATION_NEVER);
	ck_assert_uint_lt(work, 3 * MANY);
}
END_TEST

START_TEST(a_renewal_of_no_limit_is_refused)
{
	struct eqt_simulation_job jobs[] = { hour_job(1, NOW - 4) };
	struct eqt_simulation in = simulation(jobs, 1, 4);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	renewals[0] = (struct eqt_simulation_renewal){ .limit = 2 };
	in.renewals = renewals;
	in.renewal_count = 1;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), -1);
	ck_assert_str_eq(err.text, "a renewal of no limit");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation spending");
	TCase *tc = tcase_create("simulation spending");

	tcase_add_checked_fixture(tc, setup_spending, NULL);
	tcase_add_test(tc, what_a_job_does_not_use_comes_back_when_it_ends);
	tcase_add_test(tc, a_job_that_ran_to_its_limit_gives_nothing_back);
	tcase_add_test(tc, jobs_that_have_paid_only_give_back);
	tcase_add_test(tc, jobs_wait_for_what_is_spent_and_keep_nobody_waiting);
	tcase_add_test(tc,
		       the_oldest_job_is_tried_first_when_something_comes_back);
	tcase_add_loop_test(tc, a_refill_lets_jobs_go_on, 0, 2);
	tcase_add_loop_test(tc, a_job_of_before_a_refill_gives_nothing_back, 0,
			    2);
	tcase_add_test(tc, a_job_that_has_paid_waits_for_its_time);
	tcase_add_test(tc, jobs_that_wait_for_what_is_spent_take_no_work);
	tcase_add_test(tc, a_job_that_has_paid_is_no_reason_to_look_again);
	tcase_add_test(tc, a_renewal_of_no_limit_is_refused);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
