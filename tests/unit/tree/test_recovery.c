/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time to recover: obvious results, and the decay that leads to them. */
#include <math.h>

#include "prio/decay.h"
#include "tree/recovery.h"
#include "../unit.h"

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
	{ "nearly all of the level's usage", WEEK, 0.5L, 0.75L,
	  0.584962500721156L, 1.584962500721156L },
	{ "all of the level's usage", WEEK, 0.5L, 1, 1, INFINITY },
	{ "more than all of it", WEEK, 0.5L, 1.5L, 1.584962500721156L,
	  INFINITY },
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
	      eqt_recovery_taken(rows[_i].half_life_s, rows[_i].shares,
				rows[_i].usage),
	      rows[_i].taken);
	check(rows[_i].name, rows[_i].half_life_s,
	      eqt_recovery_steady(rows[_i].half_life_s, rows[_i].shares,
				 rows[_i].usage),
	      rows[_i].steady);
}
END_TEST

#define MEAN (WEEK / 0.693147180559945309417L)

static const struct {
	const char *name;
	uint32_t half_life_s;
	struct eqt_recovery_level level; /* shares, usage, all, rate, all */
	long double wanted; /* s */
} running[] = {
	{ "on its share", WEEK, { 0.5L, 10, 20, 1, 1 }, 0 },
	{ "nothing used", WEEK, { 0.5L, 0, 0, 0, 0 }, 0 },
	{ "nobody runs anything", WEEK, { 0.5L, 20, 20, 0, 0 }, INFINITY },
	{ "its own jobs alone", WEEK, { 0.5L, 20, 20, 1, 1 }, INFINITY },
	{ "jobs as its share", WEEK, { 0.25L, 20, 20, 1, 4 }, INFINITY },
	/* owed 10, gained 0.5 a second: half of it is left when K/2 is 10 */
	{ "a half-life", WEEK, { 0.5L, MEAN, MEAN, 0, 1 }, WEEK },
	{ "no decay: by the others' jobs", 0, { 0.5L, 20, 20, 0, 1 }, 20 },
	{ "no decay, half a second too much", 0, { 0.5L, 10.5L, 20, 0, 1 }, 1 },
	{ "no decay, nobody", 0, { 0.5L, 20, 20, 0, 0 }, INFINITY },
	{ "no number", WEEK, { NAN, NAN, 1, 1, 1 }, INFINITY },
};

START_TEST(time_while_jobs_go_on)
{
	long double got = eqt_recovery_running(running[_i].half_life_s,
					      &running[_i].level);

	ck_assert_msg(got == running[_i].wanted ||
			      fabsl(got - running[_i].wanted) <= 1e-6L,
		      "%s: %Lg, not %Lg", running[_i].name, got,
		      running[_i].wanted);
}
END_TEST

/* By the decay of each second: the node has then used its share. */
START_TEST(a_second_at_a_time)
{
	const struct eqt_recovery_level level = { 0.3L, 9000, 12000, 1, 8 };
	long double left = exp2l(-1 / 3600.0L), own = level.usage;
	long double all = level.level_usage;
	long double seconds = eqt_recovery_running(3600, &level);
	/* the usage of one second, at its end */
	long double second = 3600 / logl(2) * (1 - left);
	long i;

	ck_assert(seconds > 60 && seconds < 36000);
	for (i = 0; i < (long) seconds; i++) {
		own = own * left + level.rate * second;
		all = all * left + level.level_rate * second;
	}
	ck_assert(own > all * level.shares_norm);
	own = own * left + level.rate * second;
	all = all * left + level.level_rate * second;
	ck_assert(own <= all * level.shares_norm);
}
END_TEST

/* The usage after that time, by the decay itself. */
START_TEST(decayed_usage_is_then_the_share)
{
	static const long double shares[] = { 0.01L, 0.2L, 0.5L, 0.9L };
	long double share = shares[_i], usage, own, at;

	for (usage = share * 1.01L; usage < 1; usage += 0.03L) {
		at = eqt_recovery_taken(WEEK, share, usage);
		own = usage * eqt_decay_factor(WEEK, (double) at);
		ck_assert_msg(fabsl(own - share) < 1e-12L, "taken: %Lg", usage);
		at = eqt_recovery_steady(WEEK, share, usage);
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

	tcase_add_loop_test(tcase, time_while_jobs_go_on, 0, COUNT(running));
	tcase_add_test(tcase, a_second_at_a_time);
	tcase_add_loop_test(tcase, time_until_level_fs_is_1, 0, COUNT(rows));
	tcase_add_loop_test(tcase, decayed_usage_is_then_the_share, 0, 4);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
