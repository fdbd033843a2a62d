/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_factors: factors, their sum in Slurm's order, and the limits of a
 * priority. */
#include <math.h>

#include "prio/factors.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define DAY 86400
#define NOW INT64_C(1700000000)

static const struct {
	const char *name;
	int64_t now, accrue;
	uint32_t max_age_s;
	double want;
} age_rows[] = {
	{ "not accruing", NOW, 0, 7 * DAY, 0 },
	{ "not accruing, no maximum", NOW, 0, 0, 0 },
	{ "just begun", NOW, NOW, 7 * DAY, 0 },
	{ "begins later", NOW, NOW + 1, 7 * DAY, 0 },
	{ "a seventh", NOW, NOW - DAY, 7 * DAY, 1.0 / 7.0 },
	{ "one second short", NOW, NOW - 9, 10, 0.9 },
	{ "full", NOW, NOW - 10, 10, 1 },
	{ "more than full", NOW, NOW - 1000, 10, 1 },
	{ "no maximum", NOW, NOW - 1, 0, 1 },
	{ "no maximum, just begun", NOW, NOW, 0, 1 },
	{ "longest maximum", NOW, NOW - 1, UINT32_MAX, 1.0 / UINT32_MAX },
	{ "all of time", INT64_MAX, INT64_MIN, UINT32_MAX, 1 },
};

START_TEST(age_is_waiting_time_over_its_maximum)
{
	double got = eqt_factors_age(age_rows[_i].now, age_rows[_i].accrue,
				  age_rows[_i].max_age_s);

	ck_assert_msg(got == age_rows[_i].want, "%s: %.17g", age_rows[_i].name,
		      got);
}
END_TEST

/* cpus, nodes, limit, cluster's cpus, nodes, favor_small, relative */
static const struct {
	const char *name;
	struct eqt_factor_size size;
	double want;
} size_rows[] = {
	{ "large", { 16, 2, 0, 64, 4, false, false, false, 0, 0 }, 0.375 },
	{ "large, CPUs not known", { 0, 2, 0, 64, 4, false, false, false, 0, 0 }, 0.5 },
	{ "large, whole cluster", { 64, 4, 0, 64, 4, false, false, false, 0, 0 }, 1 },
	{ "large, thirds",
	  { 1, 1, 0, 7, 3, false, false, false, 0, 0 },
	  (1.0 / 3.0 + 1.0 / 7.0) / 2 },
	{ "large, more than there is", { 640, 40, 0, 64, 4, false, false, false, 0, 0 }, 1 },
	{ "small", { 16, 1, 0, 64, 4, true, false, false, 0, 0 }, 0.75 },
	{ "small, CPUs not known", { 0, 1, 0, 64, 4, true, false, false, 0, 0 }, 0.75 },
	{ "small, whole cluster", { 64, 4, 0, 64, 4, true, false, false, 0, 0 }, 0 },
	{ "small, more than there is wraps as in Slurm",
	  { 0, 5, 0, 64, 4, true, false, false, 0, 0 },
	  1 },
	{ "relative, by CPUs", { 48, 2, 2, 64, 4, false, true, false, 0, 0 }, 0.375 },
	{ "relative, by nodes", { 1, 2, 2, 64, 4, false, true, false, 0, 0 }, 0.25 },
	{ "relative, small", { 1, 2, 2, 64, 4, true, true, false, 0, 0 }, 0.75 },
	{ "relative, no limit", { 32, 2, 0, 64, 4, false, true, false, 0, 0 }, 0.5 },
	{ "relative, too large", { 640, 2, 1, 64, 4, false, true, false, 0, 0 }, 1 },
	{ "relative, small, too large", { 640, 2, 1, 64, 4, true, true, false, 0, 0 }, 0 },
	{ "no nodes in the cluster", { 1, 1, 1, 64, 0, false, false, false, 0, 0 }, 0 },
	{ "no CPUs in the cluster", { 1, 1, 1, 0, 4, true, false, false, 0, 0 }, 0 },
	{ "nothing at all", { 0, 0, 0, 0, 0, true, true, false, 0, 0 }, 0 },
	{ "equivalents, whatever the CPUs",
	  { 1, 1, 0, 64, 4, false, false, true, 16, 64 },
	  0.25 },
	{ "equivalents, small",
	  { 64, 4, 0, 64, 4, true, false, true, 16, 64 },
	  0.75 },
	{ "equivalents, relative",
	  { 1, 1, 2, 64, 4, false, true, true, 48, 64 },
	  0.375 },
	{ "equivalents, more than there are",
	  { 1, 1, 0, 64, 4, false, false, true, 65, 64 },
	  1 },
	{ "equivalents, a cluster without any",
	  { 1, 1, 0, 64, 4, true, false, true, 1, 0 },
	  0 },
	{ "equivalents, a cluster of them without nodes",
	  { 0, 0, 0, 0, 0, false, false, true, 1, 4 },
	  0.25 },
};

static const struct {
	const char *name;
	int64_t now, accrue;
	uint32_t limit_min;
	double full, want;
} expansion_rows[] = {
	{ "not accruing", NOW, 0, 60, 10, 0 },
	{ "begins later", NOW, NOW + 1, 60, 10, 0 },
	{ "an hour of an hour, full is two", NOW, NOW - 3600, 60, 2, 1 },
	{ "half of it", NOW, NOW - 1800, 60, 2, 0.5 },
	{ "a minute's job after nine minutes", NOW, NOW - 540, 1, 10, 1 },
	{ "a day's job after nine minutes", NOW, NOW - 540, 1440, 10,
	  0.00069444444444444447 },
	{ "no more than full", NOW, NOW - DAY, 1, 10, 1 },
	{ "half more than full", NOW, NOW - 5400, 60, 2, 1 },
	{ "a limit of nothing counts as a minute", NOW, NOW - 30, 0, 2, 0.5 },
	{ "all of time", INT64_MAX, INT64_MIN, UINT32_MAX, 2, 1 },
};

START_TEST(expansion_is_the_wait_in_own_lengths)
{
	double got = eqt_factors_expansion(expansion_rows[_i].now,
					expansion_rows[_i].accrue,
					expansion_rows[_i].limit_min,
					expansion_rows[_i].full);

	ck_assert_msg(fabs(got - expansion_rows[_i].want) < 1e-15,
		      "%s: %.17g", expansion_rows[_i].name, got);
}
END_TEST

START_TEST(site_points_are_whole_and_can_be_shown)
{
	ck_assert_int_eq(eqt_factors_site(-5, 0, 0), -5);
	ck_assert_int_eq(eqt_factors_site(7, 2.5, 0.4), 10);
	ck_assert_int_eq(eqt_factors_site(INT32_MAX, 1e9, 1e9), INT32_MAX);
	ck_assert_int_eq(eqt_factors_site(INT32_MIN, -1e9, 0), INT32_MIN);
}
END_TEST

START_TEST(size_is_part_of_the_cluster)
{
	double got = eqt_factors_size(&size_rows[_i].size);

	ck_assert_msg(got == size_rows[_i].want, "%s: %.17g",
		      size_rows[_i].name, got);
}
END_TEST

START_TEST(a_priority_is_a_part_of_the_highest)
{
	ck_assert_double_eq(eqt_factors_part(3, 12), 0.25);
	ck_assert_double_eq(eqt_factors_part(0, 12), 0);
	ck_assert_double_eq(eqt_factors_part(7, 0), 0);
}
END_TEST

START_TEST(tres_are_a_part_of_the_partitions_or_raw)
{
	ck_assert_double_eq(eqt_factors_tres(2, 8, false, 0), 0.25);
	ck_assert_double_eq(eqt_factors_tres(2, 8, true, 0), 2);
	ck_assert_double_eq(eqt_factors_tres(2, 0, false, 0), 0);
	ck_assert_double_eq(eqt_factors_tres(2, 0, false, 7), 7);
	ck_assert_double_eq(eqt_factors_tres(0, 8, false, 7), 7);
	ck_assert_double_eq(eqt_factors_tres(2, 0, true, 7), 2);
}
END_TEST

START_TEST(six_factors_have_weights)
{
	const struct eqt_factor_weights weights = { 10, 20, 30, 40, 50, UINT32_MAX };
	struct eqt_factors points = { 0.5, 0.25, 1, 0, 2, 1, 7, -3, 9 };

	eqt_factors_weigh(&points, &weights);
	ck_assert(points.age == 5);
	ck_assert(points.assoc == 5);
	ck_assert(points.fairshare == 30);
	ck_assert(points.size == 0);
	ck_assert(points.partition == 100);
	ck_assert(points.qos == UINT32_MAX);
	ck_assert(points.tres == 7);
	ck_assert_int_eq(points.site, -3);
	ck_assert_int_eq(points.nice, 9);
}
END_TEST

/* age, assoc, fairshare, size, partition, qos, tres, site, nice */
static const struct {
	const char *name;
	struct eqt_factors points;
	double want;
} sum_rows[] = {
	{ "nothing", { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 0 },
	{ "one of each", { 1, 2, 4, 8, 16, 32, 64, 128, 256 }, -1 },
	{ "site lowers, nice raises", { 0, 0, 0, 0, 0, 0, 0, -5, -8 }, 3 },
	{ "ends of site and nice",
	  { 0, 0, 0, 0, 0, 0, 0, INT32_MAX, INT32_MIN },
	  4294967295.0 },
	/* A 1 beside 1e17 is lost: these values show the order of the sum. */
	{ "assoc before fairshare", { -1e17, 1e17, 1, 1, 1, 1, 1, 1, 0 }, 6 },
	{ "fairshare before size", { 1, -1e17, 1e17, 1, 1, 1, 1, 1, 0 }, 5 },
	{ "size before partition", { 1, 1, -1e17, 1e17, 1, 1, 1, 1, 0 }, 4 },
	{ "partition before qos", { 1, 1, 1, -1e17, 1e17, 1, 1, 1, 0 }, 3 },
	{ "qos before tres", { 1, 1, 1, 1, -1e17, 1e17, 1, 1, 0 }, 2 },
	{ "tres before site", { 1, 1, 1, 1, 1, -1e17, 1e17, 1, 0 }, 1 },
	{ "site before nice",
	  { 0, 0, 0, 0, 0, 0, -1e17, INT64_C(100000000000000000), 1 },
	  -1 },
};

START_TEST(sum_is_taken_in_slurms_order)
{
	double got = eqt_factors_sum(&sum_rows[_i].points);

	ck_assert_msg(got == sum_rows[_i].want, "%s: %.17g instead of %.17g",
		      sum_rows[_i].name, got, sum_rows[_i].want);
}
END_TEST

static const struct {
	const char *name;
	double sum;
	uint32_t want;
} clamp_rows[] = {
	{ "NaN", NAN, 1 },
	{ "negative NaN", -NAN, 1 },
	{ "minus infinity", -INFINITY, 1 },
	{ "infinity", INFINITY, UINT32_MAX },
	{ "-1", -1, 1 },
	{ "0", 0, 1 },
	{ "0.5", 0.5, 1 },
	{ "1", 1, 1 },
	{ "1.999", 1.999, 1 },
	{ "2", 2, 2 },
	{ "4294967294.5", 4294967294.5, 4294967294 },
	{ "4294967295", 4294967295.0, UINT32_MAX },
	{ "4294967295.5", 4294967295.5, UINT32_MAX },
	{ "4294967296", 4294967296.0, UINT32_MAX },
	{ "1e300", 1e300, UINT32_MAX },
	{ "-1e300", -1e300, 1 },
};

START_TEST(clamp_is_never_held_nor_above_32_bits)
{
	uint32_t got = eqt_factors_clamp(clamp_rows[_i].sum);

	ck_assert_msg(got == clamp_rows[_i].want, "%s: %u", clamp_rows[_i].name,
		      got);
}
END_TEST

static Suite *prio_suite(void)
{
	Suite *suite = suite_create("prio");
	TCase *tc = tcase_create("prio");

	tcase_add_loop_test(tc, age_is_waiting_time_over_its_maximum, 0,
			    COUNT(age_rows));
	tcase_add_loop_test(tc, size_is_part_of_the_cluster, 0,
			    COUNT(size_rows));
	tcase_add_loop_test(tc, expansion_is_the_wait_in_own_lengths, 0,
			    COUNT(expansion_rows));
	tcase_add_test(tc, site_points_are_whole_and_can_be_shown);
	tcase_add_test(tc, a_priority_is_a_part_of_the_highest);
	tcase_add_test(tc, tres_are_a_part_of_the_partitions_or_raw);
	tcase_add_test(tc, six_factors_have_weights);
	tcase_add_loop_test(tc, sum_is_taken_in_slurms_order, 0,
			    COUNT(sum_rows));
	tcase_add_loop_test(tc, clamp_is_never_held_nor_above_32_bits, 0,
			    COUNT(clamp_rows));
	suite_add_tcase(suite, tc);
	return suite;
}

int main(void)
{
	return eqt_unit_main(prio_suite());
}
