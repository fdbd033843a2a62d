/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most that a request could hold, from the largest nodes of a cluster. */
#include "job/demand_most.h"
#include "../unit.h"

static const struct eqt_bundle_table unpriced = { .disk_gres = NULL };

START_TEST(the_most_of_each_resource_is_kept)
{
	struct eqt_node_most most = { 0 };

	eqt_node_most_add(&most, &unpriced, 32, 1000, "gpu:a:2,license:9,gpu:b:1");
	ck_assert_uint_eq(most.nodes, 1);
	ck_assert_uint_eq(most.cpus, 32);
	ck_assert_uint_eq(most.mem_mib, 1000);
	ck_assert_uint_eq(most.gpus, 3);
	ck_assert(!most.some_without);
	eqt_node_most_add(&most, &unpriced, 16, 4000, "gpu:1");
	ck_assert(!most.some_without);
	eqt_node_most_add(&most, &unpriced, 8, 500, NULL);
	ck_assert_uint_eq(most.nodes, 3);
	ck_assert_uint_eq(most.cpus, 32);
	ck_assert_uint_eq(most.mem_mib, 4000);
	ck_assert_uint_eq(most.gpus, 3);
	ck_assert(most.some_without);
	eqt_node_most_add(&most, &unpriced, 1, 1,
			  "gpu:a:18446744073709551615,gpu:b:1");
	ck_assert_uint_eq(most.gpus, UINT64_MAX);
	ck_assert(most.some_without);
}
END_TEST

START_TEST(local_disk_is_kept_where_it_has_a_price)
{
	const struct eqt_bundle_table bytes = { .disk_gres = "jobfs",
						.disk_shift = 20 };
	const struct eqt_bundle_table plain = { .disk_gres = "jobfs" };
	struct eqt_node_most most = { 0 };

	eqt_node_most_add(&most, &unpriced, 1, 1, "jobfs:400G");
	ck_assert_uint_eq(most.disk, 0);
	eqt_node_most_add(&most, &bytes, 1, 1, "jobfs:ssd:1G,jobfs:hdd:1");
	ck_assert_uint_eq(most.disk, 1025);
	eqt_node_most_add(&most, &plain, 1, 1, "gpu:2,jobfs:9000");
	ck_assert_uint_eq(most.disk, 9000);
}
END_TEST

/* On a cluster of 10 nodes, the largest of which have 8 CPUs, 100 MiB and 2 GPUs. */
static const struct most_row {
	const char *name;
	struct eqt_job_spec spec;
	struct eqt_job_totals totals;
	uint64_t cores, mem_mib, gpus;
} rows[] = {
	{ "one node", { 0 }, { .nodes = 1, .tasks = 1 }, 8, 100, 2 },
	{ "a node for each task", { 0 }, { .nodes = 1, .tasks = 3 }, 24, 300,
	  6 },
	{ "a node for each GPU", { 0 },
	  { .nodes = 1, .tasks = 1, .gpus = 4 }, 32, 400, 8 },
	{ "a node for each CPU", { .min_cpus = 5 }, { .nodes = 1, .tasks = 1 },
	  40, 500, 10 },
	{ "all nodes", { .min_cpus = 11 }, { .nodes = 1, .tasks = 1 }, 80,
	  1000, 20 },
	{ "no more nodes than it allows", { .max_nodes = 2, .min_cpus = 5 },
	  { .nodes = 1, .tasks = 3, .gpus = 4 }, 16, 200, 4 },
	{ "the nodes that it asks for", { .max_nodes = 2 },
	  { .nodes = 3, .tasks = 1 }, 24, 300, 6 },
	{ "more than its nodes have", { 0 },
	  { .nodes = 1, .tasks = 1, .demand = { .cores = 9, .mem_mib = 101 } },
	  9, 101, 2 },
	{ "more GPUs than the nodes have", { .max_nodes = 1 },
	  { .nodes = 1, .tasks = 1, .gpus = 3 }, 8, 100, 3 },
};

START_TEST(a_request_holds_at_most_its_largest_nodes_whole)
{
	const struct eqt_node_most most = { .nodes = 10,
					    .cpus = 8,
					    .mem_mib = 100,
					    .gpus = 2 };
	const struct most_row *row = &rows[_i];
	struct eqt_demand demand;

	ck_assert_int_eq(eqt_demand_most(&demand, &row->spec, &row->totals,
					 &most),
			 0);
	ck_assert_msg(demand.cores == row->cores, "%s", row->name);
	ck_assert_msg(demand.mem_mib == row->mem_mib, "%s", row->name);
	ck_assert_msg(demand.gpus_untyped == row->gpus, "%s", row->name);
}
END_TEST

START_TEST(a_demand_beyond_64_bits_is_refused)
{
	const struct eqt_job_spec spec = { .max_nodes = 2 };
	const struct eqt_job_totals totals = { .nodes = 2, .tasks = 2 };
	const uint64_t half = UINT64_C(1) << 63;
	const struct eqt_node_most fits = { 2, half - 1, half - 1, half - 1,
					    half - 1, false };
	const struct eqt_node_most large[] = {
		{ 2, half, 1, 1, 1, false },
		{ 2, 1, half, 1, 1, false },
		{ 2, 1, 1, half, 1, false },
		{ 2, 1, 1, 1, half, false },
	};
	struct eqt_demand demand = { .cores = 4711 };

	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(eqt_demand_most(&demand, &spec, &totals,
						 &large[i]),
				 -1);
		ck_assert_uint_eq(demand.cores, 4711);
	}
	ck_assert_int_eq(eqt_demand_most(&demand, &spec, &totals, &fits), 0);
	ck_assert_uint_eq(demand.cores, UINT64_MAX - 1);
}
END_TEST

START_TEST(least_is_said_where_nodes_are_not_known)
{
	struct eqt_job_spec spec = { .exclusive = true };

	ck_assert(eqt_job_spec_is_least(&spec));
	spec.node.cpus = 4;
	ck_assert(!eqt_job_spec_is_least(&spec));
	spec.node.differ = true;
	ck_assert(eqt_job_spec_is_least(&spec));
	spec = (struct eqt_job_spec) { .mem = EQT_MEM_ALL };
	ck_assert(eqt_job_spec_is_least(&spec));
	spec.node.mem_mib = 4;
	ck_assert(!eqt_job_spec_is_least(&spec));
	spec = (struct eqt_job_spec) { .defaults.mem = EQT_MEM_ALL };
	ck_assert(eqt_job_spec_is_least(&spec));
	spec.mem = EQT_MEM_PER_CPU;
	ck_assert(!eqt_job_spec_is_least(&spec));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("demand most");
	TCase *tcase = tcase_create("demand most");

	tcase_add_test(tcase, the_most_of_each_resource_is_kept);
	tcase_add_test(tcase, local_disk_is_kept_where_it_has_a_price);
	tcase_add_loop_test(tcase,
			    a_request_holds_at_most_its_largest_nodes_whole, 0,
			    (int) (sizeof(rows) / sizeof(*rows)));
	tcase_add_test(tcase, a_demand_beyond_64_bits_is_refused);
	tcase_add_test(tcase, least_is_said_where_nodes_are_not_known);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
