/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_correction_property: waits are drawn that forecasts misjudge, by a factor of their
 * own for short and long ones. Of the corrected intervals of the forecasts that follow, 80 %
 * hold, or more if nearly all held before.
 */
#include <math.h>

#include "sim/forecast.h"
#include "../unit/unit.h"
#include "random.h"

#define WORLDS 40
#define LEARNED 1500
#define DAYS 60 /* that the record keeps */
#define JUDGED 4000
#define NOW INT64_C(1000000)

/* A number of a normal distribution, nearly: the sum of twelve. */
static double random_normal(struct eqt_random *random)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double) eqt_random_below(random, 1 << 20) / (1 << 20);
	return sum;
}

/* What is wrong with the forecasts of a world. */
struct world {
	double width; /* of the interval, of that which would hold 80 % */
	double more; /* how much more waits vary that are long */
	double shift; /* of the median, as a part of the true spread */
};

static int64_t wait_of(double z)
{
	const double wait = exp(z) - 60;

	return wait < 0 ? 0 : (int64_t) wait;
}

/* A forecast around a typical wait of minutes to days, and the real wait. */
static struct eqt_forecast_past draw(struct eqt_random *random,
				       const struct world *world)
{
	const double part =
		(double) eqt_random_below(random, 1 << 20) / (1 << 20);
	const double z = log(600) + part * log(200);
	const double spread = 0.3 * (1 + world->more * part);
	const double end = 1.2816 * 0.3 * world->width;
	const double typical = z + world->shift * spread;

	return (struct eqt_forecast_past){
		NOW - (int64_t) eqt_random_below(random, DAYS) * 86400,
		wait_of(typical - end), wait_of(typical),
		wait_of(typical + end),
		wait_of(z + spread * random_normal(random))
	};
}

/* How many of the forecasts that follow hold with a correction. */
static size_t judge(struct eqt_random *random, const struct world *world,
		    const struct eqt_forecast_correction *correction)
{
	struct eqt_forecast_past one;
	struct eqt_forecast_interval at;
	size_t held = 0;

	for (int i = 0; i < JUDGED; i++) {
		one = draw(random, world);
		at = (struct eqt_forecast_interval){ NOW + one.early_s,
						     NOW + one.median_s,
						     NOW + one.late_s };
		eqt_forecast_correction_apply(correction, &at, NOW);
		held += NOW + one.wait_s >= at.early_s &&
			NOW + one.wait_s <= at.late_s;
	}
	return held;
}

/* What may hold at most: intervals that were too narrow get no wider than they have to, and
 * others stay unless nearly all held. */
static double most(const struct eqt_forecast_correction *correction)
{
	for (int part = 0; part < correction->parts; part++)
		if (correction->factor[part] <= 1)
			return 0.97;
	return 0.85;
}

START_TEST(corrected_intervals_hold)
{
	struct eqt_random random = { eqt_random_seed(7) };
	struct eqt_forecast_past past[LEARNED];
	struct eqt_forecast_correction correction;
	size_t wrong = 0, mended = 0; /* worlds with less than 70 %, and what holds */

	for (int i = 0; i < WORLDS; i++) {
		const struct world world = {
			.width = 0.1 + (double) eqt_random_below(&random, 30) /
					       10,
			.more = (double) eqt_random_below(&random, 30) / 10,
			.shift = (double) eqt_random_below(&random, 21) / 10 -
				 1,
		};
		size_t held;

		for (int j = 0; j < LEARNED; j++)
			past[j] = draw(&random, &world);
		eqt_forecast_correction_make(&correction, past, LEARNED);
		held = judge(&random, &world, &correction);
		ck_assert_msg((double) held > 0.75 * JUDGED &&
				      (double) held <
					      most(&correction) * JUDGED,
			      "width %.1f more %.1f shift %.1f: %zu of %d before, "
			      "%zu of %d after",
			      world.width, world.more, world.shift,
			      correction.held, LEARNED, held, JUDGED);
		if ((double) correction.held < 0.7 * LEARNED) {
			wrong++;
			mended += held;
		}
	}
	ck_assert_uint_gt(wrong, WORLDS / 4);
	ck_assert_double_eq_tol((double) mended / (double) (wrong * JUDGED),
				0.8, 0.01);
}
END_TEST

/* Forecasts that hold 80 % already get a factor of about 1. */
START_TEST(good_intervals_stay)
{
	struct eqt_random random = { eqt_random_seed(8) };
	const struct world world = { .width = 1 };
	struct eqt_forecast_past past[LEARNED];
	struct eqt_forecast_correction correction;

	for (int j = 0; j < LEARNED; j++)
		past[j] = draw(&random, &world);
	eqt_forecast_correction_make(&correction, past, LEARNED);
	for (int part = 0; part < EQT_FORECAST_PARTS; part++)
		ck_assert_double_eq_tol(correction.factor[part], 1, 0.15);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("correction_property");
	TCase *tc = tcase_create("correction_property");

	tcase_add_test(tc, corrected_intervals_hold);
	tcase_add_test(tc, good_intervals_stay);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
