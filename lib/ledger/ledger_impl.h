/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What snapshot and journal have in common, private to the ledger: fields with
 * a separator between them, numbers that keep their bits, and a checksum at
 * the end. A form is the schema of a line, for reading and writing alike.
 */
#ifndef EQT_LEDGER_IMPL_H
#define EQT_LEDGER_IMPL_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"

#define EQT_FIELD_TEXT 64 /* more than any one field takes */

enum eqt_field_kind {
	EQT_FIELD_U32,
	EQT_FIELD_U64,
	EQT_FIELD_I64,
	EQT_FIELD_DOUBLE, /* finite and >= 0, as is the next */
	EQT_FIELD_LONG_DOUBLE
};

struct eqt_field {
	const char *name; /* as in eqt_ledger.h, for the operator */
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

/* A stretch of somebody's text; a plain value. */
struct eqt_text_slice {
	const char *at; /* NULL: nothing left */
	const char *end;
};

/* Cut the first piece, up to a separator or the end, off *span; a separator
 * at the very end leaves an empty piece. False when nothing is left. */
bool eqt_text_slice_cut(struct eqt_text_slice *span, char separator,
			struct eqt_text_slice *piece);

/* Whether a piece is that word. */
bool eqt_text_slice_is(struct eqt_text_slice span, const char *word);

/* Cut a form's fields off *span into *out. 0, or -1 with err filled ("RAW:
 * ..."), *out then being filled in part. */
int eqt_form_read(struct eqt_text_slice *span, const struct eqt_form *form,
		  void *out, struct eqt_error *err);

/* Check the checksum at the end of *span and cut it off, the space before it
 * included. 0, or -1 with err filled. */
int eqt_text_slice_unseal(struct eqt_text_slice *span, struct eqt_error *err);

/* A text that is being written; a plain value, data is the maker's. */
struct eqt_text {
	char *data;
	size_t length;
	size_t space;
	bool full; /* something did not fit: no use any more */
};

/* Append words, a whole number, a number that is finite (its sign is left out:
 * -0.0 is >= 0 and so may come, but no sign is read back) as printf's %a has it,
 * with all its bits. What does not fit sets full. */
void eqt_text_put(struct eqt_text *text, const char *words);
void eqt_text_whole(struct eqt_text *text, uint64_t value);
void eqt_text_number(struct eqt_text *text, long double value);

/* Write a form's fields from *in. */
void eqt_text_form(struct eqt_text *text, const struct eqt_form *form,
		   const void *in);

/* Add the checksum of all that is there, and a newline. */
void eqt_text_seal(struct eqt_text *text);

/* Whether a number may stand in a ledger: finite and >= 0. */
bool eqt_number_valid(long double number);

/* A thread's locale for numbers while it is ours; a plain value. */
struct eqt_numeric {
	locale_t ours;
	locale_t theirs;
};

/*
 * Let this thread read numbers with a point, whatever the locale of
 * the daemon says (it may want a comma there), until the restore. 0, or -1 when memory is short.
 */
int eqt_numeric_begin(struct eqt_numeric *numeric);
void eqt_numeric_restore(struct eqt_numeric *numeric);

#endif
