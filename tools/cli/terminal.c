/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE /* fopencookie() */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/atomic_file.h"
#include "cli/terminal.h"

#define ESCAPE_SIZE 12 /* "\u202e" and the NUL, with room to spare */

/* A stream on its way to a terminal. */
struct guard {
	int fd;
	unsigned char
		pending[4]; /* of a character cut by the stream's buffer */
	size_t count;
};

static struct guard guards[] = { { .fd = STDOUT_FILENO },
				 { .fd = STDERR_FILENO } };

/* Bytes of a UTF-8 character by its first one; 0: it begins none. */
static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static unsigned long sequence_decode(const unsigned char *bytes, size_t length)
{
	unsigned long code = length == 1 ? bytes[0]
					 : bytes[0] & (0xffu >> (length + 1));

	for (size_t i = 1; i < length; i++)
		code = code << 6 | (bytes[i] & 0x3f);
	return code;
}

/* Does a character steer a terminal, or turn the text around it? */
static bool code_is_unsafe(unsigned long code)
{
	return (code >= 0x80 && code < 0xa0) || code == 0x61c ||
	       code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static size_t pending_escape_bytes(struct guard *guard, char *out)
{
	size_t used = 0, i;

	for (i = 0; i < guard->count; i++)
		used += (size_t) snprintf(out + used, ESCAPE_SIZE, "\\x%02x",
					  guard->pending[i]);
	guard->count = 0;
	return used;
}

/* Some terminals take a longer form than needed for the character itself. */
static bool code_is_valid(unsigned long code, size_t length)
{
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return code >= least[length] && code <= 0x10ffff &&
	       (code < 0xd800 || code >= 0xe000);
}

/* The pending bytes are a whole character. */
static size_t pending_take(struct guard *guard, char *out)
{
	unsigned long code = sequence_decode(guard->pending, guard->count);
	size_t length = guard->count;

	if (!code_is_valid(code, length))
		return pending_escape_bytes(guard, out);
	guard->count = 0;
	if (code_is_unsafe(code))
		return (size_t) snprintf(out, ESCAPE_SIZE, "\\u%04lx", code);
	memcpy(out, guard->pending, length);
	return length;
}

/* Add a byte; write to out what is complete then. */
static size_t guard_take_byte(struct guard *guard, unsigned char byte,
			      char *out)
{
	size_t used = 0;

	if (guard->count > 0 && (byte & 0xc0) != 0x80)
		used = pending_escape_bytes(guard, out);
	guard->pending[guard->count++] = byte;
	if (sequence_length(guard->pending[0]) == 0)
		return used + pending_escape_bytes(guard, out + used);
	if (guard->count == sequence_length(guard->pending[0]))
		used += pending_take(guard, out + used);
	return used;
}

/* As fopencookie() wants it: the bytes taken, or 0 after an error. */
static ssize_t guard_write(void *cookie, const char *text, size_t length)
{
	/* At most: three pending bytes, then each byte as four letters. */
	char *safe = malloc((length + 4) * 4 + ESCAPE_SIZE);
	struct guard *guard = cookie;
	size_t used = 0, i;
	int rc = -1;

	for (i = 0; safe && i < length; i++)
		used += guard_take_byte(guard, (unsigned char) text[i],
					safe + used);
	if (safe)
		rc = eqt_atomic_file_write_all(guard->fd, safe, used);
	free(safe);
	return rc < 0 ? 0 : (ssize_t) length;
}

static FILE *guard_open(struct guard *guard)
{
	static const cookie_io_functions_t functions = { .write = guard_write };

	return isatty(guard->fd) ? fopencookie(guard, "w", functions) : NULL;
}

void eqt_terminal_guard(void)
{
	FILE *out = guard_open(&guards[0]), *err = guard_open(&guards[1]);

	if (out) {
		(void) setvbuf(out, NULL, _IOLBF, 0);
		stdout = out;
	}
	if (err) {
		(void) setvbuf(err, NULL, _IONBF, 0);
		stderr = err;
	}
}
