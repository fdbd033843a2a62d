/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exact: which of two products is larger, without rounding.
 *
 * The share tree compares quotients of shares and usages by multiplying
 * crosswise; the products need up to 256 bits. Nothing allocates.
 */
#ifndef EQT_EXACT_H
#define EQT_EXACT_H

#include <stdint.h>

/*
 * n[0] * n[1] * x[0] * x[1], a plain value; every factor must be above 0 and
 * finite. Only the first 64 bits of the mantissa of an x count; on x86 a long
 * double has no more.
 */
struct eqt_exact_product {
	uint64_t n[2];
	long double x[2];
};

/* -1, 0, 1 as a is less than, equal to, greater than b. */
int eqt_exact_cmp(const struct eqt_exact_product *a,
		  const struct eqt_exact_product *b);

#endif
