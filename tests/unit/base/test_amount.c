/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory, times and lists of array indexes are read as sbatch reads them. */
#include <stdio.h>
#include <sys/resource.h>

#include "base/amount.h"
#include "../sanitizer.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX UINT64_MAX

static const struct {
	const char *text;
	int64_t want;	/* -1: refused */
} array_rows[] = {
	{ "0", 1 }, { "7", 1 }, { "0-9", 10 }, { "1,3,5", 3 },
	{ "0-9,12,20-30:5%4", 14 }, { "0-10:3", 4 }, { "0-9%2", 10 },
	{ "[0-9]", 10 }, { "[1-3,7]", 4 }, { "1-3,,7", 4 }, { "1, 2", 2 },
	{ "0-9,5", 10 }, { "5,0-9", 10 }, { "9,8,7,9", 3 },
	{ "0-100:2,0-100:3", 68 }, { "0-4000000:2", 2000001 },
	{ "0-1999999:2,2000000-4000000:2", 2000001 }, { "4000000", 1 },
	{ "0-4000000", 4000001 }, { "3-1", -1 }, { "0-9:0", -1 },
	{ "4000001", -1 }, { "18446744073709551616", -1 }, { "", -1 },
	{ ",", -1 }, { "-1", -1 }, { "a", -1 }, { "1-", -1 }, { "1-a", -1 },
	{ "1:2", -1 }, { "0x1f", -1 }, { "1;2", -1 }, { "1\n", -1 },
	{ "[", -1 }, { "%4", -1 }, { "1-2-3", -1 },
	{ "1-4000000,0-4000000,0-4000000,0-4000000,0-4000000", 4000001 },
	{ "0-4000000,0-4000000,0-4000000,0-3999995", 4000001 },
	{ "5-9,0-3,4", 10 }, { "8-20:4,0-8:4,3-20:4", 11 },
	{ "0-63,100-300,64-99,50-310:5", 303 },
	{ "70-80,60-90:5", 15 }, { "7-7:9,7", 1 },
};

START_TEST(array_tasks_are_counted_once_each)
{
	struct eqt_amount_tasks tasks = { 4711, false };
	int rc = eqt_amount_array_tasks(&tasks, array_rows[_i].text, 0);
	uint64_t got = tasks.count;

	ck_assert(!tasks.at_most);

	if (array_rows[_i].want < 0) {
		ck_assert_msg(rc == -1, "\"%s\"", array_rows[_i].text);
		ck_assert_uint_eq(got, 4711);
		return;
	}
	ck_assert_msg(rc == 0, "\"%s\"", array_rows[_i].text);
	ck_assert_msg(got == (uint64_t) array_rows[_i].want, "\"%s\": %ju",
		      array_rows[_i].text, (uintmax_t) got);
}
END_TEST

START_TEST(no_array_has_no_tasks)
{
	struct eqt_amount_tasks tasks = { 4711, false };

	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, NULL, 0), -1);
	ck_assert_uint_eq(tasks.count, 4711);
}
END_TEST

START_TEST(an_index_beyond_the_site_s_limit_has_no_tasks)
{
	struct eqt_amount_tasks tasks;

	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, "0-1000", 1001), 0);
	ck_assert_uint_eq(tasks.count, 1001);
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, "0-1001", 1001), -1);
}
END_TEST

START_TEST(steps_that_would_take_long_have_an_upper_bound)
{
	struct eqt_amount_tasks tasks;

	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, "0-4000000:2,0-4000000:3", 0),
			 0);
	ck_assert(tasks.at_most);
	ck_assert_uint_eq(tasks.count, 2000001 + 1333334);
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks,
					 "0-4000000:2,1-4000000:2,0-9:3", 0),
			 0);
	ck_assert(tasks.at_most);
	ck_assert_uint_eq(tasks.count, 4000001);
}
END_TEST

/* slurmctld counts them while it holds its locks: a bit for each index is half a MiB. */
START_TEST(the_largest_array_is_counted_in_little_memory)
{
	struct eqt_amount_tasks tasks;
#ifndef ADDRESS_SANITIZER /* which maps terabytes */
	struct rlimit before, small;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
	small = before;
	small.rlim_cur = 256 << 20;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &small), 0);
#endif
	ck_assert_int_eq(eqt_amount_array_tasks(&tasks, "0-9:2,0-9:3,4000000", 0),
			 0);
	ck_assert_uint_eq(tasks.count, 8);
#ifndef ADDRESS_SANITIZER
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
#endif
}
END_TEST

static const struct {
	const char *text;
	int64_t want;
} memory_rows[] = {
	{ "1", 1 }, { "4000M", 4000 }, { "4000m", 4000 }, { "4000MB", 4000 },
	{ "2G", 2048 }, { "2gb", 2048 }, { "1T", 1048576 }, { "1K", 1 },
	{ "1024K", 1 }, { "1025K", 2 }, { "1023K", 1 }, { "2046K", 2 }, { "0", 0 }, { "", -1 }, { "M", -1 },
	{ "-1", -1 }, { "1.5G", -1 }, { "1Q", -1 }, { "5kx", -1 }, { "5Gi", -1 }, { "1MM", -1 },
	{ "1GBx", -1 }, { "99999999999999999999", -1 },
	{ "18446744073709551615G", -1 }, { "18446744073709551615T", -1 },
};

START_TEST(memory_is_read_as_sbatch_reads_it)
{
	uint64_t got = 4711;
	int rc = eqt_amount_memory(&got, memory_rows[_i].text);

	if (memory_rows[_i].want < 0) {
		ck_assert_msg(rc == -1, "\"%s\"", memory_rows[_i].text);
		ck_assert_uint_eq(got, 4711);
		return;
	}
	ck_assert_msg(rc == 0, "\"%s\"", memory_rows[_i].text);
	ck_assert_msg(got == (uint64_t) memory_rows[_i].want, "\"%s\": %ju",
		      memory_rows[_i].text, (uintmax_t) got);
}
END_TEST

static const struct {
	const char *text;
	uint64_t want;	/* 0: refused */
} time_rows[] = {
	{ "1", 1 }, { "90", 90 }, { "1:30", 2 }, { "1:00", 1 },
	{ "1:00:00", 60 }, { "100:00:00", 6000 }, { "0:0:1", 1 }, { "2-0", 2880 },
	{ "1-2:3", 1563 }, { "1-2:3:4", 1564 }, { "0", MAX },
	{ "UNLIMITED", MAX }, { "infinite", MAX }, { "", 0 }, { "1:", 0 },
	{ "1-", 0 }, { ":1", 0 }, { "1:2:3:4", 0 }, { "-1", 0 }, { "1h", 0 },
	{ "0:0:31", 1 }, { "0:0:60", 1 }, { "0:0:61", 2 }, { "60-0", 86400 },
	{ "18446744073709551615", 0 }, { "18446744073709551615-0", 0 },
};

START_TEST(time_is_read_as_sbatch_reads_it)
{
	uint64_t got = 4711;
	int rc = eqt_amount_minutes(&got, time_rows[_i].text);

	if (time_rows[_i].want == 0) {
		ck_assert_msg(rc == -1, "\"%s\"", time_rows[_i].text);
		ck_assert_uint_eq(got, 4711);
		return;
	}
	ck_assert_msg(rc == 0 && got == time_rows[_i].want, "\"%s\": %ju",
		      time_rows[_i].text, (uintmax_t) got);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("amount");
	TCase *tcase = tcase_create("amount");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(array_tasks_are_counted_once_each, array_rows);
	tcase_add_test(tcase, no_array_has_no_tasks);
	tcase_add_test(tcase, an_index_beyond_the_site_s_limit_has_no_tasks);
	tcase_add_test(tcase, steps_that_would_take_long_have_an_upper_bound);
	tcase_add_test(tcase, the_largest_array_is_counted_in_little_memory);
	ADD(memory_is_read_as_sbatch_reads_it, memory_rows);
	ADD(time_is_read_as_sbatch_reads_it, time_rows);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
