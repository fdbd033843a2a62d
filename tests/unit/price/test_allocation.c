/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "price/allocation.h"
#include "../unit.h"

static const struct eqt_bundle two[] = { { .name = "gpu:p100" },
					 { .name = "gpu:v100" } };
static const struct eqt_bundle_table with_gpus = { .gpu = two, .gpu_count = 2 };
static const struct eqt_bundle_table no_gpus = { .gpu_count = 0 };

static const struct {
	const char *name;
	uint64_t cpus, threads, cores;
} core_rows[] = {
	{ "without a number of threads a CPU is a core", 7, 0, 7 },
	{ "with one thread a CPU is a core", 7, 1, 7 },
	{ "two threads are a core", 8, 2, 4 },
	{ "half a core is rounded up", 7, 2, 4 },
	{ "four threads are a core", 9, 4, 3 },
	{ "the largest number of CPUs does not wrap", UINT64_MAX, 2,
	  UINT64_C(1) << 63 },
	{ "nothing is nothing", 0, 2, 0 },
};

START_TEST(cpus_become_cores)
{
	struct eqt_allocation held = { .cpus = core_rows[_i].cpus,
				       .threads = core_rows[_i].threads,
				       .demand.mem_mib = 5 };

	ck_assert_ptr_eq(eqt_allocation_demand(&held, &with_gpus),
			 &held.demand);
	ck_assert_msg(held.demand.cores == core_rows[_i].cores, "%s",
		      core_rows[_i].name);
	ck_assert_uint_eq(held.demand.mem_mib, 5);
}
END_TEST

static const struct {
	const char *name;
	const struct eqt_bundle_table *prices;
	uint64_t gpus, p100, v100, untyped;
} gpu_rows[] = {
	{ "GPUs without a model are of any", &with_gpus, 3, 0, 0, 3 },
	{ "GPUs with a bundle are not counted twice", &with_gpus, 3, 2, 1, 0 },
	{ "what has no bundle of its own is of any", &with_gpus, 4, 2, 1, 1 },
	{ "Slurm may not count all GPUs", &with_gpus, 0, 2, 0, 0 },
	{ "Slurm may count fewer than those with a bundle", &with_gpus, 1, 2, 0,
	  0 },
	{ "no bundle has GPUs, so they are left out", &no_gpus, 3, 0, 0, 0 },
};

START_TEST(gpus_without_a_bundle_are_of_any)
{
	struct eqt_allocation held = { .gpus = gpu_rows[_i].gpus };
	const struct eqt_demand *demand;

	ck_assert_int_eq(
		eqt_allocation_add_gpus(&held, 0, gpu_rows[_i].p100), 0);
	ck_assert_int_eq(
		eqt_allocation_add_gpus(&held, 1, gpu_rows[_i].v100), 0);
	demand = eqt_allocation_demand(&held, gpu_rows[_i].prices);
	ck_assert_uint_eq(demand->gpus[0], gpu_rows[_i].p100);
	ck_assert_uint_eq(demand->gpus[1], gpu_rows[_i].v100);
	ck_assert_msg(demand->gpus_untyped == gpu_rows[_i].untyped, "%s",
		      gpu_rows[_i].name);
}
END_TEST

START_TEST(gpus_of_a_bundle_add_up_while_they_fit)
{
	struct eqt_allocation held = { .gpus = 0 };

	ck_assert_int_eq(eqt_allocation_add_gpus(&held, 0, UINT64_MAX - 1), 0);
	ck_assert_int_eq(eqt_allocation_add_gpus(&held, 0, 1), 0);
	ck_assert_uint_eq(held.demand.gpus[0], UINT64_MAX);
	ck_assert_uint_eq(held.typed, UINT64_MAX);
	ck_assert_int_eq(eqt_allocation_add_gpus(&held, 0, 1), -1);
	ck_assert_int_eq(eqt_allocation_add_gpus(&held, 1, 1), -1);
}
END_TEST

/* Bytes, in MiB: 1 << 20 of them, rounded up. */
START_TEST(disk_is_counted_as_the_table_counts_it)
{
	const struct eqt_bundle_table in_mib = { .disk_shift = 20 };
	struct eqt_allocation held = { .disk = (3 << 20) + 1 };

	ck_assert_uint_eq(eqt_allocation_demand(&held, &in_mib)->disk, 4);
	ck_assert_uint_eq(eqt_allocation_demand(&held, &with_gpus)->disk,
			  (3 << 20) + 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("allocation");
	TCase *tcase = tcase_create("allocation");

	tcase_add_loop_test(tcase, cpus_become_cores, 0,
			    (int) (sizeof(core_rows) / sizeof(*core_rows)));
	tcase_add_loop_test(tcase, gpus_without_a_bundle_are_of_any, 0,
			    (int) (sizeof(gpu_rows) / sizeof(*gpu_rows)));
	tcase_add_test(tcase, gpus_of_a_bundle_add_up_while_they_fit);
	tcase_add_test(tcase, disk_is_counted_as_the_table_counts_it);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
