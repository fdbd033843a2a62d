/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * form: the line format that snapshot, journal and record of charges share:
 * fields with a separator, numbers that keep their bits, a checksum at the end. A form is the
 * schema of a line, for reading and writing. Private to lib/ledger.
 */
#ifndef EQT_FORM_H
#define EQT_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "ledger/ledger.h"

#define EQT_FIELD_TEXT 64 /* more than any one field takes */

enum eqt_field_kind {
	EQT_FIELD_U32,
	EQT_FIELD_U64,
	EQT_FIELD_I64,
	EQT_FIELD_DOUBLE, /* finite and >= 0, as is the next */
	EQT_FIELD_LONG_DOUBLE,
	EQT_FIELD_SIGNED /* a finite double */
};

struct eqt_field {
	const char *name; /* as in ledger.h, for the operator */
	enum eqt_field_kind kind;
	size_t at; /* offset in the struct that it belongs to */
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

/* A part of a text that somebody else owns; a plain value. */
struct eqt_slice {
	const char *at; /* NULL: nothing left */
	const char *end;
};

/* Cut the first piece, up to a separator or the end, off *span; a separator
 * at the very end leaves an empty piece. False when nothing is left. */
bool eqt_form_cut(struct eqt_slice *span, char separator,
		  struct eqt_slice *piece);

/* Is the piece that word? */
bool eqt_form_is(struct eqt_slice span, const char *word);

/* Cut a form's fields off *span into *out. Returns 0, or -1 with err filled ("RAW:
 * ...") and *out filled in part. */
int eqt_form_read(struct eqt_slice *span, const struct eqt_form *form,
		  void *out, struct eqt_error *err);

/* Check the checksum at the end of *span and cut it off, the space before it
 * included. 0, or -1 with err filled. */
int eqt_form_unseal(struct eqt_slice *span, struct eqt_error *err);

/* Append a form's fields from *in. What does not fit sets text->full. */
void eqt_form_write(struct eqt_text *text, const struct eqt_form *form,
		    const void *in);

/* Append the checksum of the text so far, and a newline. */
void eqt_form_seal(struct eqt_text *text);

/* May the number be in a ledger: is it finite and >= 0? */
bool eqt_form_is_number(long double number);

#endif
