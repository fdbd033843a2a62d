/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths and arrivals that are drawn from the past. */
#include <stdlib.h>

#include "sim/draw.h"
#include "simulation_fixture.h"

#define NOW 1000000
#define DAY 86400

#define PAST 40

static struct eqt_arrivals *arrivals;

/* Both draws from one past that ends now. */
static struct eqt_draw *draw_new(const struct eqt_simulation_job *past,
				 size_t count, int64_t from,
				 const struct eqt_tree_input *of)
{
	struct eqt_draw *draw = eqt_draw_new(past, count, of);

	arrivals = eqt_arrivals_new(draw, past, count, from, NOW);
	ck_assert_ptr_nonnull(arrivals);
	return draw;
}

static void draw_free(struct eqt_draw *draw)
{
	eqt_arrivals_free(arrivals);
	eqt_draw_free(draw);
}

/* ann's jobs run a tenth of an hour's limit, bob's all of it. */
static void past_make(struct eqt_simulation_job *past)
{
	for (int i = 0; i < PAST; i++) {
		past[i] = job((uint32_t) i, i % 2 ? ANN : BOB,
			      NOW - 86400 + i * 60, 1, i % 2 ? 360 : HOUR);
		past[i].limit_s = HOUR;
	}
}

START_TEST(lengths_are_those_of_like_jobs)
{
	const struct {
		uint32_t user, limit_s, elapsed_s;
		enum eqt_draw_level level;
		uint32_t least, most;
	} rows[] = {
		{ ANN, HOUR, 0, EQT_DRAW_USER, 360, 360 },
		{ ANN, HOUR / 4 * 3, 0, EQT_DRAW_USER, 270, 270 },
		{ BOB, HOUR, 100, EQT_DRAW_USER, HOUR, HOUR },
		/* None of hers ran so long. */
		{ ANN, HOUR, 400, EQT_DRAW_LIMIT, HOUR, HOUR },
		{ ANN, 10 * HOUR, 0, EQT_DRAW_GUESS, 1, 10 * HOUR },
		{ ANN, 10 * HOUR, 9 * HOUR, EQT_DRAW_GUESS, 9 * HOUR + 1,
		  10 * HOUR },
		{ ANN, HOUR, HOUR, EQT_DRAW_GUESS, HOUR + 1, HOUR + 1 },
	};
	struct eqt_simulation_job past[PAST];
	struct eqt_simulation_job one = job(1, rows[_i].user, NOW, 1, 1);
	struct eqt_draw *draw;
	struct eqt_draw_like like;

	past_make(past);
	one.limit_s = rows[_i].limit_s;
	draw = draw_new(past, PAST, NOW - 86400, tree);
	like = eqt_draw_find(draw, &one, rows[_i].elapsed_s);
	ck_assert_int_eq(like.level, rows[_i].level);
	for (uint64_t n = 0; n < 20; n++) {
		uint32_t length;

		eqt_draw_begin(draw, 1, n);
		length = eqt_draw_length(draw, &like, &one, rows[_i].elapsed_s);
		ck_assert_uint_ge(length, rows[_i].least);
		ck_assert_uint_le(length, rows[_i].most);
	}
	draw_free(draw);
}
END_TEST

/* The first job of the past still runs. Its length is drawn as that of the user's
 * other jobs when it comes again. */
START_TEST(the_first_job_may_be_one_that_has_not_ended)
{
	struct eqt_simulation_job past[PAST], *coming;
	struct eqt_draw *draw;
	size_t count;

	past_make(past);
	past[0].run_s = 0;
	past[0].user = ANN;
	draw = draw_new(past, PAST, NOW - 86400, tree);
	eqt_draw_begin(draw, 1, 0);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count, 8 * DAY), 0);
	ck_assert_uint_ge(count, PAST);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(coming[i].run_s,
				  coming[i].user == ANN ? 360 : HOUR);
	free(coming);
	draw_free(draw);
}
END_TEST

/* Each future begins anew, so that one number is one future. */
START_TEST(a_future_of_the_same_number_is_the_same)
{
	struct eqt_simulation_job past[PAST], one = job(1, BOB, NOW, 1, 1);
	uint32_t first[PAST];
	struct eqt_draw *draw;
	struct eqt_draw_like like;

	past_make(past);
	for (int i = 0; i < PAST; i++)
		past[i].run_s = 100 + (uint32_t) i;
	one.limit_s = HOUR;
	draw = draw_new(past, PAST, NOW - 86400, tree);
	like = eqt_draw_find(draw, &one, 0);
	for (int pass = 0; pass < 2; pass++) {
		eqt_draw_begin(draw, 1, 5);
		for (int i = 0; i < PAST; i++) {
			const uint32_t length =
				eqt_draw_length(draw, &like, &one, 0);

			if (pass)
				ck_assert_uint_eq(length, first[i]);
			first[i] = length;
		}
		(void) eqt_draw_length(draw, &like, &one, 0);
	}
	draw_free(draw);
}
END_TEST

/* The past is the time before now. */
START_TEST(a_job_of_this_very_moment_is_not_of_the_past)
{
	struct eqt_simulation_job past[PAST], *coming;
	struct eqt_draw *draw;
	size_t count;

	past_make(past);
	past[PAST - 1].at = NOW;
	draw = draw_new(past, PAST, NOW - 86400, tree);
	eqt_draw_begin(draw, 1, 0);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count, 8 * DAY), 0);
	ck_assert_uint_ge(count, PAST);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_ne(coming[i].id, PAST - 1);
	free(coming);
	draw_free(draw);
}
END_TEST

/* Of a past of ten days with 1 to 10 jobs a day futures have as many in the mean, and some
 * have many more, or fewer: nobody knows that the past was a usual one. */
START_TEST(as_many_jobs_come_as_came_in_the_mean)
{
	enum { DAYS = 10, FUTURES = 400 };
	struct eqt_simulation_job past[DAYS * (DAYS + 1) / 2], *coming;
	struct eqt_draw *draw;
	size_t count, used = 0, sum = 0, few = 0, many = 0;

	for (int day = 0; day < DAYS; day++)
		for (int i = 0; i <= day; i++, used++)
			past[used] = job((uint32_t) used, ANN,
					 NOW - (DAYS - day) * DAY + i * 60, 1,
					 60);
	draw = draw_new(past, used, NOW - DAYS * DAY, tree);
	for (uint64_t n = 0; n < FUTURES; n++) {
		eqt_draw_begin(draw, 1, n);
		ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count,
						   DAYS * DAY),
				 0);
		for (size_t i = 0; i < count; i++) {
			ck_assert_int_gt(coming[i].at, NOW);
			ck_assert(i == 0 || coming[i - 1].at <= coming[i].at);
		}
		sum += count;
		few += count < used * 3 / 4;
		many += count > used * 5 / 4;
		free(coming);
	}
	ck_assert_uint_gt(sum, FUTURES * used * 9 / 10);
	ck_assert_uint_lt(sum, FUTURES * used * 11 / 10);
	ck_assert_uint_gt(few, FUTURES / 20);
	ck_assert_uint_gt(many, FUTURES / 20);
	draw_free(draw);
}
END_TEST

/* Limits of 2 and 3 minutes are like, begun minutes count whole, and 4 minutes are
 * another class. Nobody else has jobs. */
START_TEST(limits_are_alike_within_a_factor_of_two)
{
	static const struct {
		uint32_t limit_s;
		enum eqt_draw_level level;
	} rows[] = {
		{ 60, EQT_DRAW_GUESS }, { 61, EQT_DRAW_USER },
		{ 180, EQT_DRAW_USER }, { 181, EQT_DRAW_GUESS },
		{ 240, EQT_DRAW_GUESS },
	};
	struct eqt_simulation_job past[5], one = job(1, ANN, NOW, 1, 1);
	struct eqt_draw *draw;

	for (uint32_t i = 0; i < 5; i++) {
		past[i] = job(i, ANN, NOW - 100, 1, 30);
		past[i].limit_s = 121 + i;
	}
	draw = draw_new(past, 5, NOW - DAY, tree);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		one.limit_s = rows[i].limit_s;
		ck_assert_int_eq(eqt_draw_find(draw, &one, 0).level,
				 rows[i].level);
	}
	draw_free(draw);
}
END_TEST

/* root - a: ann, ada; b: bob. */
static const struct eqt_tree_input three[] = {
	{ .parent = EQT_TREE_NONE },
	{ .parent = 0, .shares = 1 },
	{ .parent = 0, .shares = 1 },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 1, .shares = 1, .user = true },
	{ .parent = 2, .shares = 1, .user = true },
};
enum { ANN3 = 3, ADA3, BOB3 };

/* Five like jobs are enough, four are not: ann has 5 of her own, ada finds them in the
 * account, bob by the limit alone. */
START_TEST(five_like_jobs_are_enough)
{
	struct eqt_simulation_job past[6];
	struct eqt_draw *draw;

	for (uint32_t count = 4; count <= 5; count++) {
		static const struct {
			uint32_t user;
			enum eqt_draw_level level;
		} rows[] = { { ANN3, EQT_DRAW_USER },
			     { ADA3, EQT_DRAW_ACCOUNT },
			     { BOB3, EQT_DRAW_LIMIT } };

		for (uint32_t i = 0; i < 6; i++) {
			past[i] = job(i, ANN3, NOW - 100, 1, HOUR);
			past[i].run_s = i < count ? 10 + i : 0;
		}
		draw = draw_new(past, 6, NOW - DAY, three);
		for (int i = 0; i < 3; i++) {
			struct eqt_simulation_job one =
				job(9, rows[i].user, NOW, 1, HOUR);
			struct eqt_draw_like like =
				eqt_draw_find(draw, &one, 0);

			ck_assert_int_eq(like.level, count == 5
							     ? rows[i].level
							     : EQT_DRAW_GUESS);
			/* A sixth that has not ended has no length. */
			ck_assert_uint_eq(like.count, count == 5 ? 5 : 0);
		}
		draw_free(draw);
	}
}
END_TEST

#define LIKE 10

/* ann's jobs ran 101, 102, ... 110 s of an hour, bob's 201 to 210. */
static struct eqt_draw *like_draw(struct eqt_simulation_job *past)
{
	for (uint32_t i = 0; i < 2 * LIKE; i++) {
		past[i] = job(i, i % 2 ? BOB : ANN, NOW - 900 + i, 1, HOUR);
		past[i].run_s = (i % 2 ? 201 : 101) + i / 2;
	}
	return draw_new(past, 2 * LIKE, NOW - DAY, tree);
}

START_TEST(lengths_follow_each_other_as_in_the_past)
{
	struct eqt_simulation_job past[2 * LIKE];
	struct eqt_simulation_job ann = job(1, ANN, NOW, 1, HOUR);
	struct eqt_simulation_job bob = job(2, BOB, NOW, 1, HOUR);
	struct eqt_draw *draw = like_draw(past);
	const struct eqt_draw_like anns = eqt_draw_find(draw, &ann, 0);
	const struct eqt_draw_like bobs = eqt_draw_find(draw, &bob, 0);
	int first[LIKE] = { 0 }, apart = 0;

	for (uint64_t n = 0; n < 400; n++) {
		uint32_t a, b;

		eqt_draw_begin(draw, 3, n);
		a = eqt_draw_length(draw, &anns, &ann, 0);
		b = eqt_draw_length(draw, &bobs, &bob, 0);
		ck_assert_uint_ge(a, 101);
		ck_assert_uint_le(a, 110);
		first[a - 101]++;
		apart += b != a + 100;
		/* Those of each go on from there, and begin again after the last. */
		for (int i = 0; i < 2 * LIKE; i++) {
			a = a == 110 ? 101 : a + 1;
			b = b == 210 ? 201 : b + 1;
			ck_assert_uint_eq(eqt_draw_length(draw, &anns, &ann, 0),
					  a);
			ck_assert_uint_eq(eqt_draw_length(draw, &bobs, &bob, 0),
					  b);
		}
	}
	/* A future begins anywhere: 40 of 400 at each place, with 6 as the standard
	 * deviation; and for each user elsewhere. */
	for (int i = 0; i < LIKE; i++) {
		ck_assert_int_gt(first[i], 16);
		ck_assert_int_lt(first[i], 64);
	}
	ck_assert_int_gt(apart, 300);
	draw_free(draw);
}
END_TEST

/* Of 101 to 110 s only those above 104 are of use to a job that has run 104 s; with a
 * limit of twice the length each is twice as long. */
START_TEST(lengths_are_longer_than_the_job_has_run)
{
	struct eqt_simulation_job past[2 * LIKE];
	struct eqt_simulation_job one = job(1, ANN, NOW, 1, HOUR);
	struct eqt_draw *draw = like_draw(past);
	struct eqt_draw_like like = eqt_draw_find(draw, &one, 104);
	int seen[11] = { 0 };

	ck_assert_int_eq(like.level, EQT_DRAW_USER);
	ck_assert_int_eq(eqt_draw_find(draw, &one, 105).level, EQT_DRAW_USER);
	ck_assert_int_eq(eqt_draw_find(draw, &one, 106).level,
			 EQT_DRAW_ACCOUNT + 1);
	for (uint64_t n = 0; n < 100; n++) {
		uint32_t length;

		eqt_draw_begin(draw, 1, n);
		length = eqt_draw_length(draw, &like, &one, 104);
		ck_assert_uint_ge(length, 105);
		ck_assert_uint_le(length, 110);
		seen[length - 100]++;
	}
	for (int i = 5; i <= 10; i++)
		ck_assert_int_gt(seen[i], 0);
	draw_free(draw);
}
END_TEST

/* One in twenty runs to the limit of 1000 s, half end in the first quarter after 600; in one
 * future jobs of a user are alike, those of others are not. */
START_TEST(unknown_lengths_are_spread_up_to_the_limit)
{
	const struct eqt_draw_like none = { EQT_DRAW_GUESS, 0, 0 };
	struct eqt_simulation_job one = job(1, ANN, NOW, 1, 1000);
	struct eqt_simulation_job other = job(2, BOB, NOW, 1, 1000);
	struct eqt_draw *draw = draw_new(NULL, 0, NOW - DAY, tree);
	int full = 0, early = 0, late = 0, least = 1000, most = 0, unlike = 0;

	for (uint64_t n = 0; n < 4000; n++) {
		int length, own, others;

		eqt_draw_begin(draw, 1, n);
		length = (int) eqt_draw_length(draw, &none, &one, 600);
		own = (int) eqt_draw_length(draw, &none, &one, 600) - 600;
		others = (int) eqt_draw_length(draw, &none, &other, 600) - 600;
		ck_assert_int_le(own, 3 * (length - 600) + 3);
		ck_assert_int_le(length - 600, 3 * own + 3);
		unlike += others > 3 * own + 3 || own > 3 * others + 3;
		ck_assert_int_gt(length, 600);
		ck_assert_int_le(length, 1000);
		full += length == 1000;
		early += length <= 700;
		late += length > 900 && length < 1000;
		least = length < least ? length : least;
		most = length < 1000 && length > most ? length : most;
	}
	ck_assert_int_gt(full, 150);
	ck_assert_int_lt(full, 300);
	ck_assert_int_gt(early, 1900);
	ck_assert_int_lt(early, 2250);
	ck_assert_int_gt(late, 250);
	ck_assert_int_lt(late, 550);
	ck_assert_int_gt(unlike, 1000);
	ck_assert_int_eq(least, 601);
	ck_assert_int_eq(most, 999);
	ck_assert_uint_eq(eqt_draw_length(draw, &none, &one, 1000), 1001);
	draw_free(draw);
}
END_TEST

/* Two and a half days of the past, a job each hour: those of the last 48 come again, each
 * user's by whole days and up to an hour later, all by the same time. */
START_TEST(a_users_jobs_come_at_the_same_time_of_another_day)
{
	enum { HOURS = 60 };
	struct eqt_simulation_job past[HOURS], *coming;
	int64_t shifts[2] = { -1, -1 };
	struct eqt_draw *draw;
	size_t count;

	for (uint32_t i = 0; i < HOURS; i++)
		past[i] = job(i, i % 2 ? ANN : BOB, NOW - (HOURS - i) * HOUR, 1,
			      600);
	draw = draw_new(past, HOURS, NOW - HOURS * HOUR, tree);
	eqt_draw_begin(draw, 1, (uint64_t) _i);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count, 2 * DAY), 0);
	/* Each day has as many, but for the hour at its ends. */
	ck_assert_uint_ge(count, 46);
	ck_assert_uint_le(count, 50);
	for (size_t i = 0; i < count; i++) {
		const struct eqt_simulation_job *from = &past[coming[i].id];
		const int64_t shift =
			(coming[i].at - 1 - (from->at + 2 * DAY) + 8 * DAY) %
			DAY;
		int64_t *of = &shifts[from->user == ANN];

		ck_assert_uint_ge(coming[i].id, 12);
		ck_assert(i == 0 || coming[i - 1].at <= coming[i].at);
		ck_assert_int_lt(shift, HOUR);
		ck_assert(*of < 0 || *of == shift);
		*of = shift;
	}
	free(coming);
	draw_free(draw);
}
END_TEST

/* A past of a day and a half has no rhythm that could stay: its eighths come in any
 * order. It goes on for as long in half of 300 futures, and ends sooner in the others: one
 * job comes to 200 jobs or so, more of them early. */
START_TEST(parts_of_a_short_past_come_in_any_order)
{
	struct eqt_simulation_job past[] = { job(1, ANN, NOW - DAY, 1, 600) };
	struct eqt_draw *draw =
		draw_new(past, 1, NOW - DAY - DAY / 2, tree);
	int all = 0, early = 0, none = 0;

	for (uint64_t n = 0; n < 300; n++) {
		struct eqt_simulation_job *coming;
		size_t count;

		eqt_draw_begin(draw, 1, n);
		ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count,
						   DAY + DAY / 2),
				 0);
		for (size_t i = 0; i < count; i++) {
			ck_assert_int_gt(coming[i].at, NOW);
			ck_assert_int_le(coming[i].at, NOW + DAY + DAY / 2);
			early += coming[i].at <= NOW + DAY / 2;
		}
		all += (int) count;
		none += count == 0;
		free(coming);
	}
	ck_assert_int_gt(all, 150);
	ck_assert_int_lt(all, 265);
	ck_assert_int_gt(early, all * 3 / 10);
	ck_assert_int_lt(early, all * 11 / 20);
	ck_assert_int_gt(none, 60);
	draw_free(draw);
}
END_TEST

/* Jobs of one moment come in the order of their ids, and one that has not ended gets the
 * length of the others. */
/* Of like jobs that ran so long. */
START_TEST(a_job_that_has_not_ended_gets_a_length)
{
	const uint32_t like_s = _i ? 1 : 120;
	struct eqt_simulation_job past[7], *coming;
	struct eqt_draw *draw;
	size_t count;

	for (uint32_t i = 0; i < 7; i++) {
		past[i] = job(7 - i, ANN, NOW - 500, 1, HOUR);
		past[i].run_s = i == 3 ? 0 : like_s;
	}
	draw = draw_new(past, 7, NOW - 1000, tree);
	eqt_draw_begin(draw, 1, 1);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count, 600), 0);
	ck_assert_uint_eq(count, 7);
	for (uint32_t i = 0; i < 7; i++) {
		ck_assert_uint_eq(coming[i].id, i + 1);
		ck_assert_int_eq(coming[i].at, coming[0].at);
		ck_assert_uint_eq(coming[i].run_s, like_s);
	}
	free(coming);
	draw_free(draw);
	draw = draw_new(past, 7, NOW, tree);
	ck_assert_int_eq(eqt_arrivals_draw(arrivals, &coming, &count, 1000), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_ptr_null(coming);
	draw_free(draw);
}
END_TEST

START_TEST(jobs_of_half_of_the_users_spread_in_each_future)
{
	struct eqt_simulation_job past[PAST];
	struct eqt_draw *draw;
	int spread[2] = { 0, 0 }, differ = 0;

	past_make(past);
	draw = eqt_draw_new(past, PAST, tree);
	for (uint32_t user = 0; user < 1000; user++) {
		bool spreads[2];

		for (uint64_t future = 0; future < 2; future++) {
			eqt_draw_begin(draw, 1, future);
			spreads[future] = eqt_draw_spreads(draw, user);
			ck_assert(eqt_draw_spreads(draw, user) ==
				  spreads[future]);
			spread[future] += spreads[future];
		}
		differ += spreads[0] != spreads[1];
	}
	for (int future = 0; future < 2; future++) {
		ck_assert_int_gt(spread[future], 430);
		ck_assert_int_lt(spread[future], 570);
	}
	ck_assert_int_gt(differ, 430);
	ck_assert_int_lt(differ, 570);
	eqt_draw_free(draw);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("draw");
	TCase *tc = tcase_create("draw");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, lengths_are_those_of_like_jobs, 0, 7);
	tcase_add_test(tc, the_first_job_may_be_one_that_has_not_ended);
	tcase_add_test(tc, a_future_of_the_same_number_is_the_same);
	tcase_add_test(tc, a_job_of_this_very_moment_is_not_of_the_past);
	tcase_add_test(tc, as_many_jobs_come_as_came_in_the_mean);
	tcase_add_test(tc, limits_are_alike_within_a_factor_of_two);
	tcase_add_test(tc, five_like_jobs_are_enough);
	tcase_add_test(tc, lengths_follow_each_other_as_in_the_past);
	tcase_add_test(tc, lengths_are_longer_than_the_job_has_run);
	tcase_add_test(tc, unknown_lengths_are_spread_up_to_the_limit);
	tcase_add_loop_test(
		tc, a_users_jobs_come_at_the_same_time_of_another_day, 0, 20);
	tcase_add_test(tc, parts_of_a_short_past_come_in_any_order);
	tcase_add_loop_test(tc, a_job_that_has_not_ended_gets_a_length, 0, 2);
	tcase_add_test(tc, jobs_of_half_of_the_users_spread_in_each_future);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
