/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots as text: they are read back to the same bits, and any other text is
 * refused with a reason. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "ledger/ledger.h"
#include "ledger_text.h"

static const uint32_t tres_ids[] = { 1, 2, 1001 };

/* Two rows of three TRES, without the end line and its checksum. */
#define HEAD "equitree-usage 1 1700000000 0 42 1 2 1001\n"
#define ROW_A "a 7 0x1p+0 0x1p+1 0x1p+2 0x0p+0 0x1.8p+1\n"
#define PARENT "p 7 1\n"
#define ROW_Q "q 7 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\n"

static struct eqt_snapshot *sample(void)
{
	const struct eqt_snapshot_row a = { EQT_SNAPSHOT_ASSOC, 7, 1, 2 };
	const struct eqt_snapshot_row q = { EQT_SNAPSHOT_QOS, 7, 0, 0 };
	struct eqt_snapshot *snapshot = eqt_snapshot_new(tres_ids, 3, 1, NULL);

	ck_assert_ptr_nonnull(snapshot);
	snapshot->last_ran = 1700000000;
	snapshot->sequence = 42;
	ck_assert_int_eq(eqt_snapshot_add_parent(snapshot, 7, 1), 0);
	ck_assert_int_eq(eqt_snapshot_add(snapshot, &a,
					  (const long double[]){ 4, 0, 3 }),
			 0);
	ck_assert_int_eq(eqt_snapshot_add(snapshot, &q,
					  (const long double[]){ 0, 0, 0 }),
			 0);
	return snapshot;
}

START_TEST(parents_are_found_by_id)
{
	struct eqt_snapshot *out = eqt_snapshot_new(NULL, 0, 0, NULL), *in;
	size_t length;
	char *text;

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(eqt_snapshot_add_parent(out, 9, 3), 0);
	ck_assert_int_eq(eqt_snapshot_add_parent(out, 3, 1), 0);
	ck_assert_int_eq(eqt_snapshot_add_parent(out, 7, 9), 0);
	text = eqt_snapshot_text(out, &length);
	in = eqt_snapshot_parse(text, length, NULL);
	ck_assert_ptr_nonnull(in);
	ck_assert_uint_eq(eqt_snapshot_parent_of(in, 7), 9);
	ck_assert_uint_eq(eqt_snapshot_parent_of(in, 9), 3);
	ck_assert_uint_eq(eqt_snapshot_parent_of(in, 3), 1);
	ck_assert_uint_eq(eqt_snapshot_parent_of(in, 8), 0);
	free(text);
	eqt_snapshot_free(in);
	eqt_snapshot_free(out);
}
END_TEST

/* Lists of parents that one snapshot has one after the other; 0 ends a list. */
static const struct eqt_snapshot_parent lists[][4] = {
	{ { 9, 3 }, { 3, 1 }, { 7, 9 } },
	{ { 9, 3 }, { 3, 1 }, { 7, 9 } }, /* the same */
	{ { 9, 3 }, { 3, 1 } }, /* the last one is gone */
	{ { 9, 3 }, { 3, 1 }, { 8, 9 } }, /* another one comes */
	{ { 9, 3 }, { 3, 7 }, { 8, 9 } }, /* one moves */
	{ { 2, 1 }, { 9, 3 }, { 3, 7 } }, /* another one is the first */
	{ { 0, 0 } },
	{ { 2, 1 } },
};

static void parents_add(struct eqt_snapshot *snapshot,
			const struct eqt_snapshot_parent list[4])
{
	for (int i = 0; i < 4 && list[i].id; i++)
		ck_assert_int_eq(eqt_snapshot_add_parent(snapshot, list[i].id,
							 list[i].parent_id),
				 0);
}

START_TEST(snapshot_that_restarts_has_the_text_of_a_new_one)
{
	struct eqt_snapshot *kept = eqt_snapshot_new(tres_ids, 1, 0, NULL);
	const long double raw = 1;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const uint32_t id = (uint32_t) i;
		const struct eqt_snapshot_row row = { EQT_SNAPSHOT_ASSOC, id, 1,
						      2 };
		struct eqt_snapshot *fresh = eqt_snapshot_new(&id, 1, 0, NULL);
		size_t length;
		char *text, *want;

		eqt_snapshot_restart(kept, &id);
		parents_add(kept, lists[i]);
		parents_add(fresh, lists[i]);
		ck_assert_int_eq(eqt_snapshot_add(kept, &row, &raw), 0);
		ck_assert_int_eq(eqt_snapshot_add(fresh, &row, &raw), 0);
		text = eqt_snapshot_text(kept, &length);
		want = eqt_snapshot_text(fresh, &length);
		ck_assert_str_eq(text, want);
		free(text);
		free(want);
		eqt_snapshot_free(fresh);
	}
	eqt_snapshot_free(kept);
}
END_TEST

/* Write a number as text and read it. */
static void number_round_trip(long double raw, double wall)
{
	const struct eqt_snapshot_row row = { EQT_SNAPSHOT_ASSOC, 1, raw, wall };
	struct eqt_snapshot *out = eqt_snapshot_new(tres_ids, 1, 0, NULL), *in;
	size_t length;
	char *text;

	ck_assert_int_eq(eqt_snapshot_add(out, &row, &raw), 0);
	text = eqt_snapshot_text(out, &length);
	in = eqt_snapshot_parse(text, length, NULL);
	ck_assert_msg(in != NULL, "%s", text);
	ck_assert(in->rows[0].raw == raw && in->tres[0] == raw);
	ck_assert(in->rows[0].wall == wall);
	ck_assert(!signbit(in->rows[0].raw) && !signbit(in->rows[0].wall));
	eqt_snapshot_free(in);
	eqt_snapshot_free(out);
	free(text);
}

START_TEST(snapshot_text_is_the_documented_one)
{
	char want[512];
	size_t length, want_length = seal(want, sizeof(want),
					  HEAD PARENT ROW_A ROW_Q "end 2 ", "\n");
	struct eqt_snapshot *in, *out;
	char *text;

	/* The C library chooses how a long double is normalised, so the rows
	 * are compared after one more reading. */
	in = eqt_snapshot_parse(want, want_length, NULL);
	ck_assert_ptr_nonnull(in);
	out = sample();
	text = eqt_snapshot_text(out, &length);
	ck_assert_uint_eq(strlen(text), length);
	ck_assert_int_eq(strncmp(text, HEAD PARENT "a 7 ",
				 strlen(HEAD PARENT "a 7 ")),
			 0);
	ck_assert_uint_eq(in->row_count, 2);
	ck_assert_int_eq(in->last_ran, out->last_ran);
	ck_assert_int_eq(in->last_reset, 0);
	ck_assert_uint_eq(in->sequence, 42);
	ck_assert_uint_eq(in->tres_count, 3);
	ck_assert_mem_eq(in->tres_ids, tres_ids, sizeof(tres_ids));
	ck_assert_int_eq(in->rows[0].owner, EQT_SNAPSHOT_ASSOC);
	ck_assert_int_eq(in->rows[1].owner, EQT_SNAPSHOT_QOS);
	ck_assert_uint_eq(in->parent_count, 1);
	ck_assert_uint_eq(in->parents[0].id, 7);
	ck_assert_uint_eq(in->parents[0].parent_id, 1);
	ck_assert(in->rows[0].raw == 1 && in->rows[0].wall == 2);
	ck_assert(in->tres[0] == 4 && in->tres[2] == 3 && in->tres[5] == 0);
	free(text);
	eqt_snapshot_free(in);
	eqt_snapshot_free(out);
}
END_TEST

static const struct {
	const char *name;
	long double raw;
	double wall;
} numbers[] = {
	{ "zero", 0, 0 },
	{ "zero with a sign loses it", -0.0L, -0.0 },
	{ "one", 1, 1 },
	{ "not representable in decimal", 0.1L, 0.1 },
	{ "all bits of the mantissa", 1 + LDBL_EPSILON, 1 + DBL_EPSILON },
	{ "least normal", LDBL_MIN, DBL_MIN },
	{ "least denormal", LDBL_TRUE_MIN, DBL_TRUE_MIN },
	{ "odd denormal", LDBL_TRUE_MIN * 12345, DBL_TRUE_MIN * 12345 },
	{ "below the least normal", LDBL_MIN - LDBL_TRUE_MIN,
	  DBL_MIN - DBL_TRUE_MIN },
	{ "greatest", LDBL_MAX, DBL_MAX },
	{ "years of a large machine", 123456789.123456789L * 31557600, 1e9 },
};

START_TEST(number_reads_back_to_the_same_bits)
{
	number_round_trip(numbers[_i].raw, numbers[_i].wall);
}
END_TEST

START_TEST(number_has_a_point_in_any_locale)
{
	static const char *const commas[] = { "de_DE.UTF-8", "de_DE.utf8",
					      "de_DE", "fr_FR.UTF-8" };
	locale_t before, after;
	int i;

	for (i = 0; i < ARRAY_SIZE(commas); i++) {
		if (setlocale(LC_ALL, commas[i]))
			break;
	}
	/*
	 * Without the library for it, the calls must at least change nothing.
	 */
	before = uselocale((locale_t) 0);
	number_round_trip(0.1L, 0.1);
	after = uselocale((locale_t) 0);
	ck_assert(before == after);
	setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(snapshot_without_rows_or_tres)
{
	struct eqt_snapshot *out = eqt_snapshot_new(NULL, 0, 0, NULL), *in;
	const struct eqt_snapshot_row row = { EQT_SNAPSHOT_QOS, UINT32_MAX, 1, 1 };
	size_t length;
	char *text;
	int i;

	out->last_ran = INT64_MIN;
	out->last_reset = INT64_MAX;
	out->sequence = UINT64_MAX;
	for (i = 0; i < 2; i++) {
		text = eqt_snapshot_text(out, &length);
		in = eqt_snapshot_parse(text, length, NULL);
		ck_assert_ptr_nonnull(in);
		ck_assert_uint_eq(in->row_count, (unsigned int) i);
		ck_assert_int_eq(in->last_ran, INT64_MIN);
		ck_assert_int_eq(in->last_reset, INT64_MAX);
		ck_assert_uint_eq(in->sequence, UINT64_MAX);
		eqt_snapshot_free(in);
		free(text);
		ck_assert_int_eq(eqt_snapshot_add(out, &row, NULL), 0);
	}
	eqt_snapshot_free(out);
	eqt_snapshot_free(NULL);
}
END_TEST

static const struct {
	const char *name;
	struct eqt_snapshot_row row;
	long double tres;
} bad_rows[] = {
	{ "owner", { (enum eqt_snapshot_owner) 'x', 1, 1, 1 }, 1 },
	{ "raw not a number", { EQT_SNAPSHOT_ASSOC, 1, NAN, 1 }, 1 },
	{ "raw infinite", { EQT_SNAPSHOT_ASSOC, 1, INFINITY, 1 }, 1 },
	{ "raw negative", { EQT_SNAPSHOT_ASSOC, 1, -1, 1 }, 1 },
	{ "wall not a number", { EQT_SNAPSHOT_ASSOC, 1, 1, NAN }, 1 },
	{ "wall negative", { EQT_SNAPSHOT_ASSOC, 1, 1, -1 }, 1 },
	{ "tres infinite", { EQT_SNAPSHOT_ASSOC, 1, 1, 1 }, INFINITY },
	{ "tres negative", { EQT_SNAPSHOT_ASSOC, 1, 1, 1 }, -LDBL_TRUE_MIN },
};

START_TEST(unit_reads_back)
{
	struct eqt_snapshot *in, *out = sample();
	size_t length;
	char *text;

	ck_assert(!out->unit.known);
	out->unit = (struct eqt_ledger_unit){ true, 1000, 1795338234 };
	out->budget_entry = 61;
	out->charge_number = 62;
	text = eqt_snapshot_text(out, &length);
	in = eqt_snapshot_parse(text, length, NULL);
	ck_assert_ptr_nonnull(in);
	ck_assert(in->unit.known);
	ck_assert_uint_eq(in->unit.scale, 1000);
	ck_assert_int_eq(in->unit.since, 1795338234);
	ck_assert_uint_eq(in->budget_entry, 61);
	ck_assert_uint_eq(in->charge_number, 62);
	ck_assert_uint_eq(in->row_count, 2);
	free(text);
	eqt_snapshot_free(in);
	eqt_snapshot_free(out);
}
END_TEST

START_TEST(row_that_could_not_be_read_is_not_added)
{
	struct eqt_snapshot *snapshot = eqt_snapshot_new(tres_ids, 1, 0, NULL);

	ck_assert_int_eq(eqt_snapshot_add(snapshot, &bad_rows[_i].row,
					  &bad_rows[_i].tres),
			 -1);
	ck_assert_uint_eq(snapshot->row_count, 0);
	eqt_snapshot_free(snapshot);
}
END_TEST

/* Texts with a correct checksum. */
static const struct {
	const char *body;
	const char *error; /* NULL: accepted */
} sealed[] = {
	{ HEAD ROW_A ROW_Q "end 2 ", NULL },
	{ HEAD "end 0 ", NULL },
	{ HEAD ROW_A PARENT ROW_Q PARENT "end 2 ", NULL },
	{ HEAD "p 7\nend 0 ", "line 2: PARENT: missing" },
	{ HEAD "p 7 -1\nend 0 ", "line 2: PARENT: \"-1\"" },
	{ HEAD "p 7 1 1\nend 0 ", "line 2: more than ID and PARENT" },
	{ "equitree-usage 1 -1 -9223372036854775808 0\nend 0 ", NULL },
	{ "", "line 1: no equitree-usage" },
	{ "\n", "line 1: no equitree-usage" },
	{ "equitree-usag 1 0 0 0\nend 0 ", "line 1: no equitree-usage" },
	{ "equitree-usage 2 0 0 0\nend 0 ", "line 1: not version 1" },
	{ "equitree-usage 01 0 0 0\nend 0 ", "line 1: not version 1" },
	{ "equitree-usage ", "line 1: not version 1" },
	{ "equitree-usage 1 ", "line 1: LAST_RAN: missing" },
	{ "equitree-usage 1 0 0 \nend 0 ", "line 1: SEQUENCE: \"\"" },
	{ "equitree-usage 1 0 0\nend 0 ", "line 1: SEQUENCE: missing" },
	{ "equitree-usage 1 -0 0 0\nend 0 ", "line 1: LAST_RAN: \"-0\"" },
	{ "equitree-usage 1 0 9223372036854775808 0\nend 0 ",
	  "line 1: LAST_RESET: " },
	{ "equitree-usage 1 -9223372036854775809 0 0\nend 0 ",
	  "line 1: LAST_RAN: " },
	{ "equitree-usage 1 0 0 18446744073709551616\nend 0 ",
	  "line 1: SEQUENCE: " },
	{ "equitree-usage 1 0 0 -1\nend 0 ", "line 1: SEQUENCE: " },
	{ "equitree-usage 1 0 0 0 4294967296\nend 0 ", "line 1: TRES_ID: " },
	{ "equitree-usage 1 0 0 0 1 \nend 0 ", "line 1: TRES_ID: \"\"" },
	{ "equitree-usage 1 0 0 0  1\nend 0 ", "line 1: TRES_ID: \"\"" },
	{ "equitree-usage 1 0 0 0 ", "line 2: no end line" },
	{ HEAD ROW_A, "cut short: no checksum" },
	{ HEAD ROW_A "\nend 1 ", "line 3: does not begin" },
	{ HEAD "d 1 0x0p+0 0x0p+0\nend 1 ", "line 2: does not begin" },
	{ HEAD "A 1 0x0p+0 0x0p+0\nend 1 ", "line 2: does not begin" },
	{ HEAD "a\nend 1 ", "line 2: ID: missing" },
	{ HEAD "a x\nend 1 ", "line 2: ID: \"x\"" },
	{ HEAD "a 1\nend 1 ", "line 2: RAW: missing" },
	{ HEAD "a 1 0x1p+0\nend 1 ", "line 2: WALL: missing" },
	{ HEAD "a 1 0x1p+0 0x1p+0 0x0p+0 0x0p+0\nend 1 ",
	  "line 2: TRES: missing" },
	{ HEAD ROW_A "a 2 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\nend 2 ",
	  "line 3: more TRES" },
	{ HEAD "a 1 0x1p+99999\nend 1 ", "line 2: RAW: " },
	{ HEAD "a 1 0x1p-99999\nend 1 ", "line 2: RAW: " },
	{ HEAD "a 1 0x1p+0 0x1p+1024\nend 1 ", "line 2: WALL: " },
	{ HEAD "a 1 0x1p+0 0x1p-1076\nend 1 ", "line 2: WALL: " },
	{ HEAD "u 1000\nend 0 ", "line 2: SINCE: missing" },
	{ HEAD "u -1 0\nend 0 ", "line 2: SCALE: \"-1\"" },
	{ HEAD "u 1 0 0\nend 0 ", "line 2: more than SCALE" },
	{ HEAD "u 1 0\nu 1 0\nend 0 ", "line 3: a second unit" },
	{ HEAD "b 1\nb 2\nend 0 ", "line 3: a second ENTRY" },
	{ HEAD "c 1\nc 2\nend 0 ", "line 3: a second NUMBER" },
	{ HEAD "b 1 2\nend 0 ", "line 2: more than ENTRY" },
	{ HEAD ROW_A "end 2 ", "line 3: ROWS: 2, but there are 1" },
	{ HEAD ROW_A "end 4294967295 ", "line 3: ROWS: 4294967295, but" },
	{ HEAD ROW_A "end ", "line 3: ROWS: missing" },
	{ HEAD ROW_A "end x ", "line 3: ROWS: \"x\"" },
	{ HEAD ROW_A "end 1 1 ", "line 3: more than ROWS" },
	{ HEAD ROW_A "end 1\n" ROW_Q "end 2 ", "line 3: more lines" },
	{ HEAD ROW_A "end 1 0\nend 1 ", "line 3: more than ROWS" },
};

START_TEST(snapshot_with_a_right_checksum)
{
	struct eqt_snapshot *snapshot;
	struct eqt_error err = { "" };
	char text[512];
	size_t length = seal(text, sizeof(text), sealed[_i].body, "\n");

	snapshot = eqt_snapshot_parse(text, length, &err);
	if (!sealed[_i].error)
		ck_assert_msg(snapshot != NULL, "%s", err.text);
	else
		ck_assert_msg(!snapshot &&
				      strncmp(err.text, sealed[_i].error,
					      strlen(sealed[_i].error)) == 0,
			      "\"%s\", not \"%s\"", err.text, sealed[_i].error);
	eqt_snapshot_free(snapshot);
}
END_TEST

/* Numbers that %a never writes, in the place of RAW and of WALL. */
static const char *const bad_numbers[] = {
	"",
	"0",
	"1",
	"1.5",
	"0x",
	"0xp",
	"0x.",
	"0x.p+0",
	"0x1p",
	"0x1p+",
	"0x1p0x1",
	"0x1p+0x",
	"+0x1p+0",
	"-0x1p+0",
	"-0x0p+0",
	"\t0x1p+0",
	"0x1p+0\t",
	"0x1,8p+0",
	"0x1.8.8p+0",
	"0X1P+0",
	"0x1p+0 ",
	"0x-1p+0",
	"inf",
	"infinity",
	"nan",
	"nan(1)",
	"0xinf",
	"0xg",
	"0x1p+0\n",
	"0x1.000000000000000000000000000000000000000000000000000000000p+0",
};

START_TEST(number_in_another_form_is_refused)
{
	struct eqt_error err = { "" };
	char body[256], text[512];
	size_t length;
	int raw;

	for (raw = 0; raw < 2; raw++) {
		snprintf(body, sizeof(body),
			 "equitree-usage 1 0 0 0\na 1 %s %s\nend 1 ",
			 raw ? bad_numbers[_i] : "0x0p+0",
			 raw ? "0x0p+0" : bad_numbers[_i]);
		length = seal(text, sizeof(text), body, "\n");
		ck_assert_msg(!eqt_snapshot_parse(text, length, &err), "%s",
			      body);
		ck_assert_int_eq(strncmp(err.text, "line ", 5), 0);
	}
}
END_TEST

/* A whole text, and how it is changed. */
static const struct {
	const char *name;
	const char *text; /* NULL: the sample's text */
	size_t at; /* the byte that is changed; 0: none */
	size_t cut; /* bytes that are cut off */
	const char *error;
} damages[] = {
	{ "nothing at all", "", 0, 0, "line 1: no equitree-usage" },
	{ "something else", "<html>\n", 0, 0, "line 1: no equitree-usage" },
	{ "no checksum", HEAD "end 0\n", 0, 0,
	  "cut short: no checksum at the end" },
	{ "capitals in the checksum", HEAD "end 0 ABCDEF01\n", 0, 0,
	  "altered: checksum \"ABCDEF01\" is not " },
	{ "short checksum", HEAD "end 0 1234567\n", 0, 0, "cut short: " },
	{ "long checksum", HEAD "end 0 123456789\n", 0, 0, "cut short: " },
	{ "no newline", NULL, 0, 1, "cut short: no newline at the end" },
	{ "half a checksum", NULL, 0, 4, "cut short: no newline" },
	{ "no end line", NULL, 0, 15, "cut short: no checksum" },
	{ "half a row", NULL, 0, 22, "cut short: no newline" },
	{ "altered head", NULL, 18, 0, "altered: checksum " },
	{ "altered row", NULL, 50, 0, "altered: checksum " },
};

START_TEST(snapshot_damage_is_named)
{
	struct eqt_snapshot *snapshot = sample();
	struct eqt_error err = { "" };
	size_t length;
	char *text = eqt_snapshot_text(snapshot, &length);

	if (damages[_i].text) {
		length = strlen(damages[_i].text);
		strcpy(text, damages[_i].text);
	}
	length -= damages[_i].cut;
	if (damages[_i].at)
		text[damages[_i].at] ^= 1;
	ck_assert_ptr_null(eqt_snapshot_parse(text, length, &err));
	ck_assert_msg(strncmp(err.text, damages[_i].error,
			      strlen(damages[_i].error)) == 0,
		      "%s: \"%s\"", damages[_i].name, err.text);
	ck_assert_ptr_null(eqt_snapshot_parse(text, length, NULL));
	eqt_snapshot_free(snapshot);
	free(text);
}
END_TEST

static TCase *snapshot_case(void)
{
	TCase *tcase = tcase_create("snapshot");

	tcase_add_test(tcase, parents_are_found_by_id);
	tcase_add_test(tcase,
		       snapshot_that_restarts_has_the_text_of_a_new_one);
	tcase_add_test(tcase, snapshot_text_is_the_documented_one);
	tcase_add_loop_test(tcase, number_reads_back_to_the_same_bits, 0,
			    ARRAY_SIZE(numbers));
	tcase_add_test(tcase, number_has_a_point_in_any_locale);
	tcase_add_test(tcase, snapshot_without_rows_or_tres);
	tcase_add_test(tcase, unit_reads_back);
	tcase_add_loop_test(tcase, row_that_could_not_be_read_is_not_added, 0,
			    ARRAY_SIZE(bad_rows));
	tcase_add_loop_test(tcase, snapshot_with_a_right_checksum, 0,
			    ARRAY_SIZE(sealed));
	tcase_add_loop_test(tcase, number_in_another_form_is_refused, 0,
			    ARRAY_SIZE(bad_numbers));
	tcase_add_loop_test(tcase, snapshot_damage_is_named, 0,
			    ARRAY_SIZE(damages));
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("snapshot");

	suite_add_tcase(suite, snapshot_case());
	return eqt_unit_main(suite);
}
