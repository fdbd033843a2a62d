/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: append words and numbers to a buffer that the caller owns.
 *
 * Every submission prints its price, and a snapshot of a large site has millions
 * of numbers. printf would take longer for the words than the computation of the
 * price takes, so it is not used here. Nothing allocates.
 */
#ifndef EQT_TEXT_H
#define EQT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A text that is being written; a plain value, made as
 * { .data = BUF, .space = SIZE }. The buffer is the caller's. The text is cut where
 * the buffer ends, and ends with a NUL after each call, unless space is 0.
 */
struct eqt_text {
	char *data;
	size_t space; /* bytes of data, the NUL included */
	size_t length; /* of the text, without the NUL */
	bool full; /* something was cut off */
};

/* Append as many bytes as fit, and note that others were cut. */
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

/* Append words. Inline: the compiler knows the length of nearly all of them. */
static inline void eqt_text_put(struct eqt_text *text, const char *words)
{
	eqt_text_bytes(text, words, strlen(words));
}

/* Append a number in decimal. */
void eqt_text_whole(struct eqt_text *text, uint64_t value);

/*
 * Copy the next name of a list "a,b" into buf, and move *list behind it. Empty names
 * are passed over; one that does not fit is "?". False at the end of the list.
 */
bool eqt_text_next_name(char *buf, size_t size, const char **list);

/* Is the word in a list with commas, in any case? NULL is an empty list. */
bool eqt_text_list_has(const char *list, const char *word);

/* The same, but the case must match. */
bool eqt_text_list_has_exact(const char *list, const char *word);

/* Copy a name in lower case, as Slurm keeps those of accounts and QOS. False: it does
 * not fit. */
bool eqt_text_lower(char *buf, size_t size, const char *name);

/* Cut the zeros at the end of a decimal number such as "2.500000", and its point if no
 * digit follows. Returns the text. */
char *eqt_text_cut_zeros(char *number);

/* Decode the first character of a UTF-8 text into *c. Returns its number of bytes; 0:
 * the text is not UTF-8. Overlong forms are refused, because they would be other ways
 * to write a "<". */
size_t eqt_text_utf8(uint32_t *c, const char *text);

/* Append a name as a word of a line: bytes up to the space, % and DEL become % and two
 * hexadecimal digits. An empty name is "-", and the name "-" is "%2d". */
void eqt_text_escape(struct eqt_text *text, const char *name);

/* Read the word from at to end as eqt_text_escape() wrote it. 0, or -1: another text, or a
 * name that does not fit. *name is filled in part then. */
int eqt_text_unescape(char *name, size_t size, const char *at, const char *end);

/* The value of a hexadecimal digit as this room writes it, or -1. */
int eqt_text_hex_digit(char digit);

#define EQT_DIGITS 20 /* of 2^64 - 1 */

/* Write the decimal digits of a number into buf, of EQT_DIGITS bytes, without a
 * NUL. Returns how many there are. */
size_t eqt_digits(char *buf, uint64_t value);

/* Read decimal digits from *at up to end (NULL: up to another character), and step over
 * them. 0, or -1: there is none, or the number does not fit 64 bits. */
int eqt_digits_read(uint64_t *value, const char **at, const char *end);

#endif
