/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the journal of budgets: the text of each kind of entry, the space that it
 * needs, and malformed lines, whose checksum is right.
 */
#include <stdio.h>

#include "budget_fixture.h"

/* The bodies of all kinds. */
static const struct body_row {
	struct eqt_entry entry;
	const char *body;
} bodies[] = {
	{ { .kind = EQT_ENTRY_BASE, .when = 5, .budget = 2, .job = 3 },
	  "base 5 2 3" },
	{ { .kind = EQT_ENTRY_BUDGET,
	    .when = 5,
	    .state = { .id = 1,
		       .terms = { .account = "phys",
				  .user = "ada",
				  .pool = 2,
				  .way = 1,
				  .bonus = "q",
				  .amount_u = 11,
				  .start = 12,
				  .end = 13,
				  .every = 3,
				  .refill_u = 14,
				  .carry = 1,
				  .dates = "7,8" },
		       .next = 15,
		       .committed_u = 16,
		       .amount_u = 17,
		       .spent_u = 18,
		       .refunded_u = 19,
		       .overrun_u = 20,
		       .granted = 21,
		       .period = 22,
		       .notified = 23,
		       .closed = 1,
		       .lifted = 1 } },
	  "budget 5 1 phys ada 2 1 q 11 12 13 3 14 1 7,8 15 16 17 18 19 20 21 "
	  "22 23 1 1" },
	{ { .kind = EQT_ENTRY_JOB,
	    .when = 5,
	    .job = 6,
	    .tasks = 7,
	    .until = 8,
	    .run = 9,
	    .settled_u = 10 },
	  "job 5 6 7 8 9 10" },
	{ { .kind = EQT_ENTRY_GRANT,
	    .when = 5,
	    .request = 9,
	    .budget = 1,
	    .state = { .terms = { .account = "phys", .amount_u = 11 },
		       .next = 15 },
	    .who = "root",
	    .why = "new year" },
	  "grant 5 9 1 phys - 0 0 - 11 0 0 0 0 0 - 15 root new%20year" },
	{ { .kind = EQT_ENTRY_GRANT,
	    .when = 5,
	    .request = 9,
	    .budget = 1,
	    .state = { .terms = { .account = "phys",
				  .amount_u = 11,
				  .clusters = "a,b",
				  .joint = 8 },
		       .amount_u = 10 } },
	  "grant 5 9 1 phys - 0 0 - 11 0 0 0 0 0 - 0 - - a,b 8 10" },
	{ { .kind = EQT_ENTRY_BUDGET,
	    .when = 5,
	    .state = { .id = 1,
		       .terms = { .account = "phys",
				  .clusters = "a,b",
				  .joint = 8 },
		       .lifted = 1 } },
	  "budget 5 1 phys - 0 0 - 0 0 0 0 0 0 - 0 0 0 0 0 0 0 0 0 0 1 a,b 8" },
	{ { .kind = EQT_ENTRY_PEER,
	    .when = 5,
	    .peer = { .budget = 1,
		      .cluster = "b",
		      .sent = 2,
		      .transit_u = 3,
		      .next = 4,
		      .received = 6,
		      .received_u = 7 } },
	  "peer 5 1 b 2 3 4 6 7" },
	{ { .kind = EQT_ENTRY_SEND,
	    .when = 5,
	    .request = 9,
	    .budget = 1,
	    .number = 2,
	    .amount_u = 3,
	    .next = 4,
	    .peer = { .cluster = "b" },
	    .who = "root" },
	  "send 5 9 1 b 2 3 4 root -" },
	{ { .kind = EQT_ENTRY_TRANSFER,
	    .when = 5,
	    .request = 9,
	    .budget = 1,
	    .other = 2,
	    .amount_u = UINT64_MAX,
	    .who = "-",
	    .why = "--" },
	  "transfer 5 9 1 2 18446744073709551615 %2d --" },
	{ { .kind = EQT_ENTRY_REFUND,
	    .when = 5,
	    .request = 9,
	    .job = 6,
	    .parts = 2,
	    .part = { { .budget = 1, .spent_u = 3 },
		      { .budget = 2, .taken_u = 4, .spent_u = 5, .period = 6 } },
	    .why = "50 %" },
	  "refund 5 9 6 - 50%20%25 1:0:3:0 2:4:5:6" },
	{ { .kind = EQT_ENTRY_CLOSE,
	    .when = 5,
	    .request = 9,
	    .budget = 1,
	    .amount_u = 1,
	    .why = "\x7f\x1f!\n\xff~" },
	  "close 5 9 1 1 - %7f%1f!%0a\xff~" },
	{ { .kind = EQT_ENTRY_REFILL,
	    .when = 5,
	    .budget = 1,
	    .amount_u = 2,
	    .lapse_u = 3,
	    .next = 4 },
	  "refill 5 1 2 3 4" },
	{ { .kind = EQT_ENTRY_NOTIFY, .when = 5, .budget = 1, .amount_u = 75 },
	  "notify 5 0 1 75" },
	{ { .kind = EQT_ENTRY_COMMIT,
	    .when = 5,
	    .job = 6,
	    .tasks = 7,
	    .until = 8,
	    .run = 9,
	    .settled_u = 10 },
	  "commit 5 6 7 8 9 10" },
	{ { .kind = EQT_ENTRY_SPLIT, .when = 5, .job = 6, .other = 7 },
	  "split 5 6 7" },
	{ { .kind = EQT_ENTRY_SETTLE,
	    .when = 5,
	    .job = 6,
	    .tasks = 1,
	    .until = 8,
	    .overrun_u = 9,
	    .why = "",
	    .run = 7,
	    .settled_u = 10,
	    .parts = 1,
	    .part = { { .budget = 1, .taken_u = 4 } } },
	  "settle 5 6 1 8 9 - 7 10 1:4:0:0" },
};

/* Lines of the version before, which knew no runs. */
static const char *const earlier[][2] = {
	{ "job 5 6 7 8", "job 5 6 7 8 0 0" },
	{ "commit 5 6 7 8 1:2:0:3", "commit 5 6 7 8 0 0 1:2:0:3" },
	{ "settle 5 6 1 8 9 -", "settle 5 6 1 8 9 - 0 0" },
	{ "settle 5 6 1 8 9 a%20b 1:4:3:0 2:4:3:0",
	  "settle 5 6 1 8 9 a%20b 0 0 1:4:3:0 2:4:3:0" },
};

START_TEST(a_line_of_the_version_before_is_read)
{
	struct eqt_entry read;
	char text[EQT_ENTRY_TEXT];
	uint32_t crc = 0, sum = 0;

	(void) snprintf(text, sizeof(text), "%s", earlier[_i][0]);
	ck_assert_int_gt(eqt_entry_seal(42, &crc, text, strlen(text),
					sizeof(text)),
			 0);
	ck_assert_msg(eqt_entry_parse(&read, &sum, text, &err) == 0, "%s: %s",
		      text, err.text);
	ck_assert_uint_eq(read.seq, 42);
	ck_assert_int_gt(eqt_entry_body(&read, text, sizeof(text)), 0);
	ck_assert_str_eq(text, earlier[_i][1]);
}
END_TEST

START_TEST(each_kind_of_entry_has_its_line)
{
	const struct body_row *row = &bodies[_i];
	size_t length = strlen(row->body);
	struct eqt_entry read;
	char text[EQT_ENTRY_TEXT], again[EQT_ENTRY_TEXT];
	uint32_t crc = 0, sum = 0;

	ck_assert_int_eq(eqt_entry_body(&row->entry, text, sizeof(text)),
			 (int) length);
	ck_assert_str_eq(text, row->body);
	ck_assert_int_eq(eqt_entry_body(&row->entry, text, length), -1);
	ck_assert_int_eq(eqt_entry_body(&row->entry, text, length + 1),
			 (int) length);
	ck_assert_str_eq(text, row->body);
	ck_assert_int_eq(eqt_entry_seal(42, &crc, text, length, sizeof(text)),
			 (int) length + 13);
	ck_assert_msg(eqt_entry_parse(&read, &sum, text, &err) == 0, "%s: %s",
		      row->body, err.text);
	ck_assert_uint_eq(sum, crc);
	ck_assert_uint_eq(read.seq, 42);
	ck_assert_int_eq(read.kind, row->entry.kind);
	ck_assert_int_gt(eqt_entry_body(&read, again, sizeof(again)), 0);
	ck_assert_str_eq(again, row->body);
}
END_TEST

START_TEST(a_sealed_line_ends_with_its_number_and_checksum)
{
	char text[64] = "notify 5 0 1 75";
	uint32_t crc = 0;

	/* The CRC-32 of "notify 5 0 1 75 3". */
	ck_assert_int_eq(eqt_entry_seal(3, &crc, text, 15, 27), -1);
	ck_assert_uint_eq(crc, 0);
	ck_assert_int_eq(eqt_entry_seal(3, &crc, text, 15, 28), 27);
	ck_assert_str_eq(text, "notify 5 0 1 75 3 5ef3b2ea\n");
	ck_assert_uint_eq(crc, 0x5ef3b2ea);
	/* The next one continues it. */
	(void) snprintf(text, sizeof(text), "notify 5 0 1 80");
	ck_assert_int_eq(eqt_entry_seal(4, &crc, text, 15, 28), 27);
	ck_assert_str_eq(text, "notify 5 0 1 80 4 fa09e54c\n");
}
END_TEST

/* Read a body as a line with a right checksum. */
static int body_parse(struct eqt_entry *entry, const char *body)
{
	char text[2 * EQT_ENTRY_TEXT], *line;
	uint32_t crc = 0, sum = 0;
	int rc;

	(void) snprintf(text, sizeof(text), "%s", body);
	ck_assert_int_gt(eqt_entry_seal(3, &crc, text, strlen(text),
					sizeof(text)),
			 0);
	/* Without a byte behind it, so that the sanitizer knows its end. */
	line = strdup(text);
	ck_assert_ptr_nonnull(line);
	rc = eqt_entry_parse(entry, &sum, line, &err);
	free(line);
	return rc;
}

static const char *const malformed[] = {
	"notify",
	"notify 5",
	"notify 5 0 1",
	"notify x 0 1 75",
	"notify 5 0 1x 75",
	"notify 5 0 1 -75",
	"notify 5 0 1 ",
	"notify  0 1 75",
	"notify 5 0 1 75 ",
	"notify 5 0 1 75 9",
	"notify 5 0 1 75 9:1:1",
	"notify 5 0 1 75 9:1:1:",
	"notify 5 0 1 75 9:1 1:1",
	"notify 5 0 1 75 9:1:1:1:1",
	"notify 5 0 1 75 9::1:1",
	"notify 5 0 1 18446744073709551616",
	"notify 5 0 1 184467440737095516150",
	("commit 5 1 1 0 1:1:1:1 2:1:1:1 3:1:1:1 4:1:1:1 5:1:1:1 6:1:1:1 "
	 "7:1:1:1 8:1:1:1 9:1:1:1 10:1:1:1 11:1:1:1 12:1:1:1 13:1:1:1"),
	"close 5 0 1 0",
	"close 5 0 1 0 -",
	"close 5 0 1 0  -",
	"close 5 0 1 0 - ",
	"close 5 0 1 0 - a b",
	"close 5 0 1 0 - %2 ",
	"close 5 0 1 0 - %2g",
	"close 5 0 1 0 - %2F",
	"close 5 0 1 0 - %2`",
	"close 5 0 1 0 - %/2",
	"close 5 0 1 0 - %:2",
	"close 5 0 1 0 - %00",
	"close 5 0 1 0 - %41",
	"close 5 0 1 0 - %af",
	"close 5 0 1 0 - a%2d",
	"close 5 0 1 0 - \t",
	"close 5 0 1 0- b",
	"close 5 0 1 0 a% b",
	"close 5 0 1 0 a%2 b",
	"close 5 0 1 0 -a%",
};

START_TEST(a_malformed_line_with_a_right_checksum_is_refused)
{
	struct eqt_entry entry;

	ck_assert_msg(body_parse(&entry, malformed[_i]) == -1, "%s",
		      malformed[_i]);
	ck_assert_str_eq(err.text, "malformed entry");
}
END_TEST

START_TEST(a_line_of_an_unknown_kind_is_refused)
{
	static const char *const lines[] = { "notif 5 0 1 75",
					     "notifys 5 0 1 75",
					     " 5 0 1 75", "Notify 5 0 1 75" };
	struct eqt_entry entry;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		ck_assert_int_eq(body_parse(&entry, lines[i]), -1);
		ck_assert_str_eq(err.text, "unknown kind of entry");
	}
}
END_TEST

START_TEST(the_largest_numbers_texts_and_parts_are_read)
{
	struct eqt_entry entry;
	char body[512];
	char who[EQT_ENTRY_WHO + 1] = "";

	ck_assert_int_eq(body_parse(&entry,
				    "notify 18446744073709551615 0 "
				    "18446744073709551610 0"),
			 0);
	ck_assert_uint_eq(entry.when, UINT64_MAX);
	ck_assert_uint_eq(entry.budget, UINT64_MAX - 5);
	ck_assert_int_eq(
		body_parse(&entry,
			   "commit 5 1 1 0 1:1:1:1 2:1:1:1 3:1:1:1 4:1:1:1 "
			   "5:1:1:1 6:1:1:1 7:1:1:1 8:1:1:1 9:1:1:1 10:1:1:1 "
			   "11:1:1:1 12:2:3:4"),
		0);
	ck_assert_uint_eq(entry.parts, EQT_ENTRY_PARTS);
	ck_assert_uint_eq(entry.part[11].budget, 12);
	ck_assert_uint_eq(entry.part[11].taken_u, 2);
	ck_assert_uint_eq(entry.part[11].spent_u, 3);
	ck_assert_uint_eq(entry.part[11].period, 4);
	memset(who, 'a', EQT_ENTRY_WHO - 1);
	(void) snprintf(body, sizeof(body), "close 5 0 1 0 %s %%09\xaf\xfa-",
			who);
	ck_assert_int_eq(body_parse(&entry, body), 0);
	ck_assert_str_eq(entry.who, who);
	ck_assert_str_eq(entry.why, "\t\xaf\xfa-");
	who[EQT_ENTRY_WHO - 1] = 'a';
	(void) snprintf(body, sizeof(body), "close 5 0 1 0 %s -", who);
	ck_assert_int_eq(body_parse(&entry, body), -1);
}
END_TEST

START_TEST(a_cut_or_overlong_line_is_refused)
{
	char text[EQT_ENTRY_TEXT + 16];
	struct eqt_entry entry;
	uint32_t crc = 0;

	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, "", &err), -1);
	ck_assert_str_eq(err.text, "the line is cut");
	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, " 00000000", &err), -1);
	ck_assert_str_eq(err.text, "the line is cut");
	/* The CRC-32 of "a". */
	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, "a e8b7be43", &err), -1);
	ck_assert_str_eq(err.text, "unknown kind of entry");
	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, "a e8b7be4g", &err), -1);
	ck_assert_str_eq(err.text, "the checksum differs");
	ck_assert_uint_eq(crc, 0);
	memset(text, 'a', sizeof(text));
	text[EQT_ENTRY_TEXT - 10] = ' ';
	text[EQT_ENTRY_TEXT - 1] = '\0';
	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, text, &err), -1);
	ck_assert_str_eq(err.text, "the checksum differs");
	memset(text, 'a', sizeof(text));
	text[EQT_ENTRY_TEXT - 9] = ' ';
	text[EQT_ENTRY_TEXT] = '\0';
	ck_assert_int_eq(eqt_entry_parse(&entry, &crc, text, &err), -1);
	ck_assert_str_eq(err.text, "the line is cut");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget lines");
	TCase *tests = tcase_create("budget lines");

	tcase_add_loop_test(tests, each_kind_of_entry_has_its_line, 0,
			    (int) (sizeof(bodies) / sizeof(*bodies)));
	tcase_add_loop_test(tests, a_line_of_the_version_before_is_read, 0,
			    sizeof(earlier) / sizeof(earlier[0]));
	tcase_add_test(tests, a_sealed_line_ends_with_its_number_and_checksum);
	tcase_add_loop_test(tests,
			    a_malformed_line_with_a_right_checksum_is_refused,
			    0, (int) (sizeof(malformed) / sizeof(*malformed)));
	tcase_add_test(tests, a_line_of_an_unknown_kind_is_refused);
	tcase_add_test(tests, the_largest_numbers_texts_and_parts_are_read);
	tcase_add_test(tests, a_cut_or_overlong_line_is_refused);
	suite_add_tcase(suite, tests);
	return eqt_unit_main(suite);
}
