/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timestamp: times as Slurm prints them and as users give them to options. Times without a
 * zone are local, as in Slurm: TZ must be that of the cluster. */
#ifndef EQT_SLURM_TIMESTAMP_H
#define EQT_SLURM_TIMESTAMP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Read "2026-04-01T00:00:00" or seconds since the epoch. 1 with *out filled; 0
 * with *out 0 for "Unknown", "None" and "": not yet; -1: not a time. */
int eqt_timestamp_parse(int64_t *out, const char *text);

/* The same for an option, which may be a day alone: its midnight. 0, or -1 with
 * err filled. */
int eqt_timestamp_option(int64_t *out, const char *text, struct eqt_error *err);

/* The same for a table of options: store the time in a member. */
int eqt_timestamp_put(void *to, const char *text, struct eqt_error *err);
#define EQT_TIME_AT(type, member) \
	EQT_PUT_AT(type, member, int64_t, eqt_timestamp_put)

#define EQT_TIMESTAMP_DAY 16 /* "2026-04-01", with its NUL */

/* Write the day of a time. Returns the first second of the next day. */
int64_t eqt_timestamp_day(int64_t at_s, char text[EQT_TIMESTAMP_DAY]);

/* Write a time in the local zone as strftime() does; "" if it is invalid. Returns buf. */
char *eqt_timestamp_text(char *buf, size_t size, const char *format,
			 int64_t at_s) __attribute__((format(strftime, 3, 0)));

/* Write a time in UTC, "2026-11-28T13:00:00Z"; "" if it is invalid. Returns buf. */
char *eqt_timestamp_utc(char *buf, size_t size, int64_t at_s);

/* Read a time in that form. 0; -1: another text. */
int eqt_timestamp_utc_parse(int64_t *out, const char *text);

/* Midnight at the start of a day (month and day from 1); 0: no such day. */
int64_t eqt_timestamp_midnight(int year, int month, int day);

#endif
