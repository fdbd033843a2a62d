/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Artificial workloads: the shape of each job, and how jobs come. */
#include "sim/workload.h"
#include "../unit.h"

#define JOBS 4000
#define SPAN_S 864000

/* root - a: ann; bob. */
static const struct eqt_tree_input tree[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 1 },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 0, .shares = 1, .user = true },
};

/* Partition 0: nodes of 16 and 32 CPUs; partition 1: nodes with GPUs; partition 2 is
 * empty, and so are the CPUs of the last node. */
static const struct eqt_simulation_node nodes[] = {
	{ .has = { 32, 64000, 0 }, .model = -1, .partitions = 1 },
	{ .has = { 16, 96000, 0 }, .model = -1, .partitions = 1 },
	{ .has = { 24, 96000, 8 }, .model = -1, .partitions = 2 },
	{ .has = { 48, 48000, 4 }, .model = -1, .partitions = 2 },
	{ .has = { 0, 10, 0 }, .model = -1, .partitions = 3 },
};
static const struct eqt_simulation_partition partitions[3];

static const struct eqt_simulation on = {
	.cluster = { .nodes = nodes,
		     .node_count = 5,
		     .partitions = partitions,
		     .partition_count = 3 },
	.tree = tree,
	.tree_count = 4,
};
static const struct eqt_workload wanted = {
	.seed = 7, .jobs = JOBS, .span_s = SPAN_S, .load = 0.8
};
static struct eqt_simulation_job jobs[JOBS];

static void setup(void)
{
	memset(jobs, 0, sizeof(jobs));
	ck_assert_int_eq(eqt_workload_make(jobs, &wanted, &on, NULL), 0);
}

START_TEST(jobs_come_in_order_and_each_has_its_number)
{
	static bool seen[JOBS + 1];

	for (size_t i = 0; i < JOBS; i++) {
		ck_assert_uint_ge(jobs[i].id, 1);
		ck_assert_uint_le(jobs[i].id, JOBS);
		ck_assert(!seen[jobs[i].id]);
		seen[jobs[i].id] = true;
		ck_assert_int_ge(jobs[i].at, i ? jobs[i - 1].at : 0);
		ck_assert_int_lt(jobs[i].at, SPAN_S);
		ck_assert(i == 0 || jobs[i].at > jobs[i - 1].at ||
			  jobs[i].id > jobs[i - 1].id);
		ck_assert_int_eq(jobs[i].start, EQT_SIMULATION_NEVER);
		ck_assert_int_eq(jobs[i].model, EQT_SIMULATION_NO_MODEL);
		ck_assert(jobs[i].user == 2 || jobs[i].user == 3);
		ck_assert_uint_eq(jobs[i].person, jobs[i].user);
	}
	ck_assert_int_lt(jobs[0].at, SPAN_S / 20);
	ck_assert_int_gt(jobs[JOBS - 1].at, SPAN_S - SPAN_S / 20);
}
END_TEST

static bool is_power_of_two(uint64_t number)
{
	return number && !(number & (number - 1));
}

/* The least node of the cores has 16 CPUs and 64000 MiB, that of the GPUs 24 CPUs,
 * 48000 MiB and 4 GPUs. */
START_TEST(each_job_fits_on_the_least_node_of_its_partition)
{
	size_t whole = 0, one = 0, gpu_jobs = 0;

	for (size_t i = 0; i < JOBS; i++) {
		const struct eqt_simulation_amount *all = &jobs[i].all;

		ck_assert_uint_eq(jobs[i].nodes, 1);
		ck_assert_uint_le(jobs[i].partition, 1);
		if (jobs[i].partition == 1) {
			gpu_jobs++;
			ck_assert(is_power_of_two(all->gpus));
			ck_assert_uint_le(all->gpus, 4);
			ck_assert_uint_eq(all->cpus, 6 * all->gpus);
			ck_assert_uint_eq(all->mem_mib, 12000 * all->gpus);
			whole += all->gpus == 4;
			one += all->gpus == 1;
			continue;
		}
		ck_assert_uint_eq(all->gpus, 0);
		ck_assert(is_power_of_two(all->cpus));
		ck_assert_uint_le(all->cpus, 16);
		/* Half to one and a half of its part, and no more than all. */
		ck_assert_uint_ge(all->mem_mib, 2000 * all->cpus);
		ck_assert_uint_le(all->mem_mib, 6000 * all->cpus);
		ck_assert_uint_le(all->mem_mib, 64000);
	}
	/* In proportion to the CPUs, 48 and 72; sizes halve in number. */
	ck_assert_uint_gt(gpu_jobs, JOBS / 2);
	ck_assert_uint_lt(gpu_jobs, 7 * JOBS / 10);
	ck_assert_uint_gt(one, 4 * gpu_jobs / 10);
	ck_assert_uint_lt(one, 6 * gpu_jobs / 10);
	ck_assert_uint_gt(whole, 15 * gpu_jobs / 100);
	ck_assert_uint_lt(whole, 35 * gpu_jobs / 100);
}
END_TEST

START_TEST(jobs_of_a_burst_are_of_one_user_and_shape)
{
	size_t bursts = 1, largest = 0, size = 1;
	const struct eqt_simulation_job *by_id[JOBS + 1] = { NULL };

	for (size_t i = 0; i < JOBS; i++)
		by_id[jobs[i].id] = &jobs[i];
	for (size_t id = 2; id <= JOBS; id++) {
		const struct eqt_simulation_job *a = by_id[id - 1];
		const struct eqt_simulation_job *b = by_id[id];

		if (a->at != b->at) {
			bursts++;
			size = 1;
			continue;
		}
		size++;
		largest = size > largest ? size : largest;
		ck_assert_uint_eq(a->user, b->user);
		ck_assert_uint_eq(a->partition, b->partition);
		ck_assert_uint_eq(a->all.cpus, b->all.cpus);
		ck_assert_uint_eq(a->all.mem_mib, b->all.mem_mib);
		/* Half to one and a half of the burst's typical length. */
		ck_assert_uint_le(a->run_s, 3 * b->run_s + 6);
	}
	ck_assert_uint_eq(largest, 20);
	/* Ten and a half jobs in each. */
	ck_assert_uint_gt(bursts, JOBS / 12);
	ck_assert_uint_lt(bursts, JOBS / 9);
}
END_TEST

START_TEST(each_partition_has_the_load_that_was_asked_for)
{
	double seconds[2] = { 0 };

	for (size_t i = 0; i < JOBS; i++) {
		ck_assert_uint_ge(jobs[i].run_s, 1);
		ck_assert_uint_ge(jobs[i].limit_s, jobs[i].run_s);
		seconds[jobs[i].partition] +=
			(double) jobs[i].all.cpus * jobs[i].run_s;
	}
	ck_assert_double_eq_tol(seconds[0] / (48.0 * SPAN_S), 0.8, 0.01);
	ck_assert_double_eq_tol(seconds[1] / (72.0 * SPAN_S), 0.8, 0.01);
}
END_TEST

START_TEST(another_seed_makes_other_jobs)
{
	static struct eqt_simulation_job others[JOBS];
	struct eqt_workload other = wanted;
	size_t same = 0;

	other.seed = 8;
	ck_assert_int_eq(eqt_workload_make(others, &other, &on, NULL), 0);
	for (size_t i = 0; i < JOBS; i++)
		same += others[i].at == jobs[i].at;
	ck_assert_uint_lt(same, JOBS / 100);
}
END_TEST

/* A seed makes the same jobs on every machine. These were made by another program, in
 * Python, from the rules that workload.c names. */
static const struct {
	int64_t at;
	uint32_t id, user, partition;
	struct eqt_simulation_amount all;
	uint32_t run_s, limit_s;
} made[] = {
	{ 239245, 20, 2, 1, { 24, 48000, 4 }, 17716, 75452 },
	{ 239245, 21, 2, 1, { 24, 48000, 4 }, 17979, 78482 },
	{ 239245, 22, 2, 1, { 24, 48000, 4 }, 8888, 62968 },
	{ 239245, 23, 2, 1, { 24, 48000, 4 }, 10706, 68503 },
	{ 239245, 24, 2, 1, { 24, 48000, 4 }, 18585, 55110 },
	{ 458408, 1, 2, 0, { 1, 5410, 0 }, 33177600, 139159754 },
	{ 533279, 2, 2, 1, { 24, 48000, 4 }, 58725, 190903 },
	{ 533279, 3, 2, 1, { 24, 48000, 4 }, 97491, 384714 },
	{ 533279, 4, 2, 1, { 24, 48000, 4 }, 132580, 481740 },
	{ 533279, 5, 2, 1, { 24, 48000, 4 }, 139025, 504386 },
	{ 533279, 6, 2, 1, { 24, 48000, 4 }, 145691, 424550 },
	{ 533279, 7, 2, 1, { 24, 48000, 4 }, 123146, 473599 },
	{ 533279, 8, 2, 1, { 24, 48000, 4 }, 100178, 483801 },
	{ 533279, 9, 2, 1, { 24, 48000, 4 }, 52442, 459882 },
	{ 533279, 10, 2, 1, { 24, 48000, 4 }, 103592, 562222 },
	{ 533279, 11, 2, 1, { 24, 48000, 4 }, 120641, 317625 },
	{ 533279, 12, 2, 1, { 24, 48000, 4 }, 116601, 212720 },
	{ 533279, 13, 2, 1, { 24, 48000, 4 }, 116500, 332736 },
	{ 533279, 14, 2, 1, { 24, 48000, 4 }, 139691, 510769 },
	{ 533279, 15, 2, 1, { 24, 48000, 4 }, 79774, 562727 },
	{ 533279, 16, 2, 1, { 24, 48000, 4 }, 96683, 508325 },
	{ 533279, 17, 2, 1, { 24, 48000, 4 }, 145327, 204458 },
	{ 533279, 18, 2, 1, { 24, 48000, 4 }, 141792, 168560 },
	{ 533279, 19, 2, 1, { 24, 48000, 4 }, 89835, 255627 },
};
enum { MADE = sizeof(made) / sizeof(made[0]) };

START_TEST(a_seed_makes_the_same_jobs_everywhere)
{
	struct eqt_workload few = wanted;
	uint64_t run_s = 0, limit_s = 0, at = 0, mem_mib = 0, order = 0;

	for (size_t i = 0; i < JOBS; i++) {
		run_s += jobs[i].run_s;
		limit_s += jobs[i].limit_s;
		at += (uint64_t) jobs[i].at;
		mem_mib += jobs[i].all.mem_mib;
		order += (i + 1) * jobs[i].id;
	}
	ck_assert_uint_eq(run_s, UINT64_C(12491010));
	ck_assert_uint_eq(limit_s, UINT64_C(47252493));
	ck_assert_uint_eq(at, UINT64_C(1746593426));
	ck_assert_uint_eq(mem_mib, UINT64_C(78546191));
	ck_assert_uint_eq(order, UINT64_C(15388673995));
	few.jobs = MADE;
	ck_assert_int_eq(eqt_workload_make(jobs, &few, &on, NULL), 0);
	for (size_t i = 0; i < MADE; i++) {
		ck_assert_int_eq(jobs[i].at, made[i].at);
		ck_assert_uint_eq(jobs[i].id, made[i].id);
		ck_assert_uint_eq(jobs[i].user, made[i].user);
		ck_assert_uint_eq(jobs[i].partition, made[i].partition);
		ck_assert_uint_eq(jobs[i].nodes, 1);
		ck_assert_uint_eq(jobs[i].all.cpus, made[i].all.cpus);
		ck_assert_uint_eq(jobs[i].all.mem_mib, made[i].all.mem_mib);
		ck_assert_uint_eq(jobs[i].all.gpus, made[i].all.gpus);
		ck_assert_uint_eq(jobs[i].run_s, made[i].run_s);
		ck_assert_uint_eq(jobs[i].limit_s, made[i].limit_s);
	}
}
END_TEST

/* Three years, and twice that for limits, are the most; a second is the least. */
START_TEST(an_impossible_load_has_bounds)
{
	struct eqt_workload wrong = wanted;

	wrong.jobs = MADE;
	wrong.load = 1e12;
	ck_assert_int_eq(eqt_workload_make(jobs, &wrong, &on, NULL), 0);
	ck_assert_uint_eq(jobs[0].run_s, 100000000);
	ck_assert_uint_eq(jobs[0].limit_s, 200000000);
	wrong.load = 1e-12;
	ck_assert_int_eq(eqt_workload_make(jobs, &wrong, &on, NULL), 0);
	ck_assert_uint_eq(jobs[0].run_s, 1);
	ck_assert_uint_eq(jobs[0].limit_s, 1);
}
END_TEST

START_TEST(a_workload_that_cannot_be_made_is_refused)
{
	struct eqt_workload wrong = wanted;
	struct eqt_simulation where = on;
	struct eqt_error err;

	wrong.load = 0;
	ck_assert_int_eq(eqt_workload_make(jobs, &wrong, &on, &err), -1);
	ck_assert_str_eq(err.text, "a load and a time above 0 are needed");
	wrong = wanted;
	wrong.span_s = 0;
	ck_assert_int_eq(eqt_workload_make(jobs, &wrong, &on, &err), -1);
	ck_assert_str_eq(err.text, "a load and a time above 0 are needed");
	where.tree_count = 2;
	ck_assert_int_eq(eqt_workload_make(jobs, &wanted, &where, &err), -1);
	ck_assert_str_eq(err.text, "no users");
	where = on;
	where.cluster.nodes = &nodes[4];
	where.cluster.node_count = 1;
	ck_assert_int_eq(eqt_workload_make(jobs, &wanted, &where, &err), -1);
	ck_assert_str_eq(err.text, "no partition has nodes");
	wrong = wanted;
	wrong.jobs = 0;
	ck_assert_int_eq(eqt_workload_make(jobs, &wrong, &on, &err), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("workload");
	TCase *tests = tcase_create("workload");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, jobs_come_in_order_and_each_has_its_number);
	tcase_add_test(tests, each_job_fits_on_the_least_node_of_its_partition);
	tcase_add_test(tests, jobs_of_a_burst_are_of_one_user_and_shape);
	tcase_add_test(tests, each_partition_has_the_load_that_was_asked_for);
	tcase_add_test(tests, another_seed_makes_other_jobs);
	tcase_add_test(tests, a_seed_makes_the_same_jobs_everywhere);
	tcase_add_test(tests, an_impossible_load_has_bounds);
	tcase_add_test(tests, a_workload_that_cannot_be_made_is_refused);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
