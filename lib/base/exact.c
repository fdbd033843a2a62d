/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A product has up to 256 bits and is stored as four limbs of 64 bits and a power of 2.
 * A long double has a mantissa of at most 64 bits here, so that each factor is one limb
 * and nothing is rounded.
 */
#include <math.h>

#include "base/exact.h"
#include "base/fraction.h"

#define LIMBS 4 /* one limb for each of four factors of at most 64 bits */

/* The number whose limbs, lowest first, are limb[], times 2^exponent. */
struct wide {
	uint64_t limb[LIMBS];
	int exponent;
};

/* Multiply limb by limb. The top limb cannot overflow with at most LIMBS factors. */
static void wide_mul(struct wide *wide, uint64_t factor)
{
	eqt_u128 carry = 0;

	for (int i = 0; i < LIMBS; i++) {
		carry += (eqt_u128) wide->limb[i] * factor;
		wide->limb[i] = (uint64_t) carry;
		carry >>= 64;
	}
}

/* frexpl() returns a mantissa from 0.5 up to 1. Multiplied by 2^64, the mantissa is a
 * whole number. */
static void wide_mul_real(struct wide *wide, long double factor)
{
	int exponent;
	long double mantissa = frexpl(factor, &exponent);

	wide_mul(wide, (uint64_t) ldexpl(mantissa, 64));
	wide->exponent += exponent - 64;
}

/* Shift to the left by one limb. The highest limb must be 0. */
static void wide_shift_limb(struct wide *wide)
{
	for (int i = LIMBS - 1; i > 0; i--)
		wide->limb[i] = wide->limb[i - 1];
	wide->limb[0] = 0;
	wide->exponent -= 64;
}

/* Shift until the highest bit is set. Most pairs of numbers then differ in their
 * exponents. */
static void wide_normalise(struct wide *wide)
{
	int shift;

	for (int i = 1; i < LIMBS && !wide->limb[LIMBS - 1]; i++)
		wide_shift_limb(wide);
	/* A factor was 0, which is not allowed. Return rather than shift without
	 * end. */
	if (!wide->limb[LIMBS - 1])
		return;
	shift = __builtin_clzll(wide->limb[LIMBS - 1]);
	if (!shift)
		return;
	for (int i = LIMBS - 1; i > 0; i--)
		wide->limb[i] = wide->limb[i] << shift |
				wide->limb[i - 1] >> (64 - shift);
	wide->limb[0] <<= shift;
	wide->exponent -= shift;
}

/* Multiply the factors and normalise the product, so that two products can be compared
 * by exponent and then limb by limb. */
static struct wide wide_of(const struct eqt_exact_product *product)
{
	struct wide wide = { .limb = { product->n[0] } };

	wide_mul(&wide, product->n[1]);
	wide_mul_real(&wide, product->x[0]);
	wide_mul_real(&wide, product->x[1]);
	wide_normalise(&wide);
	return wide;
}

int eqt_exact_cmp(const struct eqt_exact_product *a,
		  const struct eqt_exact_product *b)
{
	struct wide x = wide_of(a), y = wide_of(b);

	if (x.exponent != y.exponent)
		return x.exponent < y.exponent ? -1 : 1;
	for (int i = LIMBS - 1; i >= 0; i--) {
		if (x.limb[i] != y.limb[i])
			return x.limb[i] < y.limb[i] ? -1 : 1;
	}
	return 0;
}
