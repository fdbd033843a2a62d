/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the record of charges, in both directions, and lines that are refused. */
#include <float.h>

#include "ledger/charge_record.h"
#include "ledger_text.h"
#include "charge_text.h"

static const struct eqt_charge_record plain = {
	.number = 41,
	.kind = EQT_CHARGE_END,
	.job_id = 1234567,
	.array_job_id = 1234500,
	.array_task_id = 67,
	.restarts = 1,
	.assoc_id = 7,
	.qos_id = 1,
	.start = 1700000000,
	.from = 1700000000,
	.to = 1700003600,
	.rate = 2.5,
	.factor = 1,
	.unit = 1,
	.scale = 1000,
	.billing = 2500,
	.decided = EQT_CHARGE_BY_MEMORY,
	.pool = 'c',
	.account = "physics",
	.user = "ada",
	.partition = "batch",
	.qos = "normal",
};

#define PLAIN_BODY                                                             \
	"c 41 e 1234567 1234500 67 0 1 1700000000 0 3600 0 0x1.4p+1 0x1p+0 1 " \
	"1000 2500 7 1 0 mc 0 0 0 physics ada batch normal - - "

static void record_same(const struct eqt_charge_record *a,
			const struct eqt_charge_record *b)
{
	char one[EQT_CHARGE_TEXT], other[EQT_CHARGE_TEXT];

	ck_assert_int_gt(charge_text(one, sizeof(one), a), 0);
	ck_assert_int_gt(charge_text(other, sizeof(other), b), 0);
	ck_assert_str_eq(one, other);
	ck_assert(a->rate == b->rate && a->factor == b->factor);
	ck_assert_int_eq(a->from, b->from);
	ck_assert_int_eq(a->to, b->to);
	ck_assert_str_eq(a->account, b->account);
	ck_assert_str_eq(a->partition, b->partition);
	ck_assert_str_eq(a->reason, b->reason);
}

START_TEST(record_text_is_the_documented_one)
{
	char line[EQT_CHARGE_TEXT], want[EQT_CHARGE_TEXT];

	seal(want, sizeof(want), PLAIN_BODY, "\n");
	ck_assert_int_eq(charge_text(line, sizeof(line), &plain),
			 (int) strlen(want));
	ck_assert_str_eq(line, want);
}
END_TEST

START_TEST(record_of_a_usual_run_has_at_most_200_bytes)
{
	char line[EQT_CHARGE_TEXT];

	ck_assert_int_le(charge_text(line, sizeof(line), &plain),
			 200);
}
END_TEST

START_TEST(record_reads_back_to_the_same_bits)
{
	struct eqt_charge_record records[] = { plain, plain, plain };
	char line[EQT_CHARGE_TEXT];

	records[1] = (struct eqt_charge_record){
		.number = UINT64_MAX,
		.kind = EQT_CHARGE_REFUND,
		.job_id = UINT32_MAX,
		.het_job_id = 5,
		.start = INT64_MIN,
		.from = -1,
		.to = INT64_MAX,
		.idle_s = INT64_MAX,
		.rate = DBL_MAX,
		.factor = -DBL_TRUE_MIN,
		.unit = UINT64_MAX,
		.decided = EQT_CHARGE_BY_SLURM,
		.pool = 'g',
		.money_u = UINT64_MAX,
		.paid_u = UINT64_MAX,
		.entry = UINT64_MAX,
		.account = "-",
		.user = "%",
		.partition = "a b\n\x7f",
		.qos = "\xc3\xa9--",
		.currency = "EUR",
		.reason = "node failure",
	};
	records[2].rate = 0x1.921fb54442d18p+1;
	records[2].start = records[2].from + 3600;
	for (int i = 0; i < ARRAY_SIZE(records); i++) {
		struct eqt_charge_record in;
		const int length = charge_text(line, sizeof(line),
							  &records[i]);

		ck_assert_int_gt(length, 0);
		ck_assert_ptr_eq(strchr(line, '\n'), line + length - 1);
		ck_assert_int_eq(eqt_charge_record_parse(&in, line,
							 (size_t) length - 1,
							 NULL),
				 0);
		record_same(&records[i], &in);
	}
}
END_TEST

START_TEST(record_that_does_not_fit_leaves_the_text)
{
	static const char *const names[EQT_CHARGE_NAMES];
	char line[100] = "before";
	struct eqt_text text = { .data = line,
				 .space = sizeof(line),
				 .length = strlen(line) };

	ck_assert(!eqt_charge_record_put(&text, &plain, names));
	ck_assert(!text.full);
	ck_assert_uint_eq(text.length, strlen("before"));
}
END_TEST

START_TEST(record_that_would_be_refused_is_not_written)
{
	struct eqt_charge_record bad[] = { plain, plain, plain, plain, plain };
	char line[EQT_CHARGE_TEXT];

	bad[0].from = bad[0].to + 1;
	bad[1].idle_s = 3601;
	bad[2].unit = 0;
	bad[3].rate = -1;
	bad[4].kind = (enum eqt_charge_kind) 'x';
	for (int i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_int_eq(charge_text(line, sizeof(line),
							&bad[i]),
				 -1);
}
END_TEST

static const struct {
	const char *body;
	const char *why;
} refused[] = {
	{ "", "cut short: no checksum at the end" },
	{ "d 1 ", "expected a line that begins with c" },
	{ "c x ", "NUMBER: \"x\" is not a whole number below 2^64" },
	{ "c 1 y ", "KIND: expected one of erpshfloz" },
	{ "c 1 e 1 0 0 0 0 1 0 9 0 0x1p+0 0x1p+0 1 1 1 1 1 0 xc 0 0 0 "
	  "a b c d - - ",
	  "PRICED: expected two letters" },
	{ "c 1 e 1 0 0 0 0 1 0 9 0 0x1p+0 0x1p+0 1 1 1 1 1 0 cc 0 0 0 "
	  "a b%3 c d - - ",
	  "USER: not a name" },
	{ "c 1 e 1 0 0 0 0 1 0 9 0 0x1p+0 0x1p+0 1 1 1 1 1 0 cc 0 0 0 "
	  "a b%41 c d - - ",
	  "USER: not a name" },
	{ "c 1 e 1 0 0 0 0 1 0 9 0 0x1p+0 0x1p+0 1 1 1 1 1 0 cc 0 0 0 a b ",
	  "PARTITION: missing" },
	{ "c 1 e 1 0 0 0 0 1 0 9 0 0x1p+0 0x1p+0 1 1 1 1 1 0 cc 0 0 0 "
	  "a b c d - - e ",
	  "too many fields" },
	{ "c 1 e 1 0 0 0 0 1 0 9 10 0x1p+0 0x1p+0 1 1 1 1 1 0 cc 0 0 0 "
	  "a b c d - - ",
	  "its times or its unit are wrong" },
};

START_TEST(record_that_is_wrong_is_refused)
{
	struct eqt_charge_record in = plain;
	char line[EQT_CHARGE_TEXT];
	struct eqt_error err = { "" };
	const size_t length = seal(line, sizeof(line), refused[_i].body, "");

	ck_assert_int_eq(eqt_charge_record_parse(&in, line, length, &err), -1);
	ck_assert_str_eq(err.text, refused[_i].why);
	record_same(&in, &plain);
}
END_TEST

START_TEST(record_with_one_changed_byte_is_refused)
{
	char line[EQT_CHARGE_TEXT];
	const int length = charge_text(line, sizeof(line), &plain);
	struct eqt_charge_record in;

	for (int i = 0; i < length - 1; i++) {
		line[i] ^= 1;
		ck_assert_int_eq(eqt_charge_record_parse(&in, line,
							 (size_t) length - 1,
							 NULL),
				 -1);
		line[i] ^= 1;
	}
}
END_TEST

START_TEST(amount_leaves_out_idle_seconds)
{
	struct eqt_charge_record record = plain;

	record.idle_s = 600;
	record.factor = 2;
	record.unit = 5;
	ck_assert_double_eq(eqt_charge_record_amount(&record), 3000);
}
END_TEST

START_TEST(head_reads_back)
{
	const struct eqt_charge_head head = { "my cluster", "2026-11-24" };
	struct eqt_charge_head in;
	struct eqt_error err = { "" };
	char line[EQT_CHARGE_TEXT], want[256];
	int length;

	seal(want, sizeof(want), "equitree-charges 1 my%20cluster 2026-11-24 ",
	     "\n");
	length = eqt_charge_head_text(line, sizeof(line), &head);
	ck_assert_str_eq(line, want);
	ck_assert_int_eq(eqt_charge_head_parse(&in, line, (size_t) length - 1,
					       NULL),
			 0);
	ck_assert_str_eq(in.cluster, head.cluster);
	ck_assert_str_eq(in.day, head.day);
	length = (int) seal(line, sizeof(line), "equitree-charges 2 c d ", "");
	ck_assert_int_eq(eqt_charge_head_parse(&in, line, (size_t) length,
					       &err),
			 -1);
	ck_assert_str_eq(err.text, "expected version 1");
}
END_TEST

START_TEST(file_of_a_day_is_known_by_its_name)
{
	static const struct {
		const char *name;
		bool is;
	} rows[] = {
		{ "charges.2026-11-24", true },
		{ "charges.2026-11-24.gz", true },
		{ "charges.", false },
		{ "charges.2026-11-2", false },
		{ "charges.2026-11-244", false },
		{ "charges.2026-11-24.g", false },
		{ "charges.2026-11-24.gz.new", false },
		{ "charges.2026-11-2x", false },
		{ "charges,2026-11-24", false },
		{ "Charges.2026-11-24", false },
		{ "2026-11-24", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(eqt_charge_file_is_of_day(rows[i].name) ==
				      rows[i].is,
			      "%s", rows[i].name);
}
END_TEST

START_TEST(run_is_unread_only_by_its_reason_and_without_an_entry)
{
	struct eqt_charge_record record = { .entry = 0 };

	ck_assert(!eqt_charge_record_is_unread(&record));
	(void) snprintf(record.reason, sizeof(record.reason), "%s",
			EQT_CHARGE_UNREAD);
	ck_assert(eqt_charge_record_is_unread(&record));
	record.entry = 1;
	ck_assert(!eqt_charge_record_is_unread(&record));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charge_record");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, record_text_is_the_documented_one);
	tcase_add_test(tcase, record_of_a_usual_run_has_at_most_200_bytes);
	tcase_add_test(tcase, record_reads_back_to_the_same_bits);
	tcase_add_test(tcase, record_that_does_not_fit_leaves_the_text);
	tcase_add_test(tcase, record_that_would_be_refused_is_not_written);
	tcase_add_loop_test(tcase, record_that_is_wrong_is_refused, 0,
			    ARRAY_SIZE(refused));
	tcase_add_test(tcase, record_with_one_changed_byte_is_refused);
	tcase_add_test(tcase, amount_leaves_out_idle_seconds);
	tcase_add_test(tcase, head_reads_back);
	tcase_add_test(tcase, file_of_a_day_is_known_by_its_name);
	tcase_add_test(tcase,
		       run_is_unread_only_by_its_reason_and_without_an_entry);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
