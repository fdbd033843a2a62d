/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spelling: the known word that a misspelled word is close to. */
#include "base/spelling.h"
#include "../unit.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static const char *const known[] = { "cores", "weight", "stock_compat",
				     "stock_ties", "max",
				     "thirty_two_characters_are_enough",
				     "thirty_three_characters_are_lots0" };

static const struct {
	const char *word;
	const char *nearest;
} rows[] = {
	{ "wieght", "weight" }, /* swapped */
	{ "amx", "max" }, /* the first two letters swapped: one of three */
	{ "weigt", "weight" }, /* left out */
	{ "weighht", "weight" }, /* inserted */
	{ "waight", "weight" }, /* exchanged */
	{ "WEIGHTS", "weight" },
	{ "stock_compta", "stock_compat" },
	{ "stock_tie", "stock_ties" },
	{ "stok_tie", "stock_ties" }, /* two of ten */
	{ "stok_tei", NULL }, /* three */
	{ "mux", "max" }, /* one of three */
	{ "mxa", "max" }, /* swapped: one of three */
	{ "mux1", NULL }, /* two of three */
	{ "mx", "max" },
	{ "core", "cores" },
	{ "coer", NULL }, /* two of five */
	{ "x", NULL },
	{ "", NULL },
	{ "thirty_two_characters_are_enougj", "thirty_two_characters_are_enough" },
	{ "thirty_three_characters_are_lots1", NULL },
	{ "weight_that_is_longer_than_a_known_word_is", NULL },
};

START_TEST(misspelled_word_gets_the_nearest_one)
{
	struct eqt_spelling spelling = { .word = rows[_i].word,
					 .length = strlen(rows[_i].word) };

	for (size_t i = 0; i < COUNT(known); i++)
		eqt_spelling_try(&spelling, known[i]);
	if (rows[_i].nearest)
		ck_assert_pstr_eq(spelling.nearest, rows[_i].nearest);
	else
		ck_assert_pstr_eq(spelling.nearest, NULL);
}
END_TEST

START_TEST(nearer_word_wins_in_any_order)
{
	struct eqt_spelling one = { .word = "orders", .length = 6 };
	struct eqt_spelling two = one;

	eqt_spelling_try(&one, "order");
	eqt_spelling_try(&one, "borders2");
	eqt_spelling_try(&two, "borders2");
	eqt_spelling_try(&two, "order");
	ck_assert_str_eq(one.nearest, "order");
	ck_assert_str_eq(two.nearest, "order");
	ck_assert_uint_eq(two.distance, 1);
}
END_TEST

START_TEST(first_of_equally_near_words_stays)
{
	struct eqt_spelling spelling = { .word = "cat", .length = 3 };

	eqt_spelling_try(&spelling, "bat");
	eqt_spelling_try(&spelling, "rat");
	ck_assert_str_eq(spelling.nearest, "bat");
}
END_TEST

START_TEST(word_need_not_end_with_a_nul)
{
	struct eqt_spelling spelling = { .word = "wieght=1", .length = 6 };

	eqt_spelling_try(&spelling, "weight");
	ck_assert_pstr_eq(spelling.nearest, "weight");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spelling");
	TCase *tcase = tcase_create("spelling");

	tcase_add_loop_test(tcase, misspelled_word_gets_the_nearest_one, 0,
			    (int) COUNT(rows));
	tcase_add_test(tcase, nearer_word_wins_in_any_order);
	tcase_add_test(tcase, first_of_equally_near_words_stays);
	tcase_add_test(tcase, word_need_not_end_with_a_nul);
	suite_add_tcase(suite, tcase);
	return eqt_unit_main(suite);
}
