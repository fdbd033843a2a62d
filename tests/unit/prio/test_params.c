/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_params: the words of PriorityParameters. */
#include <stdio.h>

#include "prio/params.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct {
	const char *name;
	const char *text;
	uint32_t period_s;
} rows[] = {
	{ "none", NULL, 0 },
	{ "empty", "", 0 },
	{ "only commas", ",,", 0 },
	{ "a period", "period=30", 30 },
	{ "in capitals", "PERIOD=1", 1 },
	{ "the largest digit", "period=9", 9 },
	{ "among others", "foo=1, period=86400 ,bar", 86400 },
	{ "a site's own", "my_period=5,stocks,compat,mine=1", 0 },
	{ "the last one counts", "period=5,period=6", 6 },
};

START_TEST(words_are_read_and_others_left)
{
	struct eqt_params params;
	struct eqt_error err;

	ck_assert_msg(eqt_params_parse(&params, rows[_i].text, &err) == 0,
		      "%s: %s", rows[_i].name, err.text);
	ck_assert_msg(params.period_s == rows[_i].period_s, "%s",
		      rows[_i].name);
}
END_TEST

#define UNKNOWN "PriorityParameters: unknown word "
#define WORDS ": expected stock_compat, stock_billing, stock_ties, " \
	"stock_decay or stock_recovery"

static const struct {
	const char *text;
	const char *want;
} unknown_rows[] = {
	{ "stock_compta", UNKNOWN "\"stock_compta\", did you mean "
	  "\"stock_compat\"?" },
	{ "stock_tie", UNKNOWN "\"stock_tie\", did you mean \"stock_ties\"?" },
	{ "a=1, Stock_Decai ,stock_ties", UNKNOWN "\"Stock_Decai\", did you "
	  "mean \"stock_decay\"?" },
	{ "stok_billing", UNKNOWN "\"stok_billing\", did you mean "
	  "\"stock_billing\"?" },
	{ "stockrecovery", UNKNOWN "\"stockrecovery\", did you mean "
	  "\"stock_recovery\"?" },
	{ "stock_", UNKNOWN "\"stock_\"" WORDS },
	{ "stock_extras", UNKNOWN "\"stock_extras\"" WORDS },
	{ "stock_compat,stock_tail", UNKNOWN "\"stock_tail\"" WORDS },
	{ "stock_compat=1,x", UNKNOWN "\"stock_compat=1\", did you mean "
	  "\"stock_compat\"?" },
	{ "prid=7", UNKNOWN "\"prid=7\", did you mean \"period=\"?" },
	{ "perid=30", UNKNOWN "\"perid=30\", did you mean \"period=\"?" },
	{ "period", UNKNOWN "\"period\", did you mean \"period=\"?" },
	{ "period =5", UNKNOWN "\"period =5\", did you mean \"period=\"?" },
};

START_TEST(misspelled_word_is_refused_by_name)
{
	struct eqt_params params = { .period_s = 7 };
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_params_parse(&params, unknown_rows[_i].text, &err),
			 -1);
	ck_assert_str_eq(err.text, unknown_rows[_i].want);
	ck_assert_uint_eq(params.period_s, 7);
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

static const struct {
	const char *text;
	struct eqt_stock want;
} stock_rows[] = {
	{ "stock_billing", { .billing = true, .requeue = true } },
	{ "stock_ties", { .ties = true } },
	{ "stock_decay", { .decay = true } },
	{ "STOCK_Recovery", { .recovery = true, .reset = true } },
	{ "stock_ties,x,stock_decay", { .ties = true, .decay = true } },
	{ "period=5", { 0 } },
};

START_TEST(each_word_switches_what_belongs_to_it)
{
	struct eqt_params params;

	ck_assert_int_eq(eqt_params_parse(&params, stock_rows[_i].text, NULL),
			 0);
	ck_assert_mem_eq(&params.stock, &stock_rows[_i].want,
			 sizeof(params.stock));
}
END_TEST

START_TEST(stock_compat_switches_all)
{
	struct eqt_params params;

	ck_assert_int_eq(eqt_params_parse(&params, "x,Stock_Compat", NULL), 0);
	ck_assert_uint_eq(switches_on(&params.stock),
			  sizeof(params.stock) / sizeof(bool));
}
END_TEST

START_TEST(plain_walk_is_a_word_of_its_own)
{
	struct eqt_params params;

	ck_assert_int_eq(eqt_params_parse(&params, "x,Plain_Walk", NULL), 0);
	ck_assert(params.plain_walk);
	ck_assert_uint_eq(switches_on(&params.stock), 0);
	ck_assert_int_eq(eqt_params_parse(&params, "stock_ties", NULL), 0);
	ck_assert(!params.plain_walk);
}
END_TEST

static Suite *params_suite(void)
{
	Suite *suite = suite_create("params");
	TCase *tc = tcase_create("params");

	tcase_add_loop_test(tc, words_are_read_and_others_left, 0, COUNT(rows));
	tcase_add_loop_test(tc, a_bad_period_is_refused_by_its_text, 0,
			    COUNT(bad_periods));
	tcase_add_loop_test(tc, misspelled_word_is_refused_by_name, 0,
			    COUNT(unknown_rows));
	tcase_add_loop_test(tc, each_word_switches_what_belongs_to_it, 0,
			    COUNT(stock_rows));
	tcase_add_test(tc, stock_compat_switches_all);
	tcase_add_test(tc, plain_walk_is_a_word_of_its_own);
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(params_suite());
}
