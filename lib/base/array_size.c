/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array expression is read twice at most: once to add up its ranges, and again
 * with a bit for each index only if ranges overlap or are out of order.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "base/amount.h"

/* Slurm's own ceiling of MaxArraySize. */
#define INDEX_MAX 4000000

/* More than Slurm's longest expression (4,096 bytes) has. */
#define RANGES_MAX 2048

/* Indices of ranges with a step that are marked one by one at most; beyond it
 * the count is an upper bound. */
#define MARKS_MAX ((uint64_t) 1 << 18)

#define WORD_BITS 64

/* first, first + step, ... up to last */
struct range {
	uint64_t first;
	uint64_t last;
	uint64_t step;
};

struct range_list {
	struct range *range; /* owned */
	size_t count;
};

/* A number up to INDEX_MAX and a bracket behind it. */
static int array_index_read(uint64_t *out, const char **at)
{
	const char *first = *at;

	*out = 0;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		*out = *out * 10 + (uint64_t) (**at - '0');
		if (*out > INDEX_MAX)
			return -1;
	}
	if (*at == first)
		return -1;
	if (**at == ']')
		(*at)++;
	return 0;
}

/* Read one range and step over it, its "%limit" and its comma. */
static int array_range_read(struct range *range, const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
	if (**at == '[')
		(*at)++;
	if (array_index_read(&range->first, at) < 0)
		return -1;
	range->last = range->first;
	range->step = 1;
	if (**at == '-') {
		(*at)++;
		if (array_index_read(&range->last, at) < 0)
			return -1;
		if (**at == ':') {
			(*at)++;
			if (array_index_read(&range->step, at) < 0)
				return -1;
		}
	}
	if (range->last < range->first || range->step == 0)
		return -1;
	if (**at == '%') {
		while (**at != '\0' && **at != ',')
			(*at)++;
	}
	if (**at != '\0' && **at != ',')
		return -1;
	return 0;
}

/* At most INDEX_MAX + 1, since both ends are read with that bound. */
static uint64_t array_range_size(const struct range *range)
{
	return (range->last - range->first) / range->step + 1;
}

/* What the first reading of the expression finds. */
struct sum {
	uint64_t indices; /* an index that is named twice counts twice */
	uint64_t end; /* one behind the largest index */
	bool disjoint; /* each range begins behind all before it */
	size_t ranges;
};

/* Add a range's new indices, each marked by a bit when there are marks. */
static int array_sum_add(struct sum *sum, const struct range *range,
			 unsigned char *marks)
{
	uint64_t i;

	if (!marks) {
		sum->disjoint = sum->disjoint && range->first >= sum->end;
		sum->indices += array_range_size(range);
		if (range->last >= sum->end)
			sum->end = range->last + 1;
		return sum->disjoint || sum->indices <= MARKS_MAX ? 0 : -1;
	}
	for (i = range->first; i <= range->last; i += range->step) {
		unsigned char bit = (unsigned char) (1U << (i % 8));

		sum->indices += !(marks[i / 8] & bit);
		marks[i / 8] |= bit;
	}
	return 0;
}

/* Add up all ranges; -1 when one is malformed or the expression is empty. */
static int array_sum(struct sum *sum, const char *array, unsigned char *marks)
{
	struct range range;

	*sum = (struct sum){ .disjoint = true };
	while (*array != '\0') {
		if (*array == ',') {
			array++;
			continue;
		}
		if (array_range_read(&range, &array) < 0 ||
		    array_sum_add(sum, &range, marks) < 0)
			return -1;
		if (list->range)
			list->range[list->count++] = range;
		sum_add(sum, &range);
	}
	return sum->ranges > 0 ? 0 : -1;
}

int eqt_amount_array_tasks(const char *array, uint64_t *count)
{
	const struct range *a = x, *b = y;

	if (!array || array_sum(&sum, array, NULL) < 0)
		return -1;
	if (!sum.disjoint) {
		marks = calloc(sum.end / 8 + 1, 1);
		if (!marks)
			return -1;
		(void) array_sum(&sum, array, marks);
		free(marks);
	}
	*count = sum.indices;
	return 0;
}
