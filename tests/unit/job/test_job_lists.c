/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of a request, read once for several counts. */
#include "job/job_spec_lists.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct eqt_bundle_table prices = {
	.cores = { .name = "cores", .cores_u = EQT_MICRO },
	.gpu = (const struct eqt_bundle[]){ { .name = "gpu",
					      .cores_u = EQT_MICRO,
					      .weight_u = EQT_MICRO } },
	.gpu_count = 1,
};

START_TEST(few_rows_of_a_request_are_kept_and_many_are_counted)
{
	static struct eqt_parsed_spec parsed;
	struct eqt_job_spec spec = { .tres_per_job = "gpu:a:1,gpu:b:2" };

	parsed.spare = parsed.row;
	ck_assert_int_eq(eqt_parsed_spec_make(&parsed, &prices, &spec, NULL),
			 0);
	ck_assert_uint_eq(parsed.rows.count, 2);
	ck_assert_uint_eq(parsed.rows.room, EQT_PARSED_SPEC_ROWS);
	ck_assert_uint_eq(parsed.totals.gpus, 3);
	ck_assert_ptr_null(parsed.lists);
	ck_assert_ptr_null(parsed.spare);
	spec.tres_per_job = "gpu:a:1,gpu:b:2,gpu:c:3,gpu:d:4,gpu:e:5";
	ck_assert_int_eq(eqt_parsed_spec_make(&parsed, &prices, &spec, NULL),
			 0);
	ck_assert_uint_eq(parsed.rows.room, 0);
	ck_assert_uint_eq(parsed.totals.gpus, 15);
}
END_TEST

START_TEST(a_whole_node_adds_nothing_to_what_a_request_names)
{
	const struct eqt_job_spec spec = { .exclusive = true,
					   .tres_per_job = "gpu:b:1",
					   .node.gres = "gpu:a:4" };
	struct eqt_gres_row row[4];
	struct eqt_gres_rows rows = { .row = row, .room = COUNT(row) };

	ck_assert_int_eq(eqt_job_spec_read_asked(&rows, &prices, &spec, NULL),
			 0);
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_str_eq(row[0].type, "b");
	ck_assert_int_eq(eqt_job_spec_read(&rows, &prices, &spec, NULL), 0);
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_str_eq(row[0].type, "a");
}
END_TEST

START_TEST(lists_are_read_into_rows_that_were_used_before)
{
	struct eqt_gres_row asked[4], each[4], row[EQT_GRES_MAX];
	struct eqt_job_spec_lists lists = {
		.totals = { .row = asked, .room = 4, .count = 3,
			    .cpus_per_task = 9 },
		.each = { .row = each, .room = 4, .count = 3,
			  .cpus_per_task = 9 },
	};
	const struct eqt_job_spec spec = { .exclusive = true,
					   .tres_per_task = "gpu:b:1",
					   .cpus_per_tres = "gpu:3",
					   .mem_per_tres = "gpu:100",
					   .node.gres = "gpu:a:4" };
	struct eqt_parsed_spec out;

	eqt_job_spec_lists_read(&lists, &prices, &spec);
	ck_assert(lists.asked_read);
	ck_assert(lists.each_read);
	ck_assert_uint_eq(lists.totals.cpus_per_task, 0);
	ck_assert_uint_eq(lists.each.count, 1);
	ck_assert_uint_eq(lists.each.cpus_per_task, 0);
	ck_assert_int_eq(eqt_counted_by_lists(&out, &prices, &spec, &lists,
					      row), 0);
	ck_assert_ptr_eq(out.rows.row, row);
	ck_assert_uint_eq(out.rows.room, EQT_GRES_MAX);
	ck_assert_uint_eq(out.rows.count, 1);
	ck_assert_str_eq(out.rows.row[0].type, "a");
	ck_assert_uint_eq(out.rows.row[0].cpus, 3);
	ck_assert_uint_eq(out.totals.gpus, 4);
	ck_assert_ptr_eq(out.lists, &lists);
}
END_TEST

START_TEST(each_list_of_a_request_is_read)
{
	static const struct eqt_job_spec wrong[] = {
		{ .tres_per_job = "gpu:" },    { .tres_per_node = "gpu:" },
		{ .tres_per_task = "gpu:" },   { .tres_per_socket = "gpu:" },
		{ .cpus_per_tres = "gpu:" },   { .mem_per_tres = "gpu:" },
		{ .exclusive = true, .node.gres = "gpu:" },
	};
	struct eqt_job_totals totals;

	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(eqt_job_spec_compute(&totals, &prices, &wrong[i],
						   NULL) < 0,
			      "list %zu", i);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lists of a job");
	TCase *tcase = tcase_create("lists");

	tcase_add_test(tcase,
		       few_rows_of_a_request_are_kept_and_many_are_counted);
	tcase_add_test(tcase, a_whole_node_adds_nothing_to_what_a_request_names);
	tcase_add_test(tcase, lists_are_read_into_rows_that_were_used_before);
	tcase_add_test(tcase, each_list_of_a_request_is_read);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
