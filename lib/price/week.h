/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * week: a factor of the charge that depends on the time of the week, such as half the
 * price at night and at weekends.
 *
 *	week_factor = 0.5 Mon-Fri 19:00-07:00, Sat-Sun
 *
 * Each second is charged by the local time that localtime_r() returns. When summer time
 * begins, the hour that is left out is not charged; when it ends, the hour that comes
 * twice is charged twice. All types are plain values, and nothing is allocated. Any
 * number of threads may call these functions.
 */
#ifndef EQT_WEEK_H
#define EQT_WEEK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/fraction.h"

/* The largest number of changes of the factor in a week. */
#define EQT_WEEK_MAX 64
#define EQT_WEEK_FACTOR_MAX UINT64_C(1000)

/* The factors of a week. {0} means that the factor is always 1. */
struct eqt_week {
	/* The number of members of change[]; 0 if the factor is always 1. */
	uint32_t count;
	/* The lowest and the highest factor, in millionths. */
	uint64_t least_u, most_u;
	struct {
		/* The time of the change, in seconds since Monday, 0:00. Times
		 * ascend. */
		uint32_t at_s;
		/* The factor from this time to the next change, in millionths. The last
		 * change is in force until the first change of the next week. */
		uint64_t factor_u;
	} change[EQT_WEEK_MAX];
};

/* The seconds from `from` up to but not including `to`, which all have the same factor,
 * in millionths. */
struct eqt_week_piece {
	time_t from, to;
	uint64_t factor_u;
};

/*
 * Read a comma-separated list of spans. A span has a factor, and days, a time of the
 * day or both. A span without a factor has the factor of the previous span. A time
 * whose end is not after its begin ends on the next day. Return 0, or -1 with *out
 * unchanged if the text has another form, if spans with different factors overlap, or
 * if there are more than EQT_WEEK_MAX changes.
 */
int eqt_week_parse(struct eqt_week *out, const char *text);

/* Return the piece that begins at `from` and ends at the next change of the factor. It
 * may end earlier, after some weeks. */
struct eqt_week_piece eqt_week_at(const struct eqt_week *week, time_t from);

/* Return the first piece of the time from `from` to `to`. It has no seconds if this
 * time has none. */
struct eqt_week_piece eqt_week_first(const struct eqt_week *week, time_t from,
				     time_t to);

/* Replace a piece by the next one that ends at `to` or earlier. Return false if there
 * is none. */
bool eqt_week_next(const struct eqt_week *week, struct eqt_week_piece *piece,
		   time_t to);

/* Return the mean factor of the seconds from `from` to `to`. If there are no seconds,
 * return the factor at `from`. */
double eqt_week_mean(const struct eqt_week *week, time_t from, time_t to);

/* Convert a factor from millionths. */
static inline double eqt_week_factor(uint64_t factor_u)
{
	return (double) factor_u / (double) EQT_MICRO;
}

#endif
