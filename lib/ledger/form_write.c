/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the fields of a form, for a snapshot and for a line of the journal. On a
 * large site a snapshot has millions of numbers and is written in each pass, so none
 * of them goes through printf.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ledger/ledger_impl.h"
#include "base/text.h"

#if LDBL_MANT_DIG > 64
#error "a long double of more than 64 bits does not fit number_put()"
#endif

/* A number: "0x1.", sixteen digits, "p-", the exponent. */
#define NUMBER_TEXT (4 + 16 + 2 + EQT_DIGITS)

/* Write the hexadecimal digits of a fraction whose first bit is the highest. Returns
 * how many bytes there are. */
static size_t fraction_digits(char *to, uint64_t bits)
{
	size_t count = 0;

	if (bits)
		to[count++] = '.';
	for (; bits; bits <<= 4)
		to[count++] = "0123456789abcdef"[bits >> 60];
	return count;
}

/* Append a finite number with all its bits, in the form of printf's %a, so that
 * strtold() reads it. The sign is left out: only -0.0 can have one, because it passes
 * the test for >= 0, and the reader refuses signs. */
static void number_put(struct eqt_text *text, long double value)
{
	char digits[NUMBER_TEXT] = "0x1";
	size_t count = 3;
	uint64_t bits;
	int exponent;

	if (value == 0) {
		eqt_text_put(text, "0x0p+0");
		return;
	}
	/* 1.f * 2^exponent: the highest of 64 bits is the 1. */
	bits = (uint64_t) ldexpl(frexpl(fabsl(value), &exponent), 64);
	exponent--;
	count += fraction_digits(digits + count, bits << 1);
	digits[count++] = 'p';
	digits[count++] = exponent < 0 ? '-' : '+';
	count += eqt_digits(digits + count,
			    (uint64_t) (exponent < 0 ? -exponent : exponent));
	eqt_text_bytes(text, digits, count);
}

static void field_put(struct eqt_text *text, enum eqt_field_kind kind,
		      const void *in)
{
	int64_t whole;

	switch (kind) {
	case EQT_FIELD_U32:
		eqt_text_whole(text, *(const uint32_t *) in);
		break;
	case EQT_FIELD_U64:
		eqt_text_whole(text, *(const uint64_t *) in);
		break;
	case EQT_FIELD_I64:
		/* Negated as unsigned: INT64_MIN has no positive twin. */
		whole = *(const int64_t *) in;
		if (whole < 0)
			eqt_text_put(text, "-");
		eqt_text_whole(text, whole < 0 ? -(uint64_t) whole
					       : (uint64_t) whole);
		break;
	case EQT_FIELD_DOUBLE:
		number_put(text, *(const double *) in);
		break;
	case EQT_FIELD_LONG_DOUBLE:
		number_put(text, *(const long double *) in);
		break;
	case EQT_FIELD_SIGNED:
		if (*(const double *) in < 0)
			eqt_text_put(text, "-");
		number_put(text, *(const double *) in);
		break;
	}
}

void eqt_form_write(struct eqt_text *text, const struct eqt_form *form,
		    const void *in)
{
	size_t i;

	for (i = 0; i < form->count; i++) {
		if (i > 0)
			eqt_text_bytes(text, &form->separator, 1);
		field_put(text, form->fields[i].kind,
			  (const char *) in + form->fields[i].at);
	}
}
