/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting the indices of a job array when memory is short. */
#include "base/amount.h"
#include "../short_memory.h"
#include "../unit.h"

static const struct {
	const char *array;
	uint64_t tasks;
	unsigned long allocations;
} rows[] = {
	{ "0-9,20", 11, 0 }, /* in rising order: counted while it is read */
	{ "5-9,0-6", 10, 1 }, /* merged */
	{ "0-9:3,0-9:2", 7, 2 }, /* merged, then marked one by one */
};

START_TEST(an_array_is_counted_exactly_or_not_at_all)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsigned long n = 0;
		bool failed;

		do {
			struct eqt_amount_tasks tasks = { 77, true };
			int rc;

			short_memory_begin(++n, _i);
			rc = eqt_amount_array_tasks(&tasks, rows[i].array, 0);
			failed = short_memory_end();
			ck_assert_int_eq(short_memory.held, 0);
			ck_assert_int_eq(rc, failed ? -1 : 0);
			ck_assert_uint_eq(tasks.count,
					  failed ? 77 : rows[i].tasks);
			ck_assert(tasks.at_most == failed);
		} while (failed);
		ck_assert_uint_eq(n - 1, rows[i].allocations);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("array_memory");
	TCase *tc = tcase_create("array_memory");

	tcase_add_loop_test(tc, an_array_is_counted_exactly_or_not_at_all, 0,
			    SHORT_MEMORY_WAYS);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
