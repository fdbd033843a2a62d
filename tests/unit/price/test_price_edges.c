/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prices at the ends of numbers, and of bundles that have one name. */
#include "price/price.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX
#define TOO_LARGE "the request is too large to price"

static void assert_frac(struct eqt_frac got, uint64_t num, uint64_t den,
			const char *name)
{
	ck_assert_msg(got.num == num && got.den == den, "%s: %ju/%ju", name,
		      (uintmax_t) got.num, (uintmax_t) got.den);
}

/* Two bundles of one name. */
static struct eqt_bundle_table one_name(const struct eqt_bundle gpu[2])
{
	return (struct eqt_bundle_table){
		.cores = { .name = "cores", .cores_u = EQT_MICRO },
		.gpu = gpu,
		.gpu_count = 2,
	};
}

static const struct sum_row {
	const char *name;
	struct eqt_bundle gpu[2];
	struct eqt_demand demand;
} sum_rows[] = {
	{ "cores of two bundles, each of which fits",
	  { { .name = "gpu:a", .weight_u = 1, .cores_u = MAX },
	    { .name = "gpu:a", .weight_u = 1, .cores_u = MAX } },
	  { .cores = 1, .gpus = { MAX, MAX } } },
	{ "cores of two bundles, which come to 2 to the power of 128",
	  { { .name = "gpu:a", .weight_u = 1,
	      .cores_u = UINT64_C(9223372036854775808) },
	    { .name = "gpu:a", .weight_u = 1,
	      .cores_u = UINT64_C(13835058055282163712) } },
	  { .cores = 1, .gpus = { UINT64_C(18446744073709551614),
				  UINT64_C(12297829382473034412) } } },
	{ "the rate of two bundles in lowest terms",
	  { { .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = 1000001 },
	    { .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = 3000000 } },
	  { .cores = 1, .gpus = { MAX / 2, 3 } } },
};

START_TEST(sums_of_two_bundles_that_do_not_fit_are_refused)
{
	const struct sum_row *row = &sum_rows[_i];
	const struct eqt_bundle_table prices = one_name(row->gpu);
	struct eqt_error err = { "" };
	struct eqt_price price;

	ck_assert_msg(eqt_price(&price, &prices, &row->demand, &err) < 0, "%s",
		      row->name);
	ck_assert_str_eq(err.text, TOO_LARGE);
}
END_TEST

START_TEST(a_millionth_of_memory_in_a_bundle_counts)
{
	const struct eqt_bundle gpu[2] = {
		{ .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = EQT_MICRO,
		  .mem_mib_u = 1 },
		{ .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = EQT_MICRO,
		  .mem_mib_u = 1 },
	};
	const struct eqt_bundle_table prices = one_name(gpu);
	const struct eqt_demand demand = { .mem_mib = 1, .gpus = { 1, 1 } };
	struct eqt_price price;

	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	assert_frac(price.equivalents, EQT_MICRO, 1, "memory");
}
END_TEST

START_TEST(a_bundle_without_memory_leaves_it_to_the_other_of_its_name)
{
	const struct eqt_bundle gpu[2] = {
		{ .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = EQT_MICRO,
		  .mem_mib_u = 4 * EQT_MICRO },
		{ .name = "gpu:a", .weight_u = EQT_MICRO, .cores_u = EQT_MICRO },
	};
	const struct eqt_bundle_table prices = one_name(gpu);
	const struct eqt_demand demand = { .mem_mib = 12, .gpus = { 1, 1 } };
	struct eqt_price price;

	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	assert_frac(price.equivalents, 3, 1, "memory");
}
END_TEST

START_TEST(the_least_of_a_job_may_be_a_millionth)
{
	const struct eqt_bundle_table prices = {
		.cores = { .cores_u = EQT_MICRO }, .minimum_u = 1,
	};
	const struct eqt_demand nothing = { 0 };
	struct eqt_price price;

	ck_assert_int_eq(eqt_price(&price, &prices, &nothing, NULL), 0);
	assert_frac(price.equivalents, 1, EQT_MICRO, "least");
	ck_assert(price.minimum);
}
END_TEST

START_TEST(a_price_is_rounded_up_to_the_largest_number_of_units)
{
	struct eqt_bundle_table prices = {
		.cores = { .cores_u = 3 * EQT_MICRO }, .round_unit = 5,
	};
	/* A third of it in fifths is a third less than MAX - 3. */
	struct eqt_demand demand = { .cores = UINT64_C(11068046444225730967) };
	struct eqt_price price;

	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	assert_frac(price.equivalents, MAX - 3, 5, "rounded");
	demand.cores += 3;
	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	assert_frac(price.equivalents, demand.cores, 3, "not rounded");
}
END_TEST

START_TEST(a_price_has_the_factors_of_its_queues_and_no_other)
{
	const struct eqt_bundle_table prices = {
		.cores = { .cores_u = EQT_MICRO },
		.queue = { { "p", 2000000, 0, 0 },
			   { "q", 3000000, 0, 0 },
			   { "q", 5000000, 0, 0 } },
		.disk_gres = "jobfs", .disk_shift = 20,
	};
	const struct eqt_demand demand = { .cores = 1 };
	struct eqt_price price;

	ck_assert_int_eq(eqt_price(&price, &prices, &demand, NULL), 0);
	assert_frac(price.equivalents, 1, 1, "price");
	assert_frac(price.charge, 6, 1, "charge");
	assert_frac(price.usage, 30, 1, "usage");
}
END_TEST

static const struct eqt_unit unit = { .one = "GPU-hour" };

/* Two models: three equivalents of four cores, and two of two. */
static const struct eqt_bundle models[] = {
	{ .name = "gpu:a", .weight_u = 2000000, .cores_u = 2000000,
	  .unit = &unit },
	{ .name = "gpu:b", .weight_u = 3000000, .cores_u = 4000000,
	  .unit = &unit },
};
static const struct eqt_bundle_table of_models = {
	.cores = { .cores_u = EQT_MICRO }, .gpu = models, .gpu_count = 2,
};

START_TEST(gpus_without_a_model_of_two_have_no_price)
{
	const struct eqt_demand demand = { .gpus_untyped = 1 };
	struct eqt_error err = { "" };
	struct eqt_price price;

	ck_assert_int_lt(eqt_price(&price, &of_models, &demand, &err), 0);
	ck_assert_str_eq(err.text, "the request has GPUs without a model, "
				   "which could be any of 2 models");
	ck_assert_uint_eq(eqt_price_range_models(&of_models, &demand), 0x3);
}
END_TEST

START_TEST(each_name_of_a_price_takes_steps)
{
	const struct eqt_demand one = { .gpus = { 1, 0 } };
	const struct eqt_demand both = { .gpus = { 1, 1 } };
	struct eqt_bundle_table prices = of_models;
	uint32_t steps = 100;
	struct eqt_price price;

	prices.steps = &steps;
	ck_assert_int_eq(eqt_price(&price, &prices, &one, NULL), 0);
	ck_assert_uint_eq(steps, 98);
	ck_assert_int_eq(eqt_price(&price, &prices, &both, NULL), 0);
	ck_assert_uint_eq(steps, 88);
}
END_TEST

/* ---- Bounds ------------------------------------------------------------------ */

static const struct bounds_row {
	const char *name;
	struct eqt_bundle gpu[2];
	struct eqt_demand demand;
	bool cores_off;
	struct eqt_frac low, high;
} bounds_rows[] = {
	{ "the cheaper core and the dearer one are exact",
	  { { .weight_u = 2000000, .cores_u = 2000000 },
	    { .weight_u = 3000000, .cores_u = 4000000 } },
	  { .cores = 8, .gpus_untyped = 1 }, false,
	  { 6, 1 }, { 8, 1 } },
	{ "the same without GPUs",
	  { { .weight_u = 2000000, .cores_u = 2000000 },
	    { .weight_u = 3000000, .cores_u = 4000000 } },
	  { .cores = 8 }, true, { 6, 1 }, { 8, 1 } },
	{ "without GPUs one bundle counts, not two",
	  { { .weight_u = 2000000, .cores_u = 2000000 },
	    { .weight_u = 3000000, .cores_u = 5000000 } },
	  { .cores = 8 }, true, { 24, 5 }, { 8, 1 } },
	{ "the second model alone",
	  { { .name = "gpu:a", .weight_u = 2000000, .cores_u = 2000000 },
	    { .name = "gpu:b", .weight_u = 3000000, .cores_u = 4000000 } },
	  { .cores = 8, .gpus = { 0, 1 } }, false, { 6, 1 }, { 6, 1 } },
	{ "a millionth is the smaller bundle",
	  { { .weight_u = 1, .cores_u = 4 }, { .weight_u = 1, .cores_u = 1 } },
	  { .cores = 8, .gpus_untyped = 1 }, false, { 2, 1 }, { 8, 1 } },
	{ "a millionth is the smaller bundle, and the first",
	  { { .weight_u = 1, .cores_u = 1 }, { .weight_u = 1, .cores_u = 4 } },
	  { .cores = 8, .gpus_untyped = 1 }, false, { 2, 1 }, { 8, 1 } },
	{ "the second bundle alone has memory",
	  { { .weight_u = 1000000, .cores_u = 1000000 },
	    { .weight_u = 1000000, .cores_u = 1000000, .mem_mib_u = 4000000 } },
	  { .mem_mib = 8, .gpus_untyped = 1 }, false, { 1, 1 }, { 2, 1 } },
	{ "the first bundle alone has memory",
	  { { .weight_u = 1000000, .cores_u = 1000000, .mem_mib_u = 4000000 },
	    { .weight_u = 1000000, .cores_u = 1000000 } },
	  { .mem_mib = 8, .gpus_untyped = 1 }, false, { 1, 1 }, { 2, 1 } },
	{ "no bundle has memory",
	  { { .weight_u = 1000000, .cores_u = 1000000 },
	    { .weight_u = 1000000, .cores_u = 1000000 } },
	  { .mem_mib = MAX, .gpus_untyped = 1 }, false, { 1, 1 }, { 1, 1 } },
};

START_TEST(bounds_are_of_the_cheapest_and_the_dearest_parts)
{
	const struct bounds_row *row = &bounds_rows[_i];
	struct eqt_bundle_table prices = one_name(row->gpu);
	struct eqt_price low, high;

	prices.cores_off = row->cores_off;
	ck_assert_int_eq(eqt_price_range_bounds(&low, &high, &prices,
						&row->demand, NULL), 0);
	assert_frac(low.equivalents, row->low.num, row->low.den, row->name);
	assert_frac(high.equivalents, row->high.num, row->high.den, row->name);
	if (row->gpu[0].mem_mib_u + row->gpu[1].mem_mib_u > 0)
		return;
	assert_frac(low.by[EQT_MEMORY], 0, 1, row->name);
	assert_frac(high.by[EQT_MEMORY], 0, 1, row->name);
}
END_TEST

START_TEST(bounds_of_two_models_add_up_the_least_and_the_most_of_each)
{
	const struct eqt_bundle gpu[] = {
		{ .name = "gpu:a", .weight_u = 1000000, .cores_u = 1000000 },
		{ .name = "gpu:a", .weight_u = 2000000, .cores_u = 1000000 },
		{ .name = "gpu:b", .weight_u = 4000000, .cores_u = 1000000 },
	};
	const struct eqt_bundle_table prices = { .gpu = gpu, .gpu_count = 3 };
	const struct eqt_demand demand = { .gpus = { 1, 0, 1 } };
	struct eqt_price low, high;

	ck_assert_int_eq(eqt_price_range_bounds(&low, &high, &prices, &demand,
						NULL), 0);
	assert_frac(low.equivalents, 5, 1, "low");
	assert_frac(high.equivalents, 6, 1, "high");
}
END_TEST

static const struct {
	const char *name;
	struct eqt_bundle gpu[2];
	struct eqt_demand demand;
} large_rows[] = {
	{ "GPUs of the second bundle",
	  { { .weight_u = 1, .cores_u = 1 }, { .weight_u = 2, .cores_u = 1 } },
	  { .gpus_untyped = MAX } },
	{ "GPUs of both models together",
	  { { .name = "gpu:a", .weight_u = 1, .cores_u = 1 },
	    { .name = "gpu:b", .weight_u = 1, .cores_u = 1 } },
	  { .gpus = { MAX, 1 } } },
	{ "cores of a millionth",
	  { { .weight_u = EQT_MICRO, .cores_u = 1 },
	    { .weight_u = EQT_MICRO, .cores_u = 1 } },
	  { .cores = MAX, .gpus_untyped = 1 } },
	{ "cores of a millionth in the dearer bundle",
	  { { .weight_u = EQT_MICRO, .cores_u = EQT_MICRO },
	    { .weight_u = EQT_MICRO, .cores_u = 1 } },
	  { .cores = MAX, .gpus_untyped = 1 } },
};

START_TEST(bounds_that_do_not_fit_are_refused)
{
	const struct eqt_bundle_table prices = one_name(large_rows[_i].gpu);
	struct eqt_price low = { .gpu_pool = 4711 }, high = low;
	struct eqt_error err = { "" };

	ck_assert_msg(eqt_price_range_bounds(&low, &high, &prices,
					     &large_rows[_i].demand, &err) < 0,
		      "%s", large_rows[_i].name);
	ck_assert_str_eq(err.text, TOO_LARGE);
	ck_assert_int_eq(low.gpu_pool, 4711);
	ck_assert_int_eq(high.gpu_pool, 4711);
}
END_TEST

/* ---- Ranges ------------------------------------------------------------------ */

START_TEST(spent_steps_make_bounds_of_two_models_and_no_others)
{
	const struct eqt_demand any = { .cores = 8, .gpus_untyped = 1 };
	const struct eqt_demand one = { .cores = 8, .gpus = { 1 } };
	struct eqt_bundle_table prices = of_models;
	struct eqt_price low, high;
	uint32_t steps = 0;

	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	assert_frac(low.equivalents, 6, 1, "exact");
	prices.steps = &steps;
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	assert_frac(low.equivalents, 6, 1, "bound");
	assert_frac(high.equivalents, 8, 1, "bound");
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &one, NULL), 0);
	ck_assert_ptr_eq(low.unit, &unit);
	prices.models_off = 0x2;
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	ck_assert_ptr_eq(low.unit, &unit);
	steps = 1;
	prices.models_off = 0;
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	assert_frac(low.equivalents, 6, 1, "a step is left");
}
END_TEST

START_TEST(spent_steps_refuse_what_does_not_fit)
{
	const struct eqt_demand any = { .gpus_untyped = MAX };
	struct eqt_bundle_table prices = of_models;
	struct eqt_price low = { .gpu_pool = 4711 }, high = low;
	uint32_t steps = 0;

	prices.steps = &steps;
	ck_assert_int_lt(eqt_price_range(&low, &high, &prices, &any, NULL), 0);
	ck_assert_int_eq(low.gpu_pool, 4711);
}
END_TEST

/* Two bundles of one model, of which the second costs twice as much. */
static const struct eqt_bundle places[2] = {
	{ .name = "gpu:a", .weight_u = 1000000, .cores_u = 1000000 },
	{ .name = "gpu:a", .weight_u = 2000000, .cores_u = 1000000 },
};

START_TEST(a_model_of_two_places_costs_what_either_costs)
{
	const struct eqt_demand demand = { .gpus = { 1 } };
	struct eqt_bundle_table prices = one_name(places);
	struct eqt_price low, high;
	uint32_t steps = 100, away;

	prices.steps = &steps;
	for (away = 0; away <= 3; away++) {
		prices.models_away = away;
		ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand,
						 NULL), 0);
		assert_frac(low.equivalents, away == 1 ? 2 : 1, 1, "low");
		assert_frac(high.equivalents, away == 2 ? 1 : 2, 1, "high");
	}
	/* Of each number of bundles one look for the name, and a price. */
	prices.models_away = 0;
	steps = 100;
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand, NULL),
			 0);
	ck_assert_uint_eq(steps, 100 - 3 * 4 - 2 * 2);
}
END_TEST

START_TEST(the_first_of_two_models_that_cost_the_same_says_why)
{
	const struct eqt_bundle gpu[2] = {
		{ .name = "gpu:a", .weight_u = 2000000, .cores_u = 2000000 },
		{ .name = "gpu:b", .weight_u = 1000000, .cores_u = 1000000 },
	};
	const struct eqt_demand demand = { .cores = 2, .gpus_untyped = 1 };
	const struct eqt_bundle_table prices = one_name(gpu);
	struct eqt_price low, high;

	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand, NULL),
			 0);
	assert_frac(high.equivalents, 2, 1, "high");
	ck_assert_int_eq(low.dominant, EQT_GPUS);
	ck_assert_int_eq(high.dominant, EQT_GPUS);
}
END_TEST

START_TEST(gpus_of_two_places_that_do_not_add_up_stay_where_they_are)
{
	const struct eqt_bundle gpu[2] = {
		{ .name = "gpu:a", .weight_u = 1, .cores_u = EQT_MICRO },
		{ .name = "gpu:a", .weight_u = 1, .cores_u = EQT_MICRO },
	};
	const struct eqt_demand demand = { .gpus = { MAX, 1 } };
	const struct eqt_bundle_table prices = one_name(gpu);
	struct eqt_price low, high;

	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand, NULL),
			 0);
	assert_frac(low.equivalents, UINT64_C(1) << 58, 15625, "low");
	assert_frac(high.equivalents, UINT64_C(1) << 58, 15625, "high");
}
END_TEST

START_TEST(a_full_table_is_priced_to_its_last_bundle)
{
	struct eqt_bundle gpu[EQT_MODELS_MAX];
	const struct eqt_bundle_table prices = { .gpu = gpu,
						 .gpu_count = EQT_MODELS_MAX };
	const struct eqt_demand demand = { .gpus = { 1 } };
	const struct eqt_demand any = { .gpus_untyped = 1 };
	struct eqt_price low, high;

	for (uint32_t i = 0; i < EQT_MODELS_MAX; i++)
		gpu[i] = (struct eqt_bundle){ .name = "gpu:a",
					      .cores_u = EQT_MICRO,
					      .weight_u = (i + 1) * EQT_MICRO };
	ck_assert_int_eq(eqt_price_range(&low, &high, &prices, &demand, NULL),
			 0);
	assert_frac(low.equivalents, 1, 1, "low");
	assert_frac(high.equivalents, EQT_MODELS_MAX, 1, "high");
	ck_assert_uint_eq(eqt_price_range_models(&prices, &demand), UINT32_MAX);
	ck_assert_uint_eq(eqt_price_range_models(&prices, &any), UINT32_MAX);
	ck_assert_int_eq(eqt_price_range_bounds(&low, &high, &prices, &any,
						NULL), 0);
	assert_frac(low.equivalents, 1, 1, "lower bound");
	assert_frac(high.equivalents, EQT_MODELS_MAX, 1, "upper bound");
}
END_TEST

START_TEST(units_that_differ_are_those_of_the_pool)
{
	const struct eqt_unit own = { .one = "A" }, pool = { .one = "B" };
	const struct eqt_bundle gpu[2] = {
		{ .name = "gpu:a", .weight_u = 1, .cores_u = 1, .unit = &own },
		{ .name = "gpu:b", .weight_u = 1, .cores_u = 1 },
	};
	struct eqt_bundle_table prices = one_name(gpu);
	const struct eqt_demand mixed = { .gpus = { 0, 1 }, .gpus_untyped = 1 };
	const struct eqt_demand alike = { .gpus = { 1 }, .gpus_untyped = 1 };
	struct eqt_price price;

	prices.pool_unit[1] = &pool;
	ck_assert_int_eq(eqt_price_as(&price, &prices, &mixed, 0, NULL), 0);
	ck_assert_ptr_eq(price.unit, &pool);
	ck_assert_int_eq(eqt_price_as(&price, &prices, &alike, 0, NULL), 0);
	ck_assert_ptr_eq(price.unit, &own);
	ck_assert_int_eq(eqt_price_as(&price, &prices, &alike, 1, NULL), 0);
	ck_assert_ptr_eq(price.unit, &pool);
	/* Without a unit of the pool they are of none. */
	prices.pool_unit[1] = NULL;
	ck_assert_int_eq(eqt_price_as(&price, &prices, &mixed, 0, NULL), 0);
	ck_assert_ptr_null(price.unit);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("edges of prices");
	TCase *tcase = tcase_create("edges");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(sums_of_two_bundles_that_do_not_fit_are_refused, sum_rows);
	tcase_add_test(tcase, a_millionth_of_memory_in_a_bundle_counts);
	tcase_add_test(
		tcase,
		a_bundle_without_memory_leaves_it_to_the_other_of_its_name);
	tcase_add_test(tcase, the_least_of_a_job_may_be_a_millionth);
	tcase_add_test(tcase,
		       a_price_is_rounded_up_to_the_largest_number_of_units);
	tcase_add_test(tcase,
		       a_price_has_the_factors_of_its_queues_and_no_other);
	tcase_add_test(tcase, gpus_without_a_model_of_two_have_no_price);
	tcase_add_test(tcase, each_name_of_a_price_takes_steps);
	ADD(bounds_are_of_the_cheapest_and_the_dearest_parts, bounds_rows);
	tcase_add_test(
		tcase,
		bounds_of_two_models_add_up_the_least_and_the_most_of_each);
	ADD(bounds_that_do_not_fit_are_refused, large_rows);
	tcase_add_test(tcase,
		       spent_steps_make_bounds_of_two_models_and_no_others);
	tcase_add_test(tcase, spent_steps_refuse_what_does_not_fit);
	tcase_add_test(tcase, a_model_of_two_places_costs_what_either_costs);
	tcase_add_test(tcase,
		       the_first_of_two_models_that_cost_the_same_says_why);
	tcase_add_test(
		tcase,
		gpus_of_two_places_that_do_not_add_up_stay_where_they_are);
	tcase_add_test(tcase, a_full_table_is_priced_to_its_last_bundle);
	tcase_add_test(tcase, units_that_differ_are_those_of_the_pool);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
