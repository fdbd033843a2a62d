/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thresholds: the percentages of a budget at which people are warned. */
#ifndef EQT_THRESHOLDS_H
#define EQT_THRESHOLDS_H

#include <stddef.h>
#include <stdint.h>

#define EQT_THRESHOLDS_MOST 8

/* A plain value. {0} has no thresholds. */
struct eqt_thresholds {
	size_t count;
	/* The percentages in ascending order. */
	uint64_t percent[EQT_THRESHOLDS_MOST];
};

/* Read a list such as "50,75,90", or "off" for no thresholds. Return 0, or -1 with *out
 * unchanged if the text has another form, a number is not from 1 to 100 or not above
 * the previous one, or there are too many numbers. */
int eqt_thresholds_parse(struct eqt_thresholds *out, const char *text);

/* Return the highest threshold that a percentage reaches, or 0 if it reaches none. */
uint64_t eqt_thresholds_reached(const struct eqt_thresholds *thresholds,
				uint64_t percent);

#endif
