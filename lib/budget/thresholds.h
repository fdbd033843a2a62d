/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thresholds: the percentages of a budget at which people are warned. */
#ifndef EQT_THRESHOLDS_H
#define EQT_THRESHOLDS_H

#include <stddef.h>
#include <stdint.h>

#define EQT_THRESHOLDS_MOST 8

/* A plain value; {0} has none. */
struct eqt_thresholds {
	size_t count;
	uint64_t percent[EQT_THRESHOLDS_MOST]; /* ascending */
};

/* Read "50,75,90", or "off" for none. 0; or -1 with *out untouched: another text, a
 * number that is not from 1 to 100 or not above the previous one, or too many. */
int eqt_thresholds_parse(struct eqt_thresholds *out, const char *text);

/* The highest threshold that a percentage reaches; 0: none. */
uint64_t eqt_thresholds_reached(const struct eqt_thresholds *thresholds,
				uint64_t percent);

#endif
