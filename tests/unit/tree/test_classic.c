/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classic fair share: the formulas at points with obvious results. */
#include <math.h>

#include "tree/classic.h"
#include "../unit.h"

#define COUNT(rows) ((int) (sizeof(rows) / sizeof((rows)[0])))

static const struct {
	const char *name;
	long double usage, parent;
	uint32_t shares, level;
	long double want;
} usage_rows[] = {
	{ "no share: own usage", 0.25L, 0.5L, 0, 10, 0.25L },
	{ "all shares: the parent's", 0.25L, 0.5L, 10, 10, 0.5L },
	{ "half the shares: half way", 0.25L, 0.5L, 5, 10, 0.375L },
	{ "a level without shares: the parent's", 0.25L, 0.5L, 0, 0, 0.5L },
	{ "nothing used", 0, 0, 5, 10, 0 },
};

START_TEST(effective_usage_lies_between_own_and_parents)
{
	ck_assert_msg(eqt_classic_usage(usage_rows[_i].usage,
					usage_rows[_i].parent,
					usage_rows[_i].shares,
					usage_rows[_i].level) ==
			      usage_rows[_i].want,
		      "%s", usage_rows[_i].name);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_oblivious node;
	double want;
} oblivious_rows[] = {
	{ "nothing used", { 0, 0.5, 1, 1, 1 }, 0 },
	{ "nobody at the level has used anything", { 0, 0.5, 1, 1, 0 }, 0 },
	{ "no shares: own usage", { 0.3L, 0, 1, 1, 1 }, 0.3 },
	{ "a parent that used nothing: own usage", { 0.3L, 0.5, 0, 1, 1 },
	  0.3 },
	{ "no shares of the parent: own usage", { 0.3L, 0.5, 1, 0, 1 }, 0.3 },
	{ "all on their share", { 0.25L, 0.25, 0.5L, 0.5, 0.5L }, 0.25 },
	{ "parent on its share, twice one's own",
	  { 0.5L, 0.25, 0.5L, 0.5, 0.5L }, 0.5 },
	{ "parent at half, own at half of that: both count",
	  { 0.0625L, 0.25, 0.25L, 0.5, 0.25L }, 0.0625 },
};

START_TEST(depth_oblivious_usage)
{
	double got = (double) eqt_classic_oblivious(&oblivious_rows[_i].node);

	ck_assert_msg(fabs(got - oblivious_rows[_i].want) < 1e-15,
		      "%s: %.17g", oblivious_rows[_i].name, got);
}
END_TEST

/*
 * The parent has used a quarter of its share, the child four times its own. The
 * child's ratio is damped almost to nothing, so that it does not hide the
 * parent's small usage.
 */
START_TEST(opposite_ratios_are_damped)
{
	struct eqt_oblivious node = { 0.125L, 0.125, 0.125L, 0.5, 0.125L };
	double ratio = 0.25, own = 4;
	double damping = 1 / (1 + pow(5 * log(ratio), 2));
	double want = ratio * pow(own, damping) * 0.125;

	ck_assert_double_eq_tol((double) eqt_classic_oblivious(&node), want,
				1e-15);
}
END_TEST

static const struct {
	const char *name;
	long double usage, shares;
	uint16_t dampening;
	double want;
} factor_rows[] = {
	{ "nothing used", 0, 0.5L, 1, 1 },
	{ "on its share", 0.5L, 0.5L, 1, 0.5 },
	{ "twice its share", 1, 0.5L, 1, 0.25 },
	{ "twice its share, dampened by 2", 1, 0.5L, 2, 0.5 },
	{ "a dampening of 0 is 1", 0.5L, 0.5L, 0, 0.5 },
	{ "no shares", 0, 0, 1, 0 },
	{ "shares that are no number", 0.5L, NAN, 1, 0 },
};

START_TEST(factor_halves_with_each_share_used)
{
	ck_assert_msg(eqt_classic_factor(factor_rows[_i].usage,
					 factor_rows[_i].shares,
					 factor_rows[_i].dampening) ==
			      factor_rows[_i].want,
		      "%s", factor_rows[_i].name);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("classic");
	TCase *tcase = tcase_create("classic");

	tcase_add_loop_test(tcase,
			    effective_usage_lies_between_own_and_parents, 0,
			    COUNT(usage_rows));
	tcase_add_loop_test(tcase, depth_oblivious_usage, 0,
			    COUNT(oblivious_rows));
	tcase_add_test(tcase, opposite_ratios_are_damped);
	tcase_add_loop_test(tcase, factor_halves_with_each_share_used, 0,
			    COUNT(factor_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
