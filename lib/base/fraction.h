/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fraction: exact fractions of unsigned 64-bit numbers.
 *
 * A price is a quotient such as 10000M / 4000M. It stays a quotient and is rounded only
 * where Slurm needs an integer (the billing TRES) or a double (usage_raw). Nothing is
 * allocated.
 */
#ifndef EQT_FRAC_H
#define EQT_FRAC_H

#include <stddef.h>
#include <stdint.h>

struct eqt_text;

/* The type of intermediate results, such as products of two 64-bit numbers. */
__extension__ typedef unsigned __int128 eqt_u128;

/* Numbers with decimals in the configuration are stored in millionths. The names of
 * such members end in "_u". */
#define EQT_MICRO UINT64_C(1000000)

/*
 * A plain value. The functions below return fractions in lowest terms with den >= 1.
 * {0} is not a fraction; use EQT_FRAC_ZERO.
 */
struct eqt_frac {
	uint64_t num;
	uint64_t den;
};

#define EQT_FRAC_ZERO ((struct eqt_frac){ 0, 1 })
#define EQT_FRAC_ONE ((struct eqt_frac){ 1, 1 })

enum eqt_rounding {
	EQT_ROUND_FLOOR,
	EQT_ROUND_NEAREST, /* halves are rounded up */
	EQT_ROUND_CEIL
};

/*
 * Store num / den in lowest terms in *out. Return 0, or -1 with *out unchanged if den
 * is 0 or the reduced fraction does not fit 64 bits in each part.
 */
int eqt_frac_make(struct eqt_frac *out, eqt_u128 num, eqt_u128 den);

/* Store a + b or a * b in *out. Return 0, or -1 with *out unchanged on overflow. */
int eqt_frac_add(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b);
int eqt_frac_mul(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b);

/* Compare exactly: the result is negative, 0 or positive if a is less than, equal to or
 * greater than b. */
static inline int eqt_frac_cmp(struct eqt_frac a, struct eqt_frac b)
{
	const eqt_u128 left = (eqt_u128) a.num * b.den;
	const eqt_u128 right = (eqt_u128) b.num * a.den;

	return (left > right) - (left < right);
}

/* Return the double that is nearest to a fraction. */
double eqt_frac_double(struct eqt_frac a);

/*
 * Return a * scale as an integer, rounded up, down or to the nearest as `how` says. The
 * largest result is UINT64_MAX - 2, so that it is never Slurm's NO_VAL64 or INFINITE64.
 */
uint64_t eqt_frac_round(struct eqt_frac a, uint64_t scale,
			enum eqt_rounding how);

/*
 * Write a fraction in decimal, such as "2.5" or "0.3333", with at most four decimals
 * and without trailing zeros. A value above zero that would print as 0 prints as
 * "<0.0001". Return buf.
 */
char *eqt_frac_text(struct eqt_frac a, char *buf, size_t size);

#define EQT_FRAC_TEXT 32

/* Append a fraction to a text in the format of eqt_frac_text(). */
void eqt_frac_put(struct eqt_text *text, struct eqt_frac value);

/*
 * Read a decimal number such as "3.5", "12" or ".25" in millionths. The number has at
 * most six decimals, no sign and no exponent. Return 0, or -1 with *out unchanged if
 * the text is not such a number or does not fit.
 */
int eqt_frac_micro_parse(uint64_t *out, const char *text);

/*
 * The product n[0] * n[1] * x[0] * x[1], a plain value. The share tree compares quotients
 * of shares and usages by such products, which need up to 256 bits. Each factor must be
 * above 0 and finite. Only the first 64 bits of the mantissa of an x are used, which are
 * all that a long double has on x86.
 */
struct eqt_frac_product {
	uint64_t n[2];
	long double x[2];
};

/* Return -1, 0 or 1 if a is less than, equal to or greater than b. */
int eqt_frac_cmp_products(const struct eqt_frac_product *a,
			  const struct eqt_frac_product *b);

#endif
