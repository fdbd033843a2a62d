/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read and write fields, numbers and checksums for all lines of the ledger. The input
 * may be cut, altered or malicious. */
#include <float.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/fraction.h"
#include "base/text.h"
#include "ledger/form.h"

#define SEAL_TEXT 8 /* the hexadecimal digits of a CRC-32 */
#define SHOWN_MAX 40 /* bytes of an invalid field that the error text shows */

static size_t span_length(struct eqt_slice span)
{
	return (size_t) (span.end - span.at);
}

bool eqt_form_cut(struct eqt_slice *span, char separator,
		  struct eqt_slice *piece)
{
	const char *found;

	if (!span->at)
		return false;
	piece->at = span->at;
	found = memchr(span->at, separator, span_length(*span));
	piece->end = found ? found : span->end;
	span->at = found ? found + 1 : NULL;
	return true;
}

bool eqt_form_is(struct eqt_slice span, const char *word)
{
	return span.at && span_length(span) == strlen(word) &&
	       memcmp(span.at, word, span_length(span)) == 0;
}

/* Read digits and nothing else. A leading zero is an error, because each number has
 * only one text. */
static int whole_read(uint64_t *out, struct eqt_slice span, uint64_t max)
{
	const char *p = span.at;
	uint64_t value;

	if (eqt_digits_read(&value, &p, span.end) < 0 || p != span.end ||
	    (*span.at == '0' && span_length(span) > 1) || value > max)
		return -1;
	*out = value;
	return 0;
}

/* These functions read a field. They return 0, or -1 with *out unchanged. */
static int u32_read(void *out, struct eqt_slice span)
{
	uint64_t value;

	if (whole_read(&value, span, UINT32_MAX) < 0)
		return -1;
	*(uint32_t *) out = (uint32_t) value;
	return 0;
}

static int u64_read(void *out, struct eqt_slice span)
{
	return whole_read(out, span, UINT64_MAX);
}

static int i64_read(void *out, struct eqt_slice span)
{
	bool negative = span.at < span.end && *span.at == '-';
	uint64_t size;

	if (negative)
		span.at++;
	if (whole_read(&size, span, (uint64_t) INT64_MAX + negative) < 0)
		return -1;
	if (negative && size == 0)
		return -1;
	/* 1 is subtracted before and after the negation, because -INT64_MIN does not
	 * fit. */
	*(int64_t *) out = negative ? -(int64_t) (size - 1) - 1
				    : (int64_t) size;
	return 0;
}

bool eqt_form_is_number(long double number)
{
	return isfinite(number) && number >= 0;
}

/* A number as bits and an exponent of 2. The digits of a long double that begins with 1
 * have 65 bits. */
struct number_bits {
	eqt_u128 bits;
	int64_t exponent;
};

/* Read hexadecimal digits with at most one point. strtold() is slower and would use the
 * decimal point of slurmctld's locale. */
static const char *bits_read(struct number_bits *out, struct eqt_slice span)
{
	const char *p = span.at;
	bool point = false, any = false;

	for (; p < span.end; p++) {
		const int digit = eqt_text_hex_digit(*p);

		if (digit < 0 && (*p != '.' || point))
			break;
		if (digit < 0) {
			point = true;
			continue;
		}
		if (out->bits >> 64)
			return NULL;
		out->bits = out->bits << 4 | (unsigned int) digit;
		out->exponent -= point ? 4 : 0;
		any = true;
	}
	return any ? p : NULL;
}

/* Read a number that number_write() wrote: "0x", hexadecimal digits and an exponent.
 * Signs, "inf", "nan" and decimal numbers are errors. */
static int bits_read_all(struct number_bits *out, struct eqt_slice span)
{
	uint64_t exponent;
	bool negative;

	*out = (struct number_bits){ 0 };
	if (span_length(span) < 3 || memcmp(span.at, "0x", 2) != 0)
		return -1;
	span.at = bits_read(out, (struct eqt_slice){ span.at + 2, span.end });
	if (!span.at)
		return -1;
	if (span.at == span.end)
		return 0;
	if (span.end - span.at < 3 || *span.at != 'p' ||
	    (span.at[1] != '+' && span.at[1] != '-'))
		return -1;
	negative = span.at[1] == '-';
	span.at += 2;
	if (whole_read(&exponent, span, 99999) < 0)
		return -1;
	out->exponent += negative ? -(int64_t) exponent : (int64_t) exponent;
	return 0;
}

/* A number that does not fit is an error, because number_write() does not write one. */
static int long_double_read(void *out, struct eqt_slice span)
{
	struct number_bits in;
	long double value;

	if (bits_read_all(&in, span) < 0)
		return -1;
	value = ldexpl((long double) in.bits, (int) in.exponent);
	if (!eqt_form_is_number(value) || (in.bits && value == 0))
		return -1;
	*(long double *) out = value;
	return 0;
}

static int double_read(void *out, struct eqt_slice span)
{
	long double exact;
	double value;

	if (long_double_read(&exact, span) < 0)
		return -1;
	value = (double) exact;
	if (!eqt_form_is_number(value) || (exact > 0 && value == 0))
		return -1;
	*(double *) out = value;
	return 0;
}

/* Read a double, which may have a minus sign if it is not 0. */
static int signed_read(void *out, struct eqt_slice span)
{
	const bool below = span.at < span.end && *span.at == '-';
	double value;

	if (below)
		span.at++;
	if (double_read(&value, span) < 0 || (below && value == 0))
		return -1;
	*(double *) out = below ? -value : value;
	return 0;
}

/* The reader of each kind of field, and the words of its error. */
static const struct {
	int (*read)(void *out, struct eqt_slice span);
	const char *wanted;
} kinds[] = {
	[EQT_FIELD_U32] = { u32_read, "a whole number below 2^32" },
	[EQT_FIELD_U64] = { u64_read, "a whole number below 2^64" },
	[EQT_FIELD_I64] = { i64_read, "a whole number of 64 bits" },
	[EQT_FIELD_DOUBLE] = { double_read,
			       "a finite hexadecimal number >= 0" },
	[EQT_FIELD_LONG_DOUBLE] = { long_double_read,
				    "a finite hexadecimal number >= 0" },
	[EQT_FIELD_SIGNED] = { signed_read, "a finite hexadecimal number" },
};

int eqt_form_read(struct eqt_slice *span, const struct eqt_form *form,
		  void *out, struct eqt_error *err)
{
	const struct eqt_field *field = form->fields;
	struct eqt_slice piece;
	size_t shown;

	for (; field < form->fields + form->count; field++) {
		if (!eqt_form_cut(span, form->separator, &piece))
			return eqt_error_set(err, "%s: missing", field->name);
		if (kinds[field->kind].read((char *) out + field->at, piece) ==
		    0)
			continue;
		shown = span_length(piece);
		if (shown > SHOWN_MAX)
			shown = SHOWN_MAX;
		return eqt_error_set(err, "%s: \"%.*s\" is not %s", field->name,
				     (int) shown, piece.at,
				     kinds[field->kind].wanted);
	}
	return 0;
}

/* Write the eight hexadecimal digits of a number. Each digit gets a byte of one word, in
 * which all digits become characters at once. Lines are sealed under slurmctld's job
 * lock, and the printf family would be slower. */
static void hex_digits(char to[8], uint32_t number)
{
	uint64_t digits = number, letters;

	digits = (digits << 16 | digits) & 0x0000ffff0000ffff;
	digits = (digits << 8 | digits) & 0x00ff00ff00ff00ff;
	digits = (digits << 4 | digits) & 0x0f0f0f0f0f0f0f0f;
	/* A digit above 9 carries into the upper half of its byte. */
	letters = (digits + 0x0606060606060606) >> 4 & 0x0101010101010101;
	digits += 0x3030303030303030 + letters * ('a' - '0' - 10);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	digits = __builtin_bswap64(digits);
#endif
	memcpy(to, &digits, sizeof(digits));
}

/* CRC-32 detects texts that are cut or damaged. It does not protect against an
 * attacker, who could write the state files of slurmctld anyway. */
static void seal_write(char seal[SEAL_TEXT], const char *data, size_t length)
{
	/* zlib's initial value is crc32_z(0, NULL, 0), which is 0. */
	hex_digits(seal,
		   (uint32_t) crc32_z(0, (const unsigned char *) data, length));
}

int eqt_form_unseal(struct eqt_slice *span, struct eqt_error *err)
{
	char seal[SEAL_TEXT];
	const char *found = span->end - SEAL_TEXT;

	/* A space among the last characters means that digits are missing. */
	if (span_length(*span) <= SEAL_TEXT || found[-1] != ' ' ||
	    memchr(found, ' ', SEAL_TEXT))
		return eqt_error_set(err, "cut short: no checksum at the end");
	seal_write(seal, span->at, (size_t) (found - span->at));
	if (memcmp(seal, found, SEAL_TEXT) != 0)
		return eqt_error_set(err,
				     "altered: checksum \"%.*s\" is not %.*s",
				     SEAL_TEXT, found, SEAL_TEXT, seal);
	span->end = found - 1;
	return 0;
}

void eqt_form_seal(struct eqt_text *text)
{
	char seal[SEAL_TEXT + 1] = { [SEAL_TEXT] = '\n' };

	if (text->full)
		return;
	seal_write(seal, text->data, text->length);
	eqt_text_bytes(text, seal, sizeof(seal));
}

/* ---- Writing ------------------------------------------------------------------------
 * Write the fields of a form for a snapshot, for a line of the journal or for a running
 * job. On a large site these are millions of numbers in each pass, so printf() is not
 * used. */

#if LDBL_MANT_DIG > 64
#error "a long double of more than 64 bits does not fit number_write()"
#endif

/* Write a point and the hexadecimal digits of a fraction whose first bit is the highest,
 * without zeros at the end. Return the number of bytes. A fraction of 0 has none. */
static size_t fraction_digits(char to[17], uint64_t bits)
{
	if (!bits)
		return 0;
	*to++ = '.';
	hex_digits(to, (uint32_t) (bits >> 32));
	hex_digits(to + 8, (uint32_t) bits);
	return 17 - (size_t) __builtin_ctzll(bits) / 4;
}

/* Write the number 1.f * 2^exponent, where the bits of f begin with the highest. */
static size_t parts_write(char *to, uint64_t fraction, int exponent)
{
	size_t count = 3;

	memcpy(to, "0x1", count);
	count += fraction_digits(to + count, fraction);
	to[count++] = 'p';
	to[count++] = exponent < 0 ? '-' : '+';
	return count +
	       eqt_digits(to + count,
			  (uint64_t) (exponent < 0 ? -exponent : exponent));
}

/* The fraction of a finite number, whose first bit is the highest and is 1, and its
 * exponent of two, so that the number is 0.fraction * 2^exponent. */
static uint64_t number_parts(long double value, int *exponent)
{
#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
	/* These are the two parts of the format, of 64 and of 15 bits. */
	uint64_t bits;
	uint16_t high;

	memcpy(&bits, &value, sizeof(bits));
	memcpy(&high, (const char *) &value + sizeof(bits), sizeof(high));
	*exponent = (high & 0x7fff) - 16382;
	if (bits >> 63)
		return bits;
#endif
	return (uint64_t) ldexpl(frexpl(fabsl(value), exponent), 64);
}

/* Write a finite number with all its bits, in the format of %a, so that strtold() can
 * read it. The sign is not written. Only -0.0 can have one, because it passes the test
 * for >= 0, and the reader does not accept signs. */
static size_t number_write(char *to, long double value)
{
	uint64_t bits;
	int exponent;

	if (value == 0) {
		memcpy(to, "0x0p+0", 6);
		return 6;
	}
	bits = number_parts(value, &exponent);
	return parts_write(to, bits << 1, exponent - 1);
}

/* Write a double. Its parts are taken from its bits without the mathematics library,
 * unless it is 0 or denormal. */
static size_t double_write(char *to, double value)
{
	uint64_t bits, exponent;

	memcpy(&bits, &value, sizeof(bits));
	exponent = bits >> 52 & 0x7ff;
	return exponent ? parts_write(to, bits << 12, (int) exponent - 1023)
			: number_write(to, value);
}

/* Write the text of a field, of at most EQT_FIELD_TEXT bytes. */
static size_t field_write(char *to, enum eqt_field_kind kind, const void *in)
{
	size_t sign = 0;
	int64_t whole;

	switch (kind) {
	case EQT_FIELD_U32:
		return eqt_digits(to, *(const uint32_t *) in);
	case EQT_FIELD_U64:
		return eqt_digits(to, *(const uint64_t *) in);
	case EQT_FIELD_I64:
		/* The negation is unsigned, because -INT64_MIN does not fit. */
		whole = *(const int64_t *) in;
		if (whole < 0)
			to[sign++] = '-';
		return sign + eqt_digits(to + sign, whole < 0
							    ? -(uint64_t) whole
							    : (uint64_t) whole);
	case EQT_FIELD_SIGNED:
		if (*(const double *) in < 0)
			to[sign++] = '-';
		return sign + double_write(to + sign, *(const double *) in);
	case EQT_FIELD_DOUBLE:
		return double_write(to, *(const double *) in);
	case EQT_FIELD_LONG_DOUBLE:
		return number_write(to, *(const long double *) in);
	}
	return 0;
}

/* The state of writing fields to a text. If the text certainly has room for all fields,
 * they are written straight into it. Otherwise each field is written to `one` first and
 * then appended. */
struct writing {
	struct eqt_text *text;
	bool fits;
	char *to; /* where the next byte is written */
	char one[EQT_FIELD_TEXT + 1]; /* a field and its separator */
};

static void writing_begin(struct writing *writing, struct eqt_text *text,
			  size_t fields)
{
	writing->text = text;
	writing->fits = text->space - text->length > fields * EQT_FIELD_TEXT;
	writing->to = writing->fits ? text->data + text->length : writing->one;
}

/* End a field with its separator. */
static void writing_next(struct writing *writing)
{
	if (writing->fits)
		return;
	eqt_text_bytes(writing->text, writing->one,
		       (size_t) (writing->to - writing->one));
	writing->to = writing->one;
}

static void writing_end(struct writing *writing)
{
	if (!writing->fits)
		return;
	*writing->to = '\0';
	writing->text->length = (size_t) (writing->to - writing->text->data);
}

void eqt_form_write(struct eqt_text *text, const struct eqt_form *form,
		    const void *in)
{
	const struct eqt_field *field = form->fields;
	const struct eqt_field *const end = field + form->count;
	struct writing writing;

	writing_begin(&writing, text, form->count);
	for (; field < end; field++) {
		writing.to += field_write(writing.to, field->kind,
					  (const char *) in + field->at);
		if (field + 1 < end)
			*writing.to++ = form->separator;
		writing_next(&writing);
	}
	writing_end(&writing);
}

void eqt_form_write_numbers(struct eqt_text *text, char separator,
			    const long double *numbers, size_t count)
{
	struct writing writing;

	writing_begin(&writing, text, count);
	for (size_t i = 0; i < count; i++) {
		*writing.to++ = separator;
		writing.to += number_write(writing.to, numbers[i]);
		writing_next(&writing);
	}
	writing_end(&writing);
}
