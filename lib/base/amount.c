/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spellings are those of sbatch(1). Every number is checked for overflow, because
 * the texts come from users and Slurm has not checked them yet.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/text.h"
#include "base/whole.h"

/* Only ASCII letters change, so that the locale of slurmctld does not decide what a
 * user meant. */
static char letter_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static bool letters_are(const char *text, size_t length, const char *word)
{
	if (strlen(word) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (letter_lower(text[i]) != word[i])
			return false;
	}
	return true;
}

/* Return the power of a suffix, which is 1 for "k", 5 for "p" and 0 without a suffix,
 * and set *factor to the base, 1024 or 1000. Return -1 for any other word. */
static int suffix_power(uint64_t *factor, const char *text, size_t length)
{
	static const char letters[] = "kmgtp";
	const char *letter;

	*factor = 1024;
	if (length == 0)
		return 0;
	letter = memchr(letters, letter_lower(text[0]), sizeof(letters) - 1);
	if (!letter)
		return -1;
	if (letters_are(text + 1, length - 1, "b"))
		*factor = 1000;
	else if (length > 1 && !letters_are(text + 1, length - 1, "ib"))
		return -1;
	return (int) (letter - letters) + 1;
}

/* Multiply *value by factor^power. Return -1 on overflow. */
static int amount_scale(uint64_t *value, uint64_t factor, int power)
{
	for (; power > 0; power--) {
		if (__builtin_mul_overflow(*value, factor, value))
			return -1;
	}
	return 0;
}

int eqt_amount_count(uint64_t *out, const char *text, size_t length)
{
	const char *at = text, *end = text + length;
	uint64_t value, factor;
	int power;

	if (eqt_digits_read(&value, &at, end) < 0)
		return -1;
	power = suffix_power(&factor, at, (size_t) (end - at));
	if (power < 0 || amount_scale(&value, factor, power) < 0)
		return -1;
	*out = value;
	return 0;
}

int eqt_amount_memory(uint64_t *mib, const char *text)
{
	const char *at = text, *end = text + strlen(text);
	const char *letter = "m";
	uint64_t value;

	if (eqt_digits_read(&value, &at, end) < 0)
		return -1;
	if (at < end)
		letter = at++;
	if (at < end && letter_lower(*at) == 'b')
		at++;
	if (at < end)
		return -1;
	if (letter_lower(*letter) == 'k')
		value = eqt_whole_divide_up(value, 1024);
	else if (letter_lower(*letter) == 'g' &&
		 amount_scale(&value, 1024, 1) < 0)
		return -1;
	else if (letter_lower(*letter) == 't' &&
		 amount_scale(&value, 1024, 2) < 0)
		return -1;
	else if (!memchr("kmgt", letter_lower(*letter), 4))
		return -1;
	*mib = value;
	return 0;
}

/* The parts of D-H:M:S and its shorter forms. */
struct clock_text {
	uint64_t part[3]; /* the numbers between the colons */
	uint64_t days;
	int parts;
	bool has_days;
};

/* Read a whole text, which may have days and up to two colons. */
static int clock_text_read(struct clock_text *clock, const char *text)
{
	const char *at = text, *end = text + strlen(text);

	*clock = (struct clock_text){ .parts = 1 };
	if (eqt_digits_read(&clock->part[0], &at, end) < 0)
		return -1;
	if (*at == '-') {
		clock->has_days = true;
		clock->days = clock->part[0];
		at++;
		if (eqt_digits_read(&clock->part[0], &at, end) < 0)
			return -1;
	}
	while (*at == ':' && clock->parts < 3) {
		at++;
		if (eqt_digits_read(&clock->part[clock->parts++], &at, end) < 0)
			return -1;
	}
	return at == end ? 0 : -1;
}

/* Add count * seconds to *sum. Return -1 on overflow. */
static int seconds_add(uint64_t *sum, uint64_t count, uint64_t seconds)
{
	if (__builtin_mul_overflow(count, seconds, &count) ||
	    __builtin_add_overflow(*sum, count, sum))
		return -1;
	return 0;
}

int eqt_amount_minutes(uint64_t *minutes, const char *text)
{
	/* The seconds in an hour, in a minute and in a second. */
	static const uint64_t units[] = { 3600, 60, 1 };
	struct clock_text clock;
	uint64_t seconds = 0;
	int first, i;

	if (letters_are(text, strlen(text), "unlimited") ||
	    letters_are(text, strlen(text), "infinite")) {
		*minutes = EQT_AMOUNT_UNLIMITED;
		return 0;
	}
	if (clock_text_read(&clock, text) < 0 ||
	    seconds_add(&seconds, clock.days, 86400) < 0)
		return -1;
	/* As in sbatch, D-H begins with hours, and M and M:S begin with minutes. */
	first = clock.has_days || clock.parts == 3 ? 0 : 1;
	for (i = 0; i < clock.parts; i++) {
		if (seconds_add(&seconds, clock.part[i], units[first + i]) < 0)
			return -1;
	}
	*minutes = seconds ? eqt_whole_divide_up(seconds, 60)
			   : EQT_AMOUNT_UNLIMITED;
	return 0;
}

/* ---- Array expressions --------------------------------------------------------------
 * A user writes the expression, and slurmctld counts its tasks under locks before Slurm
 * has checked it. So the work is bounded by the length of the text, not by the numbers
 * in the text. */

/* The largest MaxArraySize that Slurm accepts. */
#define INDEX_MAX 4000000

/* An expression of 4,096 bytes, the longest that Slurm accepts, has at most this many
 * ranges. */
#define RANGES_MAX 2048

/* Ranges with a step are marked index by index, up to this number of indices. With more
 * indices, the count is an upper bound. */
#define MARKS_MAX ((uint64_t) 1 << 18)

#define WORD_BITS 64

/* The indices first, first + step and so on, up to last. */
struct range {
	uint64_t first;
	uint64_t last;
	uint64_t step;
};

struct range_list {
	struct range *range; /* an array that this struct owns */
	size_t count;
};

/* Read a number up to INDEX_MAX, and skip a "]" after it. */
static int index_read(uint64_t *out, const char **at)
{
	if (eqt_digits_read(out, at, NULL) < 0 || *out > INDEX_MAX)
		return -1;
	if (**at == ']')
		(*at)++;
	return 0;
}

/* Read one range, and step over the range and its "%limit". *at is then at a comma or
 * at the end of the text. */
static int range_read(struct range *range, const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
	if (**at == '[')
		(*at)++;
	if (index_read(&range->first, at) < 0)
		return -1;
	range->last = range->first;
	range->step = 1;
	if (**at == '-') {
		(*at)++;
		if (index_read(&range->last, at) < 0)
			return -1;
		if (**at == ':') {
			(*at)++;
			if (index_read(&range->step, at) < 0)
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

static uint64_t range_size(const struct range *range)
{
	return (range->last - range->first) / range->step + 1;
}

/* The result of reading the expression for the first time, which allocates nothing. */
struct sum {
	/* The sum of the sizes of all ranges. An index in two ranges counts twice. */
	uint64_t indices;
	uint64_t end; /* one more than the largest index */
	/* Each range begins after the end of all previous ranges. */
	bool disjoint;
	size_t ranges;
};

static void sum_add(struct sum *sum, const struct range *range)
{
	sum->disjoint = sum->disjoint && range->first >= sum->end;
	sum->indices += range_size(range);
	sum->ranges++;
	if (range->last >= sum->end)
		sum->end = range->last + 1;
}

/* Read an expression whose indices are below size into *sum. If the caller has
 * allocated list->range, also store the ranges there. */
static int expression_read(struct sum *sum, struct range_list *list,
			   const char *array, uint64_t size)
{
	struct range range;

	*sum = (struct sum){ .disjoint = true };
	while (*array != '\0') {
		if (*array == ',') {
			array++;
			continue;
		}
		if (sum->ranges == RANGES_MAX ||
		    range_read(&range, &array) < 0 || range.last >= size)
			return -1;
		if (list->range)
			list->range[list->count++] = range;
		sum_add(sum, &range);
	}
	if (sum->ranges == 0)
		return -1;
	return 0;
}

/* Sort so that ranges which can share indices are neighbours. These are ranges with
 * equal steps and equal remainders, in the order of their first index. */
static int range_compare(const void *x, const void *y)
{
	const struct range *a = x, *b = y;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->first % a->step != b->first % b->step)
		return a->first % a->step < b->first % b->step ? -1 : 1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return 0;
}

/* Join neighbours that overlap or that continue each other. */
static void list_merge(struct range_list *list)
{
	size_t i, count = 0;

	for (i = 0; i < list->count; i++) {
		struct range *range = &list->range[i];

		/* Bring each range into a normal form: `last` is an index of the range,
		 * and a range of a single index has step 1. */
		range->last -= (range->last - range->first) % range->step;
		if (range->last == range->first)
			range->step = 1;
	}
	qsort(list->range, list->count, sizeof(*list->range), range_compare);
	for (i = 0; i < list->count; i++) {
		const struct range *range = &list->range[i];
		struct range *last = count ? &list->range[count - 1] : NULL;

		if (!last || last->step != range->step ||
		    last->first % last->step != range->first % range->step ||
		    range->first > last->last + last->step)
			list->range[count++] = *range;
		else if (range->last > last->last)
			last->last = range->last;
	}
	list->count = count;
}

/* Set the bits from first to last, word by word. */
static void marks_fill(uint64_t *marks, uint64_t first, uint64_t last)
{
	const uint64_t begin = first / WORD_BITS, end = last / WORD_BITS;

	for (uint64_t word = begin; word <= end; word++) {
		uint64_t bits = UINT64_MAX;

		if (word == begin)
			bits <<= first % WORD_BITS;
		if (word == end)
			bits &= UINT64_MAX >>
				(WORD_BITS - 1 - last % WORD_BITS);
		marks[word] |= bits;
	}
}

/* Mark the indices of a range with a step. Return how many of them were not marked
 * before. */
static uint64_t marks_add(uint64_t *marks, const struct range *range)
{
	uint64_t i, added = 0;

	for (i = range->first; i <= range->last; i += range->step) {
		const uint64_t bit = UINT64_C(1) << i % WORD_BITS;

		added += !(marks[i / WORD_BITS] & bit);
		marks[i / WORD_BITS] |= bit;
	}
	return added;
}

/* Count each index of merged ranges once. Ranges with step 1 come first in the list and
 * share no index with each other. */
static int list_mark(uint64_t *count, const struct range_list *list,
		     uint64_t end)
{
	uint64_t *marks = calloc(end / WORD_BITS + 1, sizeof(*marks));

	if (!marks)
		return -1;
	*count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct range *range = &list->range[i];

		if (range->step > 1) {
			*count += marks_add(marks, range);
			continue;
		}
		marks_fill(marks, range->first, range->last);
		*count += range_size(range);
	}
	free(marks);
	return 0;
}

/* Count the indices of a list exactly, or return an upper bound if marking each index
 * would take too long. */
static int list_count(struct eqt_amount_tasks *out, struct range_list *list,
		      uint64_t end)
{
	uint64_t plain = 0, stepped = 0;

	list_merge(list);
	for (size_t i = 0; i < list->count; i++) {
		const struct range *range = &list->range[i];

		*(range->step > 1 ? &stepped : &plain) += range_size(range);
	}
	out->count = plain + stepped;
	out->at_most = stepped > MARKS_MAX;
	if (out->at_most && out->count > end)
		out->count = end;
	if (stepped == 0 || out->at_most)
		return 0;
	return list_mark(&out->count, list, end);
}

int eqt_amount_array_tasks(struct eqt_amount_tasks *out, const char *array,
			   uint64_t size)
{
	struct range_list list = { NULL, 0 };
	struct eqt_amount_tasks tasks = { 0, false };
	struct sum sum;
	int rc;

	if (size == 0)
		size = UINT64_MAX; /* index_read() still limits the indices */
	if (!array || expression_read(&sum, &list, array, size) < 0)
		return -1;
	tasks.count = sum.indices;
	/* Most users write ranges in rising order, and the first reading has already
	 * counted those. Other expressions are read a second time into memory and
	 * merged. */
	if (!sum.disjoint) {
		list.range = malloc(sum.ranges * sizeof(*list.range));
		if (!list.range)
			return -1;
		(void) expression_read(&sum, &list, array, size);
		rc = list_count(&tasks, &list, sum.end);
		free(list.range);
		if (rc < 0)
			return -1;
	}
	*out = tasks;
	return 0;
}
