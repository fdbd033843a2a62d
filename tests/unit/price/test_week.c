/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of time with one factor, around changes of the factor and of the clock. */
#include "../unit.h"

#include <time.h>

#include "price/week.h"

#define DAY 86400
#define MONDAY 1772406000 /* 2026-03-02 00:00 in Berlin */
#define SUMMER 1774746000 /* 2026-03-29: 03:00 follows 01:59:59 */
#define WINTER 1792890000 /* 2026-10-25: 02:00 follows 02:59:59 */

static struct eqt_week week_of(const char *text)
{
	struct eqt_week week;

	ck_assert_int_eq(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
	tzset();
	ck_assert_msg(eqt_week_parse(&week, text) == 0, "%s", text);
	return week;
}

START_TEST(without_factors_all_time_has_factor_1)
{
	const struct eqt_week week = { .count = 0 };
	const struct eqt_week_piece piece = eqt_week_at(&week, MONDAY);

	ck_assert_int_eq(piece.from, MONDAY);
	ck_assert_int_gt(piece.to, MONDAY);
	ck_assert_uint_eq(piece.factor_u, EQT_MICRO);
}
END_TEST

/* From `from` on there is one factor up to `to`. Times are in UTC. */
static const struct piece_row {
	const char *name, *text;
	time_t from, to;
	uint64_t thousandths;
} piece_rows[] = {
	{ "a second before a change", "0.5 Mon 12:00-13:00",
	  MONDAY + DAY / 2 - 1, MONDAY + DAY / 2, 1000 },
	{ "at a change", "0.5 Mon 12:00-13:00", MONDAY + DAY / 2,
	  MONDAY + DAY / 2 + 3600, 500 },
	{ "the last second of a factor", "0.5 Mon 12:00-13:00",
	  MONDAY + DAY / 2 + 3599, MONDAY + DAY / 2 + 3600, 500 },
	{ "the change of the next week", "0.5 Mon 00:00-01:00", MONDAY + 3600,
	  MONDAY + 7 * DAY, 1000 },
	{ "the time of a change that the clock skips",
	  "0.5 Sun 02:30-12:00", SUMMER - 3600, SUMMER, 1000 },
	{ "a change after the clock was set forward", "0.5 Sun 04:00-12:00",
	  SUMMER - 3600, SUMMER + 3600, 1000 },
	{ "a change after the clock was set back", "0.5 Sun 04:00-12:00",
	  WINTER - 7200, WINTER + 7200, 1000 },
	{ "the time of a change that comes twice", "0.5 Sun 02:30-12:00",
	  WINTER - 7200, WINTER - 1800, 1000 },
	{ "the clock returns to the factor before", "0.5 Sun 02:30-12:00",
	  WINTER - 1800, WINTER, 500 },
};

START_TEST(a_piece_ends_where_the_factor_changes)
{
	const struct piece_row *row = &piece_rows[_i];
	const struct eqt_week week = week_of(row->text);
	const struct eqt_week_piece piece = eqt_week_at(&week, row->from);

	ck_assert_msg(piece.from == row->from, "%s", row->name);
	ck_assert_msg(piece.to == row->to, "%s: %jd s, not %jd", row->name,
		      (intmax_t) (piece.to - row->from),
		      (intmax_t) (row->to - row->from));
	ck_assert_msg(piece.factor_u == row->thousandths * 1000, "%s",
		      row->name);
}
END_TEST

/* The search for the second halves a time of any length. */
START_TEST(the_clock_is_set_at_one_second_from_wherever_it_is_looked_for)
{
	const struct eqt_week week = week_of("0.5 Sun 02:30-12:00");

	for (time_t from = SUMMER - 300; from < SUMMER; from++)
		ck_assert_int_eq(eqt_week_at(&week, from).to, SUMMER);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("week");
	TCase *tcase = tcase_create("week");

	tcase_add_test(tcase, without_factors_all_time_has_factor_1);
	tcase_add_loop_test(tcase, a_piece_ends_where_the_factor_changes, 0,
			    (int) (sizeof(piece_rows) / sizeof(*piece_rows)));
	tcase_add_test(
		tcase,
		the_clock_is_set_at_one_second_from_wherever_it_is_looked_for);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
