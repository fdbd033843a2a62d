/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of lists of GRES: how long names are, and how many there are of each. */
#include <inttypes.h>
#include <stdio.h>

#include "price/gres.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define LONGEST (EQT_NAME_SIZE - 1)

/* A text of so many x. */
static const char *letters(size_t length)
{
	static char text[2 * EQT_NAME_SIZE];

	memset(text, 'x', length);
	text[length] = '\0';
	return text;
}

static int item_read(struct eqt_gres *item, const char *form, size_t length)
{
	char text[4 * EQT_NAME_SIZE];
	const char *list = text;

	snprintf(text, sizeof(text), form, letters(length));
	return eqt_gres_next(item, &list, NULL);
}

START_TEST(the_longest_name_and_type_are_read_whole)
{
	struct eqt_gres item;

	ck_assert_int_eq(item_read(&item, "gres:%s:a:2", LONGEST), 1);
	ck_assert_str_eq(item.name, letters(LONGEST));
	ck_assert_str_eq(item.type, "a");
	ck_assert_uint_eq(item.count, 2);
	ck_assert_int_eq(item_read(&item, "gres:gpu:%s:2", LONGEST), 1);
	ck_assert_str_eq(item.name, "gpu");
	ck_assert_str_eq(item.type, letters(LONGEST));
	ck_assert_uint_eq(item.count, 2);
}
END_TEST

START_TEST(a_longer_name_or_type_is_refused)
{
	struct eqt_gres item;

	ck_assert_int_eq(item_read(&item, "gres:%s:a:2", LONGEST + 1), -1);
	ck_assert_int_eq(item_read(&item, "gres:%s", LONGEST + 1), -1);
	ck_assert_int_eq(item_read(&item, "gres:gpu:%s:2", LONGEST + 1), -1);
	ck_assert_int_eq(item_read(&item, "gres:gpu:%s", LONGEST + 1), -1);
}
END_TEST

static const struct {
	const char *list;
	uint64_t count;
	const char *type;
} count_rows[] = {
	{ "gpu", 1, "" },
	{ "gpu:3", 3, "" },
	{ "gpu:a", 1, "a" },
	{ "gpu:a:3", 3, "a" },
	{ "gres:gpu=3", 3, "" },
	{ "gres/gpu:a=3", 3, "a" },
	{ "bw:2k", 2048, "" },
	{ "bw:2M", UINT64_C(2) << 20, "" },
	{ "bw:2g", UINT64_C(2) << 30, "" },
	{ "bw:2t", UINT64_C(2) << 40, "" },
	{ "bw:2p", UINT64_C(2) << 50, "" },
	{ "bw:2KiB", 2048, "" },
	{ "bw:2kb", 2000, "" },
	{ "bw:2PB", UINT64_C(2000000000000000), "" },
	{ "bw:2e", 1, "2e" },
	{ "bw:2kx", 1, "2kx" },
	{ "gpu:a:0", 0, "a" },
	{ "gpu:a~:2", 2, "a~" },
	{ "gpu:123456789012345678x", 1, "123456789012345678x" },
	{ "gpu:a_type_of_more_than_18_characters", 1,
	  "a_type_of_more_than_18_characters" },
	{ "gpu:18446744073709551615", UINT64_MAX, "" },
};

START_TEST(a_count_has_the_suffixes_of_slurm)
{
	const char *list = count_rows[_i].list;
	struct eqt_gres item;

	ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 1);
	ck_assert_msg(item.count == count_rows[_i].count, "%s: %ju",
		      count_rows[_i].list, (uintmax_t) item.count);
	ck_assert_str_eq(item.type, count_rows[_i].type);
}
END_TEST

static const struct {
	const char *list, *name, *type;
} name_rows[] = {
	{ "gres:x", "x", "" },
	{ "gres/x:2", "x", "" },
	{ "gresab:2", "gresab", "" },
	{ "gres", "gres", "" },
	{ "gres=a", "gres", "a" },
	{ "a~b", "a~b", "" },
};

START_TEST(a_name_begins_behind_the_word_gres)
{
	const char *list = name_rows[_i].list;
	struct eqt_gres item;

	ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 1);
	ck_assert_str_eq(item.name, name_rows[_i].name);
	ck_assert_str_eq(item.type, name_rows[_i].type);
}
END_TEST

START_TEST(an_item_that_cannot_be_read_is_refused)
{
	static const char *const texts[] = {
		"gpu:a b:1", "gpu:a\x7f", "gres:", "gpu:",
		"gpu:18446744073709551616", "gpu:1234567890123456789x",
	};
	struct eqt_gres item;

	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *list = texts[i];

		ck_assert_msg(eqt_gres_next(&item, &list, NULL) == -1, "%s",
			      texts[i]);
	}
}
END_TEST

START_TEST(the_sockets_of_an_item_are_passed_over)
{
	const char *list = "gpu:a:4(S:0,1),bw:2";
	struct eqt_gres item;

	ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 1);
	ck_assert_str_eq(item.name, "gpu");
	ck_assert_uint_eq(item.count, 4);
	ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 1);
	ck_assert_str_eq(item.name, "bw");
	ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 0);
}
END_TEST

static const struct eqt_bundle_table prices = {
	.gpu = (const struct eqt_bundle[]){ { .name = "tpu" },
					    { .name = "fpga:x" },
					    { .name = "shard" } },
	.gpu_count = 3,
};

START_TEST(rows_are_of_gpus_and_of_resources_with_a_price)
{
	struct eqt_gres_row row[8];
	struct eqt_gres_rows rows = { .row = row, .room = COUNT(row) };

	ck_assert_int_eq(eqt_gres_rows_read(&rows, &prices, EQT_GRES_JOB,
					    "tp:1,tpu:2,tpus:3,fpga:4,fpga:y:5,"
					    "fpg:6,gpu:a:7,gpu:b:8,gpu:b:9",
					    NULL), 0);
	ck_assert_uint_eq(rows.count, 5);
	ck_assert_str_eq(row[0].name, "tpu");
	ck_assert_str_eq(row[1].name, "fpga");
	ck_assert_str_eq(row[2].type, "y");
	ck_assert_str_eq(row[3].type, "a");
	ck_assert_str_eq(row[4].type, "b");
	ck_assert_uint_eq(row[4].count[EQT_GRES_JOB], 9);
}
END_TEST

START_TEST(shares_count_for_a_request_and_not_for_a_node)
{
	struct eqt_gres_row row[2];
	struct eqt_gres_rows rows = { .row = row, .room = COUNT(row) };

	ck_assert_int_eq(eqt_gres_rows_read_node(&rows, &prices,
						 "shard:8,tpu:1", NULL), 0);
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_str_eq(row[0].name, "tpu");
	ck_assert_int_eq(eqt_gres_rows_read(&rows, &prices, EQT_GRES_NODE,
					    "shard:8", NULL), 0);
	ck_assert_uint_eq(rows.count, 2);
	ck_assert_str_eq(row[1].name, "shard");
}
END_TEST

START_TEST(the_cpus_of_a_task_are_read_alone)
{
	struct eqt_gres_rows rows = { .room = 0 };

	ck_assert_int_eq(eqt_gres_rows_read_cpus(&rows, "gpu:a:2,cpu=4,cpu=3",
						 NULL), 0);
	ck_assert_uint_eq(rows.cpus_per_task, 4);
	ck_assert_int_eq(eqt_gres_rows_read_cpus(&rows, "cpu=9,gpu:", NULL),
			 -1);
}
END_TEST

START_TEST(what_comes_with_any_gpu_goes_to_all_models)
{
	struct eqt_gres_row row[4];
	struct eqt_gres_rows rows = { .row = row, .room = COUNT(row) };

	ck_assert_int_eq(eqt_gres_rows_read(&rows, &prices, EQT_GRES_CPUS,
					    "gpu:3,gpu:b:5", NULL), 0);
	ck_assert_int_eq(eqt_gres_rows_read(&rows, &prices, EQT_GRES_JOB,
					    "gpu:a:1,tpu:1", NULL), 0);
	ck_assert_int_eq(eqt_gres_rows_spread(&rows, NULL), 0);
	ck_assert_uint_eq(rows.count, 3);
	ck_assert_str_eq(row[0].type, "b");
	ck_assert_uint_eq(row[0].cpus, 5);
	ck_assert_str_eq(row[1].type, "a");
	ck_assert_uint_eq(row[1].cpus, 3);
	ck_assert_str_eq(row[2].name, "tpu");
	ck_assert_uint_eq(row[2].cpus, 0);
}
END_TEST

START_TEST(what_comes_with_any_gpu_stays_without_a_model)
{
	struct eqt_gres_row row[4];
	struct eqt_gres_rows rows = { .row = row, .room = COUNT(row) };

	ck_assert_int_eq(eqt_gres_rows_read(&rows, &prices, EQT_GRES_CPUS,
					    "gpu:3", NULL), 0);
	ck_assert_int_eq(eqt_gres_rows_spread(&rows, NULL), 0);
	ck_assert_uint_eq(rows.count, 1);
	ck_assert_uint_eq(row[0].cpus, 3);
}
END_TEST

START_TEST(shards_and_mps_are_shares_of_gpus)
{
	ck_assert(eqt_gres_is_share("shard"));
	ck_assert(eqt_gres_is_share("mps"));
	ck_assert(!eqt_gres_is_share("gpu"));
	ck_assert(!eqt_gres_is_share("shards"));
	ck_assert(!eqt_gres_is_share("a"));
}
END_TEST

START_TEST(gpus_without_a_type_are_found)
{
	ck_assert(eqt_gres_has_untyped_gpus("gpu:4(S:0-1)"));
	ck_assert(eqt_gres_has_untyped_gpus("shard:8,gpu:a:2(S:0,1),gpu"));
	ck_assert(!eqt_gres_has_untyped_gpus("gpu:a:4,shard:8"));
	ck_assert(!eqt_gres_has_untyped_gpus("gpu:0"));
	ck_assert(!eqt_gres_has_untyped_gpus(""));
	ck_assert(!eqt_gres_has_untyped_gpus(NULL));
}
END_TEST

START_TEST(a_list_s_count_is_of_one_type_and_of_unknown_ones)
{
	static const struct {
		const char *list, *name, *type;
		uint64_t count;
	} rows[] = {
		{ "gpu:a:4(S:0-1),gpu:b:2,shard:8", "gpu", "", 6 },
		{ "gpu:a:4(S:0-1),gpu:b:2,shard:8", "gpu", "b", 2 },
		{ "gpu:a:4(S:0-1),gpu:b:2,shard:8", "gpu", "c", 0 },
		{ "gpu:a:4,gpu:3", "gpu", "b", 3 },
		{ "gpu:a:4,gpu:3", "gpu", "a", 7 },
		{ "gpu:a:4,shard:8", "shard", "", 8 },
		{ "gpu:a:18446744073709551615,gpu:b:1", "gpu", "", UINT64_MAX },
		{ "gpu:0", "gpu", "", 0 },
		{ "gpu:a:4", NULL, "", 0 },
		{ "", "gpu", "", 0 },
		{ NULL, "gpu", "", 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(eqt_gres_list_count(rows[i].list, rows[i].name,
						  rows[i].type) ==
				      rows[i].count,
			      "row %zu", i);
}
END_TEST

START_TEST(the_sockets_of_a_node_s_item_are_read)
{
	static const struct {
		const char *list;
		uint64_t sockets;
	} rows[] = {
		{ "gpu:p100:4(S:0-1)", 3 },
		{ "gpu:p100:4(S:0,2-3)", 13 },
		{ "gpu:p100:4(S:63-70)", UINT64_C(1) << 63 },
		{ "gpu:p100:4(S:2-1)", 0 },
		{ "gpu:p100:2(IDX:0-1)", 0 },
		{ "gpu:p100:4(S:)", 0 },
		{ "gpu:p100:4(S:0-", 1 },
		{ "gpu:p100:4", 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *list = rows[i].list;
		struct eqt_gres item = { .sockets = 9 };

		ck_assert_int_eq(eqt_gres_next(&item, &list, NULL), 1);
		ck_assert_msg(item.sockets == rows[i].sockets, "%s: %" PRIu64,
			      rows[i].list, item.sockets);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gres");
	TCase *tcase = tcase_create("gres");

	tcase_add_test(tcase, the_longest_name_and_type_are_read_whole);
	tcase_add_test(tcase, a_longer_name_or_type_is_refused);
	tcase_add_test(tcase,
		       shards_and_mps_are_shares_of_gpus);
	tcase_add_loop_test(tcase, a_count_has_the_suffixes_of_slurm, 0,
			    (int) COUNT(count_rows));
	tcase_add_loop_test(tcase, a_name_begins_behind_the_word_gres, 0,
			    (int) COUNT(name_rows));
	tcase_add_test(tcase, an_item_that_cannot_be_read_is_refused);
	tcase_add_test(tcase, the_sockets_of_an_item_are_passed_over);
	tcase_add_test(tcase, the_sockets_of_a_node_s_item_are_read);
	tcase_add_test(tcase, gpus_without_a_type_are_found);
	tcase_add_test(tcase, a_list_s_count_is_of_one_type_and_of_unknown_ones);
	tcase_add_test(tcase, rows_are_of_gpus_and_of_resources_with_a_price);
	tcase_add_test(tcase, shares_count_for_a_request_and_not_for_a_node);
	tcase_add_test(tcase, the_cpus_of_a_task_are_read_alone);
	tcase_add_test(tcase, what_comes_with_any_gpu_goes_to_all_models);
	tcase_add_test(tcase, what_comes_with_any_gpu_stays_without_a_model);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
