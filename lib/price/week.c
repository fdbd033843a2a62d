/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "price/week.h"

#define DAY_MINUTES 1440
#define WEEK_MINUTES (7 * DAY_MINUTES)
#define WEEK_S (WEEK_MINUTES * 60)
#define SPANS_MAX 32

/* ---- Reading
 * ------------------------------------------------------------------------ */

/* A span of the configuration: some minutes of some days of the week. */
struct span {
	uint32_t first, last; /* days of the week, where 0 is Monday */
	uint32_t begin,
		end; /* minutes of the day; end may be in the next day */
};

/* All spans that were read so far. of[] has for each minute of the week the number of
 * its span, which is an index of factor_u[]; 0 means that no span contains the
 * minute. */
struct spans {
	uint8_t of[WEEK_MINUTES];
	uint64_t factor_u[SPANS_MAX + 1];
	uint32_t count;
};

/* Read the name of a day of the week, of which "Mon" is 0. Return -1 for any other
 * text. */
static int day_read(const char *text)
{
	static const char names[] = "MonTueWedThuFriSatSun";

	for (int i = 0; i < 7; i++)
		if (strncasecmp(text, names + 3 * i, 3) == 0)
			return i;
	return -1;
}

/* Read one day such as "Sat", or a range of days such as "Mon-Fri". */
static int days_read(struct span *span, const char *word, size_t length)
{
	const int first = length >= 3 ? day_read(word) : -1;
	int last = first;

	if (length == 7 && word[3] == '-')
		last = day_read(word + 4);
	else if (length != 3)
		return -1;
	if (first < 0 || last < 0)
		return -1;
	span->first = (uint32_t) first;
	span->last = (uint32_t) last;
	return 0;
}

/* Read a time such as "19:00", and return it in minutes. 24:00 is the end of the day.
 * Return -1 if the text has another form. */
static int time_read(const char *text)
{
	static const char form[] = "dd:dd";
	int hours, minutes;

	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char) text[i])
				   : text[i] != form[i])
			return -1;
	hours = (text[0] - '0') * 10 + text[1] - '0';
	minutes = (text[3] - '0') * 10 + text[4] - '0';
	if (minutes > 59 || hours * 60 + minutes > DAY_MINUTES)
		return -1;
	return hours * 60 + minutes;
}

/* Read a range of times such as "19:00-07:00". */
static int times_read(struct span *span, const char *word, size_t length)
{
	int begin, end;

	if (length != 11 || word[5] != '-')
		return -1;
	begin = time_read(word);
	end = time_read(word + 6);
	if (begin < 0 || end < 0 || begin == DAY_MINUTES || begin == end)
		return -1;
	span->begin = (uint32_t) begin;
	span->end = (uint32_t) (end > begin ? end : end + DAY_MINUTES);
	return 0;
}

static int factor_read(uint64_t *factor_u, const char *word, size_t length)
{
	char number[32];

	if (length >= sizeof(number))
		return -1;
	memcpy(number, word, length);
	number[length] = '\0';
	return eqt_frac_micro_parse(factor_u, number) < 0 ||
			       *factor_u > EQT_WEEK_FACTOR_MAX * EQT_MICRO
		       ? -1
		       : 0;
}

/* Mark the minutes of the latest span. Return -1 if a previous span with a different
 * factor has marked some of them. */
static int span_mark(struct spans *spans, const struct span *span)
{
	for (uint32_t day = span->first;; day = (day + 1) % 7) {
		for (uint32_t i = span->begin; i < span->end; i++) {
			uint8_t *of = &spans->of[(day * DAY_MINUTES + i) %
						 WEEK_MINUTES];

			if (*of && spans->factor_u[*of] !=
					   spans->factor_u[spans->count])
				return -1;
			*of = (uint8_t) spans->count;
		}
		if (day == span->last)
			return 0;
	}
}

/* Read one span, up to a comma or the end of the text. Its words are a factor, days and
 * times, in this order. */
static int span_read(struct spans *spans, const char **text)
{
	struct span span = { .last = 6, .end = DAY_MINUTES };
	bool has_days = false, has_times = false;
	uint64_t *factor_u;

	if (spans->count == SPANS_MAX)
		return -1;
	factor_u = &spans->factor_u[++spans->count];
	*factor_u = spans->factor_u[spans->count - 1];
	for (int words = 0;; words++) {
		const char *word = *text + strspn(*text, " \t");
		const size_t length = strcspn(word, " \t,");

		*text = word + length;
		if (length == 0)
			break;
		if (words == 0 && !memchr(word, ':', length) &&
		    isdigit((unsigned char) word[0])) {
			if (factor_read(factor_u, word, length) < 0)
				return -1;
		} else if (!has_days && !has_times &&
			   days_read(&span, word, length) == 0) {
			has_days = true;
		} else if (has_times || times_read(&span, word, length) < 0) {
			return -1;
		} else {
			has_times = true;
		}
	}
	return *factor_u == UINT64_MAX || !(has_days || has_times)
		       ? -1
		       : span_mark(spans, &span);
}

/* Return the factor of a minute of the week. Outside all spans it is 1. */
static uint64_t minute_factor_u(const struct spans *spans, uint32_t minute)
{
	const uint8_t of = spans->of[minute % WEEK_MINUTES];

	return of ? spans->factor_u[of] : EQT_MICRO;
}

int eqt_week_parse(struct eqt_week *out, const char *text)
{
	struct spans spans = { .count = 0 };
	struct eqt_week week = { .least_u = UINT64_MAX };

	/* A span without a factor has that of the previous span. The first span has no
	 * previous one, so it must have a factor. */
	spans.factor_u[0] = UINT64_MAX;
	for (;; text++) {
		if (span_read(&spans, &text) < 0)
			return -1;
		if (*text == '\0')
			break;
	}
	for (uint32_t i = 0; i < WEEK_MINUTES; i++) {
		const uint64_t factor_u = minute_factor_u(&spans, i);

		week.least_u = factor_u < week.least_u ? factor_u
						       : week.least_u;
		week.most_u = factor_u > week.most_u ? factor_u : week.most_u;
		if (factor_u == minute_factor_u(&spans, i + WEEK_MINUTES - 1))
			continue;
		if (week.count == EQT_WEEK_MAX)
			return -1;
		week.change[week.count].at_s = i * 60;
		week.change[week.count++].factor_u = factor_u;
	}
	/* The factor is the same during the whole week. */
	if (week.count == 0)
		week.change[week.count++].factor_u = week.most_u;
	*out = week;
	return 0;
}

/* ---- Times
 * -------------------------------------------------------------------------- */

/* A local time: the second of the week, and the difference to UTC. */
struct local {
	int64_t second;
	int64_t offset_s;
};

static bool local_at(struct local *out, time_t at)
{
	struct tm tm;
	int64_t years, days;

	if (!localtime_r(&at, &tm))
		return false;
	/* The number of the whole years before this one, from which the number of leap
	 * years follows. */
	years = (int64_t) tm.tm_year + 1899;
	days = 365 * ((int64_t) tm.tm_year - 70) + years / 4 - years / 100 +
	       years / 400 - 477 + tm.tm_yday;
	out->second = (int64_t) tm.tm_hour * 3600 + (int64_t) tm.tm_min * 60 +
		      tm.tm_sec;
	out->offset_s = days * 86400 + out->second - (int64_t) at;
	out->second += (int64_t) ((tm.tm_wday + 6) % 7) * 86400;
	return true;
}

/* Return the index of the change that is in force at a second of the week. */
static uint32_t change_at(const struct eqt_week *week, int64_t second)
{
	uint32_t i = week->count - 1;

	for (uint32_t j = 0; j < week->count; j++)
		if ((int64_t) week->change[j].at_s <= second)
			i = j;
	return i;
}

/* Return the seconds from a second of the week to the next change after the given
 * one. */
static int64_t change_in(const struct eqt_week *week, uint32_t change,
			 int64_t second)
{
	const uint32_t next = (change + 1) % week->count;
	const int64_t in = (int64_t) week->change[next].at_s - second;

	return in > 0 ? in : in + WEEK_S;
}

/* Return the first second after `from`, up to `to`, at which the local clock has
 * another difference to UTC. The difference must change exactly once in between, which
 * is safe because no zone changes it twice in a week. */
static time_t clock_set_at(time_t from, time_t to, int64_t offset_s)
{
	struct local local;

	while (to - from > 1) {
		const time_t middle = from + (to - from) / 2;

		if (local_at(&local, middle) && local.offset_s == offset_s)
			from = middle;
		else
			to = middle;
	}
	return to;
}

struct eqt_week_piece eqt_week_at(const struct eqt_week *week, time_t from)
{
	struct eqt_week_piece piece = { from, from + WEEK_S, EQT_MICRO };
	struct local local, later;
	uint32_t change;

	if (week->count == 0 || !local_at(&local, from))
		return piece;
	change = change_at(week, local.second);
	piece.factor_u = week->change[change].factor_u;
	piece.to = from;
	for (int steps = 0; steps < 4; steps++) {
		const time_t before = piece.to;

		piece.to += (time_t) change_in(week, change, local.second);
		if (!local_at(&later, piece.to) ||
		    later.offset_s == local.offset_s)
			break;
		piece.to = clock_set_at(before, piece.to, local.offset_s);
		if (!local_at(&local, piece.to))
			break;
		change = change_at(week, local.second);
		if (week->change[change].factor_u != piece.factor_u)
			break;
	}
	return piece;
}

struct eqt_week_piece eqt_week_first(const struct eqt_week *week, time_t from,
				     time_t to)
{
	struct eqt_week_piece piece = { from, to, EQT_MICRO };

	if (week->count == 0)
		return piece;
	piece = eqt_week_at(week, from);
	if (piece.to > to)
		piece.to = to;
	return piece;
}

bool eqt_week_next(const struct eqt_week *week, struct eqt_week_piece *piece,
		   time_t to)
{
	if (piece->to >= to)
		return false;
	*piece = eqt_week_first(week, piece->to, to);
	return true;
}

double eqt_week_mean(const struct eqt_week *week, time_t from, time_t to)
{
	struct eqt_week_piece piece = eqt_week_first(week, from, to);
	double sum = 0;

	if (to <= from)
		return eqt_week_factor(piece.factor_u);
	do
		sum += (double) (piece.to - piece.from) *
		       eqt_week_factor(piece.factor_u);
	while (eqt_week_next(week, &piece, to));
	return sum / (double) (to - from);
}
