/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact fractions of 64-bit numbers. Intermediate products have 128 bits. A price needs
 * several fractions, and slurmctld computes a price for each job in each pass.
 * Divisions take most of that time, so they are avoided where possible.
 */
#include <math.h>

#include "base/fraction.h"
#include "base/text.h"
#include "base/whole.h"

/* The largest result of a rounding. Slurm's NO_VAL64 and INFINITE64 are the two numbers
 * above it. */
#define ROUND_MAX (UINT64_MAX - 2)

#define MICRO_DIGITS 6

/* eqt_frac_text() prints four decimals. */
#define TEXT_SCALE 10000

/* Euclid's algorithm reduces the numbers until both fit 64 bits. The binary algorithm
 * of eqt_whole_gcd() does the rest. */
static eqt_u128 gcd(eqt_u128 a, eqt_u128 b)
{
	while (b > UINT64_MAX || (b && a > UINT64_MAX)) {
		eqt_u128 rest = a % b;

		a = b;
		b = rest;
	}
	return b ? eqt_whole_gcd((uint64_t) a, (uint64_t) b) : a;
}

/* Store num / den, which must be in lowest terms, if both fit 64 bits. */
static int fraction_reduce(struct eqt_frac *out, eqt_u128 num, eqt_u128 den)
{
	if (num > UINT64_MAX || den > UINT64_MAX)
		return -1;
	out->num = (uint64_t) num;
	out->den = (uint64_t) den;
	return 0;
}

int eqt_frac_make(struct eqt_frac *out, eqt_u128 num, eqt_u128 den)
{
	eqt_u128 common;

	if (den == 0)
		return -1;
	/* A 64-bit division takes a tenth of the time of a 128-bit one. */
	if (num <= UINT64_MAX && den <= UINT64_MAX) {
		const uint64_t a = (uint64_t) num, b = (uint64_t) den;
		const uint64_t part = eqt_whole_gcd(b, a % b);

		*out = (struct eqt_frac){ a / part, b / part };
		return 0;
	}
	common = gcd(num, den);
	return fraction_reduce(out, num / common, den / common);
}

int eqt_frac_add(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b)
{
	uint64_t common = eqt_whole_gcd(a.den, b.den);
	eqt_u128 left = (eqt_u128) a.num * (b.den / common);
	eqt_u128 right = (eqt_u128) b.num * (a.den / common);
	eqt_u128 sum;

	/*
	 * A factor that the sum shares with its denominator divides `common`, which is
	 * below 2^64. So a sum that overflows 128 bits would not fit 64 bits after the
	 * division either.
	 */
	if (__builtin_add_overflow(left, right, &sum))
		return -1;
	return eqt_frac_make(out, sum, (eqt_u128) a.den * (b.den / common));
}

int eqt_frac_mul(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b)
{
	/* Common factors are cancelled crosswise first, so that the products are in
	 * lowest terms. */
	uint64_t ab = eqt_whole_gcd(a.num, b.den);
	uint64_t ba = eqt_whole_gcd(b.num, a.den);

	return fraction_reduce(out, (eqt_u128) (a.num / ab) * (b.num / ba),
			       (eqt_u128) (a.den / ba) * (b.den / ab));
}

double eqt_frac_double(struct eqt_frac a)
{
	eqt_u128 quotient, shifted;
	int shift;

	if (a.num == 0)
		return 0.0;
	/*
	 * With the numerator at the top of 128 bits, the quotient has at least 63 bits.
	 * The lowest bit is set if there is a remainder. The conversion to 53 bits can
	 * then distinguish an exact half from more than a half.
	 */
	shift = 64 + __builtin_clzll(a.num);
	shifted = (eqt_u128) a.num << shift;
	quotient = shifted / a.den;
	if (shifted % a.den)
		quotient |= 1;
	return ldexp((double) quotient, -shift);
}

static eqt_u128 quotient_round(eqt_u128 num, uint64_t den,
			       enum eqt_rounding how)
{
	eqt_u128 quotient;
	uint64_t rest;

	if (num <= UINT64_MAX) {
		quotient = (uint64_t) num / den;
		rest = (uint64_t) num % den;
	} else {
		quotient = num / den;
		rest = (uint64_t) (num % den);
	}

	if (how == EQT_ROUND_CEIL && rest > 0)
		quotient++;
	/* This is "2 * rest >= den", which could overflow. */
	if (how == EQT_ROUND_NEAREST && rest >= den - rest)
		quotient++;
	return quotient;
}

uint64_t eqt_frac_round(struct eqt_frac a, uint64_t scale,
			enum eqt_rounding how)
{
	eqt_u128 result = quotient_round((eqt_u128) a.num * scale, a.den, how);

	return result > ROUND_MAX ? ROUND_MAX : (uint64_t) result;
}

/* Write scaled / TEXT_SCALE in decimal, such as "2.5" for 25000. Return the length of
 * the text. */
static size_t decimal_write(char text[EQT_FRAC_TEXT], eqt_u128 scaled)
{
	/* A 64-bit division is faster than a 128-bit one. */
	const uint64_t whole = scaled <= UINT64_MAX
				       ? (uint64_t) scaled / TEXT_SCALE
				       : (uint64_t) (scaled / TEXT_SCALE);
	uint64_t rest = (uint64_t) scaled - whole * TEXT_SCALE, unit;
	size_t length = eqt_digits(text, whole);

	if (rest > 0)
		text[length++] = '.';
	for (unit = TEXT_SCALE / 10; rest > 0; unit /= 10) {
		text[length++] = (char) ('0' + rest / unit);
		rest %= unit;
	}
	return length;
}

void eqt_frac_put(struct eqt_text *text, struct eqt_frac value)
{
	const eqt_u128 scaled =
		quotient_round((eqt_u128) value.num * TEXT_SCALE, value.den,
			       EQT_ROUND_NEAREST);
	char number[EQT_FRAC_TEXT];

	if (scaled == 0)
		eqt_text_put(text, value.num ? "<0.0001" : "0");
	else
		eqt_text_bytes(text, number, decimal_write(number, scaled));
}

char *eqt_frac_text(struct eqt_frac a, char *buf, size_t size)
{
	struct eqt_text line = { .data = buf, .space = size };

	eqt_frac_put(&line, a);
	return buf;
}

/* Append the digits at *text to the decimal number *value, and step over them. Return
 * -1 on overflow. */
static int decimal_digits_read(uint64_t *value, const char **text)
{
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		uint64_t digit = (uint64_t) (**text - '0');

		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return -1;
	}
	return 0;
}

int eqt_frac_micro_parse(uint64_t *out, const char *text)
{
	const char *end = text;
	uint64_t value = 0;
	int decimals = 0;

	if (decimal_digits_read(&value, &end) < 0)
		return -1;
	if (*end == '.') {
		const char *first = ++end;

		if (decimal_digits_read(&value, &end) < 0)
			return -1;
		if (end == first || end - first > MICRO_DIGITS)
			return -1;
		decimals = (int) (end - first);
	}
	if (end == text || *end != '\0')
		return -1;
	for (; decimals < MICRO_DIGITS; decimals++) {
		if (__builtin_mul_overflow(value, 10, &value))
			return -1;
	}
	*out = value;
	return 0;
}

/* ---- Products -------------------------------------------------------------
 * A product has up to 256 bits and is stored as four limbs of 64 bits and a power of 2.
 * A long double has a mantissa of at most 64 bits here, so that each factor is one limb
 * and nothing is rounded. */

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
static struct wide wide_of(const struct eqt_frac_product *product)
{
	struct wide wide = { .limb = { product->n[0] } };

	wide_mul(&wide, product->n[1]);
	wide_mul_real(&wide, product->x[0]);
	wide_mul_real(&wide, product->x[1]);
	wide_normalise(&wide);
	return wide;
}

int eqt_frac_cmp_products(const struct eqt_frac_product *a,
			  const struct eqt_frac_product *b)
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
