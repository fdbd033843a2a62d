/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power failures and damages of the file of budgets, with the code that slurmctld runs,
 * on real files. A power failure keeps what was synced, and of the rest anything.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "budget/book/store.h"
#include "../budget/budget_fixture.h"

#define STATES 200
#define FILE_MOST 65536

extern slurm_conf_t slurm_conf;
slurm_conf_t slurm_conf; /* libslurmfull has it in slurmctld */

static struct eqt_state_folder folder;

static void folder_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	(void) snprintf(folder.path, sizeof(folder.path), "%s/eqt_store.XXXXXX",
			tmp && *tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder.path));
}

static void folder_empty(void)
{
	DIR *dir = opendir(folder.path);
	struct dirent *entry;
	char path[PATH_MAX];

	while ((entry = readdir(dir)))
		(void) unlink(eqt_state_file_path(path, &folder,
						  entry->d_name));
	(void) closedir(dir);
}

static void folder_end(void)
{
	folder_empty();
	ck_assert_int_eq(rmdir(folder.path), 0);
}

static struct eqt_store store_of(void)
{
	return (struct eqt_store){
		.file = { .folder = &folder,
			  .name = EQT_BUDGET_STORE,
			  EQT_APPEND_FILE },
	};
}

/* Begin a file without budgets. */
static void store_begin(struct eqt_store *store)
{
	const struct eqt_entry base = { .kind = EQT_ENTRY_BASE };
	struct eqt_bodies text = { .data = NULL };

	*store = store_of();
	ck_assert_int_eq(eqt_bodies_add(&text, &base), 0);
	ck_assert_int_eq(eqt_store_begin(store, &text, &err), 0);
	eqt_bodies_free(&text);
}

/* Append grants, one line each. */
static void store_grant(struct eqt_store *store, unsigned int count)
{
	while (count--) {
		struct eqt_entry entry = {
			.kind = EQT_ENTRY_GRANT,
			.when = 1795338234,
			.request = store->seq + 1,
			.budget = store->seq + 1,
			.state.terms = { .account = "physics",
					 .amount_u = 1000 + store->seq },
		};
		struct eqt_bodies text = { .data = NULL };

		ck_assert_int_eq(eqt_bodies_add(&text, &entry), 0);
		ck_assert_int_eq(eqt_store_put(store, &text, &err), 0);
		eqt_bodies_free(&text);
	}
}

static void store_sync(struct eqt_store *store)
{
	ck_assert_msg(eqt_store_sync(store, &err) == 0, "%s", err.text);
}

/* Read or replace a file of the folder. */
static size_t file_read(const char *name, char *data)
{
	char path[PATH_MAX];
	int fd = open(eqt_state_file_path(path, &folder, name), O_RDONLY);
	ssize_t got = read(fd, data, FILE_MOST);

	ck_assert_int_ge(got, 0);
	(void) close(fd);
	return (size_t) got;
}

static void file_write(const char *name, const char *data, size_t length)
{
	char path[PATH_MAX];
	int fd = open(eqt_state_file_path(path, &folder, name),
		      O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(eqt_state_file_write(fd, data, length), 0);
	(void) close(fd);
}

/* A start: the number of the last entry, or -1 if the file must not be used. */
static int64_t start_read(uint64_t known, bool *cut)
{
	struct eqt_store store = store_of();
	struct eqt_store_found found = { .known = known };
	struct eqt_book *book, *newer;
	int64_t seq = 0;

	if (eqt_store_load(&store, &book, &found, &err) < 0) {
		eqt_book_free(book); /* what could be read of it */
		return -1;
	}
	*cut = found.cut;
	if (book) {
		is_balanced(book);
		ck_assert_uint_eq(eqt_book_count(book), store.seq);
		ck_assert_msg(eqt_store_take(&store, &newer, &err) == 0, "%s",
			      err.text);
		ck_assert_ptr_null(newer);
		seq = (int64_t) store.seq;
	}
	eqt_store_close(&store);
	eqt_book_free(book);
	return seq;
}

/* What a power failure can leave of the bytes after the synced end. */
static size_t unsynced_fail(char *data, size_t synced, size_t length)
{
	const size_t rest = length - synced;
	const size_t cut = synced + (rest ? (size_t) rand() % (rest + 1) : 0);

	switch (rand() % 4) {
	case 0:
		return synced;
	case 1:
		return cut;
	case 2:
		memset(data + cut, 0, length - cut);
		return length;
	default:
		memset(data + synced, 0, cut - synced);
		return length;
	}
}

START_TEST(power_failures_keep_what_was_synced)
{
	static char data[FILE_MOST], end[FILE_MOST];
	struct eqt_store store;
	size_t synced, length, end_length;
	int64_t least, most, seq;
	bool cut;

	srand(8);
	folder_begin();
	for (int i = 0; i < STATES; i++) {
		folder_empty();
		store_begin(&store);
		end_length = file_read(EQT_BUDGET_STORE ".end", end);
		for (int group = rand() % 4; group >= 0; group--) {
			store_grant(&store, 1 + (unsigned int) rand() % 3);
			store_sync(&store);
			/* NAME.end is not synced: any of them may be there. */
			if (rand() % 2)
				end_length = file_read(EQT_BUDGET_STORE ".end",
						       end);
		}
		synced = (size_t) store.file.size;
		least = (int64_t) store.seq;
		store_grant(&store, (unsigned int) rand() % 4);
		most = (int64_t) store.seq;
		eqt_store_close(&store);
		length = file_read(EQT_BUDGET_STORE, data);
		length = unsynced_fail(data, synced, length);
		file_write(EQT_BUDGET_STORE, data, length);
		file_write(EQT_BUDGET_STORE ".end", end, end_length);
		seq = start_read((uint64_t) least, &cut);
		ck_assert_msg(seq >= least && seq <= most, "state %d: %s", i,
			      err.text);
		/* And what was dropped is gone. */
		ck_assert_int_eq(start_read((uint64_t) seq, &cut), seq);
		ck_assert(!cut);
	}
	folder_end();
}
END_TEST

START_TEST(damages_of_what_was_synced_are_found)
{
	static char data[FILE_MOST], good[FILE_MOST], end[FILE_MOST];
	struct eqt_store store;
	size_t length, end_length, at;
	int64_t seq;
	bool cut;

	srand(9);
	folder_begin();
	store_begin(&store);
	store_grant(&store, 9);
	store_sync(&store);
	eqt_store_close(&store);
	length = file_read(EQT_BUDGET_STORE, good);
	end_length = file_read(EQT_BUDGET_STORE ".end", end);
	for (int i = 0; i < 3 * STATES; i++) {
		memcpy(data, good, length);
		at = (size_t) rand() % length;
		if (i % 3 == 0)
			memset(data + at, 0, length - at);
		if (i % 3 == 1)
			data[at] = (char) (data[at] ^ (1 << (rand() % 8)));
		file_write(EQT_BUDGET_STORE, data, i % 3 == 2 ? at : length);
		file_write(EQT_BUDGET_STORE ".end", end, end_length);
		seq = start_read(0, &cut);
		/* A bit may make a letter of a checksum a capital. */
		ck_assert_msg(seq == -1 || (i % 3 == 1 && seq == 9),
			      "damage %d at %zu is read", i, at);
	}
	folder_end();
}
END_TEST

/* Two of them at a time: the later one has the file, and all that the earlier one has
 * synced under the name. */
START_TEST(a_late_writer_is_told)
{
	struct eqt_store early, late = store_of();
	struct eqt_store_found found = { .known = 0 };
	struct eqt_book *book, *newer;
	bool cut;

	folder_begin();
	store_begin(&early);
	store_grant(&early, 2);
	store_sync(&early);
	ck_assert_int_eq(eqt_store_load(&late, &book, &found, &err), 0);
	store_grant(&early, 1);
	store_sync(&early);
	ck_assert_int_eq(eqt_store_take(&late, &newer, &err), 0);
	ck_assert_ptr_nonnull(newer);
	ck_assert_uint_eq(eqt_book_count(newer), 3);
	ck_assert_int_eq(eqt_store_sync(&early, &err), -1);
	ck_assert(early.file.taken);
	ck_assert_ptr_nonnull(strstr(err.text, "another slurmctld"));
	store_grant(&late, 1);
	store_sync(&late);
	eqt_store_close(&early);
	eqt_store_close(&late);
	ck_assert_int_eq(start_read(4, &cut), 4);
	ck_assert_int_eq(start_read(5, &cut), -1);
	eqt_book_free(book);
	eqt_book_free(newer);
	folder_end();
}
END_TEST

/* The numbers of the entries that eqt_store_each() gives, and how many are wanted. */
struct seen {
	uint64_t seq[16];
	size_t count, wanted;
};

static bool entry_note(const struct eqt_entry *entry, void *arg)
{
	struct seen *seen = arg;

	seen->seq[seen->count++] = entry->seq;
	return seen->count < seen->wanted;
}

static void entries_are(const struct eqt_store *store, size_t wanted,
			const uint64_t *seq, size_t count)
{
	struct seen seen = { .wanted = wanted };

	eqt_store_each(store, entry_note, &seen);
	ck_assert_uint_eq(seen.count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(seen.seq[i], seq[i]);
}

/* A file of two grants is kept when the next one begins, which has a third grant. */
START_TEST(entries_of_kept_files_come_after_those_of_the_newest)
{
	static const uint64_t wanted[] = { 2, 3, 0, 1, 2 }, twice[] = { 2, 3, 2,
									3 };
	const struct eqt_entry base = { .kind = EQT_ENTRY_BASE };
	struct eqt_bodies text = { .data = NULL };
	struct eqt_store store;
	char *data = malloc(FILE_MOST);
	size_t length;

	ck_assert_ptr_nonnull(data);
	folder_begin();
	store_begin(&store);
	store_grant(&store, 2);
	store_sync(&store);
	ck_assert_int_eq(eqt_bodies_add(&text, &base), 0);
	ck_assert_int_eq(eqt_store_begin(&store, &text, &err), 0);
	eqt_bodies_free(&text);
	store_grant(&store, 1);
	store_sync(&store);
	entries_are(&store, 16, wanted, 5);
	for (size_t most = 1; most < 5; most++)
		entries_are(&store, most, wanted, most);
	/* A damaged file that names itself as the previous one ends the search. */
	length = file_read(EQT_BUDGET_STORE, data);
	file_write(EQT_BUDGET_STORE ".2", data, length);
	entries_are(&store, 16, twice, 4);
	eqt_store_close(&store);
	folder_end();
	free(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("budget store");
	TCase *tcase = tcase_create("budget store");

	tcase_set_timeout(tcase, 600); /* syncs for each power failure */
	tcase_add_test(tcase, power_failures_keep_what_was_synced);
	tcase_add_test(tcase, damages_of_what_was_synced_are_found);
	tcase_add_test(tcase, a_late_writer_is_told);
	tcase_add_test(tcase,
		       entries_of_kept_files_come_after_those_of_the_newest);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
