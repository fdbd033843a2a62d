/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timestamp: times as Slurm prints them and as users give them in options. Times without
 * a zone are local, as in Slurm, so TZ must be that of the cluster. */
#ifndef EQT_SLURM_TIMESTAMP_H
#define EQT_SLURM_TIMESTAMP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Read "2026-04-01T00:00:00" or seconds since the epoch. Returns 1 with *out filled. For
 * "Unknown", "None" and "" the event has not happened yet: returns 0, and *out is 0.
 * Returns -1 for any other text. */
int eqt_timestamp_parse(int64_t *out, const char *text);

/* Read the time given to an option. A day alone means its midnight. Returns 0, or -1 with
 * err filled. */
int eqt_timestamp_option(int64_t *out, const char *text, struct eqt_error *err);

/* Like eqt_timestamp_option(), for a table of options: store the time in an int64_t
 * member. */
int eqt_timestamp_put(void *to, const char *text, struct eqt_error *err);
#define EQT_TIME_AT(type, member) \
	EQT_PUT_AT(type, member, int64_t, eqt_timestamp_put)

#define EQT_TIMESTAMP_DAY 16 /* "2026-04-01" and its NUL */

/* Write the day to which a time belongs. Returns the first second of the next day. */
int64_t eqt_timestamp_day(int64_t at_s, char text[EQT_TIMESTAMP_DAY]);

/* Write a time in the local zone in a format of strftime(). "" if the time is invalid.
 * Returns buf. */
char *eqt_timestamp_text(char *buf, size_t size, const char *format,
			 int64_t at_s) __attribute__((format(strftime, 3, 0)));

/* Write a time in UTC, "2026-11-28T13:00:00Z". "" if the time is invalid. Returns buf. */
char *eqt_timestamp_utc(char *buf, size_t size, int64_t at_s);

/* Read a time as eqt_timestamp_utc() writes it. Returns 0, or -1 for any other text. */
int eqt_timestamp_utc_parse(int64_t *out, const char *text);

/* The midnight at the start of a day, where month and day begin with 1. 0 if there is no
 * such day. */
int64_t eqt_timestamp_midnight(int year, int month, int day);

#endif
