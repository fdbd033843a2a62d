/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_grant: the rule of an account, and the answer of a grant for a job. */
#include <math.h>

#include "../rules_conf.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

static const struct {
	const char *pattern;
	const char *account;
	bool fits;
} fit_rows[] = {
	{ "physics", "physics", true },
	{ "physics", "physics2", false },
	{ "physics", "physic", false },
	{ "*", "physics", true },
	{ "*", "", true },
	{ "def-*", "def-x", true },
	{ "def-*", "def-", true },
	{ "def-*", "rrg-x", false },
	{ "*_gpu", "def-x_gpu", true },
	{ "*_gpu", "def-x_gpu_cpu", false },
	{ "*_gpu", "_gpu_gpu", true },
	{ "def-*_gpu", "def-x_gpu", true },
	{ "def-*_gpu", "def-_gpu", true },
	{ "def-*_gpu", "def_gpu", false },
	{ "*a*b*", "xaxxbx", true },
	{ "*a*b*", "xbxxax", false },
	{ "**", "x", true },
	{ "*a*a*a*a*a*a*a*a*a*b",
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  false },
};

START_TEST(pattern_fits_whole_names)
{
	struct eqt_grant_list list = { .count = 1 };

	strcpy(list.rule[0].name, fit_rows[_i].pattern);
	ck_assert_int_eq(eqt_grants_find(&list, fit_rows[_i].account) != NULL,
			 fit_rows[_i].fits);
}
END_TEST

START_TEST(first_rule_that_fits_holds)
{
	const struct eqt_conf *conf = conf_of(
		"grant \"*_gpu\" { spent = bonus bonus = free }\n"
		"grant physics { spent = ignore scarce = refuse }\n"
		"grant \"*\" { }");
	const struct eqt_grant_rule *rule =
		eqt_grants_find(&conf->grants, "physics_gpu");

	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_SPENT),
			 EQT_GRANT_BONUS);
	ck_assert_str_eq(rule->bonus, "free");
	rule = eqt_grants_find(&conf->grants, "physics");
	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_SPENT),
			 EQT_GRANT_IGNORE);
	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_SCARCE),
			 EQT_GRANT_REFUSE);
	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_FINE),
			 EQT_GRANT_IGNORE);
	rule = eqt_grants_find(&conf->grants, "other");
	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_SPENT),
			 EQT_GRANT_REFUSE);
	ck_assert_int_eq(eqt_grant_way_of(rule, EQT_GRANT_SCARCE),
			 EQT_GRANT_WARN);
	ck_assert_str_eq(rule->bonus, "");
	eqt_conf_free(conf);
}
END_TEST

START_TEST(each_star_of_a_pattern_begins_behind_the_one_before)
{
	static const struct {
		const char *pattern, *account;
		bool fits;
	} rows[] = {
		{ "*ab*ba", "aba", false }, { "*ab*ba", "abba", true },
		{ "*ab", "aab", true },	    { "a*b*c", "abxbc", true },
		{ "a*b*c", "acb", false },  { "a**", "a", true },
		{ "a*b", "ab", true },	    { "a*b", "a", false },
		{ "a", "ab", false },	    { "ab", "a", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct eqt_grant_list list = { .count = 1 };

		(void) snprintf(list.rule[0].name, sizeof(list.rule[0].name),
				"%s", rows[i].pattern);
		ck_assert_msg((eqt_grants_find(&list, rows[i].account) !=
			       NULL) == rows[i].fits,
			      "%s %s", rows[i].pattern, rows[i].account);
	}
}
END_TEST

static const struct {
	const char *name;
	struct eqt_grant grant;
	enum eqt_grant_state want;
	const char *text;
} state_rows[] = {
	{ "nothing used", { "a", "", 60, 0, 0, 60 }, EQT_GRANT_FINE, NULL },
	{ "not known what is needed", { "a", "", 60, 59, 0, 0 },
	  EQT_GRANT_FINE, NULL },
	{ "the last of it", { "a", "", 60, 59, 0, 1 }, EQT_GRANT_FINE, NULL },
	{ "one too many", { "a", "", 60, 59, 0, 2 }, EQT_GRANT_SCARCE,
	  "account a has used 0.9833 of its grant of 1 equivalent-hours, and "
	  "this job may use 0.0333" },
	{ "what runs counts", { "a", "", 60, 30, 30, 1 }, EQT_GRANT_SCARCE,
	  "account a has used 0.5 of its grant of 1 equivalent-hours, running "
	  "jobs may use 0.5 more, and this job may use 0.0167" },
	{ "a minute that runs counts", { "a", "", 60, 59, 1, 1 },
	  EQT_GRANT_SCARCE,
	  "account a has used 0.9833 of its grant of 1 equivalent-hours, "
	  "running jobs may use 0.0167 more, and this job may use 0.0167" },
	{ "spent", { "a", "", 60, 60, 30, 0 }, EQT_GRANT_SPENT,
	  "account a has used 1 of its grant of 1 equivalent-hours" },
	{ "overdrawn", { "a", "u", 60, 90, 0, 1 }, EQT_GRANT_SPENT,
	  "account a of user u has used 1.5 of its grant of 1 "
	  "equivalent-hours" },
	{ "nothing granted", { "a", "", 0, 0, 0, 1 }, EQT_GRANT_SPENT,
	  "account a has used 0 of its grant of 0 equivalent-hours" },
	{ "no time limit", { "a", "", 60, 0, 0, MAX }, EQT_GRANT_SCARCE,
	  "account a has used 0 of its grant of 1 equivalent-hours, and this "
	  "job has no time limit" },
	{ "sums that wrap", { "a", "", MAX - 2, 0, MAX, 2 },
	  EQT_GRANT_SCARCE, NULL },
};

START_TEST(grant_is_compared_as_slurm_does)
{
	struct eqt_error text = { "" };

	ck_assert_msg(eqt_grant_judge(&state_rows[_i].grant) ==
			      state_rows[_i].want, "%s", state_rows[_i].name);
	if (!state_rows[_i].text)
		return;
	eqt_grant_text(&text, &state_rows[_i].grant, NULL, 1);
	ck_assert_str_eq(text.text, state_rows[_i].text);
}
END_TEST

START_TEST(text_is_in_the_unit_of_the_site)
{
	const struct eqt_grant grant = { "a", "", 600000, 630500, 0, 0 };
	struct eqt_error text = { "" };

	eqt_grant_text(&text, &grant, NULL, 1000);
	ck_assert_str_eq(text.text, "account a has used 10.5083 of its grant "
			 "of 10 equivalent-hours");
}
END_TEST

START_TEST(text_names_the_partition_where_so_much_is_needed)
{
	struct eqt_grant grant = { "a", "", 600000, 540000, 0, 120000 };
	struct eqt_error text = { "" };

	eqt_grant_text(&text, &grant, "dear", 1000);
	ck_assert_str_eq(text.text, "account a has used 9 of its grant of 10 "
			 "equivalent-hours, and this job may use 2 in "
			 "partition dear");
	grant.used = grant.limit;
	eqt_grant_text(&text, &grant, "dear", 1000);
	ck_assert_str_eq(text.text, "account a has used 10 of its grant of 10 "
			 "equivalent-hours");
}
END_TEST

START_TEST(a_rule_behind_the_last_one_does_not_hold)
{
	static const struct eqt_grant_list list = {
		.rule = { { .name = "a" }, { .name = "b" } }, .count = 1,
	};

	ck_assert_ptr_eq(eqt_grants_find(&list, "a"), &list.rule[0]);
	ck_assert_ptr_null(eqt_grants_find(&list, "b"));
}
END_TEST

START_TEST(minutes_are_whole_and_do_not_wrap)
{
	ck_assert_uint_eq(eqt_grant_minutes(1000, 30, 1.0), 30000);
	ck_assert_uint_eq(eqt_grant_minutes(1000, 30, 3.0), 90000);
	ck_assert_uint_eq(eqt_grant_minutes(1000, 3, 0.5), 1000);
	ck_assert_uint_eq(eqt_grant_minutes(1000, 30, 0.0), 0);
	ck_assert_uint_eq(eqt_grant_minutes(MAX, 2, 1.0), MAX);
	ck_assert_uint_eq(eqt_grant_minutes(2, MAX, 1.0), MAX);
	ck_assert_uint_eq(eqt_grant_minutes(1, 30, 1e300), MAX);
	ck_assert_uint_eq(eqt_grant_minutes(1, 30, (double) NAN), MAX);
	ck_assert_uint_eq(eqt_grant_minutes(1, UINT64_C(1) << 63, 2.0), MAX);
	ck_assert_uint_eq(eqt_grant_minutes(1, (UINT64_C(1) << 53) + 1, 1.0),
			  (UINT64_C(1) << 53) + 1);
	ck_assert_uint_eq(eqt_grant_minutes(1, 2, 0.5), 1);
	ck_assert_uint_eq(eqt_grant_minutes(1, 2, -1.0), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("grant");
	TCase *tcase = tcase_create("grant");

	tcase_add_loop_test(tcase, pattern_fits_whole_names, 0,
			    (int) COUNT(fit_rows));
	tcase_add_test(tcase, first_rule_that_fits_holds);
	tcase_add_test(tcase,
		       each_star_of_a_pattern_begins_behind_the_one_before);
	tcase_add_loop_test(tcase, grant_is_compared_as_slurm_does, 0,
			    (int) COUNT(state_rows));
	tcase_add_test(tcase, text_is_in_the_unit_of_the_site);
	tcase_add_test(tcase, text_names_the_partition_where_so_much_is_needed);
	tcase_add_test(tcase, a_rule_behind_the_last_one_does_not_hold);
	tcase_add_test(tcase, minutes_are_whole_and_do_not_wrap);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
