/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sizes of job arrays, compared with a plain count of their indices. */
#include <stdio.h>

#include "base/amount.h"
#include "../unit.h"

#define COUNT(rows) ((int) (sizeof(rows) / sizeof((rows)[0])))
#define INDICES 400
#define RANGES 5
#define EXPRESSIONS 20000

/* Even numbers in [0, below), the same in each run. */
static uint64_t random_below(uint64_t *random, uint64_t below)
{
	*random = *random * UINT64_C(6364136223846793005) +
		  UINT64_C(1442695040888963407);
	return (*random >> 33) % below;
}

/* Append a range, in one of the ways to write it, and mark its indices. */
static size_t range_write(char *text, size_t space, bool *marks,
			  uint64_t *random)
{
	static const unsigned steps[] = { 1, 1, 2, 3, 7, 64, 65 };
	static const char *const forms[] = { "%u-%u:%u", " [%u-%u:%u]%%2",
					     "\t[%u-%u:%u]" };
	const unsigned step = steps[random_below(random, COUNT(steps))];
	unsigned first = (unsigned) random_below(random, INDICES);
	unsigned last = first;
	int length;

	/* Words of 64 bits are marked at once: edges are worth more tries. */
	if (random_below(random, 3) == 0)
		first = last = first / 64 * 64;
	if (random_below(random, 4) > 0)
		last += (unsigned) random_below(random, INDICES - first);
	if (random_below(random, 3) == 0 && last / 64 * 64 > first)
		last = last / 64 * 64 - 1;
	for (unsigned i = first; i <= last; i += step)
		marks[i] = true;
	if (step == 1 && random_below(random, 2))
		length = first == last
				 ? snprintf(text, space, "%u", first)
				 : snprintf(text, space, "%u-%u", first, last);
	else
		length = snprintf(text, space,
				  forms[random_below(random, COUNT(forms))],
				  first, last, step);
	ck_assert_int_gt(length, 0);
	return (size_t) length;
}

START_TEST(each_index_counts_once)
{
	uint64_t random = 1;

	for (int i = 0; i < EXPRESSIONS; i++) {
		struct eqt_amount_tasks tasks = { 0, true };
		const uint64_t ranges = 1 + random_below(&random, RANGES);
		bool marks[INDICES] = { false };
		char text[256] = "";
		size_t at = 0;
		uint64_t wanted = 0;

		for (uint64_t r = 0; r < ranges; r++) {
			if (r > 0)
				text[at++] = ',';
			at += range_write(text + at, sizeof(text) - at, marks,
					  &random);
		}
		for (int m = 0; m < INDICES; m++)
			wanted += marks[m];
		ck_assert_msg(eqt_amount_array_tasks(&tasks, text, 0) == 0,
			      "%s", text);
		ck_assert_msg(tasks.count == wanted && !tasks.at_most,
			      "%s: %lu instead of %lu", text,
			      (unsigned long) tasks.count,
			      (unsigned long) wanted);
	}
}
END_TEST

/* Sizes at the edges: 0 means the largest that Slurm allows. at_most is 1 for a bound
 * instead of a count. */
static const struct {
	const char *array;
	uint64_t size, tasks;
	bool at_most;
} counted[] = {
	{ "9", 10, 1, false },
	{ "4000000", 0, 1, false },
	{ "4000000", 4000001, 1, false },
	{ "4000000", UINT64_MAX, 1, false },
	{ "0-4000000", 0, 4000001, false },
	{ "0-4000000:4000000", 0, 2, false },
	{ "0-4,5,5", 0, 6, false },
	{ ",3,,4,", 0, 2, false },
	{ "3%", 0, 1, false },
	/* 262,144 indices with a step are marked, more of them are not. A range of
	 * one index has no step, wherever it is. */
	{ "0-524287:2,1", 0, 262145, false },
	{ "5-6:7,0-524287:2", 0, 262145, false },
	{ "0-524287:2,5-6:7", 0, 262145, false },
	{ "0-524287:2,5-7:2", 0, 262146, true },
	{ "0-524289:2,1", 0, 262146, true },
	/* A bound is not above the largest index. */
	{ "0-524289:2,0-524289:3", 0, 436909, true },
	{ "0-524289:2,1-524289:2,0-524289:3", 0, 524290, true },
	/* Ranges with equal steps and remainders are joined, though another one
	 * begins between them. */
	{ "1-200001:2,2-200002:2,3-200003:2", 0, 200003, false },
	{ "1-200001:2,3-200003:2,2-200002:2", 0, 200003, false },
	{ "2-200002:2,1-200001:2,3-200003:2", 0, 200003, false },
	{ "2-200002:2,3-200003:2,1-200001:2", 0, 200003, false },
	{ "3-200003:2,1-200001:2,2-200002:2", 0, 200003, false },
	{ "3-200003:2,2-200002:2,1-200001:2", 0, 200003, false },
};

START_TEST(an_array_has_so_many_tasks)
{
	struct eqt_amount_tasks tasks = { 77, !counted[_i].at_most };

	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, counted[_i].array,
						counted[_i].size),
			 0);
	ck_assert_uint_eq(tasks.count, counted[_i].tasks);
	ck_assert(tasks.at_most == counted[_i].at_most);
}
END_TEST

static const struct {
	const char *array;
	uint64_t size;
} refused[] = {
	{ NULL, 0 },
	{ "", 0 },
	{ ",", 0 },
	{ "x", 0 },
	{ "-1", 0 },
	{ "1x", 0 },
	{ "1[2", 0 },
	{ "1 2", 0 },
	{ "1-", 0 },
	{ "1-x", 0 },
	{ "2-1", 0 },
	{ "0-5:", 0 },
	{ "0-5:x", 0 },
	{ "0-5:0", 0 },
	{ "0-5:4000001", 0 },
	{ "0-5:2x", 0 },
	{ "4000001", 0 },
	{ "0-4000001", 0 },
	{ "4000001", UINT64_MAX },
	{ "10", 10 },
	{ "0-10", 10 },
	{ "4000000", 4000000 },
	{ "0,x", 0 },
	{ "5,1x", 0 },
};

START_TEST(no_array_is_changed_by_a_text_that_is_none)
{
	struct eqt_amount_tasks tasks = { 77, true };

	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, refused[_i].array,
						refused[_i].size),
			 -1);
	ck_assert_uint_eq(tasks.count, 77);
	ck_assert(tasks.at_most);
}
END_TEST

START_TEST(more_ranges_than_an_expression_can_have_are_refused)
{
	static char text[2 * 2049 + 1];
	struct eqt_amount_tasks tasks;

	for (int i = 0; i < 2048; i++)
		memcpy(text + (size_t) 2 * (size_t) i, "7,", 2);
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, text, 0), 0);
	ck_assert_uint_eq(tasks.count, 1);
	memcpy(text + (size_t) 2 * 2048, "7", 1);
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, text, 0), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("array_size");
	TCase *tc = tcase_create("array_size");

	tcase_add_test(tc, each_index_counts_once);
	tcase_add_loop_test(tc, an_array_has_so_many_tasks, 0, COUNT(counted));
	tcase_add_loop_test(tc, no_array_is_changed_by_a_text_that_is_none, 0,
			    COUNT(refused));
	tcase_add_test(tc,
		       more_ranges_than_an_expression_can_have_are_refused);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
