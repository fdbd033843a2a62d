/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of waiting jobs: which jobs a scheduler may take for each other. */
#include "sim/kinds.h"
#include "../unit.h"

static struct eqt_simulation_kinds *kinds;

static void setup(void)
{
	kinds = calloc(1, sizeof(*kinds));
	ck_assert_ptr_nonnull(kinds);
}

static void teardown(void)
{
	eqt_kinds_free(kinds);
}

/* Do jobs with these limits belong to one kind? */
static bool are_one_kind(const struct eqt_simulation_needs *a,
			 const struct eqt_simulation_needs *b)
{
	const struct eqt_simulation_job one = { .nodes = 1, .needs = a };
	const struct eqt_simulation_job other = { .nodes = 1, .needs = b };
	bool same;

	setup();
	same = eqt_kinds_place(kinds, &one) == eqt_kinds_place(kinds, &other);
	teardown();
	return same;
}

START_TEST(jobs_without_limits_are_one_kind)
{
	ck_assert(are_one_kind(NULL, NULL));
}
END_TEST

static const struct use_row {
	const char *name;
	struct eqt_simulation_use a, b;
	bool same;
} use_rows[] = {
	{ "equal amounts", { 0, 0, 4 }, { 0, 0, 4 }, true },
	{ "more of the limit", { 0, 0, 4 }, { 0, 0, 5 }, false },
	{ "another limit", { 0, 0, 4 }, { 1, 0, 4 }, false },
	{ "spent rather than held", { 0, 60, 4 }, { 0, 0, 4 }, false },
	{ "held rather than spent", { 0, 0, 4 }, { 0, 60, 4 }, false },
	{ "spent, which was taken before", { 0, 60, 4 }, { 0, 90, 5 }, true },
};

/* The second use decides, so that each use of a job counts. */
START_TEST(a_kind_takes_equal_amounts_of_equal_limits)
{
	const struct use_row *row = &use_rows[_i];
	const struct eqt_simulation_use first = { .limit = 7, .amount = 1 };
	const struct eqt_simulation_use of_a[] = { first, row->a };
	const struct eqt_simulation_use of_b[] = { first, row->b };
	const struct eqt_simulation_needs a = { .uses = of_a, .use_count = 2 };
	const struct eqt_simulation_needs b = { .uses = of_b, .use_count = 2 };

	ck_assert_msg(are_one_kind(&a, &b) == row->same, "%s", row->name);
}
END_TEST

/* The hash of a kind may be that of another one. */
START_TEST(a_job_at_a_limit_is_never_of_the_kind_without)
{
	for (uint32_t limit = 0; limit < 1000; limit++) {
		const struct eqt_simulation_use use = { .limit = limit,
							.amount = 1 };
		const struct eqt_simulation_needs needs = { .uses = &use,
							    .use_count = 1 };

		ck_assert(!are_one_kind(&needs, NULL));
		ck_assert(!are_one_kind(NULL, &needs));
	}
}
END_TEST

START_TEST(each_of_many_kinds_keeps_its_place)
{
	struct eqt_simulation_job job = { .nodes = 1 };

	for (int twice = 0; twice < 2; twice++) {
		for (uint32_t i = 0; i < 1000; i++) {
			job.all.cpus = i;
			ck_assert_int_eq(eqt_kinds_place(kinds, &job), i);
		}
	}
	ck_assert_uint_eq(kinds->count, 1000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("kinds");
	TCase *tcase = tcase_create("kinds");
	TCase *pairs = tcase_create("pairs");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, each_of_many_kinds_keeps_its_place);
	suite_add_tcase(suite, tcase);
	tcase_add_test(pairs, jobs_without_limits_are_one_kind);
	tcase_add_loop_test(pairs, a_kind_takes_equal_amounts_of_equal_limits,
			    0, (int) (sizeof(use_rows) / sizeof(*use_rows)));
	tcase_add_test(pairs, a_job_at_a_limit_is_never_of_the_kind_without);
	suite_add_tcase(suite, pairs);
	return eqt_unit_main(suite);
}
