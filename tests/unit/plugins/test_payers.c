/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "budget/book/payers.h"
#include "../unit.h"

/* An association below another one. */
struct record {
	slurmdb_assoc_rec_t assoc;
	slurmdb_assoc_usage_t usage;
};

static void record_make(struct record *record, const char *account,
			const char *user, struct record *above)
{
	memset(record, 0, sizeof(*record));
	record->assoc.acct = (char *) (uintptr_t) account;
	record->assoc.user = (char *) (uintptr_t) user;
	record->assoc.usage = &record->usage;
	record->usage.parent_assoc_ptr = above ? &above->assoc : NULL;
}

static void level_check(const struct eqt_book_path *path, size_t i,
			const char *account, const char *user)
{
	ck_assert_uint_lt(i, path->levels);
	ck_assert_str_eq(path->level[i].account, account);
	ck_assert_str_eq(path->level[i].user, user);
}

START_TEST(a_user_pays_first_then_each_account_above)
{
	struct record root, physics, ada;
	struct eqt_book_path path;

	record_make(&root, "root", NULL, NULL);
	record_make(&physics, "physics", NULL, &root);
	record_make(&ada, "physics", "ada", &physics);
	eqt_payers_fill(&path, &ada.assoc);
	ck_assert_uint_eq(path.levels, 3);
	level_check(&path, 0, "physics", "ada");
	level_check(&path, 1, "physics", "");
	level_check(&path, 2, "root", "");
	eqt_payers_fill(&path, &physics.assoc);
	ck_assert_uint_eq(path.levels, 2);
	level_check(&path, 0, "physics", "");
	/* A damaged record has no association above it. */
	ada.usage.parent_assoc_ptr = NULL;
	eqt_payers_fill(&path, &ada.assoc);
	ck_assert_uint_eq(path.levels, 2);
	level_check(&path, 1, "physics", "");
	ada.assoc.usage = NULL;
	eqt_payers_fill(&path, &ada.assoc);
	ck_assert_uint_eq(path.levels, 2);
	eqt_payers_fill(&path, NULL);
	ck_assert_uint_eq(path.levels, 0);
}
END_TEST

START_TEST(accounts_beyond_the_deepest_tree_pay_nothing)
{
	struct record record[EQT_BOOK_LEVELS + 2];
	struct eqt_book_path path;

	for (size_t i = 0; i < EQT_BOOK_LEVELS + 2; i++)
		record_make(&record[i], "a", NULL, i ? &record[i - 1] : NULL);
	eqt_payers_fill(&path, &record[EQT_BOOK_LEVELS + 1].assoc);
	ck_assert_uint_eq(path.levels, EQT_BOOK_LEVELS);
}
END_TEST

START_TEST(all_tasks_need_so_many_times_what_one_needs)
{
	const struct eqt_book_wish one = { .need_u = 5, .tasks = 1 };
	struct eqt_book_wish all = eqt_payers_all_tasks(&one, 3);

	ck_assert_uint_eq(all.tasks, 3);
	ck_assert_uint_eq(all.need_u, 15);
	all = eqt_payers_all_tasks(&one, UINT64_MAX / 4);
	ck_assert_uint_eq(all.need_u, UINT64_MAX);
}
END_TEST

START_TEST(wishes_with_another_path_need_pool_or_qos_have_another_hash)
{
	struct eqt_book_path path = { .levels = 1,
				      .level = { { "a", "bc" } } };
	struct eqt_book_path other = { .levels = 1,
				       .level = { { "ab", "c" } } };
	const struct eqt_book_wish wish = { .path = &path,
					    .need_u = 5,
					    .tasks = 1 };
	const uint64_t hash = eqt_payers_hash(&wish);
	struct eqt_book_wish one;

	ck_assert_uint_eq(eqt_payers_hash(&wish), hash);
	one = wish;
	one.path = &other;
	ck_assert_uint_ne(eqt_payers_hash(&one), hash);
	one = wish;
	one.need_u++;
	ck_assert_uint_ne(eqt_payers_hash(&one), hash);
	one = wish;
	one.tasks++;
	ck_assert_uint_ne(eqt_payers_hash(&one), hash);
	one = wish;
	one.pool = EQT_BUDGET_GPUS;
	ck_assert_uint_ne(eqt_payers_hash(&one), hash);
	one = wish;
	one.qos = "fast";
	ck_assert_uint_ne(eqt_payers_hash(&one), hash);
}
END_TEST

START_TEST(accounts_above_an_account_are_remembered_for_a_second)
{
	const struct eqt_book_path user = {
		.levels = 3,
		.level = { { "physics", "ada" },
			   { "physics", "" },
			   { "root", "" } },
	};
	struct eqt_ancestry known = { NULL };
	struct eqt_book_path path;

	ck_assert(!eqt_ancestry_get(&known, "Physics", 10, &path));
	eqt_ancestry_put(&known, "Physics", 10, &user);
	ck_assert(eqt_ancestry_get(&known, "Physics", 10, &path));
	ck_assert_uint_eq(path.levels, 2);
	level_check(&path, 0, "physics", "");
	level_check(&path, 1, "root", "");
	ck_assert(eqt_ancestry_get(&known, "Physics", 11, &path));
	ck_assert(!eqt_ancestry_get(&known, "Physics", 12, &path));
	/* The clock was set back. */
	ck_assert(!eqt_ancestry_get(&known, "Physics", 9, &path));
	ck_assert(!eqt_ancestry_get(&known, "physics", 10, &path));
	eqt_ancestry_put(&known, "Physics", 12, &user);
	ck_assert(eqt_ancestry_get(&known, "Physics", 12, &path));
	eqt_ancestry_free(&known);
	ck_assert(!eqt_ancestry_get(&known, "Physics", 12, &path));
}
END_TEST

#define COLLIDE 5 /* one more than an account has slots */

/* Names whose hashes end in the same bits, those of the place in the table. */
static void names_collide(char name[COLLIDE][16])
{
	uint64_t place = 0;
	int found = 0;

	for (unsigned int i = 0; found < COLLIDE; i++) {
		char text[16];
		uint64_t hash;

		(void) snprintf(text, sizeof(text), "a%u", i);
		hash = eqt_hash_bytes(EQT_HASH_START, text, strlen(text)) %
		       4096;
		if (found == 0)
			place = hash;
		if (hash == place)
			(void) snprintf(name[found++], 16, "%s", text);
	}
}

START_TEST(of_five_accounts_in_one_place_the_oldest_is_forgotten)
{
	const struct eqt_book_path above = { .levels = 1,
					     .level = { { "root", "" } } };
	struct eqt_ancestry known = { NULL };
	char name[COLLIDE][16];
	struct eqt_book_path path;

	names_collide(name);
	for (int i = 0; i < COLLIDE; i++)
		eqt_ancestry_put(&known, name[i], i == 1 ? 10 : 11, &above);
	for (int i = 0; i < COLLIDE; i++)
		ck_assert_int_eq(eqt_ancestry_get(&known, name[i], 11, &path),
				 i != 1);
	eqt_ancestry_free(&known);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("payers");
	TCase *tcase = tcase_create("payers");

	tcase_add_test(tcase, a_user_pays_first_then_each_account_above);
	tcase_add_test(tcase, accounts_beyond_the_deepest_tree_pay_nothing);
	tcase_add_test(tcase, all_tasks_need_so_many_times_what_one_needs);
	tcase_add_test(tcase, wishes_with_another_path_need_pool_or_qos_have_another_hash);
	tcase_add_test(tcase, accounts_above_an_account_are_remembered_for_a_second);
	tcase_add_test(tcase, of_five_accounts_in_one_place_the_oldest_is_forgotten);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
