/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slurm/name_list.h"

#define NAME_SIZE 256
#define DIGITS_MAX 9
#define BUDGET_REST 512
#define LIST_ENDS ", \t\n"

/* The state of reading one list. `name` is the name that is being composed from
 * a piece with brackets. */
struct reading {
	bitstr_t *nodes;
	int64_t *budget;
	uint64_t names; /* The number of names found so far. */
	int last; /* The index of the last node that was found. */
	char name[NAME_SIZE];
};

int64_t eqt_name_list_budget(void)
{
	return (int64_t) eqt_slurm_node_count() + BUDGET_REST;
}

/* Prefetch the records and the names of the next nodes. */
static void names_prefetch(int next)
{
	const node_record_t *node;

	if (next + 8 >= eqt_slurm_node_slots())
		return;
	node = node_record_table_ptr[next + 8];
	if (node)
		__builtin_prefetch(&node->name);
	node = node_record_table_ptr[next + 4];
	if (node)
		__builtin_prefetch(node->name);
}

/* Find the node whose name was read. A range usually names nodes in the order
 * of Slurm's table, so the node after the last one is tried first. */
static const node_record_t *node_find(const struct reading *reading)
{
	const int next = reading->last + 1;

	if (next > 0 && next < eqt_slurm_node_slots() &&
	    node_record_table_ptr[next] && node_record_table_ptr[next]->name &&
	    strcmp(node_record_table_ptr[next]->name, reading->name) == 0) {
		names_prefetch(next);
		return node_record_table_ptr[next];
	}
	return find_node_record2((char *) (uintptr_t) reading->name);
}

static enum eqt_name_list name_take(struct reading *reading)
{
	const node_record_t *node = node_find(reading);

	if (!node)
		return EQT_NAMES_UNKNOWN;
	reading->last = (int) node->index;
	if (reading->last >= (int) bit_size(reading->nodes))
		return EQT_NAMES_NONE;
	bit_set(reading->nodes, reading->last);
	reading->names++;
	return EQT_NAMES_READ;
}

static enum eqt_name_list piece_read(struct reading *reading, size_t length,
				     const char *rest, const char *end);

/* Skip decimal digits. Returns their number, or -1 if there are more digits
 * than a node's name can have. */
static int digits_read(uint64_t *value, const char **at)
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
static enum eqt_name_list name_refuse(struct reading *reading, size_t length)
{
	reading->name[length] = '\0';
	return EQT_NAMES_UNKNOWN;
}

/* Write a number, padded with zeros to at least `width` digits. Returns the
 * length, or 0 if there is not enough room. */
static size_t number_put(char *at, size_t room, uint64_t value, int width)
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
static enum eqt_name_list range_read(struct reading *reading, size_t length,
				     const char **at, const char *after,
				     const char *end)
{
	enum eqt_name_list rc = EQT_NAMES_READ;
	uint64_t low, high;
	const int width = digits_read(&low, at);
	int other = width;

	high = low;
	if (width > 0 && **at == '-') {
		(*at)++;
		other = digits_read(&high, at);
	}
	if (width < 0 || other < 0)
		return name_refuse(reading, length);
	if (width == 0 || other == 0 || high < low)
		return EQT_NAMES_NONE;
	for (; low <= high && rc == EQT_NAMES_READ; low++) {
		size_t more = number_put(reading->name + length,
					 NAME_SIZE - length, low, width);

		if (more == 0)
			return name_refuse(reading, length);
		rc = piece_read(reading, length + more, after, end);
	}
	return rc;
}

/* Read the numbers in a pair of brackets. `at` is the first byte inside. */
static enum eqt_name_list bracket_read(struct reading *reading, size_t length,
				       const char *at, const char *end)
{
	const char *close = memchr(at, ']', (size_t) (end - at));
	enum eqt_name_list rc = EQT_NAMES_READ;

	if (!close)
		return EQT_NAMES_NONE;
	while (rc == EQT_NAMES_READ) {
		rc = range_read(reading, length, &at, close + 1, end);
		if (rc != EQT_NAMES_READ || at >= close)
			break;
		if (*at++ != ',')
			return EQT_NAMES_NONE;
	}
	return at == close || rc != EQT_NAMES_READ ? rc : EQT_NAMES_NONE;
}

/* Read the rest of a piece, of which `length` bytes are already in the name. */
static enum eqt_name_list piece_read(struct reading *reading, size_t length,
				     const char *rest, const char *end)
{
	const char *bracket = memchr(rest, '[', (size_t) (end - rest));
	const size_t more = (size_t) ((bracket ? bracket : end) - rest);

	if (--*reading->budget < 0)
		return EQT_NAMES_TOO_MANY;
	if (length + more >= NAME_SIZE) {
		memcpy(reading->name + length, rest, NAME_SIZE - 1 - length);
		return name_refuse(reading, NAME_SIZE - 1);
	}
	memcpy(reading->name + length, rest, more);
	reading->name[length + more] = '\0';
	return bracket ? bracket_read(reading, length + more, bracket + 1, end)
		       : name_take(reading);
}

/* The end of a piece: the first separator outside brackets. Returns NULL if the
 * piece is longer than one number for each step of the budget can be. */
static const char *piece_end(const char *at, int64_t budget)
{
	const char *const most = at + NAME_SIZE + (DIGITS_MAX + 1) * budget;
	bool inside = false;

	for (; *at != '\0' && (inside || !strchr(LIST_ENDS, *at)); at++) {
		if (at == most)
			return NULL;
		inside = *at == '[' || (inside && *at != ']');
	}
	return at;
}

static enum eqt_name_list list_read(struct reading *reading, const char *at)
{
	enum eqt_name_list rc = EQT_NAMES_READ;

	while (rc == EQT_NAMES_READ && *at != '\0') {
		const char *end;

		if (strchr(LIST_ENDS, *at)) {
			if (--*reading->budget < 0)
				return EQT_NAMES_TOO_MANY;
			at++;
			continue;
		}
		end = piece_end(at, *reading->budget);
		if (!end)
			return EQT_NAMES_TOO_MANY;
		rc = piece_read(reading, 0, at, end);
		at = end;
	}
	return rc;
}

/* Copy a name for the user's terminal. Bytes that are not printable become
 * '?'. */
static void name_tell(char unknown[EQT_NAME_LIST_UNKNOWN], const char *name)
{
	size_t i;

	for (i = 0; name[i] != '\0' && i < EQT_NAME_LIST_UNKNOWN - 1; i++)
		unknown[i] = name[i] > ' ' && name[i] < 0x7f ? name[i] : '?';
	unknown[i] = '\0';
}

enum eqt_name_list eqt_name_list_read(bitstr_t **out, const char *text,
				      int64_t *budget, uint64_t *names,
				      char unknown[EQT_NAME_LIST_UNKNOWN])
{
	struct reading reading = { .budget = budget, .last = -1 };
	enum eqt_name_list rc;

	*out = NULL;
	*names = 0;
	if (!text || !text[0] || eqt_slurm_node_slots() < 1)
		return EQT_NAMES_NONE;
	reading.nodes = bit_alloc(eqt_slurm_node_slots());
	rc = list_read(&reading, text);
	*names = reading.names;
	if (rc == EQT_NAMES_READ)
		*out = reading.nodes;
	else
		FREE_NULL_BITMAP(reading.nodes);
	if (rc == EQT_NAMES_UNKNOWN)
		name_tell(unknown, reading.name);
	return rc;
}
