/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_unit: a site's names of equivalents, and their price in money. */
#include <string.h>

#include "budget/hours.h"
#include "quote/price_message.h"
#include "quote/quote.h"
#include "../rules_conf.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MEM(amount) .mem = EQT_MEM_PER_NODE, .mem_mib = (amount)

/* A unit for GPUs, another one for cores, and money for one model. */
#define UNITS                                                     \
	"bundle gpu:h100 { cores = 12  memory = 288000M  "        \
	"weight = 12.2  unit = RGU }\n"                           \
	"bundle gpu:t4 { cores = 4  rate = 1.5  currency = EUR " \
	"}\n"                                                     \
	"pool cpu { unit = SU  units = SUs  rate = 0.02  "        \
	"currency = EUR }\n"                                      \
	"pool gpu { unit = BU }\n"

static const struct {
	const char *name;
	struct eqt_job_spec spec;
	const char *brief;
} rows[] = {
	{ "one of the unit", { .tasks = 1, .minutes = 60 },
	  "cost 1 SU (cores decide), 1 h (0.02 EUR) for 1:00:00" },
	{ "several of the unit", { .tasks = 2, MEM(8000), .minutes = 90 },
	  "cost 2 SUs (cores decide), 3 h (0.06 EUR) for 1:30:00" },
	{ "an array", { .tasks = 2, .minutes = 60, .array = "1-10" },
	  "cost 2 SUs (cores decide), 20 h (0.4 EUR) for 10x1:00:00" },
	{ "a range",
	  { .tasks = 4, .min_nodes = 1, .max_nodes = 2, MEM(16000),
	    .minutes = 60 },
	  "cost 4 to 8 SUs (the nodes decide), 4 to 8 h (0.08 to 0.16 EUR) for "
	  "1:00:00" },
	{ "no time limit", { .tasks = 2 }, "cost 2 SUs (cores decide)" },
	{ "a bundle's unit", { .tres_per_job = "gres:gpu:h100:1", .minutes = 60 },
	  "cost 12.2 RGU (GPUs decide), 12.2 h for 1:00:00" },
	{ "the unit of its pool, of which there is no plural",
	  { .tres_per_job = "gres:gpu:p100:2", .minutes = 60 },
	  "cost 2 BU (GPUs decide), 2 h for 1:00:00" },
	{ "a bundle's money, with no name",
	  { .tres_per_job = "gres:gpu:t4:2", .minutes = 60 },
	  "cost 2 GPU-equivalents (GPUs decide), 2 h (3 EUR) for 1:00:00" },
	{ "bundles of different units have that of their pool",
	  { .tres_per_job = "gres:gpu:h100:1,gres:gpu:p100:1", .minutes = 60 },
	  "cost 13.2 BU (GPUs decide), 13.2 h for 1:00:00" },
	{ "a range of different units",
	  { .tres_per_job = "gres:gpu:1", .minutes = 60 },
	  "cost 1 BU to 12.2 RGU (the model decides), 1 to 12.2 h for "
	  "1:00:00" },
};

START_TEST(message_has_the_unit_and_the_money)
{
	const struct eqt_conf *conf = conf_of(UNITS);
	struct eqt_job_spec spec = rows[_i].spec;
	struct eqt_error err = { "" };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	spec.node.count = 1;
	ck_assert_msg(eqt_quote_make(&quote, &conf->prices, &spec, &err) == 0,
		      "%s: %s", rows[_i].name, err.text);
	ck_assert_str_eq(eqt_price_message_brief(&quote, text, sizeof(text)),
			 rows[_i].brief);
	ck_assert_msg(strlen(text) <= 100, "%s", text);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(long_text_has_the_unit_of_an_hour)
{
	const struct eqt_conf *conf = conf_of(UNITS);
	const struct eqt_job_spec spec = { .tasks = 2, MEM(8000),
					   .minutes = 90, .node.count = 1 };
	char text[EQT_PRICE_MESSAGE_SIZE];
	struct eqt_quote quote;

	ck_assert_int_eq(eqt_quote_make(&quote, &conf->prices, &spec, NULL), 0);
	ck_assert_str_eq(eqt_price_message_full(&quote, text, sizeof(text)),
		"cost 2 SUs (cores decide), 3 h (0.06 EUR) for 1:30:00\n"
		"  cores   2 at 1 an equivalent: 2, which decides\n"
		"  memory  8000M at 4000M an equivalent: 2\n"
		"  3 SU-hours for the time limit of 1:30:00: 0.06 EUR");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(money_that_is_not_there_or_does_not_fit_is_none)
{
	const struct eqt_frac hours = { UINT64_MAX, 1 };
	const struct eqt_unit dear = { .currency = "EUR", .rate_u = 2000000 };
	const struct eqt_unit plain = { .one = "SU" };
	const struct eqt_unit letter = { .currency = "F", .rate_u = 3000000 };
	struct eqt_frac money = { 7, 1 };

	ck_assert_int_eq(eqt_unit_money(&money, &dear, hours), -1);
	ck_assert_int_eq(eqt_unit_money(&money, &plain, EQT_FRAC_ONE), -1);
	ck_assert_int_eq(eqt_unit_money(&money, NULL, EQT_FRAC_ONE), -1);
	ck_assert_uint_eq(money.num, 7);
	ck_assert_int_eq(eqt_unit_money(&money, &dear, EQT_FRAC_ONE), 0);
	ck_assert_uint_eq(money.num, 2);
	ck_assert_int_eq(eqt_unit_money(&money, &letter, EQT_FRAC_ONE), 0);
	ck_assert_uint_eq(money.num, 3);
}
END_TEST

START_TEST(a_unit_may_have_one_letter)
{
	const struct eqt_unit letter = { .one = "S" };

	ck_assert_str_eq(eqt_unit_name(&letter, 0, 0), "S");
	ck_assert_str_eq(eqt_unit_name(&letter, 0, 1), "S");
}
END_TEST

START_TEST(units_of_pools_and_bundles_are_read)
{
	const struct eqt_conf *conf = conf_of(
		"bundle gpu:h100 { cores = 12  unit = RGU  rate = 0.25  "
		"currency = USD  nodes = a  features = b }\n"
		"pool cpu { unit = SU  units = SUs }\n"
		"pool gpu { suffix = _gpu  rate = 1.5  currency = EUR }");
	const struct eqt_bundle_table *prices = &conf->prices;

	ck_assert_ptr_null(prices->cores.unit);
	ck_assert_ptr_null(prices->gpu[0].unit);
	ck_assert_str_eq(prices->gpu[2].unit->one, "RGU");
	ck_assert_str_eq(prices->gpu[2].unit->currency, "USD");
	ck_assert_uint_eq(prices->gpu[2].unit->rate_u, 250000);
	ck_assert_str_eq(prices->gpu[2].nodes, "a");
	ck_assert_str_eq(prices->gpu[2].features, "b");
	ck_assert_str_eq(prices->pool_unit[EQT_POOL_CPU]->one, "SU");
	ck_assert_str_eq(prices->pool_unit[EQT_POOL_CPU]->many, "SUs");
	ck_assert_str_eq(prices->pool_unit[EQT_POOL_GPU]->one, "");
	ck_assert_uint_eq(prices->pool_unit[EQT_POOL_GPU]->rate_u, 1500000);
	ck_assert_str_eq(conf->pools.suffix[EQT_POOL_CPU], "");
	ck_assert_str_eq(conf->pools.suffix[EQT_POOL_GPU], "_gpu");
	eqt_conf_free(conf);
}
END_TEST

/* What an hour of a budget for all jobs, those without GPUs, and those with GPUs is called. */
static const struct hour_row {
	const char *text, *hour[EQT_BUDGET_POOLS];
} hours_of[] = {
	{ "", { "equivalent-hour", "equivalent-hour", "equivalent-hour" } },
	{ "pool cpu { unit = CPU-BU }\npool gpu { unit = GPU-BU }",
	  { "equivalent-hour", "CPU-BU-hour", "GPU-BU-hour" } },
	{ "pool cpu { unit = BU }\npool gpu { unit = BU }",
	  { "BU-hour", "BU-hour", "BU-hour" } },
	{ "pool cpu { unit = BU  units = BUs }",
	  { "equivalent-hour", "BU-hour", "equivalent-hour" } },
	/* One of the models has another name. */
	{ UNITS, { "equivalent-hour", "SU-hour", "equivalent-hour" } },
};

START_TEST(an_hour_of_a_budget_has_the_unit_of_its_jobs)
{
	const struct hour_row *row = &hours_of[_i];
	const struct eqt_conf *conf = conf_of(row->text);
	char hour[EQT_HOURS_UNIT];

	for (uint64_t pool = 0; pool < EQT_BUDGET_POOLS; pool++)
		ck_assert_str_eq(eqt_hours_unit(&conf->prices, pool, hour),
				 row->hour[pool]);
	ck_assert_str_eq(eqt_hours_unit(NULL, EQT_BUDGET_ALL, hour),
			 "equivalent-hour");
	eqt_conf_free(conf);
}
END_TEST

/* Without prices of GPUs, a job with GPUs pays for its cores. */
START_TEST(an_hour_has_the_unit_of_cores_where_no_gpu_has_a_price)
{
	struct eqt_unit unit = { .one = "BU" };
	const struct eqt_bundle_table prices = { .cores.unit = &unit };
	char hour[EQT_HOURS_UNIT];

	for (uint64_t pool = 0; pool < EQT_BUDGET_POOLS; pool++)
		ck_assert_str_eq(eqt_hours_unit(&prices, pool, hour),
				 "BU-hour");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("unit");
	TCase *tcase = tcase_create("unit");

	tcase_add_loop_test(tcase, message_has_the_unit_and_the_money, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, long_text_has_the_unit_of_an_hour);
	tcase_add_test(tcase, money_that_is_not_there_or_does_not_fit_is_none);
	tcase_add_test(tcase, a_unit_may_have_one_letter);
	tcase_add_test(tcase, units_of_pools_and_bundles_are_read);
	tcase_add_loop_test(tcase, an_hour_of_a_budget_has_the_unit_of_its_jobs,
			    0, (int) COUNT(hours_of));
	tcase_add_test(tcase,
		       an_hour_has_the_unit_of_cores_where_no_gpu_has_a_price);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
