/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Snapshots and lines of the journal when memory is short. */
#include <float.h>
#include <stdio.h>

#include "ledger/ledger.h"
#include "../short_memory.h"
#include "ledger_text.h"

#define ROWS 5 /* the room for rows grows three times, and so does that of parents */
#define TRES 3

static const uint32_t ids[TRES] = { 1, 2, 5 };

static struct eqt_snapshot_row row_of(uint32_t i)
{
	return (struct eqt_snapshot_row){
		.owner = i % 2 ? EQT_SNAPSHOT_QOS : EQT_SNAPSHOT_ASSOC,
		.id = i,
		.raw = 2.5L * i,
		.wall = i,
	};
}

static const long double *tres_of(uint32_t i)
{
	static long double tres[TRES];

	for (uint32_t t = 0; t < TRES; t++)
		tres[t] = 10 * i + t;
	return tres;
}

/* Add all rows and parents; 0, or the first -1. */
static int snapshot_fill(struct eqt_snapshot *snapshot)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		const struct eqt_snapshot_row row = row_of(i);

		if (eqt_snapshot_add(snapshot, &row, tres_of(i)) < 0 ||
		    eqt_snapshot_add_parent(snapshot, i + 10, i) < 0)
			return -1;
	}
	return 0;
}

/* Does it hold so many rows and parents, the first ones, and room for them? */
static void snapshot_is(const struct eqt_snapshot *snapshot, uint32_t tres,
			uint32_t rows, uint32_t parents)
{
	ck_assert_uint_eq(snapshot->tres_count, tres);
	ck_assert_mem_eq(snapshot->tres_ids, ids, tres * sizeof(*ids));
	ck_assert_uint_eq(snapshot->row_count, rows);
	ck_assert_uint_eq(snapshot->parent_count, parents);
	ck_assert_uint_ge(snapshot->row_space, rows);
	for (uint32_t i = 0; i < rows; i++) {
		const struct eqt_snapshot_row row = row_of(i);

		ck_assert_int_eq((int) snapshot->rows[i].owner,
				 (int) row.owner);
		ck_assert_uint_eq(snapshot->rows[i].id, i);
		ck_assert(snapshot->rows[i].raw == row.raw);
		ck_assert(snapshot->rows[i].wall == row.wall);
		for (uint32_t t = 0; t < tres; t++)
			ck_assert(snapshot->tres[i * tres + t] ==
				  tres_of(i)[t]);
	}
	for (uint32_t i = 0; i < parents; i++) {
		ck_assert_uint_eq(snapshot->parents[i].id, i + 10);
		ck_assert_uint_eq(snapshot->parents[i].parent_id, i);
	}
}

/* Free it; only texts are left. */
static void snapshot_free(struct eqt_snapshot *snapshot, long texts)
{
	short_memory_begin(0, false);
	eqt_snapshot_free(snapshot);
	(void) short_memory_end();
	ck_assert_int_eq(short_memory.held, texts);
}

/* With so many TRES, rows and parents. */
static struct eqt_snapshot *snapshot_new(uint32_t tres, uint32_t rows,
					 uint32_t parents)
{
	struct eqt_snapshot *snapshot;
	int rc = 0;

	short_memory_begin(0, false);
	snapshot = eqt_snapshot_new(ids, tres, 0, NULL);
	for (uint32_t i = 0; snapshot && i < rows; i++) {
		const struct eqt_snapshot_row row = row_of(i);

		rc |= eqt_snapshot_add(snapshot, &row, tres_of(i));
	}
	for (uint32_t i = 0; snapshot && i < parents; i++)
		rc |= eqt_snapshot_add_parent(snapshot, i + 10, i);
	(void) short_memory_end();
	ck_assert_ptr_nonnull(snapshot);
	ck_assert_int_eq(rc, 0);
	return snapshot;
}

START_TEST(a_snapshot_is_made_whole_or_not_at_all)
{
	unsigned long n = 0;
	bool failed;

	do {
		struct eqt_error err = { "" };
		struct eqt_snapshot *snapshot;

		short_memory_begin(++n, _i);
		snapshot = eqt_snapshot_new(ids, TRES, 2, &err);
		failed = short_memory_end();
		ck_assert(failed == !snapshot);
		ck_assert_str_eq(err.text, failed ? "out of memory" : "");
		if (snapshot)
			snapshot_is(snapshot, TRES, 0, 0);
		snapshot_free(snapshot, 0);
	} while (failed);
	ck_assert_uint_eq(n - 1, 4);
}
END_TEST

START_TEST(a_row_without_memory_is_not_added_and_can_be_repeated)
{
	unsigned long n = 0;
	bool failed;

	do {
		struct eqt_snapshot *snapshot = snapshot_new(TRES, 0, 0);
		uint32_t rows, parents;
		int rc;

		short_memory_begin(++n, _i);
		rc = snapshot_fill(snapshot);
		failed = short_memory_end();
		ck_assert_int_eq(rc, failed ? -1 : 0);
		rows = snapshot->row_count;
		parents = snapshot->parent_count;
		ck_assert(!failed || parents < ROWS);
		snapshot_is(snapshot, TRES, rows, parents);
		/* The rest; after a parent that was not added, its row is there. */
		short_memory_begin(0, false);
		for (uint32_t i = parents; i < ROWS; i++) {
			const struct eqt_snapshot_row row = row_of(i);

			if (i >= rows)
				rc = eqt_snapshot_add(snapshot, &row,
						      tres_of(i));
			rc = eqt_snapshot_add_parent(snapshot, i + 10, i);
		}
		(void) short_memory_end();
		ck_assert_int_eq(rc, 0);
		snapshot_is(snapshot, TRES, ROWS, ROWS);
		snapshot_free(snapshot, 0);
	} while (failed);
	/* Room for 1, 2, 4, 8 rows and their TRES; for 4, 8 parents. */
	ck_assert_uint_eq(n - 1, 4 * 2 + 2);
}
END_TEST

/* Write it while each allocation fails in turn; returns the text and how many
 * failures there were. */
static char *text_of(struct eqt_snapshot *snapshot, bool stays,
		     size_t *length, unsigned long *failures)
{
	char *text = NULL;
	unsigned long n = 0;
	bool failed = true;

	while (failed) {
		short_memory_begin(++n, stays);
		text = eqt_snapshot_text(snapshot, length);
		failed = short_memory_end();
		ck_assert(failed == !text);
	}
	*failures += n - 1;
	return text;
}

/* Each kind of line needs memory where it is the one that does not fit any more: with
 * each number of rows, parents and TRES another one does. */
START_TEST(a_text_of_any_size_is_written_whole_or_not_at_all)
{
	const bool stays = _i % SHORT_MEMORY_WAYS;
	const uint32_t tres = _i / SHORT_MEMORY_WAYS ? TRES : 0;
	unsigned long failures = 0;

	for (uint32_t count = 0; count < 8 * 100; count++) {
		const uint32_t rows = count % 4, parents = count / 8;
		const bool unit = count / 4 % 2;
		struct eqt_snapshot *snapshot =
			snapshot_new(tres, rows, parents);
		size_t length = 0;
		char *text;

		snapshot->unit.known = unit;
		text = text_of(snapshot, stays, &length, &failures);
		snapshot_free(snapshot, 1);
		ck_assert_uint_eq(length, strlen(text));
		snapshot = eqt_snapshot_parse(text, length, NULL);
		ck_assert_ptr_nonnull(snapshot);
		snapshot_is(snapshot, tres, rows, parents);
		ck_assert(snapshot->unit.known == unit);
		eqt_snapshot_free(snapshot);
		short_memory_begin(0, false);
		free(text);
		(void) short_memory_end();
	}
	ck_assert_uint_gt(failures, 8 * 100);
}
END_TEST

/* A snapshot of so many rows that no machine has the memory for more of them. */
static const struct {
	uint32_t space;
	uint32_t asked; /* 0: nothing */
} huge[] = {
	{ 1431655766, 2863311532 },
	{ 2147483647, 4294967294 },
	{ 2147483648, 4294967295 },
	{ 4294967295, 0 },
};

START_TEST(rows_and_parents_are_not_more_than_can_be_counted)
{
	const uint32_t space = huge[_i].space;
	struct eqt_snapshot snapshot = { .row_count = space,
					 .row_space = space,
					 .parent_count = space };
	const struct eqt_snapshot_row row = row_of(0);
	int rc;

	short_memory_begin(1, false);
	rc = eqt_snapshot_add(&snapshot, &row, NULL);
	ck_assert(short_memory_end() == (huge[_i].asked > 0));
	ck_assert_int_eq(rc, -1);
	if (huge[_i].asked)
		ck_assert_uint_eq(short_memory.refused,
				  (size_t) huge[_i].asked * sizeof(row));
	/* The room for parents doubles at each power of two. */
	if (space < 2147483648)
		return;
	short_memory_begin(1, false);
	rc = eqt_snapshot_add_parent(&snapshot, 1, 2);
	ck_assert(short_memory_end() == (space == 2147483648));
	ck_assert_int_eq(rc, -1);
	if (space < 2147483648)
		ck_assert_uint_eq(short_memory.refused,
				  (size_t) huge[_i].asked *
					  sizeof(*snapshot.parents));
	ck_assert_uint_eq(snapshot.row_count, space);
	ck_assert_uint_eq(snapshot.parent_count, space);
}
END_TEST

/* One TRES has its id; of many, each takes the room of the longest number. */
START_TEST(each_tres_has_its_id_its_check_and_its_room)
{
	enum { MOST = 64 };
	const uint32_t count = _i ? MOST : 1;
	const struct eqt_snapshot_row row = row_of(0);
	uint32_t many[MOST];
	long double tres[MOST];
	struct eqt_snapshot *snapshot, *read;
	size_t length;
	char *text;

	for (uint32_t i = 0; i < MOST; i++) {
		many[i] = UINT32_MAX - i;
		tres[i] = LDBL_MAX;
	}
	snapshot = eqt_snapshot_new(many, count, 0, NULL);
	tres[count - 1] = -1;
	ck_assert_int_eq(eqt_snapshot_add(snapshot, &row, tres), -1);
	tres[count - 1] = LDBL_MAX;
	ck_assert_int_eq(eqt_snapshot_add(snapshot, &row, tres), 0);
	text = eqt_snapshot_text(snapshot, &length);
	ck_assert_ptr_nonnull(text);
	read = eqt_snapshot_parse(text, length, NULL);
	ck_assert_ptr_nonnull(read);
	ck_assert_uint_eq(read->tres_count, count);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_uint_eq(read->tres_ids[i], many[i]);
		ck_assert(read->tres[i] == LDBL_MAX);
	}
	eqt_snapshot_free(read);
	eqt_snapshot_free(snapshot);
	free(text);
}
END_TEST

START_TEST(a_snapshot_is_read_whole_or_not_at_all)
{
	struct eqt_snapshot *written = snapshot_new(TRES, ROWS, ROWS);
	size_t length;
	unsigned long n = 0;
	char *text;
	bool failed;

	short_memory_begin(0, false);
	text = eqt_snapshot_text(written, &length);
	(void) short_memory_end();
	ck_assert_ptr_nonnull(text);
	/* The text is left. */
	snapshot_free(written, 1);
	do {
		struct eqt_error err = { "" };
		struct eqt_snapshot *snapshot;

		short_memory_begin(++n, _i);
		snapshot = eqt_snapshot_parse(text, length, &err);
		failed = short_memory_end();
		ck_assert(failed == !snapshot);
		if (snapshot)
			snapshot_is(snapshot, TRES, ROWS, ROWS);
		else
			ck_assert_str_eq(strrchr(err.text, ':')
						 ? strrchr(err.text, ':') + 2
						 : err.text,
					 "out of memory");
		snapshot_free(snapshot, 1);
	} while (failed);
	/* Itself and two rooms of no row with its ids, ids and a row's TRES; then as for
	 * rows that are added. */
	ck_assert_uint_eq(n - 1, 4 + 2 + 4 * 2 + 2);
	short_memory_begin(0, false);
	free(text);
	(void) short_memory_end();
}
END_TEST

START_TEST(a_line_is_read_without_memory)
{
	const struct eqt_journal_record charge = { .sequence = 3,
						   .job_id = 4,
						   .to = 5 };
	struct eqt_journal_record read = { .job_id = 99 };
	char line[EQT_JOURNAL_RECORD_TEXT];
	const int length =
		eqt_journal_record_text(line, sizeof(line), &charge);
	int rc;

	ck_assert_int_gt(length, 0);
	short_memory_begin(1, _i);
	rc = eqt_journal_record_parse(&read, line, (size_t) length - 1, NULL);
	ck_assert(!short_memory_end());
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(read.job_id, 4);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ledger_memory");
	TCase *tc = tcase_create("ledger_memory");
	const int ways = SHORT_MEMORY_WAYS;

	tcase_add_loop_test(tc, a_snapshot_is_made_whole_or_not_at_all, 0,
			    ways);
	tcase_add_loop_test(
		tc, a_row_without_memory_is_not_added_and_can_be_repeated, 0,
		ways);
	tcase_add_loop_test(
		tc, a_text_of_any_size_is_written_whole_or_not_at_all, 0,
		2 * ways);
	tcase_add_loop_test(tc,
			    rows_and_parents_are_not_more_than_can_be_counted,
			    0, ARRAY_SIZE(huge));
	tcase_add_loop_test(tc, each_tres_has_its_id_its_check_and_its_room, 0,
			    2);
	tcase_add_loop_test(tc, a_snapshot_is_read_whole_or_not_at_all, 0,
			    ways);
	tcase_add_loop_test(tc, a_line_is_read_without_memory, 0,
			    ways);
	suite_add_tcase(suite, tc);
	return eqt_unit_main(suite);
}
