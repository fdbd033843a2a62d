/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items of lists of GRES: how long names are, and how many there are of each. */
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

START_TEST(shards_and_mps_are_shares_of_gpus)
{
	ck_assert(eqt_gres_is_share("shard"));
	ck_assert(eqt_gres_is_share("mps"));
	ck_assert(!eqt_gres_is_share("gpu"));
	ck_assert(!eqt_gres_is_share("shards"));
	ck_assert(!eqt_gres_is_share("a"));
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
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
