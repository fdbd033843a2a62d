/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration: durations in Slurm's form and in words. */
#ifndef EQT_SLURM_DURATION_H
#define EQT_SLURM_DURATION_H

#include <stdint.h>

/* The seconds of "1-02:03:04", "02:03:04" or "03:04". Fractions of a second are dropped.
 * Returns 0, or -1 with *out unchanged. */
int eqt_duration_parse(uint64_t *out, const char *text);

/* The seconds of a unit such as "hour" or "Days", or 0 if the word is not a unit. A month
 * has 30 days, and a year 365. */
uint64_t eqt_duration_unit(const char *word);

#define EQT_DURATION_TEXT 32

/* Write a duration as Slurm does: "1-02:03:04", "2:03:04". Returns buf. */
char *eqt_duration_text(char buf[EQT_DURATION_TEXT], uint64_t seconds);

#define EQT_DURATION_WORDS 64

/* Write a duration in words, such as "2 h 30 min". A negative duration is "0 s". Returns
 * buf. */
char *eqt_duration_words(char buf[EQT_DURATION_WORDS], int64_t seconds);

#endif
