/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fraction.h"
#include "base/hash.h"
#include "base/text.h"

START_TEST(words_and_numbers_follow_each_other)
{
	char text[64];
	struct eqt_text built = { .data = text,
				  .space = sizeof(text) };

	eqt_text_put(&built, "a ");
	eqt_text_whole(&built, 0);
	eqt_text_bytes(&built, ", bcd", 4);
	eqt_text_whole(&built, UINT64_MAX);
	eqt_text_put(&built, " ");
	eqt_frac_put(&built, (struct eqt_frac){ 5, 2 });
	ck_assert_str_eq(text, "a 0, bc18446744073709551615 2.5");
	ck_assert_uint_eq(built.length, strlen(text));
}
END_TEST

START_TEST(a_text_is_cut_where_the_buffer_ends)
{
	char text[8] = "xxxxxxx";
	struct eqt_text built = { .data = text, .space = 5 };

	eqt_text_put(&built, "abc");
	eqt_text_whole(&built, 12345);
	eqt_text_put(&built, "d");
	ck_assert_str_eq(text, "abc1");
	ck_assert(built.full);
	eqt_text_put(&built, "");
	ck_assert_str_eq(text, "abc1");
	ck_assert_int_eq(text[5], 'x');
}
END_TEST

START_TEST(text_that_just_fits_is_not_full)
{
	char text[5];
	struct eqt_text built = { .data = text,
				  .space = sizeof(text) };

	eqt_text_put(&built, "abcd");
	ck_assert_str_eq(text, "abcd");
	ck_assert(!built.full);
	eqt_text_put(&built, "e");
	ck_assert_str_eq(text, "abcd");
	ck_assert(built.full);
}
END_TEST

START_TEST(no_space_is_left_alone)
{
	char text[] = "x";
	struct eqt_text built = { .data = text, .space = 0 };

	eqt_text_put(&built, "abc");
	ck_assert_str_eq(text, "x");
}
END_TEST

START_TEST(names_of_a_list_come_one_by_one)
{
	const char *list = ",ada,,a_name_too_long,ben,";
	char name[8];

	ck_assert(eqt_text_next_name(name, sizeof(name), &list));
	ck_assert_str_eq(name, "ada");
	ck_assert(eqt_text_next_name(name, sizeof(name), &list));
	ck_assert_str_eq(name, "?");
	ck_assert(eqt_text_next_name(name, sizeof(name), &list));
	ck_assert_str_eq(name, "ben");
	ck_assert(!eqt_text_next_name(name, sizeof(name), &list));
	ck_assert(!eqt_text_next_name(name, sizeof(name), &list));
}
END_TEST

START_TEST(a_list_is_searched_for_whole_names)
{
	ck_assert(eqt_text_list_has("a,Bcd", "bcd"));
	ck_assert(!eqt_text_list_has_exact("a,Bcd", "bcd"));
	ck_assert(eqt_text_list_has_exact("a,Bcd", "Bcd"));
	ck_assert(!eqt_text_list_has_exact("a,Bcd", "Bc"));
	ck_assert(!eqt_text_list_has(NULL, "a"));
}
END_TEST

START_TEST(a_name_in_lower_case_fits_with_its_end_or_not_at_all)
{
	char name[5] = "xxxx";

	ck_assert(!eqt_text_lower(name, sizeof(name), "PHYSI"));
	ck_assert_str_eq(name, "xxxx");
	ck_assert(eqt_text_lower(name, sizeof(name), "Ph_1"));
	ck_assert_str_eq(name, "ph_1");
}
END_TEST

static const struct {
	const char *text;
	size_t bytes;
	uint32_t c;
} utf8_rows[] = {
	{ "a", 1, 'a' },
	{ "", 1, 0 },
	{ "\xc3\xa9x", 2, 0xe9 },
	{ "\xe2\x82\xac", 3, 0x20ac },
	{ "\xf0\x9f\x98\x80", 4, 0x1f600 },
	{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	{ "\x80", 0, 0 }, /* begins none */
	{ "\xff", 0, 0 },
	{ "\xc3", 0, 0 }, /* cut off */
	{ "\xe2\x82", 0, 0 },
	{ "\xc3\x28", 0, 0 },
	{ "\xc0\xbc", 0, 0 }, /* a longer form of "<" */
	{ "\xe0\x80\xbc", 0, 0 },
	{ "\xed\xa0\x80", 0, 0 }, /* half of a pair */
	{ "\xf4\x90\x80\x80", 0, 0 }, /* beyond the last */
};

START_TEST(only_one_form_of_a_character_is_utf8)
{
	uint32_t c;

	ck_assert_uint_eq(eqt_text_utf8(&c, utf8_rows[_i].text),
			  utf8_rows[_i].bytes);
	if (utf8_rows[_i].bytes)
		ck_assert_uint_eq(c, utf8_rows[_i].c);
}
END_TEST

START_TEST(numbers_around_powers_of_ten_have_all_their_digits)
{
	for (uint64_t power = 1; power; power = power > UINT64_MAX / 10
							? 0
							: power * 10) {
		for (uint64_t value = power - 1; value <= power + 1; value++) {
			char digits[EQT_DIGITS + 1] = "", wanted[32];

			(void) eqt_digits(digits, value);
			(void) snprintf(wanted, sizeof(wanted), "%" PRIu64,
					value);
			ck_assert_str_eq(digits, wanted);
			ck_assert_uint_eq(eqt_digits(digits, value),
					  strlen(wanted));
		}
	}
}
END_TEST

START_TEST(a_set_of_hashes_has_each_of_them_once)
{
	struct eqt_hash_set set = { 0 };
	char line[32];

	eqt_hash_set_clear(&set);
	for (int round = 0; round < 3; round++) {
		if (round == 2)
			eqt_hash_set_clear(&set);
		for (int i = 0; i < 5000; i++) {
			int length = snprintf(line, sizeof(line), "%d 1 2", i);

			ck_assert_int_eq(
				eqt_hash_set_add(&set,
						 eqt_hash_bytes(EQT_HASH_START,
								line,
								(size_t) length)),
				round != 1);
		}
		ck_assert_uint_eq(set.count, 5000);
	}
	/* A hash may be 0. */
	ck_assert_int_eq(eqt_hash_set_add(&set, 0), 1);
	ck_assert_int_eq(eqt_hash_set_add(&set, 0), 0);
	eqt_hash_set_free(&set);
	ck_assert_uint_eq(set.space, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("text");

	tcase_add_test(tcase,
		       numbers_around_powers_of_ten_have_all_their_digits);
	tcase_add_test(tcase, a_set_of_hashes_has_each_of_them_once);
	tcase_add_test(tcase, words_and_numbers_follow_each_other);
	tcase_add_test(tcase, a_text_is_cut_where_the_buffer_ends);
	tcase_add_test(tcase, text_that_just_fits_is_not_full);
	tcase_add_test(tcase, no_space_is_left_alone);
	tcase_add_test(tcase, names_of_a_list_come_one_by_one);
	tcase_add_test(tcase, a_list_is_searched_for_whole_names);
	tcase_add_test(tcase,
		       a_name_in_lower_case_fits_with_its_end_or_not_at_all);
	tcase_add_loop_test(tcase, only_one_form_of_a_character_is_utf8, 0,
			    (int) (sizeof(utf8_rows) / sizeof(utf8_rows[0])));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
