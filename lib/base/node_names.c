/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>

#include "base/node_names.h"

#define DIGITS_MAX 9
#define LIST_ENDS ", \t\n"

static enum eqt_node_names_end piece_read(struct eqt_node_names *names,
					  size_t length, const char *rest,
					  const char *end);

/* Skip decimal digits. Returns their number, or -1 if there are more digits
 * than a node's name can have. */
static int piece_digits(uint64_t *value, const char **at)
{
	int count = 0;

	for (*value = 0; **at >= '0' && **at <= '9'; (*at)++) {
		if (++count > DIGITS_MAX)
			return -1;
		*value = *value * 10 + (uint64_t) (**at - '0');
	}
	return count;
}

/* Cut the name to `length` bytes, and refuse it because no node can have a name
 * that begins like this. */
static enum eqt_node_names_end piece_refuse(struct eqt_node_names *names,
					    size_t length)
{
	names->name[length] = '\0';
	return EQT_NODE_NAMES_UNKNOWN;
}

/* Write a number, padded with zeros to at least `width` digits. Returns the
 * length, or 0 if there is not enough room. */
static size_t piece_put_number(char *at, size_t room, uint64_t value, int width)
{
	char digits[DIGITS_MAX + 1];
	size_t length = 0;

	do {
		digits[length++] = (char) ('0' + value % 10);
		value /= 10;
	} while (value > 0 || length < (size_t) width);
	if (length >= room)
		return 0;
	for (size_t i = 0; i < length; i++)
		at[i] = digits[length - 1 - i];
	return length;
}

/* Read each number of a range in brackets, together with the text that follows
 * the bracket. */
static enum eqt_node_names_end piece_read_range(struct eqt_node_names *names,
						size_t length, const char **at,
						const char *after,
						const char *end)
{
	enum eqt_node_names_end rc = EQT_NODE_NAMES_READ;
	uint64_t low, high;
	const int width = piece_digits(&low, at);
	int other = width;

	high = low;
	if (width > 0 && **at == '-') {
		(*at)++;
		other = piece_digits(&high, at);
	}
	if (width < 0 || other < 0)
		return piece_refuse(names, length);
	if (width == 0 || other == 0 || high < low)
		return EQT_NODE_NAMES_NONE;
	for (; low <= high && rc == EQT_NODE_NAMES_READ; low++) {
		size_t more = piece_put_number(names->name + length,
					       EQT_NODE_NAMES_SIZE - length,
					       low, width);

		if (more == 0)
			return piece_refuse(names, length);
		rc = piece_read(names, length + more, after, end);
	}
	return rc;
}

/* Read the numbers in a pair of brackets. `at` is the first byte inside. */
static enum eqt_node_names_end piece_read_bracket(struct eqt_node_names *names,
						  size_t length, const char *at,
						  const char *end)
{
	const char *close = memchr(at, ']', (size_t) (end - at));
	enum eqt_node_names_end rc = EQT_NODE_NAMES_READ;

	if (!close)
		return EQT_NODE_NAMES_NONE;
	while (rc == EQT_NODE_NAMES_READ) {
		rc = piece_read_range(names, length, &at, close + 1, end);
		if (rc != EQT_NODE_NAMES_READ || at >= close)
			break;
		if (*at++ != ',')
			return EQT_NODE_NAMES_NONE;
	}
	return at == close || rc != EQT_NODE_NAMES_READ ? rc
							: EQT_NODE_NAMES_NONE;
}

/* Read the rest of a piece, of which `length` bytes are already in the name. */
static enum eqt_node_names_end piece_read(struct eqt_node_names *names,
					  size_t length, const char *rest,
					  const char *end)
{
	const char *bracket = memchr(rest, '[', (size_t) (end - rest));
	const size_t more = (size_t) ((bracket ? bracket : end) - rest);

	if (--*names->budget < 0)
		return EQT_NODE_NAMES_TOO_MANY;
	if (length + more >= EQT_NODE_NAMES_SIZE) {
		memcpy(names->name + length, rest,
		       EQT_NODE_NAMES_SIZE - 1 - length);
		return piece_refuse(names, EQT_NODE_NAMES_SIZE - 1);
	}
	memcpy(names->name + length, rest, more);
	names->name[length + more] = '\0';
	return bracket ? piece_read_bracket(names, length + more, bracket + 1,
					    end)
		       : names->take(names);
}

/* The end of a piece: the first separator outside brackets. Returns NULL if the
 * piece is too long even for one name and one number for each step of the
 * budget. */
static const char *piece_end(const char *at, int64_t budget)
{
	const char *const most =
		at + EQT_NODE_NAMES_SIZE + (DIGITS_MAX + 1) * budget;
	bool inside = false;

	for (; *at != '\0' && (inside || !strchr(LIST_ENDS, *at)); at++) {
		if (at == most)
			return NULL;
		inside = *at == '[' || (inside && *at != ']');
	}
	return at;
}

enum eqt_node_names_end eqt_node_names_read(struct eqt_node_names *names,
					    const char *list)
{
	enum eqt_node_names_end rc = EQT_NODE_NAMES_READ;
	const char *at = list;

	while (rc == EQT_NODE_NAMES_READ && *at != '\0') {
		const char *end;

		if (strchr(LIST_ENDS, *at)) {
			if (--*names->budget < 0)
				return EQT_NODE_NAMES_TOO_MANY;
			at++;
			continue;
		}
		end = piece_end(at, *names->budget);
		if (!end)
			return EQT_NODE_NAMES_TOO_MANY;
		rc = piece_read(names, 0, at, end);
		at = end;
	}
	return rc;
}
