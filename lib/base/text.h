/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: append words and numbers to a buffer of the caller.
 *
 * Every submission prints its price, and a snapshot of a large site has millions of
 * numbers. printf() is not used here, because formatting a price with it would take
 * longer than computing the price. Nothing is allocated.
 */
#ifndef EQT_TEXT_H
#define EQT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A text that is being written. A plain value, initialised with { .data = BUF, .space =
 * SIZE }. The buffer belongs to the caller. The text is cut at the end of the buffer,
 * and it ends with a NUL after each call unless space is 0.
 */
struct eqt_text {
	char *data;
	size_t space; /* size of data in bytes, including the NUL */
	size_t length; /* length of the text in bytes, without the NUL */
	bool full; /* whether part of the text was cut off */
};

/* Append as many bytes as fit, and set the member full. */
void eqt_text_cut(struct eqt_text *text, const char *bytes);

/* Append length bytes, none of which is a NUL. */
static inline void eqt_text_bytes(struct eqt_text *text, const char *bytes,
				  size_t length)
{
	if (length >= text->space - text->length) {
		eqt_text_cut(text, bytes);
		return;
	}
	memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = '\0';
}

/* Append a string. The function is inline, because the compiler then knows the lengths
 * of string literals. */
static inline void eqt_text_put(struct eqt_text *text, const char *words)
{
	eqt_text_bytes(text, words, strlen(words));
}

/* Append a number in decimal digits. */
void eqt_text_whole(struct eqt_text *text, uint64_t value);

/*
 * Copy the next name of a comma-separated list into buf, and advance *list past it.
 * Empty names are skipped. A name that does not fit becomes "?". Return false at the
 * end of the list.
 */
bool eqt_text_next_name(char *buf, size_t size, const char **list);

/* Is a word in a comma-separated list, ignoring case? NULL is an empty list. */
bool eqt_text_list_has(const char *list, const char *word);

/* Is a word in a comma-separated list in the same case? NULL is an empty list. */
bool eqt_text_list_has_exact(const char *list, const char *word);

/* Copy a name in lower case, which is how Slurm stores names of accounts and QOS.
 * Return false if the name does not fit. */
bool eqt_text_lower(char *buf, size_t size, const char *name);

/* Remove the zeros at the end of a decimal number such as "2.500000". If no decimals
 * remain, remove the point, too. Return the text. */
char *eqt_text_cut_zeros(char *number);

/* Decode the first character of a UTF-8 text into *c. Return the number of its bytes,
 * or 0 if the text is not UTF-8. Overlong forms are refused, because they would let a
 * "<" pass that other code has to escape. */
size_t eqt_text_utf8(uint32_t *c, const char *text);

/* Append a name as one word of a line. Control characters, the space, % and DEL are
 * written as % and two hexadecimal digits. An empty name becomes "-", and the name "-"
 * becomes "%2d". */
void eqt_text_escape(struct eqt_text *text, const char *name);

/* Read the bytes from at to end as a name that eqt_text_escape() wrote. Return 0, or -1
 * with part of the name in *name if the bytes have another form or the name does not
 * fit. */
int eqt_text_unescape(char *name, size_t size, const char *at, const char *end);

/* Return the value of a hexadecimal digit in lower case, or -1 if the character is no
 * such digit. */
int eqt_text_hex_digit(char digit);

#define EQT_DIGITS 20 /* the number of digits of 2^64 - 1 */

/* Write the decimal digits of a number into a buf of EQT_DIGITS bytes, without a NUL.
 * Return the number of digits. */
size_t eqt_digits(char *buf, uint64_t value);

/* Read decimal digits from *at, and step over them. The digits end at `end` or, if
 * `end` is NULL, at the first character that is no digit. Return 0, or -1 if there is
 * no digit or the number does not fit 64 bits. */
int eqt_digits_read(uint64_t *value, const char **at, const char *end);

#endif
