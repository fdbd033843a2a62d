/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_params: the words of PriorityParameters. */
#include <stdio.h>

#include "prio/params.h"
#include "unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct {
	const char *name;
	const char *text;
	uint32_t period_s;
	const char *unknown;
} rows[] = {
	{ "none", NULL, 0, "" },
	{ "empty", "", 0, "" },
	{ "only commas", ",,", 0, "" },
	{ "a period", "period=30", 30, "" },
	{ "in capitals", "PERIOD=1", 1, "" },
	{ "among others", "foo=1, period=86400 ,bar", 86400, "" },
	{ "a site's own", "my_period=5,stocks,period", 0, "" },
	{ "the last one counts", "period=5,period=6", 6, "" },
	{ "a word that is none", "stock_tie", 0, "stock_tie" },
	{ "the first of them", "Stock_x,stock_y", 0, "Stock_x" },
	{ "longer than is kept",
	  "stock_567890123456789012345678901234567890123456789012345678901234",
	  0, "stock_567890123456789012345678901234567890123456789012345678901" },
};

START_TEST(words_are_read_and_others_left)
{
	struct eqt_params params;
	struct eqt_error err;

	ck_assert_msg(eqt_params_parse(&params, rows[_i].text, &err) == 0,
		      "%s", rows[_i].name);
	ck_assert_msg(params.period_s == rows[_i].period_s, "%s",
		      rows[_i].name);
	ck_assert_msg(strncmp(params.unknown, rows[_i].unknown, 63) == 0,
		      "%s: %s", rows[_i].name, params.unknown);
}
END_TEST

static const char *const bad_periods[] = {
	"period=",	"period=0",   "period=86401", "period=-1",
	"period= 5",	"period=5s",  "period=5 5",   "period=x",
	"a,period=1.5", "period=99999999999999999999",
};

START_TEST(a_bad_period_is_refused_by_its_text)
{
	struct eqt_params params = { .period_s = 7 };
	struct eqt_error err;

	ck_assert_int_eq(eqt_params_parse(&params, bad_periods[_i], &err), -1);
	ck_assert_msg(strstr(err.text, "period=") != NULL, "%s", err.text);
	ck_assert_uint_eq(params.period_s, 7);
}
END_TEST

static size_t switches_on(const struct eqt_stock *stock)
{
	const bool *one = (const bool *) stock;
	size_t on = 0;

	for (size_t i = 0; i < sizeof(*stock) / sizeof(bool); i++)
		on += one[i];
	return on;
}

START_TEST(each_word_switches_one_thing)
{
	struct eqt_stock all = { 0 };
	size_t words = 0;

	for (const char *word; (word = eqt_params_stock_word(words)); words++) {
		struct eqt_params params;
		bool *one = (bool *) &params.stock, *sum = (bool *) &all;

		ck_assert_int_eq(eqt_params_parse(&params, word, NULL), 0);
		ck_assert_msg(switches_on(&params.stock) == 1, "%s", word);
		for (size_t i = 0; i < sizeof(all) / sizeof(bool); i++)
			sum[i] |= one[i];
	}
	ck_assert_uint_eq(switches_on(&all), words);
}
END_TEST

START_TEST(stock_compat_switches_all)
{
	struct eqt_params params;

	ck_assert_int_eq(eqt_params_parse(&params, "x,Stock_Compat", NULL), 0);
	ck_assert_uint_eq(switches_on(&params.stock),
			  sizeof(params.stock) / sizeof(bool));
	ck_assert_str_eq(params.unknown, "");
}
END_TEST

static Suite *params_suite(void)
{
	Suite *suite = suite_create("params");
	TCase *tc = tcase_create("params");

	tcase_add_loop_test(tc, words_are_read_and_others_left, 0, COUNT(rows));
	tcase_add_loop_test(tc, a_bad_period_is_refused_by_its_text, 0,
			    COUNT(bad_periods));
	tcase_add_test(tc, each_word_switches_one_thing);
	tcase_add_test(tc, stock_compat_switches_all);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(params_suite());
}
