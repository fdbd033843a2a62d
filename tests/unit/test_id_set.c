/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include "../../plugins/priority/walk/id_set.h"
#include "../property/random.h"

START_TEST(what_was_put_in_is_there)
{
	struct eqt_id_set set = { .place = NULL };

	ck_assert(!eqt_id_set_has(&set, 1));
	ck_assert_uint_eq(eqt_id_set_begin(&set, 3), 3);
	eqt_id_set_add(&set, 7);
	eqt_id_set_add(&set, UINT32_MAX);
	eqt_id_set_add(&set, 7);
	ck_assert(eqt_id_set_has(&set, 7));
	ck_assert(eqt_id_set_has(&set, UINT32_MAX));
	ck_assert(!eqt_id_set_has(&set, 8));
	ck_assert(!eqt_id_set_has(&set, 0));
	eqt_id_set_free(&set);
	ck_assert(!eqt_id_set_has(&set, 7));
}
END_TEST

START_TEST(it_begins_empty_each_time)
{
	struct eqt_id_set set = { .place = NULL };

	for (size_t count = 100000; count > 0; count /= 10) {
		ck_assert_uint_eq(eqt_id_set_begin(&set, count), count);
		for (uint32_t id = 1; id <= count; id++) {
			ck_assert(!eqt_id_set_has(&set, id));
			eqt_id_set_add(&set, id);
		}
		ck_assert(eqt_id_set_has(&set, (uint32_t) count));
	}
	eqt_id_set_free(&set);
}
END_TEST

/* Ids as jobs have them, in steps of all lengths, against their arithmetic. */
START_TEST(ids_of_any_step_are_told_apart)
{
	struct eqt_random random = { 88675123u };
	struct eqt_id_set set = { .place = NULL };

	for (int turn = 0; turn < 200; turn++) {
		uint32_t step = 1 + (uint32_t) eqt_random_below(&random, 70000);
		uint32_t count = 1 + (uint32_t) eqt_random_below(&random, 5000);

		ck_assert_uint_eq(eqt_id_set_begin(&set, count), count);
		for (uint32_t i = 1; i <= count; i++)
			eqt_id_set_add(&set, i * step);
		for (uint32_t i = 1; i <= count; i++) {
			ck_assert(eqt_id_set_has(&set, i * step));
			ck_assert_int_eq(eqt_id_set_has(&set, i * step - 1),
					 step == 1 && i > 1);
		}
	}
	eqt_id_set_free(&set);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("id_set");
	TCase *tcase = tcase_create("id_set");

	tcase_add_test(tcase, what_was_put_in_is_there);
	tcase_add_test(tcase, it_begins_empty_each_time);
	tcase_add_test(tcase, ids_of_any_step_are_told_apart);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
