/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unit of usage: Slurm's own billing, or equivalents times billing_scale. */
#include <stdlib.h>

#include "slurm/log.h"
#include "usage/amounts/usage_unit.h"
#include "../unit.h"

/* ---- What a conversion calls ------------------------------------------------- */

static struct eqt_usage_scale converted_from, converted_to;
static uint64_t journal_scale;
static double journal_weights;

void eqt_usage_convert(struct eqt_usage *usage,
		       const struct eqt_usage_scale *from,
		       const struct eqt_usage_scale *to)
{
	(void) usage;
	converted_from = *from;
	converted_to = *to;
}

void eqt_journal_unit(struct eqt_journal *journal, uint64_t scale,
		      double weights_scale)
{
	(void) journal;
	journal_scale = scale;
	journal_weights = weights_scale;
}

void eqt_log_info(const char *format, ...)
{
	(void) format;
}

static struct eqt_conf conf;
static struct eqt_config config;
static struct eqt_usage_unit unit;

static void setup(void)
{
	conf = (struct eqt_conf){ .billing_scale = 100, .weights_scale = 1000 };
	config = (struct eqt_config){ .conf = &conf };
	unit = (struct eqt_usage_unit){ .scale = 100, .since = 0 };
	converted_from = converted_to = (struct eqt_usage_scale){ 0, 0 };
	journal_scale = 99;
	journal_weights = 0;
}

static void is_converted(long double from_raw, long double from_billing,
			 long double to_raw, long double to_billing)
{
	ck_assert_ldouble_eq(converted_from.raw, from_raw);
	ck_assert_ldouble_eq(converted_from.billing, from_billing);
	ck_assert_ldouble_eq(converted_to.raw, to_raw);
	ck_assert_ldouble_eq(converted_to.billing, to_billing);
}

/* ---- Tests ------------------------------------------------------------------- */

START_TEST(a_unit_is_kept_as_it_is_set)
{
	const struct eqt_ledger_unit set = { .scale = 7, .since = 1234 };
	struct eqt_ledger_unit got;

	eqt_usage_unit_set(&unit, &set);
	got = eqt_usage_unit_get(&unit);
	ck_assert(got.known);
	ck_assert_uint_eq(got.scale, 7);
	ck_assert_int_eq(got.since, 1234);
}
END_TEST

START_TEST(a_configuration_wants_its_scale_or_the_billing_of_slurm)
{
	ck_assert(eqt_usage_unit_wanted(&config).known);
	ck_assert_uint_eq(eqt_usage_unit_wanted(&config).scale, 100);
	config.stock.billing = true;
	ck_assert_uint_eq(eqt_usage_unit_wanted(&config).scale, 0);
}
END_TEST

START_TEST(usage_is_converted_once_to_another_unit)
{
	eqt_usage_unit_convert(&unit, &config);
	is_converted(0, 0, 0, 0);
	ck_assert_uint_eq(journal_scale, 99);
	conf.billing_scale = 50;
	eqt_usage_unit_convert(&unit, &config);
	is_converted(1, 100, 1, 50);
	ck_assert_uint_eq(journal_scale, 50);
	ck_assert_double_eq(journal_weights, 1000);
	ck_assert_int_eq(eqt_usage_unit_get(&unit).since, 0);
	config.stock.billing = true;
	eqt_usage_unit_convert(&unit, &config);
	is_converted(1, 50, 1000, 1000);
	ck_assert_uint_eq(journal_scale, 0);
	ck_assert_int_eq(eqt_usage_unit_get(&unit).since,
			 EQT_USAGE_UNIT_NOT_YET);
	config.stock.billing = false;
	eqt_usage_unit_convert(&unit, &config);
	is_converted(1000, 1000, 1, 50);
	ck_assert_int_eq(eqt_usage_unit_get(&unit).since, 0);
}
END_TEST

START_TEST(a_line_of_the_journal_converts_again)
{
	struct eqt_journal_record line = { .tres = { { .count = 20 },
						     { .count = 30 } },
					   .tres_count = 1,
					   .rate = 500 };

	eqt_usage_unit_replay(&unit, &line);
	is_converted(1, 100, 1, 20);
	line.rate = 1;
	line.tres[0].count = 0;
	eqt_usage_unit_replay(&unit, &line);
	is_converted(1, 20, 1, 1);
	ck_assert_uint_eq(journal_scale, 99);
	line.rate = 0.5;
	line.tres[0].count = 40;
	eqt_usage_unit_replay(&unit, &line);
	line.rate = 500;
	line.tres_count = 2;
	eqt_usage_unit_replay(&unit, &line);
	line.tres_count = 0;
	eqt_usage_unit_replay(&unit, &line);
	ck_assert_uint_eq(eqt_usage_unit_get(&unit).scale, 0);
}
END_TEST

START_TEST(the_first_pass_with_the_billing_of_slurm_notes_its_time)
{
	int64_t since;

	eqt_usage_unit_settle(&unit);
	ck_assert_int_eq(eqt_usage_unit_get(&unit).since, 0);
	unit.since = EQT_USAGE_UNIT_NOT_YET;
	eqt_usage_unit_settle(&unit);
	since = eqt_usage_unit_get(&unit).since;
	ck_assert_int_gt(since, 0);
	ck_assert_int_le(since, (int64_t) time(NULL));
	unit.since = 5;
	eqt_usage_unit_settle(&unit);
	ck_assert_int_eq(eqt_usage_unit_get(&unit).since, 5);
}
END_TEST

/* A charge of 8 equivalents, and 801 for billing, which is rounded to whole numbers. */
START_TEST(a_charge_before_the_conversion_is_in_the_unit_of_usage)
{
	static const struct {
		const char *name;
		uint64_t scale, wanted;
		double rate;
		uint64_t billing;
		bool priced;
	} rows[] = {
		{ "the same scale", 100, 100, 8, 801, true },
		{ "half the scale", 50, 100, 8, 401, false },
		{ "twice the scale", 200, 100, 8, 1602, false },
		{ "usage has the billing of Slurm", 0, 100, 8000, 8010, false },
		{ "the billing of Slurm is wanted", 100, 0, 0.008, 80, false },
		{ "Slurm's billing both times", 0, 0, 8, 801, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct eqt_post post = { .config = &config,
					 .rate = 8,
					 .billing = 801,
					 .priced = true };

		unit.scale = rows[i].scale;
		conf.billing_scale = rows[i].wanted;
		config.stock.billing = rows[i].wanted == 0;
		eqt_usage_unit_apply(&unit, &post);
		ck_assert_msg(post.billing == rows[i].billing &&
				      post.priced == rows[i].priced,
			      "%s: %llu", rows[i].name,
			      (unsigned long long) post.billing);
		ck_assert_double_eq_tol(post.rate, rows[i].rate, 1e-12);
	}
}
END_TEST

START_TEST(a_moment_is_older_up_to_the_time_of_the_unit)
{
	unit.scale = 0;
	unit.since = 100;
	ck_assert(!eqt_usage_unit_is_older(&unit, &config, 1));
	config.stock.billing = true;
	ck_assert(eqt_usage_unit_is_older(&unit, &config, 99));
	ck_assert(eqt_usage_unit_is_older(&unit, &config, 100));
	ck_assert(!eqt_usage_unit_is_older(&unit, &config, 101));
	unit.since = EQT_USAGE_UNIT_NOT_YET;
	ck_assert(eqt_usage_unit_is_older(&unit, &config, 101));
	unit.since = 0;
	ck_assert(!eqt_usage_unit_is_older(&unit, &config, 0));
	unit.scale = 1;
	ck_assert(eqt_usage_unit_is_older(&unit, &config, 101));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("usage unit");
	TCase *tcase = tcase_create("usage unit");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_unit_is_kept_as_it_is_set);
	tcase_add_test(tcase,
		       a_configuration_wants_its_scale_or_the_billing_of_slurm);
	tcase_add_test(tcase, usage_is_converted_once_to_another_unit);
	tcase_add_test(tcase, a_line_of_the_journal_converts_again);
	tcase_add_test(tcase,
		       the_first_pass_with_the_billing_of_slurm_notes_its_time);
	tcase_add_test(tcase,
		       a_charge_before_the_conversion_is_in_the_unit_of_usage);
	tcase_add_test(tcase, a_moment_is_older_up_to_the_time_of_the_unit);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
