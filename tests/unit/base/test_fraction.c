/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fraction: exact fractions, and error texts that cannot forge a line. */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fraction.h"
#include "../unit.h"

#define MAX UINT64_MAX
#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))
#define SATURATED (UINT64_MAX - 2)

/* The result that a failed call must not change. */
static const struct eqt_frac untouched = { 77, 78 };

static void assert_frac(const char *name, struct eqt_frac got,
			struct eqt_frac want)
{
	ck_assert_msg(got.num == want.num && got.den == want.den,
		      "%s: %ju/%ju instead of %ju/%ju", name,
		      (uintmax_t) got.num, (uintmax_t) got.den,
		      (uintmax_t) want.num, (uintmax_t) want.den);
}

/* a op b = want, or rc -1 */
struct binary_row {
	const char *name;
	struct eqt_frac a, b;
	int rc;
	struct eqt_frac want;
};

static const struct {
	const char *name;
	uint64_t num, num_times, den, den_times;
	int rc;
	struct eqt_frac want;
} make_rows[] = {
	{ "lowest terms", 10000, 1, 4000, 1, 0, { 5, 2 } },
	{ "whole number", 12, 1, 4, 1, 0, { 3, 1 } },
	{ "zero", 0, 1, 5, 1, 0, { 0, 1 } },
	{ "zero over the largest", 0, 1, MAX, MAX, 0, { 0, 1 } },
	{ "already reduced", 7, 1, 9, 1, 0, { 7, 9 } },
	{ "largest numerator", MAX, 1, 1, 1, 0, { MAX, 1 } },
	{ "largest denominator", 1, 1, MAX, 1, 0, { 1, MAX } },
	{ "one of the largest", MAX, 1, MAX, 1, 0, { 1, 1 } },
	{ "128 bits that reduce", MAX, MAX, MAX, 1, 0, { MAX, 1 } },
	{ "powers of two", UINT64_C(1) << 63, 1, UINT64_C(1) << 40, 1, 0,
	  { UINT64_C(1) << 23, 1 } },
	{ "twos and threes", 6 * 81, 1, 4 * 27, 1, 0, { 9, 2 } },
	{ "128 bits over 64 with twos and threes", UINT64_C(1) << 63, 6,
	  UINT64_C(1) << 60, 9, 0, { 16, 3 } },
	{ "64 bits over 128 with twos and threes", UINT64_C(1) << 60, 9,
	  UINT64_C(1) << 63, 6, 0, { 3, 16 } },
	{ "128 bits over 128 bits", MAX, MAX, MAX, MAX, 0, { 1, 1 } },
	{ "largest odd numbers with a divisor", MAX, 1, MAX - 6, 1, 0,
	  { MAX / 3, MAX / 3 - 2 } },
	{ "the same the other way round", MAX - 6, 1, MAX, 1, 0,
	  { MAX / 3 - 2, MAX / 3 } },
	{ "division by zero", 1, 1, 0, 1, -1, { 0, 0 } },
	{ "zero by zero", 0, 1, 0, 1, -1, { 0, 0 } },
	{ "numerator too large", MAX, 2, 1, 1, -1, { 0, 0 } },
	{ "denominator too large", 1, 1, MAX, 2, -1, { 0, 0 } },
};

START_TEST(make_reduces_or_refuses)
{
	struct eqt_frac got = untouched;
	int rc = eqt_frac_make(
		&got,
		(eqt_u128) make_rows[_i].num * make_rows[_i].num_times,
		(eqt_u128) make_rows[_i].den * make_rows[_i].den_times);

	ck_assert_msg(rc == make_rows[_i].rc, "%s", make_rows[_i].name);
	assert_frac(make_rows[_i].name, got,
		    rc < 0 ? untouched : make_rows[_i].want);
}
END_TEST

static const struct binary_row add_rows[] = {
	{ "halves", { 1, 2 }, { 1, 2 }, 0, { 1, 1 } },
	{ "thirds and sixths", { 1, 3 }, { 1, 6 }, 0, { 1, 2 } },
	{ "zero is neutral", { 0, 1 }, { 5, 7 }, 0, { 5, 7 } },
	{ "up to the largest", { MAX - 1, 1 }, { 1, 1 }, 0, { MAX, 1 } },
	{ "same large denominator", { 1, MAX }, { 1, MAX }, 0, { 2, MAX } },
	{ "one past the largest", { MAX, 1 }, { 1, 1 }, -1, { 0, 0 } },
	{ "128 bits exceeded", { MAX, MAX - 1 }, { MAX, MAX - 2 }, -1,
	  { 0, 0 } },
	{ "denominator too large", { 1, MAX }, { 1, MAX - 1 }, -1, { 0, 0 } },
};

START_TEST(add_is_exact_or_refuses)
{
	const struct binary_row *row = &add_rows[_i];
	struct eqt_frac got = untouched;

	ck_assert_msg(eqt_frac_add(&got, row->a, row->b) == row->rc, "%s",
		      row->name);
	assert_frac(row->name, got, row->rc < 0 ? untouched : row->want);
}
END_TEST

static const struct binary_row mul_rows[] = {
	{ "halves", { 1, 2 }, { 1, 2 }, 0, { 1, 4 } },
	{ "cancels crosswise", { 2, 3 }, { 3, 4 }, 0, { 1, 2 } },
	{ "by zero", { 0, 1 }, { 5, 7 }, 0, { 0, 1 } },
	{ "large ones that cancel", { MAX, 2 }, { 2, MAX }, 0, { 1, 1 } },
	{ "largest by one", { MAX, 1 }, { 1, 1 }, 0, { MAX, 1 } },
	{ "too large", { MAX, 1 }, { 2, 1 }, -1, { 0, 0 } },
	{ "too small", { 1, MAX }, { 1, 2 }, -1, { 0, 0 } },
};

START_TEST(mul_is_exact_or_refuses)
{
	const struct binary_row *row = &mul_rows[_i];
	struct eqt_frac got = untouched;

	ck_assert_msg(eqt_frac_mul(&got, row->a, row->b) == row->rc, "%s",
		      row->name);
	assert_frac(row->name, got, row->rc < 0 ? untouched : row->want);
}
END_TEST

/* rc is the sign */
static const struct binary_row cmp_rows[] = {
	{ "equal", { 1, 2 }, { 1, 2 }, 0, { 0, 0 } },
	{ "less", { 1, 3 }, { 1, 2 }, -1, { 0, 0 } },
	{ "more", { 2, 3 }, { 1, 2 }, 1, { 0, 0 } },
	{ "zero and little", { 0, 1 }, { 1, MAX }, -1, { 0, 0 } },
	{ "differ beyond doubles", { MAX, MAX - 1 }, { MAX - 1, MAX - 2 }, -1,
	  { 0, 0 } },
	{ "neighbours of one", { MAX - 1, MAX }, { MAX, MAX - 1 }, -1,
	  { 0, 0 } },
	{ "largest and smallest", { MAX, 1 }, { 1, MAX }, 1, { 0, 0 } },
	{ "largest twice", { MAX, 1 }, { MAX, 1 }, 0, { 0, 0 } },
};

START_TEST(cmp_orders_at_the_edges_of_64_bits)
{
	const struct binary_row *row = &cmp_rows[_i];

	ck_assert_msg(eqt_frac_cmp(row->a, row->b) == row->rc, "%s",
		      row->name);
	ck_assert_msg(eqt_frac_cmp(row->b, row->a) == -row->rc, "%s, turned",
		      row->name);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_frac a;
	double want;
} double_rows[] = {
	{ "zero", { 0, 1 }, 0.0 },
	{ "two and a half", { 5, 2 }, 2.5 },
	{ "a third", { 1, 3 }, 1.0 / 3.0 },
	{ "a tenth", { 1, 10 }, 0.1 },
	{ "largest", { MAX, 1 }, 0x1p64 },
	{ "smallest", { 1, MAX }, 0x1p-64 },
	{ "a half goes to even", { (UINT64_C(1) << 53) + 1, 1 }, 0x1p53 },
	/* 2^53 + 1 + 1/2048: rounded to 64 bits first, it would be halfway */
	{ "just above a half", { (UINT64_C(1) << 63) + 1025, 1 },
	  0x1p63 + 2048 },
	{ "thirds above a half",
	  { (UINT64_C(1) << 54) * 3 + 7, 3 }, 0x1p54 + 4 },
	/* 1 + 2^-53 + about 2^-117 */
	{ "a rest beyond 64 bits decides",
	  { (UINT64_C(2047) << 53) + 2046, (UINT64_C(2047) << 53) - 1 },
	  1 + 0x1p-52 },
};

START_TEST(double_is_the_nearest)
{
	double got = eqt_frac_double(double_rows[_i].a);

	ck_assert_msg(!(got < double_rows[_i].want) &&
		      !(got > double_rows[_i].want),
		      "%s: %.17g instead of %.17g", double_rows[_i].name, got,
		      double_rows[_i].want);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_frac a;
	uint64_t scale, floor, nearest, ceil;
} round_rows[] = {
	{ "zero", { 0, 1 }, 1000, 0, 0, 0 },
	{ "whole", { 3, 1 }, 1, 3, 3, 3 },
	{ "a half goes up", { 5, 2 }, 1, 2, 3, 3 },
	{ "below a half", { 7, 3 }, 1, 2, 2, 3 },
	{ "above a half", { 8, 3 }, 1, 2, 3, 3 },
	{ "exact with scale 1000", { 5, 2 }, 1000, 2500, 2500, 2500 },
	{ "a third with scale 1000", { 1, 3 }, 1000, 333, 333, 334 },
	{ "two thirds with scale 1000", { 2, 3 }, 1000, 666, 667, 667 },
	{ "a half of a thousandth", { 1, 2000 }, 1000, 0, 1, 1 },
	{ "little is not lost by ceil", { 1, MAX }, 1000, 0, 0, 1 },
	{ "denominator above 2^63", { (MAX >> 1) + 1, MAX }, 1, 0, 1, 1 },
	{ "66 bits without a rest", { UINT64_C(1) << 63, UINT64_C(1) << 62 },
	  4, 8, 8, 8 },
	{ "66 bits and little more",
	  { (UINT64_C(1) << 63) + 1, UINT64_C(1) << 62 }, 4, 8, 8, 9 },
	{ "66 bits and most of one",
	  { (UINT64_C(1) << 63) + (UINT64_C(3) << 58), UINT64_C(1) << 62 }, 4,
	  8, 9, 9 },
	{ "scale 0", { 5, 2 }, 0, 0, 0, 0 },
	{ "not yet saturated", { MAX - 3, 1 }, 1, MAX - 3, MAX - 3, MAX - 3 },
	{ "saturation begins", { SATURATED, 1 }, 1, SATURATED, SATURATED,
	  SATURATED },
	{ "no NO_VAL64", { MAX - 1, 1 }, 1, SATURATED, SATURATED, SATURATED },
	{ "no INFINITE64", { MAX, 1 }, 1, SATURATED, SATURATED, SATURATED },
	{ "no wrap", { MAX, 1 }, MAX, SATURATED, SATURATED, SATURATED },
};

START_TEST(round_goes_as_said_and_saturates)
{
	const char *name = round_rows[_i].name;
	struct eqt_frac a = round_rows[_i].a;
	uint64_t scale = round_rows[_i].scale;

	ck_assert_msg(eqt_frac_round(a, scale, EQT_ROUND_FLOOR) ==
		      round_rows[_i].floor, "%s: floor", name);
	ck_assert_msg(eqt_frac_round(a, scale, EQT_ROUND_NEAREST) ==
		      round_rows[_i].nearest, "%s: nearest", name);
	ck_assert_msg(eqt_frac_round(a, scale, EQT_ROUND_CEIL) ==
		      round_rows[_i].ceil, "%s: ceil", name);
}
END_TEST

static const struct {
	struct eqt_frac a;
	const char *want;
} text_rows[] = {
	{ { 0, 1 }, "0" },
	{ { 1, 1 }, "1" },
	{ { 5, 2 }, "2.5" },
	{ { 1, 3 }, "0.3333" },
	{ { 2, 3 }, "0.6667" },
	{ { 1, 20 }, "0.05" },
	{ { 57, 50 }, "1.14" },
	{ { 100, 1 }, "100" },
	{ { 1001, 100 }, "10.01" },
	{ { 1, 10000 }, "0.0001" },
	{ { 1, 20000 }, "0.0001" },
	{ { 1, 20001 }, "<0.0001" },
	{ { 1, MAX }, "<0.0001" },
	{ { 99999, 100000 }, "1" },
	{ { MAX, 1 }, "18446744073709551615" },
	{ { MAX, 2 }, "9223372036854775807.5" },
};

START_TEST(text_has_as_few_digits_as_tell_the_value)
{
	char buf[EQT_FRAC_TEXT];

	ck_assert_ptr_eq(eqt_frac_text(text_rows[_i].a, buf, sizeof(buf)),
			 buf);
	ck_assert_str_eq(buf, text_rows[_i].want);
}
END_TEST

START_TEST(text_is_cut_at_the_size_of_its_buffer)
{
	char buf[4] = "abc";

	eqt_frac_text((struct eqt_frac) { 12345, 1 }, buf, sizeof(buf));
	ck_assert_str_eq(buf, "123");
}
END_TEST

static const struct {
	const char *text;
	int rc;
	uint64_t want;
} parse_rows[] = {
	{ "0", 0, 0 },
	{ "12", 0, 12000000 },
	{ "3.5", 0, 3500000 },
	{ ".25", 0, 250000 },
	{ "1.14", 0, 1140000 },
	{ "007", 0, 7000000 },
	{ "0.000001", 0, 1 },
	{ "18446744073709.551615", 0, MAX },
	{ "18446744073709.551616", -1, 0 },
	{ "18446744073710", -1, 0 },
	{ "18446744073709551616", -1, 0 },
	{ "99999999999999999999999999999999999999999", -1, 0 },
	{ "0.0000001", -1, 0 },
	{ "1.0000000", -1, 0 },
	{ "", -1, 0 },
	{ ".", -1, 0 },
	{ "3.", -1, 0 },
	{ "1.2.3", -1, 0 },
	{ "-1", -1, 0 },
	{ "+1", -1, 0 },
	{ " 1", -1, 0 },
	{ "1 ", -1, 0 },
	{ "1e3", -1, 0 },
	{ "0x10", -1, 0 },
	{ "1,5", -1, 0 },
	{ "inf", -1, 0 },
	{ "nan", -1, 0 },
};

START_TEST(micro_parse_takes_plain_decimals_only)
{
	const char *text = parse_rows[_i].text;
	uint64_t got = 4711;

	ck_assert_msg(eqt_frac_micro_parse(&got, text) == parse_rows[_i].rc,
		      "\"%s\"", text);
	ck_assert_msg(got == (parse_rows[_i].rc < 0 ? 4711
						    : parse_rows[_i].want),
		      "\"%s\": %ju", text, (uintmax_t) got);
}
END_TEST

START_TEST(error_text_cannot_forge_a_log_line)
{
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_error_set(&err, "user \"%s\"",
				       "x\nerror: \033[1m\x7f\t\r"), -1);
	ck_assert_str_eq(err.text, "user \"x?error: ?[1m???\"");
}
END_TEST

START_TEST(error_text_is_cut_and_utf8_stays)
{
	struct eqt_error err = { "" };

	eqt_error_set(&err, "%s", "B\xc3\xa9luga");
	ck_assert_str_eq(err.text, "B\xc3\xa9luga");
	eqt_error_set(&err, "%600d", 1);
	ck_assert_uint_eq(strlen(err.text), EQT_ERROR_SIZE - 1);
}
END_TEST

/* No character has that number. */
START_TEST(error_that_cannot_be_written_has_no_text)
{
	static const wchar_t none[] = { 0x7fffffff, 0 };
	struct eqt_error err = { "the one before" };

	ck_assert_int_eq(eqt_error_set(&err, "cut here: %ls", none), -1);
	ck_assert_str_eq(err.text, "");
}
END_TEST

START_TEST(error_may_be_null)
{
	ck_assert_int_eq(eqt_error_set(NULL, "nobody asks"), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("frac");
	TCase *tcase = tcase_create("frac");

#define ADD(test, rows) \
	tcase_add_loop_test(tcase, test, 0, (int) COUNT(rows))
	ADD(make_reduces_or_refuses, make_rows);
	ADD(add_is_exact_or_refuses, add_rows);
	ADD(mul_is_exact_or_refuses, mul_rows);
	ADD(cmp_orders_at_the_edges_of_64_bits, cmp_rows);
	ADD(double_is_the_nearest, double_rows);
	ADD(round_goes_as_said_and_saturates, round_rows);
	ADD(text_has_as_few_digits_as_tell_the_value, text_rows);
	tcase_add_test(tcase, text_is_cut_at_the_size_of_its_buffer);
	ADD(micro_parse_takes_plain_decimals_only, parse_rows);
	tcase_add_test(tcase, error_text_cannot_forge_a_log_line);
	tcase_add_test(tcase, error_text_is_cut_and_utf8_stays);
	tcase_add_test(tcase, error_that_cannot_be_written_has_no_text);
	tcase_add_test(tcase, error_may_be_null);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
