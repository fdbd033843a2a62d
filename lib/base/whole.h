/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole: whole numbers. */
#ifndef EQT_WHOLE_H
#define EQT_WHOLE_H

#include <stdint.h>

/* The quotient, rounded up; b is not 0. */
static inline uint64_t eqt_whole_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* The smaller and the larger of two. */
static inline uint64_t eqt_whole_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t eqt_whole_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Make a number at least so large. */
static inline void eqt_whole_raise(uint64_t *number, uint64_t least)
{
	if (*number < least)
		*number = least;
}

#endif
