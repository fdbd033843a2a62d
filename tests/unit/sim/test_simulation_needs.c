/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs need beside their size, and simulations that begin with running jobs. */
#include "sim/shape.h"
#include "simulation_now.h"

static const uint32_t second_node[] = { 1 };

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

/* What comes behind the nodes of a job is not its own. */
START_TEST(a_running_job_is_on_as_many_nodes_as_it_has)
{
	static const uint32_t one_and_nowhere[] = { 0, 99 };
	const struct eqt_simulation_needs on = { .on = one_and_nowhere };
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 9, 4, HOUR) };

	jobs[0].needs = &on;
	jobs[0].start = NOW - 1;
	run_now(jobs, 1, 1, false);
	ck_assert_int_eq(jobs[0].start, NOW - 1);
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

/* ann's first job holds a node: bob's is first when her second one ends. */
START_TEST(a_job_that_runs_already_counts_as_allocated)
{
	const struct eqt_simulation_needs here = { .on = first_node };
	const struct eqt_simulation_needs there = { .on = second_node };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 90, 4, 10 * HOUR),
		job(2, ANN, NOW - 90, 4, HOUR),
		job(3, ANN, NOW - 80, 4, HOUR),
		job(4, BOB, NOW - 70, 4, HOUR),
	};

	policy.priority.rank_by = EQT_RANK_BY_ALLOCATED;
	jobs[0].needs = &here;
	jobs[1].needs = &there;
	jobs[0].start = jobs[1].start = NOW - 90;
	run_now(jobs, 4, 2, false);
	ck_assert_int_eq(jobs[3].start, NOW - 90 + HOUR);
	ck_assert_int_eq(jobs[2].start, NOW - 90 + 2 * HOUR);
}
END_TEST

static bool ten_hours_are_over(void *with, int64_t now)
{
	(void) with;
	return now > NOW + 10 * HOUR;
}

/* Simulate ten hours without backfill, and return the work that this took. */
static uint64_t work_of_ten_hours(struct eqt_simulation *in,
				  struct eqt_simulation_sum *sum)
{
	uint64_t work = 0;

	policy.backfill_s = 0;
	in->watch = (struct eqt_simulation_watch){ .stop = ten_hours_are_over,
						   .work = &work };
	ck_assert_int_eq(eqt_simulation_run(sum, in, &policy, NULL), 0);
	return work;
}

/* The last job of ann is of another kind, so that all before it are in its way when one
 * looks for it. They are of one group, or each has a priority of its own. */
START_TEST(jobs_at_a_limit_take_no_work_one_by_one)
{
	enum { MANY = 1000 };
	const struct eqt_simulation_use four = { .limit = 0, .amount = 4 }, three = { .limit = 0, .amount = 3 };
	const struct eqt_simulation_needs needs = { .uses = &four,
						    .use_count = 1 };
	const struct eqt_simulation_needs other = { .uses = &three,
						    .use_count = 1 };
	struct eqt_simulation_job jobs[MANY];
	struct eqt_simulation in = simulation(jobs, MANY, 2);
	struct eqt_simulation_sum sum;
	uint64_t work;

	limits[0] = 4;
	policy.period_s = 86400; /* a pass looks at each group */
	for (int i = 0; i < MANY; i++) {
		jobs[i] = job((uint32_t) i, ANN, NOW - MANY + i, 4, HOUR);
		jobs[i].needs = &needs;
		jobs[i].nice = _i ? i : 0;
	}
	jobs[MANY - 1].all.cpus = 3;
	jobs[MANY - 1].needs = &other;
	work = work_of_ten_hours(&in, &sum);
	ck_assert_uint_eq(sum.started, 12);
	ck_assert_uint_ge(work, MANY); /* each has arrived */
	ck_assert_uint_lt(work, 3 * MANY);
}
END_TEST

/* Half of the jobs come later, each at its own time, while the first one runs for the ten
 * hours. They are at a limit, or behind the job that stops the partition, and each is of
 * its own kind, so that a round looks at all of them. */
START_TEST(new_jobs_that_cannot_start_take_no_round)
{
	enum { MANY = 1000 };
	const struct eqt_simulation_use four = { .limit = 0, .amount = 4 };
	const struct eqt_simulation_needs needs = { .uses = &four,
						    .use_count = 1 };
	struct eqt_simulation_job jobs[MANY];
	struct eqt_simulation in = simulation(jobs, MANY, 1);
	struct eqt_simulation_sum sum;
	uint64_t work;

	limits[0] = 4;
	policy.period_s = 86400;
	for (int i = 0; i < MANY; i++) {
		jobs[i] = job((uint32_t) i, ANN, NOW - MANY / 2 + i, 1,
			      100 * HOUR);
		jobs[i].all.mem_mib = 1 + (uint64_t) i;
		jobs[i].needs = _i ? &needs : NULL;
	}
	jobs[0].all.cpus = 4;
	work = work_of_ten_hours(&in, &sum);
	ck_assert_int_eq(jobs[1].start, NOW + 100 * HOUR);
	/* A round looks at 500 or more of them if they are at a limit. */
	ck_assert_uint_lt(work, 10 * MANY);
}
END_TEST

/* Half of the jobs are of ann, each of its own kind, at a limit that her first one holds for
 * a hundred hours. Those of bob follow each other, and a round looks for the next one each
 * time. */
START_TEST(jobs_at_a_limit_take_no_work_when_others_end)
{
	enum { MANY = 1000 };
	const struct eqt_simulation_use one = { .limit = 0, .amount = 1 };
	const struct eqt_simulation_needs needs = { .uses = &one,
						    .use_count = 1 };
	struct eqt_simulation_job jobs[MANY];
	struct eqt_simulation in = simulation(jobs, MANY, 2);
	struct eqt_simulation_sum sum;
	uint64_t work;

	limits[0] = 1;
	policy.period_s = 86400;
	policy.backfill_s = 0;
	for (int i = 0; i < MANY; i++) {
		const bool is_ann = i % 2 == 0;

		jobs[i] = job((uint32_t) i, is_ann ? ANN : BOB, NOW - MANY + i,
			      4, i == 0 ? 100 * HOUR : 60);
		jobs[i].all.mem_mib = 1 + (uint64_t) i;
		jobs[i].needs = is_ann ? &needs : NULL;
	}
	work = work_of_ten_hours(&in, &sum);
	/* The second one of ann starts when it is over. */
	ck_assert_uint_eq(sum.started, MANY / 2 + 2);
	ck_assert_uint_lt(work, 10 * MANY);
}
END_TEST

START_TEST(a_job_at_a_limit_waits_and_keeps_nobody_waiting)
{
	const struct eqt_simulation_use use = { .limit = 0, .amount = 4 };
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
	const struct eqt_simulation_use use = { .limit = 1, .amount = 4 };
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
	ck_assert_int_eq(jobs[1].start, _i == 1 ? NOW : NOW + HOUR);
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

/* The job that begins at NOW + 100 was submitted before the other one, but is younger
 * than that when both wait. */
START_TEST(the_age_of_a_job_counts_from_its_begin_time)
{
	const struct eqt_simulation_needs later = { .begin = NOW + 100 };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 10000, 4, HOUR),
		job(2, ANN, NOW - 9000, 4, HOUR),
		job(3, ANN, NOW - 1000, 4, HOUR),
	};

	policy.weights = (struct eqt_factor_weights){ .age = 1000000 };
	jobs[1].needs = &later;
	run_now(jobs, 3, 1, false);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[2].start, NOW + HOUR);
	ck_assert_int_eq(jobs[1].start, NOW + 2 * HOUR);
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

/* The waiting one is first by age, and fills the partition's other node. */
START_TEST(a_job_that_waits_for_its_reservation_keeps_nobody_waiting)
{
	static const uint64_t bits[] = { 1 };
	const struct eqt_simulation_needs inside = { .reservation = 1,
						     .nodes = bits };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 60, 4, 600),
		job(2, ANN, NOW - 30, 4, 600),
	};

	policy.backfill_s = 0;
	jobs[0].needs = &inside;
	reservations[0] = (struct eqt_simulation_reservation){ NOW + 6000,
							       NOW + 16000,
							       bits };
	run_now(jobs, 2, 2, false);
	ck_assert_int_eq(jobs[1].start, NOW);
	ck_assert_int_eq(jobs[0].start, NOW + 6000);
}
END_TEST

START_TEST(a_job_whose_reservation_ends_before_its_turn_never_starts)
{
	static const uint64_t bits[] = { 1 };
	const struct eqt_simulation_needs inside = { .reservation = 1,
						     .nodes = bits };
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 60, 4, 600) };
	struct eqt_simulation_sum sum;

	policy.backfill_s = 0;
	policy.priority.rank_every_ms = 1000;
	jobs[0].needs = &inside;
	reservations[0] = (struct eqt_simulation_reservation){ NOW + 60,
							       NOW + 120,
							       bits };
	sum = run_now(jobs, 1, 2, false);
	ck_assert_int_eq(jobs[0].start, EQT_SIMULATION_NEVER);
	ck_assert_uint_eq(sum.impossible, 1);
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

/* Node 69 is in the second word of its bits; each other one is taken out by its own. */
START_TEST(a_job_finds_its_node_behind_the_first_64)
{
	static const uint64_t bits[] = { 0, UINT64_C(1) << 5 };
	const struct eqt_simulation_needs needs = { .nodes = bits };
	struct eqt_simulation_job jobs[] = {
		job(1, ANN, NOW - 3, 4, HOUR),
		job(2, ANN, NOW - 2, 4, HOUR),
	};
	struct eqt_simulation in = simulation(jobs, 2, 70);
	struct eqt_simulation_node many[70];
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	for (size_t i = 0; i < 70; i++)
		many[i] = nodes[0];
	in.cluster.nodes = many;
	jobs[0].needs = jobs[1].needs = &needs;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), 0);
	ck_assert_int_eq(jobs[0].start, NOW);
	ck_assert_int_eq(jobs[1].start, NOW + HOUR);
}
END_TEST

START_TEST(each_node_has_a_bit_of_its_own_among_the_nodes_of_a_job)
{
	enum { MANY = 200 };
	static struct eqt_simulation_node many[MANY];
	static uint64_t bits[MANY / 64 + 1];
	static const struct eqt_simulation_needs needs = { .nodes = bits };
	static struct eqt_simulation_job one;
	static struct eqt_simulation in;
	static struct eqt_simulation_state state;

	one = job(1, ANN, NOW, 1, HOUR);
	in = simulation(&one, 1, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		many[i] = nodes[0];
	in.cluster.nodes = many;
	state.in = &in;
	one.needs = &needs;
	for (uint32_t i = 0; i < MANY; i++) {
		bits[i / 64] |= UINT64_C(1) << (i % 64);
		for (uint32_t other = 0; other < MANY; other++)
			ck_assert(eqt_shape_node_eligible(
					  &state, other, &one) == (other == i));
		bits[i / 64] = 0;
	}
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
	static const struct eqt_simulation_use use = { .limit = 2, .amount = 1 };
	static const uint32_t far[] = { 9 }, second_is_far[] = { 0, 9 };
	static const struct eqt_simulation_needs rows[] = {
		{ .uses = &use, .use_count = 1 },
		{ .after = far, .after_count = 1 },
		{ .on = far },
		{ .on = first_node }, /* it has ended */
		{ .reservation = 1 },
		{ .on = second_is_far },
	};
	struct eqt_simulation_job jobs[] = { job(1, ANN, NOW - 3, 4, 1) };
	struct eqt_simulation in = simulation(jobs, 1, 1);
	struct eqt_simulation_sum sum;
	struct eqt_error err = { "" };

	jobs[0].start = NOW - 2;
	jobs[0].needs = &rows[_i];
	jobs[0].nodes = rows[_i].on == second_is_far ? 2 : 1;
	ck_assert_int_eq(eqt_simulation_run(&sum, &in, &policy, &err), -1);
	ck_assert(err.text[0] != '\0');
	if (rows[_i].on == far || rows[_i].on == second_is_far)
		ck_assert_str_eq(err.text,
				 "job 1: on a node that is not there");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation needs");
	TCase *tc = tcase_create("simulation needs");

	tcase_add_checked_fixture(tc, setup_now, NULL);
	tcase_add_test(tc,
		       without_a_beginning_it_begins_with_the_first_job);
	tcase_add_test(tc, a_running_job_keeps_its_node_to_its_end);
	tcase_add_test(tc, a_running_job_is_on_as_many_nodes_as_it_has);
	tcase_add_test(tc, more_running_than_a_node_has_is_no_room);
	tcase_add_loop_test(tc, jobs_at_a_limit_take_no_work_one_by_one, 0, 2);
	tcase_add_test(tc, jobs_at_a_limit_take_no_work_when_others_end);
	tcase_add_loop_test(tc, new_jobs_that_cannot_start_take_no_round, 0, 2);
	tcase_add_test(tc, a_job_at_a_limit_waits_and_keeps_nobody_waiting);
	tcase_add_test(tc, a_job_beyond_a_limit_never_starts);
	tcase_add_loop_test(tc, a_dependent_job_waits_for_the_end_or_the_start,
			    0, 2);
	tcase_add_test(tc, a_job_does_not_begin_before_its_time);
	tcase_add_test(tc, the_age_of_a_job_counts_from_its_begin_time);
	tcase_add_test(tc, a_job_that_runs_already_counts_as_allocated);
	tcase_add_test(tc, a_reservation_keeps_others_off);
	tcase_add_test(
		tc,
		a_job_that_waits_for_its_reservation_keeps_nobody_waiting);
	tcase_add_test(
		tc, a_job_whose_reservation_ends_before_its_turn_never_starts);
	tcase_add_test(tc, a_job_takes_only_the_nodes_that_will_do);
	tcase_add_test(tc, a_job_finds_its_node_behind_the_first_64);
	tcase_add_test(
		tc, each_node_has_a_bit_of_its_own_among_the_nodes_of_a_job);
	tcase_add_test(tc, a_whole_node_is_an_empty_one);
	tcase_add_test(tc, a_whole_node_that_is_too_small_is_not_planned);
	tcase_add_test(
		tc, a_job_whose_reservation_is_over_does_not_run_on_for_ever);
	tcase_add_test(tc, thousands_of_jobs_wait_at_once);
	tcase_add_test(tc, jobs_keep_the_order_of_the_priorities_that_they_have);
	tcase_add_loop_test(tc, needs_that_point_nowhere_are_refused, 0, 6);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
