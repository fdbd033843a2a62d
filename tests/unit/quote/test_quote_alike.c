/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One request in two partitions: when both have the same quote. */
#include "quote/quote.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Eight cores of each of `count` nodes. One CPU of each of four tasks is enough nodes. */
#define EIGHT_CORES .kinds = 1, .kind = { { .cpus = 8, .mem_mib = 64000 } }

static const struct alike_row {
	const char *name;
	struct eqt_job_spec spec;
	uint64_t count, other; /* the nodes of the two partitions */
	bool alike;
} alike_rows[] = {
	{ "too few nodes in the first partition",
	  { .tasks = 4, EIGHT_CORES }, 3, 9, false },
	{ "just enough nodes in the first partition",
	  { .tasks = 4, EIGHT_CORES }, 4, 9, true },
	{ "too few nodes in the other partition",
	  { .tasks = 4, EIGHT_CORES }, 9, 3, false },
	{ "just enough nodes in the other partition",
	  { .tasks = 4, EIGHT_CORES }, 9, 4, true },
	{ "equally few nodes in both", { .tasks = 4, EIGHT_CORES }, 3, 3, true },
	{ "one node is enough for a request that names nothing",
	  { EIGHT_CORES }, 1, 9, true },
	{ "CPUs of tasks on fewer nodes", { .tasks = 2, .cpus_per_task = 3,
	  EIGHT_CORES }, 5, 9, false },
	{ "CPUs of tasks on a node each", { .tasks = 2, .cpus_per_task = 3,
	  EIGHT_CORES }, 6, 9, true },
	{ "CPUs of --mincpus on fewer nodes", { .tasks = 2,
	  .min_cpus_per_node = 3, EIGHT_CORES }, 5, 9, false },
	{ "CPUs of --mincpus on a node each", { .tasks = 2,
	  .min_cpus_per_node = 3, EIGHT_CORES }, 6, 9, true },
	{ "fewer nodes than the fewest of -N", { .min_nodes = 6, EIGHT_CORES },
	  5, 9, false },
	{ "the fewest nodes of -N", { .min_nodes = 6, EIGHT_CORES }, 6, 9,
	  true },
	{ "fewer nodes than the most of -N", { .max_nodes = 6, EIGHT_CORES }, 5,
	  9, false },
	{ "the most nodes of -N", { .max_nodes = 6, EIGHT_CORES }, 6, 9, true },
	{ "fewer nodes than CPUs of the job", { .min_cpus = 6, EIGHT_CORES }, 5,
	  9, false },
	{ "as many nodes as CPUs of the job", { .min_cpus = 6, EIGHT_CORES }, 6,
	  9, true },
	{ "fewer nodes than a feature counts", { .counted_nodes = 6,
	  EIGHT_CORES }, 5, 9, false },
	{ "as many nodes as a feature counts", { .counted_nodes = 6,
	  EIGHT_CORES }, 6, 9, true },
	{ "MaxMemPerCPU may raise CPUs on any number of nodes",
	  { .limit.mem_per_cpu = 1, EIGHT_CORES }, 800, 900, false },
	{ "whole sockets may raise CPUs on any number of nodes",
	  { .whole_sockets = true, EIGHT_CORES }, 800, 900, false },
	{ "a layout may raise CPUs on any number of nodes",
	  { .layout_cpus = 1, EIGHT_CORES }, 800, 900, false },
	{ "planes may raise CPUs on any number of nodes",
	  { .plane = 1, EIGHT_CORES }, 800, 900, false },
	{ "--ntasks-per-node may raise CPUs on any number of nodes",
	  { .tasks_per_node = 1, EIGHT_CORES }, 800, 900, false },
	{ "more CPUs than 64 bits need more nodes than there are",
	  { .tasks = UINT64_MAX, .cpus_per_task = 2, EIGHT_CORES }, 800, 900,
	  false },
	{ "whole nodes are priced one by one",
	  { .tasks = 4, .exclusive = true, EIGHT_CORES }, 9, 9, false },
	{ "select/linear is priced one by one",
	  { .tasks = 4, .linear = true, EIGHT_CORES }, 9, 9, false },
	{ "GPUs are priced one by one",
	  { .tasks = 4, .tres_per_node = "gres:gpu:1", EIGHT_CORES }, 9, 9,
	  false },
	{ "no nodes are known", { .tasks = 4 }, 9, 9, false },
};

START_TEST(a_request_has_one_quote_where_both_partitions_have_enough_nodes)
{
	const struct alike_row *row = &alike_rows[_i];
	struct eqt_job_spec spec = row->spec, other = row->spec;

	spec.kind[0].count = row->count;
	other.kind[0].count = row->other;
	ck_assert_msg(eqt_quote_classes_alike(&spec, &other) == row->alike,
		      "%s", row->name);
}
END_TEST

START_TEST(requests_on_unlike_nodes_have_quotes_of_their_own)
{
	static const struct {
		const char *name;
		struct eqt_job_spec spec;
	} rows[] = {
		{ "another number of tasks",
		  { .tasks = 5, .kinds = 1,
		    .kind = { { .cpus = 8, .sockets = 1, .count = 9 } } } },
		{ "more cores on a node",
		  { .tasks = 4, .kinds = 1,
		    .kind = { { .cpus = 9, .sockets = 1, .count = 9 } } } },
		{ "more sockets on a node",
		  { .tasks = 4, .kinds = 1,
		    .kind = { { .cpus = 8, .sockets = 2, .count = 9 } } } },
		{ "nodes that differ from each other",
		  { .tasks = 4, .kinds = 1,
		    .kind = { { .cpus = 8, .sockets = 1, .differ = true,
				.count = 9 } } } },
		{ "a second kind of nodes",
		  { .tasks = 4, .kinds = 2,
		    .kind = { { .cpus = 8, .sockets = 1, .count = 9 },
			      { .cpus = 8, .sockets = 1, .count = 9 } } } },
	};
	const struct eqt_job_spec spec = {
		.tasks = 4,
		.kinds = 1,
		.kind = { { .cpus = 8, .sockets = 1, .count = 9 } },
	};

	ck_assert(eqt_quote_classes_alike(&spec, &spec));
	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(!eqt_quote_classes_alike(&spec, &rows[i].spec),
			      "%s", rows[i].name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("alike quotes");
	TCase *tcase = tcase_create("alike quotes");

	tcase_add_loop_test(
		tcase,
		a_request_has_one_quote_where_both_partitions_have_enough_nodes,
		0, (int) COUNT(alike_rows));
	tcase_add_test(tcase, requests_on_unlike_nodes_have_quotes_of_their_own);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
