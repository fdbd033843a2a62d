/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that Slurm prints may have been typed by a user, so all of it is escaped
 * here, and no other file writes texts into pages. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "report/html.h"

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */
#define NAME_MAX_PLAIN 190 /* longer ones are cut, and end in a hash */

/* ---- Text ----------------------------------------------------------------- */

/* Could it deceive a reader, or end a line? Controls, marks that change the direction
 * of text, and such as have no width. */
static bool character_is_odd(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0x061c;
}

/* NULL: it stands for itself, in texts and in attributes with either quotes. */
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

/* One sign for each byte that is no UTF-8: nothing is lost in silence. */
void eqt_html_text(FILE *to, const char *text)
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

/* Write the number whose conversion begins at the '%' of format; returns the end
 * of the conversion. */
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

/* Understands %s, which is escaped, and the numbers that pages print; no other format. */
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
			eqt_html_text(to, va_arg(args, const char *));
			format += 2;
		} else {
			format = number_print(to, format, &args);
		}
	}
	va_end(args);
}

/* ---- Names of files ------------------------------------------------------- */

/* A dot at the beginning would hide the folder, and two would leave it. */
static bool byte_is_plain(unsigned char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       (!first && (c == '.' || c == '@'));
}

/* Names that differ have files that differ: each other byte becomes %XX, and % itself
 * as well. */
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
	/* A '%' before no digits is in no other name. */
	if (used == 0)
		(void) snprintf(buf, EQT_HTML_FILE, "%%");
	else if (used > NAME_MAX_PLAIN)
		(void) snprintf(buf + NAME_MAX_PLAIN,
				EQT_HTML_FILE - NAME_MAX_PLAIN,
				"%%~%016" PRIx64, hash);
	return buf;
}

/* A % of the file's name must reach the server as such, so it is escaped for the link. */
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
