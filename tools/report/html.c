/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "report/html.h"

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */
#define NAME_MAX_PLAIN 190 /* longer names are cut, and end in a hash */

/* ---- Text ----------------------------------------------------------------- */

/* Could a character deceive a reader, or end a line? That is true of control characters,
 * of marks that change the direction of text, and of characters without width. */
static bool character_is_odd(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x061c;
}

/* The character reference for a character. NULL if it needs none, even within a quoted
 * attribute. */
static const char *character_reference(uint32_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Write a text so that a browser shows it as text, even within a quoted attribute. */
static void text_print(FILE *to, const char *text)
{
	const char *reference;
	size_t bytes;
	uint32_t c;

	for (; *text != '\0'; text += bytes) {
		bytes = eqt_text_utf8(&c, text);
		if (bytes == 0 || character_is_odd(c)) {
			bytes = bytes ? bytes : 1;
			(void) fputs(UNKNOWN, to);
			continue;
		}
		reference = character_reference(c);
		if (reference)
			(void) fputs(reference, to);
		else
			(void) fwrite(text, 1, bytes, to);
	}
}

/* ---- Formats -------------------------------------------------------------- */

/* Write a number by the conversion that begins at the '%' of format. Returns the end of
 * the conversion. */
static const char *number_print(FILE *to, const char *format, va_list *args)
{
	const size_t length = strcspn(format, "dufg") + 1;
	char one[16];

	(void) snprintf(one, sizeof(one), "%.*s", (int) length, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (one[length - 1] == 'd')
		(void) fprintf(to, one, va_arg(*args, int));
	else if (one[length - 1] == 'u')
		(void) fprintf(to, one, va_arg(*args, size_t));
	else
		(void) fprintf(to, one, va_arg(*args, double));
#pragma GCC diagnostic pop
	return format + length;
}

void eqt_html_print(FILE *to, const char *format, ...)
{
	va_list args;
	size_t plain;

	va_start(args, format);
	while (*format != '\0') {
		plain = strcspn(format, "%");
		(void) fwrite(format, 1, plain, to);
		format += plain;
		if (format[0] == '\0')
			break;
		if (format[1] == '%') {
			(void) fputc('%', to);
			format += 2;
		} else if (format[1] == 's') {
			text_print(to, va_arg(args, const char *));
			format += 2;
		} else {
			format = number_print(to, format, &args);
		}
	}
	va_end(args);
}

/* ---- Names of files ------------------------------------------------------- */

/* May the name of a file have this byte? A dot at the beginning would hide the folder,
 * and two dots would lead out of it. */
static bool byte_is_plain(unsigned char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       (!first && (c == '.' || c == '@'));
}

char *eqt_html_file(char buf[EQT_HTML_FILE], const char *name)
{
	const uint64_t hash =
		eqt_hash_bytes(EQT_HASH_START, name, strlen(name));
	size_t used = 0;

	for (const char *at = name; *at != '\0'; at++) {
		const unsigned char c = (unsigned char) *at;

		if (used > NAME_MAX_PLAIN)
			continue;
		if (byte_is_plain(c, at == name))
			buf[used++] = (char) c;
		else
			used += (size_t) snprintf(buf + used, 4, "%%%02X", c);
	}
	buf[used] = '\0';
	/* An empty name becomes "%". In all other names two digits follow each '%'. */
	if (used == 0)
		(void) snprintf(buf, EQT_HTML_FILE, "%%");
	else if (used > NAME_MAX_PLAIN)
		(void) snprintf(buf + NAME_MAX_PLAIN,
				EQT_HTML_FILE - NAME_MAX_PLAIN,
				"%%~%016" PRIx64, hash);
	return buf;
}

/* Escape the '%' of a file's name again, because browsers decode a link once. */
void eqt_html_link(FILE *to, const char *name)
{
	char file[EQT_HTML_FILE];

	for (const char *at = eqt_html_file(file, name); *at != '\0'; at++) {
		if (*at == '%')
			(void) fputs("%25", to);
		else
			(void) fputc(*at, to);
	}
}
