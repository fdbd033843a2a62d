/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of a folder with the record of charges: days, gzip, duplicates, damage. */
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../ledger/ledger_text.h"
#include "../ledger/charge_text.h"
#include "slurm/charges.h"

static char folder[] = "/tmp/eqt_charges.XXXXXX";

static void folder_make(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void folder_remove(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* Append lines of these numbers (0 ends them) to a file; "wT": plain text. */
static void file_put(const char *name, const char *mode, const uint64_t *number)
{
	char path[128], line[EQT_CHARGE_TEXT];
	struct eqt_charge_record record = {
		.kind = EQT_CHARGE_END,
		.unit = 1,
		.decided = EQT_CHARGE_BY_CORES,
		.pool = 'c',
	};
	struct eqt_charge_head head = { "test", "2026-01-01" };
	gzFile file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = gzopen(path, mode);
	ck_assert_ptr_nonnull(file);
	eqt_charge_head_text(line, sizeof(line), &head);
	ck_assert_int_gt(gzputs(file, line), 0);
	for (; *number; number++) {
		record.number = *number;
		charge_text(line, sizeof(line), &record);
		ck_assert_int_gt(gzputs(file, line), 0);
	}
	ck_assert_int_eq(gzclose(file), Z_OK);
}

static void file_put_text(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "a");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static int note_number(const struct eqt_charge_record *record, void *arg)
{
	char *seen = arg;

	sprintf(seen + strlen(seen), " %d", (int) record->number);
	return record->number == 99 ? 7 : 0;
}

START_TEST(lines_of_all_days_come_in_order_and_once)
{
	struct eqt_charges_read read;
	char seen[256] = "";

	file_put("charges.2026-01-02", "wT", (uint64_t[]){ 3, 4, 5, 0 });
	file_put("charges.2026-01-01.gz", "w", (uint64_t[]){ 1, 2, 0 });
	file_put("charges.2026-01-02.gz", "w", (uint64_t[]){ 3, 4, 5, 0 });
	file_put("charges.2026-01-03", "wT", (uint64_t[]){ 7, 6, 4, 8, 0 });
	file_put_text("charges.2026-01-03.new", "no such day\n");
	ck_assert_int_eq(eqt_charges_read_folder(&read, folder, NULL,
						 note_number, seen, NULL),
			 0);
	ck_assert_str_eq(seen, " 1 2 3 4 5 7 6 8");
	ck_assert_uint_eq(read.files, 4);
	ck_assert_uint_eq(read.lines, 8);
	ck_assert_uint_eq(read.damaged, 0);
	ck_assert_uint_eq(read.missing, 0);
	ck_assert_str_eq(read.cluster, "test");
	ck_assert_str_eq(read.first_day, "2026-01-01");
	ck_assert_str_eq(read.last_day, "2026-01-03");
}
END_TEST

START_TEST(days_before_the_first_are_not_read)
{
	struct eqt_charges_read read;
	char seen[256] = "";

	file_put("charges.2026-01-01", "wT", (uint64_t[]){ 1, 0 });
	file_put("charges.2026-01-02", "wT", (uint64_t[]){ 2, 0 });
	file_put("charges.2026-01-03", "wT", (uint64_t[]){ 3, 0 });
	ck_assert_int_eq(eqt_charges_read_folder(&read, folder, "2026-01-02", note_number,
						 seen, NULL),
			 0);
	ck_assert_str_eq(seen, " 2 3");
}
END_TEST

START_TEST(damaged_and_missing_lines_are_described)
{
	struct eqt_charges_read read;
	char seen[256] = "", want[256];

	file_put("charges.2026-01-01", "wT", (uint64_t[]){ 1, 2, 0 });
	file_put_text("charges.2026-01-01", "c 3 no checksum here\n");
	file_put("charges.2026-01-02", "wT", (uint64_t[]){ 6, 8, 0 });
	/* The writer is at work. */
	file_put_text("charges.2026-01-02", "c 9 e 12");
	ck_assert_int_eq(eqt_charges_read_folder(&read, folder, NULL,
						 note_number, seen, NULL),
			 0);
	ck_assert_str_eq(seen, " 1 2 6 8");
	ck_assert_uint_eq(read.damaged, 1);
	ck_assert_uint_eq(read.missing, 4);
	ck_assert_uint_eq(read.notes, 3);
	snprintf(want, sizeof(want),
		 "%s/charges.2026-01-01:4: cut short: no checksum at the end",
		 folder);
	ck_assert_str_eq(read.note[0].text, want);
	ck_assert_str_eq(read.note[1].text, "lines 3 to 5 are missing");
	ck_assert_str_eq(read.note[2].text, "lines 7 to 7 are missing");
}
END_TEST

START_TEST(open_stretches_have_no_numbers)
{
	struct eqt_charge_record record = {
		.kind = EQT_CHARGE_OPEN,
		.unit = 1,
		.decided = EQT_CHARGE_BY_CORES,
		.pool = 'c',
	};
	char line[EQT_CHARGE_TEXT], seen[64] = "";
	struct eqt_charges_read read;

	charge_text(line, sizeof(line), &record);
	file_put_text("open", line);
	file_put_text("open", line);
	ck_assert_int_eq(eqt_charges_read_open(&read, folder, note_number, seen,
					       NULL),
			 0);
	ck_assert_str_eq(seen, " 0 0");
	ck_assert_int_eq(eqt_charges_read_open(&read, "/nowhere", note_number,
					       seen, NULL),
			 0);
	ck_assert_uint_eq(read.files, 0);
}
END_TEST

START_TEST(visitor_ends_the_reading)
{
	struct eqt_charges_read read;
	char seen[256] = "";

	file_put("charges.2026-01-01", "wT", (uint64_t[]){ 1, 99, 100, 0 });
	ck_assert_int_eq(eqt_charges_read_folder(&read, folder, NULL,
						 note_number, seen, NULL),
			 7);
	ck_assert_str_eq(seen, " 1 99");
}
END_TEST

START_TEST(folder_that_is_missing_is_an_error)
{
	struct eqt_charges_read read;
	struct eqt_error err = { "" };

	ck_assert_int_eq(eqt_charges_read_folder(&read, "/nowhere", NULL,
						 note_number, NULL, &err),
			 -1);
	ck_assert_str_eq(err.text, "cannot read the folder /nowhere: No such "
				   "file or directory");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("charges");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, folder_make, folder_remove);
	tcase_add_test(tcase, lines_of_all_days_come_in_order_and_once);
	tcase_add_test(tcase, days_before_the_first_are_not_read);
	tcase_add_test(tcase, damaged_and_missing_lines_are_described);
	tcase_add_test(tcase, open_stretches_have_no_numbers);
	tcase_add_test(tcase, visitor_ends_the_reading);
	tcase_add_test(tcase, folder_that_is_missing_is_an_error);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
