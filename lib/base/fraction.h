/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fraction: exact fractions of unsigned 64-bit numbers.
 *
 * A price is a quotient such as 10000M / 4000M. It stays a quotient and is
 * rounded only where Slurm needs an integer (the billing TRES) or a double
 * (usage_raw). No function allocates.
 */
#ifndef EQT_FRAC_H
#define EQT_FRAC_H

#include <stddef.h>
#include <stdint.h>

struct eqt_text;

/* Unsigned 128-bit intermediate results. */
__extension__ typedef unsigned __int128 eqt_u128;

/* Fixed-point numbers of the configuration count millionths ("_u"). */
#define EQT_MICRO UINT64_C(1000000)

/*
 * A plain value, always in lowest terms with den >= 1 when made by these
 * functions. {0} is not a fraction; EQT_FRAC_ZERO is.
 */
struct eqt_frac {
	uint64_t num;
	uint64_t den;
};

#define EQT_FRAC_ZERO ((struct eqt_frac){ 0, 1 })
#define EQT_FRAC_ONE ((struct eqt_frac){ 1, 1 })

enum eqt_rounding {
	EQT_ROUND_FLOOR,
	EQT_ROUND_NEAREST, /* halves go up */
	EQT_ROUND_CEIL
};

/*
 * num / den in lowest terms into *out. Returns 0, or -1 and leaves *out alone
 * when den is 0 or the reduced fraction does not fit 64 bits each.
 */
int eqt_frac_make(struct eqt_frac *out, eqt_u128 num, eqt_u128 den);

/* *out = a + b, *out = a * b; 0, or -1 (out untouched) on overflow. */
int eqt_frac_add(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b);
int eqt_frac_mul(struct eqt_frac *out, struct eqt_frac a, struct eqt_frac b);

/* < 0, 0, > 0 as a is less than, equal to, greater than b. Exact. */
static inline int eqt_frac_cmp(struct eqt_frac a, struct eqt_frac b)
{
	const eqt_u128 left = (eqt_u128) a.num * b.den;
	const eqt_u128 right = (eqt_u128) b.num * a.den;

	return (left > right) - (left < right);
}

/* The nearest double. */
double eqt_frac_double(struct eqt_frac a);

/*
 * a * scale as an integer, rounded as said. Saturates at UINT64_MAX - 2, so
 * that the result is never one of Slurm's NO_VAL64 or INFINITE64.
 */
uint64_t eqt_frac_round(struct eqt_frac a, uint64_t scale,
			enum eqt_rounding how);

/*
 * Write a decimal text: "2.5", "0.3333". It has at most four decimals and no
 * trailing zeros; a value above zero never prints as 0 but as "<0.0001".
 * Returns buf.
 */
char *eqt_frac_text(struct eqt_frac a, char *buf, size_t size);

#define EQT_FRAC_TEXT 32

/* Append a fraction to a text, as eqt_frac_text() writes it. */
void eqt_frac_put(struct eqt_text *text, struct eqt_frac value);

/*
 * Read a decimal number ("3.5", "12", ".25"; at most six decimals; no sign,
 * no exponent) into millionths. Returns 0, or -1 (out untouched) when text is
 * no such number or does not fit.
 */
int eqt_frac_micro_parse(uint64_t *out, const char *text);

#endif
