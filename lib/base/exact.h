/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exact: compare two products without rounding.
 *
 * The share tree compares quotients of shares and usages by cross-multiplication. The
 * products need up to 256 bits. Nothing is allocated.
 */
#ifndef EQT_EXACT_H
#define EQT_EXACT_H

#include <stdint.h>

/*
 * The product n[0] * n[1] * x[0] * x[1], a plain value. Each factor must be above 0 and
 * finite. Only the first 64 bits of the mantissa of an x are used, which are all that a
 * long double has on x86.
 */
struct eqt_exact_product {
	uint64_t n[2];
	long double x[2];
};

/* Return -1, 0 or 1 if a is less than, equal to or greater than b. */
int eqt_exact_cmp(const struct eqt_exact_product *a,
		  const struct eqt_exact_product *b);

#endif
