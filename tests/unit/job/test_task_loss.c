/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPUs that split tasks cannot use, against all ways to fill a few nodes.
 */
#include <check.h>
#include <stdint.h>

#include "job/task_loss.h"
#include "../unit.h"

#define NODES 4

/* The CPUs that Slurm gives to tasks on nodes with so many CPUs: first whole
 * tasks, then the rest of each node, in turn, to the tasks that are left. */
static uint64_t given_cpus(const uint64_t has[NODES], uint64_t nodes,
			   uint64_t tasks, uint64_t each)
{
	uint64_t given = 0, left = tasks, i;

	for (i = 0; i < nodes; i++) {
		given += has[i] / each * each;
		left -= has[i] / each;
	}
	for (i = 0; i < nodes && left > 0; i++, left--)
		given += has[i] % each;
	return given;
}

/* The largest loss of all ways that are left. */
static uint64_t worst_of(uint64_t has[NODES], uint64_t at, uint64_t nodes,
			 uint64_t rest, uint64_t tasks, uint64_t each)
{
	uint64_t worst = 0, loss, i;

	if (at + 1 == nodes) {
		has[at] = rest;
		return rest < each ? 0
				   : tasks * each - given_cpus(has, nodes,
							       tasks, each);
	}
	for (i = each; i + each <= rest; i++) {
		has[at] = i;
		loss = worst_of(has, at + 1, nodes, rest - i, tasks, each);
		if (loss > worst)
			worst = loss;
	}
	return worst;
}

START_TEST(loss_is_the_worst_way_to_split_tasks)
{
	uint64_t has[NODES], tasks, each, nodes, most, worst, seen = 0;

	for (tasks = 1; tasks <= 8; tasks++) {
		for (each = 1; each <= 4; each++) {
			worst = 0;
			for (nodes = 1; nodes <= NODES; nodes++) {
				uint64_t one = worst_of(has, 0, nodes,
							tasks * each, tasks,
							each);

				worst = one > worst ? one : worst;
				most = eqt_task_loss(tasks, each, 1, nodes);
				ck_assert_msg(most >= worst,
					      "%ju of %ju on %ju: %ju of %ju",
					      (uintmax_t) tasks,
					      (uintmax_t) each,
					      (uintmax_t) nodes,
					      (uintmax_t) most,
					      (uintmax_t) worst);
				ck_assert_uint_lt(most, tasks * each);
				seen += worst > 0 && most == worst;
			}
		}
	}
	ck_assert_uint_gt(seen, 30);
}
END_TEST

/* Each number of nodes from the fewest one on. */
START_TEST(loss_on_more_nodes_is_of_fewer_tasks)
{
	uint64_t has[NODES], tasks, each, fewest, nodes, most, worst;

	for (tasks = 1; tasks <= 8; tasks++) {
		for (each = 1; each <= 4; each++) {
			for (fewest = 1; fewest <= NODES; fewest++) {
				worst = 0;
				for (nodes = fewest; nodes <= NODES; nodes++) {
					most = worst_of(has, 0, nodes,
							tasks * each, tasks,
							each);
					worst = most > worst ? most : worst;
				}
				most = eqt_task_loss(tasks, each, fewest,
						     NODES);
				ck_assert_uint_ge(most, worst);
				ck_assert(fewest < tasks || most == 0);
			}
		}
	}
	ck_assert_uint_eq(eqt_task_loss(6, 4, 1, 4), 6);
	ck_assert_uint_eq(eqt_task_loss(6, 4, 5, 5), 4);
}
END_TEST

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The largest of all numbers of tasks that remain: they lack at most all of their
 * CPUs, and at most one less than a task has on each other node. */
static uint64_t both_bounds(uint64_t tasks, uint64_t each, uint64_t nodes)
{
	uint64_t most = 0, t, full, loss;

	for (t = 1; t < tasks; t++) {
		full = smaller(nodes, tasks - t);
		loss = t < full ? smaller(t * each, (full - t) * (each - 1)) : 0;
		most = loss > most ? loss : most;
	}
	return most;
}

START_TEST(loss_is_the_largest_that_both_bounds_allow)
{
	uint64_t tasks, each, nodes;

	for (tasks = 1; tasks <= 60; tasks++) {
		for (each = 1; each <= 9; each++) {
			for (nodes = 1; nodes <= 60; nodes++)
				ck_assert_msg(
					eqt_task_loss(tasks, each, 1, nodes) ==
						both_bounds(tasks, each, nodes),
					"%ju of %ju on %ju", (uintmax_t) tasks,
					(uintmax_t) each, (uintmax_t) nodes);
		}
	}
}
END_TEST

START_TEST(raised_tasks_leave_one_cpu_for_each_other_node)
{
	ck_assert_uint_eq(eqt_task_loss_raised(1, 4, 2), 3);
	ck_assert_uint_eq(eqt_task_loss_raised(4, 3, 2), 11);
	ck_assert_uint_eq(eqt_task_loss_raised(1, 4, 1), 0);
	ck_assert_uint_eq(eqt_task_loss_raised(1, 4, 0), 0);
	ck_assert_uint_eq(eqt_task_loss_raised(0, 4, 2), 0);
	ck_assert_uint_eq(eqt_task_loss_raised(UINT64_MAX, 4, 2), 0);
}
END_TEST

/* The tasks that get a CPU if each node but the last has one: first a task of each node, and
 * then, in turn, those of a core of each, for which only the last one has CPUs. */
static uint64_t dealt_to_last(uint64_t tasks, uint64_t core_tasks, uint64_t nodes)
{
	uint64_t given = nodes, left = tasks - nodes, n, t;

	while (left > 0) {
		for (n = 0; n < nodes; n++) {
			for (t = 0; t < core_tasks && left > 0; t++, left--)
				given += n + 1 == nodes;
		}
	}
	return given;
}

START_TEST(loss_of_tasks_without_gpus_is_that_of_the_worst_number_of_nodes)
{
	uint64_t tasks, core_tasks, nodes, most, worst, one;

	for (tasks = 1; tasks <= 60; tasks++) {
		for (core_tasks = 1; core_tasks <= 4; core_tasks++) {
			worst = 0;
			for (nodes = 1; nodes <= 60; nodes++) {
				one = nodes <= tasks
					      ? tasks - dealt_to_last(tasks,
								      core_tasks,
								      nodes)
					      : 0;
				worst = one > worst ? one : worst;
				most = eqt_task_loss_dealt(tasks, core_tasks,
							   nodes);
				ck_assert_msg(most >= worst &&
						      (core_tasks > 1 ||
						       most == worst),
					      "%ju by %ju on %ju: %ju of %ju",
					      (uintmax_t) tasks,
					      (uintmax_t) core_tasks,
					      (uintmax_t) nodes,
					      (uintmax_t) most,
					      (uintmax_t) worst);
			}
		}
	}
	ck_assert_uint_eq(eqt_task_loss_dealt(UINT32_MAX, 1, UINT64_MAX),
			  UINT32_MAX - 131070);
	ck_assert_uint_eq(eqt_task_loss_dealt(UINT64_MAX, 1, 2), 0);
	ck_assert_uint_eq(eqt_task_loss_dealt(8, UINT64_MAX, 2), 0);
	ck_assert_uint_eq(eqt_task_loss_dealt(8, 0, 2), 0);
	ck_assert_uint_eq(eqt_task_loss_dealt(8, 1, 0), 0);
}
END_TEST

START_TEST(numbers_beyond_those_of_slurm_lose_nothing)
{
	ck_assert_uint_eq(eqt_task_loss(UINT64_MAX, 2, 1, UINT64_MAX), 0);
	ck_assert_uint_eq(eqt_task_loss(2, UINT64_MAX, 1, 2), 0);
	ck_assert_uint_gt(eqt_task_loss(UINT32_MAX, UINT16_MAX, 1, UINT64_MAX), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("task_loss");
	TCase *tcase = tcase_create("task_loss");

	tcase_add_test(tcase, loss_is_the_worst_way_to_split_tasks);
	tcase_add_test(tcase, loss_on_more_nodes_is_of_fewer_tasks);
	tcase_add_test(tcase, loss_is_the_largest_that_both_bounds_allow);
	tcase_add_test(tcase, raised_tasks_leave_one_cpu_for_each_other_node);
	tcase_add_test(
		tcase,
		loss_of_tasks_without_gpus_is_that_of_the_worst_number_of_nodes);
	tcase_add_test(tcase, numbers_beyond_those_of_slurm_lose_nothing);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
