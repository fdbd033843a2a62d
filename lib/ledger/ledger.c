/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads fields, numbers and checksums, for snapshots and journal lines. The input may
 * be cut, altered or hostile. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ledger/ledger_impl.h"

#define SEAL_TEXT 8 /* hexadecimal digits of a CRC-32 */
#define SHOWN_MAX 40 /* bytes of a bad field in an error's text */

static size_t span_length(struct eqt_slice span)
{
	return (size_t) (span.end - span.at);
}

bool eqt_slice_cut(struct eqt_slice *span, char separator,
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

bool eqt_slice_is(struct eqt_slice span, const char *word)
{
	return span.at && span_length(span) == strlen(word) &&
	       memcmp(span.at, word, span_length(span)) == 0;
}

/* Read digits and nothing else. A leading zero is refused: each number has exactly
 * one text, the one that we write. */
static int whole_read(uint64_t *out, struct eqt_slice span, uint64_t max)
{
	uint64_t value = 0;
	const char *p;

	if (span.at == span.end || (*span.at == '0' && span_length(span) > 1))
		return -1;
	for (p = span.at; p < span.end; p++) {
		if (*p < '0' || *p > '9' ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *p - '0', &value))
			return -1;
	}
	if (value > max)
		return -1;
	*out = value;
	return 0;
}

/* The readers of fields: 0, or -1 with *out untouched. */
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
	/* Subtract 1 before and after: INT64_MIN has no positive twin. */
	*(int64_t *) out = negative ? -(int64_t) (size - 1) - 1
				    : (int64_t) size;
	return 0;
}

bool eqt_number_valid(long double number)
{
	return isfinite(number) && number >= 0;
}

/* Make a NUL-terminated copy for strtod(). Only the characters that printf's %a writes
 * are let through: no space, leading sign, "inf", "nan" or decimal number. */
static int number_copy(char copy[EQT_FIELD_TEXT], struct eqt_slice span)
{
	size_t length = span_length(span);

	if (length < 3 || length >= EQT_FIELD_TEXT ||
	    memcmp(span.at, "0x", 2) != 0)
		return -1;
	memcpy(copy, span.at, length);
	copy[length] = '\0';
	if (strspn(copy + 2, "0123456789abcdef.p+-") != length - 2)
		return -1;
	return 0;
}

/* Read only what number_put() writes: hexadecimal, finite, no sign. It never writes a
 * number that gives ERANGE. */
static int double_read(void *out, struct eqt_slice span)
{
	char copy[EQT_FIELD_TEXT], *rest;
	double value;

	if (number_copy(copy, span) < 0)
		return -1;
	errno = 0;
	value = strtod(copy, &rest);
	if (*rest || errno == ERANGE || !eqt_number_valid(value))
		return -1;
	*(double *) out = value;
	return 0;
}

/* The same with a minus sign for what is below 0. */
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

static int long_double_read(void *out, struct eqt_slice span)
{
	char copy[EQT_FIELD_TEXT], *rest;
	long double value;

	if (number_copy(copy, span) < 0)
		return -1;
	errno = 0;
	value = strtold(copy, &rest);
	if (*rest || errno == ERANGE || !eqt_number_valid(value))
		return -1;
	*(long double *) out = value;
	return 0;
}

/* The reader of each kind, and what the error says that it expected. */
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
		if (!eqt_slice_cut(span, form->separator, &piece))
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

/* CRC-32 detects torn and damaged texts. It does not protect against an attacker, who
 * could write slurmctld's state files anyway. */
static void seal_write(char seal[SEAL_TEXT], const char *data, size_t length)
{
	/* zlib's start value is crc32_z(0, NULL, 0), which is 0. */
	uLong crc = crc32_z(0, (const unsigned char *) data, length);

	/* By hand: a line is sealed under slurmctld's job lock. */
	for (int i = SEAL_TEXT; i-- > 0; crc >>= 4)
		seal[i] = "0123456789abcdef"[crc & 0xf];
}

int eqt_form_unseal(struct eqt_slice *span, struct eqt_error *err)
{
	char seal[SEAL_TEXT];
	const char *found = span->end - SEAL_TEXT;

	/* A space among the last digits means that digits are missing. */
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
	char seal[SEAL_TEXT];

	if (text->full)
		return;
	seal_write(seal, text->data, text->length);
	eqt_text_bytes(text, seal, SEAL_TEXT);
	eqt_text_put(text, "\n");
}

/* uselocale() changes this thread only; setlocale() would change all of slurmctld. */
int eqt_numeric_begin(struct eqt_numeric *numeric)
{
	numeric->ours = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
	if (numeric->ours == (locale_t) 0)
		return -1;
	numeric->theirs = uselocale(numeric->ours);
	return 0;
}

void eqt_numeric_restore(struct eqt_numeric *numeric)
{
	uselocale(numeric->theirs);
	freelocale(numeric->ours);
}
