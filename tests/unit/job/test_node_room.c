/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the nodes that a request could get are enough for it, and how many of them it
 * allows. */
#include "job/node_offer.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#define TWO_KINDS(memory)                                                    \
	.kinds = 2, .kind = { { .cpus = 4, .mem_mib = (memory), .count = 2, \
				.gres = "gpu:2" },                          \
			      { .cpus = 8, .mem_mib = (memory), .count = 1, \
				.gres = "gpu:4" } }

/* 16 CPUs and 8 GPUs in all. */
static const struct room_row {
	const char *name;
	struct eqt_job_spec spec;
	struct eqt_node_offer_gpus wanted;
	bool has_room;
} rooms[] = {
	{ "one task", { TWO_KINDS(16000) }, { 0, 0 }, true },
	{ "as many tasks as CPUs", { TWO_KINDS(16000), .tasks = 16 }, { 0, 0 },
	  true },
	{ "a task more than CPUs", { TWO_KINDS(16000), .tasks = 17 }, { 0, 0 },
	  false },
	{ "tasks of three CPUs",
	  { TWO_KINDS(16000), .tasks = 5, .cpus_per_task = 3 }, { 0, 0 }, true },
	{ "too many tasks of three CPUs",
	  { TWO_KINDS(16000), .tasks = 6, .cpus_per_task = 3 }, { 0, 0 },
	  false },
	{ "memory for two CPUs of each node",
	  { TWO_KINDS(16000), .tasks = 6, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 8000 }, { 0, 0 }, true },
	{ "memory for fewer CPUs than tasks",
	  { TWO_KINDS(16000), .tasks = 7, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 8000 }, { 0, 0 }, false },
	{ "memory for just all CPUs of the smaller nodes",
	  { TWO_KINDS(16000), .tasks = 12, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000 }, { 0, 0 }, true },
	{ "memory of nodes does not limit their CPUs",
	  { TWO_KINDS(16000), .tasks = 16, .mem = EQT_MEM_PER_NODE,
	    .mem_mib = 8000 }, { 0, 0 }, true },
	{ "memory that is no resource does not limit CPUs",
	  { TWO_KINDS(16000), .tasks = 16, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 8000, .no_memory = true }, { 0, 0 }, true },
	{ "no memory for each CPU does not limit CPUs",
	  { TWO_KINDS(16000), .tasks = 16, .mem = EQT_MEM_PER_CPU }, { 0, 0 },
	  true },
	{ "memory for each CPU above MaxMemPerCPU: two CPUs for each task",
	  { TWO_KINDS(16000), .tasks = 8, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000, .limit.mem_per_cpu = 2000 }, { 0, 0 }, true },
	{ "memory for each CPU above MaxMemPerCPU: a task too many",
	  { TWO_KINDS(16000), .tasks = 9, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000, .limit.mem_per_cpu = 2000 }, { 0, 0 }, false },
	{ "memory that is no resource, above MaxMemPerCPU: a task too many",
	  { TWO_KINDS(16000), .tasks = 9, .mem = EQT_MEM_PER_CPU,
	    .mem_mib = 4000, .no_memory = true, .limit.mem_per_cpu = 2000 },
	  { 0, 0 }, false },
	{ "select/linear: memory for each CPU above MaxMemPerCPU",
	  { TWO_KINDS(16000), .tasks = 9, .linear = true,
	    .mem = EQT_MEM_PER_CPU, .mem_mib = 4000,
	    .limit.mem_per_cpu = 2000 }, { 0, 0 }, false },
	{ "MaxCPUsPerNode: a task too many",
	  { TWO_KINDS(16000), .tasks = 5, .limit.cpus_per_node = 1 },
	  { 0, 0 }, false },
	{ "as many nodes as --ntasks-per-node wants",
	  { TWO_KINDS(16000), .tasks = 6, .tasks_per_node = 2 }, { 0, 0 },
	  true },
	{ "fewer nodes than --ntasks-per-node wants",
	  { TWO_KINDS(16000), .tasks = 7, .tasks_per_node = 2 }, { 0, 0 },
	  false },
	{ "select/linear: so many tasks on each node",
	  { TWO_KINDS(16000), .tasks = 6, .tasks_per_node = 2,
	    .linear = true }, { 0, 0 }, true },
	{ "select/linear: more tasks than --ntasks-per-node allows",
	  { TWO_KINDS(16000), .tasks = 7, .tasks_per_node = 2,
	    .linear = true }, { 0, 0 }, false },
	{ "select/linear: tasks that share CPUs", { TWO_KINDS(16000),
	    .tasks = 7, .tasks_per_node = 2, .linear = true,
	    .overcommit = true }, { 0, 0 }, true },
	{ "all GPUs for the job", { TWO_KINDS(16000) }, { 8, 0 }, true },
	{ "more GPUs than there are", { TWO_KINDS(16000) }, { 9, 0 }, false },
	{ "all GPUs for two tasks", { TWO_KINDS(16000), .tasks = 2 }, { 0, 4 },
	  true },
	{ "more GPUs for each task", { TWO_KINDS(16000), .tasks = 2 },
	  { 0, 5 }, false },
	{ "select/linear: two tasks of two CPUs on each core",
	  { TWO_KINDS(16000), .tasks = 32, .cpus_per_task = 2,
	    .tasks_per_core = 4, .linear = true }, { 0, 0 }, true },
	{ "select/linear: too many tasks for each core",
	  { TWO_KINDS(16000), .tasks = 65, .cpus_per_task = 2,
	    .tasks_per_core = 4, .linear = true }, { 0, 0 }, false },
};

START_TEST(nodes_of_a_number_have_gpus_and_cpus_or_none)
{
	struct eqt_job_spec spec = { .tasks = 1, .max_nodes = 1, .kinds = 1,
				     .kind = { { .cpus = 16,
						 .mem_mib = 64000,
						 .count = 2 } } };
	const struct eqt_node_offer_gpus none = { 0 }, one = { .per_job = 1 };

	ck_assert(eqt_node_offer_number_has_room(&spec, &none));
	ck_assert(!eqt_node_offer_number_has_room(&spec, &one));
	spec.kind[0].gres = "gpu:1";
	ck_assert(eqt_node_offer_number_has_room(&spec, &one));
	spec.mem = EQT_MEM_PER_CPU;
	spec.mem_mib = 64001;
	ck_assert(!eqt_node_offer_number_has_room(&spec, &one));
}
END_TEST

#define HALF (UINT64_C(1) << 63)

/* As many nodes as the request allows, each with the most of any kind. */
static const struct room_row number_rows[] = {
	{ "a job without tasks has one",
	  { .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 1 } } },
	  { 0, 0 }, true },
	{ "a job that names no nodes and no tasks has room", { .kinds = 0 },
	  { 0, 0 }, true },
	{ "select/linear: tasks of any number have room",
	  { .tasks = 99, .max_nodes = 1, .linear = true }, { 0, 0 }, true },
	{ "two tasks of three CPUs fit on eight CPUs",
	  { .tasks = 2, .cpus_per_task = 3, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 8 } } }, { 0, 0 }, true },
	{ "three tasks of three CPUs do not fit on eight CPUs",
	  { .tasks = 3, .cpus_per_task = 3, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 8 } } }, { 0, 0 }, false },
	{ "the second kind may be the one with room",
	  { .tasks = 8, .max_nodes = 1, .kinds = 2,
	    .kind = { { .cpus = 2 }, { .cpus = 8 } } }, { 0, 0 }, true },
	{ "a kind behind the last one has no room",
	  { .tasks = 8, .max_nodes = 1, .kinds = 1,
	    .kind = { { .cpus = 2 }, { .cpus = 8 } } }, { 0, 0 }, false },
	{ "CPUs of more nodes than tasks count where the job wants the nodes",
	  { .tasks = 2, .cpus_per_task = 3, .tasks_per_node = 1, .min_nodes = 3,
	    .max_nodes = 1, .kinds = 1, .kind = { { .cpus = 2 } } },
	  { 0, 0 }, true },
	{ "more CPUs than fit have room",
	  { .max_nodes = 2, .kinds = 1, .kind = { { .cpus = HALF } } },
	  { 0, 0 }, true },
	{ "more GPUs than fit have room",
	  { .max_nodes = 2, .kinds = 1,
	    .kind = { { .cpus = 1, .gres = "gpu:9223372036854775808" } } },
	  { 1, 0 }, true },
};

START_TEST(nodes_of_a_number_have_room_or_not)
{
	const struct room_row *row = &number_rows[_i];

	ck_assert_msg(eqt_node_offer_number_has_room(&row->spec,
						     &row->wanted) ==
			      row->has_room,
		      "%s", row->name);
}
END_TEST

START_TEST(a_kind_behind_the_last_one_has_no_room)
{
	const struct eqt_job_spec spec = {
		.tasks = 8, .kinds = 1,
		.kind = { { .cpus = 2, .count = 1 }, { .cpus = 8, .count = 1 } },
	};
	const struct eqt_node_offer_gpus none = { 0 };

	ck_assert(!eqt_node_offer_has_room(&spec, &none));
}
END_TEST

START_TEST(all_nodes_have_room_for_all_tasks_and_gpus_or_not)
{
	const struct room_row *row = &rooms[_i];

	ck_assert_msg(eqt_node_offer_has_room(&row->spec, &row->wanted) ==
			      row->has_room,
		      "%s", row->name);
}
END_TEST

START_TEST(a_job_that_names_no_number_of_nodes_may_be_split)
{
	static const struct {
		struct eqt_job_spec spec;
		bool may;
	} rows[] = {
		{ { .tasks = 2 }, true },
		{ { .tasks = 1 }, false },
		{ { .tasks = 0 }, false },
		{ { .tasks = 2, .max_nodes = 1 }, false },
		{ { .tasks = 2, .exclusive = true }, false },
		{ { .tasks = 2, .exclusive = true, .shares_elsewhere = true },
		  true },
		{ { .tres_per_job = "gpu:2" }, true },
		{ { .tres_per_job = "gpu:2", .tasks = 1 }, false },
		{ { .tres_per_job = "gpu:2", .max_nodes = 2 }, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_node_offer_may_split(&rows[i].spec) ==
				      rows[i].may,
			      "row %zu", i);
}
END_TEST

START_TEST(a_job_has_at_most_a_node_for_each_of_its_tasks)
{
	static const struct {
		struct eqt_job_spec spec;
		uint64_t nodes;
	} rows[] = {
		{ { .tasks = 2 }, 2 },
		{ { .tasks = 2, .max_nodes = 1 }, 1 },
		{ { .tasks = 2, .max_nodes = 3 }, 2 },
		{ { .tasks = 2, .min_nodes = 3, .max_nodes = 4 }, 3 },
		{ { .tasks = 2, .min_nodes = 3 }, 3 },
		{ { .tasks = 2, .tasks_per_node = 1 }, 0 },
		{ { .tasks = 2, .nodelist = "n[1-3]" }, 0 },
		{ { .tasks = 2, .nodelist = "" }, 2 },
		{ { .tasks = 2, .linear = true }, 0 },
		{ { .max_nodes = 3 }, 3 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_node_offer_most_nodes(&rows[i].spec) ==
				      rows[i].nodes,
			      "row %zu", i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("node room");
	TCase *tcase = tcase_create("node room");

	tcase_add_test(tcase, nodes_of_a_number_have_gpus_and_cpus_or_none);
	tcase_add_loop_test(tcase, nodes_of_a_number_have_room_or_not, 0,
			    (int) COUNT(number_rows));
	tcase_add_test(tcase, a_kind_behind_the_last_one_has_no_room);
	tcase_add_loop_test(tcase,
			    all_nodes_have_room_for_all_tasks_and_gpus_or_not,
			    0, (int) COUNT(rooms));
	tcase_add_test(tcase,
		       a_job_that_names_no_number_of_nodes_may_be_split);
	tcase_add_test(tcase, a_job_has_at_most_a_node_for_each_of_its_tasks);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
