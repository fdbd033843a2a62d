/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time to recover: answers that are plain, and the decay that leads there. */
#include <math.h>

#include "eqt_decay.h"
#include "eqt_recover.h"
#include "unit.h"

#define COUNT(rows) ((int) (sizeof(rows) / sizeof((rows)[0])))
#define WEEK 604800

static const struct {
	const char *name;
	uint32_t half_life_s;
	long double shares, usage;
	long double taken, steady; /* half-lives, or INFINITY */
} rows[] = {
	{ "exactly its share", WEEK, 0.5L, 0.5L, 0, 0 },
	{ "less than its share", WEEK, 0.5L, 0.1L, 0, 0 },
	{ "nothing used, no shares", WEEK, 0, 0, 0, 0 },
	{ "twice its share: a half-life", WEEK, 0.25L, 0.5L, 1,
	  1.584962500721156L },
	{ "a short half-life", 60, 0.25L, 0.5L, 1, 1.584962500721156L },
	{ "eight times its share", WEEK, 0.125L, 1, 3, INFINITY },
	{ "all of the level's usage", WEEK, 0.5L, 1, 1, INFINITY },
	{ "no shares", WEEK, 0, 0.5L, INFINITY, INFINITY },
	{ "no decay", 0, 0.25L, 0.5L, INFINITY, INFINITY },
	{ "no number", WEEK, NAN, NAN, INFINITY, INFINITY },
};

static void check(const char *name, uint32_t half_life_s, long double got,
		  long double want)
{
	long double want_s = isinf(want) ? want : want * half_life_s;

	ck_assert_msg(got == want_s ||
			      fabsl(got - want_s) <= 1e-12L * half_life_s,
		      "%s: %Lg, not %Lg", name, got, want_s);
}

START_TEST(time_until_level_fs_is_1)
{
	check(rows[_i].name, rows[_i].half_life_s,
	      eqt_recover_taken(rows[_i].half_life_s, rows[_i].shares,
				rows[_i].usage),
	      rows[_i].taken);
	check(rows[_i].name, rows[_i].half_life_s,
	      eqt_recover_steady(rows[_i].half_life_s, rows[_i].shares,
				 rows[_i].usage),
	      rows[_i].steady);
}
END_TEST

/* What the decay itself makes of the usage after that time. */
START_TEST(decayed_usage_is_then_the_share)
{
	static const long double shares[] = { 0.01L, 0.2L, 0.5L, 0.9L };
	long double share = shares[_i], usage, own, at;

	for (usage = share * 1.01L; usage < 1; usage += 0.03L) {
		at = eqt_recover_taken(WEEK, share, usage);
		own = usage * eqt_decay_factor(WEEK, (double) at);
		ck_assert_msg(fabsl(own - share) < 1e-12L, "taken: %Lg", usage);
		at = eqt_recover_steady(WEEK, share, usage);
		own = usage * eqt_decay_factor(WEEK, (double) at);
		own /= own + (1 - usage);
		ck_assert_msg(fabsl(own - share) < 1e-12L, "steady: %Lg",
			      usage);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("recover");
	TCase *tcase = tcase_create("recover");

	tcase_add_loop_test(tcase, time_until_level_fs_is_1, 0, COUNT(rows));
	tcase_add_loop_test(tcase, decayed_usage_is_then_the_share, 0, 4);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
