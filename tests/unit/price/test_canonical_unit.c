/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Canonical units: the examples of the paper that defines them, as printed. */
#include "price/canonical_unit.h"
#include "../unit.h"

#define COUNT(rows) ((int) (sizeof(rows) / sizeof((rows)[0])))
#define GIB 1024

/* "1 CPU core and 2 GB of memory" */
static const struct eqt_unit_amounts core_2g = { { 1, 2 * GIB, 0 } };
static const struct eqt_unit_amounts gpu = { { 0, 0, 1 } };

static const struct {
	const char *name;
	const struct eqt_unit_amounts *unit;
	struct eqt_unit_amounts there;
	uint64_t want;
} count_rows[] = {
	{ "all cores are allocated", &core_2g, { { 0, 6 * GIB, 0 } }, 0 },
	{ "all memory is allocated", &core_2g, { { 5, 0, 0 } }, 0 },
	{ "3 cores and 1 GB are free", &core_2g, { { 3, 1 * GIB, 0 } }, 0 },
	{ "3 cores and 4 GB are free", &core_2g, { { 3, 4 * GIB, 0 } }, 2 },
	{ "3 cores and 7 GB are free", &core_2g, { { 3, 7 * GIB, 0 } }, 3 },
	{ "a GPU chip as the only threshold", &gpu, { { 0, 0, 4 } }, 4 },
	{ "a megabyte short", &core_2g, { { 9, 4 * GIB - 1, 0 } }, 1 },
	{ "the largest there is", &core_2g, { { UINT64_MAX, UINT64_MAX, 0 } },
	  UINT64_MAX / (2 * GIB) },
	{ "a unit of nothing", &(const struct eqt_unit_amounts){ { 0 } },
	  { { 3, 3, 3 } }, 0 },
};

START_TEST(whole_units_that_fit)
{
	uint64_t got =
		eqt_canonical_unit_count(count_rows[_i].unit, &count_rows[_i].there);

	ck_assert_msg(got == count_rows[_i].want, "%s: %llu",
		      count_rows[_i].name, (unsigned long long) got);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_unit_amounts total, allocated;
	int cores_pct, memory_pct; /* -1: nothing to bill */
} bill_rows[] = {
	{ "no true overhead, 30 % of the memory unused: 143 % for memory",
	  { { 8, 10 * GIB, 0 } }, { { 8, 7 * GIB, 0 } }, 100, 143 },
	{ "no true overhead, half of the cores unused: 200 % for cores",
	  { { 8, 16 * GIB, 0 } }, { { 4, 16 * GIB, 0 } }, 200, 100 },
	{ "3 units of true overhead, 10 % of the rest unused: 111 %",
	  { { 8, 16 * GIB, 0 } }, { { 5, 9 * GIB, 0 } }, 100, 111 },
	{ "a full node", { { 8, 16 * GIB, 0 } }, { { 8, 16 * GIB, 0 } }, 100,
	  100 },
	{ "a job of GPUs alone", { { 8, 16 * GIB, 4 } }, { { 0, 0, 2 } }, -1,
	  -1 },
	{ "an idle node", { { 8, 17 * GIB, 0 } }, { { 0, 0, 0 } }, -1, -1 },
	{ "a job without memory", { { 8, 16 * GIB, 0 } }, { { 4, 0, 0 } }, 100,
	  -1 },
	{ "more allocated than there is", { { 8, 16 * GIB, 0 } },
	  { { 9, 17 * GIB, 0 } }, 100, 100 },
};

static int percent(const struct eqt_unit_amounts *total,
		   const struct eqt_unit_amounts *allocated, enum eqt_unit_part part)
{
	struct eqt_frac rate;

	if (eqt_canonical_unit_rate(&rate, &core_2g, total, allocated, part) < 0)
		return -1;
	return (int) eqt_frac_round(rate, 100, EQT_ROUND_NEAREST);
}

START_TEST(a_part_that_the_unit_has_not_got_has_no_rate)
{
	const struct eqt_unit_amounts total = { { 8, 16 * GIB, 4 } };
	const struct eqt_unit_amounts allocated = { { 4, 8 * GIB, 2 } };
	struct eqt_frac rate;

	ck_assert_int_lt(eqt_canonical_unit_rate(&rate, &gpu, &total, &allocated,
				       EQT_UNIT_PART_CORES), 0);
	ck_assert_int_eq(eqt_canonical_unit_rate(&rate, &gpu, &total, &allocated,
				       EQT_UNIT_PART_GPUS), 0);
}
END_TEST

START_TEST(room_is_short_of_one_part)
{
	const struct eqt_unit_amounts there = { { 4, 8, 2 } };
	struct eqt_unit_amounts wanted = there;
	int part;

	ck_assert(eqt_canonical_unit_covers(&there, &wanted));
	for (part = 0; part < EQT_UNIT_PARTS; part++) {
		wanted = there;
		wanted.of[part]++;
		ck_assert(!eqt_canonical_unit_covers(&there, &wanted));
	}
}
END_TEST

START_TEST(fair_bill_of_a_node)
{
	const struct eqt_unit_amounts *total = &bill_rows[_i].total;
	const struct eqt_unit_amounts *allocated = &bill_rows[_i].allocated;
	int cores = percent(total, allocated, EQT_UNIT_PART_CORES);
	int memory = percent(total, allocated, EQT_UNIT_PART_MEMORY);

	ck_assert_msg(cores == bill_rows[_i].cores_pct &&
			      memory == bill_rows[_i].memory_pct,
		      "%s: %d, %d", bill_rows[_i].name, cores, memory);
	ck_assert(percent(total, allocated, EQT_UNIT_PART_GPUS) == -1);
}
END_TEST

/* The billed part and the true overhead add up to the node. */
START_TEST(bill_and_overhead_are_the_whole_node)
{
	const struct eqt_unit_amounts total = { { 48, 187 * GIB, 0 } };
	struct eqt_unit_amounts allocated = { { (uint64_t) _i, 0, 0 } }, rest;
	struct eqt_frac rate;
	uint64_t billed;

	for (allocated.of[1] = 1; allocated.of[1] < total.of[1];
	     allocated.of[1] += 3001) {
		rest = eqt_canonical_unit_rest(&total, &allocated);
		ck_assert(eqt_canonical_unit_rate(&rate, &core_2g, &total, &allocated,
					EQT_UNIT_PART_MEMORY) == 0);
		billed = eqt_frac_round(rate, allocated.of[1],
					EQT_ROUND_FLOOR);
		ck_assert_uint_eq(billed + 2 * GIB * eqt_canonical_unit_count(&core_2g,
								    &rest),
				  total.of[1]);
	}
}
END_TEST

static const struct {
	const char *text;
	struct eqt_unit_amounts want;
} parse_rows[] = {
	{ "cores=1,memory=2G", { { 1, 2048, 0 } } },
	{ "gpu=1", { { 0, 0, 1 } } },
	{ "GPUS=2,mem=500,cpu=12", { { 12, 500, 2 } } },
	{ "cores=1,gres/jobfs=25G", { { 1, 0, 0, UINT64_C(25) << 30 } } },
	{ "gres/disk=25", { { 0, 0, 0, 25 } } },
	{ "tmpdisk=20000,cores=1", { { 1, 0, 0, UINT64_C(20000) << 20 } } },
	{ "TmpDisk=2G", { { 0, 0, 0, UINT64_C(2) << 30 } } },
	{ "gres/x=3", { { 0, 0, 0, 3 } } },
	{ "memory=0000000000000000000000000000002", { { 0, 2, 0, 0 } } },
};

START_TEST(unit_from_text)
{
	char disk[EQT_UNIT_DISK_SIZE] = "";
	struct eqt_unit_amounts unit;
	struct eqt_error err;

	ck_assert(eqt_canonical_unit_parse(&unit, disk, parse_rows[_i].text, &err) == 0);
	ck_assert_mem_eq(&unit, &parse_rows[_i].want, sizeof(unit));
}
END_TEST

static const struct {
	const char *text, *want;
} refused_rows[] = {
	{ "", "not a list of cores=N, memory=SIZE, gpu=N" },
	{ "cores", "not a list" },
	{ "disk=3", "not a list" },
	{ "=3", "not a list" },
	{ "nothing=3", "not a list" },
	{ "gres/a23456789b123456789c123456789d123456789e123456789f123456789g1234567"
	  "=3", "not a list" },
	{ "cores=1,", "not a list" },
	{ ",cores=1", "not a list" },
	{ "cores=0", "cores: no amount above 0" },
	{ "cores=", "cores: no amount above 0" },
	{ "cores=-1", "cores: no amount above 0" },
	{ "memory=2X", "memory: no amount above 0" },
	{ "memory=000000000000000000000000000000000000002", "no amount" },
	{ "memory=00000000000000000000000000000002", "no amount" },
	{ "gresxy=3", "not a list" },
	{ "cores=4,memory=000000000000000000000000000000000000002",
	  "memory: no amount" },
	{ "gpu=1,gpus=2", "gpus twice" },
	{ "gres/jobfs=1,gres/jobfs=2", "disk twice" },
	{ "gres/=1", "not a list" },
	{ "gres/jobfs=0", "disk: no amount above 0" },
	{ "tmpdisk=1G", "local disk is gres/jobfs in one unit, and TmpDisk in "
			"another" },
};

START_TEST(bad_unit_is_refused)
{
	char disk[EQT_UNIT_DISK_SIZE] = "gres/jobfs";
	struct eqt_unit_amounts unit = { { 7, 7, 7 } };
	struct eqt_error err;

	ck_assert_msg(eqt_canonical_unit_parse(&unit, disk, refused_rows[_i].text, &err) == -1,
		      "%s", refused_rows[_i].text);
	ck_assert_msg(strstr(err.text, refused_rows[_i].want) != NULL,
		      "%s: %s", refused_rows[_i].text, err.text);
	ck_assert(unit.of[0] == 7);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("overhead");
	TCase *tcase = tcase_create("overhead");

	tcase_add_loop_test(tcase, whole_units_that_fit, 0, COUNT(count_rows));
	tcase_add_test(tcase, a_part_that_the_unit_has_not_got_has_no_rate);
	tcase_add_test(tcase, room_is_short_of_one_part);
	tcase_add_loop_test(tcase, fair_bill_of_a_node, 0, COUNT(bill_rows));
	tcase_add_loop_test(tcase, bill_and_overhead_are_the_whole_node, 1, 49);
	tcase_add_loop_test(tcase, unit_from_text, 0, COUNT(parse_rows));
	tcase_add_loop_test(tcase, bad_unit_is_refused, 0, COUNT(refused_rows));
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
