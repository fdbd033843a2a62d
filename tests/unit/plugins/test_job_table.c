/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../unit.h"

#include "walk/job_table.h"
#include "../../property/random.h"

START_TEST(inserted_ids_are_found)
{
	struct eqt_job_table table = { .id = NULL };

	ck_assert(!eqt_job_table_has(&table, 1));
	ck_assert_uint_eq(eqt_job_table_begin(&table, 3), 3);
	eqt_job_table_set(&table, 7, 0);
	eqt_job_table_set(&table, UINT32_MAX, 0);
	eqt_job_table_set(&table, 7, 0);
	ck_assert(eqt_job_table_has(&table, 7));
	ck_assert(eqt_job_table_has(&table, UINT32_MAX));
	ck_assert(!eqt_job_table_has(&table, 8));
	ck_assert(!eqt_job_table_has(&table, 0));
	eqt_job_table_free(&table);
	ck_assert(!eqt_job_table_has(&table, 7));
}
END_TEST

START_TEST(it_begins_empty_each_time)
{
	struct eqt_job_table table = { .id = NULL };

	for (size_t count = 100000; count > 0; count /= 10) {
		ck_assert_uint_eq(eqt_job_table_begin(&table, count), count);
		for (uint32_t id = 1; id <= count; id++) {
			ck_assert(!eqt_job_table_has(&table, id));
			eqt_job_table_set(&table, id, 0);
		}
		ck_assert(eqt_job_table_has(&table, (uint32_t) count));
	}
	eqt_job_table_free(&table);
}
END_TEST

/*
 * Ids like those of jobs, with steps of all lengths, against plain arithmetic.
 */
START_TEST(ids_of_any_step_are_distinguished)
{
	struct eqt_random random = { 88675123u };
	struct eqt_job_table table = { .id = NULL };

	for (int turn = 0; turn < 60; turn++) {
		uint32_t step = 1 + (uint32_t) eqt_random_below(&random, 70000);
		uint32_t count = 1 + (uint32_t) eqt_random_below(&random, 5000);

		ck_assert_uint_eq(eqt_job_table_begin(&table, count), count);
		for (uint32_t i = 1; i <= count; i++)
			eqt_job_table_set(&table, i * step, 0);
		for (uint32_t i = 1; i <= count; i++) {
			ck_assert(eqt_job_table_has(&table, i * step));
			ck_assert_int_eq(eqt_job_table_has(&table, i * step - 1),
					 step == 1 && i > 1);
		}
	}
	eqt_job_table_free(&table);
}
END_TEST

START_TEST(a_value_replaces_the_one_before)
{
	struct eqt_job_table table = { .id = NULL };

	ck_assert_ptr_null(eqt_job_table_get(&table, 5));
	eqt_job_table_set(&table, 5, 100);
	eqt_job_table_set(&table, 5, 200);
	eqt_job_table_set(&table, 6, 300);
	ck_assert_int_eq(*eqt_job_table_get(&table, 5), 200);
	ck_assert_int_eq(*eqt_job_table_get(&table, 6), 300);
	ck_assert(eqt_job_table_forget(&table, 5));
	ck_assert(!eqt_job_table_forget(&table, 5));
	ck_assert_uint_eq(table.count, 1);
	eqt_job_table_free(&table);
}
END_TEST

START_TEST(id_0_is_no_job)
{
	struct eqt_job_table table = { .id = NULL };

	eqt_job_table_set(&table, 0, 1);
	eqt_job_table_set(&table, 0, 0);
	ck_assert_uint_eq(table.count, 0);
	ck_assert(!eqt_job_table_has(&table, 0));
	eqt_job_table_free(&table);
}
END_TEST

#define IDS 300

/* Compare all that is in the table with a plain array in which 0 means none. */
static void table_check(const struct eqt_job_table *table, const time_t *plain)
{
	size_t count = 0;

	for (uint32_t id = 1; id < IDS; id++) {
		const time_t *value = eqt_job_table_get(table, id * 64);

		ck_assert_int_eq(value ? *value : 0, plain[id]);
		count += plain[id] != 0;
	}
	ck_assert_uint_eq(table->count, count);
}

START_TEST(random_changes_leave_what_an_array_has)
{
	struct eqt_random random = { 362436069u };
	struct eqt_job_table table = { .id = NULL };
	time_t plain[IDS] = { 0 };

	for (int turn = 0; turn < 20000; turn++) {
		uint32_t id =
			1 + (uint32_t) eqt_random_below(&random, IDS - 1);
		time_t value = 1 + (time_t) eqt_random_below(&random, 1000);

		if (eqt_random_below(&random, 2)) {
			ck_assert_int_eq(eqt_job_table_forget(&table, id * 64),
					 plain[id] != 0);
			plain[id] = 0;
		} else {
			eqt_job_table_set(&table, id * 64, value);
			plain[id] = value;
		}
		if (turn % 50 == 0)
			table_check(&table, plain);
	}
	eqt_job_table_free(&table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job_table");
	TCase *tcase = tcase_create("job_table");

	tcase_add_test(tcase, inserted_ids_are_found);
	tcase_add_test(tcase, it_begins_empty_each_time);
	tcase_add_test(tcase, a_value_replaces_the_one_before);
	tcase_add_test(tcase, id_0_is_no_job);
	tcase_add_test(tcase, random_changes_leave_what_an_array_has);
	tcase_add_test(tcase, ids_of_any_step_are_distinguished);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
