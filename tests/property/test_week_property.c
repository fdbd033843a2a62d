/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_week_property: random factors by the time of the week, in zones with and without
 * summer time, computed a second time from what a person reads: a minute of the local clock
 * is in a span or not. The seed is printed; EQT_SEED=<number> repeats a run.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "price/week.h"
#include "random.h"
#include "../unit/unit.h"
#include "unmarked.h"

#define SPANS 3
#define WEEKS 1000 /* of each zone */

static uint64_t seed = UINT64_C(20261126);

/* With and without summer time, south and north, half an hour apart; the last two change at
 * midnight, and by half an hour. */
static const char *const zones[] = {
	"UTC0", "Europe/Berlin", "America/New_York", "Australia/Canberra",
	"Asia/Kolkata", "Africa/Casablanca", "America/Santiago",
	"Australia/Lord_Howe",
	/* These need no files. */
	"CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
};
#define ZONES (sizeof(zones) / sizeof(zones[0]))

/* A span as it is written. */
struct written {
	bool days[7]; /* of its begins; Monday is the first */
	int begin, end; /* minutes of the day; end <= begin: of the next */
	int thousandths;
};

static bool span_has(const struct written *span, int day, int minute)
{
	const int before = (day + 6) % 7;

	if (span->end > span->begin)
		return span->days[day] && minute >= span->begin &&
		       minute < span->end;
	return (span->days[day] && minute >= span->begin) ||
	       (span->days[before] && minute < span->end);
}

/* Thousandths at a minute of the week; -1: two spans have it, with unlike factors. */
static int written_factor(const struct written *spans, int day, int minute)
{
	int found = 1000;
	bool any = false;

	for (int i = 0; i < SPANS; i++) {
		if (!span_has(&spans[i], day, minute))
			continue;
		if (any && found != spans[i].thousandths)
			return -1;
		any = true;
		found = spans[i].thousandths;
	}
	return found;
}

/* Make a span, and its text. */
static void span_make(struct eqt_random *random, struct written *span,
		      char *text, size_t size)
{
	static const char *const names[] = { "Mon", "Tue", "Wed", "Thu",
					     "Fri", "Sat", "Sun" };
	const int step = eqt_random_below(random, 2) ? 60 : 1;
	int first = (int) eqt_random_below(random, 7);
	int last = (int) eqt_random_below(random, 7);
	bool days = eqt_random_below(random, 3), times = true;
	size_t at;

	*span = (struct written){ .begin = 0, .end = 1440 };
	span->thousandths = (int) eqt_random_below(random, 4) * 500;
	at = (size_t) snprintf(text, size, "%d.%03d", span->thousandths / 1000,
			       span->thousandths % 1000);
	if (days) {
		at += (size_t) snprintf(text + at, size - at, " %s-%s",
					names[first], names[last]);
		times = eqt_random_below(random, 3);
	} else {
		first = 0;
		last = 6;
	}
	for (int i = first;; i = (i + 1) % 7) {
		span->days[i] = true;
		if (i == last)
			break;
	}
	if (!times)
		return;
	span->begin = (int) eqt_random_below(random, (uint64_t) (1440 / step)) *
		      step;
	do
		span->end = (int) eqt_random_below(
				    random, (uint64_t) (1440 / step) + 1) *
			    step;
	while (span->end == span->begin);
	(void) snprintf(text + at, size - at, " %02d:%02d-%02d:%02d",
			span->begin / 60, span->begin % 60, span->end / 60,
			span->end % 60);
}

/* Make spans and their text; returns whether they contradict each other. */
static bool spans_make(struct eqt_random *random, struct written *spans,
		       char *text, size_t size)
{
	size_t at = 0;

	for (int i = 0; i < SPANS; i++) {
		char one[64];

		span_make(random, &spans[i], one, sizeof(one));
		at += (size_t) snprintf(text + at, size - at, "%s%s",
					i ? ", " : "", one);
	}
	for (int i = 0; i < 10080; i++)
		if (written_factor(spans, i / 1440, i % 1440) < 0)
			return true;
	return false;
}

/* Thousandths x seconds of [from, to), minute by minute: clocks are set at whole minutes. */
static uint64_t written_sum(const struct written *spans, time_t from, time_t to)
{
	uint64_t sum = 0;

	while (from < to) {
		time_t next = from - from % 60 + 60;
		struct tm tm;

		ck_assert(localtime_r(&from, &tm) != NULL);
		if (next > to)
			next = to;
		sum += (uint64_t) (next - from) *
		       (uint64_t) written_factor(spans, (tm.tm_wday + 6) % 7,
						 tm.tm_hour * 60 + tm.tm_min);
		from = next;
	}
	return sum;
}

/* The same by the pieces, which must follow each other. */
static uint64_t pieces_sum(const struct eqt_week *week, time_t from, time_t to)
{
	struct eqt_week_piece piece = eqt_week_first(week, from, to);
	uint64_t sum = 0, last = UINT64_MAX;
	time_t at = from;

	do {
		ck_assert_int_eq(piece.from, at);
		ck_assert_int_gt(piece.to, at);
		/* Each piece is as long as it can be. */
		ck_assert_uint_ne(piece.factor_u, last);
		ck_assert(piece.factor_u >= week->least_u &&
			  piece.factor_u <= week->most_u);
		last = week->least_u == week->most_u ? UINT64_MAX
						     : piece.factor_u;
		sum += (uint64_t) (piece.to - piece.from) * piece.factor_u;
		at = piece.to;
	} while (eqt_week_next(week, &piece, to));
	ck_assert_int_eq(at, to);
	return sum;
}

START_TEST(seconds_of_each_factor_are_those_of_a_second_computation)
{
	struct eqt_random random = { seed + (uint64_t) _i };
	struct written spans[SPANS];
	int refused = 0;

	ck_assert_int_eq(setenv("TZ", zones[_i], 1), 0);
	tzset();
	for (int round = 0; round < WEEKS; round++) {
		struct eqt_week week;
		char text[256];
		/* From 2020 on; sometimes around the ends of March and October. */
		time_t from = 1577836800 +
			      (time_t) eqt_random_below(&random, 315360000);
		time_t to = from + 1 +
			    (time_t) eqt_random_below(&random, 21 * 86400);
		uint64_t sum;

		if (spans_make(&random, spans, text, sizeof(text))) {
			ck_assert_msg(eqt_week_parse(&week, text) < 0,
				      "%s is taken", text);
			refused++;
			continue;
		}
		ck_assert_msg(eqt_week_parse(&week, text) == 0,
			      "%s is not taken", text);
		sum = written_sum(spans, from, to) * 1000;
		ck_assert_msg(pieces_sum(&week, from, to) == sum,
			      "seed %ju, TZ=%s, %s: %jd to %jd",
			      (uintmax_t) seed, zones[_i], text,
			      (intmax_t) from, (intmax_t) to);
		ck_assert(fabs(eqt_week_mean(&week, from, to) *
				       (double) (to - from) * 1e6 -
			       (double) sum) < 1);
	}
	ck_assert_int_gt(refused, 0);
	ck_assert_int_lt(refused, WEEKS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("week_property");
	TCase *tcase = tcase_create("week_property");

	seed = eqt_random_seed(seed);
	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(
		tcase,
		seconds_of_each_factor_are_those_of_a_second_computation, 0,
		(int) ZONES);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
