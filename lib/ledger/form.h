/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * form: the format of the lines of snapshots, journals and the record of charges. A
 * line has fields with a separator, numbers that keep all their bits, and a checksum at
 * the end. A form is a table of the fields of a line, for reading and writing. Only
 * lib/ledger uses it.
 */
#ifndef EQT_FORM_H
#define EQT_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "ledger/ledger.h"

#define EQT_FIELD_TEXT 64 /* bytes that are enough for any field */

enum eqt_field_kind {
	EQT_FIELD_U32,
	EQT_FIELD_U64,
	EQT_FIELD_I64,
	EQT_FIELD_DOUBLE, /* finite and not negative, as is the next kind */
	EQT_FIELD_LONG_DOUBLE,
	EQT_FIELD_SIGNED /* a finite double of either sign */
};

struct eqt_field {
	const char *name; /* the name in ledger.h, for error texts */
	enum eqt_field_kind kind;
	size_t at; /* offset of the number in the struct of the line */
};

struct eqt_form {
	char separator;
	size_t count;
	const struct eqt_field *fields;
};

#define EQT_FORM(separator, table)                                   \
	{                                                            \
		separator, sizeof(table) / sizeof((table)[0]), table \
	}

/* A part of a text that belongs to other code. A plain value. */
struct eqt_slice {
	const char *at; /* the first byte; NULL if nothing is left */
	const char *end;
};

/* Cut the first piece off *span, up to a separator or the end. A separator at the very
 * end leaves an empty piece. Return false if nothing is left. */
bool eqt_form_cut(struct eqt_slice *span, char separator,
		  struct eqt_slice *piece);

/* Is a piece equal to a word? */
bool eqt_form_is(struct eqt_slice span, const char *word);

/* Cut the fields of a form off *span, and store them in *out. Return 0, or -1 with err
 * filled ("RAW: ...") and a part of *out filled. */
int eqt_form_read(struct eqt_slice *span, const struct eqt_form *form,
		  void *out, struct eqt_error *err);

/* Check the checksum at the end of *span, and cut it off with the space before it.
 * Return 0, or -1 with err filled. */
int eqt_form_unseal(struct eqt_slice *span, struct eqt_error *err);

/* Append the fields of a form from *in. If they do not fit, text->full becomes true. */
void eqt_form_write(struct eqt_text *text, const struct eqt_form *form,
		    const void *in);

/* Append a separator and a number for each number of an array, in the format of
 * EQT_FIELD_LONG_DOUBLE. If they do not fit, text->full becomes true. */
void eqt_form_write_numbers(struct eqt_text *text, char separator,
			    const long double *numbers, size_t count);

/* Append the checksum of the text so far, and a newline. */
void eqt_form_seal(struct eqt_text *text);

/* May a number be in a ledger? It must be finite and not negative. */
bool eqt_form_is_number(long double number);

#endif
