/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules and pools at the ends of their names, lists and numbers. */
#include "job/rules.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

START_TEST(a_rule_is_found_by_its_whole_name)
{
	static struct eqt_rule_list list = { .rule = { { .name = "a" },
						       { .name = "gone" } } };
	char name[EQT_NAME_SIZE + 1] = "";

	list.count = 1;
	ck_assert_ptr_eq(eqt_rules_find(&list, "a", 1), &list.rule[0]);
	ck_assert_ptr_eq(eqt_rules_find(&list, "ab", 1), &list.rule[0]);
	ck_assert_ptr_null(eqt_rules_find(&list, "ab", 2));
	ck_assert_ptr_null(eqt_rules_find(&list, "gone", 4));
	ck_assert_ptr_null(eqt_rules_find(&list, NULL, 1));
	ck_assert_ptr_null(eqt_rules_find(&list, "a", 0));
	memset(name, 'x', EQT_NAME_SIZE - 1);
	memcpy(list.rule[0].name, name, EQT_NAME_SIZE);
	ck_assert_ptr_eq(eqt_rules_find(&list, name, EQT_NAME_SIZE - 1),
			 &list.rule[0]);
	ck_assert_ptr_null(eqt_rules_find(&list, name, EQT_NAME_SIZE));
}
END_TEST

START_TEST(a_rule_wants_an_option_or_a_gres_or_nothing)
{
	const struct eqt_rule nothing = { .name = "a" };
	const struct eqt_rule option = { .wants = EQT_WANT_TIME };
	const struct eqt_rule gres = { .require_gres = "x" };
	const struct eqt_job_spec spec = { .tres_per_node = "x:1" };
	const struct eqt_job_spec none = { .tres_per_node = "x:0" };
	struct eqt_error err;

	ck_assert(!eqt_rule_wants_any(&nothing));
	ck_assert(eqt_rule_wants_any(&option));
	ck_assert(eqt_rule_wants_any(&gres));
	ck_assert_uint_eq(eqt_rule_missing(&nothing, &spec, &err), 0);
	ck_assert_uint_eq(eqt_rule_missing(&gres, &spec, &err), 0);
	ck_assert_uint_eq(eqt_rule_missing(&gres, &none, &err), EQT_WANT_GRES);
	ck_assert_uint_eq(eqt_rule_missing(&option, &spec, &err),
			  EQT_WANT_TIME);
}
END_TEST

static const struct pool_row {
	const char *name;
	struct eqt_pools pools;
	const char *account;
	bool any;
	enum eqt_pool pool;
	size_t length;
} pool_rows[] = {
	{ "no pool has a suffix", { { "", "" } }, "abc", false, EQT_POOLS, 3 },
	{ "a pool of CPUs with one letter", { { "c", "" } }, "abc", true,
	  EQT_POOL_CPU, 2 },
	{ "a pool of GPUs with one letter", { { "", "c" } }, "abc", true,
	  EQT_POOL_GPU, 2 },
	{ "an account of one letter and the suffix", { { "c", "" } }, "ac",
	  true, EQT_POOL_CPU, 1 },
	{ "an account that is the suffix", { { "c", "" } }, "c", true,
	  EQT_POOLS, 1 },
	{ "the longer suffix is that of CPUs", { { "_gpu", "u" } }, "a_gpu",
	  true, EQT_POOL_CPU, 1 },
	{ "the longer suffix is that of GPUs", { { "u", "_gpu" } }, "a_gpu",
	  true, EQT_POOL_GPU, 1 },
	{ "the first of two pools with one suffix", { { "_x", "_x" } }, "a_x",
	  true, EQT_POOL_CPU, 1 },
};

START_TEST(an_account_is_of_the_pool_of_its_longest_end)
{
	const struct pool_row *row = &pool_rows[_i];
	size_t length = 99;

	ck_assert_msg(eqt_pools_any(&row->pools) == row->any, "%s", row->name);
	ck_assert_msg(eqt_pools_of(&row->pools, row->account, &length) ==
			      row->pool,
		      "%s", row->name);
	ck_assert_msg(length == row->length, "%s: %zu", row->name, length);
}
END_TEST

START_TEST(no_pool_behind_the_last_one_is_looked_at)
{
	struct eqt_pools *pools = calloc(1, sizeof(*pools));
	size_t length;

	ck_assert_ptr_nonnull(pools);
	ck_assert_int_eq(eqt_pools_of(pools, "abc", &length), EQT_POOLS);
	ck_assert_uint_eq(length, 3);
	free(pools);
}
END_TEST

static const struct eqt_bundle models[] = {
	{ .name = "gpu:a", .cores_u = EQT_MICRO, .weight_u = EQT_MICRO },
	{ .name = "gpu:b", .cores_u = EQT_MICRO, .weight_u = 2 * EQT_MICRO },
};

START_TEST(a_price_by_the_rules_leaves_the_rules)
{
	struct eqt_bundle_table prices = {
		.cores = { .name = "cores", .cores_u = EQT_MICRO },
		.gpu = models, .gpu_count = 2, .models_off = 0x2,
	};
	const struct eqt_demand demand = { .gpus = { 1 } };
	struct eqt_price price;

	ck_assert_int_eq(eqt_rules_price(&price, &prices, &demand, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 1);
	ck_assert_uint_eq(prices.models_off, 0x2);
}
END_TEST

START_TEST(resources_that_the_rules_do_not_price_have_the_price_of_all_bundles)
{
	struct eqt_bundle_table prices = {
		.cores = { .name = "cores", .cores_u = EQT_MICRO },
		.gpu = models, .gpu_count = 2, .models_off = 0x3,
		.cores_off = true,
	};
	const struct eqt_demand gpus = { .gpus = { 0, 1 } };
	const struct eqt_demand cores = { .cores = 3 };
	struct eqt_bundle_table again = prices;
	struct eqt_price price;

	ck_assert_int_eq(eqt_rules_price(&price, &prices, &gpus, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 2);
	ck_assert_uint_eq(prices.models_off, 0);
	ck_assert(!prices.cores_off);
	ck_assert_int_eq(eqt_rules_price(&price, &again, &cores, NULL), 0);
	ck_assert_uint_eq(price.equivalents.num, 3);
	ck_assert_int_eq(price.gpu_pool, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("edges of rules");
	TCase *tcase = tcase_create("edges");

	tcase_add_test(tcase, a_rule_is_found_by_its_whole_name);
	tcase_add_test(tcase, a_rule_wants_an_option_or_a_gres_or_nothing);
	tcase_add_loop_test(tcase, an_account_is_of_the_pool_of_its_longest_end,
			    0, (int) COUNT(pool_rows));
	tcase_add_test(tcase, no_pool_behind_the_last_one_is_looked_at);
	tcase_add_test(tcase, a_price_by_the_rules_leaves_the_rules);
	tcase_add_test(
		tcase,
		resources_that_the_rules_do_not_price_have_the_price_of_all_bundles);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
