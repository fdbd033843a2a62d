/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_decay: usage decays to the closed form, with any passes in between. */
#include <float.h>
#include <math.h>

#include "../../property/random.h"
#include "prio/decay.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define LN2 0.693147180559945309417232121458176568L
#define DAY 86400
#define WEEK (7 * DAY)
#define NOW INT64_C(1700000000)

static void assert_near(const char *name, long double got, long double want,
			long double relative)
{
	ck_assert_msg(fabsl(got - want) <= relative * fabsl(want),
		      "%s: %.21Lg instead of %.21Lg", name, got, want);
}

static const struct {
	const char *name;
	uint32_t half_life_s;
	double seconds;
	long double want;
} factor_rows[] = {
	{ "no decay", 0, 1e9, 1 },
	{ "no time", WEEK, 0, 1 },
	{ "time runs backwards", WEEK, -5, 1 },
	{ "NaN seconds", WEEK, NAN, 1 },
	{ "one half-life", WEEK, WEEK, 0.5L },
	{ "two half-lives", 3600, 7200, 0.25L },
	{ "half a half-life", 2, 1, 0.707106781186547524400844362104849039L },
	{ "one second of a week", WEEK, 1, 0.999998853923969311863L },
	{ "longest half-life", UINT32_MAX, 1, 0.999999999838614095778L },
	{ "1000 half-lives of a second", 1, 1000, 0x1p-1000L },
	{ "last normal double", 1, 1022, DBL_MIN },
	{ "first denormal double", 1, 1023, DBL_MIN },
	{ "ten years of outage", 1, 315360000.0, DBL_MIN },
	{ "for ever", WEEK, INFINITY, DBL_MIN },
};

START_TEST(factor_is_a_power_of_one_half)
{
	assert_near(factor_rows[_i].name,
		    eqt_decay_factor(factor_rows[_i].half_life_s,
				     factor_rows[_i].seconds),
		    factor_rows[_i].want, 1e-16L);
}
END_TEST

static const struct {
	const char *name;
	uint32_t half_life_s;
	int64_t from, to, ref;
	long double want;
} seconds_rows[] = {
	{ "empty", WEEK, NOW, NOW, NOW, 0 },
	{ "backwards", WEEK, NOW, NOW - 5, NOW, 0 },
	{ "no decay", 0, NOW, NOW + 60, NOW + 3600, 60 },
	{ "no decay, all of time", 0, INT64_MIN, INT64_MAX, 0, 0x1p64L - 1 },
	{ "the last half-life", WEEK, NOW - WEEK, NOW, NOW, WEEK / LN2 / 2 },
	{ "the one before", WEEK, NOW - 2 * WEEK, NOW - WEEK, NOW,
	  WEEK / LN2 / 4 },
	{ "the next half-life", WEEK, NOW, NOW + WEEK, NOW, WEEK / LN2 },
	{ "around ref", WEEK, NOW - WEEK, NOW + WEEK, NOW, WEEK / LN2 * 1.5L },
	{ "second by second", 1, 0, 1, 1, 0.5L / LN2 },
	{ "years at one second", 1, NOW - 10 * 365 * DAY, NOW, NOW, 1 / LN2 },
	{ "long ago", 1, NOW - 1000, NOW - 999, NOW, 0x1p-1000L / LN2 },
	{ "so long ago that nothing is left", 1, 0, 10, NOW, 0 },
	{ "all of time before ref", 1, INT64_MIN, 0, INT64_MAX, 0 },
	{ "all of time at ref", 1, INT64_MIN, INT64_MAX, INT64_MAX, 1 / LN2 },
	{ "ref long before", 1, NOW, NOW + 1, NOW - 10000, 0x1p10000L / LN2 },
	{ "ref so long before that it overflows", 1, NOW, NOW + 1, 0,
	  LDBL_MAX },
	{ "a bit too much", 1, 0, 17000, 0, LDBL_MAX },
	{ "longest half-life", UINT32_MAX, NOW - 1, NOW, NOW,
	  0.999999999919307047887L },
};

START_TEST(seconds_are_the_integral)
{
	assert_near(seconds_rows[_i].name,
		    eqt_decay_seconds(
			    seconds_rows[_i].half_life_s, seconds_rows[_i].from,
			    seconds_rows[_i].to, seconds_rows[_i].ref),
		    seconds_rows[_i].want, 1e-15L);
}
END_TEST

static const uint32_t half_lives[] = {
	1, 60, 3600, WEEK, 52 * WEEK, UINT32_MAX
};

/* Charge 1 per second over [0, end], in passes of random length up to step. */
static long double usage_after_passes(uint32_t half_life_s, int64_t end,
				      uint64_t step, struct eqt_random *random)
{
	long double usage = 0;
	int64_t at = 0, next;

	for (; at < end; at = next) {
		next = at + 1 + (int64_t) eqt_random_below(random, step);
		if (next > end)
			next = end;
		usage *= eqt_decay_factor(half_life_s, (double) (next - at));
		usage += eqt_decay_seconds(half_life_s, at, next, next);
	}
	return usage;
}

START_TEST(any_split_into_passes_gives_the_closed_form)
{
	struct eqt_random random = { (uint64_t) _i };
	uint32_t half_life_s = half_lives[_i];

	for (uint64_t step = 1; step <= 10000000; step *= 100) {
		int64_t end =
			1 + (int64_t) eqt_random_below(&random, 1000 * step);

		assert_near("passes",
			    usage_after_passes(half_life_s, end, step, &random),
			    eqt_decay_seconds(half_life_s, 0, end, end),
			    1e-12L);
	}
}
END_TEST

START_TEST(parts_of_an_interval_add_up)
{
	struct eqt_random random = { 100 + (uint64_t) _i };
	uint32_t half_life_s = half_lives[_i];

	for (int round = 0; round < 1000; round++) {
		int64_t span = 2 + (int64_t) eqt_random_below(&random, 1000);
		int64_t cut = 1 + (int64_t) eqt_random_below(
					  &random, (uint64_t) span - 1);
		int64_t ref = (int64_t) eqt_random_below(&random, 4000) - 2000;

		assert_near(
			"sum",
			eqt_decay_seconds(half_life_s, 0, cut, ref) +
				eqt_decay_seconds(half_life_s, cut, span, ref),
			eqt_decay_seconds(half_life_s, 0, span, ref), 1e-15L);
	}
}
END_TEST

static const struct {
	const char *name;
	uint32_t half_life_s;
	double seconds, factor, sum;
} stock_rows[] = {
	{ "no decay", 0, 7, 1, 7 },
	{ "no time", 100, 0, 1, 0 },
	{ "time runs backwards", 100, -1, 1, 0 },
	{ "NaN seconds", 100, NAN, 1, 0 },
	{ "half a second", 100, 0.5, 0.9965289759961825, 0.49826448799809125 },
	{ "one second", 100, 1, 0.99307, 0.99307 },
	{ "two seconds", 100, 2, 0.9861880249, 1.9723760498 },
	{ "an outage", 1, 1000000, DBL_MIN, 0 },
};

START_TEST(stock_decay_is_by_two_terms_of_the_series)
{
	uint32_t half_life_s = stock_rows[_i].half_life_s;
	double seconds = stock_rows[_i].seconds;

	assert_near(stock_rows[_i].name,
		    eqt_decay_stock_factor(half_life_s, seconds),
		    stock_rows[_i].factor, 1e-15L);
	assert_near(stock_rows[_i].name,
		    eqt_decay_stock_seconds(half_life_s, seconds),
		    stock_rows[_i].sum, 1e-15L);
}
END_TEST

static Suite *decay_suite(void)
{
	Suite *suite = suite_create("decay");
	TCase *tc = tcase_create("decay");

	tcase_add_loop_test(tc, factor_is_a_power_of_one_half, 0,
			    COUNT(factor_rows));
	tcase_add_loop_test(tc, seconds_are_the_integral, 0,
			    COUNT(seconds_rows));
	tcase_add_loop_test(tc, stock_decay_is_by_two_terms_of_the_series, 0,
			    COUNT(stock_rows));
	tcase_add_loop_test(tc, any_split_into_passes_gives_the_closed_form, 0,
			    COUNT(half_lives));
	tcase_add_loop_test(tc, parts_of_an_interval_add_up, 0,
			    COUNT(half_lives));
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(decay_suite());
}
