/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * week: a factor of the charge by the time of the week, such as half the price at night
 * and at weekends.
 *
 *	week_factor = 0.5 Mon-Fri 19:00-07:00, Sat-Sun
 *
 * Times are what localtime_r() of this process says at each second: where a change to
 * summer time leaves an hour out, nobody pays for it, and an hour that comes twice is
 * charged twice. Plain values; nothing allocates. Any number of threads may call it.
 */
#ifndef EQT_WEEK_H
#define EQT_WEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/fraction.h"

#define EQT_WEEK_MAX 64 /* changes of the factor in a week */
#define EQT_WEEK_FACTOR_MAX UINT64_C(1000)

/* {0}: the factor is 1 at any time. */
struct eqt_week {
	uint32_t count; /* of change[]; 0: as above */
	uint64_t least_u, most_u; /* factors, in millionths */
	struct {
		uint32_t at_s; /* seconds since Monday, 0:00; ascending */
		uint64_t factor_u; /* from then on, the last until the first */
	} change[EQT_WEEK_MAX];
};

/* Seconds with one factor: [from, to). */
struct eqt_week_piece {
	time_t from, to;
	uint64_t factor_u;
};

/*
 * Read a list of spans with commas between: each is a factor, which the next ones have as
 * well, and days, a time of the day, or both. A time that does not end after its begin ends
 * on the next day. Returns 0; or -1 with *out untouched: another form, spans that overlap
 * and have unlike factors, more than EQT_WEEK_MAX changes.
 */
int eqt_week_parse(struct eqt_week *out, const char *text);

/* The piece that begins at a time, up to the next change of the factor; not longer than
 * some weeks. */
struct eqt_week_piece eqt_week_at(const struct eqt_week *week, time_t from);

/* The first piece of [from, to]; it has no seconds if that has none. */
struct eqt_week_piece eqt_week_first(const struct eqt_week *week, time_t from,
				     time_t to);

/* Go on to the next piece, up to the same time. False: it was the last one. */
bool eqt_week_next(const struct eqt_week *week, struct eqt_week_piece *piece,
		   time_t to);

/* The mean factor of the seconds in [from, to); without seconds that of from. */
double eqt_week_mean(const struct eqt_week *week, time_t from, time_t to);

/* A factor in millionths as a number. */
static inline double eqt_week_factor(uint64_t factor_u)
{
	return (double) factor_u / (double) EQT_MICRO;
}

#endif
