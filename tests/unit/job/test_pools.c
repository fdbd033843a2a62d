/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pools: the account of a pool that belongs to a name. */
#include "../rules_conf.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct {
	const char *pools;
	const char *account;
	enum eqt_pool said;
	const char *cpu, *gpu;
} pool_rows[] = {
	{ "pool cpu { suffix = _cpu } pool gpu { suffix = _gpu }", "def-x",
	  EQT_POOLS, "def-x_cpu", "def-x_gpu" },
	{ "pool cpu { suffix = _cpu } pool gpu { suffix = _gpu }", "def-x_cpu",
	  EQT_POOL_CPU, "def-x_cpu", "def-x_gpu" },
	{ "pool cpu { suffix = _cpu } pool gpu { suffix = _gpu }", "def-x_gpu",
	  EQT_POOL_GPU, "def-x_cpu", "def-x_gpu" },
	{ "pool gpu { suffix = -gpu }", "def-x", EQT_POOLS, "def-x",
	  "def-x-gpu" },
	{ "pool gpu { suffix = -gpu }", "def-x-gpu", EQT_POOL_GPU, "def-x",
	  "def-x-gpu" },
	{ "pool cpu { suffix = u } pool gpu { suffix = _gpu }", "def-x_gpu",
	  EQT_POOL_GPU, "def-xu", "def-x_gpu" },
	{ "pool cpu { suffix = _cpu } pool gpu { suffix = _gpu }", "_gpu",
	  EQT_POOLS, "_gpu_cpu", "_gpu_gpu" },
	{ "pool cpu { suffix = _cpu } pool gpu { suffix = _gpu }", "",
	  EQT_POOLS, "_cpu", "_gpu" },
};

START_TEST(account_of_a_pool_has_its_suffix)
{
	const struct eqt_conf *conf = conf_of(pool_rows[_i].pools);
	const char *account = pool_rows[_i].account;
	char buf[32];
	size_t length;

	ck_assert(eqt_pools_any(&conf->pools));
	ck_assert_int_eq(eqt_pools_of(&conf->pools, account, &length),
			 pool_rows[_i].said);
	ck_assert_str_eq(eqt_pools_account(&conf->pools, EQT_POOL_CPU, account,
					   buf, sizeof(buf)),
			 pool_rows[_i].cpu);
	ck_assert_str_eq(eqt_pools_account(&conf->pools, EQT_POOL_GPU, account,
					   buf, sizeof(buf)),
			 pool_rows[_i].gpu);
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_pool_has_the_name_of_what_it_holds)
{
	ck_assert_str_eq(eqt_rules_pool_name(EQT_POOL_CPU), "CPUs");
	ck_assert_str_eq(eqt_rules_pool_name(EQT_POOL_GPU), "GPUs");
}
END_TEST

START_TEST(account_that_does_not_fit_is_none)
{
	const struct eqt_conf *conf = conf_of("pool gpu { suffix = _gpu }");
	char buf[9];

	ck_assert_ptr_null(eqt_pools_account(&conf->pools, EQT_POOL_GPU,
					     "def-x", buf, sizeof(buf)));
	ck_assert_ptr_null(eqt_pools_account(&conf->pools, EQT_POOL_CPU,
					     "a-long-name", buf, sizeof(buf)));
	ck_assert_str_eq(eqt_pools_account(&conf->pools, EQT_POOL_CPU, "", buf,
					   sizeof(buf)), "");
	ck_assert_str_eq(eqt_pools_account(&conf->pools, EQT_POOL_GPU, "defx",
					   buf, sizeof(buf)), "defx_gpu");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(a_job_of_two_pools_is_refused_with_both_names)
{
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_pools_refuse_other("def-x_cpu", EQT_POOL_GPU, &err),
			 -1);
	ck_assert_str_eq(err.text, "account def-x_cpu is not for GPUs, which "
				   "the job asks for");
	ck_assert_int_eq(eqt_pools_refuse_two("def-x_cpu", "def-x_gpu", &err),
			 -1);
	ck_assert_str_eq(err.text,
			 "the job may get nodes that are charged to account "
			 "def-x_cpu or nodes that are charged to account "
			 "def-x_gpu, and Slurm cannot change the account when "
			 "it starts; name a partition or nodes of one kind");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pools");
	TCase *tcase = tcase_create("pools");

	tcase_add_loop_test(tcase, account_of_a_pool_has_its_suffix, 0,
			    (int) COUNT(pool_rows));
	tcase_add_test(tcase, account_that_does_not_fit_is_none);
	tcase_add_test(tcase,
		       a_pool_has_the_name_of_what_it_holds);
	tcase_add_test(tcase, a_job_of_two_pools_is_refused_with_both_names);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
