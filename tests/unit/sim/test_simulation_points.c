/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who is first in a simulation by each factor of the priority. */
#include "simulation_fixture.h"

/* A job holds the cluster for an hour; then the older or the younger of two more, of an
 * hour each, is first. */
static struct eqt_simulation_job jobs[3];

static void setup_jobs(void)
{
	setup();
	policy.weights = (struct eqt_factor_weights){ 0 };
	jobs[0] = job(1, ANN, 0, 4, HOUR);
	jobs[1] = job(2, ANN, 10, 4, HOUR);
	jobs[2] = job(3, ANN, 20, 4, HOUR);
}

static void younger_is_first(bool is_first)
{
	run(jobs, 3, 1);
	ck_assert_int_eq(jobs[is_first ? 2 : 1].start, HOUR);
	ck_assert_int_gt(jobs[is_first ? 1 : 2].start, HOUR);
}

START_TEST(the_older_job_is_first_without_any_factor)
{
	younger_is_first(false);
}
END_TEST

/* In equivalents the cluster is as large as its CPUs and memory say: 4 here. */
START_TEST(a_job_of_the_whole_cluster_has_all_points_for_its_size)
{
	conf.prices.cores.mem_mib_u = UINT64_C(4000) * EQT_MICRO;
	policy.priority.size_by = EQT_SIZE_BY_EQUIVALENTS;
	policy.weights.size = 1000;
	jobs[1].all.cpus = 1;
	jobs[1].nice = -500;
	younger_is_first(true);
	jobs[1].nice = -751;
	younger_is_first(false);
}
END_TEST

START_TEST(a_nice_job_gives_way)
{
	policy.weights.fairshare = 1000000;
	jobs[1].nice = 1;
	younger_is_first(true);
	jobs[2].nice = 2;
	younger_is_first(false);
	jobs[2].nice = -1;
	jobs[1].nice = 0;
	younger_is_first(true);
}
END_TEST

START_TEST(age_counts_up_to_its_limit)
{
	policy.weights.age = 1000;
	policy.weights.fairshare = 1000000;
	policy.max_age_s = HOUR;
	/* At 3600 the ages are 3590 and 3580 of 3600 seconds: 997 and 994. */
	jobs[1].nice = 2;
	younger_is_first(false);
	jobs[1].nice = 4;
	younger_is_first(true);
	policy.max_age_s = 2000;
	jobs[1].nice = 1;
	younger_is_first(true);
}
END_TEST

START_TEST(the_larger_job_is_first_unless_small_ones_are_favoured)
{
	policy.weights.size = 1000;
	jobs[1].all.cpus = 3;
	younger_is_first(true);
	policy.favor_small = true;
	younger_is_first(false);
	jobs[2].all.cpus = 2;
	younger_is_first(true);
	policy.weights.size = 0;
	younger_is_first(false);
}
END_TEST

START_TEST(the_partition_with_the_larger_factor_is_first)
{
	nodes[0].partitions = 3;
	policy.weights.partition = 1000;
	policy.weights.fairshare = 1000000;
	jobs[2].partition = 1;
	partitions[1].job_factor = 4;
	younger_is_first(true);
	/* 250 and 1000 points of the largest factor. */
	jobs[2].nice = 749;
	younger_is_first(true);
	jobs[2].nice = 751;
	younger_is_first(false);
	/* 1000 and 4000 points of the factors themselves. */
	policy.raw_partition = true;
	jobs[2].nice = 2999;
	younger_is_first(true);
	jobs[2].nice = 3001;
	younger_is_first(false);
}
END_TEST

START_TEST(the_first_partition_may_have_the_largest_factor)
{
	nodes[0].partitions = 3;
	policy.weights.partition = 1000;
	policy.weights.fairshare = 1000000;
	jobs[2].partition = 1;
	partitions[0].job_factor = 8;
	partitions[1].job_factor = 4;
	/* 1000 and 500 points. */
	jobs[1].nice = 499;
	younger_is_first(false);
	jobs[1].nice = 501;
	younger_is_first(true);
}
END_TEST

START_TEST(points_of_an_association_are_a_part_of_the_largest_or_whole)
{
	uint32_t of[TREE] = { 0 };

	policy.weights.assoc = 1000;
	policy.weights.fairshare = 0;
	of[ANN] = 1;
	of[BOB] = 2;
	priorities = of;
	jobs[2].user = BOB;
	/* 333 and 667 points, of 3; or 1000 and 2000. */
	jobs[1].nice = -1000;
	jobs[2].nice = -668;
	younger_is_first(true);
	jobs[2].nice = -660;
	younger_is_first(false);
	policy.raw_assoc = true;
	jobs[1].nice = -1000;
	jobs[2].nice = -1;
	younger_is_first(true);
	jobs[1].nice = -1002;
	younger_is_first(false);
}
END_TEST

START_TEST(a_qos_has_a_part_of_the_largest_priority)
{
	static const struct eqt_simulation_qos low = { "low", 1, 1 };
	static const struct eqt_simulation_qos high = { "high", 3, 1 };

	policy.weights.qos = 1000;
	qos_priority_max = 4;
	jobs[1].qos = &low;
	jobs[2].qos = &high;
	/* 250 and 750 points. */
	jobs[1].nice = -499;
	younger_is_first(true);
	jobs[1].nice = -501;
	younger_is_first(false);
	/* 1000 and 3000 points. */
	policy.raw_qos = true;
	jobs[1].nice = -1999;
	younger_is_first(true);
	jobs[1].nice = -2001;
	younger_is_first(false);
	policy.weights.qos = 0;
	jobs[1].nice = 0;
	younger_is_first(false);
}
END_TEST

START_TEST(nodes_and_memory_have_points_in_parts_or_in_numbers)
{
	policy.tres = (struct eqt_simulation_tres){ .any = true, .nodes = 100 };
	/* The older job takes half of a node's part: 100 for one of one node. */
	jobs[1].all = (struct eqt_simulation_amount){ 4, 8000, 0 };
	jobs[2].all = (struct eqt_simulation_amount){ 4, 16000, 0 };
	younger_is_first(false);
	policy.tres.mem_mib = 100;
	younger_is_first(true);
	/* 50 points more. */
	jobs[2].nice = 49;
	jobs[1].nice = 0;
	younger_is_first(true);
	jobs[2].nice = 51;
	younger_is_first(false);
	/* 800,000 points more. */
	policy.raw_tres = true;
	jobs[2].nice = 799999;
	younger_is_first(true);
	jobs[2].nice = 800001;
	younger_is_first(false);
	policy.tres.any = false;
	jobs[2].nice = 0;
	younger_is_first(false);
}
END_TEST

/* Both have waited for about an hour: an hour is the whole of the one's limit, and a
 * tenth of the other's. */
START_TEST(a_short_job_that_waits_long_gains_points)
{
	policy.priority.expansion_weight = 1000;
	policy.priority.expansion_full_u = 2 * EQT_MICRO;
	jobs[1].limit_s = 10 * HOUR;
	younger_is_first(true);
	policy.priority.expansion_weight = 0;
	younger_is_first(false);
}
END_TEST

/* At 3600 they have waited 3590 and 3580 seconds, of 3600: 997 and 994 points. */
START_TEST(points_for_waiting_count_minutes_of_the_limit)
{
	policy.priority.expansion_weight = 1000;
	policy.priority.expansion_full_u = 2 * EQT_MICRO;
	jobs[1].nice = 2;
	younger_is_first(false);
	jobs[1].nice = 4;
	younger_is_first(true);
	/* 3541 seconds are 60 minutes, too; 3601 are 61: 981 and 994. */
	jobs[1].limit_s = HOUR - 59;
	jobs[1].run_s = HOUR - 59;
	jobs[1].nice = 2;
	younger_is_first(false);
	jobs[1].nice = 4;
	younger_is_first(true);
	jobs[1].limit_s = HOUR + 1;
	jobs[1].nice = -12;
	younger_is_first(true);
	jobs[1].nice = -14;
	younger_is_first(false);
}
END_TEST

/* bob's job has ended when two more want its node, and ann's still runs. */
START_TEST(a_started_job_counts_as_allocated_until_it_ends)
{
	struct eqt_simulation_job all[] = {
		job(1, ANN, 0, 4, 10 * HOUR),
		job(2, BOB, 0, 4, HOUR),
		job(3, ANN, 10, 4, HOUR),
		job(4, BOB, 20, 4, HOUR),
	};

	policy.weights.fairshare = 1000000;
	policy.priority.rank_by = EQT_RANK_BY_ALLOCATED;
	run(all, 4, 2);
	ck_assert_int_eq(all[0].start, 0);
	ck_assert_int_eq(all[1].start, 0);
	ck_assert_int_eq(all[3].start, HOUR);
	ck_assert_int_eq(all[2].start, 2 * HOUR);
}
END_TEST

/* bob's job has run for 600 of the 3600 seconds before the pass: less usage for his
 * share than ann has, whose jobs have run for all of them. */
START_TEST(a_pass_charges_a_job_from_its_start)
{
	struct eqt_simulation_job all[] = {
		job(1, ANN, 0, 4, 10 * HOUR), job(2, ANN, 0, 4, 3700),
		job(3, BOB, 3000, 4, 10 * HOUR), job(4, ANN, 3100, 4, HOUR),
		job(5, BOB, 3200, 4, HOUR),
	};

	policy.weights.fairshare = 1000000;
	policy.period_s = HOUR;
	run(all, 5, 3);
	ck_assert_int_eq(all[2].start, 3000);
	ck_assert_int_eq(all[4].start, 3700);
	ck_assert_int_gt(all[3].start, 3700);
}
END_TEST

/* The cluster has 4 GPUs: 500 points for two of them, 1000 for all. */
START_TEST(a_job_of_all_gpus_has_all_points_for_its_size)
{
	static const struct eqt_bundle gpu = { .name = "gpu",
					       .cores_u = 4 * EQT_MICRO,
					       .weight_u = EQT_MICRO };

	conf.prices.gpu = &gpu;
	conf.prices.gpu_count = 1;
	nodes[0].has.gpus = 4;
	policy.priority.size_by = EQT_SIZE_BY_EQUIVALENTS;
	policy.weights.size = 1000;
	jobs[1].all.cpus = 1;
	jobs[1].all.gpus = 2;
	jobs[2].all.gpus = 4;
	jobs[1].nice = -499;
	younger_is_first(true);
	jobs[1].nice = -501;
	younger_is_first(false);
}
END_TEST

/* 60 minutes and one second are 61 minutes. */
START_TEST(points_by_the_limit_count_begun_minutes)
{
	policy.weights.size = 1000000;
	policy.relative_to_time = true;
	jobs[1].limit_s = HOUR + 1;
	younger_is_first(true); /* a 60th and a 61st */
	jobs[2].limit_s = HOUR + 60;
	younger_is_first(false); /* the same */
	policy.weights.size = 0;
	policy.priority.expansion_weight = 1000;
	policy.priority.expansion_full_u = 2 * EQT_MICRO;
	jobs[2].limit_s = HOUR;
	/* At 3600 it is 3590 of 3660 s and 3580 of 3600 s. */
	younger_is_first(true);
	jobs[2].limit_s = HOUR + 60;
	younger_is_first(false);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("simulation points");
	TCase *tc = tcase_create("simulation points");

	tcase_add_checked_fixture(tc, setup_jobs, NULL);
	tcase_add_test(tc, the_older_job_is_first_without_any_factor);
	tcase_add_test(
		tc, a_job_of_the_whole_cluster_has_all_points_for_its_size);
	tcase_add_test(tc, a_nice_job_gives_way);
	tcase_add_test(tc, age_counts_up_to_its_limit);
	tcase_add_test(tc,
		       the_larger_job_is_first_unless_small_ones_are_favoured);
	tcase_add_test(tc, the_partition_with_the_larger_factor_is_first);
	tcase_add_test(tc, the_first_partition_may_have_the_largest_factor);
	tcase_add_test(
		tc, points_of_an_association_are_a_part_of_the_largest_or_whole);
	tcase_add_test(tc, a_qos_has_a_part_of_the_largest_priority);
	tcase_add_test(tc, nodes_and_memory_have_points_in_parts_or_in_numbers);
	tcase_add_test(tc, a_short_job_that_waits_long_gains_points);
	tcase_add_test(tc, points_for_waiting_count_minutes_of_the_limit);
	tcase_add_test(tc, a_started_job_counts_as_allocated_until_it_ends);
	tcase_add_test(tc,
		       a_pass_charges_a_job_from_its_start);
	tcase_add_test(tc,
		       a_job_of_all_gpus_has_all_points_for_its_size);
	tcase_add_test(tc, points_by_the_limit_count_begun_minutes);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
