/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thresholds of budgets: parsing of lists, and the threshold that is reached.
 */
#include "budget/thresholds.h"
#include "../unit.h"

START_TEST(the_highest_threshold_is_reached)
{
	struct eqt_thresholds list;

	ck_assert_int_eq(eqt_thresholds_parse(&list, "1,80,100"), 0);
	ck_assert_uint_eq(list.count, 3);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 0), 0);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 1), 1);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 79), 1);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 80), 80);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, UINT64_MAX), 100);
	ck_assert_int_eq(eqt_thresholds_parse(&list, "9,19,99"), 0);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 18), 9);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 98), 19);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 99), 99);
}
END_TEST

START_TEST(off_reaches_nothing)
{
	struct eqt_thresholds list = { .count = 2, .percent = { 10, 20 } };

	ck_assert_int_eq(eqt_thresholds_parse(&list, "off"), 0);
	ck_assert_uint_eq(eqt_thresholds_reached(&list, 100), 0);
}
END_TEST

static const char *const bad[] = {
	"",	   "0",	   "101",   "50,50", "75,50",  "50,",
	",50",	   "5x",   " 5",    "-5",    "5,,6",   "18446744073709551617",
	"off,off", "0,50", "50,off",
	"1,2,3,4,5,6,7,8,9",
};

START_TEST(other_texts_are_refused_and_change_nothing)
{
	struct eqt_thresholds list = { .count = 1, .percent = { 42 } };

	ck_assert_int_eq(eqt_thresholds_parse(&list, bad[_i]), -1);
	ck_assert_uint_eq(list.count, 1);
	ck_assert_uint_eq(list.percent[0], 42);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("thresholds");
	TCase *tests = tcase_create("thresholds");

	tcase_add_test(tests, the_highest_threshold_is_reached);
	tcase_add_test(tests, off_reaches_nothing);
	tcase_add_loop_test(tests, other_texts_are_refused_and_change_nothing,
			    0, (int) (sizeof(bad) / sizeof(*bad)));
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
