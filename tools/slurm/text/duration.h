/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration: lengths of time, in Slurm's form and in words. */
#ifndef EQT_SLURM_DURATION_H
#define EQT_SLURM_DURATION_H

#include <stdint.h>

/* Seconds of "1-02:03:04", "02:03:04" or "03:04"; fractions of a second are
 * dropped. 0, or -1 with *out untouched. */
int eqt_duration_parse(uint64_t *out, const char *text);

#define EQT_DURATION_TEXT 32

/* Write a length as Slurm does: "1-02:03:04", "2:03:04". Returns buf. */
char *eqt_duration_text(char buf[EQT_DURATION_TEXT], uint64_t seconds);

#define EQT_DURATION_WORDS 64

/* Write a length in words, "2 h 30 min"; a negative one is "0 s". Returns buf. */
char *eqt_duration_words(char buf[EQT_DURATION_WORDS], int64_t seconds);

#endif
