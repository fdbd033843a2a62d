/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What past forecasts change of an interval. */
#include "sim/forecast.h"
#include "../unit.h"

#define NOW INT64_C(1000000)
#define HOUR 3600

#define DAYS 64 /* of which the part that held varies by 5 % */

/* A forecast of one to four hours, with a median of two. */
static struct eqt_forecast_past forecast(size_t day, int64_t wait_s)
{
	return (struct eqt_forecast_past){ NOW - (int64_t) (day % DAYS) * 86400,
					     HOUR, INT64_C(2) * HOUR,
					     INT64_C(4) * HOUR, wait_s };
}

/* The interval of such a forecast after a correction. */
static struct eqt_forecast_interval
corrected(const struct eqt_forecast_correction *correction)
{
	struct eqt_forecast_interval at = { NOW + HOUR, NOW + 2 * HOUR,
					    NOW + 4 * HOUR };

	eqt_forecast_correction_apply(correction, &at, NOW);
	return at;
}

/* Learn from `count` forecasts of so many days, of which the first ones waited too long. */
static void learn(struct eqt_forecast_correction *out, size_t count, size_t missed,
		  size_t days)
{
	struct eqt_forecast_past past[1000];

	for (size_t i = 0; i < count; i++)
		past[i] = forecast(i % days, i < missed ? 8 * HOUR + 180
							: 4 * HOUR);
	eqt_forecast_correction_make(out, past, count);
}

START_TEST(few_forecasts_change_nothing)
{
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at;

	learn(&correction, EQT_FORECAST_PAST_LEAST - 1, 40, DAYS);
	at = corrected(&correction);
	ck_assert_uint_eq(correction.forecasts, EQT_FORECAST_PAST_LEAST - 1);
	ck_assert_uint_eq(correction.held, 9);
	ck_assert_int_eq(correction.parts, 0);
	ck_assert_int_eq(at.early_s, NOW + HOUR);
	ck_assert_int_eq(at.late_s, NOW + 4 * HOUR);
	eqt_forecast_correction_make(&correction, NULL, 0);
	at = corrected(&correction);
	ck_assert_int_eq(correction.from_s, 0);
	ck_assert_int_eq(at.late_s, NOW + 4 * HOUR);
}
END_TEST

/* The worst ones waited twice as long as the late end: a minute counts as nothing. */
START_TEST(the_interval_reaches_to_four_of_five_waits)
{
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at;

	learn(&correction, 100, 20, DAYS);
	ck_assert_double_eq_tol(correction.factor[0], 1, 1e-9);
	at = corrected(&correction);
	ck_assert_int_eq(at.early_s, NOW + HOUR);
	ck_assert_int_eq(at.late_s, NOW + 4 * HOUR);
	learn(&correction, 100, 21, DAYS);
	at = corrected(&correction);
	ck_assert_int_eq(at.late_s, NOW + 8 * HOUR + 180);
	ck_assert_int_eq(at.median_s, NOW + 2 * HOUR);
	ck_assert_int_lt(at.early_s, NOW + HOUR);
	ck_assert_int_ge(at.early_s, NOW);
}
END_TEST

/* Of 16 days 25 % may be missed by chance, and of one 55 %. */
START_TEST(few_days_correct_only_what_is_clearly_wrong)
{
	static const struct {
		size_t days, missed;
		bool changed;
	} rows[] = { { 16, 25, false }, { 16, 26, true }, { 1, 55, false },
		     { 1, 56, true } };
	struct eqt_forecast_correction correction;

	learn(&correction, 100, rows[_i].missed, rows[_i].days);
	ck_assert_int_eq(correction.factor[0] > 1, rows[_i].changed);
}
END_TEST

/* All waits were as the median, so the interval gets narrow. */
START_TEST(an_interval_that_is_too_wide_gets_narrower)
{
	struct eqt_forecast_past past[200];
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at;

	for (int i = 0; i < 200; i++)
		past[i] = forecast((size_t) i, 2 * HOUR + i % 2 * 60);
	eqt_forecast_correction_make(&correction, past, 200);
	ck_assert_int_eq(correction.parts, 3);
	at = corrected(&correction);
	ck_assert_int_gt(at.early_s, NOW + 2 * HOUR - 90);
	ck_assert_int_lt(at.late_s, NOW + 2 * HOUR + 90);
}
END_TEST

/* Short waits were forecast well, and long ones were twice as long as their late end. */
START_TEST(thirds_of_the_medians_have_factors_of_their_own)
{
	struct eqt_forecast_past past[150];
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at = { NOW, NOW + 100, NOW + 200 };

	for (int i = 0; i < 150; i++) {
		past[i] = forecast((size_t) i, 8 * HOUR);
		if (i % 3 == 0)
			past[i] = (struct eqt_forecast_past){
				past[i].asked_s, 0, 100, 200, i % 9 ? 200 : 500
			};
	}
	eqt_forecast_correction_make(&correction, past, 150);
	ck_assert_int_eq(correction.parts, 3);
	ck_assert_int_eq(correction.from_s, NOW - 63 * 86400);
	ck_assert_uint_eq(correction.held, 33);
	eqt_forecast_correction_apply(&correction, &at, NOW);
	ck_assert_int_eq(at.early_s, NOW);
	ck_assert_int_eq(at.late_s, NOW + 500);
	at = corrected(&correction);
	ck_assert_int_ge(at.late_s, NOW + 8 * HOUR - 1);
}
END_TEST

START_TEST(a_factor_other_than_1_changes_intervals)
{
	static const struct {
		const char *name;
		struct eqt_forecast_correction correction;
		bool changes;
	} rows[] = {
		{ "no group changes anything", { .factor = { 2 } }, false },
		{ "the only group changes nothing",
		  { .parts = 1, .factor = { 1, 2 } }, false },
		{ "no group of three changes anything",
		  { .parts = 3, .factor = { 1, 1, 1 } }, false },
		{ "the first of three groups changes something",
		  { .parts = 3, .factor = { 2, 1, 1 } }, true },
		{ "the last of three groups changes something",
		  { .parts = 3, .factor = { 1, 1, 0.5 } }, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(eqt_forecast_correction_changes(
				      &rows[i].correction) == rows[i].changes,
			      "%s", rows[i].name);
}
END_TEST

/* A start that no future reached is not known after a correction either. */
START_TEST(later_stays_later)
{
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at = { NOW + HOUR, NOW + 2 * HOUR,
					    EQT_FORECAST_LATER };

	learn(&correction, 100, 50, DAYS);
	eqt_forecast_correction_apply(&correction, &at, NOW);
	ck_assert_int_lt(at.early_s, NOW + HOUR);
	ck_assert_int_eq(at.late_s, EQT_FORECAST_LATER);
	at = (struct eqt_forecast_interval){ NOW + HOUR, EQT_FORECAST_LATER,
					     EQT_FORECAST_LATER };
	eqt_forecast_correction_apply(&correction, &at, NOW);
	ck_assert_int_eq(at.early_s, NOW + HOUR);
}
END_TEST

/* A factor may be so large that the end is not known. */
START_TEST(an_end_beyond_all_times_is_later)
{
	struct eqt_forecast_past past[60];
	struct eqt_forecast_correction correction;
	struct eqt_forecast_interval at;

	for (int i = 0; i < 60; i++)
		past[i] = (struct eqt_forecast_past){
			NOW, 0, 0, 0, INT64_C(3000) * HOUR
		};
	eqt_forecast_correction_make(&correction, past, 60);
	at = corrected(&correction);
	ck_assert_int_eq(at.early_s, NOW);
	ck_assert_int_eq(at.late_s, EQT_FORECAST_LATER);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("correction");
	TCase *tc = tcase_create("correction");

	tcase_add_test(tc, few_forecasts_change_nothing);
	tcase_add_test(tc, the_interval_reaches_to_four_of_five_waits);
	tcase_add_loop_test(tc, few_days_correct_only_what_is_clearly_wrong, 0,
			    4);
	tcase_add_test(tc, an_interval_that_is_too_wide_gets_narrower);
	tcase_add_test(tc, thirds_of_the_medians_have_factors_of_their_own);
	tcase_add_test(tc, a_factor_other_than_1_changes_intervals);
	tcase_add_test(tc, later_stays_later);
	tcase_add_test(tc, an_end_beyond_all_times_is_later);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
