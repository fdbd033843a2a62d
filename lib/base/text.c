/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every append goes through eqt_text_bytes(), which alone checks the space. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* Cut the text rather than refuse to write it, because a user is better served by part
 * of a price than by none. Code that writes the ledger, where a cut is an error, checks
 * the member full. */
void eqt_text_cut(struct eqt_text *text, const char *bytes)
{
	const size_t left = text->space - text->length;

	/* Once a text is full, nothing more is appended, even if it would fit. */
	text->full = true;
	if (left == 0)
		return;
	memcpy(text->data + text->length, bytes, left - 1);
	text->length = text->space - 1;
	text->data[text->length] = '\0';
}

void eqt_text_whole(struct eqt_text *text, uint64_t value)
{
	char digits[EQT_DIGITS];

	eqt_text_bytes(text, digits, eqt_digits(digits, value));
}

/* The two digits of each number below 100. */
static const char digit_pairs[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

/* Write two digits at a time, beginning with the last ones. */
static void digits_write(char *end, uint64_t value)
{
	for (; value >= 10; value /= 100) {
		end -= 2;
		memcpy(end, digit_pairs + 2 * (value % 100), 2);
	}
	if (value)
		end[-1] = (char) ('0' + value);
}

/* The number of decimal digits, from the number of bits: 1233 / 4096 is just above the
 * logarithm of 2. */
static size_t digits_count(uint64_t value)
{
	static const uint64_t powers[] = {
		UINT64_C(0),
		UINT64_C(10),
		UINT64_C(100),
		UINT64_C(1000),
		UINT64_C(10000),
		UINT64_C(100000),
		UINT64_C(1000000),
		UINT64_C(10000000),
		UINT64_C(100000000),
		UINT64_C(1000000000),
		UINT64_C(10000000000),
		UINT64_C(100000000000),
		UINT64_C(1000000000000),
		UINT64_C(10000000000000),
		UINT64_C(100000000000000),
		UINT64_C(1000000000000000),
		UINT64_C(10000000000000000),
		UINT64_C(100000000000000000),
		UINT64_C(1000000000000000000),
		UINT64_C(10000000000000000000),
	};
	const size_t below = (size_t) (64 - __builtin_clzll(value)) * 1233 >>
			     12;

	return below + (value >= powers[below]);
}

size_t eqt_digits(char *buf, uint64_t value)
{
	size_t count;

	/* Most numbers in the files of the ledger have one digit, or two as the exponents
	 * of most amounts. */
	if (value < 10) {
		*buf = (char) ('0' + value);
		return 1;
	}
	if (value < 100) {
		memcpy(buf, digit_pairs + 2 * value, 2);
		return 2;
	}
	count = digits_count(value);
	digits_write(buf + count, value);
	return count;
}

int eqt_digits_read(uint64_t *value, const char **at, const char *end)
{
	const char *first = *at;

	*value = 0;
	for (; *at != end && **at >= '0' && **at <= '9'; (*at)++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t) (**at - '0'),
					   value))
			return -1;
	}
	return *at == first ? -1 : 0;
}

static bool byte_is_escaped(char byte)
{
	return (unsigned char) byte <= ' ' || byte == '%' || byte == 0x7f;
}

void eqt_text_escape(struct eqt_text *text, const char *name)
{
	static const char hex[] = "0123456789abcdef";
	const bool dash = strcmp(name, "-") == 0;

	if (!*name)
		eqt_text_put(text, "-");
	while (*name) {
		const unsigned char byte = (unsigned char) *name;
		const char escaped[] = { '%', hex[byte >> 4], hex[byte & 15] };
		size_t plain = 0;

		while (!dash && name[plain] && !byte_is_escaped(name[plain]))
			plain++;
		if (plain)
			eqt_text_bytes(text, name, plain);
		else
			eqt_text_bytes(text, escaped, sizeof(escaped));
		name += plain ? plain : 1;
	}
}

int eqt_text_hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Read one byte, which may be escaped. Return NUL if eqt_text_escape() would not have
 * written it in this form. */
static char byte_read(const char **at, const char *end, bool dash)
{
	const char *p = *at;
	int high, low;
	char byte;

	*at += *p == '%' ? 3 : 1;
	if (*p != '%')
		return byte_is_escaped(*p) ? '\0' : *p;
	if (end - p < 3)
		return '\0';
	high = eqt_text_hex_digit(p[1]);
	low = eqt_text_hex_digit(p[2]);
	if (high < 0 || low < 0)
		return '\0';
	byte = (char) (high << 4 | low);
	return dash || byte_is_escaped(byte) ? byte : '\0';
}

int eqt_text_unescape(char *name, size_t size, const char *at, const char *end)
{
	const bool dash = end - at == 3 && memcmp(at, "%2d", 3) == 0;
	size_t length = 0;

	if (at == end)
		return -1;
	if (end - at == 1 && *at == '-')
		at = end;
	while (at < end) {
		if (length + 1 == size)
			return -1;
		name[length] = byte_read(&at, end, dash);
		if (!name[length++])
			return -1;
	}
	name[length] = '\0';
	return 0;
}

bool eqt_text_next_name(char *buf, size_t size, const char **list)
{
	const char *name = *list + strspn(*list, ",");
	const size_t length = strcspn(name, ",");
	struct eqt_text text = { .data = buf, .space = size };

	*list = name + length;
	if (length == 0)
		return false;
	if (length < size)
		eqt_text_bytes(&text, name, length);
	else
		eqt_text_put(&text, "?");
	return true;
}

/* Is a word an item of a list? compare is strncmp() or strncasecmp(). */
static bool list_has(const char *list, const char *word,
		     int (*compare)(const char *, const char *, size_t))
{
	size_t length = strlen(word), item;

	while (list && *list != '\0') {
		item = strcspn(list, ",");
		if (item == length && compare(list, word, length) == 0)
			return true;
		list += item + (list[item] == ',');
	}
	return false;
}

bool eqt_text_list_has(const char *list, const char *word)
{
	return list_has(list, word, strncasecmp);
}

bool eqt_text_list_has_exact(const char *list, const char *word)
{
	return list_has(list, word, strncmp);
}

bool eqt_text_lower(char *buf, size_t size, const char *name)
{
	const size_t length = strlen(name);

	if (length >= size)
		return false;
	for (size_t i = 0; i <= length; i++)
		buf[i] = (char) tolower((unsigned char) name[i]);
	return true;
}

char *eqt_text_cut_zeros(char *number)
{
	size_t length = strlen(number);

	while (length > 0 && number[length - 1] == '0')
		number[--length] = '\0';
	if (length > 0 && number[length - 1] == '.')
		number[length - 1] = '\0';
	return number;
}

size_t eqt_text_utf8(uint32_t *c, const char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *) text;
	const size_t bytes = at[0] < 0x80	      ? 1
			     : (at[0] & 0xe0) == 0xc0 ? 2
			     : (at[0] & 0xf0) == 0xe0 ? 3
			     : (at[0] & 0xf8) == 0xf0 ? 4
						      : 0;

	*c = bytes > 1 ? at[0] & (0x7fu >> bytes) : at[0];
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (at[i] & 0x3fu);
	}
	if (bytes == 0 || *c < least[bytes] || *c > 0x10ffff ||
	    (*c >= 0xd800 && *c <= 0xdfff))
		return 0;
	return bytes;
}
