/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brackets are expanded by recursion, so that "r[1-2]n[1-3]" works as in Slurm. The
 * number of names is limited, because a range of nine digits would run for minutes.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "slurm/text/hostlist.h"

#define DIGITS_MAX 9 /* digits of a number in brackets */

/* The state of an expansion. */
struct walk {
	const char *list;
	eqt_host_each *each;
	void *with;
	long left; /* how many more names are allowed */
	struct eqt_error *err;
};

/* A part of the text. */
struct span {
	const char *at;
	size_t length;
};

static int hostlist_error(const struct walk *walk)
{
	return eqt_error_set(walk->err, "\"%s\": expected a list of nodes",
			     walk->list);
}

static int hostlist_expand(struct walk *walk, const char *head,
			   struct span rest);

/* Read a number at the beginning of the span and remove it from the span. Returns the
 * number of digits, or -1 if there are none or too many. */
static int span_take_number(struct span *span, unsigned long *number)
{
	int digits = 0;

	*number = 0;
	while (span->length > 0 && isdigit((unsigned char) *span->at)) {
		*number = *number * 10 + (unsigned long) (*span->at - '0');
		span->at++;
		span->length--;
		if (++digits > DIGITS_MAX)
			return -1;
	}
	return digits ? digits : -1;
}

/* Expand one range of a bracket, "3" or "03-10". */
static int hostlist_expand_range(struct walk *walk, const char *head,
				 struct span range, struct span rest)
{
	unsigned long low, high;
	int width = span_take_number(&range, &low), rc = 0;
	char name[EQT_HOST_SIZE];

	if (width < 0)
		return hostlist_error(walk);
	high = low;
	if (range.length > 0) {
		if (*range.at != '-')
			return hostlist_error(walk);
		range.at++;
		range.length--;
		if (span_take_number(&range, &high) < 0 || range.length > 0 ||
		    high < low)
			return hostlist_error(walk);
	}
	for (; low <= high && rc == 0; low++) {
		if ((size_t) snprintf(name, sizeof(name), "%s%0*lu", head,
				      width, low) >= sizeof(name))
			return hostlist_error(walk);
		rc = hostlist_expand(walk, name, rest);
	}
	return rc;
}

/* Expand all names that begin with "head" and continue with "rest". */
static int hostlist_expand(struct walk *walk, const char *head,
			   struct span rest)
{
	const char *open = memchr(rest.at, '[', rest.length), *close;
	size_t plain = open ? (size_t) (open - rest.at) : rest.length, item;
	char name[EQT_HOST_SIZE];
	struct span after;
	int rc = 0;

	if ((size_t) snprintf(name, sizeof(name), "%s%.*s", head, (int) plain,
			      rest.at) >= sizeof(name))
		return hostlist_error(walk);
	if (!open) {
		if (memchr(rest.at, ']', rest.length))
			return hostlist_error(walk);
		if (walk->left-- == 0)
			return eqt_error_set(walk->err,
					     "\"%.64s\": more than %d nodes",
					     walk->list, EQT_HOSTS_MAX);
		return walk->each(name, walk->with);
	}
	close = memchr(open, ']', rest.length - plain);
	if (!close)
		return hostlist_error(walk);
	after.at = close + 1;
	after.length = rest.length - (size_t) (after.at - rest.at);
	for (open++; open <= close && rc == 0; open += item + 1) {
		item = strcspn(open, ",]");
		rc = hostlist_expand_range(walk, name,
					   (struct span){ open, item }, after);
	}
	return rc;
}

/* The length of the first item. An item ends at a comma outside brackets. */
static size_t hostlist_item_length(const char *list)
{
	size_t i;
	int open = 0;

	for (i = 0; list[i] != '\0' && (open || list[i] != ','); i++) {
		if (list[i] == '[')
			open = 1;
		else if (list[i] == ']')
			open = 0;
	}
	return i;
}

int eqt_hostlist_each(const char *list, eqt_host_each *each, void *with,
		      struct eqt_error *err)
{
	struct walk walk = { list, each, with, EQT_HOSTS_MAX, err };
	size_t length;
	int rc = 0;

	while (*list != '\0' && rc == 0) {
		length = hostlist_item_length(list);
		if (length > 0)
			rc = hostlist_expand(&walk, "",
					     (struct span){ list, length });
		list += length + (list[length] == ',');
	}
	return rc;
}

int eqt_hostlist_count_one(const char *name, void *with)
{
	uint64_t *count = with;

	(void) name;
	++*count;
	return 0;
}
