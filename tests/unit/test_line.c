/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <string.h>

#include "base/line.h"

START_TEST(words_and_numbers_follow_each_other)
{
	char text[64];
	struct eqt_line line = { text, sizeof(text) };

	eqt_line_put(&line, "a ");
	eqt_line_whole(&line, 0);
	eqt_line_bytes(&line, ", bcd", 4);
	eqt_line_whole(&line, UINT64_MAX);
	eqt_line_put(&line, " ");
	eqt_line_frac(&line, (struct eqt_frac){ 5, 2 });
	ck_assert_str_eq(text, "a 0, bc18446744073709551615 2.5");
	ck_assert_uint_eq(line.space, sizeof(text) - strlen(text));
}
END_TEST

START_TEST(a_text_is_cut_where_the_buffer_ends)
{
	char text[8] = "xxxxxxx";
	struct eqt_line line = { text, 5 };

	eqt_line_put(&line, "abc");
	eqt_line_whole(&line, 12345);
	eqt_line_put(&line, "d");
	ck_assert_str_eq(text, "abc1");
	ck_assert_int_eq(text[5], 'x');
}
END_TEST

START_TEST(no_space_is_left_alone)
{
	char text[] = "x";
	struct eqt_line line = { text, 0 };

	eqt_line_put(&line, "abc");
	ck_assert_str_eq(text, "x");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("line");
	TCase *tcase = tcase_create("line");

	tcase_add_test(tcase, words_and_numbers_follow_each_other);
	tcase_add_test(tcase, a_text_is_cut_where_the_buffer_ends);
	tcase_add_test(tcase, no_space_is_left_alone);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
