/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charges as lines of the journal, in both directions, and lines that are
 * refused. */
#include <locale.h>
#include <float.h>
#include <math.h>

#include "ledger/ledger.h"
#include "ledger_text.h"

#define ONE_HEX 0x1.921fb54442d18p+1

static struct eqt_journal_record charge_full(void)
{
	struct eqt_journal_record charge = {
		.sequence = UINT64_MAX,
		.job_id = UINT32_MAX,
		.assoc_id = UINT32_MAX,
		.qos_id = UINT32_MAX,
		.part_qos_id = UINT32_MAX,
		.from = INT64_MIN,
		.to = INT64_MAX,
		.rate = DBL_MAX,
		.factor = DBL_TRUE_MIN,
		.tres_count = EQT_JOURNAL_RECORD_TRES_MAX,
	};
	uint32_t i;

	for (i = 0; i < EQT_JOURNAL_RECORD_TRES_MAX; i++) {
		charge.tres[i].id = UINT32_MAX - i;
		charge.tres[i].count = UINT64_MAX - i;
	}
	return charge;
}

static void charge_same(const struct eqt_journal_record *a, const struct eqt_journal_record *b)
{
	uint32_t i;

	ck_assert_uint_eq(a->sequence, b->sequence);
	ck_assert_uint_eq(a->job_id, b->job_id);
	ck_assert_uint_eq(a->assoc_id, b->assoc_id);
	ck_assert_uint_eq(a->qos_id, b->qos_id);
	ck_assert_uint_eq(a->part_qos_id, b->part_qos_id);
	ck_assert_int_eq(a->from, b->from);
	ck_assert_int_eq(a->to, b->to);
	ck_assert(a->rate == b->rate && a->factor == b->factor);
	ck_assert_uint_eq(a->tres_count, b->tres_count);
	for (i = 0; i < a->tres_count; i++) {
		ck_assert_uint_eq(a->tres[i].id, b->tres[i].id);
		ck_assert_uint_eq(a->tres[i].count, b->tres[i].count);
	}
}

START_TEST(charge_reads_back_to_the_same_bits)
{
	const struct eqt_journal_record charges[] = {
		charge_full(),
		{ 0 },
		{ .sequence = 1, .rate = ONE_HEX, .factor = 0.1, .to = 60 },
		{ .sequence = 2, .rate = ONE_HEX, .factor = -0.1, .to = 60 },
	};
	char line[EQT_JOURNAL_RECORD_TEXT];
	struct eqt_journal_record in;
	int i, length;

	for (i = 0; i < ARRAY_SIZE(charges); i++) {
		length = eqt_journal_record_text(line, sizeof(line), &charges[i]);
		ck_assert_int_gt(length, 0);
		ck_assert_int_eq(line[length - 1], '\n');
		ck_assert_int_eq(line[length], '\0');
		ck_assert_int_eq(eqt_journal_record_parse(&in, line,
						  (size_t) length - 1, NULL),
				 0);
		charge_same(&in, &charges[i]);
	}
}
END_TEST

START_TEST(charge_text_is_the_documented_one)
{
	const struct eqt_journal_record charge = { 42,
					   1234,
					   7,
					   1,
					   0,
					   1700000000,
					   1700003600,
					   2.5,
					   1,
					   2,
					   { { 1, 8 }, { 1001, 2 } } };
	char line[EQT_JOURNAL_RECORD_TEXT], want[256];

	seal(want, sizeof(want),
	     "42 1234 7 1 0 1700000000 1700003600 "
	     "0x1.4p+1 0x1p+0 1=8 1001=2 ",
	     "\n");
	ck_assert_int_eq(eqt_journal_record_text(line, sizeof(line), &charge),
			 (int) strlen(want));
	ck_assert_str_eq(line, want);
}
END_TEST

START_TEST(charge_that_does_not_fit_leaves_the_buffer)
{
	const struct eqt_journal_record charge = charge_full();
	char line[EQT_JOURNAL_RECORD_TEXT] = "untouched";
	int length;

	ck_assert_int_eq(eqt_journal_record_text(line, 0, &charge), -1);
	ck_assert_int_eq(eqt_journal_record_text(line, 100, &charge), -1);
	ck_assert_str_eq(line, "untouched");
	length = eqt_journal_record_text(line, sizeof(line), &charge);
	ck_assert_int_gt(length, 0);
	strcpy(line, "untouched");
	ck_assert_int_eq(eqt_journal_record_text(line, (size_t) length, &charge), -1);
	ck_assert_str_eq(line, "untouched");
	line[length + 1] = 'x';
	ck_assert_int_eq(eqt_journal_record_text(line, (size_t) length + 1, &charge),
			 length);
	ck_assert_int_eq(line[length], '\0');
	ck_assert_int_eq(line[length + 1], 'x');
}
END_TEST

START_TEST(charge_that_could_not_be_read_is_not_written)
{
	const struct eqt_journal_record charges[] = {
		{ .rate = NAN },
		{ .rate = INFINITY },
		{ .rate = -1 },
		{ .factor = NAN },
		{ .factor = -INFINITY },
		{ .rate = -DBL_TRUE_MIN },
		{ .from = 1 },
		{ .tres_count = EQT_JOURNAL_RECORD_TRES_MAX + 1 },
	};
	char line[EQT_JOURNAL_RECORD_TEXT] = "untouched";
	int i;

	for (i = 0; i < ARRAY_SIZE(charges); i++) {
		ck_assert_int_eq(
			eqt_journal_record_text(line, sizeof(line), &charges[i]), -1);
		ck_assert_str_eq(line, "untouched");
	}
}
END_TEST

/* Journal lines with a correct checksum. */
static const struct {
	const char *body;
	const char *error; /* NULL: accepted */
} lines[] = {
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", NULL },
	{ "1 2 3 4 5 7 7 0x1p+0 0x1p+0 1=1 ", NULL },
	{ "1 2 3 4 5 -7 -6 0x1p+0 0x1p+0 1=18446744073709551615 ", NULL },
	{ "1 2 3 4 5 6 7 0x1p+0 -0x1p+0 ", NULL },
	{ "1 2 3 4 5 6 7 0x1p+0 -0x0p+0 ", "FACTOR: \"-0x0p+0\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 --0x1p+0 ", "FACTOR: \"--0x1p+0\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 - ", "FACTOR: \"-\"" },
	{ " ", "SEQUENCE: \"\"" },
	{ "1 ", "JOB: missing" },
	{ "1 2 3 4 5 6 7 0x1p+0 ", "FACTOR: missing" },
	{ "1 2 3 4 5 6 7 0x1p+0 1=1 ", "FACTOR: \"1=1\"" },
	{ "1  3 4 5 6 7 0x1p+0 0x1p+0 ", "JOB: \"\"" },
	{ " 1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "SEQUENCE: \"\"" },
	{ "+1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "SEQUENCE: \"+1\"" },
	{ "-1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "SEQUENCE: \"-1\"" },
	{ "01 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "SEQUENCE: \"01\"" },
	{ "18446744073709551616 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "SEQUENCE: " },
	{ "99999999999999999999999999 2 3 4 5 6 7 0x1p+0 0x1p+0 ",
	  "SEQUENCE: " },
	{ "1 4294967296 3 4 5 6 7 0x1p+0 0x1p+0 ", "JOB: " },
	{ "1 2 0x3 4 5 6 7 0x1p+0 0x1p+0 ", "ASSOC: \"0x3\"" },
	{ "1 2 3 4a 5 6 7 0x1p+0 0x1p+0 ", "QOS: \"4a\"" },
	{ "1 2 3 4 5.0 6 7 0x1p+0 0x1p+0 ", "PART_QOS: \"5.0\"" },
	/* Forty bytes of a field are shown. */
	{ "1234567890123456789012345678901234567890 2 ",
	  "SEQUENCE: \"1234567890123456789012345678901234567890\" is not" },
	{ "12345678901234567890123456789012345678901 2 ",
	  "SEQUENCE: \"1234567890123456789012345678901234567890\" is not" },
	{ "1 2 3 4 5 - 7 0x1p+0 0x1p+0 ", "FROM: \"-\"" },
	{ "1 2 3 4 5 --6 7 0x1p+0 0x1p+0 ", "FROM: \"--6\"" },
	{ "1 2 3 4 5 6 9223372036854775808 0x1p+0 0x1p+0 ", "TO: " },
	{ "1 2 3 4 5 8 7 0x1p+0 0x1p+0 ", "FROM: later than TO" },
	{ "1 2 3 4 5 6 7 1 0x1p+0 ", "RATE: \"1\"" },
	{ "1 2 3 4 5 6 7 0x1 0x1p+0 ", NULL },
	{ "1 2 3 4 5 6 7 0x 0x1p+0 ", "RATE: \"0x\"" },
	{ "1 2 3 4 5 6 7 012 0x1p+0 ", "RATE: \"012\"" },
	{ "1 2 3 4 5 6 7 0.5 0x1p+0 ", "RATE: \"0.5\"" },
	{ "1 2 3 4 5 6 7 0xAp+0 0x1p+0 ", "RATE: \"0xAp+0\"" },
	{ "1 2 3 4 5 6 7 0x1P+0 0x1p+0 ", "RATE: \"0x1P+0\"" },
	{ "1 2 3 4 5 6 7 inf 0x1p+0 ", "RATE: \"inf\"" },
	{ "1 2 3 4 5 6 7 nan 0x1p+0 ", "RATE: \"nan\"" },
	{ "1 2 3 4 5 6 7 -0x1p+0 0x1p+0 ", "RATE: \"-0x1p+0\"" },
	{ "1 2 3 4 5 6 7 0x1p+1024 0x1p+0 ", "RATE: \"0x1p+1024\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p-1080 ", "FACTOR: \"0x1p-1080\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0  ", "ID: \"\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1 ", "COUNT: missing" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 =1 ", "ID: \"\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1= ", "COUNT: \"\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1=-1 ", "COUNT: \"-1\"" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1=1=1 ", "COUNT: a second one" },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 4294967296=1 ", "ID: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1=18446744073709551616 ", "COUNT: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0\t1=1 ", "FACTOR: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0\n1 ", "FACTOR: " },
};

START_TEST(journal_line_with_a_right_checksum)
{
	struct eqt_journal_record out = { .job_id = 99 };
	struct eqt_error err = { "" };
	char text[256];
	size_t length = seal(text, sizeof(text), lines[_i].body, "");
	int rc = eqt_journal_record_parse(&out, text, length, &err);

	if (!lines[_i].error) {
		ck_assert_msg(rc == 0, "%s", err.text);
		return;
	}
	ck_assert_int_eq(rc, -1);
	ck_assert_uint_eq(out.job_id, 99);
	ck_assert_msg(strncmp(err.text, lines[_i].error,
			      strlen(lines[_i].error)) == 0,
		      "\"%s\", not \"%s\"", err.text, lines[_i].error);
}
END_TEST

/* Journal lines as they are in a file. */
static const struct {
	const char *line;
	const char *error;
} broken_lines[] = {
	{ "", "cut short: " },
	{ "00000000", "cut short: " },
	{ " 00000000", "altered: " },
	{ "1 2 3", "cut short: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0", "cut short: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", "cut short: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 1234567", "cut short: " },
	{ "1 2 3 4 5 6 7 0x1p+0 0x1p+0 00000000", "altered: " },
};

START_TEST(journal_line_damage_is_named)
{
	struct eqt_journal_record out;
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_journal_record_parse(&out, broken_lines[_i].line,
					  strlen(broken_lines[_i].line), &err),
			 -1);
	ck_assert_msg(strncmp(err.text, broken_lines[_i].error,
			      strlen(broken_lines[_i].error)) == 0,
		      "\"%s\"", err.text);
}
END_TEST

START_TEST(charge_with_too_many_tres_is_refused)
{
	char body[1024] = "1 2 3 4 5 6 7 0x1p+0 0x1p+0 ", text[1024];
	struct eqt_error err = { "" };
	struct eqt_journal_record out;
	size_t length;
	int i;

	for (i = 0; i < EQT_JOURNAL_RECORD_TRES_MAX; i++)
		strcat(body, "1=1 ");
	length = seal(text, sizeof(text), body, "");
	ck_assert_int_eq(eqt_journal_record_parse(&out, text, length, &err), 0);
	strcat(body, "1=1 ");
	length = seal(text, sizeof(text), body, "");
	ck_assert_int_eq(eqt_journal_record_parse(&out, text, length, &err), -1);
	ck_assert_str_eq(err.text, "more than 64 ID=COUNT");
}
END_TEST

/* What stands before the line is none of its own. */
START_TEST(a_checksum_alone_is_no_line)
{
	static const char text[] = " 00000000";
	struct eqt_journal_record charge;
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_journal_record_parse(&charge, text + 1, 8, &err),
			 -1);
	ck_assert_str_eq(err.text, "cut short: no checksum at the end");
}
END_TEST

/* slurmctld's own locale, as this thread has it. */
START_TEST(the_thread_has_its_locale_again)
{
	static const char text[] = "1 2";
	const locale_t before = uselocale(LC_GLOBAL_LOCALE);
	struct eqt_journal_record charge;

	ck_assert_int_eq(eqt_journal_record_parse(&charge, text, 3, NULL), -1);
	ck_assert(uselocale(before) == LC_GLOBAL_LOCALE);
}
END_TEST

static bool group_is_whole(const char *text, size_t *begin)
{
	const size_t at = (size_t) (strchr(text, '=') - text);

	return eqt_journal_record_group_is_whole(text, at, strlen(text) - at, begin);
}

START_TEST(a_group_is_whole_or_it_is_not)
{
	char line[EQT_JOURNAL_GROUP_TEXT];
	size_t begin = 99;

	ck_assert_int_eq(eqt_journal_record_group_text(line, 6, 0x5d6f0e5b), 20);
	ck_assert_str_eq(line, "= 00000006 5d6f0e5b\n");
	ck_assert(group_is_whole("torn one\none\ntwo\n= 00000008 12ba0be6", &begin));
	ck_assert_uint_eq(begin, 9);
	ck_assert(group_is_whole("= 00000000 00000000", &begin));
	ck_assert_uint_eq(begin, 0);
	ck_assert(!group_is_whole("one\ntwO\n= 00000008 12ba0be6", &begin));
	ck_assert(!group_is_whole("one\ntwo\n= 00000009 12ba0be6", &begin));
	ck_assert(!group_is_whole("one\ntwo\n= 00000008 12ba0be", &begin));
	ck_assert(!group_is_whole("one\ntwo\n= 00000008 12ba0be6 ", &begin));
	ck_assert(!group_is_whole("one\ntwo\n= 8 12ba0be6", &begin));
	ck_assert(!group_is_whole("= 00000008 12ba0be6 and much more of it, and more", &begin));
}
END_TEST

static TCase *charge_case(void)
{
	TCase *tcase = tcase_create("charge");

	tcase_add_test(tcase, charge_reads_back_to_the_same_bits);
	tcase_add_test(tcase, charge_text_is_the_documented_one);
	tcase_add_test(tcase, charge_that_does_not_fit_leaves_the_buffer);
	tcase_add_test(tcase, charge_that_could_not_be_read_is_not_written);
	tcase_add_loop_test(tcase, journal_line_with_a_right_checksum, 0,
			    ARRAY_SIZE(lines));
	tcase_add_loop_test(tcase, journal_line_damage_is_named, 0,
			    ARRAY_SIZE(broken_lines));
	tcase_add_test(tcase, charge_with_too_many_tres_is_refused);
	tcase_add_test(tcase, a_checksum_alone_is_no_line);
	tcase_add_test(tcase, the_thread_has_its_locale_again);
	tcase_add_test(tcase, a_group_is_whole_or_it_is_not);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("charge");

	suite_add_tcase(suite, charge_case());
	return eqt_unit_main(suite);
}
